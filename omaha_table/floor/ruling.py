"""What a ruling is: its words, who may give it, and what it decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from omaha_table.hand import Refused
from omaha_table.hand.refusal import sentence
from omaha_table.money import parse_dollars

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.hand import HandState
    from omaha_table.money import Cents
    from omaha_table.table import SeatAtTable, TableState
    from omaha_table.table.events import TableEvent


@dataclass(frozen=True, slots=True)
class Decision:
    """What a ruling would do: one sentence, its events, and how many must stand behind it."""

    effect: str
    events: list[TableEvent]
    persons: int = 1


class Words:
    """The words of a ruling after its name, taken one by one; what is left is the reason."""

    def __init__(self, words: list[str]) -> None:
        self._words = words
        self.taken: list[str] = []

    def next(self) -> str:
        if not self._words:
            raise ValueError("a word is missing")
        self.taken.append(self._words[0])
        self._words = self._words[1:]
        return self.taken[-1]

    def number(self) -> int:
        word = self.next()
        if not (word.isascii() and word.isdecimal() and len(word) <= 6):
            raise ValueError(word)
        return int(word)

    def amount(self) -> Cents:
        return parse_dollars(self.next())

    def choice(self, *allowed: str) -> str:
        word = self.next().lower()
        if word not in allowed:
            raise ValueError(word)
        return word

    @property
    def more_numbers(self) -> bool:
        """Whether the next two words could be another pair of seat and amount."""
        return len(self._words) >= 2 and self._words[0].isdecimal()

    @property
    def reason(self) -> str:
        return " ".join(self._words).strip()


@dataclass(frozen=True, slots=True)
class Ruling:
    name: str
    usage: str
    meaning: str
    read: Callable[[Words], tuple[Any, ...]]
    decide: Callable[..., Decision]


def hand_of(state: TableState) -> HandState:
    """The hand that is being played, which the ruling needs."""
    if state.hand is None:
        raise refused(state, "wrong_phase", "no hand is being played")
    return state.hand


def no_hand(state: TableState) -> None:
    if state.hand is not None:
        raise refused(state, "wrong_phase", f"hand {state.hands} is being played: wait for its end")


def refused(state: TableState, code: str, message: str, rule: str = "") -> Refused:
    return Refused(code, sentence(message), state.profile, rule)


def tracked(state: TableState, seat: int) -> Cents | None:
    """What a seat has behind now, in a hand or not; None: not tracked."""
    if state.hand is not None and seat in state.hand.seats:
        return state.hand.seats[seat].stack
    return seated(state, seat).stack


def seated(state: TableState, seat: int) -> SeatAtTable:
    at = state.seats.get(seat)
    if at is None:
        raise refused(state, "no_such_seat", f"nobody is in seat {seat}")
    return at


def in_the_hand(state: TableState, hand: HandState, seat: int) -> None:
    if seat not in hand.seats:
        raise refused(state, "no_such_seat", f"seat {seat} has no hand")
