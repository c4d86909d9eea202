"""The parameters of rulings, each with its usage in a script and its question on the pad.

`read` parses a parameter from the words of a script line. It raises ValueError if they do not fit,
or MoneyError or CardError, which have a message. What can be chosen on the pad is worked out from
the table and from the values before, by the same functions that the effects check with.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from omaha_table.cards import parse_card
from omaha_table.money import format_dollars, parse_dollars

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from omaha_table.cards import Card
    from omaha_table.hand import Refused
    from omaha_table.money import Cents
    from omaha_table.rules import Limit
    from omaha_table.table import TableState

Before: TypeAlias = tuple[Any, ...]
"""The values of the parameters before this one."""
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
MAX_DIGITS = 6


class Words:
    """The words after a ruling's name, taken one by one; the rest is the reason."""

    def __init__(self, words: tuple[str, ...], limits: frozenset[str] | None = None) -> None:
        """`limits` are the words that can be a limit; None: any."""
        self._words, self._limits = words, limits
        self.taken: tuple[str, ...] = ()

    def next(self) -> str:
        if not self._words:
            raise ValueError("a word is missing")
        word, *rest = self._words
        self._words, self.taken = tuple(rest), (*self.taken, word)
        return word

    def number(self) -> int:
        word = self.next()
        if not (word.isascii() and word.isdecimal() and len(word) <= MAX_DIGITS):
            raise ValueError(word)
        return int(word)

    def limit(self) -> str | None:
        """The next word if it is a limit; the reason may stand in its place."""
        words, limits = self._words, self._limits
        if not words or (limits is not None and words[0] not in limits):
            return None
        return self.next()

    @property
    def more_numbers(self) -> bool:
        """Whether the next two words could be another seat and amount."""
        return len(self._words) >= 2 and self._words[0].isdecimal()

    @property
    def reason(self) -> str:
        return " ".join(self._words).strip()


class Option(NamedTuple):
    """One thing to choose."""

    word: str
    shown: str
    problem: Refused | None = None
    """Why it cannot be chosen now."""
    entry: tuple[int, ...] = ()
    """The events that would be taken back, where that is the choice."""


class Range(NamedTuple):
    """What an amount can be."""

    text: str
    """What is there, in one sentence."""
    most: Cents | None
    usual: Cents | None = None
    """What a key fills in, where one amount is likely."""


class Param(Protocol[T_co]):
    """A parameter whose value is of one type."""

    @property
    def usage(self) -> str:
        """How it appears in a script's usage line."""

    def read(self, words: Words) -> T_co: ...


def _no_problem(_state: TableState, _value: Any, _before: Before) -> Refused | None:
    return None


def _any_amount(_state: TableState, _before: Before) -> Range | None:
    return None


@dataclass(frozen=True, slots=True)
class Number:
    """One of a few numbered things: a hand, an entry, a place on the board."""

    usage: str
    question: str
    label: str
    """One or two words for the key cap and the band."""
    listed: Callable[[TableState], Iterable[Option]]

    def read(self, words: Words) -> int:
        return words.number()

    def options(self, state: TableState, _: Before) -> tuple[Option, ...]:
        return tuple(self.listed(state))


@dataclass(frozen=True, slots=True)
class Seat:
    question: str
    problem: Callable[[TableState, int, Before], Refused | None]
    """Why a seat cannot be chosen."""
    usage: str = "N"
    label: str = "SEAT"

    def read(self, words: Words) -> int:
        return words.number()

    def options(self, state: TableState, before: Before) -> tuple[Option, ...]:
        """The seats with a player, the ones that cannot be chosen too."""
        made = []
        for seat, at in sorted(state.seats.items()):
            hand = state.hand
            in_hand = None if hand is None else hand.seats.get(seat)
            stack = at.stack if in_hand is None else in_hand.stack
            chips = "" if stack is None else f"  {format_dollars(stack)}"
            problem = self.problem(state, seat, before)
            made.append(Option(str(seat), f"{at.name}{chips}", problem))
        return tuple(made)


@dataclass(frozen=True, slots=True)
class Money:
    question: str = "How much?"
    range: Callable[[TableState, Before], Range | None] = _any_amount
    usage: str = "AMOUNT"
    label: str = "AMOUNT"

    def read(self, words: Words) -> Cents:
        return parse_dollars(words.next())


@dataclass(frozen=True, slots=True)
class Choice(Generic[T]):
    """One of a few words; the pad numbers them."""

    values: dict[str, T]
    question: str
    label: str
    shown: tuple[str, ...] = ()
    """What the pad shows if a word alone would be unclear."""
    problem: Callable[[TableState, T, Before], Refused | None] = _no_problem

    @property
    def usage(self) -> str:
        return "|".join(self.values)

    def told(self, word: str) -> str:
        return dict(zip(self.values, self.shown or self.values, strict=True)).get(word, word)

    def read(self, words: Words) -> T:
        word = words.next().lower()
        if word not in self.values:
            raise ValueError(word)
        return self.values[word]

    def options(self, state: TableState, before: Before) -> tuple[Option, ...]:
        return tuple(
            Option(word, shown, self.problem(state, value, before))
            for (word, value), shown in zip(
                self.values.items(), self.shown or self.values, strict=True
            )
        )


@dataclass(frozen=True, slots=True)
class FaceUpCard:
    question: str = "Which card is it?"
    usage: str = "CARD"
    label: str = "CARD"

    def read(self, words: Words) -> Card:
        return parse_card(words.next())


@dataclass(frozen=True, slots=True)
class DeckColor:
    """One of the decks that are out of play."""

    question: str = "Which deck?"
    usage: str = "COLOR"
    label: str = "DECK"

    def read(self, words: Words) -> str:
        return words.next().lower()

    def options(self, state: TableState, _: Before) -> tuple[Option, ...]:
        return tuple(Option(color, f"{color} deck") for color in sorted(state.decks_out))


@dataclass(frozen=True, slots=True)
class RulesId:
    """One of the profiles that the table offers."""

    question: str = "Which rules?"
    usage: str = "ID"
    label: str = "RULES"

    def read(self, words: Words) -> str:
        return words.next()

    def options(self, state: TableState, _: Before) -> tuple[Option, ...]:
        return tuple(Option(one.id, one.profile.title) for one in state.offered)


@dataclass(frozen=True, slots=True)
class LimitId:
    """One of the limits of the table's rules."""

    problem: Callable[[TableState, str], Refused | None]
    question: str = "Which limit?"
    usage: str = "LIMIT"
    label: str = "LIMIT"

    def read(self, words: Words) -> str:
        return words.next()

    def options(self, state: TableState, _: Before) -> tuple[Option, ...]:
        limits = state.profile.limits
        return tuple(Option(one.id, _stakes(one), self.problem(state, one.id)) for one in limits)


@dataclass(frozen=True, slots=True)
class LimitOfRules:
    """One of the limits of the rules that were named before it; none: the first of them."""

    question: str = "Which limit?"
    usage: str = "[LIMIT]"
    label: str = "LIMIT"

    def read(self, words: Words) -> str | None:
        return words.limit()

    def options(self, state: TableState, before: Before) -> tuple[Option, ...]:
        named = next((one for one in state.offered if one.id == before[-1]), state.profile)
        return tuple(Option(limit.id, _stakes(limit)) for limit in named.limits)


def _stakes(limit: Limit) -> str:
    """'5-5  pot limit': two numbers alone do not say which game it is."""
    return f"{limit.id:<6} {limit.structure.replace('_', ' ')}"


@dataclass(frozen=True, slots=True)
class Payments:
    """Pairs of a seat and an amount, until the pots are paid out."""

    seat: Seat
    amount: Money
    usage: str = "N AMOUNT [N AMOUNT…]"

    def read(self, words: Words) -> dict[int, Cents]:
        paid = {words.number(): self.amount.read(words)}
        while words.more_numbers:
            seat = words.number()
            if seat in paid:
                raise ValueError(seat)
            paid[seat] = self.amount.read(words)
        return paid

    def total(self, words: tuple[str, ...]) -> Cents:
        """The sum of the amounts so far."""
        return sum(parse_dollars(word) for word in words[1::2])


Listed: TypeAlias = Number | Choice[Any] | DeckColor | RulesId | LimitId | LimitOfRules
"""What the pad shows as numbered lines."""
Question: TypeAlias = Listed | Seat | Money | FaceUpCard
"""What the pad can ask for, one question at a time."""
