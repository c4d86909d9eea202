"""What every reader of one journal's records offers, whatever they are kept in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from omaha_table.journal.chain import Row
    from omaha_table.journal.diary import Refusal


class Rows(Protocol):
    """The records of one journal. Raises JournalFault where they cannot be read."""

    def since(self, seq: int = 0, kinds: Sequence[str] = ()) -> Iterator[Row]:
        """The rows after `seq` in order; of some kinds, or all."""

    def get(self, seq: int) -> Row | None: ...

    def last(self) -> Row | None:
        """The head: its number and its hash."""

    def last_seal(self, before: int | None = None) -> Row | None:
        """The latest seal, or the latest one before an event."""

    def refusals(self, first: int = 0, last: int = 1 << 62) -> list[Refusal]:
        """What was refused after a range of events; not sealed."""


class OpenRows(Rows, Protocol):
    """Rows that the caller closes."""

    def hold(self) -> None:
        """All later reads see the journal as it is now, whatever the table adds to it."""

    def close(self) -> None: ...
