"""Where a limit of authority lies: tries, locks, digits of a PIN, letters of a reason."""

from __future__ import annotations

import json
from typing import Any

import pytest

from omaha_table.floor import Role, Staff, StaffError
from omaha_table.floor.files import demo_staff
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evenings import codes, of_type, placed, run
from tests.floor.four_players import RULES, S4, F, play

THREE = "seat 1 A\nseat 2 B\nseat 3 C\nbutton 3\ndeal\n"
WRONG = 'floor 9999 waive "why"\n'
FERN, FINN = "482155", "700112"
RIGHT = 'floor 4711 waive "why"\n'


class At:
    """A table at which the time is what it is set to."""

    def __init__(self) -> None:
        self.now = 1_800_000_000
        profile = placed("ca_big_o")
        self._session = Session(profile, profile.limits[0], demo_staff(), lambda: float(self.now))
        self.say(THREE)

    def say(self, script: str) -> list[dict[str, Any]]:
        return [
            answer for line in script.splitlines() for answer in run_line(self._session, 1, line)
        ]


def messages(answers: list[dict[str, Any]]) -> list[str]:
    return [answer["message"] for answer in of_type(answers, "refused")]


def test_a_wrong_pin_is_answered_with_how_many_tries_are_left() -> None:
    said = messages(run(THREE + WRONG * 4))
    left = ["4 tries left", "3 tries left", "2 tries left", "1 try left"]
    assert [part in message for part, message in zip(left, said, strict=True)] == [True] * 4


def test_two_unknown_pins_in_one_ruling_are_two_failures() -> None:
    both = 'floor 9999 9998 void "why"\n'
    answers = run(THREE + both)
    assert "3 tries left" in messages(answers)[0]
    assert len(of_type(answers, "authority_refused")) == 2
    answers = run(THREE + both * 3)
    assert codes(answers) == ["not_authorised", "not_authorised", "locked"]
    # The fifth locks, and is the last that counts.
    assert [event["locked_until"] > 0 for event in of_type(answers, "authority_refused")] == [
        *(False, False, False, False),
        True,
    ]


def test_one_known_and_one_unknown_pin_is_one_failure_and_names_who_is_known() -> None:
    answers = run(THREE + 'floor 4711 9999 void "why"\n')
    [tried] = of_type(answers, "authority_refused")
    assert tried["why"] == "wrong_pin"
    known = demo_staff().identify("4711")
    assert known is not None
    assert tried["by"] == [known.id]
    assert "4 tries left" in messages(answers)[0]


@pytest.mark.parametrize("pins", ["1111 9999", "9999 1111"])
def test_an_unknown_pin_beside_a_dealers_is_the_failure(pins: str) -> None:
    [tried] = of_type(run(THREE + f'floor {pins} void "why"\n'), "authority_refused")
    assert tried["why"] == "wrong_pin"


@pytest.mark.parametrize(
    ("later", "minutes"), [(0, 5), (1, 5), (59, 5), (60, 4), (61, 4), (299, 1)]
)
def test_a_lock_says_the_minutes_that_are_begun(later: int, minutes: int) -> None:
    at = At()
    at.say(WRONG * 5)
    at.now += later
    assert f"locked for {minutes} minute" in messages(at.say(RIGHT))[0]


def test_a_lock_ends_on_its_last_second_and_the_third_is_four_times_as_long() -> None:
    at = At()
    for seconds in (300, 600, 1200):
        locked = at.say(WRONG * 5)
        assert codes(locked) == ["not_authorised"] * 4 + ["locked"]
        at.now += seconds - 1
        assert codes(at.say(RIGHT)) == ["locked"]
        at.now += 1
    assert not codes(at.say(RIGHT))


@pytest.mark.parametrize(
    ("reason", "refused"), [("no", ["no_reason"]), ("why", []), ("4711 why", ["no_reason"])]
)
def test_a_reason_has_three_letters_and_does_not_begin_with_a_pin(
    reason: str, refused: list[str]
) -> None:
    assert codes(run(THREE + f'floor 4711 waive "{reason}"')) == refused


@pytest.mark.parametrize(
    ("digits", "is_pin"), [("1234", True), ("1" * 12, True), ("123", False), ("1" * 13, False)]
)
def test_four_to_twelve_digits_are_taken_for_a_pin_and_not_for_a_reason(
    digits: str, is_pin: bool
) -> None:
    refused = codes(run(THREE + f'floor 4711 waive "{digits} chips short"'))
    assert refused == (["no_reason"] if is_pin else [])


@pytest.mark.parametrize("pin", ["246802", "246813579024"])
def test_the_shortest_and_the_longest_pin(pin: str) -> None:
    found = Staff().add("F1", "Fern", Role.FLOOR, pin).identify(pin)
    assert found is not None
    assert not found.disabled


@pytest.mark.parametrize("pin", ["24680", "2468135790246", "٢٤٦٨٠٢", "246 802", "²⁴⁶⁸⁰²"])
def test_what_is_no_pin(pin: str) -> None:
    with pytest.raises(StaffError, match="6 to 12 digits"):
        Staff().add("F1", "Fern", Role.FLOOR, pin)


def test_only_one_person_changes_and_the_others_stay() -> None:
    staff = Staff().add("F1", "Fern", Role.FLOOR, FERN).add("F2", "Finn", Role.FLOOR, FINN)
    changed = staff.change_pin("F2", "246802")
    assert [person.id for person in changed.people] == ["F1", "F2"]
    assert [changed.identify(pin) is not None for pin in (FERN, FINN, "246802")] == [
        *(True, False),
        True,
    ]
    assert staff.disable("F2").identify(FERN) == staff.get("F1")


@pytest.mark.parametrize(
    "line",
    [
        'flor 4711 misdeal "x x"', "floor: 4711 misdeal", "floor '4711' misdeal xxx",
        'floor 4711, misdeal "xxx"', "floor PIN 4711 4712 void", 'floor "4711 misdeal "x x"',
        "floor ask 4711 misdeal", 'floor 4711 4712 9000 void "x x"', 'floor 4711 void 4712 "foul"',
    ],
)  # fmt: skip
def test_no_pin_is_repeated_wherever_it_was_typed(line: str) -> None:
    text = json.dumps(play(S4 + "deal\n" + line))
    for pin in ("4711", "4712", "9000"):
        assert pin not in text


def test_two_persons_cannot_be_got_round() -> None:
    limp = S4 + "deal\n4 call\n1 call\n2 call\n3 check\nflop 2c 3c 4h\n"
    assert codes(play(limp + f'{F} backup 1 "alone"\n{F} void "alone"')) == ["two_persons"]
    twice = f'{F} pot 4 add 60 "light"\n{F} pot 1 add 60 "light"'
    assert codes(play(limp + twice)) == ["two_persons"]


def test_two_wrong_pins_on_a_line_are_two() -> None:
    script = S4 + 'floor 1234 2345 void "no"\n' * 2 + 'floor 9999 void "no"\nfloor 4711 clock 2 "x"'
    answers = run(script, RULES)
    assert len(of_type(answers, "authority_refused")) == 6
    assert [answer["code"] for answer in of_type(answers, "refused")][-2:] == ["locked", "locked"]


def test_a_reason_is_echoed_as_it_was_written() -> None:
    [refused] = of_type(run(S4 + f'{F} refund 1 2 1 "the reader failed"', RULES), "refused")
    assert refused["command"] == "floor ▒▒ refund 1 2 1 the reader failed"
