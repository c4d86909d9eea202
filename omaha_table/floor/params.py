"""The parameters of rulings, each with its usage in a script and its question on the pad.

`read` parses a parameter from the words of a script line. It raises ValueError if they do not fit,
or MoneyError or CardError, which have a message.
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
MAX_DIGITS = 6


class Words:
    """The words after a ruling's name, taken one by one; the rest is the reason."""

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
        if not (word.isascii() and word.isdecimal() and len(word) <= MAX_DIGITS):
            raise ValueError(word)
        return int(word)

    @property
    def more_numbers(self) -> bool:
        """Whether the next two words could be another seat and amount."""
        return len(self._words) >= 2 and self._words[0].isdecimal()

    @property
    def reason(self) -> str:
        return " ".join(self._words).strip()


class Param(Protocol[T_co]):
    """A parameter whose value is of one type."""

    @property
    def usage(self) -> str:
        """How it appears in a script's usage line."""

    def read(self, words: Words) -> T_co: ...


@dataclass(frozen=True, slots=True)
class Number:
    usage: str
    question: str
    label: str
    """One or two words for the key cap and the band."""

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
    """One of a few words; the pad numbers them."""

    options: dict[str, T]
    question: str
    label: str
    shown: tuple[str, ...] = ()
    """What the pad shows if a word alone would be unclear."""

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
    """Pairs of a seat and an amount, until the pots are paid out."""

    usage: str = "N AMOUNT [N AMOUNT…]"
    seat: Seat = Seat("Pay which seat?")
    amount: Money = Money("How much does this seat get?")

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


Question: TypeAlias = Number | Seat | Money | Choice[Any] | FaceUpCard | DeckColor
"""What the pad can ask for, one question at a time."""
