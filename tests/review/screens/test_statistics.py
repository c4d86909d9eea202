"""The charts of the statistics screen, on hands whose times and pots are known."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.writer import Clock
from omaha_table.review.index.filters import parse_filter
from omaha_table.review.index.projection import Projection
from omaha_table.review.screens.statistics import summarize
from tests.review.nights import Night

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omaha_table.review.screens.statistics import Summary

CLOSE = 'floor 4711 close "end of the day"'
BOARD = ("flop 7c 5h 2s", "check around", "turn Kd", "check around", "river As", "check around")


def day(folder: Path, date: int, at: list[tuple[int, bool]]) -> Path:
    """A day of a table at 4-8, blinds 2 and 4: hands by the hour in which they begin, 60 seconds
    each; folded to the big blind (a pot of 4, no flop) or checked down by three (12, fee 3)."""
    now = [datetime(2026, 11, date, 19).timestamp()]
    clock = Clock(lambda: now[0], lambda: now[0])
    night = Night(folder, "ca_omaha_hilo", clock=clock).seat(3)
    night.say("down D114")
    for hour, played in at:
        now[0] = datetime(2026, 11, date, 0).timestamp() + 3600 * hour
        night.say("deal")
        if played:
            night.say("call", "call", "check", *BOARD, "high 1", "low 2")
        else:
            night.say("fold", "fold")
        now[0] += 60
        night.say("push")
    night.say(CLOSE)
    return night.close()


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Summary]:
    folder = tmp_path_factory.mktemp("days")
    files = [
        day(folder / "one", 14, [(20, True), (20, False), (20, True), (25, False)]),
        day(folder / "two", 15, [(20, True)]),
    ]
    projection = Projection()
    assert projection.refresh(files) == []
    yield summarize(projection.statistics(parse_filter("")).result)
    projection.close()


def points(view: Summary, title: str) -> dict[str, float]:
    [chart] = [chart for chart in view.charts if chart.title == title]
    return dict(chart.points)


def test_hours_are_those_of_the_gaming_day_in_order(view: Summary) -> None:
    assert list(points(view, "Hands by the hour")) == ["20", "01"]


def test_hands_by_the_hour_are_the_mean_of_the_days_that_had_the_hour(view: Summary) -> None:
    """Three hands on the first evening and one on the second make two; after midnight one."""
    assert points(view, "Hands by the hour") == {"20": 2.0, "01": 1.0}


def test_pots_and_flops_by_the_hour(view: Summary) -> None:
    """At eight three pots of 12 and one of 4: 10 on the mean, and one in four without a flop."""
    assert points(view, "Average pot by the hour, $") == {"20": 10.0, "01": 4.0}
    assert points(view, "Without a flop by the hour, %") == {"20": 25.0, "01": 100.0}


def test_the_sums_of_all_hands(view: Summary) -> None:
    """Three pots of 12 and two of 4 are 44 in five hands of 60 seconds."""
    facts = dict(view.facts)
    assert facts["Hands"] == "5"
    assert facts["Seconds a hand"] == "60"
    assert facts["Average pot"] == "$8.80"
    assert facts["Without a flop"] == "2 (40%)"
    assert facts["Fees"] == "$9"
    pace = float(facts["Hands an hour"])
    assert facts["Pots an hour"] == f"${round(pace * 8.8):,}"


def test_dealers_by_their_pace(view: Summary) -> None:
    assert points(view, "Dealers: seconds a hand") == {"D114": 60.0}
