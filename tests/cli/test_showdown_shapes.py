"""Showdowns of the wrong shape that would otherwise be read as another one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from omaha_table.cli.calculator import answer_line

HAND = '"hands":{"1":"Ah 3d 9c 9d Ts","4":"Kc Kh 4d 8s Jh"}'
BOARD = '"board":"7c 5h 2s Kd As"'
START = '{"rules":"ca_big_o","button":5'


def pot(more: str = "") -> str:
    return f'"pots":[{{"amount":100,"eligible":[1,4]{more}}}]'


def answer(*parts: str) -> dict[str, Any]:
    text, _ = answer_line((",".join((START, *parts)) + "}").encode(), 1)
    found: dict[str, Any] = json.loads(text)
    return found


def test_the_parts_by_themselves_make_a_showdown() -> None:
    # Kings take the high half and 7-5-3-2-A the low: a dollar of two halves, of fifty cents each,
    # goes whole to the first winner left of the button, for chips of a dollar.
    assert answer(BOARD, HAND, pot())["awards"] == {"1": 100}


@pytest.mark.parametrize(
    ("parts", "code", "told"),
    [
        ((BOARD, BOARD, HAND), "bad_shape", "'board' appears twice"),
        ((BOARD, HAND, HAND, pot()), "bad_shape", "'hands' appears twice"),
        (
            (BOARD, '"hands":{"1":"Ah 3d 9c 9d Ts","1":"Kc Kh 4d 8s Jh"}'),
            "bad_shape",
            "'1' appears",
        ),
        ((BOARD, HAND, pot(',"amount":200')), "bad_shape", "'amount' appears twice"),
        ((BOARD, HAND, pot(',"rake":5')), "bad_shape", "'amount' and 'eligible' and nothing else"),
        ((BOARD, f'"hands":{{"{"1" * 5000}":"Ah 3d 9c 9d Ts"}}'), "no_such_seat", "not a seat"),
        ((BOARD, '"hands":{"0001":"Ah 3d 9c 9d Ts"}'), "no_such_seat", "'0001'"),
        ((BOARD, '"hands":{"\\u0661":"Ah 3d 9c 9d Ts"}'), "no_such_seat", "not a seat"),
        ((f'"board":"{"As" * 53}"', HAND), "card_count", "a deck has 52"),
    ],
)
def test_what_could_be_read_in_two_ways_is_refused(
    parts: tuple[str, ...], code: str, told: str
) -> None:
    error = answer(*parts)["error"]
    assert error["code"] == code
    assert told in error["message"]
