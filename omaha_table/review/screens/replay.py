"""One hand step by step, with the table as it stood: 4 and 6 by steps, 9 and 3 by streets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from textual import on
from textual.containers import Container, Vertical, VerticalScroll
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from omaha_table.dealer.screen.colors import depth_of
from omaha_table.dealer.screen.drawing import LEAST, draw, plan
from omaha_table.journal.diary import Refusal
from omaha_table.journal.faults import Away, JournalFault
from omaha_table.review.index.replay import frames
from omaha_table.review.screens.actions import REPLAY, bindings
from omaha_table.review.screens.desk import note_lines
from omaha_table.review.screens.hand_text import clock
from omaha_table.review.screens.page import Page
from omaha_table.review.screens.recording import LOOK, set_tag, write_note
from omaha_table.review.screens.replay_view import place, streets, table_at, words
from omaha_table.review.screens.sheet import save_sheet
from omaha_table.review.screens.virtual_list import Column, Line, Lines, VirtualList
from omaha_table.text import visible

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from omaha_table.dealer.screen.canvas import Canvas
    from omaha_table.dealer.table_view import TableView
    from omaha_table.review.index.replay import Frame
    from omaha_table.review.screens.app import Review

_COLUMNS: Final = (Column("EVENT", 5, right=True), Column("TIME", 8), Column("WHAT", 0))
_BEAT: Final = 0.6
"""Seconds between two steps of a hand that is playing."""


@dataclass(frozen=True, slots=True)
class Target:
    """A hand of the index, and where in it to begin."""

    hand: sqlite3.Row
    seq: int = 0
    jot: int = 0


class Neighbors(Protocol):
    """Where a hand was opened from, and so which one is next."""

    def catch_up(self) -> None: ...
    def neighbor(self, by: int) -> Target | None: ...


class TablePicture(Widget):
    """The dealer's screen without its keys and its log, which the page has beside it."""

    def __init__(self) -> None:
        super().__init__(id="picture")
        self._view: TableView | None = None
        self._canvas: Canvas | None = None

    def show(self, view: TableView) -> None:
        self._view, self._canvas = view, None
        self.refresh()

    def on_resize(self) -> None:
        self._canvas = None
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width, height = self.size
        if self._canvas is None and self._view is not None:
            self._canvas = self._draw(self._view, width, height)
        if self._canvas is None or y >= self._canvas.height:
            return Strip.blank(width)
        row = self._canvas.row(y, depth_of(self.app.console.color_system))
        return Strip(row, self._canvas.width).adjust_cell_length(width)

    def _draw(self, view: TableView, width: int, height: int) -> Canvas:
        width = max(width, LEAST[0])
        # What is not seen is at the bottom: the keys and the log, in as many rows as this size has.
        for below in (2, 5, 4):
            at = plan(width, height + below)
            if at.key_rows + at.log == below:
                break
        letters = getattr(self.app, "letters", False)
        return draw(view, width, max(height + below, LEAST[1]), letters=letters)


class Replay(Page):
    TITLE = "HAND"
    PALETTE_SHOWN = False
    ACTIONS = REPLAY
    BINDINGS = bindings(ACTIONS)
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (124, "-wide")]  # noqa: RUF012 - as in Textual
    AUTO_FOCUS = ""

    def __init__(self, origin: Neighbors, target: Target) -> None:
        """Raises JournalFault."""
        super().__init__()
        self._origin = origin
        self._playing = False
        self._read(target)

    @staticmethod
    def open(review: Review, origin: Neighbors, target: Target) -> None:
        try:
            page = Replay(origin, target)
        except (JournalFault, Away) as fault:
            review.refuse(fault.message)
        else:
            review.enter(page)

    def _read(self, target: Target) -> None:
        made = frames(self.desk.store.journal(target.hand["file"]), target.hand["seq"])
        if not made:
            raise JournalFault("The hand is not there any more.")
        self._hand, self._frames = target.hand, made
        self._step = next((at for at, frame in enumerate(made) if _is(frame, target)), 0)

    def body(self) -> Iterable[Widget]:
        events = VirtualList(_COLUMNS, "")
        events.can_focus = False
        yield Container(
            TablePicture(),
            Vertical(
                events,
                VerticalScroll(Static(id="about", markup=False), classes="detail"),
                id="events",
            ),
            id="replay",
        )

    def begin(self) -> None:
        self.set_interval(_BEAT, self._beat)
        self._list_events()
        self._to(self._step)

    def about(self) -> str:
        hand = self._hand
        table = self.desk.table(hand["table"], hand["day"], hand["log"])
        tags = "".join(f"  *{tag}" for tag in sorted(self.desk.ledger.tags_of(self._about)))
        return f"{hand['number']}   {table}   {hand['day']}{tags}"

    def refreshed(self) -> None:
        self._tell()
        self.edges()

    @property
    def _about(self) -> str:
        return self.desk.key_of(self._hand)

    def _list_events(self) -> None:
        lines = [
            Line(
                (str(frame.seq), clock(frame.at_us), words(frame)),
                "odd" if isinstance(frame.event, Refusal) else "",
            )
            for frame in self._frames
        ]
        self.listed.show(Lines(lines), self._step)

    def _to(self, step: int) -> None:
        self._step = max(0, min(step, len(self._frames) - 1))
        self.query_one(TablePicture).show(table_at(self._frames, self._step, self._hand["table"]))
        self.listed.go(self._step)
        self._tell()

    def _tell(self) -> None:
        frame = self._frames[self._step]
        notes = note_lines(self.desk.notes_of(self._hand))
        lines = [f"{clock(frame.at_us)}   {place(frame)}", words(frame), f"hash {frame.hash}"]
        self.query_one("#about", Static).update("\n".join(map(visible, [*lines, *notes])))

    @on(VirtualList.Chosen)
    def _clicked(self) -> None:
        if self.listed.at != self._step:
            self._to(self.listed.at)

    # What can be done

    def action_forward(self) -> None:
        self._to(self._step + 1)

    def action_backward(self) -> None:
        self._to(self._step - 1)

    def action_start(self) -> None:
        self._to(0)

    def action_end(self) -> None:
        self._to(len(self._frames) - 1)

    def action_next_street(self) -> None:
        """To the next cards; from the last street to the end."""
        self._to(min((at for at in streets(self._frames) if at > self._step), default=self._step))

    def action_previous_street(self) -> None:
        self._to(max((at for at in streets(self._frames) if at < self._step), default=self._step))

    def action_next_hand(self) -> None:
        self._other(1)

    def action_previous_hand(self) -> None:
        self._other(-1)

    def _other(self, by: int) -> None:
        self._origin.catch_up()
        target = self._origin.neighbor(by)
        if target is None:
            self.review.refuse("No more hands in that direction.")
            return
        try:
            self._read(target)
        except (JournalFault, Away) as fault:
            self.review.refuse(fault.message)
            return
        self._list_events()
        self._to(self._step)
        self.edges()

    def action_play(self) -> None:
        self._playing = not self._playing

    def _beat(self) -> None:
        if self._playing and self.is_current:
            self._playing = self._step + 1 < len(self._frames)
            self._to(self._step + 1)

    def action_events(self) -> None:
        """In a narrow window there is room for one of the two."""
        self.query_one("#replay").toggle_class("-events")

    def action_note(self) -> None:
        title = f"hand {self._hand['number']}"
        self.review.flow(write_note(self.review, self._about, title))

    def action_tag(self) -> None:
        self.review.flow(set_tag(self.review, self._about, LOOK))

    def action_sheet(self) -> None:
        self.review.flow(save_sheet(self.review, self._hand))

    def action_copy(self) -> None:
        frame = self._frames[self._step]
        line = f"{clock(frame.at_us)}  {place(frame)}  {words(frame)}  hash {frame.hash}"
        self.review.copy(visible(line))

    def action_copy_hash(self) -> None:
        self.review.copy(self._frames[self._step].hash)

    def action_back(self) -> None:
        self.review.leave()


def _is(frame: Frame, target: Target) -> bool:
    if target.jot:
        return isinstance(frame.event, Refusal) and frame.event.id == target.jot
    return frame.seq == target.seq
