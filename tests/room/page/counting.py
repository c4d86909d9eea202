"""Shifts that have ended, and boxes that are counted at the page."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from omaha_table.journal.office_book import read_office
from omaha_table.review.index.box_openings import opened_boxes
from omaha_table.room.page.box_words import path_of
from tests.counters import PINS
from tests.office.evening import HAND
from tests.room.page.rooms import fields

if TYPE_CHECKING:
    import httpx

    from omaha_table.office.events import BoxCounted
    from tests.room.page.conftest import Floor
    from tests.room.page.rooms import Table, Visitor


def shift(floor: Floor) -> Table:
    table = floor.table()
    name = table.night.table.upper()
    return table.say(f"shift swing B{name} J{name}", "down D1", *HAND, *HAND, *HAND, "shift close")


def path(table: Table) -> str:
    """The page of a table's first box."""
    return path_of(opened_boxes([*table.night.folder.glob("t*.journal")])[0])


def typed(visitor: Visitor, where: str, box: str, jackpot: str = "3") -> httpx.Response:
    """The amounts, before anybody signs."""
    page = visitor.get(where).text
    return visitor.client.post("/box/check", data=form_of(page, where) | {
        "amount": box, "jackpot_amount": jackpot,
    })  # fmt: skip


def form_of(page: str, where: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(where).query, keep_blank_values=True)) | fields(page)


def pins(first: str = "F1", second: str = "S1") -> dict[str, str]:
    return {"number1": first, "pin1": PINS[first], "number2": second, "pin2": PINS[second]}


def sign(visitor: Visitor, page: str, **more: str) -> httpx.Response:
    return visitor.client.post("/box/count", data=fields(page) | pins() | more)


def count(visitor: Visitor, where: str, box: str, **more: str) -> httpx.Response:
    return sign(visitor, typed(visitor, where, box).text, **more)


def counts(floor: Floor, table: Table) -> list[BoxCounted]:
    """What the office journal has of a table."""
    found = [one.event for some in read_office(floor.office).counts.values() for one in some]
    return [event for event in found if event.table == table.night.table]


def review(visitor: Visitor, page: str, act: str, who: str, reason: str) -> httpx.Response:
    given = {"number": who, "pin": PINS[who], "reason": reason}
    return visitor.client.post(f"/box/{act}", data=fields(page) | given)
