"""Who may rule: PINs, roles, lock-out, two persons, and the staff command."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.floor import (
    NotAuthorized,
    Role,
    SignIn,
    Staff,
    StaffError,
    check_dealer,
    check_pin,
)
from omaha_table.floor.files import demo_staff, nobody_yet
from omaha_table.floor.staff import PinHash
from omaha_table.journal.staff_list import load_staff
from omaha_table.session import Session
from omaha_table.session.script import run_line
from omaha_table.table import decide
from omaha_table.table.commands import CallFloor
from omaha_table.table.events import FloorArrived
from tests.console.terminal import Terminal
from tests.evenings import PLACED_HILO, codes, of_type, run
from tests.staff_files import person, put_staff, save_staff

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.table import TableState

THREE = "seat 1 A\nseat 2 B\nseat 3 C\nbutton 3\ndeal\n"


def test_a_wrong_pin_and_a_dealers_pin_are_refused_and_recorded() -> None:
    answers = run(
        THREE + 'floor 4710 misdeal "why"\nfloor 1111 misdeal "why"\nfloor 2222 void "why"'
    )
    assert codes(answers) == ["not_authorised"] * 3
    tried = of_type(answers, "authority_refused")
    assert [event["why"] for event in tried] == ["wrong_pin", "not_allowed", "not_allowed"]
    assert not of_type(answers, "ruled")
    assert not of_type(answers, "hand_ended")


def test_the_fifth_failure_locks_for_five_minutes_and_the_next_time_for_ten() -> None:
    now = [1_800_000_000.0]
    ticks = iter(range(100))

    def clock() -> float:
        # The tenth call comes five minutes later.
        return now[0] + (400 if next(ticks) >= 7 else 0)

    wrong = 'floor 9999 misdeal "why"\n'
    right = 'floor 4711 misdeal "why"\n'
    answers = run(THREE + wrong * 5 + right + right + wrong * 5 + right, clock=clock)
    assert codes(answers)[:5] == ["not_authorised"] * 4 + ["locked"]
    assert codes(answers)[5:7] == ["locked", "locked"]
    assert codes(answers)[7:12] == ["not_authorised"] * 4 + ["locked"]
    locks = [e for e in of_type(answers, "authority_refused") if e["locked_until"] > e["at"]]
    seconds = [e["locked_until"] - e["at"] for e in locks if e["why"] != "locked"]
    assert seconds == [300, 600]
    assert not of_type(answers, "ruled")


def test_a_good_ruling_clears_the_count() -> None:
    wrong, right = 'floor 9999 waive "why"\n', 'floor 4711 waive "why"\n'
    answers = run(THREE + wrong * 4 + right + wrong * 4)
    assert codes(answers) == ["not_authorised"] * 8


def test_two_persons_are_two_persons() -> None:
    start = THREE + "3 call\n1 call\n2 check\nflop 7c 5h 2s\n"
    same = run(start + 'floor 4711 4711 void "twice the same"')
    assert codes(same) == ["two_persons"]
    assert not of_type(same, "authority_refused")
    dealer = run(start + 'floor 4711 1111 void "with the dealer"')
    assert codes(dealer) == ["not_authorised"]
    both = run(start + 'floor 4711 4712 void "floor and floor"')
    assert not codes(both)
    assert of_type(both, "ruled")[0]["by"] == ["F1", "F2"]


@pytest.mark.parametrize(
    "line", ["floor 4711 misdeal", 'floor 4711 misdeal ""', "floor 4711 dead 2"]
)
def test_a_ruling_needs_a_reason(line: str) -> None:
    answers = run(THREE + line)
    assert codes(answers) == ["no_reason"]
    assert not of_type(answers, "authority_refused")


@pytest.mark.parametrize("line", ["floor", "floor 4711", 'floor misdeal "why"', "floor 4711 4712"])
def test_half_a_ruling_is_no_command(line: str) -> None:
    assert codes(run(THREE + line)) == ["bad_command"]


def test_no_pin_is_repeated_anywhere() -> None:
    answers = run(THREE + 'floor 4710 misdeal "why"\nfloor 4711 9000 void "why"\nfloor 8642\n')
    text = json.dumps(answers)
    for pin in ("4710", "4711", "9000", "8642"):
        assert pin not in text
    assert "4711" not in repr(demo_staff())


def three_players() -> TableState:
    session = Session(PLACED_HILO, PLACED_HILO.limits[0], demo_staff())
    for line in THREE.splitlines():
        assert not codes(list(run_line(session, 1, line)))
    return session.state


def test_a_floor_that_arrives_after_the_clock_was_moved_back_took_no_time() -> None:
    """Never less than none, whatever the clock says."""
    called = decide(three_players(), CallFloor(at=1_000)).state
    [arrived] = check_pin(called, demo_staff(), "4711", 900).events
    assert isinstance(arrived, FloorArrived)
    assert (arrived.by, arrived.waited) == ("F1", 0)


def test_a_dealer_signs_in_with_the_own_pin_and_with_no_other() -> None:
    state, staff = three_players(), demo_staff()
    assert check_dealer(state, staff, SignIn("D1", "1111"), 0, pin_needed=True) == "pin"
    for wrong in ("4711", "9999"):
        with pytest.raises(NotAuthorized):
            check_dealer(state, staff, SignIn("D1", wrong), 0, pin_needed=True)


def test_the_button_does_not_go_to_a_seat_where_nobody_sits() -> None:
    answers = run("seat 1 A\nseat 2 B\nseat 3 C\nbutton 3\ndeal\n3 fold\n1 fold\npush\n"
                  'floor 4711 button 7 "a slip"\n')  # fmt: skip
    [refused] = of_type(answers, "refused")
    assert refused["message"] == "Nobody is in seat 7."


@pytest.mark.usefixtures("full_pin_cost")
def test_a_hash_of_a_pin_takes_64_mebibytes_and_three_passes() -> None:
    kept = PinHash.of("482155", b"pepper")
    assert (kept.memory_kib, kept.passes) == (64 * 1024, 3)
    assert PinHash(kept.salt, kept.digest).memory_kib == 64 * 1024


@pytest.mark.usefixtures("full_pin_cost")
def test_a_pin_is_kept_as_a_slow_hash_under_a_pepper() -> None:
    kept = PinHash.of("4711", b"pepper")
    assert (kept.memory_kib, kept.passes) == (64 * 1024, 3)
    assert kept.matches("4711", b"pepper")
    assert not kept.matches("4711", b"other pepper")
    assert not kept.matches("4712", b"pepper")
    assert b"4711" not in kept.salt + kept.digest


def test_staff_is_kept_and_changed(tmp_path: Path) -> None:
    save_staff(tmp_path, nobody_yet(tmp_path).add("F1", "Fern", Role.FLOOR, "482155"))
    again = load_staff(tmp_path)
    found = again.identify("482155")
    assert found is not None
    assert (found.id, found.role) == ("F1", Role.FLOOR)
    with pytest.raises(StaffError, match="already in use"):
        again.add("F1", "Another", Role.FLOOR, "987013")
    with pytest.raises(StaffError, match="cannot be used"):
        again.add("F2", "Another", Role.FLOOR, "482155")
    for bad in ("48215", "1" * 13, "48a155", ""):
        with pytest.raises(StaffError, match="6 to 12 digits"):
            again.add("F2", "Another", Role.FLOOR, bad)
    assert again.disable("F1").identify("482155") is None
    changed = again.change_pin("F1", "567201")
    assert changed.identify("482155") is None
    assert changed.identify("567201") is not None
    with pytest.raises(StaffError, match="Unknown staff id"):
        again.disable("F9")


@pytest.mark.parametrize("pin", ["111111", "123456", "654321", "471471", "121212", "890123"])
def test_a_new_pin_is_no_run_and_no_repetition(pin: str) -> None:
    with pytest.raises(StaffError, match="easily guessed"):
        Staff().add("F1", "Fern", Role.FLOOR, pin)


def test_the_pin_of_somebody_disabled_is_nobody_elses() -> None:
    staff = Staff((person("F1", "Fern", Role.FLOOR, "482155", b""),)).disable("F1")
    with pytest.raises(StaffError, match="cannot be used"):
        staff.add("F2", "Finn", Role.FLOOR, "482155")
    found = staff.enable("F1").identify("482155")
    assert found is not None
    assert found.id == "F1"


def test_the_only_shift_manager_is_not_disabled() -> None:
    sam = person("S1", "Sam", Role.SHIFT, "900013", b"")
    staff = Staff((sam, person("S2", "Sue", Role.SHIFT, "900024", b"")))
    assert staff.disable("S2").disable("S2").has_shift_manager
    with pytest.raises(StaffError, match="only shift manager"):
        staff.disable("S2").disable("S1")


def test_the_pepper_is_not_in_the_staff_file_and_without_it_no_pin_fits(tmp_path: Path) -> None:
    put_staff(tmp_path)
    stored = (tmp_path / "staff.json").read_text(encoding="utf-8")
    pepper = (tmp_path / "pepper").read_bytes()
    assert pepper.hex() not in stored
    assert (tmp_path / "staff.json").stat().st_mode & 0o077 == 0
    assert (tmp_path / "pepper").stat().st_mode & 0o077 == 0
    (tmp_path / "pepper").unlink()
    with pytest.raises(StaffError, match="pepper"):
        load_staff(tmp_path)


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"version":9,"people":[]}', "\x00"])
def test_a_broken_staff_file_is_said_so(tmp_path: Path, content: str) -> None:
    (tmp_path / "pepper").write_bytes(b"x" * 32)
    (tmp_path / "staff.json").write_text(content)
    with pytest.raises(StaffError, match="cannot be read"):
        load_staff(tmp_path)


def staff(*arguments: str, stdin: str = "") -> tuple[int, str]:
    done = CliRunner().invoke(omaha_table, ["staff", *arguments], input=stdin)
    return done.exit_code, done.output


def test_who_was_added_rules_and_who_was_disabled_does_not(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "table"))
    signed = ("--by", "S1", *data)
    assert staff("init", "S1", "Sam", *data, stdin="864205\n864205\n")[0] == 0
    made = staff("add", "F1", "Fern Hill", "floor", *signed, stdin="864205\n432155\n432155\n")
    assert made[0] == 0, made
    status, output = staff("list", *data)
    assert status == 0
    assert "F1" in output
    assert "432155" not in output
    assert staff("pin", "F1", *data, stdin="432155\n876501\n876501\n")[0] == 0
    script = "seat 1 A\nseat 2 B\ndraw 1 As\ndraw 2 2s\ndeal\n"
    script += 'floor 876501 misdeal "why"\nfloor 4711 void "why"\n'
    done = subprocess.run(
        [sys.executable, "-m", "omaha_table", "script", "--staff", data[1]],
        input=script,
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert of_type(answers, "ruled")[0]["by"] == ["F1"]
    assert codes(answers) == ["not_authorised"]
    assert staff("disable", "F1", *signed, stdin="864205\n")[0] == 0
    assert "disabled" in staff("list", *data)[1]


def test_on_a_terminal_the_pin_is_asked_for_and_not_echoed(tmp_path: Path) -> None:
    given = ["staff", "init", "S1", "Sam", "--data", str(tmp_path)]
    with Terminal(given) as terminal:
        for prompt in ("New PIN: ", "Repeat the PIN: "):
            terminal.wait(prompt)
            terminal.press(*"864205", "enter", gap=0)
        assert terminal.end() == 0
        assert b"864205" not in terminal.raw
    assert load_staff(tmp_path).identify("864205") is not None


def test_nobody_enrolled_means_nobody_may_rule() -> None:
    assert Staff().identify("4711") is None
