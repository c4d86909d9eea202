"""A fee that each player pays, where the profile has it so: how much it is, and who owes it.

Nothing comes out of the pot then. Each seat that is dealt in pays its own before the deal; one that
has not paid is shown, and may still do so until the pots are pushed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.hand.events import FeePaid
from omaha_table.hand.state import HandState, refused
from omaha_table.money import format_dollars

if TYPE_CHECKING:
    from omaha_table.hand.commands import PayFee
    from omaha_table.hand.events import HandEnded
    from omaha_table.money import Cents


def fee_per_player(state: HandState) -> Cents:
    """What each seat of this hand pays; 0 where the fee comes out of the pot."""
    setup = state.setup
    if setup.profile.fee.by != "player":
        return 0
    # By the hands dealt, as a fee out of the pot: it is fixed before the hand begins.
    bracket = setup.limit.bracket(len(setup.dealt))
    return 0 if bracket is None else bracket.fee


def unpaid(state: HandState) -> list[int]:
    """The seats that have not paid their fee, in the order of the deal."""
    if state.fee_waived or not fee_per_player(state):
        return []
    return [seat for seat in state.setup.dealt if seat not in state.paid]


def not_taken(state: HandState) -> Cents:
    """What was due from the players and did not come in."""
    return fee_per_player(state) * len(state.setup.dealt) - sum(state.paid.values())


def waived_of(state: HandState, ended: HandEnded) -> Cents:
    """What of a finished hand's drop was due and not taken: by the floor, of a pot too small for
    it, or from players who have not paid."""
    if ended.outcome in ("misdeal", "void"):
        return 0
    out_of_pot = state.setup.profile.fee.by != "player"
    if not (out_of_pot and state.fee_waived):
        return ended.waived
    due = state.setup.limit.bracket(len(state.setup.dealt)) if state.fee_due else None
    return 0 if due is None else due.fee + due.jackpot


def pay(state: HandState, command: PayFee) -> list[FeePaid]:
    """The payments of some seats, or of all that have not paid; raises Refused."""
    if state.setup.profile.fee.by != "player":
        raise refused(state, "fee", "the fee comes out of the pot: players do not pay it")
    if state.fee_waived:
        raise refused(state, "fee", "the fee of this hand is waived")
    waiting = unpaid(state)
    seats = command.seats or tuple(waiting)
    if not seats:
        raise refused(state, "fee", "every seat has paid its fee")
    amount = fee_per_player(state)
    for number, seat in enumerate(seats):
        if seat not in state.setup.dealt:
            raise refused(state, "no_such_seat", f"seat {seat} has no hand and pays no fee")
        if seat not in waiting or seat in seats[:number]:
            raise refused(state, "fee", f"seat {seat} has already paid its fee")
        hand = state.seats[seat]
        # A seat that is still in needs a chip to play with: without one it would be all in.
        keeps = 0 if hand.folded else 1
        if hand.stack is not None and hand.stack < amount + keeps:
            too_much = "is more" if hand.stack < amount else "would leave nothing to play with"
            raise refused(
                state,
                "chips",
                f"seat {seat} has {format_dollars(hand.stack)} behind: its fee of "
                f"{format_dollars(amount)} {too_much}",
                rule="fee.by",
            )
    return [FeePaid(seat, amount, state.entry + 1) for seat in seats]
