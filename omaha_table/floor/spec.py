"""The spec of a ruling. Menu, parser, prompts, help, docs and random tests derive from it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, overload

from omaha_table.floor.params import Choice, Payments, Words
from omaha_table.floor.reasons import REASONS
from omaha_table.hand import Refused
from omaha_table.hand.refusal import sentence
from omaha_table.hand.showdown import state_drop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from omaha_table.floor.params import Before, Param, Question
    from omaha_table.hand import HandState
    from omaha_table.money import Cents
    from omaha_table.table import SeatAtTable, TableState
    from omaha_table.table.events import TableEvent

Problem: TypeAlias = "Callable[[TableState], Refused | None]"
"""Why something is not possible now; None: it is."""
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
    number: int
    """Two digits on the pad, the first one of its group. A number is never given to another ruling:
    supervisors know it by heart."""
    title: str
    """Its cardroom name."""
    does: str
    """What it does, after its name and a colon."""
    problem: Callable[[TableState], Refused | None]
    """Why it is not possible now, whatever is chosen, at a table that is not closed."""
    effect: Callable[..., Effect]
    """Takes the table and the parameters' values; raises Refused."""
    params: tuple[Param[Any], ...] = ()
    reasons: tuple[str, ...] = ()
    """Why it is likely to be given; the pad numbers them."""
    sure: str = ""
    """Asked once more before it is given, in at most 17 letters; empty: it is not."""
    two_persons: str = ""
    """When it takes two supervisors, to be read after its name; empty: never."""

    def allowed(self, state: TableState) -> bool:
        """Whether it is possible now with some arguments."""
        return self.problem(state) is None

    @property
    def usage(self) -> str:
        return " ".join([self.name, *(param.usage for param in self.params)])

    @property
    def meaning(self) -> str:
        return f"{self.title}: {self.does}."

    def values(self, words: tuple[str, ...]) -> Before:
        """What the first words stand for; raises ValueError, CardError or MoneyError."""
        payments = next((one for one in self.params if isinstance(one, Payments)), None)
        if payments is not None:
            pair = (payments.seat, payments.amount)
            return tuple(pair[at % 2].read(Words((word,))) for at, word in enumerate(words))
        params = zip(self.params, words, strict=False)
        return tuple(param.read(Words((word,))) for param, word in params)

    def choice(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Of its words those that were chosen among a few, by which two rulings are alike."""
        asked = zip(self._asked(), words, strict=False)
        return tuple(word.lower() for one, word in asked if isinstance(one, Choice))

    def told(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Its words, each with what it is: 'Seat 1', 'add to the pot', 'Amount 10'."""
        return tuple(
            one.told(word) if isinstance(one, Choice) else f"{one.label.capitalize()} {word}"
            for one, word in zip(self._asked(), words, strict=False)
        )

    def _asked(self) -> Iterator[Question]:
        """What its words answer, one after the other; the pairs of payments without an end."""
        for param in self.params:
            if isinstance(param, Payments):
                yield from cycle((param.seat, param.amount))
            else:
                yield param  # type: ignore[misc] # all others are questions

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
    number: int,
    title: str,
    does: str,
    problem: Problem,
    effect: Callable[[TableState], Effect],
    *,
    sure: str = ...,
    two_persons: str = ...,
) -> Ruling: ...
@overload
def ruling(
    name: str,
    number: int,
    title: str,
    does: str,
    problem: Problem,
    effect: Callable[[TableState, A], Effect],
    a: Param[A],
    /,
    *,
    sure: str = ...,
    two_persons: str = ...,
) -> Ruling: ...
@overload
def ruling(
    name: str,
    number: int,
    title: str,
    does: str,
    problem: Problem,
    effect: Callable[[TableState, A, B], Effect],
    a: Param[A],
    b: Param[B],
    /,
    *,
    sure: str = ...,
    two_persons: str = ...,
) -> Ruling: ...
@overload
def ruling(
    name: str,
    number: int,
    title: str,
    does: str,
    problem: Problem,
    effect: Callable[[TableState, A, B, C], Effect],
    a: Param[A],
    b: Param[B],
    c: Param[C],
    /,
    *,
    sure: str = ...,
    two_persons: str = ...,
) -> Ruling: ...
@overload
def ruling(
    name: str,
    number: int,
    title: str,
    does: str,
    problem: Problem,
    effect: Callable[[TableState, A, B, C, D], Effect],
    a: Param[A],
    b: Param[B],
    c: Param[C],
    d: Param[D],
    /,
    *,
    sure: str = ...,
    two_persons: str = ...,
) -> Ruling: ...
def ruling(
    name: str,
    number: int,
    title: str,
    does: str,
    problem: Problem,
    effect: Callable[..., Effect],
    *params: Param[Any],
    sure: str = "",
    two_persons: str = "",
) -> Ruling:
    """Makes a spec; the overloads let mypy check the parameters against the effect."""
    return Ruling(
        name, number, title, does, problem, effect, params, REASONS[name], sure, two_persons
    )


# What rulings need from the table


def hand_of(state: TableState) -> HandState:
    """The hand in play; raises Refused without one."""
    if state.hand is None:
        raise no_hand_in_play(state)
    return state.hand


def no_hand_in_play(state: TableState) -> Refused:
    return refused(state, "wrong_phase", "no hand is in play")


def pots_total(hand: HandState) -> Cents:
    """What there is to award, after fee and jackpot."""
    return sum(pot.amount for pot in state_drop(hand).pots)


def why_closed(state: TableState) -> Refused:
    return refused(state, "wrong_phase", "the table is closed", "closing")


def no_hand(state: TableState) -> None:
    if state.hand is not None:
        raise hand_in_play(state)


def hand_in_play(state: TableState) -> Refused:
    return refused(state, "wrong_phase", f"hand {state.hands} is in play: wait until it ends")


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
    check(nobody_there(state, seat))
    return state.seats[seat]


def nobody_there(state: TableState, seat: int) -> Refused | None:
    """The problem with an empty seat."""
    if seat in state.seats:
        return None
    return refused(state, "no_such_seat", f"nobody is in seat {seat}")


def in_the_hand(state: TableState, hand: HandState, seat: int) -> None:
    check(_problem_with_seat(state, hand, seat))


def why_not_in_hand(state: TableState, seat: int) -> Refused | None:
    return _problem_with_seat(state, hand_of(state), seat)


def _problem_with_seat(state: TableState, hand: HandState, seat: int) -> Refused | None:
    # Not `hand.seats`: a killer who is away has chips in the hand, and no cards.
    if seat in hand.setup.dealt:
        return None
    return refused(state, "no_such_seat", f"seat {seat} is not in the hand")
