"""Before the first card: who has paid the fee, and who cannot post in full."""

from __future__ import annotations

from omaha_table.dealer.screen.drawing import draw
from tests.console.scenes import SCENES, Table, choose


def notes(table: Table) -> dict[int, str]:
    return {seat.number: seat.last[0] for seat in table.console.view().seats if seat.last}


def untracked() -> Table:
    """Five seats without stacks at 4-8; seats 1 and 2 post 2 and 4."""
    return Table(players=5, button=5, stacks=dict.fromkeys(range(1, 6))).keys("+")


# A fee that each player pays: a dollar each for five hands


def test_who_has_not_paid_is_shown_at_the_seat_and_in_the_band() -> None:
    table = SCENES["fees_not_paid"]()
    assert notes(table) == dict.fromkeys((1, 2, 4, 5), "FEE NOT PAID")
    assert table.console.prompt.detail == "Fee 1 each.  Not paid: 1 2 4 5."
    assert table.console.view().drop == "FEES 1"


def test_a_seat_and_plus_pays_and_minus_pays_for_all_the_others() -> None:
    table = SCENES["fees_not_paid"]().keys("-")
    hand = table.session.state.hand
    assert hand is not None
    assert hand.paid == dict.fromkeys(range(1, 6), 100)
    assert notes(table) == {}
    assert table.console.view().drop == "FEES 5"


def test_a_fee_keyed_for_the_wrong_seat_is_taken_back() -> None:
    table = SCENES["fees_not_paid"]().keys(".")
    assert "seat 3 pays its fee of 1" in table.console.prompt.detail
    table.keys("+")
    assert notes(table)[3] == "FEE NOT PAID"


def test_a_seat_that_folds_without_paying_is_still_shown_as_owing() -> None:
    """Seat 3 has paid and acts first of five; it folds, and so does seat 4, which has not paid."""
    table = SCENES["fees_not_paid"]().keys("0", "-", "-")
    assert notes(table) == {1: "FEE NOT PAID", 2: "FEE NOT PAID", 3: "FOLD", 4: "FEE NOT PAID",
                            5: "FEE NOT PAID"}  # fmt: skip


def test_a_seat_that_owes_nothing_is_not_asked() -> None:
    table = SCENES["fees_not_paid"]().keys("3")
    assert "owes no fee" in table.console.prompt.detail
    assert "+" not in [key.cap for key in table.console.prompt.keys]


# A short post


def test_an_untracked_seat_posts_short_by_the_pad() -> None:
    """Seat 2 has 1 of the big blind of 4: the others still call 4, and it can win 1 of each."""
    table = untracked().keys("2", "enter", "1", "enter")
    assert table.console.prompt.title == "PITCH 5 TO 5"
    hand = table.session.state.hand
    assert hand is not None
    assert (hand.seats[2].bet, hand.seats[2].all_in) == (100, True)
    assert "seat 2 is all in with its post of 1" in table.console.model.story.log[0]
    table.keys("0")
    assert table.session.step.seat == 3
    assert "to call 4" in table.console.prompt.detail


def test_a_seat_that_posts_nothing_cannot_post_short() -> None:
    table = untracked().keys("4")
    assert "ENTER" not in [key.cap for key in table.console.prompt.keys if key.label]


def test_after_the_first_card_the_posts_stand() -> None:
    table = untracked().keys("0")
    assert table.session.step.what == "act"
    assert "POSTS SHORT" not in draw(table.console.view(), 80, 24).text()


# The drop, the showdown and the shuffler


def test_a_fee_out_of_a_side_pot_is_named_with_its_pot() -> None:
    """8-16, seat 1 all in for 1: the main pot of 3 cannot bear a fee of 3, the side pot can."""
    stacks: dict[int, int | None] = {1: 100, 2: 20000, 3: 20000}
    table = Table("ca_big_o", "8-16", players=3, button=3, stacks=stacks)
    table.keys("+", "0").around().keys(*"7+5*2/0").around()
    table.keys(*"13-0").around().keys(*"1*0").around()
    assert any("from SIDE 1" in line for line in table.console.view().felt.lines)


def test_where_all_hands_are_tabled_no_muck_is_offered() -> None:
    table = Table("house_omaha_hilo", players=3, button=3).to_river()
    assert table.session.step.what == "show"
    assert "-" not in [key.cap for key in table.console.prompt.keys]


def test_without_a_shuffler_big_o_waits_for_the_floor() -> None:
    table = Table("ca_big_o", deck_required=True)
    assert table.console.prompt.title == "NO SHUFFLER"
    assert "SHUFFLED BY HAND" not in [key.label for key in table.console.prompt.keys]
    table.keys("/", *"4711", "enter")
    choose(table, "device").keys("1", "1", "enter")
    assert "SHUFFLED BY HAND" in [key.label for key in table.console.prompt.keys]
    table.keys("enter")
    assert table.session.step.what == "cut"
