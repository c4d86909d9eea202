"""A staff list that an office publishes: what a table takes, what it refuses, and kills between."""

from __future__ import annotations

import dataclasses
import json
import signal
import subprocess
import sys
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from omaha_table.floor import Role, StaffError
from omaha_table.floor.files import content_of
from omaha_table.journal.keys import public_hex
from omaha_table.journal.office_book import brief_of, open_office, read_office
from omaha_table.journal.pin_desk import PinDesk
from omaha_table.journal.room_list import PublishedList, Publisher, follow, publish, take
from omaha_table.journal.staff_list import change_staff, load_staff
from omaha_table.journal.verification import office_in, verify
from omaha_table.office.decisions import OfficeRefused
from omaha_table.office.events import RoomListRefused, Signature, StaffChanged
from omaha_table.office.published import sign_list
from tests.staff_files import person, put_staff

if TYPE_CHECKING:
    from pathlib import Path

SAM = Signature("S1", "Sam, shift manager", "shift_manager")
FERN, SAMS, NEW = "4711", "9000", "246813"
PEPPER = Publisher("", b"the pepper of the office", "0123456789abcdef")


@dataclass
class Office:
    """An office without its folder: what it would publish."""

    key: Ed25519PrivateKey
    folder: Path

    @property
    def known(self) -> Publisher:
        return dataclasses.replace(PEPPER, key=public_hex(self.key))

    def list(self, version: int, *pins: str, key: Ed25519PrivateKey | None = None) -> PublishedList:
        people = tuple(
            person(f"S{at}", f"Manager {at}", Role.SHIFT, pin, PEPPER.pepper)
            for at, pin in enumerate(pins, 1)
        )
        staff = type(load_staff(self.folder))(people, PEPPER.pepper, PEPPER.pepper_id)
        return self.signed(version, content_of(staff, version), key=key)

    def signed(
        self, version: int, content: bytes, key: Ed25519PrivateKey | None = None
    ) -> PublishedList:
        named = sha256(content).hexdigest()
        signature = sign_list(key or self.key, version, named)
        return PublishedList(version, content, self.known.key, signature)

    def take(self, offered: PublishedList) -> str:
        return take(self.folder, "test", offered, self.known)


@pytest.fixture
def table(tmp_path: Path) -> Office:
    """A table without a list, which takes those of the office."""
    office = Office(Ed25519PrivateKey.generate(), tmp_path / "t7")
    office.folder.mkdir(mode=0o700)
    follow(office.folder, "test", office.known.key, None)
    return office


def whose(folder: Path, *pins: str) -> list[str]:
    staff = load_staff(folder)
    return [pin for pin in pins if staff.identify(pin) is not None]


def test_a_running_table_uses_a_new_list_with_the_next_pin(table: Office) -> None:
    desk = PinDesk(table.folder, "t7", "test")
    assert table.take(table.list(1, SAMS, FERN)) == "taken"
    assert desk.sign("ruling", FERN).person is not None
    assert table.take(table.list(2, SAMS, NEW)) == "taken"
    assert desk.sign("ruling", FERN).person is None
    assert desk.sign("ruling", NEW).person is not None
    assert desk.problem == ""
    assert verify(office_in(table.folder)).sound


def test_the_entry_names_the_version_and_the_hash_that_the_office_signed(table: Office) -> None:
    offered = table.list(3, SAMS)
    table.take(offered)
    brief = brief_of(table.folder)
    assert (brief.room_list.version, brief.staff) == (3, offered.sha256)
    assert (table.folder / "staff.json").read_bytes() == offered.content
    assert table.take(offered) == "taken"
    assert len(read_office(table.folder).others) == 2


def test_the_pepper_lies_apart_from_the_list_for_its_owner_alone(table: Office) -> None:
    table.take(table.list(1, SAMS))
    path = table.folder / f"pepper-{PEPPER.pepper_id}"
    assert path.read_bytes() == PEPPER.pepper
    assert path.stat().st_mode & 0o077 == 0
    assert PEPPER.pepper not in (table.folder / "staff.json").read_bytes()


def refusals(folder: Path) -> list[tuple[int, str]]:
    return [
        (dated.event.version, dated.event.why)
        for dated in read_office(folder).others
        if isinstance(dated.event, RoomListRefused)
    ]


@pytest.mark.parametrize("version", [1, 2])
def test_an_older_list_and_another_of_the_same_version_are_refused(
    table: Office, version: int
) -> None:
    old = table.list(version, SAMS, FERN)
    table.take(table.list(2, SAMS, NEW))
    assert table.take(old) == "list_older"
    assert whose(table.folder, FERN, NEW) == [NEW]
    assert refusals(table.folder) == [(version, "list_older")]


def test_a_list_that_was_forged_is_refused_and_the_table_says_so(table: Office) -> None:
    desk = PinDesk(table.folder, "t7", "test")
    true = table.list(1, SAMS)
    table.take(true)
    other = Ed25519PrivateKey.generate()
    newer = table.list(2, SAMS, FERN)
    forged = [
        table.list(2, SAMS, FERN, key=other),
        dataclasses.replace(table.list(2, FERN, key=other), key=public_hex(other)),
        dataclasses.replace(newer, content=newer.content.replace(b"Manager 2", b"Manager 3")),
        dataclasses.replace(true, version=2),
        dataclasses.replace(newer, version=3),
        dataclasses.replace(newer, version=-1),
        dataclasses.replace(newer, version=1 << 80),
        dataclasses.replace(newer, signature="00"),
        dataclasses.replace(newer, signature="no hex"),
        dataclasses.replace(newer, content=b""),
    ]
    assert [table.take(each) for each in forged] == ["list_forged"] * len(forged)
    assert desk.look()
    assert "the office did not sign, not used" in desk.problem
    assert whose(table.folder, SAMS, FERN) == [SAMS]
    # One entry: a room that lies all night must not fill the disk.
    assert refusals(table.folder) == [(2, "list_forged")]
    assert table.take(newer) == "taken"
    assert desk.look()
    assert desk.problem == ""
    assert verify(office_in(table.folder)).sound


def test_a_signed_list_that_nobody_could_use_is_refused(table: Office) -> None:
    plain = json.loads(table.list(5, SAMS).content)
    dealer = json.loads(json.dumps(plain).replace("shift_manager", "dealer"))
    for content in (
        b"{}", b"[" * 10_000, b"\xff", json.dumps(plain | {"room_version": 4}).encode(),
        json.dumps(plain | {"pepper": "f" * 16}).encode(),
        json.dumps(plain | {"pepper": "../../etc/pw"}).encode(),
        json.dumps(dealer).encode(), json.dumps(plain | {"people": []}).encode(),
    ):  # fmt: skip
        assert table.take(table.signed(5, content)) == "list_unusable", content
    assert load_staff(table.folder).people == ()
    assert table.take(table.list(5, SAMS)) == "taken"


def test_a_folder_with_the_rooms_list_refuses_changes_of_its_own(table: Office) -> None:
    table.take(table.list(1, SAMS, FERN))
    signer = Signature("S1", "Manager 1", "shift_manager")
    change = StaffChanged("disable", "S2", "", "shift_manager", signer, "")
    with pytest.raises(OfficeRefused, match="takes the staff list of the room"):
        change_staff(table.folder, "test", change, lambda staff: staff.disable("S2"))
    assert whose(table.folder, FERN) == [FERN]


def test_a_list_that_is_here_yields_only_to_a_shift_managers_signature(tmp_path: Path) -> None:
    folder = tmp_path / "t7"
    put_staff(folder)
    office = Office(Ed25519PrivateKey.generate(), folder)
    assert office.take(office.list(1, NEW)) == "own_list"
    with pytest.raises(StaffError, match="a shift manager of it signs"):
        follow(folder, "test", office.known.key, None)
    with pytest.raises(OfficeRefused, match="may not"):
        follow(folder, "test", office.known.key, Signature("F1", "Fern", "floor"))
    assert whose(folder, FERN, NEW) == [FERN]
    follow(folder, "test", office.known.key, SAM)
    assert whose(folder, FERN, NEW) == [FERN]
    assert office.take(office.list(1, NEW)) == "taken"
    assert whose(folder, FERN, NEW) == [NEW]


def test_another_office_needs_a_signature_too(table: Office) -> None:
    table.take(table.list(1, SAMS))
    other = Office(Ed25519PrivateKey.generate(), table.folder)
    assert other.take(other.list(9, NEW)) == "own_list"
    with pytest.raises(StaffError, match="a shift manager of it signs"):
        follow(table.folder, "test", other.known.key, None)
    assert whose(table.folder, SAMS, NEW) == [SAMS]


def test_a_folder_that_leaves_the_rooms_list_goes_on_with_it_as_its_own(table: Office) -> None:
    table.take(table.list(1, SAMS, FERN))
    signer = Signature("S1", "Manager 1", "shift_manager")
    follow(table.folder, "test", "", signer)
    change = StaffChanged("disable", "S2", "", "shift_manager", signer, "")
    change_staff(table.folder, "test", change, lambda staff: staff.disable("S2"))
    assert whose(table.folder, SAMS, FERN) == [SAMS]
    assert verify(office_in(table.folder)).sound


def test_an_old_list_put_back_by_hand_is_not_used(table: Office) -> None:
    """The console's user has the files, but not the office's key."""
    table.take(table.list(1, SAMS, FERN))
    old = (table.folder / "staff.json").read_bytes()
    table.take(table.list(2, SAMS, NEW))
    (table.folder / "staff.json").write_bytes(old)
    with pytest.raises(StaffError, match="not changed by the program"):
        load_staff(table.folder)
    desk = PinDesk(table.folder, "t7", "test")
    assert desk.sign("ruling", FERN).person is None
    assert not verify(office_in(table.folder)).sound


# The office


def test_an_office_publishes_its_list_as_it_is(tmp_path: Path) -> None:
    office, table = tmp_path / "office", tmp_path / "t7"
    staff = put_staff(office)
    change = StaffChanged("enable", "F1", "", "floor", SAM, "")
    change_staff(office, "test", change, lambda people: people.enable("F1"))
    first, second = (publish(office, "test", SAM, 0) for _ in range(2))
    assert (first.version, second.version) == (1, 2)
    # An office put back from a backup does not know how far it was; the room does.
    assert publish(office, "test", SAM, 8).version == 9
    assert verify(office_in(office)).sound
    table.mkdir(mode=0o700)
    which = json.loads(first.content)["pepper"]
    known = Publisher(first.key, staff.pepper, which)
    follow(table, "test", known.key, None)
    assert take(table, "test", second, known) == "taken"
    assert whose(table, FERN, SAMS) == [FERN, SAMS]
    assert staff.pepper.hex().encode() not in second.content
    with pytest.raises(OfficeRefused, match="may not publish"):
        publish(office, "test", Signature("F1", "Fern, floor", "floor"), 0)


def test_an_office_list_taken_with_a_wrong_signature_in_the_journal_is_found(
    table: Office,
) -> None:
    """Whoever makes the table's journal again cannot make the office's signature."""
    from omaha_table.office.events import RoomListTaken

    with open_office(table.folder, "test") as book, pytest.raises(OfficeRefused):
        book.record(RoomListTaken(1, "00" * 32, "00" * 64), actor="room")


# Kills

KILLED = """
import os, signal, sys
from pathlib import Path
from omaha_table.journal import room_list
from omaha_table.journal.office_book import OfficeBook
from omaha_table.journal.room_list import PublishedList, Publisher, take

def die(*arguments, **options):
    os.kill(os.getpid(), signal.SIGKILL)

def after(where, name):
    real = getattr(where, name)
    def act(*arguments, **options):
        real(*arguments, **options)
        die()
    setattr(where, name, act)

KILLS = {
    "before anything": lambda: setattr(room_list, "put_pepper", die),
    "after the pepper": lambda: after(room_list, "put_pepper"),
    "after the new list": lambda: after(room_list, "write_durably"),
    "before the entry": lambda: setattr(OfficeBook, "record", die),
    "after the entry": lambda: after(OfficeBook, "record"),
    "after the list is in place": lambda: after(room_list, "put_in_place"),
}
when, folder, version, content, key, signature, pepper, which = sys.argv[1:]
KILLS[when]()
take(Path(folder), "test", PublishedList(int(version), bytes.fromhex(content), key, signature),
     Publisher(key, bytes.fromhex(pepper), which))
"""
DONE = {
    "before anything": False,
    "after the pepper": False,
    "after the new list": False,
    "before the entry": False,
    "after the entry": True,
    "after the list is in place": True,
}


@pytest.mark.parametrize("when", DONE)
def test_a_kill_leaves_the_old_list_or_the_new_one(tmp_path: Path, when: str) -> None:
    folder = tmp_path / "t7"
    put_staff(folder)
    office = Office(Ed25519PrivateKey.generate(), folder)
    follow(folder, "test", office.known.key, SAM)
    offered = office.list(1, NEW)
    words = [when, str(folder), "1", offered.content.hex(), offered.key, offered.signature,
             PEPPER.pepper.hex(), PEPPER.pepper_id]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", KILLED, *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert whose(folder, FERN, NEW) == [NEW if DONE[when] else FERN]
    assert PinDesk(folder, "t7", "test").problem == ""
    verdict = verify(office_in(folder))
    assert verdict.sound, verdict.damage
    assert office.take(offered) == "taken"
    assert whose(folder, FERN, NEW) == [NEW]
