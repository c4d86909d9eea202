"""Counts and notes as 0.1.0 kept them: plain files that nobody signed, taken over once."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from omaha_table.files import read_bounded
from omaha_table.office.events import BoxCounted, HandNoted, HandTagged, Signature

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from omaha_table.office.events import OfficeEvent

COUNTS: Final = "review-counts.jsonl"
NOTES: Final = "review-notes.jsonl"
_MOST_BYTES: Final = 64 << 20
_LONGEST: Final = 1000
_MOST_CENTS: Final = 10**14
_NO_TIME: Final = "no time"


class OldList(NamedTuple):
    file: str
    sha256: str
    events: tuple[OfficeEvent, ...]
    damaged: int
    """Lines that nobody can have written, such as one that was cut short."""


def old_lists(folder: Path, known: tuple[str, ...] = ()) -> list[OldList]:
    """The lists of a folder without those that are `known`; raises OSError and FileError."""
    made = []
    for name, read in ((COUNTS, _Counts), (NOTES, _Notes)):
        path = folder / name
        if name not in known and path.exists():
            content = read_bounded(path, _MOST_BYTES)
            events, damaged = _events(content, read())
            made.append(OldList(name, hashlib.sha256(content).hexdigest(), events, damaged))
    return made


def _events(
    content: bytes, read: Callable[[dict[str, Any]], OfficeEvent]
) -> tuple[tuple[OfficeEvent, ...], int]:
    events, damaged = [], 0
    for line in content.split(b"\n"):
        if not line.strip():
            continue
        try:
            given = json.loads(line.decode())
            if type(given) is not dict:
                raise TypeError("a line is an object")
            events.append(read(given))
        except (ValueError, KeyError, TypeError, RecursionError):
            damaged += 1
    return tuple(events), damaged


def _text(given: object) -> str:
    if type(given) is not str or len(given) > _LONGEST:
        raise TypeError("not a text")
    given.encode()  # half a character would fit into no journal
    return given


def _cents(given: object) -> int:
    # Not isinstance: true is no cent.
    if type(given) is not int or abs(given) > _MOST_CENTS:
        raise TypeError("not an amount")
    return given


class _Counts:
    _FIELDS: Final = frozenset(
        ("table", "day", "log", "shift", "box", "counted", "jackpot", "due", "jackpot_due",
         "signed", "at")
    )  # fmt: skip

    def __call__(self, line: dict[str, Any]) -> BoxCounted:
        if not self._FIELDS <= line.keys() <= self._FIELDS | {"jackpot_box"}:
            raise KeyError("another list")
        signed, jackpot, jackpot_box = line["signed"], line["jackpot"], line.get("jackpot_box")
        if type(signed) is not list:
            raise TypeError("a text of two letters is no two names")
        return BoxCounted(
            _text(line["table"]),
            _text(line["day"]),
            _text(line["log"]),
            _text(line["shift"]),
            _text(line["box"]),
            None if jackpot_box is None else _text(jackpot_box),
            _cents(line["counted"]),
            None if jackpot is None else _cents(jackpot),
            _cents(line["due"]),
            _cents(line["jackpot_due"]),
            0,
            tuple(Signature(_text(name), "", "") for name in signed),
            taken_in=_text(line["at"]) or _NO_TIME,
        )


class _Notes:
    """A tag that was set twice was taken off."""

    def __init__(self) -> None:
        self._tags: set[tuple[str, str]] = set()

    def __call__(self, line: dict[str, Any]) -> HandNoted | HandTagged:
        about, *_ = _text(line["hand"]), *map(_text, line.values())
        at = line.get("at") or _NO_TIME
        if "tag" not in line:
            return HandNoted(about, line["note"], None, at)
        tag = about, line["tag"]
        self._tags ^= {tag}
        return HandTagged(*tag, tag in self._tags, None, at)


def not_signed_for(
    events: tuple[OfficeEvent, ...], is_signed: Callable[[BoxCounted], bool]
) -> Iterator[OfficeEvent]:
    """Without counts of boxes that were counted again with signatures: those stand."""
    for event in events:
        if not (isinstance(event, BoxCounted) and is_signed(event)):
            yield event
