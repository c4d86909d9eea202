"""What the session knows beside the table."""

from __future__ import annotations

import pytest

from omaha_table.floor import Role, Staff
from omaha_table.floor.staff import Person, PinHash
from omaha_table.rules import load_profile
from omaha_table.session import Session

PIN = PinHash(b"", b"")


def session_with(*people: Person) -> Session:
    profile = load_profile("ca_big_o")
    return Session(profile, profile.limits[0], Staff(people))


@pytest.mark.parametrize(("name", "known"), [("D1", True), ("D2", False), ("F1", False)])
def test_a_dealer_must_be_on_a_list_that_has_dealers(name: str, known: bool) -> None:
    session = session_with(
        Person("F1", "Fern", Role.FLOOR, PIN), Person("D1", "Dana", Role.DEALER, PIN)
    )
    assert session.knows_dealer(name) is known


def test_a_list_without_dealers_knows_every_dealer() -> None:
    assert session_with(Person("F1", "Fern", Role.FLOOR, PIN)).knows_dealer("D9")
