"""What every page of the review has: title row, the page itself, a line of answers, footer."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Footer, Static

from omaha_table.dealer.screen.drawing import LEAST
from omaha_table.review.screens.divider import Divider
from omaha_table.review.screens.virtual_list import VirtualList
from omaha_table.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.app import ComposeResult
    from textual.widget import Widget

    from omaha_table.review.screens.actions import Action
    from omaha_table.review.screens.app import Review
    from omaha_table.review.screens.desk import Desk


class Keys(Footer):
    """The keys of a page, which stay the same as long as it is there. Textual makes its footer
    again whenever the page is seen again, and in 8.2.8 never lets go of the one before."""

    def bindings_changed(self, screen: Screen[None]) -> None:
        if not self.children:
            super().bindings_changed(screen)


class Page(Screen[None]):
    ACTIONS: ClassVar[tuple[Action, ...]] = ()
    """All that can be done here; the bindings and the command palette derive from it."""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 - as in Textual
    TITLE = ""
    PALETTE_SHOWN = True
    """Whether the footer has room for the key of the command palette."""

    @property
    def review(self) -> Review:
        return cast("Review", self.app)

    @property
    def desk(self) -> Desk:
        return self.review.desk

    def compose(self) -> ComposeResult:
        yield Static(id="bar", markup=False)
        with Vertical(id="page"):
            yield from self.body()
        yield Static(id="said", classes="quiet", markup=False)
        yield Keys(compact=True, show_command_palette=self.PALETTE_SHOWN)
        yield Static("MAKE THE WINDOW BIGGER", id="small")

    def body(self) -> Iterable[Widget]:
        raise NotImplementedError

    _begun = False
    _told = "", ""
    """What the line above the footer says."""

    @property
    def is_there(self) -> bool:
        """Whether it has its parts: who leaves the review takes them away before their page."""
        parts = bool(self.query("#bar")) and bool(self.query("#page VirtualList, #page .charts"))
        return self._begun and parts

    def begin(self) -> None:
        """All parts of the page are there."""

    def on_mount(self) -> None:
        # Until now a thread may have asked for the edges of a page that had nothing to show.
        self._begun = True
        if self.is_there:
            self.begin()
            self.edges()

    @property
    def listed(self) -> VirtualList:
        return self.query_one(VirtualList)

    def about(self) -> str:
        """After the title: how much there is."""
        return ""

    def edges(self) -> None:
        """The title row, and the line above the footer: the last answer, or what is wrong."""
        desk, review = self.desk, self.review
        if not self.is_there:
            return
        about = self.about()
        if desk.twice:
            about = f"{about}   {' '.join(min(desk.twice))} is here twice, by file"
        warning = desk.warning
        said, level = review.said, review.level
        if not said and warning:
            said, level = warning, "warn"
        left = f" {self.TITLE}   {visible(about)}"
        right = desk.reading or desk.verdict
        room = self.app.size.width - len(left) - 2
        right = right if len(right) <= room else f"{right[: max(room - 1, 0)]}…"
        bar = f"{left}{right.rjust(max(room + 1, 0))}"
        self.query_one("#bar", Static).update(bar, layout=False)
        sign = {"warn": "▲ ", "refused": "▲ ", "info": "● "}[level] if said else ""
        if (sign, said) != self._told:
            self._told = sign, said
            line = self.query_one("#said", Static)
            line.update(f"{sign}{visible(said)}")
            line.set_classes(level if said else "quiet")

    def found_more(self) -> bool:
        """Whether a search that goes on by itself has found more."""
        return False

    is_stale = False
    """Whether something was recorded or dealt since it was last seen."""

    def catch_up(self) -> None:
        if self.is_stale and self.is_there:
            self.is_stale = False
            self.refreshed()
            self.edges()

    def on_screen_resume(self) -> None:
        self.catch_up()

    def show_more(self) -> None:
        """That search has found more, and nothing else has changed."""
        self.refreshed()

    def refreshed(self) -> None:
        """There may be more hands than before, or other notes."""

    def on_resize(self) -> None:
        width, height = self.app.size
        self.set_class(width < LEAST[0] or height < LEAST[1], "-small")
        self.edges()

    def action_grow(self) -> None:
        for divider in self.query(Divider):
            divider.move(1)

    def action_shrink(self) -> None:
        for divider in self.query(Divider):
            divider.move(-1)
