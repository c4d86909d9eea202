"""Lines of a script that cannot be carried out: how they are refused, and what is not repeated."""

from __future__ import annotations

import json

import pytest

from tests.evenings import of_type, run


@pytest.mark.parametrize("line", ["12345 fold", "limit", "limit 4-8 8-16", "seat 2 O'Brien 50"])
def test_odd_lines_do_not_end_a_script(line: str) -> None:
    answers = run(f"{line}\nseat 1 A")
    assert of_type(answers, "player_seated")


@pytest.mark.parametrize(
    "line",
    [
        "card\tAs", "\"card\" As", "3 card As", "crad As", "card;As", "cardAs",
        "fold # don't show As", 'fold "As', "show\t4 As Kd", "shwo 4 asKD",
    ],
)  # fmt: skip
def test_no_refusal_repeats_a_card_that_may_be_face_down(line: str) -> None:
    for answer in run(line):
        text = json.dumps(answer["command"]) + answer["message"]
        assert "as" not in text.lower().replace("was", "").replace("has", "")
        assert "kd" not in text.lower()


def test_a_wrong_moment_is_said_in_the_dealers_words() -> None:
    answers = run("seat 1 A\nseat 2 B\nbutton 1\nhand\nfold\nflop 2c3c9d\nhigh 1")
    assert ["'fold'" in answers[-3]["message"], "'flop'" in answers[-2]["message"]] == [True, True]
    assert "'high'" in answers[-1]["message"]
