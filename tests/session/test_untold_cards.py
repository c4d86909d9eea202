"""Nothing that can be typed at the table finds out which cards lie face down."""

from __future__ import annotations

from typing import Any

import pytest

from omaha_table.cards import DECK
from tests.evenings import run

DEALT = [card.text for card in DECK[:10]]
ELSEWHERE = DECK[40].text
HAND = "\n".join(
    ["seat 1 A 200", "seat 2 B 200", "button 1", "hand", *(f"card {c}" for c in DEALT)]
)


BOARD = "check around\nflop {}\ncheck around\nturn {}\ncheck around\nriver {}\ncheck around"
MOMENTS = {
    "betting": "",
    "a look at a card": f"card {ELSEWHERE}",
    "showdown": "call\n" + BOARD.format("KhKsAh", "Ad", "Ac"),
    "after a fold": "fold",
}
MOMENTS["after a muck"] = f"{MOMENTS['showdown']}\nmuck 2"


def answers(moment: str, line: str) -> list[dict[str, Any]]:
    """What is said to a line, whatever number it has in the log."""
    before = f"{HAND}\n{MOMENTS[moment]}"
    return [{**answer, "seq": 0} for answer in run(f"{before}\n{line}")[len(run(before)) :]]


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_card_that_no_place_waits_for_is_answered_alike_whether_it_was_dealt_or_not(
    moment: str,
) -> None:
    told = answers(moment, f"card {DECK[41].text}")
    assert told
    for card in DEALT:
        assert answers(moment, f"card {card}") == told


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_no_hand_is_tabled_before_the_showdown(seat: int) -> None:
    for line in (f"show {seat}", f"show {seat} {' '.join(DEALT[:5])}"):
        [answer] = answers("betting", line)
        assert answer["type"] == "refused"
        assert not any(card in str(answer) for card in DEALT)


@pytest.mark.parametrize("moment", ["betting", "a look at a card", "after a fold"])
@pytest.mark.parametrize("seat", [1, 2])
def test_the_right_and_the_wrong_guess_at_a_hand_are_refused_alike(moment: str, seat: int) -> None:
    """Who keys another player's cards before the showdown learns nothing from the answer."""
    # The button has the second card of each round.
    right = answers(moment, f"show {seat} {' '.join(DEALT[2 - seat :: 2])}")
    wrong = answers(moment, f"show {seat} {' '.join(card.text for card in DECK[30:35])}")
    assert [answer["type"] for answer in right] == ["refused"]
    assert right == wrong


def test_a_guess_at_a_mucked_hand_is_refused_alike_too() -> None:
    right = answers("after a muck", f"show 2 {' '.join(DEALT[::2])}")
    wrong = answers("after a muck", f"show 2 {' '.join(card.text for card in DECK[30:35])}")
    assert [answer["type"] for answer in right] == ["refused"]
    assert right == wrong


def test_a_guess_at_a_folded_hand_is_refused_alike_at_the_showdown() -> None:
    """Three seats, the button on 1: seat 2 has the first card of each round, and folds last."""
    cards = [card.text for card in DECK[:15]]
    play = [
        *("seat 1 A 200", "seat 2 B 200", "seat 3 C 200", "button 1", "hand"),
        *(f"card {card}" for card in cards),
        *("call", "fold", *BOARD.format("KhKsAh", "Ad", "Ac").splitlines()),
    ]
    before = len(run("\n".join(play)))
    guesses = (cards[0::3], [card.text for card in DECK[30:35]])
    right, wrong = (run("\n".join([*play, f"show 2 {' '.join(g)}"]))[before:] for g in guesses)
    assert [answer["type"] for answer in right] == ["refused"]
    assert right == wrong


def test_at_the_showdown_other_cards_than_those_dealt_are_refused() -> None:
    [wrong] = answers("showdown", f"show 1 {' '.join(card.text for card in DECK[30:35])}")
    assert wrong["code"] == "cards_speak"
    tabled = answers("showdown", f"show 1 {' '.join(DEALT[1::2])}")
    assert "refused" not in [answer["type"] for answer in tabled]
