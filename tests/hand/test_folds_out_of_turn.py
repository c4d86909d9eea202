"""A fold out of turn binds: the hand is dead at once, the turn stays, the chips stay in.

Four players at 4-8, the button on seat 4: seat 1 posts 2, seat 2 posts 4, seat 3 acts first.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from omaha_table.hand.audit import fault_in
from omaha_table.hand.commands import FoldOutOfTurn
from omaha_table.hand.decisions import decide
from omaha_table.hand.events import FoldedOutOfTurn
from omaha_table.hand.phases import Phase
from tests.evenings import codes, hand_end, no_limit, of_type, profile_with, run
from tests.floor.four_players import F, play
from tests.hand.edges import hand_after

FOUR = "".join(f"seat {n} P{n} 100\n" for n in (1, 2, 3, 4)) + "button 4\ndeal\n"
FLOP = FOUR + "3 call\n4 call\n1 call\n2 check\nflop 7c 5h 2s\n"
NO_LIMIT = profile_with(betting={"max_raises": 0}, limit=no_limit())


def test_the_hand_is_dead_at_once_and_the_turn_stays() -> None:
    hand = hand_after(FOUR + "outofturn 4 fold")
    assert (hand.actor, hand.seats[4].folded, hand.contenders) == (3, True, [1, 2, 3])
    assert hand_after(FOUR + "outofturn 4 fold\n3 call").actor == 1


def test_a_fold_that_is_not_said_to_be_out_of_turn_is_refused_with_the_word_for_it() -> None:
    [refused] = of_type(play(FOUR + "4 fold"), "refused")
    assert refused["code"] == "out_of_turn"
    assert "'outofturn 4 fold'" in refused["message"]


@pytest.mark.parametrize(
    ("script", "code", "said"),
    [
        (FOUR + "outofturn 3 fold", "wrong_phase", "It is seat 3's turn: 'fold'."),
        (FOUR + "3 fold\noutofturn 3 fold", "wrong_phase", "already folded"),
        (FOUR + "3 fold\n4 fold\noutofturn 3 fold", "wrong_phase", "already folded"),
        (FOUR + "outofturn 9 fold", "no_such_seat", "has no hand"),
        (FOUR.replace("deal\n", "hand\n") + "outofturn 4 fold", "wrong_phase", "deal the hole"),
        (FOUR.replace("deal\n", "") + "outofturn 4 fold", "wrong_phase", ""),
        (FOUR + "outofturn 4 call", "bad_command", "outofturn N fold"),
        (FOUR + "outofturn 4", "bad_command", "outofturn N fold"),
    ],
)
def test_what_is_no_fold_out_of_turn_is_refused(script: str, code: str, said: str) -> None:
    answers = play(script)
    assert codes(answers) == [code]
    assert said in of_type(answers, "refused")[0]["message"]
    assert not of_type(answers, "folded_out_of_turn")


def test_a_seat_that_is_all_in_has_no_action_to_take_early() -> None:
    short = FOUR.replace("P3 100", "P3 4") + "3 allin\n"
    answers = play(short + "outofturn 3 fold")
    assert codes(answers) == ["wrong_phase"]
    assert "all in" in of_type(answers, "refused")[0]["message"]


def test_the_last_hand_wins_as_soon_as_the_others_are_gone() -> None:
    """Seat 4 has put nothing in and wins both blinds; no flop, no drop."""
    ended = hand_end(play(FOUR + "3 fold\noutofturn 1 fold\noutofturn 2 fold\npush"))
    assert ended["outcome"] == "uncontested"
    assert ended["awards"] == {"4": 600}
    assert ended["returned"] == {}
    assert ended["stacks"] == {"1": 9800, "2": 9600, "3": 10000, "4": 10600}


def test_a_bet_stays_though_its_player_has_thrown_the_hand_away() -> None:
    """The pot before the flop is 16. Seat 2 bets 4 and is gone: the others still face 4."""
    bet = FLOP + "1 check\n2 bet\noutofturn 2 fold\n"
    answers = play(bet + "3 check\n3 raise\n4 fold\n1 fold\npush")
    assert codes(answers) == ["cannot_check"]
    assert of_type(answers, "acted")[-3]["to"] == 800
    closed = of_type(answers, "street_closed")[-1]
    # Seat 3 raised to 8 and the dead bet of 4 is matched: 4 of the 8 go back, 16 + 4 + 4 stay.
    assert (closed["returned"], closed["pot"]) == ({"3": 400}, 2400)
    [ended] = of_type(answers, "hand_ended")
    assert ended["invested"] == {"1": 400, "2": 800, "3": 800, "4": 400}
    assert (ended["fee"], ended["awards"]) == (300, {"3": 2100})


def test_nothing_of_a_bet_goes_back_to_the_player_who_has_folded() -> None:
    """Everybody folds to the dead bet: the last seat wins 16 and the 4, less the drop of 3."""
    answers = play(FLOP + "1 check\n2 bet\noutofturn 2 fold\n3 fold\n4 fold\npush")
    [ended] = of_type(answers, "hand_ended")
    assert (ended["returned"], ended["awards"]) == ({}, {"1": 1700})


def test_a_seat_alone_against_an_all_in_seat_still_answers_the_dead_bet() -> None:
    """Seat 1 bets 8, seat 2 is all in for 4, seat 1 is gone: seat 3 calls 8, and the 4 of each
    that seat 2 cannot match are a side pot that is seat 3's alone."""
    script = "seat 1 A 50\nseat 2 B 5\nseat 3 C 50\nbutton 3\ndeal\n3 call\n1 call\n2 check\n"
    script += "flop 7c 5h 2s\n1 bet 8\n2 allin\noutofturn 1 fold\n"
    [step] = of_type(run(script + "step", NO_LIMIT), "step")
    assert (step["seat"], step["choices"][1]) == (3, {"word": "call", "least": 800, "most": 800})
    rest = "3 call\nturn Kd\nriver As\nshow 2 Ah 3d Kc Kh\nshow 3 Qh Qd Jh Jd\npush"
    ended = hand_end(run(script + rest, NO_LIMIT))
    assert [pot["amount"] for pot in ended["pots"]] == [300 + 1200, 800]
    assert [pot["eligible"] for pot in ended["pots"]] == [[2, 3], [3]]
    assert ended["awards"] == {"2": 1500, "3": 800}


def test_a_street_ends_if_nobody_is_left_to_answer() -> None:
    """Seat 2 is all in for 4, seat 3 has called it, seat 1 raises to 12 and is gone."""
    script = "seat 1 A 50\nseat 2 B 5\nseat 3 C 50\nbutton 3\ndeal\n3 call\n1 call\n2 check\n"
    script += "flop 7c 5h 2s\n1 check\n2 allin\n3 call\n1 raise 12\noutofturn 1 fold"
    answers = run(script, NO_LIMIT)
    assert not codes(answers)
    closed = of_type(answers, "street_closed")[-1]
    assert (closed["returned"], closed["pot"]) == ({}, 300 + 400 + 400 + 1200)
    assert closed["entry"] == of_type(answers, "folded_out_of_turn")[0]["entry"]


def test_two_left_before_the_cap_lift_it_and_two_left_at_the_cap_do_not() -> None:
    before = FOUR + "3 raise\noutofturn 1 fold\noutofturn 2 fold\n"
    assert not codes(play(before + "4 raise\n3 raise\n4 raise\n3 raise"))
    at_cap = FOUR + "3 raise\n4 raise\n1 raise\n2 call\noutofturn 4 fold\noutofturn 1 fold\n"
    assert codes(play(at_cap + "3 raise")) == ["raise_cap"]


@pytest.mark.parametrize(("action", "codes_"), [("call", ["bound"]), ("fold", [])])
def test_a_seat_that_is_bound_to_an_action_takes_it(action: str, codes_: list[str]) -> None:
    bound = FOUR + f'{F} binding 1 {action} "out of turn"\n'
    assert codes(play(bound + "outofturn 1 fold")) == codes_
    released = bound + f'{F} release 1 "a mistake"\n'
    assert not codes(play(released + "outofturn 1 fold"))


def test_a_fold_out_of_turn_can_be_taken_back_with_all_that_followed() -> None:
    for script in (FOUR, FLOP + "1 bet\n2 raise\n", FOUR + "3 fold\n4 fold\n"):
        before = hand_after(script)
        seat = next(n for n in before.able if n != before.actor)
        after = hand_after(script + f"outofturn {seat} fold\nundo")
        assert replace(after, entry=before.entry) == before


def test_a_hand_thrown_away_between_streets_ends_a_hand_of_two() -> None:
    """Before the flop is dealt no drop is due: 4 and 4 go to seat 2, all of it."""
    script = FOUR + "3 fold\n4 fold\n1 call\n2 check\noutofturn 1 fold\n"
    assert hand_after(script + "undo").phase is Phase.BOARD
    ended = hand_end(play(script + "push"))
    assert (ended["awards"], ended["fee"], ended["outcome"]) == ({"2": 800}, 0, "uncontested")


def test_between_streets_the_others_play_on() -> None:
    hand = hand_after(FOUR + "3 call\n4 call\n1 call\n2 check\noutofturn 1 fold\nflop 7c 5h 2s")
    assert (hand.actor, hand.contenders) == (2, [2, 3, 4])


def test_folding_up_to_a_seat_passes_over_who_is_gone() -> None:
    hand = hand_after(FOUR + "outofturn 4 fold\nfold to 1")
    assert (hand.actor, hand.contenders) == (1, [1, 2])


def test_no_action_in_turn_has_been_taken_so_a_misdeal_is_still_possible() -> None:
    script = FOUR + "outofturn 4 fold\noutofturn 1 fold\n"
    assert not codes(play(script + f'{F} misdeal "two cards exposed"'))


def test_a_flop_that_somebody_has_thrown_a_hand_away_at_is_not_taken_back() -> None:
    assert codes(play(FLOP + f'outofturn 3 fold\n{F} fourcards "four cards"')) == ["wrong_phase"]


def test_a_forged_fold_out_of_turn_is_found() -> None:
    hand = hand_after(FOUR)
    entry = hand.entry + 1
    assert fault_in(hand, FoldedOutOfTurn(4, entry)) == ""
    for seat in (3, 9):
        assert fault_in(hand, FoldedOutOfTurn(seat, entry))
    gone = decide(hand, FoldOutOfTurn(4)).state
    assert fault_in(gone, FoldedOutOfTurn(4, entry + 1))
