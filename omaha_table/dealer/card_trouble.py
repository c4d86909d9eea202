"""What the dealer is told when something is wrong with a card, and which way on each key takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from omaha_table.hand import HandState
    from omaha_table.hand.events import Trouble

_TEXT: Final[dict[Trouble, str]] = {
    "premature_card": "A card left the shoe while betting is open. Leave it; the floor rules.",
    "card_too_many": "A card left the shoe and none was due. Leave it; the floor rules.",
    "duplicate_card": "The shoe read a card that is already out. Leave it; the floor rules.",
    "foreign_card": "The shoe read a card of another deck. The floor rules.",
    "returned_card": "A card of an earlier deal was put back into the shoe. The floor rules.",
    "unreadable_card": "The shoe could not read a card. If it is good and dealt, press +.",
    "stuck_card": "A card is stuck in the shoe. Free it, check the count, go on.",
    "lid_opened": "The shoe's lid was opened. Close it, check the count, go on.",
    "events_lost": "The shoe missed cards. Count those dealt; press + for each one missed.",
    "read_twice": "The shoe read the last card again. If one card left it, go on.",
    "put_back": "The last card was put back. Draw it again{to}, then go on.",
    "missed_card": "The shoe missed {cards}. If dealt, press + for each.",
    "unread_board": "The shoe did not read a card of the board. Key the cards of this street.",
    "out_of_game": "A card left the shoe outside its game mode. If it was dealt, press +.",
    "early_card": "{Cards} left the shoe before the hand was started. Dealt, or put back?",
    "stub_reloaded": "A deck was loaded in mid-hand. If it is this hand's stub, go on.",
    "new_deck": "Another deck was loaded in mid-hand. Deal none of it; the floor rules.",
    "card_at_seat": "A card lies at seat {seat} and none is due there. Leave it; the floor rules.",
    "card_at_board": "A card lies on the board and none is due. Leave it; the floor rules.",
    "card_at_muck": "A card that was not dealt lies in the muck. If it is a burn or fold, go on.",
}
"""At most 78 characters, what the band of the smallest screen holds."""
_GO_ON: Final[dict[Trouble, str]] = {
    "read_twice": "ONE CARD, GO ON",
    "put_back": "DRAWN AGAIN, GO ON",
    "early_card": "DEALT, GO ON",
    "stub_reloaded": "SAME STUB, GO ON",
    "unread_board": "KEY THE CARDS",
    "card_at_muck": "BURN OR FOLD",
}


def trouble_text(hand: HandState) -> str:
    """What went wrong and what to do, in one line."""
    kind = hand.trouble or "events_lost"
    count = max(hand.missing, 1)
    cards = "1 card" if count == 1 else f"{count} cards"
    to = "" if hand.trouble_seat is None else f" for seat {hand.trouble_seat}"
    return _TEXT[kind].format(cards=cards, Cards=cards, to=to, seat=hand.trouble_seat)


def go_on_label(hand: HandState) -> str:
    """What it means to go on with the hand as it stands."""
    if hand.trouble in _GO_ON:
        return _GO_ON[hand.trouble]
    return "NOT DEALT, GO ON" if hand.missing else "CHECKED, GO ON"
