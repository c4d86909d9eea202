"""The drop boxes: what the log says must be in each, and what was counted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.table_view import Key
from omaha_table.money import format_dollars
from omaha_table.review.box import Box, count_box
from omaha_table.review.cursor import Cursor
from omaha_table.review.drop import total, with_sign
from omaha_table.review.views import Cells, Column, SheetView

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.review.drop import Drop
    from omaha_table.review.front import ReviewFront
    from omaha_table.review.projection import BoxKey

_KEYS: Final = (
    Key("8 2", "BOX"), Key("9 3", "PAGE"), Key("7 1", "ENDS"), Key("5", "OPEN", strong=True),
    Key("+", "ENTER THE COUNT"), Key(".", "BACK"),
)  # fmt: skip
_COLUMNS: Final = (
    Column("TABLE", 8), Column("DAY", 11), Column("SHIFT", 8), Column("BOX", 6),
    Column("HANDS", 5, right=True), Column("FEES DUE", 9, right=True),
    Column("COUNTED", 9, right=True), Column("VARIANCE", 0),
)  # fmt: skip


class Boxes:
    def __init__(self, front: ReviewFront) -> None:
        self._front = front
        self._cursor = Cursor()
        self._boxes: list[BoxKey] = []
        self.refreshed()

    def keys(self) -> dict[str, Callable[[], None]]:
        return {
            **self._cursor.keys(),
            "5": self._open,
            "6": self._open,
            "enter": self._open,
            "+": self._count,
            ".": self._front.leave,
        }

    def refreshed(self) -> None:
        """The chosen box stays chosen, wherever it is now."""
        chosen = self._chosen()
        self._boxes = self._front.projection.boxes()
        self._drops: dict[BoxKey, Drop] = {}
        if chosen in self._boxes:
            self._cursor.at = self._boxes.index(chosen)
        self._cursor.resize(len(self._boxes))

    def remember(self) -> None:
        pass

    def tick(self) -> bool:
        return False

    def _chosen(self) -> BoxKey | None:
        return self._boxes[self._cursor.at] if self._boxes else None

    def _open(self) -> None:
        chosen = self._chosen()
        if chosen is None:
            self._front.refuse("There is no box to open.")
        else:
            self._front.enter(Box(self._front, chosen))

    def _count(self) -> None:
        chosen = self._chosen()
        if chosen is not None:
            count_box(self._front, chosen)

    def _drop(self, key: BoxKey) -> Drop:
        if key not in self._drops:
            self._drops[key] = total(self._front.projection.in_box(key))
        return self._drops[key]

    # What is shown

    def view(self, rows: int) -> SheetView:
        cursor = self._cursor
        cursor.rows = max(rows - _FOOT, 1)
        first = cursor.first
        chosen = self._chosen()
        return SheetView(
            self._front.bar("BOXES", f"{len(self._boxes):,}", _KEYS,
                            "one line for each journal, shift and box"),
            _COLUMNS,
            tuple(self._line(key) for key in self._boxes[first : first + cursor.rows]),
            first,
            cursor.at,
            "There is no hand, so nothing was dropped.",
            () if chosen is None else self._foot(chosen),
            _FOOT,
        )  # fmt: skip

    def _line(self, key: BoxKey) -> Cells:
        drop = self._drop(key)
        count = self._front.counts.of(key.log, key.shift, key.box, key.jackpot_box)
        variance = "" if count is None else with_sign(count.counted - drop.due)
        return Cells(
            (
                self._front.table(key.table, key.day, key.log),
                key.day,
                key.shift or "-",
                key.box or "-",
                f"{drop.hands:,}",
                format_dollars(drop.due),
                "-" if count is None else format_dollars(count.counted),
                "not counted" if count is None else variance,
            ),
            strong=count is not None and count.counted != drop.due,
        )

    def _foot(self, key: BoxKey) -> tuple[str, ...]:
        drop = self._drop(key)
        count = self._front.counts.of(key.log, key.shift, key.box, key.jackpot_box)
        lines = [
            f"{key.table}   {key.day}   shift {key.shift or '-'}   box {key.box or '-'}"
            f"   jackpot box {key.jackpot_box or '-'}",
            f"fees due {format_dollars(drop.due)}   jackpot due {format_dollars(drop.jackpots)}"
            f"   waived {format_dollars(drop.waived)}   no flop {drop.no_flop:,}",
        ]
        if count is not None:
            lines.append(f"counted by {' and '.join(count.signed)}, {count.at.replace('T', ' ')}")
        if (key.table, key.day) in self._front.twice:
            file = Path(key.file)
            lines.append(f"Another journal has this name: this is {file.parent.name}/{file.name}")
        return tuple(lines)


_FOOT: Final = 5
