"""A table that was closed is opened again: who sat there, and who is to be seated now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omaha_table.hand.frozen import replace
from omaha_table.table.commands import SeatPlayer

if TYPE_CHECKING:
    from omaha_table.journal.opening import DayBefore
    from omaha_table.table.commands import ReopenTable


@dataclass(frozen=True, slots=True)
class Reopening:
    """The question that nobody has answered yet."""

    day: str
    """On which the table was closed."""
    last: tuple[SeatPlayer, ...]
    """Who sat there then, with their stacks."""
    file: tuple[SeatPlayer, ...] = ()
    """Whom the table's file names."""

    def answered(self, command: ReopenTable) -> ReopenTable:
        """The answer with the players that it means."""
        players = {"same": self.last, "file": self.file, "empty": ()}[command.how]
        return replace(command, day=self.day, players=players)


def closed_with_players(before: DayBefore | None) -> Reopening | None:
    """The question, if the day before ended with a closed table and players at it."""
    if before is None or not before.table.closed or not before.table.seats:
        return None
    seats = sorted(before.table.seats.items())
    last = tuple(SeatPlayer(seat, at.name, at.stack) for seat, at in seats)
    return Reopening(before.carried.day, last)
