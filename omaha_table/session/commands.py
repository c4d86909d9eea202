"""What a session can be asked beyond the table's own commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from omaha_table.table.commands import TableCommand

if TYPE_CHECKING:
    from omaha_table.hand.events import Place
    from omaha_table.journal.sealed import SealedCard


# Not compared by value: a sealed card cannot be.
@dataclass(frozen=True, slots=True, eq=False)
class DealSealedCard:
    """The shoe passed a card and read it. It stays sealed unless its slot is face up."""

    card: SealedCard
    place: Place | None = None
    """Where the reader found it; None: it is the next card of the deal."""


SessionCommand: TypeAlias = TableCommand | DealSealedCard
