"""What the dealer reads, what is tabled and what the shoe dealt, where they do not agree."""

from __future__ import annotations

import pytest

from tests.evenings import PLACED_HILO, codes, hand_end, of_type, placed, run

TWO_CHECKED = (
    "seat 1 A 100\nseat 2 B 100\nbutton 2\ndeal\n2 call\n1 check\nflop Kh7c4d\ncheck around\n"
    "turn 2s\ncheck around\nriver Jh\ncheck around\n"
)


@pytest.mark.parametrize("reading", ["high 1", "high 1\nlow none", "low none\nhigh 1"])
def test_cards_speak_over_an_earlier_reading(reading: str) -> None:
    script = TWO_CHECKED + f"{reading}\nshow 1 QsQdTc9c\nshow 2 KcKsAc3h\npush"
    ended = hand_end(run(script, PLACED_HILO, "4-8"))
    assert set(ended["awards"]) == {"2"}
    assert not ended["dealer_read"]


def test_a_tabled_low_takes_back_low_none() -> None:
    answers = run(TWO_CHECKED + "high 1\nlow none\nshow 2 KcKsAc3h\npush", PLACED_HILO, "4-8")
    assert codes(answers) == ["wrong_phase"]


ALL_IN = (
    "seat 1 A 40\nseat 6 F 160\nseat 8 H 160\nbutton 8\ndeal\n8 raise 40\n1 allin\n6 call\n"
    "flop KhTc4d\n6 bet 120\n8 allin\n"
)


@pytest.mark.parametrize("lows", ["low 1\nlow none", "low none\nlow 1"])
def test_no_low_in_the_side_pot_leaves_the_low_of_the_main_pot(lows: str) -> None:
    script = ALL_IN + f"turn 2s\nriver 7h\nhigh 6\n{lows}\npush"
    ended = hand_end(run(script, PLACED_HILO, "2-5"))
    assert ended["pots"][0]["low"].keys() == {"1"}
    assert ended["pots"][1]["low"] == {}


@pytest.mark.parametrize("order", ["high 1\nhigh 6", "high 6\nhigh 1"])
def test_a_side_pot_is_read_by_its_own_seats(order: str) -> None:
    script = ALL_IN + f"turn Qs\nriver 5h\nshow 1 KcKs8d8c\nshow 6 AsAc7d7c\n{order}\npush"
    ended = hand_end(run(script, PLACED_HILO, "2-5"))
    assert [set(pot["high"]) for pot in ended["pots"]] == [{"1"}, {"6"}]


def test_a_pot_that_is_named_is_read_alone_and_the_others_wait() -> None:
    """Kh Tc 4d 2s 7h: seat 6 takes the side pot, and the main pot is still open."""
    script = ALL_IN + "turn 2s\nriver 7h\nhigh 6 side 1\nlow none side 1\n"
    answers = run(f"{script}push", PLACED_HILO, "2-5")
    assert codes(answers) == ["wrong_phase"]
    readings = of_type(answers, "dealer_read")
    assert [(read["side"], read["seats"], read["pot"]) for read in readings] == [
        ("high", [6], 1), ("low", [], 1),
    ]  # fmt: skip
    ended = hand_end(run(f"{script}high 1 main\nlow 1 main\npush", PLACED_HILO, "2-5"))
    assert [(set(pot["high"]), set(pot["low"])) for pot in ended["pots"]] == [
        ({"1"}, {"1"}), ({"6"}, set()),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "code", "why"),
    [
        ("high 1 side 1", "no_such_seat", "no part in that pot"),
        ("high 6 side 2", "no_such_pot", "no side pot 2"),
        ("high 6 side 1\nhigh 8 main", "cards_speak", "has lost a side pot"),
        ("high 6 side 1\nlow none side 1\nlow 6 main", "cards_speak", "has lost a side pot"),
    ],
)
def test_nobody_is_read_the_winner_of_a_pot_that_he_cannot_win(
    line: str, code: str, why: str
) -> None:
    answers = run(ALL_IN + f"turn 2s\nriver 7h\n{line}", PLACED_HILO, "2-5")
    [refused] = of_type(answers, "refused")
    assert refused["code"] == code
    assert why in refused["message"]


def test_sealed_cards_stay_sealed_without_a_showdown() -> None:
    deal = "seat 1 A\nseat 2 B\nbutton 1\nhand\n" + "".join(
        f"card {card}\n" for card in "As Kd Ad Kc Ac Kh Ah Ks".split()
    )
    answers = run(deal + "1 fold\nshow 2\nshow 1", placed("ca_omaha_high"))
    assert codes(answers) == ["wrong_phase", "wrong_phase"]
    assert not of_type(answers, "tabled")


def test_keyed_cards_must_be_those_the_shoe_dealt() -> None:
    deal = "seat 1 A\nseat 2 B\nbutton 1\nhand\n" + "".join(
        f"card {card}\n" for card in "As Kd Ad Kc Ac Kh Ah Ks".split()
    )
    checked = deal + "call\ncheck\nflop 2c3c9d\ncheck around\nturn Ts\ncheck around\nriver 4d\n"
    answers = run(
        checked + "check around\nshow 2 QsQdQcQh\nshow 2 AhAcAdAs", placed("ca_omaha_high")
    )
    [refused] = of_type(answers, "refused")
    assert refused["code"] == "cards_speak"
    assert "A" not in refused["command"].replace("▒", "")
    assert of_type(answers, "tabled")[0]["cards"] == ["Ah", "Ac", "Ad", "As"]
