"""The staff file, and the pepper in a file of its own."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from omaha_table.files import FileError, make_folder, read_bounded
from omaha_table.floor.staff import Person, PinHash, Role, Staff, StaffError
from omaha_table.shipped import config_dir

STAFF_FILE: Final = "staff.json"
NEW_FILE: Final = f"{STAFF_FILE}.new"
"""A changed list, until the office journal names it and it is put in place."""
PEPPER_FILE: Final = "pepper"
DEMO: Final = "demo.json"
_MOST_BYTES: Final = 1 << 20
_MOST_PEPPER: Final = 4096


class _Stored(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("has characters that cannot be shown")
    return text


class _StoredPin(_Stored):
    salt: str
    digest: str
    memory_kib: Annotated[int, Field(ge=8, le=1 << 20)]
    passes: Annotated[int, Field(ge=1, le=20)]


_Text = Annotated[str, Field(min_length=1, max_length=40), AfterValidator(_printable)]
"""The same as `staff add` takes: an id or name ends up in the log, on screens and in reports."""


class _StoredPerson(_Stored):
    id: _Text
    name: _Text
    role: Role
    pin: _StoredPin
    disabled: bool = False


class _StoredStaff(_Stored):
    version: Annotated[int, Field(ge=1, le=1)] = 1
    people: list[_StoredPerson]
    room_version: Annotated[int, Field(ge=1)] | None = None
    """Of a list that was published for the tables of a room: they never take an older one."""
    pepper: Annotated[str, Field(pattern="^[0-9a-f]{16}$")] | None = None
    """Which pepper its PINs were hashed with, if not the folder's own."""


def list_content(folder: Path, name: str = STAFF_FILE) -> bytes | None:
    """The bytes of a staff list; None: there is no such file. Raises StaffError."""
    try:
        return read_bounded(folder / name, _MOST_BYTES)
    except FileNotFoundError:
        return None
    except (OSError, FileError) as error:
        kind = type(error).__name__
        raise StaffError(f"The staff file {name} cannot be read ({kind}).") from None


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def is_named(folder: Path, named: str, *, copied: bool = False) -> bool:
    """Whether a folder's staff list is the one of this SHA-256, or will be once it is opened.

    To a folder that is `copied`, the journals alone may have been.
    """
    found = [_sha256_of(folder, name) for name in (STAFF_FILE, NEW_FILE)]
    return not named or named in found or (copied and not found[0])


def _sha256_of(folder: Path, name: str) -> str:
    """Empty: there is no such list, or it cannot be read."""
    try:
        content = list_content(folder, name)
    except StaffError:
        return ""
    return "" if content is None else sha256(content)


def staff_of(folder: Path, content: bytes) -> Staff:
    """The staff of a folder by the bytes of its list; raises StaffError."""
    stored = _parsed(content, STAFF_FILE)
    pepper = _pepper(folder, make=False, which=stored.pepper or "")
    if not pepper:
        raise StaffError("The pepper of this staff file is missing: without it no PIN works.")
    return _staff(stored, pepper, STAFF_FILE)


def content_of(staff: Staff, room_version: int | None = None) -> bytes:
    """What is written of a staff."""
    stored = _StoredStaff(
        people=[_store(person) for person in staff.people],
        room_version=room_version,
        pepper=staff.pepper_id or None,
    )
    return json.dumps(stored.model_dump(mode="json", exclude_none=True), indent=1).encode()


def published(content: bytes) -> tuple[int, str]:
    """The version of a list that was published for a room, and its pepper. Raises StaffError."""
    stored = _parsed(content, "of the room")
    staff = _staff(stored, b"", "of the room")
    if stored.room_version is None or stored.pepper is None or not staff.has_shift_manager:
        raise StaffError("The list of the room is not one that the office publishes.")
    return stored.room_version, stored.pepper


def put_pepper(folder: Path, which: str, pepper: bytes) -> None:
    """Keeps a pepper that came with the room's lists, beside the folder's own. Raises OSError."""
    path = _pepper_path(folder, which)
    if not path.exists():
        _write(path, pepper)


def nobody_yet(folder: Path) -> Staff:
    """The staff of a folder that has no list; creates its pepper if there is none."""
    make_folder(folder, keep_group=True)
    return Staff((), _pepper(folder, make=True))


def demo_staff() -> Staff:
    """The staff of the demo table and of scripts in memory; its PINs are in the README."""
    return _read((config_dir() / "staff" / DEMO).read_bytes(), b"", DEMO)


def _pepper_path(folder: Path, which: str) -> Path:
    own = Path(os.environ.get("OMAHA_TABLE_PEPPER", str(folder / PEPPER_FILE)))
    return own.with_name(f"{own.name}-{which}") if which else own


def _pepper(folder: Path, *, make: bool, which: str = "") -> bytes:
    path = _pepper_path(folder, which)
    try:
        if path.exists():
            return read_bounded(path, _MOST_PEPPER)
    except OSError as error:
        raise StaffError(f"The pepper cannot be read: {error.strerror}.") from None
    except FileError as error:
        raise StaffError(f"The pepper cannot be read: {error}.") from None
    if not make:
        return b""
    pepper = os.urandom(32)
    _write(path, pepper)
    return pepper


def _write(path: Path, content: bytes) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    Path(temporary).replace(path)


def _read(content: bytes, pepper: bytes, name: str) -> Staff:
    return _staff(_parsed(content, name), pepper, name)


def _parsed(content: bytes, name: str) -> _StoredStaff:
    try:
        return _StoredStaff.model_validate_json(content)
    except (ValidationError, ValueError) as error:
        kind = type(error).__name__
        raise StaffError(f"The staff file {name} cannot be read ({kind}).") from None


def _staff(stored: _StoredStaff, pepper: bytes, name: str) -> Staff:
    try:
        people = tuple(
            Person(
                person.id,
                person.name,
                person.role,
                PinHash(
                    _salt(person.pin.salt),
                    bytes.fromhex(person.pin.digest),
                    person.pin.memory_kib,
                    person.pin.passes,
                ),
                person.disabled,
            )
            for person in stored.people
        )
    except ValueError as error:
        kind = type(error).__name__
        raise StaffError(f"The staff file {name} cannot be read ({kind}).") from None
    return Staff(people, pepper, stored.pepper or "")


def _salt(text: str) -> bytes:
    salt = bytes.fromhex(text)
    if len(salt) < 8:
        raise ValueError("salt")
    return salt


def _store(person: Person) -> _StoredPerson:
    pin = person.pin
    return _StoredPerson(
        id=person.id,
        name=person.name,
        role=person.role,
        pin=_StoredPin(
            salt=pin.salt.hex(),
            digest=pin.digest.hex(),
            memory_kib=pin.memory_kib,
            passes=pin.passes,
        ),
        disabled=person.disabled,
    )
