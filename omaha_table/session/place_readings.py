"""Cards that a reader of places finds although they are dealt: found again, or found late."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from omaha_table.journal.sealed import sealed_card

if TYPE_CHECKING:
    from omaha_drivers.events import CardDrawn, Place

    from omaha_table.hand import HandState
    from omaha_table.session.session import Session

Counts: TypeAlias = "dict[Place, int]"


class PlaceReadings:
    """Of one hand; `resumed` if the console was started in it: what lies there is read again."""

    def __init__(self, *, resumed: bool) -> None:
        self._resumed = resumed
        self._again: Counts | None = None
        """By place, cards of unknown identity that may still be found again; None: not counted."""
        self._late: Counts = {}
        """By seat, cards that were found after the dealer had recorded them unread."""

    def copy(self) -> PlaceReadings:
        made = PlaceReadings(resumed=self._resumed)
        made._again = None if self._again is None else dict(self._again)
        made._late = dict(self._late)
        return made

    def is_known(self, session: Session, event: CardDrawn, place: Place) -> bool:
        """Whether this reading is of a card that was dealt to this place already."""
        hand = session.state.hand
        if hand is None:
            return False
        if self._resumed and self._is_again(session, hand, event, place):
            return True
        return self._is_late(session, hand, place)

    def _is_again(self, session: Session, hand: HandState, event: CardDrawn, place: Place) -> bool:
        """After a restart.

        Only then is a card that no slot waits for compared with those that lie face down. Of cards
        whose identity is not known, as many as were dealt to the place come again.
        """
        card = None if event.card is None else sealed_card(event.card)
        if card is not None and session.lies_at(card, place):
            return True
        if self._again is None:
            self._again = _unknown_cards(session, hand)
        left = self._again.get(place, 0)
        self._again[place] = left - 1
        return left > 0

    def _is_late(self, session: Session, hand: HandState, place: Place) -> bool:
        if not isinstance(place, int) or hand.open_slot(place) is not None:
            return False
        late = self._late.get(place, 0)
        if late >= session.unread_cards(place):
            return False
        self._late[place] = late + 1
        return True


def _unknown_cards(session: Session, hand: HandState) -> Counts:
    """By place, how many cards were dealt to it whose identity the session does not know."""
    slots = enumerate(hand.setup.slots)
    filled = [slot for at, slot in slots if at < hand.cards_out or at in hand.ahead]
    found: Counts = {
        seat: sum(slot.seat == seat for slot in filled) - session.read_cards(seat)
        for seat in hand.setup.dealt
    }
    if session.count_only:
        folded = sum(found[seat] for seat in hand.setup.dealt if hand.seats[seat].folded)
        found["muck"] = folded + sum(slot.kind == "burn" for slot in filled)
        found["board"] = sum(slot.kind not in ("hole", "burn") for slot in filled)
    return found
