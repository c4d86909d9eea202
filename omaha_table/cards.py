"""The 52 cards: parsing, printing, and the integer code that `evaluate` computes with.

There is one object per card, so cards compare and hash by identity. `code` packs a card into
three-bit fields, one per rank and one per suit, so the sum of several codes counts the ranks and
suits of a whole hand in one addition.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, final

from omaha_table.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pydantic_core import CoreSchema

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
KING: Final = 13
ACE: Final = 14
RANK_FIELDS: Final = (1 << 39) - 1
SUIT_SHIFTS: Final = (39, 42, 45, 48)


class CardError(ValueError):
    """Text that is not a card, or cards that cannot be in one deck."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@final
class Card:
    """One of the 52 cards of `DECK`. Get it from `parse_card`; never construct one."""

    __slots__ = ("code", "index", "rank", "suit", "text")

    index: int
    """0 to 51, by rank and then suit."""
    rank: int
    """2 to 14; the ace is 14."""
    suit: int
    """0 to 3 for clubs, diamonds, hearts, spades: the order of suits in a button draw."""
    code: int
    text: str

    def __init__(self, index: int) -> None:
        rank, suit = divmod(index, 4)
        fields = {
            "index": index,
            "rank": rank + 2,
            "suit": suit,
            "code": 1 << 3 * rank | 1 << SUIT_SHIFTS[suit],
            "text": RANKS[rank] + SUITS[suit],
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a card cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a card cannot be changed: {name}")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.text}>"

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> CoreSchema:
        """A card is stored as its text."""
        # Not at the top: reading hands must start in milliseconds, without importing pydantic.
        from pydantic_core import core_schema

        return core_schema.no_info_plain_validator_function(
            parse_card,
            serialization=core_schema.plain_serializer_function_ser_schema(
                str, return_schema=core_schema.str_schema(pattern="^[2-9TJQKA][cdhs]$")
            ),
        )

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return parse_card, (self.text,)


DECK: Final = tuple(Card(index) for index in range(52))

_BY_TEXT: Final[dict[str, Card]] = {
    spelling: card
    for card in DECK
    for spelling in (card.text, card.text.lower(), card.text.upper(), card.text.swapcase())
}
_SHOWN: Final = 24


def quote(text: str) -> str:
    """Text from outside, made safe and short enough to repeat in a message."""
    return f"'{visible(text[:_SHOWN])}{'…' if len(text) > _SHOWN else ''}'"


def parse_card(text: str) -> Card:
    """One card, such as 'As' or 'tD'."""
    card = _BY_TEXT.get(text)
    if card is None:
        raise CardError("unknown_card", _not_a_card(text))
    return card


def parse_cards(text: str) -> tuple[Card, ...]:
    """Any number of cards, spaced or run together: 'As Kd 7c', 'AsKd7c'."""
    words = text.split()
    try:
        return tuple([_BY_TEXT[word] for word in words])
    except KeyError:
        return tuple(
            parse_card(word[at : at + 2]) for word in words for at in range(0, len(word), 2)
        )


def require_distinct(cards: Sequence[Card]) -> None:
    """Raises CardError if a card appears twice."""
    if len(set(cards)) != len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise CardError("duplicate_card", f"{twice} appears twice; a deck has only one.")


def format_cards(cards: Iterable[Card]) -> str:
    return " ".join([card.text for card in cards])


def _not_a_card(text: str) -> str:
    if re.fullmatch(r"10[cdhs]?", text, re.IGNORECASE):
        return f"{quote(text)} is not a card: write the ten as T, such as Th."
    return (
        f"{quote(text)} is not a card: use a rank from {RANKS} and a suit from {SUITS}, "
        "such as As or Td."
    )
