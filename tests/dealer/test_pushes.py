"""What is pushed, in which order, and what the dealer is told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omaha_table.cards import parse_cards
from omaha_table.dealer.messages import FactsChanged
from omaha_table.dealer.pot_pushes import pushes
from omaha_table.dealer.screen.drawing import draw
from omaha_table.hand.commands import Show
from tests.console.scenes import Table
from tests.evenings import no_limit, profile_with

if TYPE_CHECKING:
    from omaha_table.dealer.pot_pushes import PushDue

FLOP = "7+5*2/0"


def due(table: Table) -> list[PushDue]:
    hand = table.session.state.hand
    assert hand is not None
    return pushes(hand)


def tabled(table: Table, **hands: str) -> Table:
    """Seats table their cards: s1="As 3d …"."""
    for seat, cards in hands.items():
        shown = Show(int(seat[1:]), parse_cards(cards))
        assert table.session.do(shown).refusal is None, seat
    table.console.send(FactsChanged(table.console.facts()))
    return table


def big_o(players: int = 3, button: int = 3, rules: str = "ca_big_o") -> Table:
    """Everybody calls 4 and checks down: 7c 5h 2s Kd Ah."""
    return Table(rules, "4-8", players=players, button=button).to_river()


def test_a_scoop_is_one_push_of_the_whole_pot() -> None:
    """12 in the pot, 3 dropped: seat 1 has the best high (aces up) and the only low."""
    table = tabled(big_o(), s1="As 3d Kc 9d Ts", s2="Qs Qd Jc Js 9h", s3="Th Td 9c 9s 8c")
    [push] = due(table)
    assert (push.seat, push.amount, push.what) == (1, 900, "The pot, HIGH and LOW")
    assert table.console.prompt.title == "PUSH 9 > SEAT 1"
    assert (
        table.console.prompt.detail
        == "The pot, HIGH and LOW.  Two pair, aces and kings, seven kicker; low 7-5-3-2-A."
    )
    table.keys("0")
    assert table.session.state.hand is None, "one push ends the hand"


def test_high_and_low_of_two_seats_are_two_pushes_high_first() -> None:
    table = tabled(big_o(), s1="Ks Kc Jd 9d Ts", s2="As 3d Qc Js 9h", s3="Th Td 9c 9s 8c")
    assert [(push.seat, push.amount) for push in due(table)] == [(1, 500), (2, 400)]


def test_main_is_said_only_where_there_are_side_pots() -> None:
    table = tabled(big_o(), s1="Ks Kc Jd 9d Ts", s2="As 3d Qc Js 9h", s3="Th Td 9c 9s 8c")
    for size in ((80, 24), (120, 40)):
        assert "MAIN" not in draw(table.console.view(), *size).text()
    assert {push.pot for push in due(with_side_pot())} == {"SIDE pot 1", "MAIN pot"}


def with_side_pot(limit: str = "2-5") -> Table:
    """Seat 1 is all in for 10; seats 2 and 3 play 50 each: main 30, side 80. 7c 5h 2s 3d Ah."""
    table = Table("ca_omaha_hilo", limit, players=3, button=3, stacks={1: 1000, 2: 5000, 3: 5000})
    table.keys("+", "0", "*", "enter", "*", "enter", "*", "enter").keys(*"7+5*2/03-01*0")
    # Seat 1: wheel both ways. Seat 2: kings up, no better low. Seat 3: nothing.
    return tabled(table, s1="4s 6d Kc Ks", s2="Qs Qd Jc Js", s3="Td Tc 9s 9c")


def test_one_player_winning_several_pots_is_pushed_pot_by_pot_the_side_pot_first() -> None:
    table = Table("ca_omaha_high", players=3, button=3, stacks={1: 400, 2: 5000, 3: 5000})
    table.keys("+", "0").around()
    table.keys(*FLOP).keys("+", "enter").around()
    table.keys("1", "3", "-", "0").around().keys("1", "*", "0").around()
    tabled(table, s2="As Ac Jc Js", s1="Td Tc 9s 9c", s3="Qs Qd 8h 8d")
    made = due(table)
    assert [(push.seat, push.pot) for push in made] == [(2, "SIDE pot 1"), (2, "MAIN pot")]


# The odd chip


def test_the_odd_chip_is_named_with_its_reason_where_it_decides() -> None:
    """9 to split: 4 and 5. The button is seat 3, so seat 1 is nearest to its left."""
    table = tabled(big_o(), s1="As 3d Qc Js 9h", s2="Ks Kc Jd 9d Ts", s3="Th Td 9c 9s 8c")
    assert [(push.seat, push.amount, push.odd) for push in due(table)] == [
        (2, 400, ""),
        (1, 500, "Odd chip to seat 1, left of the button."),
    ]
    assert "Odd chip" not in table.console.prompt.detail
    table.keys("0")
    assert table.console.prompt.detail.startswith(
        "The pot, LOW half.  Push 2 of 2.  Odd chip to seat 1, left of the button."
    )


def test_at_a_house_that_gives_it_to_the_high_the_odd_chip_is_named_so() -> None:
    """Three put in 6 each and 3 are dropped: 15. Seat 1, left of the button, has the low."""
    table = Table("house_omaha_hilo", "6-12", players=3, button=3).to_river()
    tabled(table, s1="As 3d Qc Js", s2="Ks Kc Jd 9d", s3="Th Td 9c 9s")
    high, low = due(table)
    assert [(high.seat, high.amount), (low.seat, low.amount)] == [(2, 800), (1, 700)]
    assert (high.odd, low.odd) == ("Odd chip to the high half.", "")


def test_of_an_even_pot_no_odd_chip_is_named() -> None:
    """Five players put in 4 each and 4 are dropped: 8 for each half."""
    table = tabled(
        big_o(players=5, button=5),
        s1="As 3d Qc Js 9h",
        s2="Ks Kc Jd 9d Ts",
        s3="Th Td 9c 9s 8c",
        s4="Tc Qd Qs 8d 8h",
        s5="Jh Qh Jc 6c 6d",
    )
    assert [(push.amount, push.odd) for push in due(table)] == [(800, ""), (800, "")]


def test_in_a_tie_the_odd_chip_is_said_of_the_seat_that_has_it() -> None:
    """Low half 5 between seats 1 and 2: 3 to seat 1, which is left of the button, and 2."""
    table = tabled(big_o(), s1="As 3d 9c 9d Ts", s2="Ad 3h 8s 8c Jh", s3="Th Td 9s 9h Qc")
    lows = [push for push in due(table) if "LOW" in push.part]
    assert [(push.seat, push.amount, push.odd) for push in lows] == [
        (1, 300, "Odd chip to seat 1, left of the button."),
        (2, 200, ""),
    ]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_a_long_amount_is_pushed_whole(size: tuple[int, int]) -> None:
    """Two players all in for 12,345.50 each: 24,691, and 12,345.50 for each half."""
    cents = {"unit": "0.50"}
    rules = profile_with(limit=no_limit("5.00"), odd_chip=cents)
    stacks: dict[int, int | None] = {1: 1_234_550, 2: 1_234_550}
    table = Table(rules, players=2, button=1, stacks=stacks).keys("+", "0")
    table.keys("*", "enter", "*", "enter").keys(*"7+5*2/0", *"13-0", *"1*0")
    tabled(table, s1="As 3d Qc Js", s2="Ks Kc Jd 9d")
    assert [(push.seat, push.amount) for push in due(table)] == [(2, 1_234_550), (1, 1_234_550)]
    assert table.console.prompt.title == "12,345.50 > 2"
    assert "12,345.50 to seat 2" in draw(table.console.view(), *size).text()
