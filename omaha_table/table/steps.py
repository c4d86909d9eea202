"""What the table must do now, in a hand or between hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.hand import Choice, Step
from omaha_table.hand import step as step_in_hand
from omaha_table.table.positions import find_positions

if TYPE_CHECKING:
    from omaha_table.table.state import TableState


def step(state: TableState) -> Step:
    """The step that is due; it follows from the state alone."""
    if state.hand is not None:
        due = step_in_hand(state.hand)
        if due is not None:
            return due
    if state.closed:
        return Step("floor", "closed")
    if len(state.present) < 2:
        return Step("dealer", "seat", None, (Choice("seat"), Choice("back"), Choice("buy")))
    if state.button is None:
        if state.profile.button.initial == "placed":
            return Step("dealer", "button", None, (Choice("button"),))
        return Step("dealer", "draw", state.next_to_draw, (Choice("draw"),))
    reported = state.deck in ("ok", "manual")
    if state.deck in ("bad", "unverified") or (state.deck_required and not reported):
        return Step("dealer", "deck", None, (Choice("deck"),))
    if state.deck_required and not state.deck_cut:
        return Step("dealer", "cut", None, (Choice("cut"),))
    if state.profile.seats.no_hand_seat == "floor" and state.no_hand_seat is None:
        at = find_positions(state)
        if at is not None and len(at.order) > state.profile.seats.hands:
            return Step("floor", "nohand")
    return Step("dealer", "hand", None, (Choice("hand"), Choice("deal")))
