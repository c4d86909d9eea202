"""The page of one drop box, a sheet at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on
from textual.containers import VerticalScroll
from textual.widgets import Static, Tab, Tabs

from omaha_table.review.screens.actions import BOX, PANES, bindings
from omaha_table.review.screens.box_sheets import COLUMNS, SHEETS, BoxSheets
from omaha_table.review.screens.page import Page
from omaha_table.review.screens.recording import count_box, review_box
from omaha_table.review.screens.replay import Replay, Target
from omaha_table.review.screens.virtual_list import Lines, VirtualList

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.widget import Widget

    from omaha_table.review.index.projection import BoxKey


class Box(Page):
    TITLE = "BOX"
    ACTIONS = (*BOX, *PANES[:1])
    BINDINGS = bindings(ACTIONS)
    AUTO_FOCUS = "VirtualList"

    def __init__(self, key: BoxKey) -> None:
        super().__init__()
        self._key = key
        self.sheet = SHEETS[0]

    def body(self) -> Iterable[Widget]:
        yield Tabs(*(Tab(name, id=name) for name in SHEETS))
        yield VirtualList(COLUMNS[SHEETS[0]], "")
        yield VerticalScroll(Static(id="foot", markup=False), classes="detail foot", can_focus=True)

    def begin(self) -> None:
        self.refreshed()

    def about(self) -> str:
        key = self._key
        return f"{key.table}   {key.day}   shift {key.shift or '-'}   box {key.box or '-'}"

    def refreshed(self) -> None:
        self._sheets = BoxSheets(self.desk, self._key)
        self._show(self.listed.at)
        self.edges()

    def _show(self, at: int) -> None:
        self.listed.empty = self._sheets.empty(self.sheet)
        self.listed.show(Lines(self._sheets.lines(self.sheet)), at, COLUMNS[self.sheet])

    @on(Tabs.TabActivated)
    def _clicked(self, event: Tabs.TabActivated) -> None:
        self._turn_to(str(event.tab.id))

    def _turn_to(self, sheet: str) -> None:
        if sheet != self.sheet:
            self.sheet = sheet
            self._show(0)

    @on(VirtualList.Chosen)
    def _describe(self) -> None:
        about = self._sheets.about_line(self.sheet, self.listed.at)
        lines = [*([about] if about else []), *self._sheets.foot()]
        self.query_one("#foot", Static).update("\n".join(lines))

    # What can be done

    def action_next_sheet(self) -> None:
        self._turn(1)

    def action_previous_sheet(self) -> None:
        self._turn(-1)

    def _turn(self, by: int) -> None:
        self._turn_to(SHEETS[(SHEETS.index(self.sheet) + by) % len(SHEETS)])
        self.query_one(Tabs).active = self.sheet

    def _target(self) -> Target | None:
        hand = self._sheets.hand_at(self.sheet, self.listed.at)
        row = None if hand is None else self.desk.projection.hand(hand.id)
        return None if row is None else Target(row)

    @on(VirtualList.Opened)
    def action_open(self) -> None:
        target = self._target()
        if target is None:
            self.review.refuse("Hands can be opened from the sheets Hands and Explain: 4 6.")
        else:
            Replay.open(self.review, self, target)

    def neighbor(self, by: int) -> Target | None:
        before = self.listed.at
        self.listed.go(before + by)
        return None if self.listed.at == before else self._target()

    def action_count(self) -> None:
        self.review.flow(count_box(self.review, self._key))

    def action_review(self) -> None:
        self.review.flow(review_box(self.review, self._key))

    def action_copy(self) -> None:
        self.review.copy(self.listed.text_of(self.listed.at))

    def action_back(self) -> None:
        self.review.leave()
