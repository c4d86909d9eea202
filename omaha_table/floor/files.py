"""The staff file, and the pepper in a file of its own."""

from __future__ import annotations

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


def load_staff(folder: Path) -> Staff:
    """The staff of a data folder; empty if there is no staff file yet."""
    return _load(folder, make_pepper=False)


def save_staff(folder: Path, staff: Staff) -> None:
    """Writes the staff file completely or not at all; only its owner can read it."""
    stored = _StoredStaff(people=[_store(person) for person in staff.people])
    _write(folder / STAFF_FILE, json.dumps(stored.model_dump(mode="json"), indent=1).encode())


def new_staff(folder: Path) -> Staff:
    """The staff of a folder; creates a pepper if there is none."""
    make_folder(folder, keep_group=True)
    return _load(folder, make_pepper=True)


def _load(folder: Path, *, make_pepper: bool) -> Staff:
    path = folder / STAFF_FILE
    enrolled = path.exists()
    pepper = _pepper(folder, make=make_pepper and not enrolled)
    if enrolled and not pepper:
        raise StaffError("The pepper of this staff file is missing: without it no PIN works.")
    return _read(path, pepper) if enrolled else Staff((), pepper)


def demo_staff() -> Staff:
    """The staff of the demo table and of scripts in memory; its PINs are in the README."""
    return _read(config_dir() / "staff" / DEMO, b"")


def _pepper(folder: Path, *, make: bool) -> bytes:
    path = Path(os.environ.get("OMAHA_TABLE_PEPPER", str(folder / PEPPER_FILE)))
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


def _read(path: Path, pepper: bytes) -> Staff:
    try:
        stored = _StoredStaff.model_validate_json(read_bounded(path, _MOST_BYTES))
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
    except (OSError, ValidationError, ValueError) as error:
        kind = type(error).__name__
        raise StaffError(f"The staff file {path.name} cannot be read ({kind}).") from None
    return Staff(people, pepper)


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
