"""The demo's staff, whose PINs are in the README, rules the demo and what is kept nowhere."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.floor import StaffError
from omaha_table.journal.office_book import brief_of
from omaha_table.journal.pin_desk import PinDesk
from omaha_table.journal.verification import files_in, office_in, verify
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evenings import codes, of_type
from tests.staff_files import put_staff

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = 'seat 1 A\nseat 2 B\ndraw 1 As\ndraw 2 2s\ndeal\nfloor 4711 misdeal "boxed card"\n'


def script(*arguments: str) -> list[dict[str, Any]]:
    done = CliRunner().invoke(omaha_table, ["script", *arguments], input=SCRIPT)
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def demo_session(folder: Path) -> Session:
    profile = load_profile("ca_big_o")
    desk = PinDesk(folder, "t7", "test", demo=True)
    return Session.on_journal(folder, "t7", profile, profile.limits[0], desk)


def test_a_script_that_keeps_nothing_has_the_demos_staff() -> None:
    assert [ruled["by"] for ruled in of_type(script(), "ruled")] == [["F1"]]


def test_a_log_without_a_staff_list_has_no_rulings(tmp_path: Path) -> None:
    answers = script("--data", str(tmp_path))
    assert codes(answers) == ["not_authorised"]
    assert "staff init" in of_type(answers, "refused")[0]["message"]
    assert not of_type(answers, "authority_refused")


def test_a_log_of_the_demo_is_marked_from_its_first_event_on(tmp_path: Path) -> None:
    session = demo_session(tmp_path)
    assert [
        answer
        for line in ('seat 1 A\nseat 2 B\nfloor 9999 close "x x x"\nfloor 4711 close "the end"')
        .splitlines()
        for answer in run_line(session, 1, line)
        if answer["type"] == "ruled"
    ]  # fmt: skip
    session.close()
    verdict = verify([*files_in(tmp_path), *office_in(tmp_path)])
    assert verdict.sound, verdict.damage
    assert len(verdict.demo) == 2, "the table's log and the office journal"
    assert brief_of(tmp_path).demo
    demo_session(tmp_path).close()
    assert len(verify(files_in(tmp_path)).demo) == 2, "and so is the day after it"
    said = CliRunner().invoke(omaha_table, ["verify", str(tmp_path)]).output
    assert "everybody knows the PINs of its staff" in " ".join(said.split())
    as_json = CliRunner().invoke(omaha_table, ["verify", "--json", str(tmp_path)]).output
    assert len(json.loads(as_json)["demo"]) == 3


def test_a_report_of_the_demo_says_so(tmp_path: Path) -> None:
    session = demo_session(tmp_path)
    for line in ("seat 1 A", "seat 2 B", "draw 1 As", "draw 2 2s", "deal", "fold", "push"):
        for answer in run_line(session, 1, line):
            assert answer["type"] != "refused"
    session.close()
    words = ["report", "hand", "1", "--data", str(tmp_path)]
    assert "DEMO: t7-" in CliRunner().invoke(omaha_table, words).output


def test_the_demo_takes_no_log_and_no_folder_of_a_real_table(tmp_path: Path) -> None:
    script("--data", str(tmp_path / "log"), "--table", "t7")
    with pytest.raises(StaffError, match="log of a real table"):
        demo_session(tmp_path / "log")
    put_staff(tmp_path / "staff")
    with pytest.raises(StaffError, match="folder of a real table"):
        demo_session(tmp_path / "staff")


def test_a_real_table_does_not_take_the_mark_off(tmp_path: Path) -> None:
    demo_session(tmp_path).close()
    [journal] = files_in(tmp_path)
    answers = script("--data", str(tmp_path), "--table", "t7")
    assert codes(answers) == ["not_authorised"]
    assert verify([journal]).demo == [journal.name]


def test_a_demos_folder_gets_no_staff(tmp_path: Path) -> None:
    session = demo_session(tmp_path)
    list(run_line(session, 1, 'floor 9999 close "x x x"'))
    session.close()
    words = ["staff", "init", "S1", "Sam", "--data", str(tmp_path)]
    done = CliRunner().invoke(omaha_table, words, input="482155\n482155\n")
    assert done.exit_code == 2
    assert "is the demo's" in done.output
