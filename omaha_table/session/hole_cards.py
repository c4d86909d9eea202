"""What the table may know about face-down cards, and what the log must hold about them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from omaha_table.hand import Refused
from omaha_table.hand.commands import DealCard, Show
from omaha_table.hand.events import CardDealt, HandStarted, RemedyOrdered, Tabled
from omaha_table.hand.phases import Phase
from omaha_table.table import decide

if TYPE_CHECKING:
    from omaha_table.hand import HandState
    from omaha_table.journal.events import Event
    from omaha_table.journal.sealed import SealedCard
    from omaha_table.session.vault import Vault
    from omaha_table.table import TableState


def next_card_is_face_up(state: TableState) -> bool:
    """Whether the next card is dealt face up."""
    hand = state.hand
    if hand is None or hand.next_slot is None:
        return False
    return hand.setup.slots[hand.next_slot].kind not in ("hole", "burn")


def cards_out(hand: HandState) -> Counter[int]:
    """How many cards each seat has been dealt."""
    out = hand.setup.slots[: hand.cards_out]
    return Counter(slot.seat for slot in out if slot.seat is not None)


def dealt_before(vault: Vault, state: TableState, command: DealCard) -> bool:
    """Whether a card for an open slot was already dealt in this hand.

    False for a card without an open slot: the answer would give away a face-down card.
    """
    if command.card is None or not vault.has_seen(command.card):
        return False
    try:
        decision = decide(state, command if next_card_is_face_up(state) else DealCard())
    except Refused as refusal:
        return refusal.code == "duplicate_card"
    return any(isinstance(event, CardDealt) for event in decision.events)


def keep_cards(
    vault: Vault, hand: HandState | None, event: Event, passed: SealedCard | None
) -> list[Event]:
    """Keeps the card identities that come with an event; returns what the log must hold.

    `hand` is the hand before the event, `passed` the card that the shoe read for it.
    """
    match event:
        case HandStarted():
            vault.start_hand(event.number)
        case CardDealt(seat=int() as seat):
            if passed is None:
                vault.forget(seat)
            else:
                vault.add(seat, passed)
            if hand is not None and event.slot + 1 == _hole_cards(hand):
                sealed = vault.seal_hand()
                return [] if sealed is None else [sealed]
        case RemedyOrdered(seat=int() as seat):
            vault.forget(seat)
        case Tabled():
            opened = vault.open_seat(event.seat)
            return [] if opened is None else [opened]
    return []


def tabled(vault: Vault, state: TableState, command: Show) -> Show:
    """A tabled hand with the cards that the shoe read; raises Refused if others were keyed."""
    hole = state.profile.game.hole_cards
    if not command.cards and not vault.keeps_identities:
        raise Refused(
            "card_count",
            f"This shoe only counts cards: key the {hole} cards of seat {command.seat}.",
            state.profile,
            "showdown",
        )
    if not _may_table(state, command.seat):
        # It is refused for that. Compared with what was dealt, the answer would tell the cards.
        return command
    if not command.cards:
        return Show(command.seat, vault.tabled(command.seat))
    if vault.is_dealt(command.seat, command.cards, hole) is False:
        raise Refused(
            "cards_speak",
            f"Seat {command.seat} was not dealt these cards: show it without keying, or call the "
            "floor.",
            state.profile,
            "showdown",
        )
    return command


def _may_table(state: TableState, seat: int) -> bool:
    """Whether the seat may table its hand now: only then is it opened."""
    hand = state.hand
    if hand is None or hand.phase not in (Phase.SHOWDOWN, Phase.PUSH):
        return False
    if seat not in hand.seats or hand.seats[seat].folded or seat in hand.mucked:
        return False
    return len(hand.contenders) > 1


def _hole_cards(hand: HandState) -> int:
    """How many face-down cards a complete deal has."""
    return len(hand.setup.dealt) * hand.setup.profile.game.hole_cards
