"""Start, cards out, board and push: each on a key of its own, never passed by ENTER."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from omaha_table.hand.events import BoardDealt, HandEnded, HandStarted, HoleCardsOut
from tests.console.scenes import SCENES, Table
from tests.dealer.careful import CarefulDealer

TABLES = {
    "Big O 4-8": ("ca_big_o", "4-8"),
    "Omaha 8 4-8": ("ca_omaha_hilo", "4-8"),
    "Omaha pot limit 5-5": ("ca_omaha_hilo", "5-5"),
    "Omaha high": ("ca_omaha_high", None),
    "New Jersey": ("nj_big_omaha_hilo", "5-10"),
}
HANDS_EACH = 5


def hammered(table: Table) -> None:
    """ENTER three times a second for two seconds: nothing of the four is recorded."""
    seq, pushed = table.session.state.seq, table.console.model.half.pushed
    step, refusals = table.session.step, table.console.model.refusals
    keyed = table.console.model.half.cards
    table.hammer("enter", times=6, a_second=3)
    assert table.session.state.seq == seq
    assert table.session.step == step
    assert table.console.model.half.pushed == pushed
    assert table.console.model.half.cards == keyed
    assert table.console.model.refusals == refusals + 6, "each one rings"


@pytest.mark.parametrize("shoe", [False, True], ids=["by hand", "with a shoe"])
@pytest.mark.parametrize("game", TABLES.values(), ids=list(TABLES))
def test_enter_three_times_a_second_passes_no_start_cards_out_board_or_push(
    game: tuple[str, str | None], shoe: bool
) -> None:
    """Fifty hands in all: five games, with and without a shoe, five hands each."""
    rng = random.Random(f"{game} {shoe}")
    for seed in range(HANDS_EACH):
        players = rng.randint(2, 8)
        table = Table(*game, players=players, button=1, devices=shoe)
        recorded: list[type[object]] = []
        table.console.listeners.append(lambda made: recorded.extend(type(r.event) for r in made))  # noqa: B023
        if shoe:
            table.live()
        CarefulDealer(table, seed, hammered).play()
        for kind in (HandStarted, HoleCardsOut, HandEnded):
            assert recorded.count(kind) == (0 if kind is HoleCardsOut and shoe else 1)
        assert recorded.count(BoardDealt) <= 3


@pytest.mark.parametrize(
    ("scene", "why"),
    [
        ("idle", "Press + to start the hand."),
        ("pitch_by_hand", "Press 0 when the cards are out."),
        ("flop_keyed", "Press 0 if the flop is right."),
        ("push", "Press 0 when the chips are pushed."),
    ],
)
def test_enter_names_the_key_that_goes_on(scene: str, why: str) -> None:
    table = SCENES[scene]().keys("enter")
    assert table.console.model.answer.text == why
    [strong] = [key.cap for key in table.console.prompt.keys if key.strong]
    assert strong in why, "the white cap is that key"


def test_plus_before_the_cut_says_what_comes_first() -> None:
    table = SCENES["cut"]()
    seq = table.session.state.seq
    table.keys("+")
    assert table.session.state.seq == seq
    said = "Cut the deck first, then ENTER. + starts the hand after it."
    assert table.console.model.answer.text == said


def test_no_two_steps_in_a_row_are_committed_with_the_same_key() -> None:
    """The keys of a hand by hand: + 0 … 0 … 0 0, and between two of them always another."""
    table = Table(players=3, button=3)
    committed: list[tuple[str, str]] = []
    press = table.console.press

    def watched(key: str, at: float) -> None:
        what, seq = table.session.step.what, table.session.state.seq
        press(key, at)
        if table.session.state.seq > seq:
            committed.append((what, key))

    table.console.press = watched  # type: ignore[method-assign,assignment]
    CarefulDealer(table, 1).play()
    CarefulDealer(table, 2).play()
    lone = [(what, key) for what, key in committed if what != "act"]
    for (what, key), (following, next_key) in pairwise(committed):
        if "act" not in (what, following) and "show" not in (what, following):
            assert key != next_key, (what, following)
    assert {what: key for what, key in lone if what != "show"} == {
        "hand": "+", "deal": "0", "flop": "0", "turn": "0", "river": "0", "push": "0",
    }  # fmt: skip


def test_a_question_is_not_confirmed_with_the_key_that_asked_it() -> None:
    for scene in SCENES:
        for key in [*"0123456789+-*/.", "enter"]:
            table = SCENES[scene]()
            asked_before = table.console.prompt.kind == "SURE"
            table.keys(key)
            if asked_before or table.console.prompt.kind != "SURE":
                continue
            seq = table.session.state.seq
            table.keys(key)
            assert table.session.state.seq == seq, (scene, key)


# The board


def test_a_keyed_board_is_shown_on_the_board_and_waits() -> None:
    table = Table().keys("+", "0").around().keys(*"7+5*2/")
    view = table.console.view()
    assert (view.felt.board, view.felt.keyed) == ((), ("7c", "5h", "2s"))
    assert view.prompt.title == "CHECK THE FLOP"
    assert "7c 5h 2s" in view.prompt.detail
    assert table.session.step.what == "flop"
    table.keys("0")
    assert table.session.step.what == "act"


def test_the_last_card_of_a_keyed_board_is_taken_off_and_keyed_again() -> None:
    table = Table().keys("+", "0").around().keys(*"7+5*2/", ".")
    assert table.console.model.half.cards == ("7c", "5h")
    table.keys("3", "/", "0")
    hand = table.session.state.hand
    assert hand is not None
    assert [card.text for card in hand.board] == ["7c", "5h", "3s"]


@pytest.mark.parametrize("key", [*"123456789+-*"])
def test_no_fourth_card_is_keyed_on_a_whole_flop(key: str) -> None:
    table = Table().keys("+", "0").around().keys(*"7+5*2/", key)
    assert table.console.model.half.cards == ("7c", "5h", "2s")
    assert table.console.model.typed == ""
    assert "All cards of the flop are keyed" in table.console.model.answer.text


def test_a_ten_is_still_a_ten_where_0_confirms() -> None:
    table = Table().keys("+", "0").around().keys(*"10+5*2/0")
    hand = table.session.state.hand
    assert hand is not None
    assert [card.text for card in hand.board] == ["Tc", "5h", "2s"]


# The key 0


def test_a_held_0_says_once_that_the_cards_are_out_and_types_nothing() -> None:
    table = Table().keys("+")
    for repeat in range(40):
        table.console.press("0", 100 + repeat / 30)
    assert table.session.step.what == "act"
    assert table.console.model.typed == ""


def test_0_pressed_twice_leaves_nothing_typed_in_the_betting() -> None:
    table = Table().keys("+", "0", "0")
    assert table.console.model.answer.text == "No seat and no amount begins with 0."
    assert table.console.model.typed == ""
    seat = table.session.step.seat
    assert table.keys("enter").session.step.seat != seat, "the call is not in the way of a digit"


def test_where_chips_have_cents_an_amount_may_begin_with_0() -> None:
    table = Table(stacks=dict.fromkeys(range(1, 10), 20_50)).keys("+", "0", "0", ".", "5")
    assert table.console.model.typed == "0.5"


def test_a_held_0_pushes_once() -> None:
    table = SCENES["push"]()
    for repeat in range(40):
        table.console.press("0", 500 + repeat / 30)
    assert table.console.model.half.pushed == 1


def test_no_seat_begins_with_a_0_and_seat_10_is_typed_as_ever() -> None:
    table = Table("house_omaha_hilo", players=9).keys("0")
    assert table.console.model.typed == ""
    assert "Seats are 1 to" in table.console.model.answer.text
    most = table.session.state.profile.seats.max
    table.keys("1", "0")
    assert table.console.model.typed == "10"
    assert (most >= 10) == ("OPEN SEAT 10" in [key.label for key in table.console.prompt.keys])


def test_a_seat_that_posts_short_is_asked_for_with_enter_and_0_ends_no_number() -> None:
    table = SCENES["short_post"]()
    assert table.console.prompt.title == "SEAT 2 SHORT"
    table.keys("0")
    assert table.console.model.typed == "10", "a 0 in a number is a figure"
