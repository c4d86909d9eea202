"""What a ruling must be told: each parameter with its word in a script and its question on the pad.

`read` takes the parameter's words from a script line. It raises ValueError where they do not fit,
MoneyError or CardError where there is more to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

from omaha_table.cards import parse_card
from omaha_table.money import parse_dollars

if TYPE_CHECKING:
    from omaha_table.cards import Card
    from omaha_table.money import Cents

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
MOST_DIGITS = 6


class Words:
    """The words of a ruling after its name, taken one by one; what is left is the reason."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self._words = words
        self.taken: tuple[str, ...] = ()

    def next(self) -> str:
        if not self._words:
            raise ValueError("a word is missing")
        word, *rest = self._words
        self._words, self.taken = tuple(rest), (*self.taken, word)
        return word

    def number(self) -> int:
        word = self.next()
        if not (word.isascii() and word.isdecimal() and len(word) <= MOST_DIGITS):
            raise ValueError(word)
        return int(word)

    @property
    def more_numbers(self) -> bool:
        """Whether the next two words could be another pair of seat and amount."""
        return len(self._words) >= 2 and self._words[0].isdecimal()

    @property
    def reason(self) -> str:
        return " ".join(self._words).strip()


class Param(Protocol[T_co]):
    """A parameter whose value is of one type."""

    @property
    def usage(self) -> str:
        """How it is written in a script's usage line."""

    def read(self, words: Words) -> T_co: ...


@dataclass(frozen=True, slots=True)
class Number:
    usage: str
    question: str
    label: str
    """On the key cap and the band, in a word or two."""

    def read(self, words: Words) -> int:
        return words.number()


@dataclass(frozen=True, slots=True)
class Seat:
    question: str = "Which seat?"
    usage: str = "N"
    label: str = "SEAT"

    def read(self, words: Words) -> int:
        return words.number()


@dataclass(frozen=True, slots=True)
class Money:
    question: str = "How much?"
    usage: str = "AMOUNT"
    label: str = "AMOUNT"

    def read(self, words: Words) -> Cents:
        return parse_dollars(words.next())


@dataclass(frozen=True, slots=True)
class Choice(Generic[T]):
    """One of a few, by word; the pad numbers them."""

    options: dict[str, T]
    question: str
    label: str
    shown: tuple[str, ...] = ()
    """On the pad, where a word alone would not be understood."""

    @property
    def usage(self) -> str:
        return "|".join(self.options)

    def read(self, words: Words) -> T:
        word = words.next().lower()
        if word not in self.options:
            raise ValueError(word)
        return self.options[word]


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


@dataclass(frozen=True, slots=True)
class Payments:
    """Pairs of a seat and an amount, until all of it is paid."""

    usage: str = "N AMOUNT [N AMOUNT…]"
    seat: Seat = Seat("Pay which seat?")
    amount: Money = Money("How much of the pots does it get?")

    def read(self, words: Words) -> dict[int, Cents]:
        paid = {words.number(): self.amount.read(words)}
        while words.more_numbers:
            seat = words.number()
            if seat in paid:
                raise ValueError(seat)
            paid[seat] = self.amount.read(words)
        return paid

    def total(self, words: tuple[str, ...]) -> Cents:
        """What words chosen so far come to."""
        return sum(parse_dollars(word) for word in words[1::2])


Question: TypeAlias = Number | Seat | Money | Choice[Any] | FaceUpCard | DeckColor
"""What the pad can ask for, one at a time."""
