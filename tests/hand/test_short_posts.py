"""A seat whose stack nobody tracks has less than it must post, and says so before the cards."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.floor.files import demo_staff
from omaha_table.hand.audit import fault_in
from omaha_table.hand.events import PostedShort
from omaha_table.hand.opening import may_post_short
from omaha_table.hand.phases import Phase
from omaha_table.journal.verification import files_in, verify
from omaha_table.review.exchange.hand_actions import actions_of, known_stacks
from omaha_table.review.index.reading import hands_in
from omaha_table.rules import Profile, load_profile
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evenings import NO_FEE, codes, hand_end, no_limit, of_type, profile_with, run
from tests.hand.edges import hand_after
from tests.hand.lines import choices, seats

if TYPE_CHECKING:
    from pathlib import Path

PLACED = {"initial": "placed"}
LIMIT = {
    "id": "4-8", "structure": "limit", "small_bet": "4.00", "big_bet": "8.00",
    "small_blind": "2.00", "big_blind": "4.00", "fees": NO_FEE,
}  # fmt: skip
HIGH = profile_with("ca_omaha_high", button=PLACED, limit=LIMIT)
ANTE = profile_with("ca_omaha_high", button=PLACED, limit=LIMIT | {"ante": "1.00"})
FOUR = f"{seats([1, 2, 3, 4])}\nbutton 4\nhand\n"
"""Small blind seat 1, big blind seat 2, both without a stack."""
BOARD = "flop Kh Jc 9d\nturn 8s\nriver 3h\n"


def played(script: str, rules: Profile = HIGH) -> list[dict[str, Any]]:
    answers = run(script, rules)
    assert not codes(answers), of_type(answers, "refused")
    return answers


def test_a_short_big_blind_plays_for_the_main_pot_and_lowers_no_price() -> None:
    """Seat 2 has 3. Three others put in 4: a main pot of 12 and a side pot of 3."""
    script = f"{FOUR}2 allin 3\ndeal\n3 call\n4 call\n1 call\nflop Kh Jc 9d\ncheck around\n"
    script += "turn 8s\ncheck around\nriver 3h\ncheck around\nhigh 1\nhigh 2\npush"
    ended = hand_end(played(script))
    assert [(pot["amount"], pot["eligible"]) for pot in ended["pots"]] == [
        (1200, [1, 2, 3, 4]),
        (300, [1, 3, 4]),
    ]
    assert ended["invested"] == {"1": 400, "2": 300, "3": 400, "4": 400}
    [acted, *_] = of_type(played(script), "acted")
    assert (acted["seat"], acted["action"], acted["amount"]) == (3, "call", 400)


@pytest.mark.parametrize(
    ("all_of_it", "bet", "put_in"),
    [("0.50", 0, 50), ("1", 0, 100), ("3", 200, 300), ("5", 400, 500)],
)
def test_the_ante_is_posted_first_and_the_blind_from_what_is_left(
    all_of_it: str, bet: int, put_in: int
) -> None:
    """Ante 1 and big blind 4."""
    hand = hand_after(f"{FOUR}2 allin {all_of_it}", ANTE).seats[2]
    assert (hand.bet, hand.put_in, hand.all_in) == (bet, put_in, True)


def test_antes_of_the_others_beyond_a_short_ante_make_a_side_pot() -> None:
    """Seat 1 has half its ante of 1; three others ante 1, and two of them put in 4.

    Main pot 4 x 0.50; side pot 3 x 0.50 and 2 x 4: 9.50.
    """
    script = f"{FOUR}1 allin 0.50\ndeal\n3 call\n4 fold\n2 check\n"
    script += "flop Kh Jc 9d\ncheck around\nturn 8s\ncheck around\nriver 3h\ncheck around\n"
    ended = hand_end(played(f"{script}high 1\nhigh 2\npush", ANTE))
    assert [(pot["amount"], pot["eligible"]) for pot in ended["pots"]] == [
        (200, [1, 2, 3]),
        (950, [2, 3]),
    ]
    assert ended["awards"] == {"1": 200, "2": 950}


def test_who_posts_all_of_it_and_has_no_more_has_no_option() -> None:
    script = f"{FOUR}2 allin 4\ndeal\n3 call\n4 fold\n1 fold\n"
    ended = hand_end(played(f"{script}{BOARD}high 2\npush"))
    assert ended["awards"] == {"2": 1000}
    assert 2 not in [acted["seat"] for acted in of_type(played(script), "acted")]


def test_two_short_blinds_alone_see_the_board_without_betting() -> None:
    """Between two, seat 1 has the button and the small blind: 1 against 3, and 2 go back."""
    script = f"{seats([1, 2])}\nbutton 1\nhand\n1 allin 1\n2 allin 3\ndeal\n{BOARD}high 1\npush"
    ended = hand_end(played(script))
    assert (ended["returned"], ended["awards"]) == ({"2": 200}, {"1": 200})


def test_a_short_kill_is_no_smaller_price() -> None:
    """The house's half kill is 9; seat 8 has 5 left of what it won, says the dealer."""
    [limit] = [limit.model_dump(mode="json") for limit in load_profile("house_omaha_hilo").limits]
    house = profile_with("house_omaha_hilo", button=PLACED, limit=limit)
    scoop = f"{seats([3, 4, 5, 6, 8])}\nbutton 8\ndeal\n5 raise\n6 raise\n8 raise\n3 fold\n4 fold\n"
    scoop += "5 call\n6 call\nflop KhTc4d\n5 check\n6 check\n8 bet\n5 fold\n6 fold\npush\n"
    hand = hand_after(f"{scoop}hand\n8 allin 5\ndeal", house)
    assert hand.setup.started.killer == 8
    assert (hand.seats[8].bet, hand.seats[8].all_in, hand.price) == (500, True, 900)


def test_in_pot_limit_a_short_blind_counts_as_a_full_one() -> None:
    """Blinds of 5 and 5: first in may raise to 20, whatever the big blind really had."""
    limit = no_limit("5.00", structure="pot_limit")
    rules = profile_with("ca_omaha_hilo", button=PLACED, limit=limit)
    sizes = []
    for short in ("", "2 allin 2\n"):
        [step] = of_type(played(f"{FOUR}{short}deal\nstep", rules), "step")
        sizes.append(next(c for c in step["choices"] if c["word"] == "raise")["most"])
    assert sizes == [2000, 2000]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("2 allin 4.01", "bet_size"),  # more than its post: it has chips to act with
        ("2 allin 0", "bet_size"),
        ("2 allin", "bet_size"),
        ("allin 2", "bet_size"),  # whose?
        ("3 allin 2", "bet_size"),  # posts nothing
        ("9 allin 2", "no_such_seat"),
        ("2 fold", "wrong_phase"),
        ("2 call", "wrong_phase"),
    ],
)
def test_what_is_no_short_post_is_refused_and_changes_nothing(line: str, code: str) -> None:
    answers = run(f"{FOUR}{line}", HIGH)
    assert codes(answers) == [code]
    assert hand_after(FOUR, HIGH).seats[2].bet == 400


def test_a_tracked_stack_posts_short_by_itself() -> None:
    tracked = "seat 1 A 100\nseat 2 B 3\nseat 3 C 100\nbutton 3\nhand\n"
    assert hand_after(tracked, HIGH).seats[2].bet == 300
    assert may_post_short(hand_after(tracked, HIGH)) == {}
    [refusal] = of_type(run(f"{tracked}2 allin 2", HIGH), "refused")
    assert (refusal["code"], "tracked" in refusal["message"]) == ("bet_size", True)


def test_after_the_first_card_the_posts_stand() -> None:
    for card in ("card ??", "deal"):
        answers = run(f"{FOUR}{card}\n2 allin 3", HIGH)
        assert codes(answers) in (["wrong_phase"], ["out_of_turn"]), card
    assert codes(run(f"{FOUR}2 allin 3\ncard ??\nundo", HIGH)) == ["wrong_phase"]


def test_a_short_post_can_be_taken_back_or_said_again_until_the_first_card() -> None:
    assert hand_after(f"{FOUR}2 allin 3\nundo", HIGH) == replace(hand_after(FOUR, HIGH), entry=2)
    assert hand_after(f"{FOUR}2 allin 3\n2 allin 1", HIGH).seats[2].bet == 100


def test_who_may_say_it_is_known_until_the_first_card() -> None:
    assert may_post_short(hand_after(FOUR, ANTE)) == {1: 300, 2: 500, 3: 100, 4: 100}
    assert may_post_short(hand_after(FOUR, HIGH)) == {1: 200, 2: 400}
    assert may_post_short(hand_after(f"{FOUR}card ??", HIGH)) == {}
    # Hands that the floor has ruled dead before the deal can leave one, who wins without cards.
    assert may_post_short(replace(hand_after(FOUR, HIGH), phase=Phase.PUSH)) == {}


def test_a_misdeal_gives_back_what_was_really_posted() -> None:
    answers = played(f'{FOUR}2 allin 3\ndeal\nfloor 4711 misdeal "boxed cards"')
    [ended] = of_type(answers, "hand_ended")
    assert ended["returned"] == {"1": 200, "2": 300}


def test_a_pot_that_the_floor_has_corrected_is_the_floors() -> None:
    corrected = f'{FOUR}floor 4711 pot 2 back 1 "had three"\n2 allin 3'
    assert codes(run(corrected, HIGH)) == ["wrong_phase"]


# In the log


def test_only_a_post_that_is_due_can_be_short_in_a_log() -> None:
    hand = hand_after(FOUR, HIGH)
    assert fault_in(hand, PostedShort(2, 300, 1)) == ""
    for forged in (PostedShort(2, 500, 1), PostedShort(3, 100, 1), PostedShort(2, 0, 1)):
        assert fault_in(hand, forged), forged
    dealt = hand_after(f"{FOUR}card ??", HIGH)
    assert fault_in(dealt, PostedShort(2, 300, 2))


def test_it_is_recovered_verified_and_exported_as_it_was_posted(tmp_path: Path) -> None:
    def say(session: Session, script: str) -> None:
        for line in script.splitlines():
            assert not codes(list(run_line(session, 1, line))), line

    def opened() -> Session:
        return Session.on_journal(tmp_path, "t", ANTE, ANTE.limits[0], demo_staff())

    session = opened()
    say(session, f"{FOUR}2 allin 3")
    before = session.state.hand
    session.close()
    session = opened()
    assert session.state.hand == before
    say(session, f"deal\n3 call\n4 fold\n1 fold\n{BOARD}high 2\npush")
    session.close()
    assert verify(files_in(tmp_path)).damage == []
    [hand] = hands_in(*tmp_path.glob("*.journal"))
    posts = [(act.kind, act.amount, act.to, act.all_in) for act in actions_of(hand)
             if act.seat == 2 and act.kind != "show"]  # fmt: skip
    assert posts == [("ante", 100, 0, False), ("big_blind", 200, 200, True)]
    assert known_stacks(hand) == {1: None, 2: 300, 3: None, 4: None}


def test_a_short_post_is_among_the_choices_of_no_later_step() -> None:
    [step] = of_type(played(f"{FOUR}2 allin 3\ndeal\nstep"), "step")
    assert (step["seat"], choices(step)["call"]) == (3, 400)


def test_all_that_a_seat_must_post_counts_as_one_amount() -> None:
    """An ante of 1 and a big blind of 4 are 5 in all."""
    assert may_post_short(hand_after(FOUR, ANTE)) == {1: 300, 2: 500, 3: 100, 4: 100}
