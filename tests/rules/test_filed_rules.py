"""What the filed documents say in so many words, played by the shipped profiles.

`docs/coverage.md` names the document and the line of each rule.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from omaha_table.cards import parse_cards
from omaha_table.dealer.console import Console
from omaha_table.evaluate import high_class, read_hands
from omaha_table.evaluate.classes import LOWS, high_tables
from omaha_table.rules import load_profile, shipped_ids
from omaha_table.rules.posted_card import card
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evaluate.classifying import classify
from tests.evenings import codes, no_limit, of_type, profile_with, run

CALIFORNIA = ("ca_omaha_hilo", "ca_omaha_high", "ca_big_o")
ROUND = ("call", "call", "call", "check")
"""Four seats before the flop, nobody raising."""
STREETS = (("flop", ("7c", "5h", "2s")), ("turn", ("Kd",)), ("river", ("As",)))


def opened(profile_id: str, seats: int = 4) -> str:
    """So many players, the button with the last of them: drawn, or placed in New Jersey."""
    numbers = range(1, seats + 1)
    script = "".join(f"seat {n} P{n}\n" for n in numbers)
    if load_profile(profile_id).button.initial == "placed":
        return f"{script}button {seats}\n"
    return script + "".join(
        f"draw {n} {'2345678'[n - 1] if n < seats else 'A'}c\n" for n in numbers
    )


def played(script: str, profile_id: str, limit: str | None = None) -> list[dict[str, Any]]:
    answers = run(script, profile_id, limit)
    assert not codes(answers), of_type(answers, "refused")
    return answers


# Cards and hands


FILED_ORDER = (
    "As Ks Qs Js Ts",
    "Ks Qs Js Ts 9s",
    "5s 4s 3s 2s As",
    "As Ah Ad Ac Ks",
    "2s 2h 2d 2c 3s",
    "As Ah Ad Ks Kh",
    "2s 2h 2d 3s 3h",
    "As Ks Qs Js 9s",
    "7s 5s 4s 3s 2s",
    "As Kh Qs Js Ts",
    "5h 4s 3s 2s As",
    "As Ah Ad Ks Qs",
    "2s 2h 2d 4s 3s",
    "As Ah Ks Kh Qs",
    "3s 3h 2s 2h 4s",
    "As Ah Ks Qs Js",
    "2s 2h 5s 4s 3s",
    "As Kh Qs Js 9s",
    "7h 5s 4s 3s 2s",
)
"""The highest and the lowest of each kind, from the royal flush down."""


def test_hands_rank_in_the_filed_order() -> None:
    classes = list(high_tables().classes)
    values = []
    for text in FILED_ORDER:
        cards = parse_cards(text)
        suited = len({one.suit for one in cards}) == 1
        values.append(classes.index(classify(tuple(one.rank for one in cards), suited=suited)))
    assert all(better > worse for better, worse in pairwise(values))
    assert (values[0], values[-1]) == (7462, 1)


def test_suits_are_equal_in_high_and_low() -> None:
    board = [one.code for one in parse_cards("7c 5h 2s Kd Qh")]
    hands = ("As 3s Kc Jd", "Ad 3d Kh Jc", "Ac 3c Ks Jh")
    highs, lows = read_hands(board, [[one.code for one in parse_cards(hand)] for hand in hands])
    assert (len({*highs}), len({*lows})) == (1, 1)
    assert LOWS[lows[0]] == (7, 5, 3, 2, 1)


def test_an_ace_is_high_in_the_high_hand_and_low_in_the_low() -> None:
    board = [one.code for one in parse_cards("Ah 7c 4d 2s Kh")]
    [high], [low] = read_hands(board, [[one.code for one in parse_cards("As 3d Kc 9c 9d")]])
    assert high_class(high).ranks == (14, 13, 7)
    assert LOWS[low] == (7, 4, 3, 2, 1)


def test_the_low_with_the_lower_top_card_wins() -> None:
    assert LOWS.index((7, 6, 4, 3, 2)) > LOWS.index((8, 6, 5, 3, 1))
    assert LOWS.index((5, 4, 3, 2, 1)) == len(LOWS) - 1


# The table


@pytest.mark.parametrize(
    ("profile_id", "seats"),
    [
        ("ca_omaha_hilo", 10),
        ("ca_omaha_high", 10),
        ("ca_big_o", 9),
        ("nj_big_omaha_high", 8),
        ("nj_big_omaha_hilo", 8),
    ],
)
def test_a_table_has_the_seats_of_its_document(profile_id: str, seats: int) -> None:
    played("".join(f"seat {n} P{n}\n" for n in range(1, seats + 1)), profile_id)
    assert codes(run(f"seat {seats + 1} One", profile_id)) == ["no_such_seat"]


def test_eight_players_of_big_o_all_get_a_hand() -> None:
    script = opened("ca_big_o", 8) + "hand"
    [started] = of_type(played(script, "ca_big_o"), "hand_started")
    assert (started["dealt"], started["no_hand"]) == ([1, 2, 3, 4, 5, 6, 7, 8], [])


def test_nobody_bets_on_a_hand_that_is_not_dealt_to_the_seat() -> None:
    """Seat 5 is away, seat 6 empty."""
    script = opened("ca_omaha_hilo") + "seat 5 P5\naway 5\ndeal\n6 call\n5 call\n3 call"
    assert codes(run(script, "ca_omaha_hilo")) == ["no_such_seat", "no_such_seat"]


def test_in_new_jersey_the_button_is_placed_and_not_drawn() -> None:
    [refused] = of_type(run("seat 1 A\nseat 2 B\ndraw 1 As", "nj_big_omaha_hilo"), "refused")
    assert refused["rule"] == "button.initial"


@pytest.mark.parametrize("profile_id", ["ca_omaha_hilo", "ca_omaha_high"])
def test_a_machines_deck_is_refused_where_the_document_has_it_shuffled_by_hand(
    profile_id: str,
) -> None:
    assert codes(run("deck ok 52\ndeck manual", profile_id)) == ["deck_not_ready"]


# The deal and the betting


@pytest.mark.parametrize("profile_id", shipped_ids())
def test_cards_go_round_from_the_left_of_the_button_and_each_street_begins_with_a_burn(
    profile_id: str,
) -> None:
    hole = load_profile(profile_id).game.hole_cards
    script = opened(profile_id) + "hand\n" + "card ??\n" * 4 * hole + "\n".join(ROUND) + "\n"
    for _, cards in STREETS:
        script += "card ??\n" + "".join(f"card {text}\n" for text in cards) + "check around\n"
    dealt = of_type(played(script, profile_id), "card_dealt")
    assert [one["seat"] for one in dealt if one["kind"] == "hole"] == [1, 2, 3, 4] * hole
    board = [one["kind"] for one in dealt if one["kind"] != "hole"]
    assert board == ["burn", "flop", "flop", "flop", "burn", "turn", "burn", "river"]


@pytest.mark.parametrize("profile_id", shipped_ids())
def test_the_big_blind_acts_last_before_the_flop_and_the_button_on_every_later_street(
    profile_id: str,
) -> None:
    script = opened(profile_id) + "deal\n" + "\n".join(ROUND) + "\n"
    for street, cards in STREETS:
        script += f"{street} {' '.join(cards)}\ncheck around\n"
    acted = [one["seat"] for one in of_type(played(script, profile_id), "acted")]
    assert acted == [3, 4, 1, 2] + [1, 2, 3, 4] * 3


@pytest.mark.parametrize("profile_id", shipped_ids())
@pytest.mark.parametrize("street", range(3))
def test_every_seat_has_the_same_choices_and_limits_on_a_street(
    profile_id: str, street: int
) -> None:
    script = opened(profile_id) + "deal\n" + "\n".join(ROUND) + "\n"
    for name, cards in STREETS[:street]:
        script += f"{name} {' '.join(cards)}\ncheck around\n"
    name, cards = STREETS[street]
    script += f"{name} {' '.join(cards)}\n"
    unbet = [
        one["choices"] for one in of_type(played(script + "step\ncheck\n" * 4, profile_id), "step")
    ]
    assert [choice["word"] for choice in unbet[0]] == ["fold", "check", "bet", "allin"]
    facing = [
        one["choices"]
        for one in of_type(played(script + "bet\nstep\ncall\nstep\ncall\nstep", profile_id), "step")
    ]
    assert [choice["word"] for choice in facing[0]] == ["fold", "call", "raise", "allin"]
    assert all(choices == unbet[0] for choices in unbet)
    assert all(choices == facing[0] for choices in facing)


def test_a_hand_that_was_folded_takes_no_further_part() -> None:
    script = opened("ca_omaha_hilo") + "deal\nfold\ncall\ncall\ncheck\nflop 7c 5h 2s\n"
    answers = run(script + "check around\n3 bet\nturn Kd", "ca_omaha_hilo")
    on_the_flop = [one["seat"] for one in of_type(answers, "acted")][4:]
    assert (on_the_flop, len(codes(answers))) == ([1, 2, 4], 1)


@pytest.mark.parametrize(
    ("profile_id", "limit", "raises"),
    [
        *((profile_id, "4-8", ("raise",) * 4) for profile_id in CALIFORNIA),
        *(
            (name, "2-5", ("raise 10", "raise 20", "raise 40", "raise 80"))
            for name in CALIFORNIA[:2]
        ),
        ("ca_big_o", "5-100", ("raise 10", "raise 20", "raise 40", "raise 80")),
    ],
)
def test_there_are_three_raises_in_every_structure_and_no_limit_between_two(
    profile_id: str, limit: str, raises: tuple[str, ...]
) -> None:
    lines = "deal\n" + "\n".join(raises)
    [refused] = of_type(run(opened(profile_id) + lines, profile_id, limit), "refused")
    source = load_profile(profile_id).profile.source
    assert (refused["code"], refused["source"]) == ("raise_cap", source)
    played(opened(profile_id, 2) + lines, profile_id, limit)


# What is shown


def console(script: str, profile_id: str, limit: str | None = None) -> Console:
    profile = load_profile(profile_id)
    chosen = profile.limits[0] if limit is None else profile.limit(limit)
    assert chosen is not None
    session = Session(profile, chosen)
    for line in script.splitlines():
        assert not codes(list(run_line(session, 1, line))), line
    return Console(session, None, title="T", wall=lambda: 1_800_000_000.0)


def marks(script: str, profile_id: str) -> dict[int, tuple[str, ...]]:
    seats = console(script, profile_id).view().seats
    return {seat.number: seat.marks for seat in seats if seat.marks}


def test_button_and_blinds_are_marked_and_go_round() -> None:
    hand = opened("ca_omaha_hilo") + "deal\n"
    assert marks(hand, "ca_omaha_hilo") == {4: ("D",), 1: ("SB",), 2: ("BB",)}
    second = hand + "fold\nfold\nfold\npush\nhand"
    assert marks(second, "ca_omaha_hilo") == {1: ("D",), 2: ("SB",), 3: ("BB",)}


SCOOP = (
    "deal\nraise\nraise\nraise\ncall\ncall\ncall\nflop Kh Jc 9d\nbet\ncall\ncall\ncall\nturn 8s\n"
    "bet\ncall\ncall\ncall\nriver 3h\ncheck around\nhigh {}\npush\n"
)
"""Four seats put in four small bets, one more on the flop and a big one: 28 small bets."""


@pytest.mark.parametrize("profile_id", ["nj_big_omaha_hilo", "house_omaha_hilo"])
def test_the_kill_button_is_before_the_scooper_until_a_pot_is_split(profile_id: str) -> None:
    first = opened(profile_id) + SCOOP.format(3)
    assert marks(first, profile_id)[3] == ("BB", "K")
    assert "K" in marks(first + SCOOP.format(1), profile_id)[1]
    split = marks(first + SCOOP.format("1 2"), profile_id)
    assert not [seat for seat, shown in split.items() if "K" in shown]


def test_blinds_lie_in_front_until_the_betting_before_the_flop_is_over() -> None:
    start = opened("ca_big_o") + "deal\n"
    before = console(start, "ca_big_o").view().felt
    assert [(pot.name, pot.amount) for pot in before.pots] == [("IN FRONT", "6")]
    after = console(start + "\n".join(ROUND), "ca_big_o").view().felt
    assert [(pot.name, pot.amount) for pot in after.pots] == [("POT", "16")]


@pytest.mark.parametrize("profile_id", shipped_ids())
def test_every_limit_is_posted_with_its_blinds_and_fees(profile_id: str) -> None:
    profile = load_profile(profile_id)
    lines = [line.text for line in card(profile)]
    assert sum(line.startswith("blinds ") for line in lines) == len(profile.limits)
    fees = [line for line in lines if line.startswith("fee ")]
    assert len(fees) == len(profile.limits)
    assert all("$5 for 7 or more hands" in line for line in fees)


def test_ante_and_kill_are_posted() -> None:
    profile = load_profile("nj_big_omaha_hilo")
    kills = [line.text for line in card(profile) if " kill: " in line.text]
    assert [line.partition(",")[0] for line in kills] == [
        "full kill: $10-$20",
        "half kill: $15-$30",
    ]
    ante = profile_with("nj_big_omaha_hilo", limit=no_limit("5.00", ante="1.00"))
    assert "blinds $5 and $5, ante $1" in [line.text for line in card(ante)]
