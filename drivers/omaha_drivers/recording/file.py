"""A recording on disk: lines of JSON, the first one about the device, then what happened.

    {"recording": 1, "made": "2026-03-01T18:02:11+00:00", "device": "shoe", "kind": "shoe", …}
    [0.0, "opened"]
    [0.0, "sent", "2448454c4f…"]
    [0.012, "fed", "2448454c4f…"]
    [1.5, "ticked"]
    [7.25, "link", "down", "No device at this port."]
    [7.25, "closed"]

Times are seconds since the first line of this kind. A file may come from anybody: everything in it
is bounded and checked before it is used.
"""

from __future__ import annotations

import json
import math
import os
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Literal, cast, get_args

from omaha_drivers.events import Link
from omaha_drivers.settings import DeviceSettings, Flow, Kind, LineSettings, Parity
from omaha_drivers.text import printable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FORM: Final = 1
LONGEST_LINE: Final = 64 * 1024
LARGEST_FILE: Final = 64 * 1024 * 1024
"""Also of a recording that is being written."""
MOST_ENTRIES: Final = 1_000_000
LONGEST: Final = 30 * 86400.0
"""Seconds."""

What = Literal["opened", "fed", "sent", "ticked", "closed", "command", "link"]


class RecordingError(ValueError):
    """A recording that cannot be written or used; the message is for people."""


@dataclass(frozen=True, slots=True)
class Entry:
    at: float
    what: What
    data: bytes = b""
    """Of 'fed' and 'sent'."""
    link: Link = Link.DOWN
    why: str = ""
    """What the supervisor said of the link; or the command."""


@dataclass(frozen=True, slots=True)
class Recording:
    settings: DeviceSettings
    made: str
    entries: tuple[Entry, ...]


def header(settings: DeviceSettings, made: str) -> dict[str, Any]:
    line = {name: one for name, one in asdict(settings.line).items() if one is not None}
    return {
        "recording": FORM,
        "made": made,
        "device": settings.name,
        "kind": settings.kind,
        "adapter": settings.adapter,
        "speed": settings.speed,
        "line": line,
        "options": dict(settings.options),
        "serial": settings.serial,
        "key": settings.key.hex(),
        "identities": settings.identities,
    }


def row(entry: Entry) -> list[Any]:
    at = round(entry.at, 6)
    if entry.what in ("fed", "sent"):
        return [at, entry.what, entry.data.hex()]
    if entry.what == "command":
        return [at, entry.what, entry.why]
    if entry.what == "link":
        return [at, entry.what, str(entry.link), entry.why]
    return [at, entry.what]


class Writer:
    """Creates the file, for its owner alone; never replaces one."""

    def __init__(self, path: Path, settings: DeviceSettings, made: str) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        self._file = os.fdopen(os.open(path, flags, 0o600), "wb")
        os.fchmod(self._file.fileno(), 0o600)
        self.size = self.lines = 0
        self._put(header(settings, made))

    @property
    def full(self) -> bool:
        """Whether another line may not have room."""
        return self.size > LARGEST_FILE - LONGEST_LINE or self.lines >= MOST_ENTRIES

    def add(self, entry: Entry) -> None:
        """Cuts data that is too long for a line into several lines."""
        if entry.what in ("fed", "sent"):
            most = LONGEST_LINE // 4
            for at in range(0, len(entry.data), most):
                self._put(row(Entry(entry.at, entry.what, entry.data[at : at + most])))
        else:
            self._put(row(entry))

    def _put(self, content: object) -> None:
        text = json.dumps(content, separators=(",", ":")).encode("ascii") + b"\n"
        if len(text) > LONGEST_LINE:
            raise RecordingError("The adapter's options are too long for a recording.")
        self._file.write(text)
        self._file.flush()  # What was recorded is there after a crash, and a full disk shows.
        self.size += len(text)
        self.lines += 1

    def close(self) -> None:
        with suppress(OSError):
            self._file.close()


def read_recording(path: Path) -> Recording:
    """Raises OSError, or RecordingError for anything that is not a recording."""
    with path.open("rb") as file:
        first = _json(_line(file), 1)
        settings, made = _settings(first)
        return Recording(settings, made, tuple(_entries(file)))


def _line(file: BinaryIO) -> bytes:
    return file.readline(LONGEST_LINE + 1)


def _json(line: bytes, number: int) -> Any:
    if len(line) > LONGEST_LINE:
        raise RecordingError(f"Line {number} is too long for a recording.")
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise RecordingError(f"Line {number} is not a line of a recording.") from None


def _entries(file: BinaryIO) -> Iterator[Entry]:
    last, number, size = 0.0, 1, 0
    while line := _line(file):
        number += 1
        size += len(line)
        if size > LARGEST_FILE or number > MOST_ENTRIES + 1:
            raise RecordingError("The file is larger than any recording.")
        entry = _entry(_json(line, number))
        if entry is None or entry.at < last:
            raise RecordingError(f"Line {number} is not a line of a recording.")
        last = entry.at
        yield entry


def _entry(given: Any) -> Entry | None:
    """None for what is not a line of a recording."""
    match given:
        case [int() | float() as at, "opened" | "ticked" | "closed" as what]:
            entry = Entry(at, what)
        case [int() | float() as at, "fed" | "sent" as what, str() as text]:
            try:
                entry = Entry(at, what, bytes.fromhex(text))
            except ValueError:
                return None
        case [int() | float() as at, "command", str() as verb]:
            entry = Entry(at, "command", why=printable(verb, 64))
        case [int() | float() as at, "link", "down" | "opening" as link, str() as why]:
            entry = Entry(at, "link", link=Link(link), why=printable(why, 200))
        case _:
            return None
    good = not isinstance(at, bool) and math.isfinite(at) and 0 <= at <= LONGEST
    return entry if good else None


def _settings(given: Any) -> tuple[DeviceSettings, str]:
    if not isinstance(given, dict) or given.get("recording") != FORM:
        raise RecordingError("This is not a recording of a device, or one of another version.")

    def one(name: str, kind: type) -> Any:
        value = given.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise RecordingError(f"The recording's first line has no good {name!r}.")
        return value

    kind, identities, speed = one("kind", str), one("identities", str), given.get("speed")
    try:
        key = bytes.fromhex(one("key", str))
    except ValueError:
        raise RecordingError("The recording's first line has no good 'key'.") from None
    if kind not in get_args(Kind) or identities not in ("sealed", "count_only") or len(key) > 32:
        raise RecordingError("The recording's first line names no kind of device.")
    is_speed = isinstance(speed, int) and not isinstance(speed, bool) and 0 < speed <= 4_000_000
    if speed is not None and not is_speed:
        raise RecordingError("The recording's first line has no good 'speed'.")
    return DeviceSettings(
        name=printable(one("device", str)),
        kind=kind,
        adapter=printable(one("adapter", str), 80),
        port="",
        speed=speed,
        line=_line_settings(one("line", dict)),
        options=one("options", dict),
        serial=printable(one("serial", str)),
        key=key,
        identities=cast("Literal['sealed', 'count_only']", identities),
    ), printable(one("made", str))


def _line_settings(given: dict[str, Any]) -> LineSettings:
    allowed: dict[str, tuple[object, ...]] = {
        "parity": get_args(Parity),
        "bits": (5, 6, 7, 8),
        "stop_bits": (1, 1.5, 2),
        "flow": get_args(Flow),
        "rs485": (True, False),
        "dtr": (True, False),
        "rts": (True, False),
    }
    known = {field.name for field in fields(LineSettings)}
    if set(given) - known or any(given[name] not in allowed[name] for name in given):
        raise RecordingError("The recording's first line has no good 'line'.")
    return LineSettings(**given)
