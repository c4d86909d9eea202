"""Wrong PINs in a data folder: who is locked out, for how long, and what does not clear it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.floor import Role
from omaha_table.journal.office_book import brief_of, read_office
from omaha_table.journal.pin_desk import PinDesk
from omaha_table.journal.pins import this_moment
from omaha_table.journal.verification import files_in, office_in, verify
from omaha_table.office.events import PinAccepted, PinRefused
from omaha_table.office.locks import Moment
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evenings import codes, of_type
from tests.staff_files import person, put_staff, save_staff

if TYPE_CHECKING:
    from pathlib import Path

RULE = 'misdeal "two cards exposed"'
OPENING = ("seat 1 A", "seat 2 B", "draw 1 As", "draw 2 2s", "deal")


class House:
    """A data folder with tables in it, and a clock that is what it is set to."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now = this_moment()
        self.tables: dict[str, Session] = {}
        put_staff(folder)

    def table(self, name: str = "t7") -> Session:
        if name not in self.tables:
            profile = load_profile("ca_big_o")
            desk = PinDesk(self.folder, name, "test", lambda: self.now)
            session = Session.on_journal(self.folder, name, profile, profile.limits[0], desk)
            self.tables[name] = session
            if not session.state.seats:
                assert not codes(self.say(*OPENING, table=name))
        return self.tables[name]

    def say(self, *lines: str, table: str = "t7") -> list[dict[str, Any]]:
        session = self.table(table)
        return [answer for line in lines for answer in run_line(session, 1, line)]

    def wait(self, seconds: int) -> None:
        now = self.now
        self.now = Moment(now.at + seconds, now.running + seconds, now.boot)

    def close(self) -> None:
        for session in self.tables.values():
            session.close()
        self.tables = {}

    def staff(self, *words: str, stdin: str) -> str:
        given = ["staff", *words, "--data", str(self.folder)]
        return CliRunner().invoke(omaha_table, given, input=stdin).output


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "data")


def messages(answers: list[dict[str, Any]]) -> list[str]:
    return [answer["message"] for answer in of_type(answers, "refused")]


def lock_keypad(house: House) -> None:
    assert codes(house.say(*[f"floor 5550 {RULE}"] * 5)) == ["not_authorised"] * 4 + ["locked"]


def test_a_wrong_pin_stands_in_both_records_and_they_agree(house: House) -> None:
    answers = house.say(*[f"floor 5550 {RULE}"] * 5)
    assert messages(answers)[0] == "Wrong PIN: 4 tries left."
    assert "PINs are locked for 5 minutes" in messages(answers)[4]
    tried = of_type(answers, "authority_refused")
    assert [event["why"] for event in tried] == ["wrong_pin"] * 5
    assert [event["locked_until"] > 0 for event in tried] == [False] * 4 + [True]
    office = [dated.event for dated in read_office(house.folder).others]
    kept = [(event.why, event.locks_for) for event in office if isinstance(event, PinRefused)]
    assert kept == [("wrong_pin", 0)] * 4 + [("wrong_pin", 300)]
    assert {event.where for event in office if isinstance(event, PinRefused)} == {"t7"}
    house.close()
    assert verify([*files_in(house.folder), *office_in(house.folder)]).sound


def test_a_locked_keypad_lets_everybody_in_who_says_who_it_is(house: House) -> None:
    lock_keypad(house)
    assert codes(house.say(f"floor 4711 {RULE}")) == ["locked"]
    ruled = of_type(house.say(f"floor S1 9000 {RULE}"), "ruled")
    assert [event["by"] for event in ruled] == [["S1"]]
    house.say("hand")
    assert codes(house.say(f"floor 4711 {RULE}")) == ["locked"], "the keypad still is"


def test_a_failure_with_a_number_counts_against_that_person_alone(house: House) -> None:
    answers = house.say(*[f"floor S1 4711 {RULE}"] * 5)
    assert codes(answers) == ["not_authorised"] * 4 + ["locked"]
    assert "S1 is locked for 5 minutes" in messages(answers)[4]
    assert {event["number"] for event in of_type(answers, "authority_refused")} == {"S1"}
    assert codes(house.say(f"floor S1 9000 {RULE}")) == ["locked"]
    assert codes(house.say(f"floor F1 4711 {RULE}")) == []
    house.say("hand")
    assert codes(house.say(f"floor 4712 {RULE}")) == [], "nor is the keypad locked"


def test_only_the_hash_of_the_person_is_tried(house: House) -> None:
    assert codes(house.say(f"floor F1 4712 {RULE}")) == ["not_authorised"]
    assert codes(house.say(f"floor F1 4711 {RULE}")) == []


def test_a_number_that_nobody_has_counts_against_the_keypad_and_is_kept_nowhere(
    house: House,
) -> None:
    """It may be a PIN that was typed in its place."""
    answers = house.say(f"floor X9 471199 {RULE}")
    assert codes(answers) == ["not_authorised"]
    [tried] = of_type(answers, "authority_refused")
    assert tried["number"] == ""
    [refused] = [dated.event for dated in read_office(house.folder).others]
    assert isinstance(refused, PinRefused)
    assert refused.person == ""


def test_a_number_of_digits_alone_is_a_number(house: House) -> None:
    named = put_staff(house.folder)
    badge = person("114060", "Bea", Role.FLOOR, "482155", named.pepper)
    save_staff(house.folder, type(named)((*named.people, badge), named.pepper))
    ruled = of_type(house.say(f"floor 114060 482155 {RULE}"), "ruled")
    assert [event["by"] for event in ruled] == [["114060"]]


def test_two_persons_may_both_say_who_they_are(house: House) -> None:
    assert not codes(house.say("1 call", "2 check", "flop 7c 5h 2s"))
    ruled = of_type(house.say('floor F1 4711 F2 4712 void "deck fouled"'), "ruled")
    assert [event["by"] for event in ruled] == [["F1", "F2"]]


# What does not clear it


def test_a_clock_that_was_moved_does_not_end_a_lock(house: House) -> None:
    lock_keypad(house)
    for at in (house.now.at + 86_400, house.now.at - 86_400):
        house.now = house.now._replace(at=at)
        assert codes(house.say(f"floor 4711 {RULE}")) == ["locked"]


def test_a_lock_ends_after_the_machine_has_run_so_long(house: House) -> None:
    lock_keypad(house)
    house.wait(299)
    assert codes(house.say(f"floor 4711 {RULE}")) == ["locked"]
    house.wait(1)
    assert codes(house.say(f"floor 4711 {RULE}")) == []


def test_each_further_lock_is_twice_as_long(house: House) -> None:
    for minutes in (5, 10, 20):
        answers = house.say(*[f"floor 5550 {RULE}"] * 5)
        assert f"locked for {minutes} minutes" in messages(answers)[4]
        house.wait(60 * minutes)


def test_after_a_restart_of_the_machine_a_lock_runs_for_its_whole_length(house: House) -> None:
    lock_keypad(house)
    house.wait(200)
    house.now = Moment(house.now.at + 60, 30, "boot two")
    assert "locked for 5 minutes" in messages(house.say(f"floor 4711 {RULE}"))[0]
    house.wait(270)
    assert codes(house.say(f"floor 4711 {RULE}")) == []


def test_a_table_that_is_opened_again_is_still_locked(house: House) -> None:
    lock_keypad(house)
    house.close()
    assert codes(house.say(f"floor 4711 {RULE}")) == ["locked"]


def test_another_tables_keypad_is_locked_too(house: House) -> None:
    lock_keypad(house)
    assert codes(house.say(f"floor 4711 {RULE}", table="t8")) == ["locked"]


def test_a_day_that_closes_does_not_end_a_lock(house: House) -> None:
    lock_keypad(house)
    assert codes(house.say('floor S1 9000 misdeal "boxed card"')) == []
    assert codes(house.say('floor S1 9000 close "end of the day"')) == []
    house.close()
    assert codes(house.say(f"floor 4711 {RULE}")) == ["locked"]


def test_staff_and_enroll_count_and_are_locked_like_a_table(house: House) -> None:
    new = "246813\n"
    for left in (4, 3, 2):
        said = house.staff("pin", "F1", stdin="9999\n" + new + new)
        assert f"{left} tries left" in said
    assert "1 try left" in messages(house.say(f"floor F1 9999 {RULE}"))[0]
    said = house.staff("add", "F9", "X", "floor", "--by", "F1", stdin="9999\n" + new + new)
    assert "F1 is locked for 5 minutes" in said
    assert codes(house.say(f"floor F1 4711 {RULE}")) == ["locked"]
    assert codes(house.say(f"floor S1 9000 {RULE}")) == []


def test_enroll_tells_nobody_whose_pin_it_is_without_counting(house: House) -> None:
    lock_keypad(house)
    house.close()
    [journal] = files_in(house.folder)
    content = bytearray(journal.read_bytes())
    content[len(content) // 2 :] = b"\0" * (len(content) - len(content) // 2)
    journal.write_bytes(bytes(content))
    words = ["enroll", "--data", str(house.folder), "--table", "t7", "--reason", "power loss"]
    done = CliRunner().invoke(omaha_table, words, input="4711\n")
    assert done.exit_code == 2
    assert "locked" in done.output
    numbered = CliRunner().invoke(omaha_table, [*words, "--by", "S1"], input="9000\n")
    assert numbered.exit_code == 0, numbered.output


def test_a_right_pin_ends_the_count_and_says_so(house: House) -> None:
    house.say(*[f"floor 5550 {RULE}"] * 3)
    assert codes(house.say(f"floor 4711 {RULE}")) == []
    last = read_office(house.folder).others[-1].event
    assert isinstance(last, PinAccepted)
    assert (last.by.id, last.keypad, last.where) == ("F1", True, "t7")
    house.say("hand")
    assert messages(house.say(f"floor 5550 {RULE}")) == ["Wrong PIN: 4 tries left."]


# Roles, and who is gone


def test_a_disabled_person_is_told_so(house: House) -> None:
    save_staff(house.folder, put_staff(house.folder).disable("F1"))
    for line in (f"floor 4711 {RULE}", f"floor F1 4711 {RULE}"):
        answers = house.say(line)
        assert messages(answers) == ["This PIN is disabled: 4 tries left."]
        assert of_type(answers, "authority_refused")[0]["why"] == "disabled"


def test_a_dealers_pin_gives_no_ruling_and_counts(house: House) -> None:
    answers = house.say(f"floor 1111 {RULE}")
    assert messages(answers) == ["This person may not give a ruling: 4 tries left."]


def test_a_dealer_who_guesses_is_locked_out_alone(house: House) -> None:
    answers = house.say(*["down D1 9000"] * 5)
    assert codes(answers) == ["not_authorised"] * 4 + ["locked"]
    assert codes(house.say("down D1 1111")) == ["locked"]
    assert codes(house.say(f"floor 4711 {RULE}")) == []
    house.wait(300)
    came = of_type(house.say("down D1 1111"), "dealer_in")
    assert [event["checked"] for event in came] == ["pin"]


# No office journal


def test_while_nothing_can_be_recorded_no_second_pin_is_looked_at(house: House) -> None:
    """Somebody who fills the disk could else try PINs without an end."""
    session = house.table()
    brief = brief_of(house.folder)
    assert brief.locks.of == {}
    office = house.folder / "office.lock"
    office.mkdir()
    answers = house.say(f"floor 5550 {RULE}")
    assert "No PIN can be recorded" in messages(answers)[0]
    assert not of_type(answers, "authority_refused")
    assert "OFFICE JOURNAL" in session.signers.problem
    assert "No PIN can be recorded" in messages(house.say(f"floor 4711 {RULE}"))[0]
    assert codes(house.say("1 call")) == [], "the table goes on"
    office.rmdir()
    assert codes(house.say(f"floor 4711 {RULE}")) == []
    refused = [dated.event for dated in read_office(house.folder).others]
    assert sum(isinstance(event, PinRefused) for event in refused) == 1, "the first one is made up"
