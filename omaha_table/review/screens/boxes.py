"""The drop boxes: what the log says must be in each, and what was counted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from textual import on
from textual.containers import Container, VerticalScroll
from textual.widgets import Static

from omaha_table.money import format_dollars
from omaha_table.review.index.drop import over_or_short
from omaha_table.review.index.paging import Pages
from omaha_table.review.reports.count_text import corrected, counted_by, review_words
from omaha_table.review.screens.actions import BOXES, PANES, bindings
from omaha_table.review.screens.box import Box
from omaha_table.review.screens.divider import Divider
from omaha_table.review.screens.page import Page
from omaha_table.review.screens.recording import count_box, count_key, review_box
from omaha_table.review.screens.virtual_list import Column, Line, VirtualList
from omaha_table.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.widget import Widget

    from omaha_table.review.index.projection import BoxKey
    from omaha_table.review.index.sums import Sums
    from omaha_table.review.screens.desk import Desk

_COLUMNS: Final = (
    Column("TABLE", 7), Column("DAY", 11), Column("SHIFT", 7), Column("BOX", 5),
    Column("HANDS", 5, right=True), Column("FEES DUE", 8, right=True),
    Column("COUNTED", 8, right=True), Column("VARIANCE", 0),
)  # fmt: skip


class BoxLines:
    """One line for each box, a page at a time."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        projection = desk.projection
        self._pages = Pages(projection.box_page, projection.count_boxes())

    @property
    def total(self) -> int:
        return self._pages.total

    def box(self, at: int) -> tuple[BoxKey, Sums] | None:
        return self._pages.row(at)

    def line(self, at: int) -> Line | None:
        found_at = self.box(at)
        if found_at is None:
            return None
        key, drop = found_at
        ledger = self._desk.ledger
        found = ledger.count_of(count_key(key))
        count = None if found is None else found.event
        variance = "not counted" if count is None else over_or_short(count.counted - drop.due)
        status = "" if found is None else review_words(ledger, found)
        cells = (
            self._desk.table(key.table, key.day, key.log),
            key.day,
            key.shift or "-",
            key.box or "-",
            f"{drop.hands:,}",
            format_dollars(drop.due),
            "-" if count is None else format_dollars(count.counted),
            f"{variance}, {status}" if status else variance,
        )
        odd = count is not None and count.counted != drop.due
        return Line(cells, "odd" if odd else "")

    def detail(self, key: BoxKey, drop: Sums) -> list[str]:
        counts = self._desk.ledger.counts_of(count_key(key))
        lines = [
            f"{key.table}   {key.day}   shift {key.shift or '-'}",
            f"box {key.box or '-'}   jackpot box {key.jackpot_box or '-'}",
            f"fees due {format_dollars(drop.due)}   jackpot due {format_dollars(drop.jackpots)}",
            f"waived {format_dollars(drop.waived)}   hands without a flop {drop.no_flop:,}",
        ]
        if counts:
            lines.append(counted_by(counts[-1]))
        if len(counts) > 1:
            lines.append(corrected(counts))
        if (key.table, key.day) in self._desk.twice:
            file = Path(key.file)
            lines.append(f"Another journal has this name: this is {file.parent.name}/{file.name}")
        return [visible(line) for line in lines]


class Boxes(Page):
    TITLE = "BOXES"
    ACTIONS = (*BOXES, *PANES)
    BINDINGS = bindings(ACTIONS)
    AUTO_FOCUS = "VirtualList"
    # Beside each other only where the variance is not cut.
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (130, "-wide")]  # noqa: RUF012 - as in Textual

    def body(self) -> Iterable[Widget]:
        yield Container(
            VirtualList(_COLUMNS, "There is no hand, so nothing was dropped."),
            Divider(wide=0.66, narrow=0.65),
            VerticalScroll(Static(id="about", markup=False), classes="detail", can_focus=True),
            classes="panes",
        )

    def begin(self) -> None:
        self._lines = BoxLines(self.desk)
        self.listed.show(self._lines, 0)
        self.edges()

    def about(self) -> str:
        return f"{self._lines.total:,}, one for each journal, shift and box"

    def refreshed(self) -> None:
        """The chosen box stays chosen, wherever it is now."""
        chosen, at = self._chosen(), self.listed.at
        self._lines = BoxLines(self.desk)
        if chosen is not None:
            place = self.desk.projection.place_of_box(chosen)
            at = at if place is None else place
        self.listed.show(self._lines, at)

    def _chosen(self) -> BoxKey | None:
        found = self._lines.box(self.listed.at)
        return None if found is None else found[0]

    @on(VirtualList.Chosen)
    def _describe(self) -> None:
        found = self._lines.box(self.listed.at)
        lines = [] if found is None else self._lines.detail(*found)
        self.query_one("#about", Static).update("\n".join(lines))

    @on(VirtualList.Opened)
    def action_open(self) -> None:
        chosen = self._chosen()
        if chosen is None:
            self.review.refuse("There is no box to open.")
        else:
            self.review.enter(Box(chosen))

    def action_count(self) -> None:
        if (chosen := self._chosen()) is not None:
            self.review.flow(count_box(self.review, chosen))

    def action_review(self) -> None:
        if (chosen := self._chosen()) is not None:
            self.review.flow(review_box(self.review, chosen))

    def action_copy(self) -> None:
        self.review.copy(self.listed.text_of(self.listed.at))

    def action_back(self) -> None:
        self.review.leave()
