"""Amounts with cents, long ones too: keyed as they are said and shown whole everywhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from omaha_table.cards import parse_cards
from omaha_table.dealer.messages import FactsChanged
from omaha_table.dealer.screen.drawing import draw
from omaha_table.hand.commands import Show
from omaha_table.hand.events import Acted
from omaha_table.table.commands import SeatPlayer
from tests.console.scenes import Table
from tests.evenings import no_limit, profile_with

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.rules import Profile

SIZES = [(80, 24), (100, 30), (120, 40)]
LONG = "Bartholomew Featherston"
CENTS = {"unit": "0.50"}


def nickel_game(hole_cards: int = 5) -> Profile:
    """No limit with blinds of fifty cents and chips of fifty cents."""
    base = "ca_big_o" if hole_cards == 5 else "ca_omaha_hilo"
    return profile_with(base, limit=no_limit("0.50"), odd_chip=CENTS)


def seated(stacks: dict[int, int], rules: Profile | None = None, button: int = 1) -> Table:
    table = Table(rules or nickel_game(), players=0, button=None)
    for seat, stack in stacks.items():
        assert table.session.do(SeatPlayer(seat, f"{LONG}{seat}", stack)).refusal is None
    table.console.send(FactsChanged(table.console.facts()))
    return table.keys(str(button), "enter")


RICH = dict.fromkeys(range(1, 10), 1_234_550)


def rich(*keys: str) -> Table:
    return seated(RICH).keys("+", "0", *keys)


def all_in_showdown() -> Table:
    table = seated({1: 1_234_550, 2: 1_234_550, 3: 123_450}).keys("+", "0")
    table.keys("*", "enter", "*", "enter", "*", "enter")
    table.keys(*"7+5*2/0", *"13-0", *"1*0")
    for seat, cards in ((1, "As 3d Qc Js 9h"), (2, "Ks Kc Jd 9d Ts"), (3, "Th Td 9c 9s 8c")):
        assert table.session.do(Show(seat, parse_cards(cards))).refusal is None
    table.console.send(FactsChanged(table.console.facts()))
    return table


MOMENTS: dict[str, Callable[[], Table]] = {
    "nobody has acted": rich,
    "typed": lambda: rich(*"12340", ".", *"50"),
    "a raise to nearly everything": lambda: rich(*"4321", ".", *"50", "enter"),
    "called": lambda: rich(*"4321", ".", *"50", "enter", "enter"),
    "all in filled in": lambda: rich(*"4321", ".", *"50", "enter", "*"),
    "an all-in": lambda: rich("*", "enter"),
    "two all-ins": lambda: rich("*", "enter", "*", "enter"),
    "too little typed": lambda: rich(*"4321", ".", *"50", "enter", *"5000", ".", "5"),
    "too much typed": lambda: rich(*"99999", ".", "5"),
    "undo": lambda: rich(*"4321", ".", *"50", "enter", "."),
    "showdown": all_in_showdown,
    "second push": lambda: all_in_showdown().keys("0"),
    "hand over": lambda: all_in_showdown().keys("0", "0", "0", "0", "0", "0"),
    "a seat between hands": lambda: seated(RICH).keys("4", "enter"),
    "chips added": lambda: seated(RICH).keys("4", "enter", *"12345", ".", *"50"),
    "a new player": lambda: seated({1: 5000, 2: 5000}).keys("4", "enter", *"12345", ".", *"50"),
}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("moment", MOMENTS)
def test_no_amount_is_cut_anywhere_on_the_screen(moment: str, size: tuple[int, int]) -> None:
    table = MOMENTS[moment]()
    canvas = draw(table.console.view(), *size)
    text = canvas.text()
    assert canvas.clipped == []
    assert not re.search(r"[\d.,]…", text), text
    # An amount of more than a thousand dollars has its comma and its cents, or it was overwritten.
    for found in re.findall(r"\d+,[\d.,]+", text):
        assert re.fullmatch(r"\d{1,3},\d{3}(\.\d\d)?,?\.?", found), (found, text)
    prompt = table.console.prompt
    assert len(prompt.title) <= 17
    assert len(prompt.detail) <= 78


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
def test_stack_bet_and_action_of_a_seat_are_all_on_the_map(size: tuple[int, int]) -> None:
    """Seat 4 raises to 4,321.50 of 12,345.50: 8,024 are left."""
    text = draw(rich(*"4321", ".", *"50", "enter").console.view(), *size).text()
    assert "8,024" in text
    assert "● 4,321.50" in text
    assert "RAISE" in text


def test_a_long_name_makes_way_for_the_amounts_of_the_band() -> None:
    detail = rich(*"4321", ".", *"50", "enter").console.prompt.detail
    assert "to call 4,321.50   min raise to 8,642.50   max 12,345.50   stack 12,345.50" in detail


# The price


def facing_an_all_in(cents: int = 8750, stack: int = 50_000, mine: int = 50_000) -> Table:
    """Three players; seat 1, the button, is all in for so much, and seat 2 is to act."""
    return seated({1: cents, 2: mine, 3: stack}).keys("+", "0", "*", "enter")


def last_act(table: Table) -> tuple[str, int, int, bool]:
    events = [record.event for record in table.console.model.story.hand]
    event = [event for event in events if isinstance(event, Acted)][-1]
    return event.action, event.seat, event.to, event.all_in


def enter_cap(table: Table) -> str:
    return {key.cap: key.label for key in table.console.prompt.keys}["ENTER"]


@pytest.mark.parametrize("typed", ["87.50", "87.5"])
def test_the_exact_price_of_an_all_in_is_a_call_with_its_cents(typed: str) -> None:
    table = facing_an_all_in().keys(*typed)
    assert enter_cap(table) == "CALL 87"
    table.keys("enter")
    assert last_act(table) == ("call", 2, 8750, False)


def test_what_a_call_adds_is_a_call_too() -> None:
    """Seat 2 has its blind of 0.50 in front of it: 87 to call, as the band says."""
    table = facing_an_all_in()
    assert table.console.prompt.number == "87"
    table.keys(*"87", "enter")
    assert last_act(table) == ("call", 2, 8750, False)


def test_the_price_of_a_bet_in_whole_dollars_is_a_call() -> None:
    table = seated(RICH).keys("+", "0", *"20", "enter", *"20")
    assert enter_cap(table) == "CALL 20"
    table.keys("enter")
    assert last_act(table) == ("call", 5, 2000, False)


def test_the_price_is_a_call_where_nobody_may_raise_and_it_may_be_a_seat_too() -> None:
    """Heads up against an all-in of 2: the 2 typed is the price, and - folds to no seat."""
    table = seated({1: 200, 2: 5000}).keys("+", "0", "*", "enter", "2")
    assert enter_cap(table) == "CALL 1.50"
    table.keys("enter")
    assert last_act(table) == ("call", 2, 200, False)


def test_a_price_that_is_more_than_the_stack_is_the_all_in_and_says_so() -> None:
    """Seat 2 has 60 against 87.50: the price typed calls with all it has."""
    table = facing_an_all_in(mine=6000).keys(*"87.50")
    assert enter_cap(table) == "CALL 59.50, ALL-IN"
    table.keys("enter")
    assert last_act(table) == ("call", 2, 6000, True)


@pytest.mark.parametrize("typed", ["60", "60.00"])
def test_the_whole_stack_typed_is_the_all_in(typed: str) -> None:
    table = facing_an_all_in(mine=6000).keys(*typed)
    assert enter_cap(table) == "ALL-IN 60"
    table.keys("enter")
    assert last_act(table) == ("call", 2, 6000, True)


def test_the_whole_stack_typed_as_a_raise_is_the_all_in() -> None:
    table = seated({1: 5000, 2: 5000, 3: 5000, 4: 8750}).keys("+", "0", *"87.5")
    assert enter_cap(table) == "ALL-IN 87.50"
    table.keys("enter")
    assert last_act(table) == ("raise", 4, 8750, True)


def test_at_a_table_of_whole_dollars_a_stack_with_cents_can_be_typed() -> None:
    """The rules know no cents, but somebody was seated with 87.50."""
    rules = profile_with(limit=no_limit("5.00"))
    assert not rules.has_cents
    table = seated({1: 5000, 2: 5000, 3: 5000, 4: 8750}, rules).keys("+", "0", *"87.50")
    assert enter_cap(table) == "ALL-IN 87.50"


def test_a_limit_with_cents_takes_them_from_the_pad() -> None:
    rules = profile_with(limit=no_limit("2.50", structure="pot_limit"), odd_chip=CENTS)
    table = seated({1: 50_000, 2: 50_000, 3: 50_000}, rules).keys("+", "0", *"7.5")
    assert enter_cap(table) == "RAISE TO 7.50"
