"""Actions out of turn: which of them bind, for how long, and what is refused."""

from __future__ import annotations

import pytest

from tests.evenings import codes, of_type, run
from tests.floor.four_players import S4, F, play

FOUR = "".join(f"seat {n} P{n} 100\n" for n in (1, 2, 3, 4)) + "button 4\ndeal\n"
FLOP = FOUR + "3 call\n4 call\n1 call\n2 check\nflop 7c 5h 2s\n"


@pytest.mark.parametrize(
    ("start", "allowed"), [(FOUR, {"fold", "call", "raise"}), (FLOP, {"fold", "check", "bet"})]
)
def test_an_action_out_of_turn_stands_only_if_it_could_be_made(
    start: str, allowed: set[str]
) -> None:
    """Before the flop seat 4 faces the big blind; on the flop nobody has bet."""
    for action in ("fold", "check", "call", "bet", "raise"):
        answers = run(start + f'{F} binding 4 {action} "out of turn"')
        assert codes(answers) == ([] if action in allowed else ["wrong_phase"]), action
        assert len(of_type(answers, "action_bound")) == (action in allowed)


def test_only_a_seat_that_waits_for_its_turn_is_bound() -> None:
    for seat, code in ((3, "wrong_phase"), (9, "no_such_seat")):
        assert codes(run(FOUR + f'{F} binding {seat} fold "out of turn"')) == [code]


def test_what_does_not_bind_is_not_released() -> None:
    release = f'{F} release 4 "a mistake"\n'
    assert codes(run(FOUR + release)) == ["wrong_phase"]
    bound = f'{F} binding 4 fold "out of turn"\n'
    assert codes(run(FOUR + bound + release + release)) == ["wrong_phase"]


@pytest.mark.parametrize("words", ["pot 9 add 1", "pot 9 back 1", "dead 9", "live 9"])
def test_a_seat_without_a_hand_is_named_in_the_refusal(words: str) -> None:
    answers = run(FOUR + f'{F} {words} "a wrong seat"')
    assert codes(answers) == ["no_such_seat"]
    assert "Seat 9 is not in the hand" in of_type(answers, "refused")[0]["message"]


def test_an_action_out_of_turn_binds_one_turn() -> None:
    limp = S4 + "deal\n4 call\n1 call\n2 call\n3 check\nflop 2c 3c 4c\n"
    script = limp + f'{F} binding 4 check "early"\n' + "check around\nturn 5c\n"
    assert not codes(play(script + "2 check\n3 check\n4 bet"))
    assert codes(play(S4 + f'deal\n{F} binding 2 check "early"')) == ["wrong_phase"]
