"""`omaha-table setup`: what is asked, what is refused, and what is on the disk afterwards."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.supervisor import Status

from omaha_table.cli import omaha_table, setup
from omaha_table.cli.devices import Port
from omaha_table.cli.table_text import TableAnswers, table_text
from omaha_table.floor.staff import Role, easily_guessed
from omaha_table.journal.staff_list import load_staff
from omaha_table.rules import load_profile, shipped_ids
from omaha_table.session.config import load_table
from tests.journal.days import open_session
from tests.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

PIN = "482915"
TABLE = ("Lucky Club", "t7", "Table Seven", "1", "1", "1", "1")
"""Room, id, title, Big O, 4-8, no shuffler, no shoe."""
STAFF = ("", "Fern Hill", "", PIN, PIN)
"""The offered folder, a name, the offered staff number, a PIN twice."""
ALL = (*TABLE, *STAFF, "", "")
"""With the offered file, and yes."""


@pytest.fixture(autouse=True)
def _at_a_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(setup, "on_terminal", lambda: True)
    monkeypatch.setattr("omaha_table.cli.setup_table.find_ports", list)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.delenv("OMAHA_TABLE_PEPPER", raising=False)
    monkeypatch.setenv("OMAHA_TABLE_COMMAND", "omaha-table")
    monkeypatch.chdir(tmp_path)


def answer(*answers: str, options: tuple[str, ...] = ()) -> Result:
    given = "".join(f"{line}\n" for line in answers)
    return CliRunner().invoke(omaha_table, ["setup", "--no-console", *options], input=given)


def test_the_answers_become_a_table_and_a_supervisor(tmp_path: Path) -> None:
    done = answer(*ALL)
    assert done.exit_code == 0, done.output
    table = load_table(tmp_path / "t7.toml").table
    assert (table.id, table.title, table.room) == ("t7", "Table Seven", "Lucky Club")
    assert (table.rules, table.limit) == (shipped_ids()[0], "4-8")
    data = tmp_path / "share" / "omaha-table" / "t7"
    who = load_staff(data).identify(PIN)
    assert who is not None
    assert (who.id, who.name, who.role) == ("S1", "Fern Hill", Role.SHIFT)
    opens = f"omaha-table console --table {tmp_path}/t7.toml --data {data}"
    assert opens in done.output.replace("\n", " ")
    assert PIN not in done.output
    for path in (tmp_path / "t7.toml", data / "staff.json", data / "pepper"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(data.stat().st_mode) == 0o700


def test_files_named_on_the_command_line_are_not_asked_for(tmp_path: Path) -> None:
    """The table's id is likely the name of its file. What opens it works from any folder."""
    answers = ("", "", "", "", "", "", "", "Fern Hill", "", PIN, PIN, "")
    done = answer(*answers, options=("--table", "t9.toml", "--data", "log"))
    assert done.exit_code == 0, done.output
    assert load_table(tmp_path / "t9.toml").table.title == "Table 9"
    opens = f"  omaha-table console --table {tmp_path}/t9.toml --data {tmp_path}/log"
    assert opens in done.output.splitlines()
    assert (tmp_path / "log" / "staff.json").exists()


def test_a_log_that_is_there_is_said_to_go_on(tmp_path: Path) -> None:
    opened = open_session(tmp_path / "log")
    opened.close()
    done = answer(*TABLE, *STAFF[1:], "", "", options=("--data", "log"))
    assert done.exit_code == 0, done.output
    assert "goes on with its rules and limit" in done.output


def test_the_ports_of_the_machine_are_offered_and_asked_whether_they_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_id = "/dev/serial/by-id/usb-shuffler-if00"
    found = [Port("/dev/ttyUSB0", by_id, "", "USB Serial", "SH-1"), Port("/dev/ttyS0", *[""] * 4)]
    monkeypatch.setattr("omaha_table.cli.setup_table.find_ports", lambda: found)
    asked: list[str] = []

    def nobody(settings: list[DeviceSettings]) -> list[Status]:
        asked.extend(given.port for given in settings)
        return [Status(why="No device at this port.")]

    monkeypatch.setattr("omaha_table.cli.setup_table.who_answers", nobody)
    done = answer(*ALL[:5], "2", "3", "2", "", *ALL[7:])
    assert done.exit_code == 0, done.output
    assert f"  2  {by_id}  USB Serial" in done.output
    assert "No answer yet: No device at this port." in done.output
    assert "the shoe only counts" in done.output
    assert asked == [by_id, "/dev/ttyS0"]
    shuffler, shoe = load_table(tmp_path / "t7.toml").device_settings()
    assert (shuffler.adapter, shuffler.port, shuffler.serial) == ("tdp", by_id, "")
    assert (shoe.adapter, shoe.port) == ("angel_eye", "/dev/ttyS0")


def test_enter_alone_is_enough_but_for_a_name_and_a_pin(tmp_path: Path) -> None:
    done = answer("", "", "", "", "", "", "", "", "Fern Hill", "", PIN, PIN, "", "")
    assert done.exit_code == 0, done.output
    table = load_table(tmp_path / "t1.toml").table
    assert (table.id, table.title, table.room) == ("t1", "Table 1", "")


@pytest.mark.parametrize("left_at", range(len(ALL)))
def test_who_leaves_at_any_question_leaves_nothing(
    left_at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(ALL[:left_at])

    def prompt(text: str = "") -> str:
        for given in answers:
            return given
        raise KeyboardInterrupt

    monkeypatch.setattr("click.termui.visible_prompt_func", prompt)
    monkeypatch.setattr("click.termui.hidden_prompt_func", prompt)
    assert omaha_table.main(["setup", "--no-console"], standalone_mode=False) == 1
    assert list(tmp_path.iterdir()) == []


def test_no_to_the_last_question_writes_nothing(tmp_path: Path) -> None:
    done = answer(*ALL[:-1], "n")
    assert done.exit_code == 1
    assert "Nothing was written." in done.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("at", "refused", "why"),
    [
        (0, "x" * 41, "at most 40 characters"),
        (0, "Lucky\x1b[2J", "without control characters"),
        (1, "../t7", "1 to 32 letters, digits or underscores"),
        (1, "t" * 33, "1 to 32 letters, digits or underscores"),
        (2, "x" * 41, "at most 40 characters"),
        (3, "99", "a number from 1 to 6"),
        (3, "no_rules", "a file that ends in .toml"),
        (3, "missing.toml", "cannot be read"),
        (4, "4-8", "a number from 1 to 4"),
        (5, "2", "a number from 1 to 1"),
        (5, "ttyUSB0", "a path that begins with /"),
        (6, "spy:///dev/shoe", "is not a port"),
        (8, "x" * 41, "1 to 40 printable characters"),
        (10, "4829", "6 to 12 digits"),
        (10, "48291x", "6 to 12 digits"),
        (10, "٤٨٢٩١٥", "6 to 12 digits"),
        (10, "111111", "easily guessed"),
        (10, "123456", "easily guessed"),
        (12, "t7", "ends in .toml"),
        (12, "nowhere/\x07.toml", "name of a file"),
        (13, "perhaps", "Type y or n"),
    ],
)
def test_what_cannot_be_is_refused_in_words_and_asked_again(
    at: int, refused: str, why: str, tmp_path: Path
) -> None:
    done = answer(*ALL[:at], refused, *ALL[at:])
    assert done.exit_code == 0, done.output
    assert why in " ".join(done.output.split())
    # Once as it was typed, and never in an answer to it.
    assert done.output.count("\x1b") <= 1
    assert load_table(tmp_path / "t7.toml").table.title == "Table Seven"


def test_a_question_mark_explains_every_question() -> None:
    explained = [part for given in ALL for part in ("?", given)]
    done = answer(*explained)
    assert done.exit_code == 0, done.output
    plain = answer(*ALL[:-2], "y", "")
    assert len(done.output.splitlines()) >= len(plain.output.splitlines()) + len(ALL)


def test_two_pins_that_differ_are_both_asked_for_again(tmp_path: Path) -> None:
    done = answer(*ALL[:10], PIN, "482916", PIN, PIN, "", "")
    assert done.exit_code == 0
    assert "not the same" in done.output
    assert load_staff(tmp_path / "share" / "omaha-table" / "t7").identify(PIN) is not None


def test_a_file_that_is_there_is_replaced_only_after_a_yes(tmp_path: Path) -> None:
    path = tmp_path / "t7.toml"
    path.write_text("mine")
    done = answer(*ALL[:12], "t7.toml", "n", "other.toml", "")
    assert done.exit_code == 0, done.output
    assert path.read_text() == "mine"
    assert load_table(tmp_path / "other.toml").table.id == "t7"
    named = ("--table", str(path))
    assert answer("n", options=named).exit_code == 1
    assert path.read_text() == "mine"
    # The supervisor is there since the first time.
    done = answer("y", *TABLE, "", "", options=named)
    assert done.exit_code == 0, done.output
    assert "The staff there is kept: Fern Hill (S1)." in done.output
    assert load_table(path).table.id == "t7"


def test_a_folder_that_cannot_be_used_is_named_before_anything_is_asked(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for options in (("--table", "file/t7.toml"), ("--data", "file/data"), ("--table", "t7")):
        done = answer(options=options)
        assert done.exit_code == 2
        assert "cardroom" not in done.output


def test_it_needs_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "on_terminal", lambda: False)
    done = answer(*ALL)
    assert done.exit_code == 2
    assert "needs a terminal" in done.output


def test_rules_of_the_house_are_named_by_their_whole_path(tmp_path: Path) -> None:
    house = tmp_path / "rules" / "ours.toml"
    house.parent.mkdir()
    house.write_bytes((ROOT / "config" / "rules" / "house_omaha_hilo.toml").read_bytes())
    done = answer(*ALL[:3], "rules/ours.toml", *ALL[4:])
    assert done.exit_code == 0, done.output
    table = load_table(tmp_path / "t7.toml")
    assert table.rules == str(house)
    assert load_profile(table.rules).limit(table.table.limit or "") is not None


@pytest.mark.parametrize("rules", shipped_ids())
def test_every_shipped_limit_can_be_written_and_loaded(rules: str, tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    for limit in load_profile(rules).limits:
        path.write_text(table_text(TableAnswers("t", "T", "", rules, limit.id)))
        table = load_table(path)
        assert load_profile(table.rules).limit(table.table.limit or "") == limit


@pytest.mark.parametrize(
    "name", ['"', "\\", 'a"b\\"c', "# no comment", "[table]", "'''", '"""', "Café Ω 四", "=", " x "]
)
def test_a_name_is_read_back_as_it_was_typed(name: str, tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    shoe = DeviceSettings("shoe", "shoe", "tdp", f"/dev/{name}", serial=name)
    answers = TableAnswers("t", name, name, "ca_big_o", "4-8", None, shoe, f"/keys/{name}")
    path.write_text(table_text(answers), encoding="utf-8")
    config = load_table(path)
    assert (config.table.title, config.table.room) == (name, name)
    assert config.table.surveillance_key == f"/keys/{name}"
    [given] = config.device_settings()
    assert (given.port, given.serial, given.adapter) == (f"/dev/{name}", name, "tdp")


@pytest.mark.parametrize(
    ("pin", "easy"),
    [
        ("111111", True),
        ("123456", True),
        ("987654", True),
        ("890123", True),
        ("121212", True),
        ("112233", True),
        ("123321", True),
        ("471471", True),
        ("47474747", True),
        ("482915", False),
        ("471472", False),
        ("135791", False),
    ],
)
def test_runs_and_repetitions_are_easily_guessed(pin: str, easy: bool) -> None:
    assert easily_guessed(pin) is easy
