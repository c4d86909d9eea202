"""The list of hands, and beside it what there is to say of the chosen one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual import on
from textual.containers import Container, VerticalScroll
from textual.events import Click
from textual.widgets import Static

from omaha_table.journal.faults import Away
from omaha_table.review.index.paging import Pages
from omaha_table.review.index.replay import steps_of
from omaha_table.review.screens.actions import HANDS, PANES, bindings
from omaha_table.review.screens.boxes import Boxes
from omaha_table.review.screens.divider import Divider
from omaha_table.review.screens.filter_dialog import choose_filter
from omaha_table.review.screens.hand_text import clock, columns, hand_detail, hand_line
from omaha_table.review.screens.page import Page
from omaha_table.review.screens.recording import LOOK, set_tag, write_note
from omaha_table.review.screens.replay import Replay, Target
from omaha_table.review.screens.sheet import save_sheet
from omaha_table.review.screens.statistics import Statistics
from omaha_table.review.screens.unusual import Unusual
from omaha_table.review.screens.virtual_list import VirtualList
from omaha_table.text import visible

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from textual.timer import Timer
    from textual.widget import Widget

    from omaha_table.review.screens.desk import Desk
    from omaha_table.review.screens.virtual_list import Line

_LEAVE: Final = "Leave the review? Press . or ESC again."
_REST: Final = 0.1
"""Seconds on a hand until its journal is read: going through the list reads none."""


class HandLines:
    """The hands that fit the filter, as lines."""

    def __init__(self, desk: Desk, *, tables: bool) -> None:
        self._desk, self._tables = desk, tables
        projection, given = desk.projection, desk.filter
        self.found = projection.found(given)
        self.pages = Pages(lambda at, many: projection.page(given, at, many), self.found.total)

    @property
    def total(self) -> int:
        return self.pages.total

    def line(self, at: int) -> Line | None:
        row = self.pages.row(at)
        return None if row is None else hand_line(self._desk, row, tables=self._tables)


class Hands(Page):
    TITLE = "HANDS"
    ACTIONS = (*HANDS, *PANES)
    BINDINGS = bindings(ACTIONS)
    AUTO_FOCUS = "VirtualList"

    def __init__(self) -> None:
        super().__init__()
        self._filter: object = None
        self._tables = False
        """Whether there is a column for them."""
        self._rest: Timer | None = None
        self._steps_of: tuple[object, ...] = ()
        """Of which hand the steps are shown."""

    def body(self) -> Iterable[Widget]:
        yield Static(id="line", markup=False)
        tables = columns(tables=False)
        yield Container(
            VirtualList(tables, "No hand fits the filter. / and 0 shows all."),
            Divider(wide=0.6, narrow=0.6),
            VerticalScroll(Static(id="about", markup=False), Static(id="steps", markup=False),
                           classes="detail", can_focus=True),
            classes="panes",
        )  # fmt: skip

    def begin(self) -> None:
        self._lines = HandLines(self.desk, tables=False)
        self.refreshed()

    def about(self) -> str:
        found = self._lines.found
        hands = "1 hand" if found.total == 1 else f"{found.total:,} hands"
        if found.is_all:
            return hands
        return f"{hands} so far, searching" if found.is_searching else f"the newest {hands}"

    def found_more(self) -> bool:
        return self.desk.projection.found(self.desk.filter) != self._lines.found

    def show_more(self) -> None:
        # Older hands, below those that are listed.
        self._lines = HandLines(self.desk, tables=self._tables)
        self.listed.extend(self._lines)
        self.edges()

    def refreshed(self) -> None:
        """The chosen hand stays chosen; who looks at the newest goes on to the next newest."""
        desk, before = self.desk, self._chosen()
        self._tables = desk.tables > 1 or bool(desk.twice)
        lines = HandLines(desk, tables=self._tables)
        at = 0
        if before is not None and self.listed.at and self._filter is desk.filter:
            place = desk.projection.place_of_hand(desk.filter, before["file"], before["seq"])
            at = self.listed.at if place is None else place
        self._lines, self._filter = lines, desk.filter
        self.query_one("#line", Static).update(visible(desk.filter_words), layout=False)
        self.listed.show(lines, at, columns(tables=self._tables))
        self.edges()

    def _chosen(self) -> sqlite3.Row | None:
        return self._lines.pages.row(self.listed.at)

    # The pane beside the list

    @on(VirtualList.Chosen)
    def _describe(self) -> None:
        row = self._chosen()
        lines = [] if row is None else hand_detail(self.desk, row)
        self.query_one("#about", Static).update("\n".join(lines))
        if row is not None and self._steps_of == _steps_key(row):
            return
        self._steps_of = ()
        self.query_one("#steps", Static).update("")
        if self._rest is not None:
            self._rest.stop()
        self._rest = self.set_timer(_REST, self._tell)

    def _tell(self) -> None:
        row = self._chosen()
        if row is not None:
            try:
                journal = self.desk.store.journal(row["file"])
                told = steps_of(journal, row["seq"], row["last_seq"])
            except Away as away:
                lines = [visible(away.message)]
            else:
                lines = [visible(f"{clock(at_us)}  {words}") for at_us, words in told]
                self._steps_of = _steps_key(row)
            self.query_one("#steps", Static).update("\n".join(["", *lines]))

    # What can be done

    @on(VirtualList.Opened)
    def action_open(self) -> None:
        row = self._chosen()
        if row is None:
            self.review.refuse("There is no hand to open.")
        else:
            Replay.open(self.review, self, Target(row))

    def neighbor(self, by: int) -> Target | None:
        """The hand before or after, which is then the chosen one."""
        before = self.listed.at
        self.listed.go(before + by)
        row = self._chosen()
        return None if row is None or self.listed.at == before else Target(row)

    @on(Click, "#line")
    def action_filter(self) -> None:
        self.review.flow(choose_filter(self))

    def action_unusual(self) -> None:
        self.review.go_to(Unusual)

    def action_boxes(self) -> None:
        self.review.go_to(Boxes)

    def action_statistics(self) -> None:
        self.review.go_to(Statistics)

    def action_note(self) -> None:
        row = self._chosen()
        if row is not None:
            about, title = self.desk.key_of(row), f"hand {row['number']}"
            self.review.flow(write_note(self.review, about, title))

    def action_tag(self) -> None:
        row = self._chosen()
        if row is not None:
            self.review.flow(set_tag(self.review, self.desk.key_of(row), LOOK))

    def action_sheet(self) -> None:
        row = self._chosen()
        if row is not None:
            self.review.flow(save_sheet(self.review, row))

    def action_copy(self) -> None:
        self.review.copy(self.listed.text_of(self.listed.at))

    def action_leave(self) -> None:
        """Back from the first page is out of the review: not by one key too many."""
        if self.review.just_said == _LEAVE:
            self.app.exit()
        else:
            self.review.say(_LEAVE)


def _steps_key(hand: sqlite3.Row) -> tuple[object, ...]:
    return hand["log"], hand["seq"], hand["last_seq"]
