"""Writes an office journal and is killed on the way, at one of its calls or at a random moment.

`python -m tests.journal.killed_office FOLDER WHAT EVERY` does WHAT in copies of FOLDER, each time
in a process of its own that is killed EVERY calls later than the one before. After each kill all is
checked, and again when the next entry is written. It prints how many kills there were.

`python -m tests.journal.killed_office FOLDER append` writes entries until it is killed, and prints
the number of each once it is recorded.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from omaha_table.cli.enroll import enroll
from omaha_table.journal.office_book import open_office, read_office
from omaha_table.journal.staff_list import change_staff, load_staff
from omaha_table.journal.verification import office_in, verify
from omaha_table.journal.writer import Clock
from omaha_table.office.events import HandNoted, Signature, StaffChanged, TableEnrolled
from tests.journal.days import raw
from tests.office.people import PINS, make_staff, pins, recorded

SIGNED = Signature("F1", "Fern", "floor")
MANAGER = Signature("S1", "Name of S1", "shift_manager")


def in_year(year: int, month: int = 6) -> Clock:
    at = datetime(year, month, 1, 12, tzinfo=UTC).timestamp()
    return Clock(lambda: at, lambda: 1000.0)


def write(folder: Path, note: str, clock: Clock | None = None) -> int:
    with open_office(folder, "a test", clock) as book:
        return book.record(HandNoted("t7 2026-01-01 1", note, SIGNED), actor="office:F1")


def written(folder: Path) -> list[str]:
    notes = read_office(folder).notes
    return [noted.event.note for one in notes.values() for noted in one]


YEARS = {"turn": 2026, "entry": 2025, "first": 2025}


def retire(folder: Path) -> None:
    """A change of the staff list, without the command and its PIN."""
    change = StaffChanged("disable", "F2", "Name of F2", "floor", MANAGER, "")
    change_staff(folder, "a test", change, lambda staff: staff.disable("F2"))


def killed_at(call: int, folder: Path, what: str) -> bool:
    """Whether it was killed; False: it had ended before."""
    child = os.fork()
    if not child:
        left = call

        def count(frame: Any, event: str, given: Any) -> None:
            nonlocal left
            if event in ("call", "c_call"):
                left -= 1
                if not left:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.setprofile(count)
        if what == "enroll":
            go_on(folder)
        elif what in ("staff", "list"):
            retire(folder)
        else:
            write(folder, "the second", in_year(YEARS[what]))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status:
        assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL
    return bool(status)


def go_on(folder: Path) -> str:
    """A shift manager goes on after the damage."""
    given = ["--data", str(folder), "--office", "--reason", "a test", "--by", "S1"]
    return CliRunner().invoke(enroll, given, input=pins("S1")).output


def damage(folder: Path) -> None:
    make_staff(folder)
    for number in range(9):
        write(folder, f"note {number}")
    with closing(raw(office_in(folder)[0])) as db, db:
        db.execute("DELETE FROM event WHERE seq = 14")


def check_enrolled(folder: Path, call: int) -> None:
    """The same command again ends what a kill cut short, and does nothing where it had ended."""
    said = go_on(folder)
    assert "enrolled by S1" in said or "is sound" in said, (call, said)
    write(folder, "after")
    broken, segment = office_in(folder)
    assert written(folder)[-1] == "after"
    assert [found.file for found in verify(office_in(folder)).damage] == [broken.name], call
    assert len([one for one in recorded(folder) if isinstance(one, TableEnrolled)]) == 1
    assert segment.stem == f"{broken.stem}b"


def check_staff(folder: Path, call: int) -> None:
    """The old list or the new one is there, named and usable, and the change can be made."""
    verdict = verify(office_in(folder))
    assert verdict.sound, (call, verdict.damage)
    found = load_staff(folder)
    assert len(found.people) == len(PINS), call
    assert {who.id for who in found.people if who.disabled} in (set(), {"F2"}), call
    retire(folder)
    assert load_staff(folder).get("F2").disabled, call
    verdict = verify(office_in(folder))
    assert verdict.sound, (call, verdict.damage)


def check_after(folder: Path, what: str, call: int) -> None:
    if what == "enroll":
        check_enrolled(folder, call)
        return
    if what in ("staff", "list"):
        check_staff(folder, call)
        return
    verdict = verify(office_in(folder))
    assert verdict.sound, (call, verdict.damage)
    before = [] if what == "first" else ["the first"]
    write(folder, "the third", in_year(YEARS[what]))
    found = written(folder)
    assert found in ([*before, "the third"], [*before, "the second", "the third"]), (call, found)
    verdict = verify(office_in(folder))
    assert verdict.sound, (call, verdict.damage)
    files = [path.name for path in office_in(folder)]
    assert len(files) == (2 if what == "turn" else 1), (call, files)


def kill_everywhere(folder: Path, what: str, every: int) -> int:
    kills, call = 0, 1
    if what == "enroll":
        damage(folder)
        go_on(shutil.copytree(folder, folder.with_name("loaded")))
    elif what in ("staff", "list"):
        make_staff(folder)
        if what == "staff":
            write(folder, "before")
            retire(folder)
            change = StaffChanged("enable", "F2", "Name of F2", "floor", MANAGER, "")
            change_staff(folder, "a test", change, lambda staff: staff.enable("F2"))
        retire(shutil.copytree(folder, folder.with_name("loaded")))
    elif what != "first":
        write(folder, "the first", in_year(2025))
    while True:
        copy = folder.with_name(f"{folder.name}-{call}")
        if folder.exists():
            shutil.copytree(folder, copy)
        if not killed_at(call, copy, what):
            return kills
        check_after(copy, what, call)
        shutil.rmtree(copy)
        kills, call = kills + 1, call + every


if __name__ == "__main__":
    where, task, *often = sys.argv[1:]
    if task != "append":
        print(kill_everywhere(Path(where), task, int(often[0])))
    else:
        number = 0
        while True:
            write(Path(where), f"note {number}")
            print(number, flush=True)
            number += 1
