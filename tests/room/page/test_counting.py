"""Shift close at the page: one screen per box, two signatures, and what a difference comes to."""

from __future__ import annotations

import re
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from omaha_table.room.database import connect
from omaha_table.room.enrollment import enroll
from omaha_table.room.shipper import Shipper
from tests.counters import PINS, hire
from tests.office.evening import HAND, run
from tests.office.evening import count as count_at_a_folder
from tests.review.html_pages import Reader
from tests.room.page.counting import (
    count,
    counts,
    form_of,
    path,
    pins,
    review,
    shift,
    sign,
    typed,
)
from tests.room.page.rooms import fields, text

if TYPE_CHECKING:
    from tests.room.page.conftest import Floor
    from tests.room.page.rooms import Table


@pytest.fixture(scope="module")
def removed(floor: Floor) -> Table:
    """A table whose shift swing has ended: $9 in one box and $3 in the other."""
    return shift(floor)


def test_a_shift_lists_its_boxes_expected_removed_and_counted(floor: Floor) -> None:
    table = shift(floor)
    name = table.night.table
    box = f"B{name.upper()}"
    table.say(f"shift late {box}2 none")
    visitor = floor.known()
    listed = text(visitor.get("/boxes"))
    assert re.search(rf"{name} {box} J{name.upper()} To be counted", listed)
    assert re.search(rf"{name} {box}2 none At the table", listed)
    assert count(visitor, path(table), "9").status_code == 200
    assert re.search(
        rf"{name} {box} J{name.upper()} \$9 and \$3: agrees", text(visitor.get("/boxes"))
    )
    table.say("shift close")
    assert re.search(rf"{name} {box}2 none To be counted", text(visitor.get("/boxes")))


def test_a_short_box_is_counted_explained_and_closed(floor: Floor) -> None:
    table = floor.table()
    name = table.night.table.upper()
    table.say(
        f"shift swing B{name} J{name}", "down D1", *HAND,
        *HAND[:-1], 'floor 4711 waive "misdealt before"', "push", *HAND, "shift close",
    )  # fmt: skip
    visitor, where = floor.known(), path(table)
    shown = typed(visitor, where, "3", "2")
    assert "$3 short counted $3, due $6" in text(shown)
    assert "Jackpot agrees counted $2, due $2" in text(shown)
    assert "2 $0 fee waived, floor ruling" in text(shown)
    assert counts(floor, table) == []
    done = sign(visitor, shown.text)
    assert "$3 short" in text(done)
    [event] = counts(floor, table)
    assert (event.counted, event.jackpot, event.due, event.jackpot_due) == (300, 200, 600, 200)
    assert [by.id for by in event.by] == ["F1", "S1"]

    explained = review(visitor, done.text, "explain", "F1", "hand 2 paid no fee")
    assert "Explained by f1 fern hill" in text(explained)
    own = review(visitor, explained.text, "close", "F1", "seen on camera")
    assert own.status_code == 409
    assert "takes a shift manager" in text(own)
    closed = review(visitor, own.text, "close", "S2", "seen on camera")
    assert "The review is closed." in text(closed)
    assert "closed, S2 Sue Moor: seen on camera" in text(closed)
    assert run("verify", floor.office).exit_code == 0


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (pins("F1", "F1"), "Two different persons sign"),
        (pins("D1", "D2"), "one of them must be a floor supervisor or a shift manager"),
        (pins("D1", "A1"), "one of them must be a floor supervisor or a shift manager"),
        ({"number2": "X7"}, "There is no staff number 'X7'."),
        ({"number2": "S2", "pin2": "123123"}, "Wrong PIN: 4 tries left."),
        ({"number2": "", "pin2": ""}, "There is no staff number ''."),
        ({"pin2": "1'; DROP"}, "A PIN has digits alone."),
        ({"reason": "a first count"}, "A first count has no reason."),
        ({"amount": "9,5"}, "is not an amount"),
        ({"amount": "-9"}, "is not an amount"),
    ],
)  # fmt: skip
def test_what_does_not_add_up_to_two_persons_records_nothing(
    floor: Floor, removed: Table, more: dict[str, str], said: str
) -> None:
    refused = sign(floor.known(), typed(floor.known(), path(removed), "9").text, **more)
    assert refused.status_code == 409
    assert said in text(refused)
    assert "Nothing was recorded." in text(refused)
    assert counts(floor, removed) == []
    for pin in PINS.values():
        assert pin not in refused.text


def test_after_a_wrong_pin_the_amounts_are_still_there(floor: Floor, removed: Table) -> None:
    refused = sign(floor.known(), typed(floor.known(), path(removed), "8").text, pin2="000111")
    assert "$1 short counted $8" in text(refused)
    assert fields(refused.text)["amount"] == "8"


def test_a_box_that_still_lies_at_its_table_is_not_counted(floor: Floor) -> None:
    table = floor.table()
    name = table.night.table.upper()
    table.say(f"shift swing B{name} none", "down D1", *HAND)
    visitor, where = floor.known(), path(table)
    page = visitor.get(where)
    assert "is still open" in text(page)
    assert "In box" not in text(page)
    forced = visitor.client.post("/box/count", data=form_of(page.text, where) | pins() | {
        "csrf": visitor.csrf, "form": "forged", "amount": "3",
    })  # fmt: skip
    assert forced.status_code == 409
    assert counts(floor, table) == []


def test_a_form_that_is_sent_twice_records_one_count(floor: Floor) -> None:
    table, visitor = shift(floor), floor.known()
    page = typed(visitor, path(table), "9").text
    cookies = dict(visitor.client.cookies)
    answers: list[int] = []

    def send() -> None:
        import httpx

        with httpx.Client(base_url=visitor.address, cookies=cookies, timeout=60) as client:
            done = client.post("/box/count", data=fields(page) | pins(), follow_redirects=True)
            answers.append(done.status_code)

    threads = [threading.Thread(target=send) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [200, 200, 200]
    assert len(counts(floor, table)) == 1


def test_a_page_from_before_somebody_else_counted_records_nothing(floor: Floor) -> None:
    table, first, second = shift(floor), floor.known("F1"), floor.known("S1")
    early = typed(second, path(table), "7").text
    assert count(first, path(table), "9").status_code == 200
    late = sign(second, early)
    assert late.status_code == 409
    assert "This box was counted meanwhile: $9 and $3, by F1 Fern Hill and S1 Sam Vale" in text(
        late
    )
    assert [event.counted for event in counts(floor, table)] == [900]


def test_a_second_count_needs_a_reason_and_leaves_the_first(floor: Floor) -> None:
    table, visitor = shift(floor), floor.known()
    count(visitor, path(table), "60")
    again = typed(visitor, path(table), "9")
    assert "Why is the count corrected?" in text(again)
    assert "Say why the count is corrected." in text(sign(visitor, again.text))
    done = sign(visitor, again.text, reason="typed 60 for 9")
    assert "corrected $9 and $3, F1 Fern Hill and S1 Sam Vale: typed 60 for 9" in text(done)
    assert [event.counted for event in counts(floor, table)] == [6000, 900]


def count_elsewhere(floor: Floor, table: Table, box: str) -> str:
    """Somebody counts at the table's own folder, whose office journal is in the room too."""
    folder, office = table.night.folder, f"o_{table.night.table}"
    hire(folder)
    assert count_at_a_folder(folder, box).exit_code == 0
    with closing(connect(enroll(floor.owner, office, "office").url)) as room:
        shipper = Shipper(folder, office, "office")
        shipper.start(room)
        shipper.ship(room)
    return office


def test_a_count_in_another_office_is_found_and_named(floor: Floor) -> None:
    table, visitor = shift(floor), floor.known()
    where = path(table)
    office = count_elsewhere(floor, table, "9")
    page = visitor.get(where)
    assert f"in the office {office}" in text(page)
    assert "counted $9 and $3, F1 Fern Hill and S1 Sam Vale" in text(page)
    forged = {"form": "forged", "amount": "9", "seen": "1", "reason": "counted again"}
    given = form_of(page.text, where) | pins() | forged | {"csrf": visitor.csrf}
    refused = visitor.client.post("/box/count", data=given)
    assert "This box was counted in another office" in text(refused)
    assert counts(floor, table) == []


def test_a_box_counted_at_both_places_says_so(floor: Floor) -> None:
    table, visitor = shift(floor), floor.known()
    assert count(visitor, path(table), "9").status_code == 200
    count_elsewhere(floor, table, "8")
    assert "Counted in 2 offices. $8 and $3: $1 short" in text(visitor.get("/boxes"))
    assert "counted in more than one office" in text(visitor.get(path(table)))


def test_the_threshold_is_a_shift_manager_s(floor: Floor) -> None:
    visitor = floor.known()
    form = fields(visitor.get("/boxes").text) | {"amount": "0"}
    refused = visitor.client.post("/threshold", data=form | {"number": "F1", "pin": PINS["F1"]})
    assert "takes a shift manager" in text(refused)
    done = visitor.client.post("/threshold", data=form | {"number": "S1", "pin": PINS["S1"]})
    assert "A difference above $0 needs a review." in text(done)


def test_the_sheet_has_every_field_of_a_count_sheet(floor: Floor) -> None:
    """4 CCR 12385(a)(3)."""
    table, visitor = shift(floor), floor.known()
    name = table.night.table.upper()
    count(visitor, path(table), "60")
    sign(visitor, typed(visitor, path(table), "6").text, reason="typed 60 for 6")
    [day] = {event.day for event in counts(floor, table)}
    sheet = text(visitor.get(f"/sheet?day={day[:10]}&shift=swing"))
    for part in ("Establishment Silver Creek", "Shift swing", f"Gaming day {day[:10]}",
                 "Number of drop boxes", "Number of jackpot boxes", "Counters",
                 f"{table.night.table} B{name} $9 $6 $3 short",
                 f"{table.night.table} J{name} $3 $3 agrees",
                 "$60 and $3", "typed 60 for 6"):  # fmt: skip
        assert part in sheet, part
    assert re.search(r"Counted \d{4}-\d\d-\d\d \d\d:\d\d", sheet)


def test_names_from_outside_are_text_and_nothing_else(floor: Floor) -> None:
    evil = "<img/src=x/onerror=alert(1)>&"
    table = floor.table()
    table.say("shift <b>s</b> <i>1 J&2", "down D1", *HAND, "shift close", f"seat 9 {evil}")
    visitor = floor.known()
    for where in ("/", "/boxes", path(table)):
        page = Reader(visitor.get(where).text)
        assert "img" not in page.elements
        assert "onerror" not in page.attributes
    assert "Shift <b>s</b>" in text(visitor.get("/boxes"))
    done = sign(visitor, typed(visitor, path(table), "3", "1").text)
    assert "agrees counted $3, due $3" in text(done).lower()
