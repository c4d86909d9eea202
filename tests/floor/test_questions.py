"""What the pad asks for a ruling, one parameter at a time, until nothing is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omaha_table.floor import BY_NAME, RULINGS
from omaha_table.floor.files import demo_staff
from omaha_table.floor.params import Payments
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evenings import placed

if TYPE_CHECKING:
    from omaha_table.floor.spec import Ruling

PLAYED = (
    "seat 1 A 100\nseat 2 B 100\nseat 3 C 100\nbutton 3\ndeal\n3 call\n1 call\n2 check\n"
    "flop 7c 5h 2s\ncheck around\nturn Kd\ncheck around\nriver As\ncheck around"
)


def session_after(script: str) -> Session:
    profile = placed("ca_big_o")
    session = Session(profile, profile.limits[0], demo_staff())
    for line in script.splitlines():
        for answer in run_line(session, 1, line):
            assert answer["type"] != "refused", (line, answer)
    return session


@pytest.mark.parametrize(
    "ruling",
    [ruling for ruling in RULINGS if ruling.name != "award"],
    ids=lambda ruling: ruling.name,
)
def test_every_parameter_is_asked_for_in_turn(ruling: Ruling) -> None:
    state = session_after(PLAYED).state
    asked = [ruling.question(state, ("1",) * count) for count in range(len(ruling.params) + 1)]
    assert asked == [*ruling.params, None]


def test_payments_are_asked_for_until_the_pots_are_paid() -> None:
    """Three players put 4 in each; the fee of 3 leaves 9 to award."""
    state, award = session_after(PLAYED).state, BY_NAME["award"]
    [payments] = award.params
    assert isinstance(payments, Payments)
    assert award.question(state, ()) is payments.seat
    assert award.question(state, ("1",)) is payments.amount
    assert award.question(state, ("1", "4.50")) is payments.seat
    assert award.question(state, ("1", "4.50", "2")) is payments.amount
    assert award.question(state, ("1", "4.50", "2", "4.50")) is None
    assert award.question(state, ("1", "20")) is None, "too much is refused, not asked about again"


def test_a_ruling_says_what_it_does_in_one_sentence() -> None:
    session = session_after(PLAYED.partition("\nflop")[0].replace("1 call", "1 fold"))
    [live] = run_line(session, 1, "floor ask live 1")
    assert live["type"] == "refused", "it has not called the blind"
    session = session_after(PLAYED + '\nfloor 4711 dead 1 "fouled hand"')
    [live] = run_line(session, 1, "floor ask live 1")
    assert live["text"] == "Seat 1's hand is live again and acts in turn."
    [dead] = run_line(session, 1, "floor ask dead 2")
    assert dead["text"] == "Seat 2's hand is dead; its chips stay in the pot."
