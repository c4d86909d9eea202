"""The draw that opens a game: a card to each seat in order, and who may place a button instead.

The house dealer's left is seat 1, so that the dealing order is the order of the seats.
"""

from __future__ import annotations

from typing import Any

import pytest

from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.script import run_line
from omaha_table.table.commands import ImportButton
from tests.evenings import PLACED_HILO, codes, of_type, profile_with, run
from tests.table.places import folded, seats

DRAWN = "ca_omaha_hilo"
PLACED = "nj_big_omaha_hilo"
RULING = 'floor 4711 button {} "the deck was fouled"\n'
THREE = seats(2, 5, 7)
OPENED = THREE + "draw 2 Kd\ndraw 5 Kh\ndraw 7 Js\n"
"""Two kings: hearts outrank diamonds, and seat 5 has the button."""


def refusals(script: str, rules: Any = DRAWN) -> list[tuple[str, str, str]]:
    found = of_type(run(script, rules), "refused")
    return [(answer["code"], answer["rule"], answer["message"]) for answer in found]


def buttons(script: str, rules: Any = DRAWN) -> list[tuple[int, str]]:
    """Every button that was placed by a script without a refusal."""
    answers = run(script, rules)
    assert not codes(answers), of_type(answers, "refused")
    return [(answer["seat"], answer["how"]) for answer in of_type(answers, "button_placed")]


def steps(script: str, rules: Any = DRAWN) -> list[tuple[str, int | None]]:
    """What each `step` of a script says is due, and whose turn it is."""
    return [(answer["what"], answer["seat"]) for answer in of_type(run(script, rules), "step")]


# The order


def test_the_cards_go_round_from_the_dealers_left_whatever_order_players_came_in() -> None:
    script = seats(7, 2, 5) + "step\ndraw 2 Kd\nstep\ndraw 5 Kh\nstep\ndraw 7 Js\nstep"
    assert steps(script) == [("draw", 2), ("draw", 5), ("draw", 7), ("hand", None)]
    assert buttons(OPENED) == [(5, "drawn")]


@pytest.mark.parametrize("rules", ["ca_omaha_hilo", "ca_omaha_high", "ca_big_o"])
def test_a_card_out_of_order_is_refused_with_the_seat_that_is_next(rules: str) -> None:
    out_of_order = seats(1, 2, 3) + "draw 3 Ks\ndraw 1 2c\ndraw 3 Ks\n"
    rule = "button.initial"
    assert refusals(out_of_order, rules) == [
        ("out_of_turn", rule, "Seat 3 is out of turn: seat 1 gets the next card."),
        ("out_of_turn", rule, "Seat 3 is out of turn: seat 2 gets the next card."),
    ]
    # The card that was refused is not on the table.
    [placed] = of_type(run(out_of_order + "draw 2 Kh\ndraw 3 Ks", rules), "button_placed")
    assert (placed["seat"], placed["how"]) == (3, "drawn")


def test_the_document_is_named_as_the_source_of_the_order() -> None:
    [refused] = of_type(run(THREE + "draw 7 As", DRAWN), "refused")
    assert refused["source"] == load_profile(DRAWN).profile.source


def test_a_seat_gets_one_card_and_a_card_one_seat() -> None:
    script = THREE + "draw 2 Kd\ndraw 2 As\ndraw 5 Kd\ndraw 4 As"
    found = [code for code, _, _ in refusals(script)]
    assert found == ["wrong_phase", "duplicate_card", "no_such_seat"]


def test_with_a_button_or_without_a_draw_no_card_is_drawn() -> None:
    [(code, rule, message)] = refusals(OPENED + "draw 2 As")
    assert (code, rule) == ("wrong_phase", "button.initial")
    assert message == "Seat 5 already has the button."
    assert refusals(THREE + "draw 2 As", PLACED) == [
        ("wrong_phase", "button.initial", "The button is placed here, not drawn.")
    ]


# Players who come, leave, go away and come back


def test_who_sits_down_during_the_draw_is_next_in_a_lower_seat_and_last_in_a_higher() -> None:
    script = THREE + "draw 2 Kd\ndraw 5 Kh\n" + seats(9, 1) + "step\ndraw 1 3c\nstep\n"
    assert steps(script + "draw 7 Js\nstep") == [("draw", 1), ("draw", 7), ("draw", 9)]
    assert refusals(script + "draw 9 As\n") == [
        ("out_of_turn", "button.initial", "Seat 9 is out of turn: seat 7 gets the next card.")
    ]
    assert buttons(script + "draw 7 Js\ndraw 9 As") == [(9, "drawn")]


def test_who_leaves_before_a_card_is_passed_over() -> None:
    assert steps(THREE + "draw 2 Kd\nleave 5\nstep") == [("draw", 7)]
    assert buttons(THREE + "draw 2 Kd\nleave 5\ndraw 7 Js") == [(2, "drawn")]


def test_the_card_of_a_player_who_left_takes_no_button_and_a_newcomer_draws_another() -> None:
    left = THREE + "draw 2 As\nleave 2\n"
    assert buttons(left + "draw 5 Kh\ndraw 7 Js") == [(5, "drawn")]
    again = left + seats(2) + "step\ndraw 2 3c\ndraw 5 Kh\ndraw 7 Js"
    assert steps(again) == [("draw", 2)]
    assert buttons(again) == [(5, "drawn")]


def test_who_moves_draws_a_card_in_the_new_chair() -> None:
    script = THREE + "draw 2 As\nmove 2 6\ndraw 5 Kh\n"
    assert steps(script + "step\ndraw 6 3c\nstep") == [("draw", 6), ("draw", 7)]
    assert buttons(script + "draw 6 3c\ndraw 7 Js") == [(5, "drawn")]


@pytest.mark.parametrize("end", ["leave 7", "away 7"])
def test_the_draw_ends_when_the_only_seat_without_a_card_goes(end: str) -> None:
    assert buttons(THREE + f"draw 2 Kd\ndraw 5 Kh\n{end}") == [(5, "drawn")]


def test_a_seat_that_is_away_gets_no_card_until_it_is_back() -> None:
    away = THREE + "away 5\ndraw 2 Kd\n"
    assert refusals(away + "draw 5 Kh") == [
        (
            "out_of_turn",
            "button.initial",
            "Seat 5 is away or has no chips: seat 7 gets the next card.",
        )
    ]
    assert steps(away + "step\nback 5\nstep") == [("draw", 7), ("draw", 5)]
    assert buttons(away + "back 5\ndraw 5 Kh\ndraw 7 Js") == [(5, "drawn")]
    assert buttons(away + "draw 7 Js") == [(2, "drawn")]


def test_with_everybody_away_nobody_gets_a_card() -> None:
    everybody = seats(2, 5) + "away 2\naway 5\ndraw 2 Kd"
    assert refusals(everybody) == [
        ("out_of_turn", "button.initial", "Seat 2 is away or has no chips: it gets no card.")
    ]


def test_who_goes_away_with_a_card_keeps_it_for_the_time_after() -> None:
    """The ace is away when the last card falls, and back in time for it."""
    away = THREE + "draw 2 As\naway 2\ndraw 5 Kh\n"
    assert buttons(away + "draw 7 Js") == [(5, "drawn")]
    assert buttons(away + "back 2\ndraw 7 Js") == [(2, "drawn")]


def test_the_draw_ends_when_somebody_comes_back_with_the_last_card() -> None:
    """One card alone decides nothing: the draw waits for a second player."""
    waiting = seats(2, 5) + "draw 2 As\naway 2\ndraw 5 Kh\n"
    assert buttons(waiting) == []
    assert buttons(waiting + "back 2") == [(2, "drawn")]


def test_chips_that_a_ruling_moves_can_end_the_draw_too() -> None:
    tracked = "".join(f"seat {n} P{n} 100\n" for n in (2, 5, 7)) + "draw 2 Kd\ndraw 5 Kh\n"
    moved = 'floor 4711 stack 7 2 100 "sold the seat"'
    answers = run(tracked + moved, DRAWN)
    kinds = [answer["type"] for answer in answers][-3:]
    assert kinds == ["ruled", "chips_transferred", "button_placed"]
    assert answers[-1]["seat"] == 5


# The button without a draw


def test_in_a_drawn_game_only_the_floor_places_the_button() -> None:
    before = ("not_authorised", "button.initial")
    for start in (THREE, THREE + "draw 2 Kd\n"):
        [(code, rule, message)] = refusals(start + "button 7")
        assert (code, rule) == before
        assert message == (
            "The button is drawn for, not placed: use 'draw', or call the floor for the ruling "
            "'button'."
        )
        assert buttons(start + RULING.format(7)) == [(7, "placed")]
    assert steps(THREE + "draw 2 Kd\n" + RULING.format(7) + "step") == [("hand", None)]


def test_a_button_that_the_floor_places_before_the_first_hand_replaces_the_draw() -> None:
    script = THREE + "draw 2 As\n" + RULING.format(7) + "hand"
    [started] = of_type(run(script, DRAWN), "hand_started")
    assert (started["button"], started["small_blind"], started["big_blind"]) == (7, 2, 5)
    [(code, _, message)] = refusals(THREE + RULING.format(7) + "draw 2 As")
    assert (code, message) == ("wrong_phase", "Seat 7 already has the button.")


MOVED_BY_THE_FLOOR = "Seat {} has the button: only the floor moves it, with the ruling 'button'."


def test_a_button_that_was_drawn_for_is_moved_by_the_floor_alone() -> None:
    assert refusals(OPENED + "button 7") == [
        ("not_authorised", "button.initial", MOVED_BY_THE_FLOOR.format(5))
    ]
    assert buttons(OPENED + RULING.format(7)) == [(5, "drawn"), (7, "placed")]


@pytest.mark.parametrize(
    ("rules", "opened"), [(DRAWN, OPENED), (PLACED, THREE + "button 5\n"), (PLACED_HILO, "")]
)
def test_once_a_hand_has_been_dealt_the_button_is_moved_by_the_floor_alone(
    rules: Any, opened: str
) -> None:
    """The button was on 5 and goes to 7."""
    script = (opened or THREE + "button 5\n") + folded(2)
    refused = refusals(script + "button 2", rules)
    assert refused == [("not_authorised", "button.initial", MOVED_BY_THE_FLOOR.format(7))]
    answers = run(script + RULING.format(2) + "hand", rules)
    assert of_type(answers, "hand_started")[-1]["button"] == 2


def test_a_placed_game_is_opened_by_the_dealer_who_may_correct_it_before_the_first_hand() -> None:
    assert buttons(THREE + "button 5\nbutton 7", PLACED) == [(5, "placed"), (7, "placed")]
    called_off = THREE + 'button 5\nhand\nfloor 4711 misdeal "boxed card"\nbutton 7'
    assert [code for code, _, _ in refusals(called_off, PLACED)] == ["not_authorised"]


def test_a_game_that_has_broken_up_is_opened_again() -> None:
    broken_up = folded(2) + "leave 2\nleave 5\nleave 7\n" + seats(3, 4)
    assert buttons(THREE + "button 5\n" + broken_up + "button 4", PLACED)[1:] == [(4, "placed")]
    drawn = buttons(OPENED + broken_up + "draw 3 2c\ndraw 4 2d")
    assert drawn == [(5, "drawn"), (4, "drawn")]
    assert [code for code, _, _ in refusals(OPENED + broken_up + "button 4")] == ["not_authorised"]


def test_a_draw_that_has_begun_ends_without_a_button_where_the_rules_place_it() -> None:
    """The rules change during the draw: no card takes the button any more."""
    script = THREE + f"draw 2 As\ndraw 5 Kh\nrules {PLACED}\nleave 7\n"
    assert buttons(script) == []
    assert steps(script + "step") == [("button", None)]
    assert buttons(script + "button 5") == [(5, "placed")]


def test_without_a_button_a_hand_is_refused_with_the_way_to_one() -> None:
    [(code, rule, message)] = refusals(THREE + "hand")
    assert (code, rule) == ("wrong_phase", "button.initial")
    assert "'draw'" in message
    [(_, _, message)] = refusals(THREE + "hand", PLACED)
    assert "'button'" in message


def test_a_button_is_imported_into_a_game_that_has_none() -> None:
    profile = profile_with(button={"initial": "high_card"})
    session = Session(profile, profile.limits[0])
    for line in THREE.splitlines():
        list(run_line(session, 1, line))
    again, unknown = ImportButton(5), ImportButton(4)
    assert session.do(unknown).refusal is not None
    assert session.do(again).refusal is None
    refusal = session.do(again).refusal
    assert refusal is not None
    assert (refusal.code, refusal.rule) == ("wrong_phase", "button.initial")
