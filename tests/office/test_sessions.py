"""The review's keys while something is recorded, and the office journal over the end of a year."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.journal.days import office_files
from omaha_table.journal.writer import Clock
from omaha_table.review.index.box_openings import opened_boxes
from omaha_table.review.index.ledger import Ledger
from omaha_table.review.screens.hands import Hands
from tests.counters import PINS, ledger, signature
from tests.office.evening import run
from tests.review.driving import Driver, desk_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omaha_table.office.events import Signature

OLD_YEAR, NEW_YEAR = 1_798_650_000.0, 1_798_900_000.0
"""2026-12-30 and 2027-01-02, at every place on earth."""


@pytest.fixture
def review(data: Path) -> Iterator[Driver]:
    with Driver(desk_of(data.glob("t7-*.journal"), data)) as review:
        yield review


def test_no_key_counts_while_a_pin_is_checked(
    review: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    check, typed = Ledger.sign, threading.Event()

    def slow(*given: Any) -> Signature:
        typed.wait()
        return check(*given)

    monkeypatch.setattr(Ledger, "sign", slow)
    review.press("*", "1", *PINS["F1"])
    bells = review.bells
    review.send("enter", *"99", ".", "enter")
    review.wait_for(lambda: review.bells == bells + 4)
    typed.set()
    review.wait_for(lambda: not review.app.held)
    assert review.desk.signed_in == signature("F1")
    review.page(Hands)


def test_keys_that_come_while_something_is_put_up_or_written_count_afterwards(
    review: Driver,
) -> None:
    """No digit of a PIN lands anywhere else: all are typed before the first dialog is there."""
    review.burst("*", "1", *PINS["F1"], "enter")
    assert review.desk.signed_in == signature("F1")
    assert PINS["F1"] not in review.text
    review.burst("2", "*", "2", "*")
    numbers = [about.split()[2] for about in review.desk.ledger.tagged("look")]
    assert numbers == ["4", "3", "2"]


def test_a_refused_tag_drops_the_keys_that_waited(review: Driver, data: Path) -> None:
    review.press("*", "1", *PINS["F1"], "enter")
    (data / "office.key").unlink()
    (data / "office.key").mkdir()
    review.burst("*", "2", "*")
    assert "Nothing was recorded" in review.said
    assert review.listed.at == 0


def test_a_variance_of_last_year_is_closed_this_year(data: Path) -> None:
    now = OLD_YEAR
    clock = Clock(lambda: now, lambda: now)
    book = ledger(data, clock)
    box = opened_boxes(sorted(data.glob("t7-*.journal")))[0]
    by = (signature("F1"), signature("S1"))
    counted = book.count(box.table, box.day, box.key, (600, 300), (900, 300), by)
    assert counted.year == "2026"
    now = NEW_YEAR
    book.explain(counted, "hand 2 paid no fee", signature("F1"))
    Ledger(data, clock=clock).close(counted, "seen on camera", signature("S1"))
    assert [path.name for path in office_files(data)] == [
        "office-2026.journal",
        "office-2027.journal",
    ]
    assert Ledger(data).review_of(counted).status == "closed"
    assert run("verify", data).exit_code == 0
    assert f"2026-{counted.seq}  t7 " in run("office", "variances", "--data", data).stdout
