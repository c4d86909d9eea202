"""A PIN is in no answer and in no event, wherever on the line it was typed."""

from __future__ import annotations

import json

import pytest

from tests.evenings import of_type, run

IN_A_HAND = "seat 1 A\nseat 2 B\nbutton 1\nhand\n"


@pytest.mark.parametrize(
    "line",
    [
        'floor 9999 misdeal "why"',
        'floor 4711 9999 fly "why"',
        "floor 9999",
        "flor 9999",
        # More PINs than a ruling can need: the third stands where the ruling should.
        'floor 9999 9998 1357 misdeal "why"',
        'floor 4711 9999 1357 misdeal "why"',
        'floor 4711 1357x misdeal "why"',
        'floor 9999 1357x misdeal "why"',
    ],
)
def test_neither_an_answer_nor_the_log_holds_a_pin(line: str) -> None:
    answers = run(f"{IN_A_HAND}{line}")
    assert answers[-1]["type"] == "refused"
    for pin in ("9999", "9998", "4711", "1357"):
        assert pin not in json.dumps(answers)


def test_a_ruling_that_was_tried_with_a_wrong_pin_is_named_in_the_log() -> None:
    [tried] = of_type(run(f'{IN_A_HAND}floor 9999 MISDEAL "why"'), "authority_refused")
    assert tried["ruling"] == "misdeal"
