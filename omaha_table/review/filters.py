"""The filter line: `pot>=500 dealer:D114 flag:override,misdeal "string bet" 2026-11-14..`

It becomes a WHERE clause over the projection; a word that cannot be read is named with its place.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from omaha_table.money import MoneyError, parse_dollars

FLAGS: Final = (
    "override", "misdeal", "void", "undo", "irregular", "device", "clock", "recovered", "slow",
    "waived", "dealer_read", "kill", "rules", "refusal", "pin", "not_dealt",
)  # fmt: skip
ANY: Final = "any"
"""`flag:any` is every flag that makes a hand worth a look; a kill pot alone does not."""
_NUMBERS: Final = {
    "pot": ("hand.pot", True),
    "fee": ("hand.fee", True),
    "hand": ("hand.number", False),
    "seats": ("hand.dealt", False),
    "seconds": ("hand.seconds", False),
}
_NAMES: Final = ("dealer", "table", "day", "shift", "seat", "player", "won", "flag")
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
class Filter:
    where: str
    values: tuple[object, ...]


def parse_filter(text: str) -> Filter:
    """The condition for a filter line; an empty line lets everything through."""
    parts: list[str] = []
    values: list[object] = []
    for match in _TOKEN.finditer(text):
        try:
            if match["text"] is not None:
                condition, given = _text(match["text"])
            else:
                condition, given = _word(match["word"])
        except ValueError as error:
            raise FilterError(str(error), match.start()) from None
        parts.append(condition)
        values += given
    return Filter(" AND ".join(parts) or "1", tuple(values))


def _text(text: str) -> tuple[str, list[object]]:
    if not text.strip():
        raise ValueError('write the words that are looked for, such as "string bet".')
    quoted = '"' + text.replace('"', '""') + '"'
    return "hand.id IN (SELECT rowid FROM words WHERE words MATCH ?)", [quoted]


def _word(word: str) -> tuple[str, list[object]]:
    compared = _COMPARED.fullmatch(word)
    if compared is not None:
        return _number(compared["name"], compared["sign"], compared["value"])
    name, colon, value = word.partition(":")
    if colon:
        return _name(name, value)
    if _DAYS.fullmatch(word):
        return _days(word)
    if word.startswith("#") and word[1:].isdecimal():
        return "hand.number = ?", [_whole(word[1:])]
    raise ValueError(f"{word!r} is no filter: {_nearest(word)}")


def _whole(text: str) -> int:
    """A number that a hand could have."""
    if not text.isdecimal() or len(text) > 15:
        raise ValueError(f"{text!r} is not a number.")
    return int(text)


def _number(name: str, sign: str, value: str) -> tuple[str, list[object]]:
    if name not in _NUMBERS:
        raise ValueError(f"{name!r} cannot be compared: {', '.join(_NUMBERS)} can.")
    column, money = _NUMBERS[name]
    try:
        number = parse_dollars(value) if money else _whole(value)
    except MoneyError as error:
        raise ValueError(str(error)) from None
    return f"{column} {sign} ?", [number]


def _name(name: str, value: str) -> tuple[str, list[object]]:
    if name in _NUMBERS:
        raise ValueError(f"{name} is compared: write {name}>=, {name}= or {name}<= and a number.")
    values: list[object] = [part for part in value.strip('"').split(",") if part.strip()]
    if not values and name in _NAMES:
        raise ValueError(f"{name}: what? Write {name}:VALUE.")
    marks = ", ".join("?" * len(values))
    match name:
        case "day":
            # A day that was closed and opened again goes on with a letter after its date.
            return f"(day IN ({marks}) OR substr(day, 1, 10) IN ({marks}))", values * 2
        case "dealer" | "table" | "shift":
            return f'hand."{name}" COLLATE NOCASE IN ({marks})', values
        case "seat" | "won":
            if not all(str(part).isdecimal() and len(str(part)) < 4 for part in values):
                raise ValueError(f"{value!r} is not a seat.")
            seats: list[object] = [int(str(part)) for part in values]
            won = " AND won > 0" if name == "won" else ""
            return (
                f"hand.id IN (SELECT hand FROM seat WHERE seat IN ({marks}){won})",
                seats,
            )
        case "player":
            return (
                f"hand.id IN (SELECT hand FROM seat WHERE name IN ({marks}))",
                [str(part).casefold() for part in values],
            )
        case "flag":
            if ANY in values:
                return "hand.id IN (SELECT hand FROM flag WHERE flag <> 'kill')", []
            for part in values:
                if part not in FLAGS:
                    near = difflib.get_close_matches(str(part), FLAGS, n=1)
                    hint = (
                        f"did you mean {near[0]}?"
                        if near
                        else f"there are {', '.join((*FLAGS, ANY))}."
                    )
                    raise ValueError(f"{part!r} is no flag: {hint}")
            return f"hand.id IN (SELECT hand FROM flag WHERE flag IN ({marks}))", values
    raise ValueError(f"{name!r} is no filter: {_nearest(name)}")


def _days(word: str) -> tuple[str, list[object]]:
    found = _DAYS.fullmatch(word)
    assert found is not None
    first, dots, last = found.groups()
    try:
        low = _start(first) if first else None
        high = _start(last, 1) if last else None if dots else _start(first, 1)
    except (ValueError, OverflowError):
        raise ValueError(f"{word!r} is not a day, such as 2026-11-14, or 2026-11-14..") from None
    parts, values = [], []
    if low is not None:
        parts.append("hand.started_us >= ?")
        values.append(low)
    if high is not None:
        parts.append("hand.started_us < ?")
        values.append(high)
    return " AND ".join(parts) or "1", list(values)


def _start(day: str, later: int = 0) -> int:
    at = date.fromisoformat(day) + timedelta(days=later)
    return int(datetime(at.year, at.month, at.day).astimezone().timestamp() * 1e6)


def _nearest(word: str) -> str:
    near = difflib.get_close_matches(word, WORDS, n=1)
    if near:
        return f"did you mean {near[0]}?"
    return f"there are {', '.join(WORDS)}, days, #HAND and words in quotes."


def completions(typed: str) -> list[str]:
    """What the word that is being typed could become."""
    word = typed.rpartition(" ")[2]
    name, colon, value = word.partition(":")
    if colon and name == "flag":
        begun = value.rpartition(",")[2]
        return [flag for flag in (*FLAGS, ANY) if flag.startswith(begun)]
    return [f"{w}{'>=' if w in _NUMBERS else ':'}" for w in WORDS if w.startswith(word) and word]
