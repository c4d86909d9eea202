"""The filter line: `pot>=500 dealer:D114 flag:override,misdeal "string bet" 2026-11-14..`

Each word becomes a condition on a hand of the index, and where an index finds its hands, a list of
them. A word that cannot be read is named with its place.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Final

from omaha_table.floor import BY_NAME
from omaha_table.money import MoneyError, parse_dollars

if TYPE_CHECKING:
    from collections.abc import Iterable

FLAGS: Final = (
    "override", "misdeal", "void", "undo", "irregular", "device", "clock", "recovered", "slow",
    "waived", "dealer_read", "kill", "rules", "refusal", "pin", "not_dealt", "called",
)  # fmt: skip
ANY: Final = "any"
"""`flag:any` is every flag that makes a hand worth a look; a kill pot alone does not."""
_NUMBERS: Final = {
    # The column, whether it is money, and whether an index finds the hands of some values.
    "pot": ("pot", True, "by_pot"),
    "fee": ("fee", True, ""),
    "hand": ("number", False, "by_number"),
    "seats": ("dealt", False, ""),
    "seconds": ("seconds", False, "by_seconds"),
}
_NAMES: Final = ("dealer", "table", "day", "shift", "seat", "player", "won", "flag", "ruling")
_MOST_SEATS: Final = 63
WORDS: Final = (*_NUMBERS, *_NAMES)
_TOKEN: Final = re.compile(r'"(?P<text>[^"]*)"|(?P<word>(?:[^\s":]+:"[^"]*")|\S+)')
_COMPARED: Final = re.compile(r"(?P<name>[a-z]+)(?P<sign>>=|<=|=|>|<)(?P<value>.+)")
_DAY: Final = r"(\d{4}-\d\d-\d\d)"
_DAYS: Final = re.compile(rf"{_DAY}?(?:(\.\.){_DAY}?)?", re.ASCII)


class FilterError(ValueError):
    """A word of the filter that cannot be read, and where it begins."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


@dataclass(frozen=True, slots=True)
class Word:
    """One condition on `hand`."""

    condition: str
    values: tuple[object, ...] = ()
    listed: str = ""
    """A SELECT of the hands that an index finds for it, with the same values; empty: none does."""
    of_journals: bool = False
    """Whether it lets whole journals through or none of their hands."""
    is_text: bool = False
    """Whether a hand at a time is a slow way to check it."""


@dataclass(frozen=True, slots=True)
class Filter:
    words: tuple[Word, ...] = ()
    low_us: int | None = None
    """From when on, if the filter names days."""
    high_us: int | None = None
    """Before when."""

    @property
    def is_empty(self) -> bool:
        return not self.words and self.low_us is None and self.high_us is None

    @property
    def where(self) -> str:
        """The condition without the days."""
        return " AND ".join(word.condition for word in self.words) or "1"

    @property
    def values(self) -> tuple[object, ...]:
        return tuple(value for word in self.words for value in word.values)


def parse_filter(text: str) -> Filter:
    """The condition for a filter line; an empty line lets everything through."""
    words: list[Word] = []
    lows: list[int] = []
    highs: list[int] = []
    for match in _TOKEN.finditer(text):
        try:
            if match["text"] is not None:
                words.append(_text(match["text"]))
            elif _DAYS.fullmatch(match["word"]):
                low, high = _days(match["word"])
                lows += [] if low is None else [low]
                highs += [] if high is None else [high]
            else:
                words.append(_word(match["word"]))
        except ValueError as error:
            raise FilterError(str(error), match.start()) from None
    return Filter(tuple(words), max(lows, default=None), min(highs, default=None))


def _text(text: str) -> Word:
    if not text.strip():
        raise ValueError('Put the words to look for in quotes, such as "string bet".')
    quoted = '"' + text.replace('"', '""') + '"'
    found = "SELECT rowid FROM words WHERE words MATCH ?"
    return Word(f"hand.id IN ({found})", (quoted,), found, is_text=True)


def _word(word: str) -> Word:
    compared = _COMPARED.fullmatch(word)
    if compared is not None:
        return _number(compared["name"], compared["sign"], compared["value"])
    name, colon, value = word.partition(":")
    if colon:
        return _name(name, value)
    if word.startswith("#") and word[1:].isdecimal():
        return _indexed("number", "=", _whole(word[1:]), "by_number")
    if word in _NUMBERS:
        raise ValueError(f"{word} needs a comparison, such as {word}>=100.")
    if word in WORDS:
        raise ValueError(f"{word} needs a value: write {word}:VALUE.")
    raise ValueError(f"Unknown filter {word!r}: {_nearest(word)}")


def _whole(text: str) -> int:
    """A number that a hand could have."""
    if not text.isdecimal() or len(text) > 15:
        raise ValueError(f"{text!r} is not a number.")
    return int(text)


def _number(name: str, sign: str, value: str) -> Word:
    if name not in _NUMBERS:
        raise ValueError(f"Only {', '.join(_NUMBERS)} can be compared, not {name!r}.")
    column, money, index = _NUMBERS[name]
    try:
        number = parse_dollars(value) if money else _whole(value)
    except MoneyError as error:
        raise ValueError(str(error)) from None
    return _indexed(column, sign, number, index)


def _indexed(column: str, sign: str, number: int, index: str) -> Word:
    listed = f"SELECT id FROM hand INDEXED BY {index} WHERE {column} {sign} ?" if index else ""
    return Word(f"hand.{column} {sign} ?", (number,), listed)


def _name(name: str, value: str) -> Word:
    if name in _NUMBERS:
        raise ValueError(f"{name} needs a comparison, such as {name}>=100.")
    values = tuple(part for part in value.strip('"').split(",") if part.strip())
    if not values and name in _NAMES:
        raise ValueError(f"{name} needs a value: write {name}:VALUE.")
    marks = ", ".join("?" * len(values))
    match name:
        case "day":
            # A day that was closed and opened again goes on with a letter after its date.
            of = f"SELECT id FROM source WHERE day IN ({marks}) OR substr(day, 1, 10) IN ({marks})"
            return _of_journals(of, values * 2)
        case "table":
            return _of_journals(
                f'SELECT id FROM source WHERE "table" COLLATE NOCASE IN ({marks})', values
            )
        case "shift":
            of = f"SELECT id FROM box WHERE shift COLLATE NOCASE IN ({marks})"
            listed = f"SELECT id FROM hand INDEXED BY by_box WHERE box IN ({of})"
            return Word(f"hand.box IN ({of})", values, listed)
        case "dealer":
            of = f"dealer COLLATE NOCASE IN ({marks})"
            listed = f"SELECT id FROM hand INDEXED BY by_dealer WHERE {of}"
            return Word(f"hand.{of}", values, listed)
        case "seat" | "won":
            if not all(part.isdecimal() and len(part) < 4 for part in values):
                raise ValueError(f"{value!r} is not a seat number.")
            column = "won" if name == "won" else "seats"
            return Word(f"hand.{column} & ? <> 0", (bits(map(int, values)),))
        case "player":
            of = f"SELECT id FROM player WHERE name IN ({marks})"
            return Word(
                f"EXISTS (SELECT 1 FROM seat WHERE seat.hand = hand.id AND player IN ({of}))",
                tuple(part.casefold() for part in values),
                f"SELECT hand FROM seat WHERE player IN ({of})",
            )
        case "ruling":
            for part in values:
                if part not in BY_NAME:
                    raise ValueError(f"Unknown ruling {part!r}: {_nearest_ruling(part)}")
            return _marked("ruling", "name", values)
        case "flag":
            if ANY in values:
                of = "flags NOT IN ('', 'kill')"
                listed = f"SELECT id FROM hand INDEXED BY flagged WHERE {of}"
                return Word(f"hand.{of}", (), listed)
            for part in values:
                if part not in FLAGS:
                    near = difflib.get_close_matches(part, FLAGS, n=1)
                    hint = (
                        f"did you mean {near[0]}?"
                        if near
                        else f"use one of {', '.join((*FLAGS, ANY))}."
                    )
                    raise ValueError(f"Unknown flag {part!r}: {hint}")
            return _marked("flag", "flag", values)
    raise ValueError(f"Unknown filter {name!r}: {_nearest(name)}")


def bits(seats: Iterable[int]) -> int:
    """Seats as one number; a seat that no table has is in none."""
    found = 0
    for seat in seats:
        found |= 1 << seat if seat < _MOST_SEATS else 0
    return found


def _of_journals(sources: str, values: tuple[str, ...]) -> Word:
    listed = f"SELECT id FROM hand INDEXED BY one_hand WHERE source IN ({sources})"
    return Word(f"hand.source IN ({sources})", values, listed, of_journals=True)


def _marked(table: str, column: str, values: tuple[str, ...]) -> Word:
    of = f"{column} IN ({', '.join('?' * len(values))})"
    there = f"SELECT 1 FROM {table} WHERE {table}.hand = hand.id AND {table}.{of}"
    return Word(f"EXISTS ({there})", values, f"SELECT hand FROM {table} WHERE {of}")


def _days(word: str) -> tuple[int | None, int | None]:
    found = _DAYS.fullmatch(word)
    assert found is not None
    first, dots, last = found.groups()
    try:
        low = _start(first) if first else None
        high = _start(last, 1) if last else None if dots else _start(first, 1)
    except (ValueError, OverflowError):
        raise ValueError(
            f"{word!r} is not a day: write 2026-11-14, or 2026-11-14.. for every day since."
        ) from None
    return low, high


def _start(day: str, later: int = 0) -> int:
    at = date.fromisoformat(day) + timedelta(days=later)
    return int(datetime(at.year, at.month, at.day).astimezone().timestamp() * 1e6)


def _nearest(word: str) -> str:
    near = difflib.get_close_matches(word, WORDS, n=1)
    if near:
        return f"did you mean {near[0]}?"
    return f"use one of {', '.join(WORDS)}, a day, #HAND or words in quotes."


def _nearest_ruling(word: str) -> str:
    near = difflib.get_close_matches(word, BY_NAME, n=1)
    return f"did you mean {near[0]}?" if near else f"use one of {', '.join(BY_NAME)}."


def completions(typed: str) -> list[str]:
    """What the word that is being typed could become."""
    word = typed.rpartition(" ")[2]
    name, colon, value = word.partition(":")
    values = {"flag": (*FLAGS, ANY), "ruling": tuple(BY_NAME)}.get(name, ())
    if colon and values:
        begun = value.rpartition(",")[2]
        return [known for known in values if known.startswith(begun)]
    return [f"{w}{'>=' if w in _NUMBERS else ':'}" for w in WORDS if w.startswith(word) and word]
