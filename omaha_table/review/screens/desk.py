"""What a reviewer works on: hands, the office's records of them, and whether to trust them.

No screen: the pages ask here, and what they record goes through here.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from omaha_table.journal.faults import Away
from omaha_table.office.decisions import OfficeRefused
from omaha_table.review.index.filters import parse_filter
from omaha_table.review.index.ledger import COUNTED_ELSEWHERE, SEEN
from omaha_table.review.index.store import Folder

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable

    from omaha_table.office.events import Signature
    from omaha_table.office.state import CountKey, Noted
    from omaha_table.review.index.filters import Filter
    from omaha_table.review.index.ledger import Ledger
    from omaha_table.review.index.projection import Projection
    from omaha_table.review.index.store import Store


class Desk:
    def __init__(
        self,
        projection: Projection,
        ledger: Ledger,
        *,
        verdict: str = "",
        refresh: Callable[[], object] = list,
        check: Callable[[], tuple[bool, str]] | None = None,
        store: Store | None = None,
        watches: bool = False,
    ) -> None:
        """`watches`: the check also tells what no new hand tells, and is made all the time."""
        self.projection, self.ledger = projection, ledger
        self.store = store or Folder(Path())
        """Where the journals of the index are; a folder's are named by their paths."""
        self.watches, self._away = watches, ""
        self.signed_in: Signature | None = None
        """Who writes notes and sets tags: asked at the first one."""
        self.check = check
        """Finds out whether the journals can be trusted; takes its time."""
        self.verdict, self._distrust, self._refresh = verdict, "", refresh
        self.filter_text, self.filter = "", parse_filter("")
        self.recording = False
        """While something is recorded in a thread, the ledger is that thread's."""
        self._look()
        projection.seen(ledger.tagged(SEEN))

    def set_filter(self, text: str) -> None:
        """Raises FilterError, and then the filter stays as it is."""
        given: Filter = parse_filter(text)
        self.filter_text, self.filter = text.strip(), given

    @property
    def filter_words(self) -> str:
        return f"Filter: {self.filter_text}" if self.filter_text else "Filter: none, all hands"

    # Notes and tags

    def key_of(self, hand: sqlite3.Row) -> str:
        """Under which notes of a hand are kept; two journals with one name keep theirs apart."""
        plain = f"{hand['table']} {hand['day']} {hand['number']}"
        return f"{plain} {hand['log']}" if (hand["table"], hand["day"]) in self.twice else plain

    def notes_of(self, hand: sqlite3.Row) -> list[Noted]:
        """Those from before there were two journals with one name are shown with both."""
        plain = f"{hand['table']} {hand['day']} {hand['number']}"
        abouts = dict.fromkeys((plain, self.key_of(hand)))
        return [note for about in abouts for note in self.ledger.notes_of(about)]

    def check_may_record(self) -> None:
        """Before anybody is asked for a PIN; raises OfficeRefused if nothing can be recorded."""
        if self.ledger.fault:
            raise OfficeRefused("fault", f"Nothing can be recorded. {self.ledger.fault}")
        if not self.ledger.may_write:
            raise OfficeRefused("read_only", self.ledger.read_only)

    def check_may_count(self, key: CountKey) -> None:
        """Raises OfficeRefused if another office has counted a box: it corrects its own counts."""
        before = self.ledger.count_of(key)
        if before is not None and not self.ledger.is_own(before):
            raise OfficeRefused("elsewhere", COUNTED_ELSEWHERE)

    # Time

    def keep_up(self) -> bool:
        """What a running table has added; whether anything is new."""
        self._refresh()
        recorded = not self.recording and self._keep_records_up()
        if recorded:
            self.mark_seen()
        was_away, self._away = self._away, self.projection.away
        changed = recorded or was_away != self._away
        if self.projection.version() == self._version and not changed:
            return False
        self._look()
        return True

    def _keep_records_up(self) -> bool:
        try:
            return self.ledger.refresh()
        except Away:
            return False  # what keeps the index up to date says so

    def mark_seen(self) -> None:
        """Which incidents were looked at, for the lists that leave them out."""
        self.projection.seen(self.ledger.tagged(SEEN))

    @property
    def reading(self) -> str:
        """How far the first reading of the journals has come; empty: it is done."""
        progress = self.projection.progress
        if progress is None:
            return ""
        return f"reading {progress.day}, {progress.of - progress.read:,} journals left"

    def checked(self, trusted: bool, said: str) -> None:
        """What the check of the journals has come to."""
        self.verdict, self._distrust = (said, "") if trusted else (self.verdict, said)

    def _look(self) -> None:
        """How the journals stand."""
        self._version = self.projection.version()
        self.twice = set(self.projection.claimed_twice())
        self.tables = len(self.projection.tables())
        self._faults = [fault for _, fault in self.projection.faults()]

    @property
    def warning(self) -> str:
        """What is wrong with the journals themselves, the worst first."""
        if self._away:
            return f"{self._away} What was read stays; it goes on when the room is back."
        if self._faults:
            more = f" (+{len(self._faults) - 1}: see -)" if len(self._faults) > 1 else ""
            return f"{self._faults[0]}{more}"
        if self.ledger.fault:
            return self.ledger.fault
        if self._distrust or not self.twice:
            return self._distrust
        return f"Several journals claim {' '.join(min(self.twice))}: kept apart by file"

    def table(self, table: str, day: str, log: str) -> str:
        """With a mark of its own where two journals have one name."""
        return f"{table}/{log[:4]}" if (table, day) in self.twice else table


def note_lines(notes: Iterable[Noted]) -> list[str]:
    """Notes with who wrote them."""
    events = [noted.event for noted in notes]
    return [f"note: {e.note} ({'unsigned' if e.by is None else e.by.id})" for e in events]
