"""A fee that each player pays: who owes it, who has paid, and where the chips go."""

from __future__ import annotations

from typing import Any

import pytest

from omaha_table.hand import fee_per_player, unpaid
from omaha_table.hand.audit import fault_in
from omaha_table.hand.events import FeeDue, FeePaid
from omaha_table.hand.fees import not_taken
from tests.evenings import codes, hand_end, of_type, profile_with, run
from tests.hand.edges import hand_after
from tests.hand.lines import seats

FEES = [{"players": "5+", "fee": "1.00"}, {"players": "2-4", "fee": "2.00"}]
GAME = profile_with(
    "ca_omaha_hilo",
    button={"initial": "placed"},
    fee={"by": "player", "from": "main"},
    limit={
        "id": "4-8",
        "structure": "limit",
        "small_bet": "4.00",
        "big_bet": "8.00",
        "small_blind": "2.00",
        "big_blind": "4.00",
        "fees": FEES,
    },
)
THREE = f"{seats([1, 2, 3])}\nbutton 3\nhand\n"
TO_THE_END = (
    "3 call\n1 call\n2 check\nflop 7c 5h 2s\ncheck around\nturn Kd\ncheck around\nriver As\n"
    "check around\nhigh 1\nlow 2\npush\n"
)


def paid(answers: list[dict[str, Any]]) -> list[tuple[int, int]]:
    return [(event["seat"], event["amount"]) for event in of_type(answers, "fee_paid")]


def test_each_seat_that_is_dealt_in_pays_by_the_number_of_hands() -> None:
    assert fee_per_player(hand_after(THREE, GAME)) == 200
    five = f"{seats(range(1, 6))}\nbutton 5\nhand\n"
    assert fee_per_player(hand_after(five, GAME)) == 100
    assert paid(run(five + "paid all", GAME)) == [(seat, 100) for seat in range(1, 6)]


def test_nobody_pays_where_the_fee_comes_out_of_the_pot_or_none_is_due() -> None:
    placed = profile_with("ca_omaha_hilo", button={"initial": "placed"})
    assert fee_per_player(hand_after(THREE, placed)) == 0
    assert not_taken(hand_after(THREE, placed)) == 0
    limit = GAME.limits[0]
    from_five = GAME.model_copy(
        update={"limits": [limit.model_copy(update={"fees": limit.fees[:1]})]}
    )
    three = hand_after(THREE, from_five)
    assert (fee_per_player(three), unpaid(three)) == (0, [])


def test_who_has_not_paid_is_shown_until_the_fee_is_in() -> None:
    hand = hand_after(THREE + "paid 2\n", GAME)
    assert (unpaid(hand), hand.paid) == ([1, 3], {2: 200})
    answers = run(THREE + "step\npaid 2\nstep\ndeal\nstep\npaid 1 3\nstep", GAME)
    assert [step["unpaid"] for step in of_type(answers, "step")] == [[1, 2, 3], [1, 3], [1, 3], []]
    before, *_, last = of_type(answers, "step")
    assert "paid" in [choice["word"] for choice in before["choices"]]
    assert "paid" not in [choice["word"] for choice in last["choices"]]


def test_nothing_comes_out_of_the_pot() -> None:
    ended = hand_end(run(THREE + "paid all\ndeal\n" + TO_THE_END, GAME))
    assert (ended["fee"], ended["jackpot"], ended["waived"]) == (0, 0, 0)
    assert ended["awards"] == {"1": 600, "2": 600}
    assert not of_type(run(THREE + "deal\n" + TO_THE_END, GAME), "fee_due")


def test_a_hand_without_a_flop_has_its_fees_too() -> None:
    script = f"shift day B1 J1\n{THREE}paid all\ndeal\n3 fold\n1 fold\npush\nshift close"
    answers = run(script, GAME)
    # The small blind of 2 and as much of the big one; the rest of that was not called.
    assert hand_end(answers)["awards"] == {"2": 400}
    assert [closed["fees"] for closed in of_type(answers, "shift_closed")] == [600]


def test_the_box_and_the_down_get_what_was_paid_and_no_more() -> None:
    start = f"shift day B1 J1\ndown D1\n{THREE}"
    script = start + "paid 1 2\ndeal\n" + TO_THE_END + "hand\npaid all\ndeal\nfold\nfold\npush\n"
    answers = run(script + "down out\nshift close", GAME)
    assert not codes(answers)
    [out], [closed] = of_type(answers, "dealer_out"), of_type(answers, "shift_closed")
    assert (out["fees"], closed["fees"], closed["jackpots"]) == (400 + 600, 400 + 600, 0)
    first, second = of_type(answers, "hand_ended")
    assert (first["waived"], second["waived"]) == (200, 0)  # seat 3 did not pay


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("paid 9", "no_such_seat"),
        ("paid 1 1", "fee"),
        ("paid", "bad_command"),
        ("paid one", "bad_command"),
        ("paid all 1", "bad_command"),
    ],
)
def test_what_cannot_be_paid_is_refused_and_changes_nothing(line: str, code: str) -> None:
    answers = run(f"{THREE}{line}\nstep", GAME)
    assert codes(answers) == [code]
    assert not paid(answers)
    assert of_type(answers, "step")[0]["unpaid"] == [1, 2, 3]


def test_nobody_pays_twice_nor_before_the_hand_nor_where_the_pot_pays() -> None:
    answers = run(THREE + "paid all\npaid all\npaid 2", GAME)
    assert codes(answers) == ["fee", "fee"]
    assert {refused["rule"] for refused in of_type(answers, "refused")} == {"fee.by"}
    assert codes(run(f"{seats([1, 2, 3])}\nbutton 3\npaid 1", GAME)) == ["wrong_phase"]
    placed = profile_with("ca_omaha_hilo", button={"initial": "placed"})
    [refusal] = of_type(run(THREE + "paid 1", placed), "refused")
    assert (refusal["code"], "out of the pot" in refusal["message"]) == ("fee", True)


def test_a_payment_is_taken_back_like_any_entry() -> None:
    answers = run(THREE + "paid 2\nundo\nstep\npaid 3\ndeal\nstep\nundo\nundo\nundo", GAME)
    assert [step["unpaid"] for step in of_type(answers, "step")] == [[1, 2, 3], [1, 2]]
    # The cards, then the payment; the start of a hand whose cards were out is for the floor.
    assert [undone["undone"] for undone in of_type(answers, "undone")] == [1, 4, 3]
    assert codes(answers) == ["wrong_phase"]
    assert hand_after(THREE + "deal\npaid 2\nundo\n", GAME).paid == {}


def test_a_tracked_stack_pays_from_its_chips() -> None:
    script = "seat 1 A 50\nseat 2 B 50\nseat 3 C 50\nbutton 3\nhand\npaid all\ndeal\n" + TO_THE_END
    ended = hand_end(run(script, GAME))
    # 50 less the fee of 2 and the 4 put in; the pot of 12 is split between seats 1 and 2.
    assert ended["stacks"] == {"1": 5000, "2": 5000, "3": 4400}


@pytest.mark.parametrize(("stack", "taken"), [("6", False), ("6.01", True)])
def test_a_seat_keeps_a_chip_to_play_with(stack: str, taken: bool) -> None:
    """The big blind of 4 is posted; 2 more are all it has."""
    script = f"seat 1 A 50\nseat 2 B {stack}\nseat 3 C 50\nbutton 3\nhand\npaid 2"
    assert codes(run(script, GAME)) == ([] if taken else ["chips"])


def test_a_seat_that_has_folded_may_pay_with_its_last_chips() -> None:
    """The small blind of 2 is posted and given up; 2 more are all it has."""
    start = "seat 1 A 4\nseat 2 B 50\nseat 3 C 50\nbutton 3\nhand\n"
    assert codes(run(f"{start}paid 1", GAME)) == ["chips"]
    assert codes(run(f"{start}deal\n3 call\n1 fold\npaid 1", GAME)) == []


def test_a_hand_that_is_called_off_gives_the_fees_back_with_the_bets() -> None:
    start = "shift day B1 J1\nseat 1 A 50\nseat 2 B 50\nseat 3 C 50\nbutton 3\nhand\npaid 1 2\n"
    answers = run(start + 'floor 4711 misdeal "two cards exposed"\nshift close', GAME)
    [ended] = of_type(answers, "hand_ended")
    assert ended["stacks"] == {"1": 5000, "2": 5000, "3": 5000}
    assert ended["returned"] == {"1": 200 + 200, "2": 400 + 200}
    assert of_type(answers, "shift_closed")[0]["fees"] == 0
    # Dealt again, each pays for the hand that is played.
    again = run(start + 'floor 4711 misdeal "two cards exposed"\nhand\nstep', GAME)
    assert of_type(again, "step")[0]["unpaid"] == [1, 2, 3]


def test_the_floor_can_waive_the_fee_and_give_one_back() -> None:
    start = f"shift day B1 J1\n{THREE}paid 1\n"
    waived = run(start + 'floor 4711 waive "long ruling"\nstep\npaid 2\n', GAME)
    assert codes(waived) == ["fee"]
    assert "waived" in of_type(waived, "refused")[0]["message"]
    assert of_type(waived, "step")[0]["unpaid"] == []
    played = start + "paid 2 3\ndeal\n" + TO_THE_END
    refund = 'floor 4711 refund 1 2 2 "never dealt in"\nshift close'
    answers = run(played + refund, GAME)
    assert not codes(answers), of_type(answers, "refused")
    assert of_type(answers, "shift_closed")[0]["fees"] == 600 - 200


@pytest.mark.parametrize(
    "forged",
    [FeePaid(2, 100, 1), FeePaid(9, 200, 1), FeePaid(1, 200, 1), FeeDue(200, 0, 3, 1)],
)
def test_a_forged_payment_is_found(forged: FeePaid | FeeDue) -> None:
    """Another amount, a seat without a hand, a second payment, a fee out of the pot."""
    hand = hand_after(THREE + "paid 1\n", GAME)
    assert fault_in(hand, forged)
    assert not fault_in(hand, FeePaid(2, 200, 2))
