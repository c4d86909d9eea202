"""Every word of the filter line, on hands whose pots, times and winners are known."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from omaha_table.review.index.filters import FilterError, completions, parse_filter
from omaha_table.review.index.reading import hands_in
from omaha_table.review.reports.summaries import summary
from omaha_table.review.screens.hand_text import hand_line
from tests.review.driving import desk_of
from tests.review.found import Wall, found, projected
from tests.review.nights import Night
from tests.review.report_parts import cells_of
from tests.review.swing import MISDEALT, REFUSED_IN

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omaha_table.review.index.projection import Projection

BOARD = ("flop 7c 5h 2s", "check around", "turn Kd", "check around", "river As", "check around")


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Projection]:
    """Three hands at 4-8 with blinds of 2 and 4.

    1: three dealt in, all fold to the big blind of seat 2 in 10 seconds: a pot of 4, no fee.
    2: three put in 4 each and check to the end in 60 seconds: a pot of 12, of it a fee of 3; seat 1
       has the high, seat 2 the low.
    3: seat 3 has left; in 30 seconds one of the two others folds: a pot of 4, no fee.
    """
    wall = Wall(2026, 11, 14, 20, 0, 0)
    night = Night(tmp_path_factory.mktemp("evening"), "ca_omaha_hilo", clock=wall.clock).seat(3)
    night.say("shift swing B7 J7", "down D114", "deal", "fold", "fold")
    wall.at += 10
    night.say("push", "shift close", "shift grave B8 J8", "down D120")
    night.say("deal", "call", "call", "check", *BOARD, "high 1", "low 2")
    wall.at += 60
    night.say("push", "leave 3", "deal", "fold")
    wall.at += 30
    night.say("push")
    projection = projected(night.close())
    yield projection
    projection.close()


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("pot>=12", [2]),
        ("pot>12", []),
        ("pot>=12.01", []),
        ("pot=12", [2]),
        ("pot<=4", [3, 1]),
        ("pot<12", [3, 1]),
        ("pot<=12", [3, 2, 1]),
        ("fee>0", [2]),
        ("fee>=3", [2]),
        ("fee>3", []),
        ("fee<3", [3, 1]),
        ("hand<2", [1]),
        ("hand=2", [2]),
        ("hand>2", [3]),
        ("#2", [2]),
        ("seats=2", [3]),
        ("seats>2", [2, 1]),
        ("seconds>30", [2]),
        ("seconds>=30", [3, 2]),
        ("seconds<30", [1]),
        ("dealer:D114", [1]),
        ("dealer:D114,d120", [3, 2, 1]),
        ("shift:swing", [1]),
        ("shift:GRAVE", [3, 2]),
        ("table:T7", [3, 2, 1]),
        ("table:t8", []),
        ("day:2026-11-14", [3, 2, 1]),
        ("day:2026-11-15", []),
        ("seat:3", [2, 1]),
        ("seat:2", [3, 2, 1]),
        ("seat:3,9", [2, 1]),
        ("won:3", []),
        ("won:1 #2", [2]),
        ("won:2 hand<3", [2, 1]),
        ("player:p3", [2, 1]),
        ("player:P3,nobody", [2, 1]),
        ("flag:dealer_read", [2]),
        ("flag:dealer_read,slow", [2]),
        ("flag:slow", []),
        ("pot<=4 seats=2", [3]),
        ("seats>2 fee=0", [1]),
    ],
)
def test_a_word_finds_the_hands_it_names_and_no_other(
    evening: Projection, text: str, numbers: list[int]
) -> None:
    assert found(evening, text) == numbers
    assert evening.count(parse_filter(text)) == len(numbers)


@pytest.fixture(scope="module")
def ruled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Projection]:
    """Hand 1: a dead hand, then void. Hand 2: void. Hand 3: its pot is pushed wrong and amended."""
    night = Night(tmp_path_factory.mktemp("ruled"), "ca_omaha_hilo").seat(3, 200_00)
    night.say("deal", 'floor 4711 dead 1 "fouled hand"', 'floor 4711 void "cards mixed"')
    night.say("deal", 'floor 4711 void "dead chips in the pot"', "deal", "fold", "fold", "push")
    night.say('floor 4711 amend 3 2 1 1 "split wrong"')
    projection = projected(night.close())
    yield projection
    projection.close()


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("ruling:dead", [1]),
        ("ruling:void", [2, 1]),
        ("ruling:dead,amend", [3, 1]),
        ("ruling:amend", [3]),
        ("ruling:misdeal", []),
        ("ruling:void hand>1", [2]),
    ],
)
def test_hands_are_found_by_the_ruling_that_was_given(
    ruled: Projection, text: str, numbers: list[int]
) -> None:
    """Not by the word: a reason can name another ruling."""
    assert found(ruled, text) == numbers


def test_a_ruling_that_there_is_not_is_named_with_the_nearest() -> None:
    with pytest.raises(FilterError, match="Unknown ruling 'ded': did you mean dead\\?"):
        parse_filter("ruling:ded")
    assert completions("pot>=5 ruling:wai") == ["waive", "waivekill"]


RANGES = {
    "2026-11-14": [1],
    "2026-11-15": [3, 2],
    "2026-11-16": [4],
    "2026-11-14..2026-11-15": [3, 2, 1],
    "2026-11-15..2026-11-15": [3, 2],
    "..2026-11-14": [1],
    "..2026-11-15": [3, 2, 1],
    "2026-11-15..": [4, 3, 2],
    "2026-11-16..": [4],
    "2026-11-17..": [],
    "..2026-11-13": [],
}


@pytest.fixture(params=["UTC0", "PST8PDT,M3.2.0,M11.1.0", "NZST-12NZDT,M9.5.0,M4.1.0/3"])
def zone(request: pytest.FixtureRequest) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", request.param)
        time.tzset()
        yield request.param
    time.tzset()


def test_a_range_has_its_first_and_its_last_day_whole_by_the_rooms_clock(
    tmp_path: Path, zone: str
) -> None:
    """Hands that begin in the last second of a day and in the first of the next, twice."""
    wall = Wall(2026, 11, 14, 23, 59, 58)
    night = Night(tmp_path, "ca_omaha_hilo", clock=wall.clock).seat(3)
    for day, *at in ((14, 23, 59, 59), (15, 0, 0, 0), (15, 23, 59, 59), (16, 0, 0, 0)):
        wall.at = Wall(2026, 11, day, *at).at
        night.fold_out()
    night.session.close()
    projection = projected(*sorted(tmp_path.glob("*.journal")))
    for text, numbers in RANGES.items():
        assert found(projection, text) == numbers, (zone, text)
    projection.close()


def test_a_day_that_was_opened_again_is_found_by_its_date_and_by_its_letter(
    tmp_path: Path,
) -> None:
    wall = Wall(2026, 11, 14, 20, 0, 0)
    first = Night(tmp_path, "ca_omaha_hilo", clock=wall.clock).seat(3)
    first.fold_out()
    first.say('floor 4711 close "end of the day"')
    first.session.close()
    second = Night(tmp_path, "ca_omaha_hilo", clock=wall.clock).seat(3)
    second.fold_out()
    second.session.close()
    projection = projected(*sorted(tmp_path.glob("*.journal")))
    for text, count in (("day:2026-11-14", 2), ("day:2026-11-14b", 1), ("day:2026-11-1", 0)):
        assert projection.count(parse_filter(text)) == count, text
    projection.close()


def test_words_in_quotes_stand_beside_each_other_in_what_was_ruled_or_refused(
    swing: Path,
) -> None:
    projection = projected(*swing.glob("*.journal"))
    assert found(projection, '"cards of seat 4"') == [MISDEALT]
    assert found(projection, '"seat 4 cards"') == []
    assert found(projection, '"cannot raise"') == [REFUSED_IN]
    # What the search itself has for signs and words is text here.
    for text in ('"cards OR raise"', '"cards*"', '"NEAR(cards"', '"said:cards"', '"-cards"'):
        assert projection.count(parse_filter(text)) <= 1, text
    projection.close()


# Kill pots

KILLED = 2


@pytest.fixture(scope="module")
def kill(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """At 6-12 with a half kill after 60: seat 1 wins such a pot, read by the dealer; then the kill
    pot, in which nothing else is unusual."""
    night = Night(tmp_path_factory.mktemp("kill"), "house_omaha_hilo").seat(3, 500_00)
    night.say("deal", "3 call", "1 call", "2 check", "flop Kh Jc 9d", "1 bet", "2 call", "3 call")
    night.say("turn 8s", "1 bet", "2 call", "3 fold", "river 3h", "check around", "high 1", "push")
    night.fold_out()
    return night.close()


def test_a_kill_pot_is_found_as_that_and_not_as_something_unusual(kill: Path) -> None:
    projection = projected(kill)
    assert found(projection, "flag:kill") == [KILLED]
    assert found(projection, "flag:any") == [1]
    assert projection.count_incidents(parse_filter("flag:kill")) == 0
    projection.close()


def test_a_kill_pot_alone_is_no_hand_to_look_at_in_a_report(kill: Path) -> None:
    report = summary("Day", hands_in(kill))
    assert [cells[0] for cells in cells_of(report, "Hands to look at")] == ["1"]
    assert report.data["kills"] == 1


def test_a_kill_pot_and_a_dealers_reading_do_not_stand_out_in_the_list(
    kill: Path, tmp_path: Path
) -> None:
    desk = desk_of([kill], tmp_path)
    rows = desk.projection.page(parse_filter(""), 0, 9)
    lines = [hand_line(desk, row, tables=False) for row in rows]
    assert [(line.cells[0], line.cells[-1], line.style) for line in lines] == [
        (str(KILLED), "kill pot", ""),
        ("1", "", ""),
    ]
    desk.projection.close()
