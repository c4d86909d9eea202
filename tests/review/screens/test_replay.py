"""One hand step by step, with the table as it stood."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.diary import Refusal
from omaha_table.journal.reader import Reader
from omaha_table.review.index.filters import parse_filter
from omaha_table.review.index.replay import Frame, frames
from omaha_table.review.screens.hands import Hands
from omaha_table.review.screens.replay_view import streets, table_at, words
from omaha_table.session.script import run_line
from tests.counters import signs
from tests.evening_text import evening
from tests.review.desk import session
from tests.review.driving import Driver, desk_of
from tests.review.found import projected
from tests.review.swing import REFUSED_IN, UNDONE_IN

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omaha_table.dealer.table_view import TableView
    from omaha_table.session import Session

BIG_O_RULES = "004_62e76539aeb21045"


def hand(folder: Path, number: int) -> list[Frame]:
    [path] = folder.glob("*.journal")
    projection = projected(path)
    [row] = projection.page(parse_filter(f"#{number}"), 0, 1)
    projection.close()
    return frames(path, row["seq"])


def views(folder: Path, number: int) -> list[TableView]:
    made = hand(folder, number)
    return [table_at(made, step, "t7") for step in range(len(made))]


@pytest.fixture
def review(swing: Path, tmp_path: Path) -> Iterator[Driver]:
    with Driver(desk_of(swing.glob("*.journal"), tmp_path), (140, 40)) as review:
        yield review


def step(review: Driver) -> str:
    return review.words("#about")


def test_a_hand_is_stepped_through_by_steps_and_streets(review: Driver) -> None:
    review.press("2", "2", "5")
    first = step(review)
    assert "opened, button seat" in first
    review.press("3")
    assert "FLOP" in step(review)
    review.press("6", "4")
    assert "FLOP" in step(review)
    review.press("1")
    assert " wins " in step(review)
    review.press("9")
    assert "RIVER" in step(review)
    review.press("7")
    assert step(review) == first


def test_it_is_played_until_its_end_or_until_a_key(review: Driver) -> None:
    review.press("2", "5", "5")
    review.wait_for(lambda: review.listed.at >= 1)
    review.press("5")
    at = review.listed.at
    review.pause(0.7)
    assert review.listed.at == at


def test_from_one_hand_to_the_next_and_not_past_the_end(review: Driver) -> None:
    review.press("5", "2")
    assert "HAND   25" in review.text
    review.press("8", "8")
    assert "No more hands in that direction." in review.text
    review.press(".")
    review.page(Hands)
    assert review.chosen[0] == "26"


def test_events_are_clicked_and_copied_with_their_hash(review: Driver, swing: Path) -> None:
    made = hand(swing, 26)
    review.press("5")
    review.click("#events VirtualList", 12, 4)
    assert review.listed.at == 3
    review.press("h")
    assert review.app.clipboard == made[3].hash
    review.press("c")
    assert f"event {made[3].seq}" in review.app.clipboard
    assert review.app.clipboard.endswith(made[3].hash)


def test_a_narrow_window_shows_the_table_or_the_events(review: Driver) -> None:
    review.resize(80, 24)
    review.press("5")
    assert "WHAT" not in review.text
    review.press("0")
    assert "WHAT" in review.text
    assert "hole cards out" in review.text
    assert "hash " in review.text


def test_a_note_and_a_tag_are_seen_on_the_hand(review: Driver) -> None:
    review.press("5", "+", "1", *signs("F1"), "*")
    assert "note: pull the tape (F1)" in step(review)
    assert "*look" in review.text


def test_a_seat_shows_what_it_did_on_this_street_and_did_not_take_back(swing: Path) -> None:
    called: dict[int, str] = {}
    undone = at_streets = 0
    for view in views(swing, UNDONE_IN):
        shown = {seat.number: seat.last[0] for seat in view.seats if seat.last}
        if "taken back" in view.prompt.detail:
            undone += 1
            assert shown != called
        if "FLOP" in view.prompt.detail or "TURN" in view.prompt.detail:
            at_streets += 1
            assert set(shown.values()) <= {"FOLD"}
        called = shown
    assert (undone, at_streets) == (1, 2)


def test_what_was_refused_stands_where_it_was_refused_with_its_rule(swing: Path) -> None:
    [path] = swing.glob("*.journal")
    with Reader(path) as reader:
        refusal = reader.refusals()[0]
    pages = [view for view in views(swing, REFUSED_IN) if view.prompt.page is not None]
    assert {view.prompt.page.title for view in pages if view.prompt.page} == {
        "REFUSED   diary, not sealed"
    }
    first = pages[0]
    assert first.prompt.page is not None
    said = " ".join(first.prompt.page.lines)
    assert f"after event {refusal.after_seq} " in first.prompt.detail
    assert refusal.message in said
    assert f"Rule: {refusal.rule}" in said
    # The journal keeps the id of the document; people read its title.
    assert refusal.source.startswith(BIG_O_RULES)
    assert "From: Big O High/Low Split, California, " in said
    assert BIG_O_RULES not in said


def test_a_ruling_that_waited_for_its_second_person_was_not_refused(tmp_path: Path) -> None:
    made = session(tmp_path)
    for line in (*evening(1, seed=3), "hand", "deal", *["call"] * 7, "check", "flop 7c 5h 2s"):
        run(made, line)
    run(made, 'floor 4711 void "the deck was short"', refused="two_persons")
    run(made, 'floor 4711 9000 void "the deck was short"')
    made.close()
    [path] = tmp_path.glob("*.journal")
    projection = projected(path)
    every = parse_filter("")
    kinds = [row["kind"] for row in projection.incidents(every, 0, 9, by_time=True)]
    assert sorted(kinds) == ["override", "void"]
    assert projection.count(parse_filter("flag:refusal")) == 0
    [row] = projection.page(parse_filter("#2"), 0, 1)
    told = [words(one) for one in frames(path, row["seq"]) if isinstance(one.event, Refusal)]
    assert told == ["● A ruling waits for a second supervisor."]
    projection.close()


def run(made: Session, line: str, refused: str = "") -> None:
    answers = run_line(made, 1, line)
    assert [answer.get("code", "") for answer in answers if answer["type"] == "refused"] == (
        [refused] if refused else []
    ), line


def test_untabled_cards_are_in_no_step(swing: Path) -> None:
    for view in views(swing, 1):
        for seat in view.seats:
            assert not seat.shown or seat.backs == 0


def test_streets_end_with_the_last_step(swing: Path) -> None:
    made = hand(swing, 2)
    assert streets(made)[0] == 0
    assert streets(made)[-1] == len(made) - 1
