"""The staff list that an office publishes for the tables of a room, and a table that takes it.

A table takes it in the one way in which its list ever changes (`staff_list`): the new list beside
the old one, the entry of the office journal that names it, then the new one in place. What is taken
is signed by the office, and newer than what is used; everything else is refused, on record.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from omaha_table.files import FileError, read_bounded
from omaha_table.floor.files import NEW_FILE, content_of, published, put_pepper, sha256
from omaha_table.floor.staff import StaffError, pepper_id
from omaha_table.journal.keys import public_hex, write_durably
from omaha_table.journal.office_book import open_office
from omaha_table.journal.staff_list import has_list, load_staff, put_in_place
from omaha_table.office.events import (
    ListPublished,
    RoomListFollowed,
    RoomListRefused,
    RoomListTaken,
)
from omaha_table.office.published import is_published, sign_list

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Literal, TypeAlias

    from omaha_table.office.events import OfficeEvent, Signature, Unused
    from omaha_table.office.state import RoomList

    Outcome: TypeAlias = Literal["taken", "own_list"] | Unused

KEY_FILE: Final = "lists.key"
"""Of an office that publishes: only who holds it makes a list that tables take."""


@dataclass(frozen=True, slots=True)
class PublishedList:
    version: int
    content: bytes
    key: str
    signature: str

    @property
    def sha256(self) -> str:
        return sha256(self.content)


@dataclass(frozen=True, slots=True)
class Publisher:
    """What a table knows of the office from its bundle."""

    key: str
    pepper: bytes
    pepper_id: str


def office_key(folder: Path) -> Ed25519PrivateKey:
    """The key that signs an office's lists; made with the first use. Raises StaffError."""
    path = folder / KEY_FILE
    try:
        if not path.exists():
            write_durably(path, Ed25519PrivateKey.generate().private_bytes_raw())
        elif path.stat().st_mode & 0o077:
            raise StaffError(f"{path} can be read by others: set its rights to 0600.")
        return Ed25519PrivateKey.from_private_bytes(read_bounded(path, 32))
    except OSError as error:
        raise StaffError(f"{path}: {error.strerror}.") from None
    except FileError as error:
        raise StaffError(f"{path}: {error}.") from None
    except ValueError as error:
        raise (
            error
            if isinstance(error, StaffError)
            else StaffError(f"{path} is not the key of an office.")
        ) from None


def publisher_of(folder: Path) -> Publisher:
    """What bundles say of the office in this folder. Raises StaffError or JournalFault."""
    staff = load_staff(folder)
    if not staff.has_shift_manager:
        raise StaffError(f"{folder} has no staff list with a shift manager.")
    return Publisher(public_hex(office_key(folder)), staff.pepper, pepper_id(staff.pepper))


def publish(
    folder: Path, holder: str, by: Signature, newest: int, settled: Sequence[OfficeEvent] = ()
) -> PublishedList:
    """Signs the list of an office as it is now; what is returned goes to the room.

    `newest` is the last version that the room has: an office journal put back from a backup does
    not know of it. Raises StaffError, OfficeRefused or JournalFault.
    """
    key = office_key(folder)
    with open_office(folder, holder) as book:
        staff = load_staff(folder)
        if staff.get(by.id).disabled:
            raise StaffError(f"{by.id} is disabled.")
        version = max(newest, book.brief.room_list.published) + 1
        named = type(staff)(staff.people, staff.pepper, pepper_id(staff.pepper))
        content = content_of(named, version)
        signature = sign_list(key, version, sha256(content))
        made = PublishedList(version, content, public_hex(key), signature)
        event = ListPublished(version, made.sha256, made.key, signature, by)
        book.record(event, *settled, actor=f"office:{by.id}")
    return made


def follow(
    folder: Path, holder: str, key: str, by: Signature | None, settled: Sequence[OfficeEvent] = ()
) -> None:
    """From now on the folder takes the lists of the office with this key; empty: its own again.

    Raises StaffError, OfficeRefused or JournalFault.
    """
    with open_office(folder, holder) as book:
        if by is None and has_list(folder):
            raise StaffError(f"{folder} has a staff list: a shift manager of it signs.")
        actor = "office" if by is None else f"office:{by.id}"
        book.record(RoomListFollowed(key, by), *settled, actor=actor)


def take(folder: Path, holder: str, offered: PublishedList, office: Publisher) -> Outcome:
    """Takes the list that the room offers, or says why not; either is recorded once.

    Raises StaffError if the folder cannot be written, OfficeRefused or JournalFault.
    """
    with open_office(folder, holder) as book:
        now = book.brief.room_list
        if now.key != office.key:
            return "own_list"
        if (offered.version, offered.sha256) == (now.version, book.brief.staff):
            put_in_place(folder, offered.sha256)
            return "taken"
        why = _unused(now, offered, office)
        if why is not None:
            if why not in now.refused:
                event = RoomListRefused(offered.version, offered.sha256, why)
                book.record(event, actor="room")
            return why
        try:
            put_pepper(folder, office.pepper_id, office.pepper)
            write_durably(folder / NEW_FILE, offered.content)
        except OSError as error:
            raise StaffError(f"{folder} cannot be written: {error.strerror}.") from None
        taken = RoomListTaken(offered.version, offered.sha256, offered.signature)
        book.record(taken, actor="room")
        put_in_place(folder, offered.sha256)
    return "taken"


def _unused(now: RoomList, offered: PublishedList, office: Publisher) -> Unused | None:
    """Why a list is not taken; None: it is."""
    given = (office.key, offered.version, offered.sha256, offered.signature)
    if offered.key != office.key or not is_published(*given):
        return "list_forged"
    if offered.version <= now.version:
        return "list_older"
    try:
        version, pepper = published(offered.content)
    except StaffError:
        return "list_unusable"
    return None if (version, pepper) == (offered.version, office.pepper_id) else "list_unusable"
