"""Who supervises which tables since when."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.office_book import read_office
from omaha_table.office.decisions import OfficeRefused, check
from omaha_table.office.events import SectionTaken
from omaha_table.office.state import Records, Section, sections_after
from omaha_table.review.reports.office_text import office_line
from tests.counters import PINS, signature
from tests.office.evening import run
from tests.room.page.rooms import fields, text

if TYPE_CHECKING:
    import httpx

    from tests.room.page.conftest import Floor
    from tests.room.page.rooms import Visitor


def take(visitor: Visitor, section: str, *tables: str, who: str = "F1") -> httpx.Response:
    form = fields(visitor.get("/sections").text)
    ticked = {f"table-{table}": "yes" for table in tables}
    given = {"section": section, "number": who, "pin": PINS[who]}
    return visitor.client.post("/sections", data=form | ticked | given)


def test_a_section_is_taken_with_a_pin_and_shown_at_its_tables(floor: Floor) -> None:
    names = [floor.table().night.table for _ in range(2)]
    done = take(floor.known(), "North", *names)
    assert "North F1 Fern Hill" in text(done)
    assert ", ".join(names) in text(done)
    tiles = floor.known().get("/").text
    assert tiles.count('data-section="North"') == 2
    assert '<option value="North">' in tiles
    taken = take(floor.known("S1"), "South", names[0], who="S1")
    assert "South S1 Sam Vale" in text(taken)
    assert read_office(floor.office).sections["North"].tables == (names[1],)
    assert "North" not in text(take(floor.known(), "North")).split("Take a section")[0]
    assert run("verify", floor.office).exit_code == 0
    assert (
        f"Section North ({', '.join(names)}) is supervised by F1 Fern Hill."
        in run("office", "log", "--data", floor.office).stdout
    )


def test_nobody_takes_a_section_for_somebody_else_or_as_a_dealer(floor: Floor) -> None:
    name = floor.table().night.table
    for who, said in (("D1", "may not supervise tables"), ("A1", "may not supervise tables")):
        refused = take(floor.known(), "West", name, who=who)
        assert refused.status_code == 409
        assert said in text(refused)
    assert "West" not in read_office(floor.office).sections


def event(section: str = "North", *tables: str) -> SectionTaken:
    return SectionTaken(section, tables, signature("F1"))


@pytest.mark.parametrize(
    "wrong",
    [event(""), event("x" * 41), event("a\nb"), event("North", "t1", "t1"),
     event("North", "../t1"), event("North", *(f"t{n}" for n in range(201)))],
)  # fmt: skip
def test_what_is_no_section_is_refused(wrong: SectionTaken) -> None:
    with pytest.raises(OfficeRefused):
        check(Records(), wrong)


def test_a_table_is_in_one_section() -> None:
    north = sections_after({}, event("North", "t1", "t2"), 1)
    both = sections_after(north, event("South", "t2", "t3"), 2)
    by = signature("F1")
    assert both == {"North": Section(("t1",), by, 1), "South": Section(("t2", "t3"), by, 2)}
    assert sections_after(both, event("South", "t1"), 3) == {"South": Section(("t1",), by, 3)}
    assert sections_after(both, event("North"), 4) == {"South": both["South"]}
    assert office_line(event("North")) == "Section North is supervised by nobody, by F1 Fern Hill."
