"""The worked examples of the betting: caps, short all-ins, reopening, pot limit."""

from __future__ import annotations

from typing import Any

import pytest

from tests.evenings import NO_FEE, PLACED_HILO, codes, no_limit, of_type, profile_with, run
from tests.hand.lines import BOARD, choices, seats


def turn_of(players: str, limit: str = "8-16", rules: Any = "ca_omaha_hilo") -> str:
    """A hand in which the players named see the turn."""
    numbers = players.split()
    return "\n".join(
        [
            seats(map(int, numbers)),
            f"button {numbers[-1]}",
            "deal",
            *["call"] * (len(numbers) - 1),
            "check",
            BOARD[0],
            "check around",
            BOARD[1],
            "",
        ]
    )


def test_e25_three_raises_and_no_more_though_one_folds() -> None:
    script = turn_of("2 5 9") + "2 bet\n5 raise\n9 raise\n2 raise\n5 fold\n9 raise\nstep\n9 call"
    answers = run(script, PLACED_HILO, "8-16")
    turn = [a["to"] for a in of_type(answers, "acted") if a["to"] >= 1600 and a["action"] != "fold"]
    assert turn == [1600, 3200, 4800, 6400, 6400]
    [refused] = of_type(answers, "refused")
    assert (refused["code"], refused["rule"]) == ("raise_cap", "betting.max_raises")
    assert refused["source"] == "000_d03adf3dd2d22c67"
    assert "3 raises" in refused["message"]


@pytest.mark.parametrize(
    ("setting", "refusals"),
    [("before_cap", []), ("street_start", ["raise_cap"]), ("never", ["raise_cap"])],
)
def test_e25_heads_up_before_the_cap(setting: str, refusals: list[str]) -> None:
    profile = profile_with(betting={"heads_up_uncapped": setting})
    script = turn_of("2 5 9") + "2 bet\n5 fold\n9 raise\n2 raise\n9 raise\n2 raise"
    assert codes(run(script, profile, "8-16")) == refusals


@pytest.mark.parametrize(("setting", "refusals"), [("street_start", []), ("never", ["raise_cap"])])
def test_two_players_at_the_start_of_a_street(setting: str, refusals: list[str]) -> None:
    profile = profile_with(betting={"heads_up_uncapped": setting})
    script = turn_of("2 9") + "2 bet\n9 raise\n2 raise\n9 raise\n2 raise"
    assert codes(run(script, profile, "8-16")) == refusals


def test_e26a_under_half_is_completed_and_does_not_reopen() -> None:
    start = turn_of("2 5 9")
    answers = run(start + "2 bet\n5 allin 22\nstep\n9 call\nstep\n2 raise", PLACED_HILO, "8-16")
    first, second = of_type(answers, "step")
    assert choices(first) == {"fold": None, "call": 2200, "raise": 3200, "allin": None}
    assert choices(second) == {"fold": None, "call": 600, "allin": None}
    assert codes(answers) == ["not_reopened"]
    assert of_type(answers, "refused")[0]["rule"] == "betting.short_all_in_reopens"
    answers = run(start + "2 bet\n5 allin 22\n9 raise\nstep\n2 raise", PLACED_HILO, "8-16")
    assert [a["to"] for a in of_type(answers, "acted")][-2:] == [3200, 4800]


def test_e26b_half_a_bet_counts_as_a_raise() -> None:
    script = turn_of("2 5 9") + "2 bet\n5 allin 24\nstep\n9 raise\nstep"
    first, second = of_type(run(script, PLACED_HILO, "8-16"), "step")
    assert choices(first) == {"fold": None, "call": 2400, "raise": 4000, "allin": None}
    assert choices(second)["raise"] == 5600
    full = profile_with(betting={"short_all_in_reopens": "full_bet"})
    script = turn_of("2 5 9") + "2 bet\n5 allin 24\n9 call\n2 raise"
    assert codes(run(script, full, "8-16")) == ["not_reopened"]


def test_e26c_a_short_opening_bet_of_half_or_more_is_the_bet() -> None:
    limit = {
        "id": "10-20",
        "structure": "limit",
        "small_bet": "10.00",
        "big_bet": "20.00",
        "small_blind": "5.00",
        "big_blind": "10.00",
        "fees": NO_FEE,
    }
    script = turn_of("2 5 9") + "2 allin 15\nstep"
    [step] = of_type(run(script, profile_with(limit=limit)), "step")
    assert choices(step)["raise"] == 3500
    script = turn_of("2 5 9") + "2 allin 9\nstep\n5 raise\nstep"
    first, second = of_type(run(script, profile_with(limit=limit)), "step")
    assert choices(first) == {"fold": None, "call": 900, "raise": 2000, "allin": None}
    assert choices(second)["raise"] == 4000


def test_short_all_ins_that_add_up_reopen_in_limit() -> None:
    script = turn_of("2 5 7 9") + "2 bet\n5 allin 20\n7 call\n9 allin 25\nstep\n2 call\nstep"
    first, second = of_type(run(script, PLACED_HILO, "8-16"), "step")
    assert choices(first) == {"fold": None, "call": 900, "raise": 4100, "allin": None}
    assert "raise" not in choices(second)


def test_e27_no_limit_reopens_by_what_each_player_faces() -> None:
    profile = profile_with(betting={"max_raises": 0}, limit=no_limit("1.00"))
    script = turn_of("1 2 3 4 5") + (
        "1 bet 100\n2 allin 125\n3 call\n4 allin 200\n5 call\nstep\n1 call\nstep\n3 raise 400"
    )
    answers = run(script, profile)
    first, second = of_type(answers, "step")
    assert first["seat"] == 1
    assert choices(first)["raise"] == 30000
    assert second["seat"] == 3
    assert "raise" not in choices(second)
    assert codes(answers) == ["not_reopened"]
    script = turn_of("1 2 3 4 5") + (
        "1 bet 100\n2 allin 125\n3 call\n4 allin 200\n5 call\n1 raise 300\n5 fold\nstep"
    )
    step = of_type(run(script, profile), "step")[-1]
    assert (step["seat"], choices(step)["raise"]) == (3, 40000)


def test_e28_pot_limit() -> None:
    limit = no_limit("5.00", structure="pot_limit", big_blind="10.00", small_bet="10.00")
    profile = profile_with(betting={"max_raises": 0}, limit=limit)
    script = (
        f"{seats([1, 2, 3, 4])}\nbutton 4\ndeal\nstep\n3 raise 36\n3 raise 35\nstep\n4 raise 121"
    )
    answers = run(script, profile)
    first, second = of_type(answers, "step")
    raises = [next(c for c in s["choices"] if c["word"] == "raise") for s in (first, second)]
    assert [(r["least"], r["most"]) for r in raises] == [(2000, 3500), (6000, 12000)]
    assert codes(answers) == ["bet_size", "bet_size"]
    assert "from $20 to $35" in of_type(answers, "refused")[0]["message"]


def test_a_short_blind_is_counted_in_full_for_the_pot_limit() -> None:
    limit = no_limit("100.00", structure="pot_limit", big_blind="200.00", small_bet="200.00")
    profile = profile_with(betting={"max_raises": 0}, limit=limit)
    script = f"{seats([1, 3, 4])}\nseat 2 P2 50\nbutton 4\ndeal\nstep"
    [step] = of_type(run(script, profile), "step")
    assert next(c for c in step["choices"] if c["word"] == "raise")["most"] == 70000
    assert choices(step)["call"] == 20000
