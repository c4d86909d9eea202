"""What the table may know about face-down cards, and what the log must hold about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.hand import Refused
from omaha_table.hand.commands import DealCard, ReportTrouble, Show
from omaha_table.hand.events import BackedUp, CardDealt, RemedyOrdered, Tabled
from omaha_table.hand.face_up import where_face_up
from omaha_table.hand.phases import Phase
from omaha_table.journal.sealed import SealedCard, reveal
from omaha_table.table import decide

if TYPE_CHECKING:
    from omaha_table.hand import HandState
    from omaha_table.hand.events import Place
    from omaha_table.journal.events import Event
    from omaha_table.session.vault import Vault
    from omaha_table.table import TableState


def next_card_is_face_up(state: TableState) -> bool:
    """Whether the next card is dealt face up."""
    hand = state.hand
    if hand is None or hand.next_slot is None:
        return False
    return _is_face_up(hand, hand.next_slot)


def _is_face_up(hand: HandState, slot: int) -> bool:
    return hand.setup.slots[slot].kind not in ("hole", "burn")


def from_shoe(
    vault: Vault, state: TableState, card: SealedCard, place: Place | None = None
) -> DealCard | ReportTrouble:
    """What a card that the shoe has read is to the table: its identity only if it lies face up."""
    hand = state.hand
    # A premature card is put back: it is not face up although the slot that comes next may be.
    slot = None if hand is None else hand.open_slot(place)
    face_up = hand is not None and slot is not None and _is_face_up(hand, slot)
    command = DealCard(reveal(card) if face_up else None, place)
    if vault.has_seen(card) and _takes_a_slot(state, command):
        return ReportTrouble("duplicate_card")
    return command


def _takes_a_slot(state: TableState, command: DealCard) -> bool:
    """Whether a card is dealt to an open slot.

    A card without an open slot is compared with nothing: the answer would give away a face-down
    card.
    """
    try:
        decision = decide(state, command)
    except Refused as refusal:
        return refusal.code == "duplicate_card"
    return any(isinstance(event, CardDealt) for event in decision.events)


def keep_cards(vault: Vault, hand: int, event: Event, passed: SealedCard | None) -> list[Event]:
    """Keeps the card identities that come with an event; returns what the log must hold.

    `hand` is the number of the hand, `passed` the card that the shoe read for the event.
    """
    made: Event | None = None
    match event:
        case CardDealt():
            made = vault.deal(hand, event, passed)
        case BackedUp():
            vault.take_back(event.to)
        case RemedyOrdered(seat=int() as seat):
            vault.replace(seat, event.entry)
        case Tabled():
            made = vault.open_cards(event.seat, event.cards)
    return [] if made is None else [made]


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
        if not vault.knows(command.seat, hole):
            raise Refused(
                "card_count",
                f"Not all cards of seat {command.seat} are known: key its {hole} cards.",
                state.profile,
                "showdown",
            )
        return Show(command.seat, vault.tabled(command.seat))
    hand = state.hand
    if hand is not None and any(where_face_up(hand, card) for card in command.cards):
        # It lies elsewhere for all to see, and the answer is to say where.
        return command
    if vault.lacks(command.seat, command.cards):
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
