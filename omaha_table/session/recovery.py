"""Describes where a restart found the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.hand.phases import Phase

if TYPE_CHECKING:
    from omaha_table.hand import HandState
    from omaha_table.table import TableState


def recovery_text(state: TableState) -> str:
    """'hand 118, flop, action on seat 4': the dealer compares it with the felt."""
    hand = state.hand
    if hand is None:
        return f"between hands, {state.hands} played"
    return f"hand {state.hands}, {hand.street.word}, {_doing(hand)}"


def _doing(hand: HandState) -> str:
    match hand.phase:
        case Phase.BETTING:
            return f"action on seat {hand.actor}"
        case Phase.DEAL:
            return f"{hand.cards_dealt} hole cards out"
        case Phase.BOARD:
            return f"betting over, {hand.street.following.word} due"
        case _:
            return str(hand.phase)
