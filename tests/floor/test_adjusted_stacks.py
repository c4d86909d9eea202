"""One seat's stack is corrected up or down: money that no other seat pays, so all of it is seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omaha_table.floor.files import demo_staff
from omaha_table.journal.verification import verify
from omaha_table.review.index.moments import around_hands
from omaha_table.review.reports.render import as_markdown
from omaha_table.review.reports.summaries import summary
from omaha_table.session import Session
from tests.evenings import codes, draw_lines, hand_end, no_limit, of_type, profile_with, run
from tests.floor.four_players import F, play
from tests.review.nights import Night, read
from tests.review.report_parts import facts_of

if TYPE_CHECKING:
    from pathlib import Path

THREE = "seat 1 A 100\nseat 2 B 100\nseat 3 C\nbutton 1\n"
PLAYED = "deal\n1 call\n2 call\n3 check\nflop 7c 5h 2s\ncheck around\nturn Kd\ncheck around\n"
PLAYED += "river As\ncheck around\nhigh 1\nlow 1\npush\n"


def stacks_after(script: str) -> dict[str, int]:
    """In cents, when seat 1 wins what the others have called: 8 less the drop of 3."""
    return {seat: int(cents) for seat, cents in hand_end(play(script + PLAYED))["stacks"].items()}


def test_up_and_down_change_one_seat_alone() -> None:
    plain = stacks_after(THREE)
    up = stacks_after(THREE + f'{F} adjust 1 up 80 "counted by the floor"\n')
    down = stacks_after(THREE + f'{F} adjust 2 down 99.50 "counted by the floor"\nbuy 2 50\n')
    assert up == plain | {"1": plain["1"] + 8000}
    assert down == plain | {"2": plain["2"] - 9950 + 5000}


def test_the_effect_says_from_what_to_what() -> None:
    answers = play(THREE + f'{F} adjust 1 up 80 "counted by the floor"')
    [ruled] = of_type(answers, "ruled")
    assert ruled["effect"] == (
        "Seat 1's stack goes up by $80, from $100 to $180. No other seat pays."
    )
    [event] = of_type(answers, "stack_adjusted")
    assert (event["seat"], event["amount"]) == (1, 8000)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("1 down 100.01", "chips"),
        ("1 down 0", "chips"),
        ("1 up 0", "chips"),
        ("1 up 1000000001", "chips"),
        ("3 up 10", "chips"),
        ("9 up 10", "no_such_seat"),
        ("1 sideways 10", "bad_command"),
    ],
)
def test_what_cannot_be_is_refused(words: str, code: str) -> None:
    answers = play(THREE + f'{F} adjust {words} "counted by the floor"')
    assert codes(answers) == [code]
    assert not of_type(answers, "stack_adjusted")


def test_in_a_hand_only_chips_behind_are_corrected() -> None:
    """Seat 1 has raised to 8 and has 92 behind: 91 can go, not 92, or it would be all in."""
    raised = THREE + "deal\n1 raise\n"
    assert codes(play(raised + f'{F} adjust 1 down 92 "counted by the floor"')) == ["chips"]
    assert not codes(play(raised + f'{F} adjust 1 down 91 "counted by the floor"'))


def test_an_all_in_is_backed_up_before_its_stack_is_corrected() -> None:
    profile = profile_with(betting={"max_raises": 0}, limit=no_limit())
    all_in = "seat 1 A 20\nseat 2 B 50\nseat 3 C 50\nbutton 3\ndeal\n3 call\n1 allin\n"
    answers = run(all_in + f'{F} adjust 1 up 10 "counted by the floor"', profile)
    assert codes(answers) == ["chips"]
    back = f'{F} backup 1 "counted wrong"\n{F} adjust 1 up 10 "counted by the floor"\n'
    answers = run(all_in + back + "1 allin", profile)
    assert not codes(answers)
    assert of_type(answers, "acted")[-1]["to"] == 3000


def test_an_undo_in_the_hand_leaves_the_correction() -> None:
    script = THREE + f'deal\n1 call\n{F} adjust 1 up 80 "counted by the floor"\nundo\n1 call\n'
    rest = PLAYED.removeprefix("deal\n1 call\n")
    ended = hand_end(play(script + rest))
    assert ended["stacks"]["1"] == stacks_after(THREE)["1"] + 8000


def test_a_large_sum_takes_two_supervisors_also_in_small_parts() -> None:
    """The profile asks for two above $100."""
    one = f'{F} adjust 1 up 60 "counted by the floor"\n'
    assert codes(play(THREE + one + one)) == ["two_persons"]
    both = one.replace("4711", "4711 9000")
    assert not codes(play(THREE + one + both))
    assert codes(play(THREE + one + PLAYED + one)) == []


def test_reports_and_the_queue_of_the_reviewer_show_every_one(tmp_path: Path) -> None:
    night = Night(tmp_path, "ca_omaha_hilo")
    night.say("seat 1 A 100", "seat 2 B 100", "seat 3 C 100", *draw_lines(3, (1, 2, 3)))
    night.say(f'{F} adjust 1 up 80 "counted by the floor"', "deal", "3 call")
    night.say(f'{F} adjust 2 down 15 "counted by the floor"', "1 fold", "2 check")
    night.say("flop 7c 5h 2s", "2 bet", "3 fold", "push")
    path = night.close()
    assert verify([path]).sound
    hands = read(path)
    assert "adjusted" in hands[0].flags
    around = [(given.hand, given.moment) for given in around_hands(path)]
    report = summary("Day", hands, around=around)
    assert facts_of(report)["Stacks corrected"] == "$80 added, $15 taken off, by 2 rulings"
    assert [one["amount"] for one in report.data["stacks_adjusted"]] == [8000, -1500]
    assert "Seat 2's stack goes down by $15, from $96 to $81." in as_markdown(report)


def test_a_restart_keeps_the_stack_and_what_was_changed_so_far(tmp_path: Path) -> None:
    night = Night(tmp_path, "ca_omaha_hilo")
    night.say("seat 1 A 100", "seat 2 B 100", f'{F} adjust 1 up 80 "counted by the floor"')
    before = night.session.state
    night.session.close()
    again = Session.on_journal(tmp_path, "t7", before.profile, before.limit, demo_staff())
    assert again.state.seats[1].stack == 18000
    assert again.state.adjusted == 8000
    again.close()
