"""What the table may know of face-down cards at each moment, and what the log must hold of them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from omaha_table.hand import Refused
from omaha_table.hand.commands import DealCard, Show
from omaha_table.hand.events import CardDealt, HandStarted, RemedyOrdered, Tabled
from omaha_table.hand.phases import Phase
from omaha_table.table import decide

if TYPE_CHECKING:
    from omaha_table.cards import Card
    from omaha_table.hand import HandState
    from omaha_table.journal.events import Event
    from omaha_table.journal.sealed import SealedCard
    from omaha_table.session.vault import Vault
    from omaha_table.table import TableState


def lies_face_up(state: TableState) -> bool:
    """Whether the card that comes next is turned up for all to see."""
    hand = state.hand
    if hand is None or hand.next_slot is None:
        return False
    return hand.setup.slots[hand.next_slot].kind not in ("hole", "burn")


def cards_out(hand: HandState) -> Counter[int]:
    """How many cards each seat has."""
    out = hand.setup.slots[: hand.cards_out]
    return Counter(slot.seat for slot in out if slot.seat is not None)


def dealt_before(vault: Vault, state: TableState, command: DealCard) -> bool:
    """Whether a card that a place waits for is one that was dealt already.

    Nothing is said of a card that no place waits for: it would tell what lies face down.
    """
    if command.card is None or not vault.has_seen(command.card):
        return False
    try:
        decision = decide(state, command if lies_face_up(state) else DealCard())
    except Refused as refusal:
        return refusal.code == "duplicate_card"
    return any(isinstance(event, CardDealt) for event in decision.events)


def keep_cards(
    vault: Vault, hand: HandState | None, event: Event, passed: SealedCard | None
) -> list[Event]:
    """Keeps the identities that come with an event; what the log must hold of them.

    `hand` is the one before the event, `passed` the card that the shoe has read for it.
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
    """A tabled hand with the cards the shoe has read; raises Refused if others were keyed."""
    hole = state.profile.game.hole_cards
    if not command.cards and not vault.keeps_identities:
        raise Refused(
            "card_count",
            f"The shoe only counts here: key the {hole} cards of seat {command.seat}.",
            state.profile,
            "showdown",
        )
    if not command.cards:
        return Show(command.seat, _read_cards(vault, state, command.seat))
    if vault.is_dealt(command.seat, command.cards, hole) is False:
        raise Refused(
            "cards_speak",
            f"Seat {command.seat}'s cards are not those the shoe dealt: show it without cards, "
            "or call the floor.",
            state.profile,
            "showdown",
        )
    return command


def _read_cards(vault: Vault, state: TableState, seat: int) -> tuple[Card, ...]:
    """Opened only where the seat may table its hand now."""
    hand = state.hand
    if hand is None or hand.phase not in (Phase.SHOWDOWN, Phase.PUSH):
        return ()
    if seat not in hand.seats or hand.seats[seat].folded or len(hand.contenders) == 1:
        return ()
    return vault.tabled(seat)


def _hole_cards(hand: HandState) -> int:
    """How many face-down cards a whole deal has."""
    return len(hand.setup.dealt) * hand.setup.profile.game.hole_cards
