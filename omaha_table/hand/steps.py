"""What the table must do now: who, what, and the choices with their amounts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from omaha_table.hand.betting import options
from omaha_table.hand.events import DEALER_SETTLES
from omaha_table.hand.fees import unpaid
from omaha_table.hand.phases import Phase
from omaha_table.hand.showdown import low_possible, showdown_order, unread

if TYPE_CHECKING:
    from omaha_table.hand.state import HandState
    from omaha_table.money import Cents


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that may be done, by the word of its command."""

    word: str
    least: Cents | None = None
    """For a bet, raise or all-in the least total in front of the seat; for a call what it adds."""
    most: Cents | None = None
    """The greatest total; None with a `least`: as much as the seat has."""


@dataclass(frozen=True, slots=True)
class Step:
    who: Literal["dealer", "seat", "floor"]
    what: str
    seat: int | None = None
    choices: tuple[Choice, ...] = ()


def step(state: HandState) -> Step | None:
    """The step that is due; None when the hand has ended."""
    if state.trouble is not None and state.phase is not Phase.ENDED:
        if state.trouble in DEALER_SETTLES:
            return Step("dealer", "check_cards", None, (Choice("checked"), Choice("card")))
        return Step("floor", "rule_on_card", None, (Choice("floor"),))
    return _step(state)


def _step(state: HandState) -> Step | None:
    match state.phase:
        case Phase.DEAL:
            slot = state.setup.slots[state.cards_out]
            paying = (Choice("paid"),) if unpaid(state) else ()
            return Step("dealer", "deal", slot.seat, (Choice("deal"), Choice("card"), *paying))
        case Phase.BETTING:
            return _act(state)
        case Phase.BOARD:
            word = state.street.following.word
            no_burn = state.burned or state.street.following in state.no_burn
            burn = () if no_burn else (Choice("burn"),)
            return Step("dealer", word, None, (*burn, Choice(word), Choice("card")))
        case Phase.SHOWDOWN:
            return _show(state)
        case Phase.PUSH:
            return Step("dealer", "push", None, (Choice("push"),))
        case Phase.ENDED:
            return None


def _act(state: HandState) -> Step:
    may = options(state)
    choices = [Choice("fold")]
    if may.to_call:
        choices.append(Choice("call", may.to_call, may.to_call))
    else:
        choices.append(Choice("check"))
    if may.least is not None:
        choices.append(Choice("raise" if state.price else "bet", may.least, may.most))
    # Not offered where the stack is more than may be bet.
    if may.all_in is None or may.all_in <= state.price or may.all_in == may.most:
        choices.append(Choice("allin", may.all_in, may.all_in))
    return Step("seat", "act", may.seat, tuple(choices))


def _show(state: HandState) -> Step:
    waiting = unread(state)
    if not waiting:
        return Step("dealer", "read", None, (Choice("high"), Choice("low")))
    choices = [Choice("show")]
    if state.setup.profile.showdown.must_table == "winners":
        choices.append(Choice("muck"))
    choices.append(Choice("high"))
    if low_possible(state):
        choices.append(Choice("low"))
    first = next(seat for seat in showdown_order(state) if seat in waiting)
    return Step("seat", "show", first, tuple(choices))
