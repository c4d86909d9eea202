"""What a table's file asks for beside the table: devices, keys, folders; and what is not there.

What is missing never keeps a table shut. The table opens without it, says so on the screen and in
the log, and nothing takes its place: a device whose key is missing is not opened at all, because
anybody's device could then deal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_drivers import registry
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.transport import TransportError, check_port

from omaha_table.files import FileError, read_bounded
from omaha_table.table.commands import NoteDevice
from omaha_table.table.events import MISSING

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_drivers.settings import Kind

    from omaha_table.session.config import DeviceSection

SURVEILLANCE_KEY: Final = "surveillance key"
_LONGEST_NAME: Final = 14
"""Of a file, on the alarm line; the device page has all of it."""
_LONGEST_DETAIL: Final = 200


@dataclass(frozen=True, slots=True)
class Missing:
    """Something that the table's file asks for and that is not there."""

    what: str
    """'shoe', 'shuffler', 'surveillance key', 'second copy'."""
    problem: str
    todo: str
    detail: str
    """The problem with the whole path and the reason, for the log and the device page."""
    device: Kind | None = None

    @property
    def alarm(self) -> str:
        return f"{self.what.upper()}: {self.problem}. {self.todo}"

    @property
    def note(self) -> NoteDevice:
        return NoteDevice(self.what, MISSING, self.detail[:_LONGEST_DETAIL])


def find_device(
    kind: Kind, section: DeviceSection, key_file: Path | None
) -> DeviceSettings | Missing:
    """The settings for the driver, or what they lack."""
    key, name = b"", _short(section.key_file)
    if key_file is not None:
        try:
            key = read_bounded(key_file, 32)
        except OSError as error:
            why = f"The device key {key_file} cannot be read: {error.strerror}."
            return _without(kind, f"no device key {name}", "add it", why)
        except FileError:
            key = b""
        if not 16 <= len(key) <= 32:
            why = f"{key_file} is not a device key: a key has 16 to 32 bytes."
            return _without(kind, f"bad device key {name}", "replace it", why)
    settings = DeviceSettings(
        name=kind,
        kind=kind,
        adapter=section.adapter,
        port=section.port,
        speed=section.speed,
        line=section.line,
        reopen_after=section.reopen_after,
        options=section.options,
        serial=section.serial,
        key=key,
        identities=section.identities,
        reports_backs=section.reports_backs,
        reports_cycles=section.reports_cycles,
        allow_commands=section.allow_commands,
    )
    if not section.port:
        return _without(kind, "no port", "add it", f"devices.{kind}.port is missing.")
    try:
        check_port(section.port)
    except TransportError as error:
        return _without(kind, f"bad port {_short(section.port)}", "correct it", str(error))
    try:
        registry.make(settings)
    except registry.BrokenAdapterError:
        # The driver names it and tries again: what it needs may still come.
        return settings
    except registry.UnknownAdapterError as error:
        return _without(kind, f"bad adapter {_short(section.adapter)}", "correct it", str(error))
    return settings


def _without(kind: Kind, problem: str, fix: str, detail: str) -> Missing:
    by_hand = "Deal by hand, or " if kind == "shoe" else ""
    todo = f"{by_hand}{fix} and start again."
    return Missing(kind, problem, todo[:1].upper() + todo[1:], detail, kind)


def no_surveillance_key(path: Path, why: str, *, shoe: bool) -> Missing:
    """The cards of a hand cannot be sealed, so none is kept."""
    counts = "The shoe only counts. " if shoe else ""
    return Missing(
        SURVEILLANCE_KEY,
        "not valid" if path.exists() else "missing",
        f"{counts}Call the floor.",
        f"{why} Cards are not kept until the key is there and the console is started again.",
    )


def no_second_copy(path: Path) -> Missing:
    return Missing(
        "second copy",
        f"no folder {_short(path.name)}",
        "Mount its disk and start again.",
        f"There is no folder {path}. Mount its disk, or create the folder, and start "
        "the console again: the copy then catches up.",
    )


def no_room_bundle(path: Path) -> Missing:
    return Missing(
        "room",
        f"no bundle {_short(path.name)}",
        "Deal on: nothing is copied to the room. Call the floor.",
        f"There is no file {path}. Put the bundle of 'room enroll' there, and start the console "
        "again: the room then gets everything.",
    )


def _short(name: str) -> str:
    """The last part of a path, or of another name, cut to what the alarm line has room for."""
    last = name.rstrip("/").rpartition("/")[2]
    return last if len(last) <= _LONGEST_NAME else f"…{last[1 - _LONGEST_NAME :]}"
