"""A table as it stands: seats, button, limit, deck, and the hand that is being played."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from omaha_table.hand.frozen import Frozen

if TYPE_CHECKING:
    from omaha_table.cards import Card
    from omaha_table.hand import HandState
    from omaha_table.money import Cents
    from omaha_table.rules import Limit, Profile


@dataclass(frozen=True, slots=True)
class SeatAtTable:
    name: str
    stack: Cents | None
    """None: not tracked."""
    away: bool = False

    @property
    def plays(self) -> bool:
        """Whether the seat gets a hand when the next one is dealt."""
        return not self.away and self.stack != 0


@dataclass(frozen=True)
class TableState(Frozen):
    profile: Profile
    limit: Limit
    seats: dict[int, SeatAtTable] = field(default_factory=dict)
    button: int | None = None
    drawn: dict[int, Card] = field(default_factory=dict)
    """The face-up cards of the draw for the button."""
    killer: int | None = None
    deck: Literal["unknown", "ok", "bad", "manual"] = "unknown"
    hands: int = 0
    """Hands started so far; the number of the current or last one."""
    hand: HandState | None = None
    seq: int = 0
    """Of the last event folded in."""

    @property
    def playing(self) -> list[int]:
        """The seats that would be in the next hand, ascending."""
        return sorted(seat for seat, at in self.seats.items() if at.plays)
