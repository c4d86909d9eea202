"""What a script answers to questions: the step, the rulings, and what one would do."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.floor import RULINGS
from omaha_table.floor.files import demo_staff
from omaha_table.journal.days import day_files
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evenings import of_type, profile_with, run
from tests.journal.days import raw
from tests.rulings_before import DAY, bound, dead, open_day, play_day, say

if TYPE_CHECKING:
    from pathlib import Path

THREE = "seat 1 A\nseat 2 B\nseat 3 C\nbutton 1\n"


def last(script: str, **options: Any) -> dict[str, Any]:
    return run(script, **options)[-1]


def test_a_step_names_the_hand_and_whose_turn_it_is() -> None:
    assert (last("step")["type"], last("step")["hand"]) == ("step", 0)
    # Three seats, the button on 1: the blinds are 2 and 3, so seat 1 acts first.
    step = last(f"{THREE}deal\nstep")
    assert (step["hand"], step["what"], step["seat"]) == (1, "act", 1)
    again = last(f"{THREE}deal\nfold\nfold\npush\ndeal\nstep")
    assert again["hand"] == 2


def test_a_step_says_whether_an_error_would_still_be_a_misdeal() -> None:
    """Until two seats have acted, by the rule book that the profile names."""
    profile = profile_with("ca_big_o", misdeal={"window": "rrop_two_acted"})
    windows = [
        last(f"{THREE}{played}step", rules=profile)["misdeal_window"]
        for played in ("", "deal\n", "deal\ncall\n", "deal\ncall\ncall\n")
    ]
    assert windows == [None, "open", "open", "shut"]


def test_a_step_names_the_seats_that_the_room_may_take_back() -> None:
    profile = profile_with("ca_big_o", absent={"max_minutes": 30})
    now = 1_800_000_000.0
    session = Session(profile, profile.limits[0], demo_staff(), lambda: now)
    for line in (*THREE.splitlines(), "away 2"):
        list(run_line(session, 1, line))
    [at_once] = run_line(session, 1, "step")
    now += 30 * 60
    [later] = run_line(session, 1, "step")
    assert (at_once["pick_up"], later["pick_up"]) == ([], [2])


def test_the_rulings_are_listed_with_what_they_are() -> None:
    answer = last("floor help")
    assert answer["type"] == "help"
    assert list(answer["rulings"]) == [ruling.usage for ruling in RULINGS]
    assert all(answer["rulings"].values())


def test_a_ruling_is_explained_and_not_given() -> None:
    answers = run(f"{THREE}deal\nfloor ask misdeal\nstep")
    [effect] = of_type(answers, "effect")
    assert effect["ruling"] == "misdeal"
    assert "all bets go back" in effect["text"]
    assert of_type(answers, "ruled") == []
    assert answers[-1]["what"] == "act"


@pytest.mark.parametrize(
    ("line", "code"), [("floor ask fly", "unknown_ruling"), ("floor ask misdeal", "wrong_phase")]
)
def test_a_ruling_that_does_not_fit_is_refused_when_it_is_asked_about(line: str, code: str) -> None:
    [answer] = run(line)
    assert (answer["type"], answer["line"], answer["code"]) == ("refused", 1, code)


def test_similar_rulings_are_listed_from_the_logs_and_days_that_are_not_sound_are_named(
    tmp_path: Path,
) -> None:
    at = datetime(2026, 11, 10, 20, 0).timestamp()
    play_day(tmp_path, at - DAY, dead(3, "fouled hand"))
    play_day(tmp_path, at, bound("call", "slow play"), bound("fold", "again"))
    with raw(day_files(tmp_path, "t7")[0]) as log:
        log.execute("UPDATE event SET body = replace(body, 'fouled hand', 'as a favor')")
    session = open_day(tmp_path, at + DAY)
    assert say(session, "floor similar binding 2 call") == [
        {"type": "similar_ruling", "day": "2026-11-10", "hand": 1, "ruling": "binding",
         "words": ("1", "call"), "reason": "slow play", "by": ("F1",)},
        {"type": "similar_ruling", "day": "2026-11-10", "hand": 2, "ruling": "binding",
         "words": ("1", "fold"), "reason": "again", "by": ("F1",)},
    ]  # fmt: skip
    assert say(session, "floor similar dead") == [{"type": "day_left_out", "day": "2026-11-09"}]
    session.close()


def test_a_table_without_a_log_has_no_similar_rulings() -> None:
    assert of_type(run("floor similar dead"), "similar_ruling") == []
    [answer] = run("floor similar fly")
    assert (answer["type"], answer["code"]) == ("refused", "unknown_ruling")


def test_out_of_turn_is_refused_for_the_seat_that_was_said() -> None:
    answers = run(f"{THREE}deal\n2 call\n1 call")
    [refused] = of_type(answers, "refused")
    assert (refused["line"], refused["code"]) == (6, "out_of_turn")
    assert answers[-1]["seat"] == 1
