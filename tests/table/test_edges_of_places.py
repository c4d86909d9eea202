"""Button, blinds and who comes in, at the edge of their rules: two left, a chair passed, a debt."""

from __future__ import annotations

from typing import Any

from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evenings import (
    PLACED_BIG_O,
    PLACED_HILO,
    codes,
    no_limit,
    of_type,
    placed,
    profile_with,
    run,
)
from tests.table.places import folded, posts, seats, started


def places(hand: dict[str, Any]) -> tuple[int, int | None, int]:
    return hand["button"], hand["small_blind"], hand["big_blind"]


def missed(script: str, rules: Any = PLACED_HILO) -> list[list[tuple[int, bool, bool]]]:
    """For each hand the seats that missed blinds as it began: the small one, the big one."""
    found: list[list[tuple[int, bool, bool]]] = []
    waiting: list[tuple[int, bool, bool]] = []
    for answer in run(script, rules):
        if answer["type"] == "blinds_missed":
            waiting.append((answer["seat"], answer["small"], answer["big"]))
        elif answer["type"] == "hand_started":
            found.append(waiting)
            waiting = []
    return found


# The first hand


def test_without_a_button_there_is_no_hand() -> None:
    answers = run(seats(1, 2, 3) + "deal")
    [refused] = of_type(answers, "refused")
    assert (refused["code"], refused["rule"]) == ("wrong_phase", "button.initial")
    assert codes(run(seats(1, 2) + "deal")) == ["wrong_phase"]


def test_a_button_whose_player_is_away_goes_to_the_next_to_the_left() -> None:
    [three] = started(seats(2, 4, 5, 7) + "button 4\naway 4\nhand")
    assert places(three) == (5, 7, 2)
    [two] = started(seats(2, 4, 5) + "button 4\naway 4\nhand")
    assert places(two) == (5, 5, 2)


# Two players


def test_of_two_the_one_who_owes_has_the_big_blind() -> None:
    """After a lap seats 1 and 2 are left; a newcomer sits in 1, and the big blind was on 2."""
    lap = seats(1, 2, 3) + "button 1\n" + folded(3) + folded(1) + folded(2)
    hands = started(lap + "leave 1\nleave 2\nseat 1 New\nhand")
    assert places(hands[2])[2] == 2
    assert places(hands[3]) == (3, 3, 1)


def test_a_chair_has_the_big_blind_once_whoever_sits_in_it_now() -> None:
    two = seats(1, 5) + "button 5\n" + "deal\nfold\npush\n" * 3
    hands = started(two + "leave 1\nseat 1 New\nhand")
    assert [hand["big_blind"] for hand in hands] == [1, 5, 1, 5]


def test_a_third_player_who_does_not_post_waits_for_the_big_blind() -> None:
    """Seats 1 and 2 take turns; the big blind comes to 5 after it has been on 1 and not before."""
    two = seats(1, 2) + "button 1\n" + "deal\nfold\npush\n" * 3
    hands = started(two + "seat 5 New\n" + "deal\nfold\npush\nhand")
    assert [places(hand) for hand in hands[3:]] == [(2, 2, 1), (1, 2, 5)]
    assert (set(hands[3]["dealt"]), set(hands[4]["dealt"])) == ({1, 2}, {1, 2, 5})


def test_where_fewer_than_two_owe_nothing_everybody_there_is_dealt_in() -> None:
    """One is left of the old game, two have come late: there is no blind to wait for."""
    lap = seats(1, 2, 3) + "button 1\n" + folded(3) + folded(1) + folded(2)
    hands = started(lap + "leave 2\nleave 3\nseat 5 New\nseat 6 Newer\npost 5\nhand")
    assert set(hands[-1]["dealt"]) == {1, 5, 6}
    assert len({*places(hands[-1])}) == 3
    assert [kind for _, kind, _ in posts(hands[-1])] == ["small_blind", "big_blind"]


# Blinds that pass somebody


def test_blinds_are_missed_where_they_pass_and_nowhere_else() -> None:
    """Of 2, 5 and 8 each has the button; seats 3 and 9 are away for two laps.

    From the button on 8 the small blind comes to 2 past 9, the big one to 5 past 9 and 3; then
    each goes on from where it was.
    """
    script = seats(2, 3, 5, 8, 9) + "away 3\naway 9\nbutton 8\n" + "deal\nfold\nfold\npush\n" * 4
    assert missed(script) == [
        [(3, False, True), (9, True, True)],
        [(3, True, False)],
        [(9, False, True)],
        [(3, False, True), (9, True, False)],
    ]


def test_who_goes_away_after_the_big_blind_misses_the_small_one_and_no_big_one() -> None:
    """The big blind was on 8; the small one goes past 8, from 6 to 2, or round from 5 to 5."""
    four = seats(2, 4, 6, 8) + "button 4\n" + folded(8) + "away 8\nhand"
    assert missed(four) == [[], [(8, True, False)]]
    three = seats(2, 5, 8) + "button 2\n" + folded(8) + "away 8\nhand"
    assert missed(three) == [[], [(8, True, False)]]


def test_the_small_blind_is_missed_from_where_it_was_and_not_from_the_button() -> None:
    """It was on 3, who leaves; the button goes on to 5 and it to 7, past 4."""
    five = seats(1, 3, 4, 5, 7, 9) + "away 4\nbutton 1\ndeal\nfold to 5\npush\nleave 3\nhand"
    assert missed(five) == [[(4, False, True)], [(4, True, False)]]


def test_who_missed_the_small_blind_alone_posts_that_alone_and_dead() -> None:
    script = seats(2, 4, 6, 8) + "button 4\n" + folded(8) + "away 8\n" + folded(4) + "back 8\n"
    last = started(script + "post 8\nhand")[-1]
    assert [post for post in posts(last) if post[0] == 8] == [(8, "dead", 200)]


def test_who_would_post_and_has_the_big_blind_by_turn_posts_one() -> None:
    lap = seats(1, 2, 3) + "button 1\n" + folded(3) + folded(1) + folded(2)
    last = started(lap + "seat 4 New\nhand")[-1]
    assert (places(last), 4 in last["dealt"]) == ((1, 2, 3), False)
    last = started(lap + folded(3) + "seat 4 New\npost 4\nhand")[-1]
    assert posts(last) == [(3, "small_blind", 200), (4, "big_blind", 400)]


def passed(script: str) -> frozenset[int]:
    """The chairs that the big blind has come to or gone past."""
    profile = placed("ca_omaha_hilo")
    session = Session(profile, profile.limits[0])
    for line in script.splitlines():
        assert not codes(list(run_line(session, 1, line))), line
    return session.state.passed


def test_the_big_blind_passes_every_chair_from_where_it_was() -> None:
    first = seats(2, 5, 8) + "button 8\nhand\n"
    assert passed(first) == {9, 10, 1, 2, 3, 4, 5}
    six = seats(1, 3, 5, 7, 8, 9) + "button 1\n" + folded(5) + "leave 3\nleave 5\nhand"
    assert places(started(six)[-1]) == (7, 8, 9)
    assert passed(six) == {2, 3, 4, 5, 6, 7, 8, 9}


# Nobody has the big blind twice running, nobody is spared it


def test_the_big_blind_goes_on_though_those_before_it_have_changed() -> None:
    """It was on 6; 3 and 4 come for 1 and 2, and it would be on 6 again."""
    script = seats(1, 2, 6) + "button 6\n" + folded(2) + folded(6) + "leave 1\nleave 2\n"
    hands = started(script + "seat 3 New\nseat 4 Newer\nhand")
    assert places(hands[1]) == (1, 2, 6)
    assert places(hands[2]) == (4, 6, 3)


def test_who_is_placed_on_the_small_blind_is_dealt_in_though_he_has_moved() -> None:
    """It was on 4, who leaves; 2 moves there, and it would be on that chair again."""
    script = seats(1, 2, 4, 9) + "button 1\n" + folded(4) + "leave 4\nmove 2 4\nhand"
    last = started(script)[-1]
    assert places(last) == (1, 4, 9)
    assert last["dealt"] == [4, 9, 1]
    assert posts(last) == [(4, "small_blind", 200), (9, "big_blind", 400)]


def test_all_who_are_spared_post_unless_that_would_be_everybody() -> None:
    """Seats 1, 2 and 3 leave: the button goes to 4, the big blind from 3 to 6."""
    leave = "button 1\n" + folded(3) + "leave 1\nleave 2\nleave 3\nhand"
    four = started(seats(1, 2, 3, 4, 5, 6, 7) + leave)[1]
    assert places(four) == (4, 5, 6)
    assert posts(four) == [(seat, "big_blind", 400) for seat in (4, 5, 6)]
    three = started(seats(1, 2, 3, 4, 5, 6) + leave)[1]
    assert places(three) == (4, 5, 6)
    assert posts(three) == [(5, "small_blind", 200), (6, "big_blind", 400)]


def test_a_big_blind_who_moves_leaves_its_turn_where_it_was() -> None:
    """From 3 to 9: the big blind goes on from 3, past 6 who posts one too."""
    script = seats(1, 2, 3, 6) + "button 1\n" + folded(3) + "move 3 9\nhand"
    last = started(script)[-1]
    assert places(last) == (2, 6, 9)
    assert posts(last) == [(6, "big_blind", 400), (9, "big_blind", 400)]


def test_of_two_who_moves_keeps_his_turn_of_the_big_blind() -> None:
    two = seats(1, 5) + "button 5\n" + "deal\nfold\npush\n"
    assert [hand["big_blind"] for hand in started(two + "move 5 4\nhand")] == [1, 4]
    assert [hand["big_blind"] for hand in started(two + "move 1 9\nhand")] == [1, 5]


def test_with_a_dead_button_the_newcomers_are_placed_from_the_big_blind_back() -> None:
    """Of two, 1 had the small blind on the button; 5 leaves, 3 and 4 come: the big blind is 1's."""
    profile = profile_with("ca_omaha_hilo", button={"method": "dead"})
    two = seats(1, 5) + "button 5\n" + "deal\nfold\npush\n" * 2
    hands = started(two + "leave 5\nseat 3 New\nseat 4 Newer\nhand", profile)
    assert [places(hand) for hand in hands] == [(5, 5, 1), (1, 1, 5), (3, 4, 1)]


# Who gets no hand, what is posted, what is told


def test_of_ten_the_floor_names_one_and_the_last_to_be_dealt_sits_out_too() -> None:
    ten = {"max": 10, "max_hands": 8, "no_hand_seat": "floor"}
    profile = profile_with("ca_big_o", seats=ten)
    for named, without in ((5, {5, 10}), (10, {9, 10})):
        script = seats(*range(1, 11)) + f'button 10\nfloor 4711 nohand {named} "asked"\nhand'
        [hand] = started(script, profile)
        assert set(hand["no_hand"]) == without
        assert len(hand["dealt"]) == 8


def test_who_gets_no_hand_posts_nothing_though_he_was_spared() -> None:
    """Nine at Big O, three of them new: 4 has the button, gets no hand and posts no blind."""
    lap = "".join(map(folded, (3, 4, 5, 6, 7, 8, 9, 1, 2, 3)))
    script = seats(*range(1, 10)) + "button 1\n" + lap + "leave 1\nleave 2\nleave 3\n"
    script += "".join(f"seat {n} New{n}\npost {n}\n" for n in (1, 2, 3)) + "hand"
    last = started(script, PLACED_BIG_O)[-1]
    assert (places(last), last["no_hand"]) == ((4, 5, 6), [4])
    assert posts(last) == [
        *((seat, "big_blind", 400) for seat in (5, 6)),
        *((seat, "late", 400) for seat in (1, 2, 3)),
    ]


def test_a_game_without_a_small_blind_has_none_to_post_or_to_make_up() -> None:
    profile = profile_with("ca_omaha_hilo", limit=no_limit("4.00", small_blind="0.00"))
    away = seats(2, 4, 6, 8) + "button 4\n" + folded(8) + "away 8\n" + folded(4) + "back 8\n"
    hands = started(away + "post 8\nhand", profile)
    assert posts(hands[0]) == [(8, "big_blind", 400)]
    assert [post for post in posts(hands[-1]) if post[0] == 8] == []


def test_a_hand_begins_with_its_stacks_by_seat_and_the_deck_that_is_used() -> None:
    script = "seat 3 C 50\nseat 1 A 40\nseat 2 B 60\nbutton 1\ndeck ok 52 red\ncut\nhand"
    [hand] = started(script, PLACED_BIG_O)
    assert list(hand["stacks"].items()) == [("1", 4000), ("2", 6000), ("3", 5000)]
    assert hand["deck"] == "red"


def test_a_late_post_is_taken_outside_the_blinds_only() -> None:
    """Button 4, blinds 1 and 2: chair 5 is between button and blind and waits, chair 3 is not."""
    lap = seats(1, 2, 4) + "button 4\n" + folded(2) + folded(4) + folded(1)
    for chair, inside in ((5, False), (3, True)):
        last = started(lap + f"seat {chair} New\npost {chair}\nhand")[-1]
        assert places(last) == (4, 1, 2)
        assert (chair in last["dealt"]) is inside
    assert posts(last) == [(1, "small_blind", 200), (2, "big_blind", 400), (3, "late", 400)]


def test_the_dead_button_method_on_the_first_hand_places_all_three() -> None:
    profile = profile_with("ca_omaha_hilo", button={"method": "dead"})
    [hand] = started(seats(2, 5, 8) + "button 5\nhand", profile)
    assert places(hand) == (5, 8, 2)


def test_who_would_post_and_gets_no_hand_under_the_gun_posts_nothing() -> None:
    """Seats 4 and 9 are new; the blinds are 2 and 3, so that 4 sits out, and 9 comes in."""
    profile = profile_with("ca_big_o", seats={"no_hand_seat": "under_the_gun"})
    lap = "".join(map(folded, (2, 3, 4, 5, 6, 7, 8, 1, 2)))
    script = seats(*range(1, 9)) + "button 8\n" + lap + "seat 9 Newer\npost 9\nleave 4\n"
    last = started(script + "seat 4 New\npost 4\nhand", profile)[-1]
    assert (places(last), last["no_hand"]) == ((1, 2, 3), [4])
    assert posts(last) == [(2, "small_blind", 200), (3, "big_blind", 400), (9, "late", 400)]
