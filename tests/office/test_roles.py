"""docs/roles.md, row by row, against what the program accepts."""

from __future__ import annotations

import inspect
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

import pytest

from omaha_table.floor import RULINGS
from omaha_table.journal.pins import PinCheck, PinNotAccepted
from omaha_table.office.decisions import ACTS, OfficeRefused, check_signatures
from omaha_table.office.events import Signature
from tests.evenings import PLACED_HILO, of_type, run
from tests.office.people import PINS, quick_staff
from tests.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

COLUMNS = ("D1", "F1", "S1", "A1")
"""One of each role, in the order of the page."""
STAFF = quick_staff()


def rows() -> dict[str, list[str]]:
    lines = (ROOT / "docs" / "roles.md").read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "|" in line]
    return {row[0]: row[1:] for row in cells[2:]}


def signature(number: str) -> Signature:
    person = STAFF.get(number)
    return Signature(person.id, person.name, person.role.value)


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("number", COLUMNS)
def test_a_pin_is_accepted_of_those_whom_the_page_names(
    act: str, number: str, tmp_path: Path
) -> None:
    says = rows()[ACTS[act].title][COLUMNS.index(number)]
    check = PinCheck(tmp_path, STAFF, "a test")
    if says == "–":
        with pytest.raises(PinNotAccepted, match="may not"):
            check.sign(act, PINS[number], number)
    else:
        assert says in ("yes", "with another")
        assert check.sign(act, PINS[number], number).id == number


@pytest.mark.parametrize("act", ACTS)
def test_as_many_persons_sign_as_the_page_says(act: str) -> None:
    *may, persons, _ = rows()[ACTS[act].title]
    needed = int(persons[0])
    people = ("D1", "F1", "F2", "S1", "S2", "A1")
    says = {number: may["DFSA".index(number[0])] for number in people}
    for pair in combinations_with_replacement(people, 2):
        enough = len(set(pair)) >= needed
        allowed = all(says[number] != "–" for number in pair)
        among = any(says[number] == "yes" for number in pair)
        by = [signature(number) for number in pair]
        if enough and allowed and among:
            check_signatures(act, by)
        else:
            with pytest.raises(OfficeRefused):
                check_signatures(act, by)
    with pytest.raises(OfficeRefused):
        check_signatures(act, ())


def test_the_page_has_a_row_for_each_condition_of_two_supervisors() -> None:
    """And no other ruling can ask for two."""
    named = {ruling.name for ruling in RULINGS if ruling.two_persons}
    asking = {ruling.name for ruling in RULINGS if "persons" in inspect.getsource(ruling.effect)}
    assert named == asking == {"void", "fouled", "pot", "adjust", "untrack"}
    for ruling in RULINGS:
        row = rows().get(f"ruling `{ruling.name}` {ruling.two_persons}")
        assert (row is not None) == bool(ruling.two_persons)
        if row is not None:
            assert row == ["–", "yes", "yes", "–", "2", "each with a PIN"]


SEATS = "seat 1 A 900\nseat 2 B 900\nseat 3 C 900\nbutton 1\ndeal\n"
FLOP = "1 call\n2 call\n3 check\nflop 2c 3c 4h\n"


@pytest.mark.parametrize(
    ("before", "one", "two"),
    [
        ("", "void", None),
        (FLOP, None, "void"),
        ("", "fouled", None),
        (FLOP, None, "fouled"),
        ("", "pot 1 add 100", "pot 1 add 100.50"),
        ('floor 4711 pot 1 add 100 "short"\n', None, "pot 1 add 1"),
        ("", "adjust 1 up 100", "adjust 1 up 100.50"),
        ('floor 4711 adjust 1 up 100 "short"\n', None, "adjust 2 down 1"),
    ],
)
def test_the_conditions_are_those_of_the_page(
    before: str, one: str | None, two: str | None
) -> None:
    if one is not None:
        answers = run(f'{SEATS}{before}floor 4711 {one} "a test"\n', PLACED_HILO)
        assert not of_type(answers, "refused")
    if two is not None:
        answers = run(f'{SEATS}{before}floor 4711 {two} "a test"\n', PLACED_HILO)
        [refused] = of_type(answers, "refused")
        assert refused["code"] == "two_persons"
