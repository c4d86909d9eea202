"""The review screen: found by filter, stepped through, noted, with the pad."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omaha_table.desk.front.view import TableView
from omaha_table.review.front import ListView, ReviewFront
from omaha_table.review.notes import Notes
from omaha_table.review.paint import paint
from omaha_table.review.projection import Projection
from tests.console.terminal import Terminal
from tests.evening_text import evening
from tests.review.test_projection import RULED, desk, say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = desk(tmp_path / "data")
    say(made, *evening(12, seed=3), "down D114", *RULED)
    made.close()
    return tmp_path / "data"


@pytest.fixture
def front(folder: Path, tmp_path: Path) -> Iterator[ReviewFront]:
    projection = Projection()
    projection.refresh(folder.glob("*.journal"))
    yield ReviewFront(projection, Notes(tmp_path / "notes"))
    projection.close()


def press(front: ReviewFront, *keys: str) -> None:
    for key in keys:
        front.press(key)


def test_the_list_shows_what_fits_and_asks_for_no_more(front: ReviewFront) -> None:
    view = front.view(5)
    assert isinstance(view, ListView)
    assert (len(view.lines), view.total) == (5, 13)
    press(front, "1")
    view = front.view(5)
    assert isinstance(view, ListView)
    assert view.lines[-1].number == 1


def test_a_filter_is_typed_completed_and_a_slip_keeps_the_list(front: ReviewFront) -> None:
    press(front, "/", *"fla", "tab", *"mis", "tab", "enter")
    view = front.view(10)
    assert isinstance(view, ListView)
    assert [line.number for line in view.lines] == [13]
    press(front, "/", *"xx", "enter")
    view = front.view(10)
    assert isinstance(view, ListView)
    assert "At place" in view.said
    assert view.total == 1


def test_the_odd_hands_are_one_key_away(front: ReviewFront) -> None:
    press(front, "-")
    view = front.view(20)
    assert isinstance(view, ListView)
    assert 13 in [line.number for line in view.lines]
    assert all(line.note for line in view.lines)
    press(front, "0")
    view = front.view(20)
    assert isinstance(view, ListView)
    assert view.total == 13


def test_a_hand_is_stepped_through_with_the_table_as_it_stood(front: ReviewFront) -> None:
    press(front, "2", "5")
    first = front.view(10)
    assert isinstance(first, TableView)
    assert first.prompt.title.startswith("STEP 1 OF")
    press(front, "3")
    flop = front.view(10)
    assert isinstance(flop, TableView)
    assert len(flop.felt.board) in (0, 3)
    press(front, "1")
    last = front.view(10)
    assert isinstance(last, TableView)
    assert "hand closed" in last.prompt.detail
    press(front, "4", "4", "7")
    again = front.view(10)
    assert isinstance(again, TableView)
    assert again.prompt.title == first.prompt.title


def test_untabled_cards_are_in_no_step(front: ReviewFront) -> None:
    press(front, "1", "5")
    for _ in range(80):
        view = front.view(10)
        assert isinstance(view, TableView)
        for seat in view.seats:
            assert not seat.shown or seat.backs == 0
        press(front, "6")


def test_a_note_and_a_tag_are_kept_apart_from_the_journal(
    front: ReviewFront, folder: Path, tmp_path: Path
) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    press(front, "+", *"look", "space", *"again", "enter", "*")
    view = front.view(10)
    assert isinstance(view, ListView)
    assert "note: look again" in view.detail
    assert view.lines[0].note.startswith("look")
    assert Notes(tmp_path / "notes").tags("t7 " + view.lines[0].day + " 13") == {"look"}
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40)])
def test_nothing_is_clipped_at_any_size(front: ReviewFront, size: tuple[int, int]) -> None:
    assert paint(front, *size).clipped == []
    press(front, "5")
    for _ in range(20):
        assert paint(front, *size).clipped == []
        press(front, "6")


def test_on_a_terminal_a_hand_is_found_stepped_through_and_noted(
    folder: Path, tmp_path: Path
) -> None:
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    with Terminal(["review", "--data", str(folder)], env=env) as terminal:
        terminal.wait("13 hands")
        terminal.press("/", *"hand=4", "enter")
        terminal.wait("1 hands")
        terminal.press("5")
        terminal.wait("event ")
        terminal.press("6", "6", "+", *"odd", "enter")
        terminal.press(".")
        terminal.wait("note: odd")
        terminal.press(".")
        assert terminal.end() == 0
