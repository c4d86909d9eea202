"""The queue of what was unusual, to be gone through one by one: in hands, and between them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from textual import on
from textual.containers import Container, VerticalScroll
from textual.events import Click
from textual.widgets import Static

from omaha_table.review.index.incidents import KINDS
from omaha_table.review.index.ledger import SEEN
from omaha_table.review.index.paging import Pages
from omaha_table.review.screens.actions import PANES, UNUSUAL, bindings
from omaha_table.review.screens.desk import note_lines
from omaha_table.review.screens.divider import Divider
from omaha_table.review.screens.filter_dialog import choose_filter
from omaha_table.review.screens.page import Page
from omaha_table.review.screens.recording import set_tag, write_note
from omaha_table.review.screens.replay import Replay, Target
from omaha_table.review.screens.virtual_list import Column, Line, VirtualList
from omaha_table.text import visible

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from textual.widget import Widget

    from omaha_table.review.screens.desk import Desk

_COLUMNS: Final = (
    Column("√", 1), Column("DAY", 5, wide=True), Column("TIME", 8), Column("HAND", 5, right=True),
    Column("TABLE", 8), Column("KIND", 13), Column("WHAT", 0),
)  # fmt: skip


class _IncidentLines:
    def __init__(self, desk: Desk, rows: Pages[sqlite3.Row]) -> None:
        self._desk, self.rows = desk, rows

    @property
    def total(self) -> int:
        return self.rows.total

    def line(self, at: int) -> Line | None:
        row = self.rows.row(at)
        return None if row is None else incident_line(self._desk, row)


def incident_line(desk: Desk, row: sqlite3.Row) -> Line:
    seen = SEEN in desk.ledger.tags_of(row["key"])
    when = time.localtime(row["at_us"] / 1e6)
    cells = (
        "√" if seen else "",
        time.strftime("%m-%d", when),
        time.strftime("%H:%M:%S", when),
        "" if row["number"] is None else str(row["number"]),
        desk.table(row["table"], row["day"], row["log"]),
        KINDS[row["kind"]],
        row["says"],
    )
    return Line(cells, "dim" if seen else "")


class Unusual(Page):
    TITLE = "UNUSUAL"
    ACTIONS = (*UNUSUAL, *PANES)
    BINDINGS = bindings(ACTIONS)
    AUTO_FOCUS = "VirtualList"

    def __init__(self) -> None:
        super().__init__()
        self._by_time, self._unseen = False, False

    def body(self) -> Iterable[Widget]:
        yield Static(id="line", markup=False)
        yield Container(
            VirtualList(_COLUMNS, ""),
            Divider(wide=0.7, narrow=0.65),
            VerticalScroll(Static(id="about", markup=False), classes="detail", can_focus=True),
            classes="panes",
        )

    def begin(self) -> None:
        self._load(0)

    def about(self) -> str:
        return f"{self._left:,} of {self._every:,} to look at"

    def found_more(self) -> bool:
        return self.desk.projection.found_incidents(self.desk.filter) != self._found

    def _load(self, at: int) -> None:
        desk = self.desk
        given, projection = desk.filter, desk.projection
        self._found = projection.found_incidents(given)
        self._every = self._found.total
        self._left = projection.count_incidents(given, unseen=True)
        by_time, unseen = self._by_time, self._unseen
        rows = Pages(
            lambda first, many: projection.incidents(
                given, first, many, by_time=by_time, unseen=unseen
            ),
            self._left if unseen else self._every,
        )
        self._lines = _IncidentLines(desk, rows)
        which = "unseen only" if self._unseen else "seen and unseen"
        order = "by time" if self._by_time else "by kind"
        line = f"{which}, {order}   {desk.filter_words}"
        self.query_one("#line", Static).update(visible(line), layout=False)
        nothing = "Everything was looked at: 0 shows all." if self._every else "Nothing unusual."
        self.listed.empty = nothing
        self.listed.show(self._lines, at)
        self.edges()

    def refreshed(self) -> None:
        """There may be more lines, and above the chosen one: it stays chosen."""
        row, at = self._chosen(), self.listed.at
        if row is not None:
            place = self.desk.projection.place_of_incident(
                self.desk.filter, row["key"], by_time=self._by_time, unseen=self._unseen
            )
            gone = self._unseen and SEEN in self.desk.ledger.tags_of(row["key"])
            at = at if place is None or gone else place
        self._load(at)

    def _chosen(self) -> sqlite3.Row | None:
        return self._lines.rows.row(self.listed.at)

    @on(VirtualList.Chosen)
    def _describe(self) -> None:
        row = self._chosen()
        lines = [] if row is None else self._detail(row)
        self.query_one("#about", Static).update("\n".join(map(visible, lines)))

    def _detail(self, row: sqlite3.Row) -> list[str]:
        at = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(row["at_us"] / 1e6))
        where = "between hands" if row["number"] is None else f"hand {row['number']}"
        event = f"   event {row['seq']}" if row["seq"] else ""
        notes = note_lines(self.desk.ledger.notes_of(self._note_key(row)))
        return [
            f"{at}   {row['table']}   {where}{event}",
            f"{KINDS[row['kind']]}: {row['says']}",
            *([row["more"]] if row["more"] else []),
            *notes,
        ]

    # What can be done

    def _hand(self, incident: sqlite3.Row) -> sqlite3.Row | None:
        return None if incident["hand"] is None else self.desk.projection.hand(incident["hand"])

    @on(VirtualList.Opened)
    def action_open(self) -> None:
        chosen = self._chosen()
        if chosen is None:
            self.review.refuse("There is nothing to open.")
            return
        hand = self._hand(chosen)
        if hand is None:
            self.review.refuse("It did not happen in a hand: all there is to say is beside it.")
            return
        Replay.open(self.review, self, Target(hand, chosen["seq"], chosen["jot"]))

    def neighbor(self, by: int) -> Target | None:
        """The line before or after that is in a hand, which is then the chosen one."""
        at = self.listed.at
        while 0 <= (at := at + by) < self.listed.total:
            row = self._lines.rows.row(at)
            hand = None if row is None else self._hand(row)
            if row is not None and hand is not None:
                self.listed.go(at)
                return Target(hand, row["seq"], row["jot"])
        return None

    def action_seen(self) -> None:
        """Marked as looked at, and on to the next; a second time takes the mark off."""
        chosen = self._chosen()
        if chosen is None:
            self.review.refuse("There is nothing to mark.")
        else:
            self.review.flow(set_tag(self.review, chosen["key"], SEEN, self._after_seen))

    def _after_seen(self) -> None:
        if not self._unseen:
            self.listed.go(self.listed.at + 1)

    def action_which(self) -> None:
        self._unseen = not self._unseen
        self._load(0)

    def action_order(self) -> None:
        self._by_time = not self._by_time
        self._load(0)

    @on(Click, "#line")
    def action_filter(self) -> None:
        self.review.flow(choose_filter(self))

    def _note_key(self, row: sqlite3.Row) -> str:
        hand = self._hand(row)
        key: str = row["key"]
        return key if hand is None else self.desk.key_of(hand)

    def action_note(self) -> None:
        row = self._chosen()
        if row is not None:
            title = KINDS[row["kind"]].lower() if row["number"] is None else f"hand {row['number']}"
            self.review.flow(write_note(self.review, self._note_key(row), title))

    def action_copy(self) -> None:
        self.review.copy(self.listed.text_of(self.listed.at))

    def action_back(self) -> None:
        self.review.leave()
