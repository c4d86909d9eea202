"""The spec of a ruling. Menu, parser, prompts, help, docs and random tests derive from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, overload

from omaha_table.floor.params import Payments
from omaha_table.hand import Refused
from omaha_table.hand.refusal import sentence
from omaha_table.hand.showdown import state_drop

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from omaha_table.floor.params import Param, Question, Words
    from omaha_table.hand import HandState
    from omaha_table.money import Cents
    from omaha_table.table import SeatAtTable, TableState
    from omaha_table.table.events import TableEvent

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")


@dataclass(frozen=True, slots=True)
class Effect:
    """What a ruling does: one sentence, the events, and how many supervisors it needs."""

    text: str
    events: Sequence[TableEvent]
    persons: int = 1


@dataclass(frozen=True, slots=True)
class Ruling:
    name: str
    title: str
    """Its line in the menu."""
    allowed: Callable[[TableState], bool]
    """Whether it is possible now with some arguments, at a table that is not closed."""
    effect: Callable[..., Effect]
    """Takes the table and the parameters' values; raises Refused."""
    params: tuple[Param[Any], ...] = ()

    @property
    def usage(self) -> str:
        return " ".join([self.name, *(param.usage for param in self.params)])

    def read(self, words: Words) -> tuple[Any, ...]:
        return tuple(param.read(words) for param in self.params)

    def question(self, state: TableState, words: tuple[str, ...]) -> Question | None:
        """The next question when these words are known; None: all is known."""
        at = len(words)
        if at < len(self.params) and not isinstance(self.params[at], Payments):
            return self.params[at]  # type: ignore[return-value] # all others are questions
        for param in self.params:
            if isinstance(param, Payments) and state.hand is not None:
                if at % 2:
                    return param.amount
                paid = param.total(words)
                return param.seat if paid < pots_total(state.hand) else None
        return None


@overload
def ruling(
    name: str,
    title: str,
    allowed: Callable[[TableState], bool],
    effect: Callable[[TableState], Effect],
) -> Ruling: ...
@overload
def ruling(
    name: str,
    title: str,
    allowed: Callable[[TableState], bool],
    effect: Callable[[TableState, A], Effect],
    a: Param[A],
    /,
) -> Ruling: ...
@overload
def ruling(
    name: str,
    title: str,
    allowed: Callable[[TableState], bool],
    effect: Callable[[TableState, A, B], Effect],
    a: Param[A],
    b: Param[B],
    /,
) -> Ruling: ...
@overload
def ruling(
    name: str,
    title: str,
    allowed: Callable[[TableState], bool],
    effect: Callable[[TableState, A, B, C], Effect],
    a: Param[A],
    b: Param[B],
    c: Param[C],
    /,
) -> Ruling: ...
@overload
def ruling(
    name: str,
    title: str,
    allowed: Callable[[TableState], bool],
    effect: Callable[[TableState, A, B, C, D], Effect],
    a: Param[A],
    b: Param[B],
    c: Param[C],
    d: Param[D],
    /,
) -> Ruling: ...
def ruling(
    name: str,
    title: str,
    allowed: Callable[[TableState], bool],
    effect: Callable[..., Effect],
    *params: Param[Any],
) -> Ruling:
    """Makes a spec; the overloads let mypy check the parameters against the effect."""
    return Ruling(name, title, allowed, effect, params)


# What rulings need from the table


def hand_of(state: TableState) -> HandState:
    """The hand in play; raises Refused without one."""
    if state.hand is None:
        raise refused(state, "wrong_phase", "no hand is in play")
    return state.hand


def pots_total(hand: HandState) -> Cents:
    """What there is to award, after fee and jackpot."""
    return sum(pot.amount for pot in state_drop(hand).pots)


def no_hand(state: TableState) -> None:
    if state.hand is not None:
        raise refused(state, "wrong_phase", f"hand {state.hands} is in play: wait until it ends")


def refused(state: TableState, code: str, message: str, rule: str = "") -> Refused:
    return Refused(code, sentence(message), state.profile, rule)


def check(problem: Refused | None) -> None:
    """Raises the problem, if there is one."""
    if problem is not None:
        raise problem


def tracked(state: TableState, seat: int) -> Cents | None:
    """A seat's chips behind now, in a hand or not; None: not tracked."""
    if state.hand is not None and seat in state.hand.seats:
        return state.hand.seats[seat].stack
    return seated(state, seat).stack


def seated(state: TableState, seat: int) -> SeatAtTable:
    at = state.seats.get(seat)
    if at is None:
        raise refused(state, "no_such_seat", f"nobody is in seat {seat}")
    return at


def in_the_hand(state: TableState, hand: HandState, seat: int) -> None:
    # Not `hand.seats`: a killer who is away has chips in the hand, and no cards.
    if seat not in hand.setup.dealt:
        raise refused(state, "no_such_seat", f"seat {seat} is not in the hand")
