"""The check of a journal that is kept elsewhere: of its rows, with no files beside them."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from omaha_table.journal.file_check import FileCheck
from omaha_table.journal.table_check import DayEnd
from omaha_table.journal.walk import Broken

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from omaha_table.journal.anchors import RoomCopy
    from omaha_table.journal.chain import Row
    from omaha_table.journal.rows import OpenRows
    from omaha_table.journal.verdict import Verdict


class RowsCheck(FileCheck):
    """Checks the rows of a journal as those of a file are, and that none is missing at the end."""

    def __init__(
        self,
        path: Path,
        verdict: Verdict,
        rows: Callable[[], OpenRows],
        kept: RoomCopy,
        name: str = "",
        since_us: int = 0,
    ) -> None:
        """`path` is only a name. `kept`: the head as it is listed, and as it was cosigned;
        `since_us`: since when such journals are kept there."""
        super().__init__(path, verdict, None, name)
        self._rows, self._listed, self._since_us = rows, kept, since_us
        self.older = 0
        """The last event that was written before that."""
        # Only the cosignature comes from outside: what lists the rows also keeps them.
        self._room = kept._replace(seq=0, head="")

    def read(self, ends: dict[str, DayEnd], progress: Callable[[int], None]) -> None:
        self._start(ends)
        with closing(self._rows()) as rows:
            for row in rows.since():
                self.check(row, ends)
                if not self.seq % 500:
                    progress(self.verdict.events)
        listed = self._listed
        if (self.seq, self.head.hex()) != (listed.seq, listed.head):
            raise Broken(
                self.seq, "truncated", f"events are missing: {listed.seq} are listed in the room"
            )
        if listed.cosigned > self.seq:
            raise Broken(
                self.seq,
                "truncated",
                f"events are missing: the room's witness signed event {listed.cosigned}",
            )
        self._end_of_rows()
        if not self.is_closed:
            self.verdict.open_days.append(self.name)

    def check(self, row: Row, ends: dict[str, DayEnd]) -> None:
        self._hand = self._hand if row.hand is None else row.hand
        if type(row.at_us) is int and row.at_us < self._since_us:
            self.older = row.seq
        super().check(row, ends)

    def end_after_damage(self) -> DayEnd:
        return DayEnd(self._listed.head, office=self.office)
