"""Where a card lies face up: what a card that is keyed may be compared with, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from omaha_table.cards import Card
    from omaha_table.hand.state import HandState


def where_face_up(state: HandState, card: Card) -> str:
    """'the 7c is on the board'; empty: nowhere that everybody can see."""
    if card in state.board:
        return f"the {card} is on the board"
    if card in state.turned:
        return f"the shoe has turned the {card}"
    by = next((seat for seat, cards in state.tabled.items() if card in cards), None)
    return "" if by is None else f"seat {by} has tabled the {card}"
