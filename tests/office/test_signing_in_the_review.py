"""The review on a terminal: a box is counted with PINs that no screen shows, by real hashes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omaha_table.floor.files import nobody_yet
from omaha_table.floor.staff import Role
from omaha_table.journal.days import office_files
from omaha_table.journal.office_book import read_office
from tests.console.terminal import Terminal
from tests.office.evening import run
from tests.staff_files import save_staff

if TYPE_CHECKING:
    from pathlib import Path

PINS = {"F1": "582947", "S1": "305816"}


@pytest.fixture
def real(data: Path) -> Path:
    """The evening with PINs hashed as the product does it: a tenth of a second and more each."""
    people = nobody_yet(data)
    (data / "staff.json").unlink()
    people = nobody_yet(data)
    people = people.add("F1", "Fern Hill", Role.FLOOR, PINS["F1"])
    save_staff(data, people.add("S1", "Sam Vale", Role.SHIFT, PINS["S1"]))
    return data


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_a_short_box_is_counted_corrected_and_reviewed_with_pad_keys(
    real: Path, tmp_path: Path, size: tuple[int, int]
) -> None:
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    with Terminal(["review", "--data", str(real)], size=size, env=env) as terminal:

        def then(seen: str, *keys: str) -> None:
            terminal.wait(seen)
            terminal.press(*keys, gap=0.03)

        then("4 hands", "4")
        then("not counted", "2")
        then("shift swing", "+")
        then("how much was in box B7?", *"60", "enter")
        then("how much was in jackpot box J7?", "3", "enter")
        then("First signature: who counted?", "1")
        then("PIN of F1 Fern Hill", *"111222", "enter")
        then("Wrong PIN: 4 tries left.", *PINS["F1"])
        then("••••••", "enter")
        then("Second signature: who counted?", "1")
        then("Two different persons", "2")
        then("PIN of S1 Sam Vale", *PINS["S1"], "enter")
        then("$51 over. Signed by F1 Fern Hill and S1 Sam Vale.", "+")
        then("how much was in box B7?", "6", "enter")
        then("how much was in jackpot box J7?", "3", "enter")
        then("It was counted as $60 and $3.", "1")
        then("First signature: who counted?", "1")
        then("PIN of F1", *PINS["F1"], "enter")
        then("Second signature: who counted?", "2")
        then("PIN of S1", *PINS["S1"], "enter")
        then("before: $60 and $3 (F1, S1, ", "5")
        then("agrees   open", "*")
        then("$3 short: why?", "1")
        then("Who explains it?", "1")
        then("PIN of F1", *PINS["F1"], "enter")
        then("agrees   explained", "*")
        then("what came of it?", "2")
        then("Who closes it?", "1")
        then("PIN of S1", *PINS["S1"], "enter")
        terminal.wait("Closed, signed by S1 Sam Vale.")
        assert "$3 short" in terminal.wait("agrees   closed")
        then("Brackets", "4")
        then("corrected: typed wrong", "2", "2")
        then("explained by F1 Fern Hill: fee not taken", ".", ".", ".", ".")
        assert terminal.end(30.0) == 0
        raw = terminal.raw.decode("utf-8", "replace")
    assert not any(pin in raw for pin in (*PINS.values(), "111222"))
    [counts] = read_office(real).counts.values()
    assert [c.event.counted for c in counts] == [6000, 600]
    [journal] = office_files(real)
    assert not any(pin.encode() in journal.read_bytes() for pin in (*PINS.values(), "111222"))
    assert run("verify", real).exit_code == 0


def test_the_box_of_an_open_shift_is_not_counted(real: Path, tmp_path: Path) -> None:
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    with Terminal(["review", "--data", str(real)], env=env) as terminal:
        terminal.wait("4 hands")
        terminal.press("4")
        terminal.wait("shift late")
        terminal.press("+")
        terminal.wait("Shift late is still open at t7")
        terminal.press(".", ".", ".")
        assert terminal.end(30.0) == 0
    assert office_files(real) == []


def test_notes_and_tags_are_signed_once_a_session(real: Path, tmp_path: Path) -> None:
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    with Terminal(["review", "--data", str(real)], size=(120, 40), env=env) as terminal:
        terminal.wait("4 hands")
        terminal.press("+", "1")
        terminal.wait("Who writes notes and tags?")
        terminal.press("1", *PINS["F1"], "enter")
        terminal.wait("note: pull the tape (F1)")
        terminal.press("*")
        terminal.wait("*look")
        terminal.press("2", "+", "2")
        terminal.wait("note: nothing wrong (F1)")
        terminal.press(".", ".")
        assert terminal.end(30.0) == 0
    records = read_office(real)
    assert sorted(n.event.note for notes in records.notes.values() for n in notes) == [
        "nothing wrong",
        "pull the tape",
    ]
    assert list(records.tags.values()) == [{"look"}]


def test_a_damaged_office_journal_is_said_by_the_review(real: Path, tmp_path: Path) -> None:
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    typed = ("--box", "6", "--signed", "F1", "--signed", "S1")
    done = run("report", "shift", "swing", *typed, "--data", real, pins=(PINS["F1"], PINS["S1"]))
    assert done.exit_code == 0, done.output
    [journal] = office_files(real)
    journal.write_bytes(journal.read_bytes().replace(b'"counted":600,', b'"counted":900,'))
    with Terminal(["review", "--data", str(real)], env=env) as terminal:
        terminal.wait("The office journal is damaged")
        terminal.press("4", "2")
        assert "not counted" in terminal.wait("shift swing")
        terminal.press("+")
        terminal.wait("Nothing can be recorded.")
        terminal.press(".", ".", ".")
        assert terminal.end(30.0) == 0
