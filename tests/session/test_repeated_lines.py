"""What of a typed line may be shown again: players read the screen, and a script's answers."""

from __future__ import annotations

import json

import pytest

from omaha_table.session.language import without_secrets
from omaha_table.session.vocabulary import WORDS
from tests.evenings import of_type, run

FACE_UP = {"flop", "turn", "river", "draw"}
NAMES = {"rules", "seat", "down", "shift", "limit", "deck"}
"""Their arguments are names, files and colors; one may look like a card."""


@pytest.mark.parametrize(
    "line",
    [
        "flop As Kd 7c",
        "turn AsKd",
        "draw 3 10s",
        "river",
        "raise 1234",
        "buy 3 4711",
        "rules /srv/As/10s.toml",
        "seat 3 Ada 2000",
        "limit 15-30",
    ],
)
def test_what_everybody_may_see_is_repeated_as_it_was_typed(line: str) -> None:
    assert without_secrets(line) == line


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("fold # seat 3 holds As", "fold"),
        ('seat 3 "Ada # As', 'seat 3 "Ada'),
        ("# As", ""),
        ("   ", ""),
        ("  FOLD\tto   4 ", "FOLD to 4"),
    ],
)
def test_a_comment_is_not_repeated(line: str, shown: str) -> None:
    assert without_secrets(line) == shown


@pytest.mark.parametrize(
    "line",
    [
        *("card As", "CARD As", "card\tAs", '"card" As', "card As Kd", "card seatAs"),
        *("show 4 As Kd 7c 2h 2s", "Show 4 AsKd", "show AsKd"),
        *("fold As", "fold as", "fold AS", "fold aS", "fold A♠", "fold a♠", "fold AsKd"),
        *("muck 3 As", "4 raise As", "4 As", "4 show As", "push (As)", "check As,Kd"),
        *("crad As", "crad as", "cardAs", "cardas", "CARDAS", "card;As", "xAsx", "A♠", "as"),
        *('floor 4711 misdeal "seat 3 showed As"', 'floor 4711 fly "and Kd"', "floor As"),
        *('fold "As', 'card "As', 'floor 4711 "As'),
    ],
)  # fmt: skip
def test_a_card_that_may_be_face_down_is_not_repeated(line: str) -> None:
    shown = without_secrets(line).lower()
    for card in ("as", "a♠", "kd", "7c", "2h"):
        assert card not in shown


@pytest.mark.parametrize("line", ["fold 10s", "4 fold 10s", "crad10s", "floor x 10s", "card 10s"])
def test_a_ten_that_is_written_out_is_not_repeated_either(line: str) -> None:
    assert "10" not in without_secrets(line)


@pytest.mark.parametrize(
    "line",
    [
        'floor 4711 misdeal "why"',
        'FLOOR 4711 2468 misdeal "why"',
        "floor misdeal 4711",
        "floor 123456789012",
        'flor 4711 misdeal "why"',
        "4711",
        "3 4711",
        'floor4711 misdeal "why',
        '3 floor 4711 misdeal "why"',
        "fl4711oor",
    ],
)
def test_a_pin_is_not_repeated(line: str) -> None:
    shown = without_secrets(line)
    for pin in ("4711", "2468", "1234"):
        assert pin not in shown


def test_the_rest_of_a_ruling_is_repeated() -> None:
    assert without_secrets('floor 4711 misdeal "two cards"') == "floor ▒▒ misdeal two cards"


def test_a_secret_word_is_repeated_without_what_follows() -> None:
    assert [without_secrets(line) for line in ("card", "card ??", "SHOW 4 Xx")] == [
        "card",
        "card ▒▒",
        "show ▒▒",
    ]


IN_A_HAND = "seat 1 A\nseat 2 B\nbutton 1\nhand\n"


@pytest.mark.parametrize("before", ["", IN_A_HAND], ids=["between hands", "in a hand"])
@pytest.mark.parametrize("word", sorted({word.name for word in WORDS} - FACE_UP - NAMES))
def test_no_answer_names_a_card_that_was_typed_after_any_other_word(word: str, before: str) -> None:
    for rest in ("Kd", "1 Kd", "to Kd", "Kd Qd", "ok Kd", "around Kd", "ask Kd", "4711 misdeal Kd"):
        answers = run(f"{before}{word} {rest}")
        assert answers
        assert "kd" not in json.dumps(answers).lower(), rest


def test_the_message_about_an_amount_does_not_quote_it() -> None:
    ruling = 'floor 4711 stack 1 2 Kd "why"'
    for line in ("bet Kd", "raise to Kd", "buy 1 Kd", "seat 3 Ada Kd", "1 allin Kd", ruling):
        [refused] = of_type(run(f"{IN_A_HAND}{line}"), "refused")
        assert refused["code"] == "bad_amount"
        assert "Kd" not in refused["message"]
        assert "such as 4, 82.50 or 1,240" in refused["message"]
