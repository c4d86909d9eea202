"""Who opens and closes shifts and days, as the table's file says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.floor import Authority
from omaha_table.floor.files import demo_staff
from omaha_table.journal.verification import files_in, verify
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.config import ConfigError, load_table
from omaha_table.session.language import without_secrets
from omaha_table.session.script import run_line
from tests.console.scenes import Table
from tests.evenings import codes, of_type

if TYPE_CHECKING:
    from pathlib import Path


class Room:
    def __init__(self, **settings: Any) -> None:
        profile = load_profile("ca_big_o")
        authority = Authority(**settings)
        self.session = Session(
            profile, profile.limits[0], demo_staff(), lambda: 1_800_000_000.0, authority=authority
        )

    def say(self, *lines: str) -> list[dict[str, Any]]:
        return [answer for line in lines for answer in run_line(self.session, 1, line)]


def test_without_a_setting_the_dealer_does_it() -> None:
    answers = Room().say("shift day B1 J1", "shift close")
    assert not codes(answers)
    [opened] = of_type(answers, "shift_opened")
    assert opened["by"] == ""


def test_where_the_floor_does_it_a_pin_is_asked_for_and_recorded() -> None:
    room = Room(shift="floor")
    refused = room.say("shift day B1 J1")
    assert codes(refused) == ["not_authorised"]
    assert "a floor supervisor opens and closes a shift" in refused[0]["message"]
    answers = room.say("shift day B1 J1 4711", "shift close F2 4712")
    assert not codes(answers)
    [opened], [closed] = of_type(answers, "shift_opened"), of_type(answers, "shift_closed")
    assert (opened["by"], closed["by"]) == ("F1", "F2")


def test_a_shift_has_its_time_whoever_signs() -> None:
    for room, pin in ((Room(), ""), (Room(shift="floor"), " F1 4711")):
        answers = room.say(f"shift day B1 J1{pin}", f"shift close{pin}")
        [opened], [closed] = of_type(answers, "shift_opened"), of_type(answers, "shift_closed")
        assert [opened["at"], closed["at"], closed["tally"]["opened"]] == [1_800_000_000] * 3


def test_a_wrong_pin_opens_no_shift_and_counts() -> None:
    room = Room(shift="floor")
    answers = room.say("shift day B1 J1 5550", "shift day B1 J1 1111")
    assert codes(answers) == ["not_authorised"] * 2
    assert [e["why"] for e in of_type(answers, "authority_refused")] == ["wrong_pin", "not_allowed"]
    assert not of_type(answers, "shift_opened")


def test_where_a_shift_manager_does_it_a_supervisors_pin_is_not_enough() -> None:
    room = Room(shift="shift_manager", day="shift_manager")
    answers = room.say("shift day B1 J1 4711", 'floor 4711 close "end of the day"')
    assert codes(answers) == ["not_authorised"] * 2
    assert not of_type(answers, "authority_refused"), "the PIN was right"
    assert "a shift manager closes the table" in answers[-1]["message"]
    answers = room.say("shift day B1 J1 9000", 'floor 9000 close "end of the day"')
    assert not codes(answers)
    assert of_type(answers, "table_closed")


def test_a_shift_that_was_signed_for_verifies(tmp_path: Path) -> None:
    profile = load_profile("ca_big_o")
    session = Session.on_journal(
        tmp_path, "t7", profile, profile.limits[0], demo_staff(), authority=Authority("floor")
    )
    assert not codes(list(run_line(session, 1, "shift day B1 J1 F1 4711")))
    session.close()
    assert verify(files_in(tmp_path)).sound
    for path in files_in(tmp_path):
        assert b"4711" not in path.read_bytes()


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("shift day 84310 99120", "shift day 84310 99120"),
        ("shift day 84310 99120 4711", "shift day 84310 99120 ▒▒"),
        ("shift day 84310 99120 F1 4711", "shift day 84310 99120 ▒▒ ▒▒"),
        ("shift close 4711", "shift close ▒▒"),
    ],
)
def test_the_pin_of_a_shift_is_not_repeated(line: str, shown: str) -> None:
    assert without_secrets(line) == shown


def test_the_console_asks_for_the_pin_after_the_boxes() -> None:
    made = Table(authority=Authority("floor"))
    made.keys("/", "+", "*", "1", "7", "enter")
    if made.console.prompt.title == "JACKPOT BOX":
        made.keys("8", "enter")
    assert made.console.prompt.title == "SHIFT: PIN"
    assert not made.session.state.shift
    made.keys(*"5550", "enter")
    assert "Wrong PIN" in made.console.model.answer.text
    made.keys("1", "*", "1")
    assert made.console.prompt.detail == "Only this person's PIN is tried."
    made.keys(*"4711", "enter")
    assert "day shift opened" in made.console.model.story.log[0]
    assert "by F1" in made.console.model.story.log[0]
    made.keys("/", "+", "*", "-", *"4712", "enter")
    assert not made.session.state.shift


def test_the_settings_are_read_from_the_tables_file(tmp_path: Path) -> None:
    path = tmp_path / "t7.toml"
    path.write_text(
        '[table]\nid = "t7"\nrules = "ca_big_o"\n'
        '[authority]\nshift = "floor"\nday = "shift_manager"\n'
    )
    assert load_table(path).signs == Authority("floor", "shift_manager")
    path.write_text('[table]\nid = "t7"\nrules = "ca_big_o"\n[authority]\nday = "dealer"\n')
    with pytest.raises(ConfigError, match=r"authority\.day"):
        load_table(path)
