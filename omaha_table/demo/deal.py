"""The cards of a simulated hand, as the players hold them, whatever the console knows of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omaha_table.dealer.pad import RANKS, SUITS
from omaha_table.hand.frozen import replace

if TYPE_CHECKING:
    from omaha_table.cards import Card
    from omaha_table.hand.phases import Street
    from omaha_table.hand.state import Slot

_RANK_KEYS = {rank: typed for typed, rank in RANKS.items()}
_SUIT_KEYS = {suit: key for key, suit in SUITS.items()}


def typed(card: Card) -> str:
    """The keys with which a dealer types a card."""
    return _RANK_KEYS[card.text[0]] + _SUIT_KEYS[card.text[1]]


@dataclass(frozen=True, slots=True)
class DealtHand:
    """A deck laid over the places of the deal."""

    number: int
    slots: tuple[Slot, ...]
    deck: tuple[Card, ...]
    replaced: tuple[tuple[int, Card], ...] = ()
    """Places whose card was exposed, with the card that its player got instead."""

    def held(self, seat: int) -> tuple[Card, ...]:
        instead = dict(self.replaced)
        return tuple(
            instead.get(place, self.deck[place])
            for place, slot in enumerate(self.slots)
            if slot.kind == "hole" and slot.seat == seat
        )

    def street(self, street: Street) -> tuple[Card, ...]:
        return tuple(
            self.deck[place] for place, slot in enumerate(self.slots) if slot.kind == street.word
        )

    @property
    def board(self) -> tuple[Card, ...]:
        return tuple(
            self.deck[place]
            for place, slot in enumerate(self.slots)
            if slot.kind in ("flop", "turn", "river")
        )

    def replace_exposed(self, seat: int, place: int) -> DealtHand:
        """The seat gets a card from the bottom of the stub; the exposed one is the burn."""
        if self.slots[place].seat != seat:
            place = max(at for at, slot in enumerate(self.slots) if slot.seat == seat)
        burn = next(at for at, slot in enumerate(self.slots) if slot.kind == "burn")
        slots = self.slots[:burn] + self.slots[burn + 1 :]
        return replace(self, slots=slots, replaced=(*self.replaced, (place, self.deck[-1])))
