"""The day in figures, and the search."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.office.evening import HAND
from tests.room.page.rooms import text, wait_until

if TYPE_CHECKING:
    from tests.room.page.conftest import Floor


@pytest.fixture(scope="module")
def table(floor: Floor) -> str:
    """A table with three hands, one of which was called off, and a ruling."""
    made = floor.table().say(
        "shift swing B1 J1", "down D77", *HAND, *HAND,
        "deal", 'floor 4711 misdeal "two cards exposed"',
    )  # fmt: skip
    name = made.night.table
    wait_until(lambda: "3 hands." in text(floor.known().get(f"/search?q=table:{name}")))
    return name


def test_the_day_has_hands_drop_jackpot_and_rulings(floor: Floor, table: str) -> None:
    page = text(floor.known().get("/day"))
    assert f"{table} 2 $6 $2" in page
    assert "Jackpot collected $" in page
    assert "Misdeal" in page
    assert "two cards exposed" in page


@pytest.mark.parametrize(
    ("asked", "found"),
    [("table:{}", 3), ("table:{} flag:misdeal", 1), ("table:{} dealer:D77 pot>=1", 2),
     ('table:{} "two cards"', 1), ("table:{} #2", 1), ("table:{} pot>=999", 0)],
)  # fmt: skip
def test_the_search_speaks_the_review_s_filter_language(
    floor: Floor, table: str, asked: str, found: int
) -> None:
    page = text(floor.known().get("/search", params={"q": asked.format(table)}))
    assert f" {found} hand" in page


@pytest.mark.parametrize("asked", ["pott>=5", "flag:misdeel", '"', "day:", "pot>=x", "<b>x</b>"])
def test_a_filter_that_cannot_be_read_says_why(floor: Floor, asked: str) -> None:
    answer = floor.known().get("/search", params={"q": asked})
    assert answer.status_code == 200
    assert 'role="alert"' in answer.text
    assert "<b>x</b>" not in answer.text


def test_pages_go_on_where_the_last_one_ended(floor: Floor, table: str) -> None:
    for number in ("0", "-1", "x", "99999", "9" * 40):
        assert floor.known().get("/search", params={"page": number}).status_code == 200
