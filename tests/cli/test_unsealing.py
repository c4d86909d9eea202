"""Who may open face-down cards, and what is on record before anybody sees one."""

from __future__ import annotations

import random
import re
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from omaha_table.cli.keyfiles import make_pair, read_office_key
from omaha_table.cli.unseal import unseal
from omaha_table.journal.reader import Reader
from omaha_table.office.events import PinAccepted, PinRefused, Unsealed
from tests.console.terminal import Terminal
from tests.journal.days import forge, journal_file, open_session, raw, say
from tests.journal.sealing import DEALT, DECKED, HELD, START
from tests.office.people import PINS, check_office, make_staff, pins, recorded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.journal.days import Line

CASE = ("--case", "26-117", "--reason", "collusion report")
BOTH = ("--signed", "F1", "--signed", "S1")


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hand whose cards were sealed, the table's folder, the safe, and the office's staff."""
    folder = tmp_path_factory.mktemp("dealt")
    make_pair(folder / "safe")
    session = open_session(
        folder / "data", office=read_office_key(folder / "safe" / "surveillance.public")
    )
    say(session, *START, *DEALT, "fold", "push")
    session.close()
    make_staff(folder / "office")
    return folder


@pytest.fixture
def place(dealt: Path, tmp_path: Path) -> Path:
    """The same, with a copy of the journal as the office gets it."""
    shutil.copytree(dealt, tmp_path, dirs_exist_ok=True)
    (tmp_path / "copy").mkdir()
    shutil.copy(journal_file(tmp_path / "data"), tmp_path / "copy")
    return tmp_path


def words(place: Path, *more: str, journal: Path | None = None, signed: tuple[str, ...] = BOTH,
          case: tuple[str, ...] = CASE) -> list[str]:  # fmt: skip
    return [
        str(journal or journal_file(place / "copy")), "--hand", "1",
        "--key", str(place / "safe" / "surveillance.private"),
        "--office", str(place / "office"), *signed, *case, *more,
    ]  # fmt: skip


def run(given: list[str], typed: str) -> Result:
    done = CliRunner().invoke(unseal, given, input=typed)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def unsealings(place: Path) -> list[Unsealed]:
    return [event for event in recorded(place / "office") if isinstance(event, Unsealed)]


def shows_no_card(text: str) -> bool:
    return not set(re.findall(r"\b[2-9TJQKA][cdhs]\b", text))


# The record


def test_two_persons_sign_and_it_is_recorded_what_was_opened_why_and_by_whom(place: Path) -> None:
    done = run(words(place, "--seat", "2"), pins("F1", "S1"))
    assert (done.exit_code, done.stdout.split()) == (0, HELD[2])
    [event] = unsealings(place)
    journal = journal_file(place / "copy")
    assert (event.table, event.day) == ("t7", journal.stem.removeprefix("t7-"))
    assert (event.log, event.first_hand, event.last_hand) == (journal.name, 1, 1)
    assert (event.seats, event.case, event.reason) == ((2,), "26-117", "collusion report")
    assert [(who.id, who.role) for who in event.by] == [("F1", "floor"), ("S1", "shift_manager")]
    assert [who.name for who in event.by] == ["Name of F1", "Name of S1"]
    assert (event.at_the_table, event.not_sound) == (False, "")
    assert check_office(place / "office").sound
    [year] = (place / "office").glob("office-*.journal")
    with Reader(year) as reader:
        [row] = [row for row in reader.since() if row.kind == "unsealed"]
    assert row.actor == "office:F1+S1"


def test_all_seats_and_a_range_of_hands_are_recorded_as_such(place: Path) -> None:
    given = words(place)
    given[given.index("1")] = "1-5"
    assert run(given, pins("F1", "S1")).exit_code == 0
    [event] = unsealings(place)
    assert (event.first_hand, event.last_hand, event.seats) == (1, 5, ())


def test_the_old_list_beside_the_key_is_not_written_any_more(place: Path) -> None:
    before = sorted(path.name for path in (place / "safe").iterdir())
    assert run(words(place), pins("F1", "S1")).exit_code == 0
    assert sorted(path.name for path in (place / "safe").iterdir()) == before


def test_an_attempt_with_another_key_is_recorded_and_shows_nothing(place: Path) -> None:
    shutil.rmtree(place / "safe")
    make_pair(place / "safe")
    done = run(words(place), pins("F1", "S1"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "seat 2: cannot be opened" in done.stderr
    assert len(unsealings(place)) == 1


# Who may


@pytest.mark.parametrize("pair", [("F1", "S1"), ("F1", "A1"), ("S1", "A1"), ("S1", "S2")])
def test_one_of_the_two_is_a_shift_manager_or_an_auditor(
    place: Path, pair: tuple[str, str]
) -> None:
    signed = ("--signed", pair[0], "--signed", pair[1])
    assert run(words(place, "--seat", "1", signed=signed), pins(*pair)).stdout.split() == HELD[1]


@pytest.mark.parametrize(
    ("pair", "typed", "said"),
    [
        (("F1", "F2"), pins("F1", "F2"), "one of them must be a shift manager or an auditor"),
        (("F1", "S1"), pins("F1", "F1"), "Wrong PIN: 4 tries left"),
        (("F1", "S1"), pins("S1", "S1"), "Wrong PIN: 4 tries left"),
        (("D1", "S1"), pins("D1", "S1"), "may not unseal face-down cards"),
        (("S1", "D1"), pins("S1", "D1"), "may not unseal face-down cards"),
        (("F1", "S9"), pins("F1", "S1"), "Wrong PIN"),
        (("F1", "S1"), "", "No PIN was entered"),
        (("F1", "S1"), pins("F1"), "No PIN was entered"),
        (("F1", "S1"), "\n\n", "Wrong PIN"),
    ],
)
def test_nothing_is_opened_without_two_signatures_that_fit(
    place: Path, pair: tuple[str, str], typed: str, said: str
) -> None:
    signed = ("--signed", pair[0], "--signed", pair[1])
    done = run(words(place, signed=signed), typed)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    assert unsealings(place) == []
    assert shows_no_card(done.stderr)


@pytest.mark.parametrize(
    "signed",
    [
        ("--signed", "S1"),
        ("--signed", "S1", "--signed", "S1"),
        ("--signed", "F1", "--signed", "S1", "--signed", "A1"),
    ],
)
def test_two_different_persons_are_named(place: Path, signed: tuple[str, ...]) -> None:
    done = run(words(place, signed=signed), pins("S1", "S1", "A1"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "Two different persons sign" in done.stderr
    assert recorded(place / "office") == []


def test_a_disabled_person_signs_for_nothing(place: Path) -> None:
    make_staff(place / "office", disabled="S1")
    done = run(words(place), pins("F1", "S1"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "This PIN is disabled" in done.stderr


def test_wrong_pins_lock_the_person_named_and_nobody_else(place: Path) -> None:
    for _ in range(5):
        run(words(place), f"{PINS['F1']}\n0000\n")
    done = run(words(place), pins("F1", "S1"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "S1 is locked for 5 minutes" in done.stderr
    refused = [event for event in recorded(place / "office") if isinstance(event, PinRefused)]
    assert {(event.purpose, event.person) for event in refused} == {("unseal", "S1")}
    other = ("--signed", "F1", "--signed", "A1")
    assert run(words(place, "--seat", "2", signed=other), pins("F1", "A1")).exit_code == 0


def test_a_pin_after_a_wrong_one_is_recorded_too(place: Path) -> None:
    run(words(place), f"{PINS['F1']}\n0000\n")
    run(words(place), pins("F1", "S1"))
    kinds = [type(event) for event in recorded(place / "office")]
    assert kinds == [PinRefused, PinAccepted, Unsealed]


@pytest.mark.parametrize(
    "case",
    [
        ("--case", " ", "--reason", "collusion"),
        ("--case", "1 ", "--reason", "collusion"),
        ("--case", "26-1", "--reason", "  x"),
        ("--case", "26-1", "--reason", ""),
    ],
)
def test_an_opening_without_a_case_or_a_reason_is_refused(
    place: Path, case: tuple[str, ...]
) -> None:
    done = run(words(place, case=case), pins("F1", "S1"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "case number and a reason" in done.stderr
    assert recorded(place / "office") == []


# Where


def test_on_the_tables_own_machine_it_takes_force_and_is_recorded_as_that(place: Path) -> None:
    journal = journal_file(place / "data")
    done = run(words(place, journal=journal), pins("F1", "S1"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "its signing key lies there" in done.stderr
    assert unsealings(place) == []
    done = run(words(place, "--seat", "2", "--force", journal=journal), pins("F1", "S1"))
    assert (done.exit_code, done.stdout.split()) == (0, HELD[2])
    [event] = unsealings(place)
    assert event.at_the_table


def test_a_link_elsewhere_is_still_the_tables_machine(place: Path) -> None:
    journal = journal_file(place / "data")
    link = place / "copy" / f"link-{journal.name}"
    link.symlink_to(journal)
    done = run(words(place, journal=link), pins("F1", "S1"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "the table's own folder" in done.stderr
    assert run(words(place, "--force", journal=link), pins("F1", "S1")).exit_code == 0
    assert [event.at_the_table for event in unsealings(place)] == [True]


def test_the_next_key_alone_tells_the_tables_machine_as_well(place: Path) -> None:
    (place / "data" / "t7.key").rename(place / "data" / "t7.next")
    done = run(words(place, journal=journal_file(place / "data")), pins("F1", "S1"))
    assert "its signing key lies there" in done.stderr


def test_a_renamed_copy_in_the_tables_folder_is_still_at_the_table(place: Path) -> None:
    renamed = place / "data" / "x.journal"
    shutil.copy(journal_file(place / "data"), renamed)
    done = run(words(place, journal=renamed), pins("F1", "S1"))
    assert "its signing key lies there" in done.stderr


def test_force_away_from_the_table_is_not_recorded_as_at_the_table(place: Path) -> None:
    assert run(words(place, "--force"), pins("F1", "S1")).exit_code == 0
    [event] = unsealings(place)
    assert not event.at_the_table


def test_the_tables_folder_is_no_folder_of_the_office(place: Path) -> None:
    make_staff(place / "data")
    given = words(place)
    given[given.index(str(place / "office"))] = str(place / "data")
    done = run(given, pins("F1", "S1"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "recorded in a folder of the office" in done.stderr
    assert not list((place / "data").glob("office-*"))


@pytest.mark.parametrize("missing", ["folder", "list"])
def test_an_office_without_a_staff_list_opens_nothing(place: Path, missing: str) -> None:
    if missing == "folder":
        shutil.rmtree(place / "office")
    else:
        (place / "office" / "staff.json").unlink()
    done = run(words(place), pins("F1", "S1"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "No staff yet" in done.stderr


# A journal that is not sound


def test_a_journal_that_is_not_sound_is_said_before_and_recorded(place: Path) -> None:
    def later(lines: list[Line]) -> None:
        lines[-1].body["head"] = "00" * 32

    journal = journal_file(place / "copy")
    forge(journal, later, "leave")
    done = run(words(place, "--seat", "2"), "")
    assert "The journal is not sound." in done.stderr
    assert "This is recorded with the opening." in done.stderr
    done = run(words(place, "--seat", "2"), pins("F1", "S1"))
    assert (done.exit_code, done.stdout.split()) == (0, HELD[2])
    [event] = unsealings(place)
    assert journal.name in event.not_sound
    assert "seal" in event.not_sound


def test_cards_under_a_changed_row_stay_closed_and_the_others_open(place: Path) -> None:
    with raw(journal_file(place / "copy")) as db:
        rows = db.execute("SELECT seq, body FROM event WHERE kind = 'card_sealed'").fetchall()
        seq, body = rows[0]
        swapped = body.replace('"commitment":"', '"commitment":"00').replace("00", "11", 1)
        db.execute("UPDATE event SET body = ? WHERE seq = ?", (swapped, seq))
    done = run(words(place), pins("F1", "S1"))
    assert done.exit_code == 2
    assert done.stdout == f"hand 1, seat 1: {' '.join(HELD[1])}\n"
    assert "hand 1, seat 2: cannot be opened" in done.stderr
    assert shows_no_card(done.stderr)


# The record comes first


@pytest.mark.parametrize("how", ["damaged", "a folder", "busy"])
def test_an_opening_that_cannot_be_recorded_shows_nothing(place: Path, how: str) -> None:
    office = place / "office"
    assert run(words(place), pins("F1", "S1")).exit_code == 0
    [year] = office.glob("office-*.journal")
    holder = None
    if how == "damaged":
        year.write_bytes(b"x" * 4096)
    elif how == "a folder":
        year.unlink()
        year.mkdir()
    else:
        code = (
            "import sys; from pathlib import Path\n"
            "from omaha_table.journal.office_book import open_office\n"
            "with open_office(Path(sys.argv[1]), 'a test'):\n"
            "    print('held', flush=True); sys.stdin.read()\n"
        )
        holder = subprocess.Popen(
            [sys.executable, "-c", code, str(office)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
    done = run(words(place), pins("F1", "S1"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "The office journal cannot be written" in done.stderr
    assert shows_no_card(done.stderr)
    if holder is not None:
        holder.communicate()


KILLED = """
import os, signal, sys
from omaha_table.cli import unseal
def killed(*given, **named):
    os.kill(os.getpid(), signal.SIGKILL)
setattr(unseal, sys.argv.pop(1), killed)
unseal.unseal()
"""


@pytest.mark.parametrize(
    ("at", "records"), [("_record", 0), ("_show", 1), ("open_as_office", 1), ("signed_by", 0)]
)
def test_a_kill_around_the_record_shows_no_card(place: Path, at: str, records: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED, at, *words(place)],
        input=pins("F1", "S1"), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (-signal.SIGKILL, "")
    assert len(unsealings(place)) == records


def test_after_a_kill_at_any_moment_what_was_shown_is_on_record(place: Path) -> None:
    chance = random.Random(20)
    before, shown = 0, 0
    for _ in range(8):
        command = [sys.executable, "-m", "omaha_table", "unseal", *words(place)]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True,
        ) as process:  # fmt: skip
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(pins("F1", "S1"))
            process.stdin.close()
            time.sleep(chance.uniform(0.3, 1.6))
            process.kill()
            out = process.stdout.read()
        after = len(unsealings(place)) if list((place / "office").glob("office-*")) else 0
        assert after - before in (0, 1)
        assert not out or after == before + 1
        before, shown = after, shown + bool(out)
    assert check_office(place / "office").sound


# Leaks


def files_in_all(place: Path) -> Iterator[Path]:
    return (path for path in place.rglob("*") if path.is_file())


def test_the_cards_are_on_standard_output_and_nowhere_else(place: Path) -> None:
    before = {path: path.read_bytes() for path in files_in_all(place)}
    done = subprocess.run(
        [sys.executable, "-m", "omaha_table", "unseal", *words(place)],
        input=pins("F1", "S1"), capture_output=True, text=True, check=True,
        env={"HOME": str(place), "PATH": "/usr/bin:/bin"} | {"PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    cards = set(DECKED[:10])
    assert cards <= set(done.stdout.split())
    assert shows_no_card(done.stderr)
    new = {path for path in files_in_all(place) if before.get(path) != path.read_bytes()}
    assert any(path.name.startswith("office-") for path in new)
    # The ballast is random bytes, among which anything can be found.
    for path in (path for path in new if path.suffix != ".ballast"):
        content = path.read_bytes()
        for card in cards:
            assert not re.search(rb"(?<!\w)" + card.encode() + rb"(?!\w)", content), path.name


def test_on_a_terminal_both_pins_are_asked_for_and_not_shown(place: Path) -> None:
    with Terminal(["unseal", *words(place, "--seat", "2")], size=(100, 24)) as terminal:
        for number in ("F1", "S1"):
            terminal.wait(f"PIN of {number}:")
            terminal.press(*PINS[number], "enter")
        terminal.wait(" ".join(HELD[2]))
        shown = terminal.raw.decode()
    assert PINS["F1"] not in shown
    assert PINS["S1"] not in shown
    assert len(unsealings(place)) == 1
