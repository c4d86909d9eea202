"""The review screen: found by filter, stepped through, noted, with the pad."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omaha_table.dealer.table_view import TableView
from omaha_table.journal.reader import Reader
from omaha_table.review.counts import Counts
from omaha_table.review.front import ReviewFront
from omaha_table.review.notes import Notes
from omaha_table.review.paint import paint
from omaha_table.review.projection import Projection
from omaha_table.review.views import ListView
from omaha_table.session.script import run_line
from tests.console.terminal import Terminal
from tests.evening_text import evening
from tests.review.desk import RULED, say, session
from tests.review.swing import DEVICE_IN, REFUSED_IN, SLOW, UNDONE_IN

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BIG_O_RULES = "004_62e76539aeb21045"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = session(tmp_path / "data")
    say(made, *evening(12, seed=3), "down D114", *RULED)
    made.close()
    return tmp_path / "data"


@pytest.fixture
def front(folder: Path, tmp_path: Path) -> Iterator[ReviewFront]:
    projection = Projection()
    projection.refresh(folder.glob("*.journal"))
    yield ReviewFront(projection, Notes(tmp_path / "notes"), Counts(tmp_path / "counts"))
    projection.close()


@pytest.fixture
def shift(swing: Path, tmp_path: Path) -> Iterator[ReviewFront]:
    """On the shift with a bit of everything in it."""
    projection = Projection()
    projection.refresh(swing.glob("*.journal"))
    yield ReviewFront(projection, Notes(tmp_path / "notes"), Counts(tmp_path / "counts"))
    projection.close()


def press(front: ReviewFront, *keys: str) -> None:
    for key in keys:
        front.press(key)


def hands(front: ReviewFront) -> list[int]:
    view = front.view(50)
    assert isinstance(view, ListView)
    return [line.number for line in view.lines]


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
    assert hands(front) == [13]
    press(front, "/", *"xx", "enter")
    view = front.view(10)
    assert isinstance(view, ListView)
    assert "At place 14" in view.said
    assert view.total == 1
    press(front, "backspace", "backspace", "enter")
    assert front.asking is None
    assert front.filter_text == "flag:misdeal"


def test_a_word_is_completed_after_others_in_a_list(front: ReviewFront) -> None:
    press(front, "/", *"flag:undo,mis", "tab", "enter")
    assert front.filter_text == "flag:undo,misdeal"


@pytest.mark.parametrize(
    ("keys", "filter_text"),
    [
        ("5", "flag:undo"),
        ("6", "flag:device"),
        ("9", "flag:override"),
        ("1 5 1", "flag:undo"),
        ("2 1 0 0 enter", "pot>=100"),
        ("2 1 0 0 enter 2 5 0 enter", "pot>=50"),
        ("3 4 . 8 enter", "seat:8"),
        ("7 1 9 enter", "#19"),
        ("4 1", "dealer:D114"),
        ("8 1", "day:2025-11-16"),
        ("5 2 9 enter 0", ""),
    ],
)
def test_filters_are_picked_with_pad_keys(shift: ReviewFront, keys: str, filter_text: str) -> None:
    press(shift, "/", *keys.split(), ".")
    assert shift.asking is None
    assert shift.filter_text == filter_text


def test_the_picked_filters_find_the_hands_they_are_for(shift: ReviewFront) -> None:
    press(shift, "/", "5", ".")
    assert hands(shift) == [UNDONE_IN]
    press(shift, "/", "0", "6", ".")
    assert hands(shift) == [DEVICE_IN]
    press(shift, "/", "0", *"flag:slow", "enter")
    assert hands(shift) == [SLOW]
    press(shift, "/", "0", *"flag:refusal", "enter")
    assert hands(shift) == [REFUSED_IN]
    press(shift, "/", "0", "1", ".")
    assert {UNDONE_IN, DEVICE_IN, SLOW, REFUSED_IN} < set(hands(shift))


def test_without_numlock_the_pad_picks_the_same(shift: ReviewFront) -> None:
    press(shift, "slash", "end", "home", "end", "pageup", "enter", "delete")
    assert shift.filter_text == "flag:any #19"


def test_the_times_for_the_tape_are_of_start_flop_and_push(shift: ReviewFront) -> None:
    """Hand 1 begins 95 seconds in: 19 lines to seat, draw, shift and down, five seconds each."""
    press(shift, "1")
    view = shift.view(10)
    assert isinstance(view, ListView)
    assert "start 19:01:35" in view.detail
    assert any(line.startswith("flop  -   push 19:") for line in view.detail)
    press(shift, "8")
    view = shift.view(10)
    assert isinstance(view, ListView)
    [flop] = [step for step in view.steps if "FLOP" in step]
    [closed] = [step for step in view.steps if " wins " in step]
    assert f"flop  {flop[:8]}   push {closed[:8]}" in view.detail


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
    assert " wins " in last.prompt.detail
    press(front, "4", "4", "7")
    again = front.view(10)
    assert isinstance(again, TableView)
    assert again.prompt.title == first.prompt.title


def test_a_seat_shows_what_it_did_on_this_street_and_did_not_take_back(
    shift: ReviewFront,
) -> None:
    press(shift, "/", "5", ".", "5")
    called: dict[int, str] = {}
    undone = streets = 0
    for _ in range(60):
        view = shift.view(10)
        assert isinstance(view, TableView)
        shown = {seat.number: seat.last[0] for seat in view.seats if seat.last}
        if "taken back" in view.prompt.detail:
            undone += 1
            assert shown != called
        if "FLOP" in view.prompt.detail or "TURN" in view.prompt.detail:
            streets += 1
            assert set(shown.values()) <= {"FOLD"}
        called = shown
        press(shift, "6")
    assert (undone, streets) == (1, 2)


def test_from_one_hand_to_the_next_and_not_past_the_end(front: ReviewFront) -> None:
    press(front, "5", "2")
    view = front.view(10)
    assert isinstance(view, TableView)
    assert view.hand == "HAND #12"
    press(front, "8", "8")
    assert "No more hands" in front.said
    press(front, ".")
    assert isinstance(front.view(10), ListView)


def test_what_was_refused_stands_where_it_was_refused_with_its_rule(
    shift: ReviewFront, swing: Path
) -> None:
    [path] = swing.glob("*.journal")
    with Reader(path) as reader:
        refusal = reader.refusals()[0]
    press(shift, "/", "7", str(REFUSED_IN), "enter", ".", "5")
    titles = []
    for _ in range(60):
        view = shift.view(10)
        assert isinstance(view, TableView)
        if view.prompt.page is not None:
            titles.append(view.prompt.page.title)
            said = " ".join(view.prompt.page.lines)
            if len(titles) == 1:
                assert f"after event {refusal.after_seq} " in view.prompt.detail
                assert refusal.message in said
                assert f"Rule: {refusal.rule}" in said
                # The journal keeps the id of the document; people read its title.
                assert refusal.source.startswith(BIG_O_RULES)
                assert "From: Big O High/Low Split, California, " in said
                assert BIG_O_RULES not in said
        press(shift, "6")
    assert set(titles) == {"REFUSED   diary, not sealed"}


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
    press(front, "+", *"look", "space", *"again", "enter", "*", "+", "2")
    view = front.view(10)
    assert isinstance(view, ListView)
    assert "note: look again" in view.detail
    assert "note: nothing wrong" in view.detail
    assert view.lines[0].note.startswith("*look")
    assert Notes(tmp_path / "notes").tags("t7 " + view.lines[0].day + " 13") == {"look"}
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_notes_that_cannot_be_written_are_told(front: ReviewFront, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    press(front, "+", "1")
    assert "cannot be written" in front.said
    press(front, "*")
    assert "cannot be written" in front.said
    view = front.view(10)
    assert isinstance(view, ListView)
    assert "pull the tape" not in str(view.detail)


def test_broken_lines_in_the_notes_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_bytes(b'\xff\xfe\n{"hand": "a", "note": "b"}\n[1]\n{"hand"\n{"hand": "a"}\n')
    assert Notes(path).of("a") == ["b"]


@pytest.mark.parametrize("entry", ['"tag": 5', '"tag": null', '"note": 5', '"note": ["odd"]'])
def test_a_note_or_a_tag_that_is_no_text_is_passed_over(
    front: ReviewFront, folder: Path, tmp_path: Path, entry: str
) -> None:
    key = front.key_of(front.projection.page(front.filter, 0, 1)[0])
    path = tmp_path / "notes.jsonl"
    path.write_text(f'{{"hand": "{key}", {entry}}}\n{{"hand": "{key}", "tag": "look"}}\n')
    again = ReviewFront(front.projection, Notes(path), Counts(tmp_path / "counts"))
    assert (again.notes.of(key), again.notes.tags(key)) == ([], {"look"})
    assert "*look" in paint(again, 120, 30).text()


def test_new_hands_come_in_above_and_the_chosen_one_stays(tmp_path: Path) -> None:
    made = session(tmp_path / "data")
    say(made, *evening(3, seed=3))
    projection = Projection()
    [path] = (tmp_path / "data").glob("*.journal")
    projection.refresh([path])
    front = ReviewFront(projection, Notes(tmp_path / "notes"), Counts(tmp_path / "counts"),
                        refresh=lambda: projection.refresh([path]))  # fmt: skip
    press(front, "2", "5")
    assert not front.keep_up()
    say(made, *RULED)
    assert front.keep_up()
    assert [answer["type"] for answer in run_line(made, 1, "push")] == ["refused"]
    assert front.keep_up()
    press(front, ".")
    view = front.view(10)
    assert isinstance(view, ListView)
    assert (view.total, view.lines[view.chosen].number) == (4, 2)
    made.close()
    projection.close()


def test_a_key_that_does_nothing_is_told_and_changes_nothing(front: ReviewFront) -> None:
    before = paint(front, 80, 24).text()
    press(front, "f5")
    assert front.bells == 1
    assert "does nothing" in paint(front, 80, 24).text()
    front.said = ""
    assert paint(front, 80, 24).text() == before


def test_on_a_terminal_a_hand_is_found_stepped_through_and_noted(
    folder: Path, tmp_path: Path
) -> None:
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    with Terminal(["review", "--data", str(folder)], env=env) as terminal:
        terminal.wait("13 hands")
        terminal.press("/", *"hand=4", "enter")
        terminal.wait("1 hand ")
        terminal.press("5")
        terminal.wait("event ")
        terminal.press("6", "6", "+", *"odd", "enter")
        terminal.press(".")
        terminal.wait("note: odd")
        terminal.press(".")
        assert terminal.end() == 0


@pytest.mark.parametrize("numlock", [True, False], ids=["numlock on", "numlock off"])
def test_on_a_terminal_the_same_with_pad_keys_alone(
    folder: Path, tmp_path: Path, numlock: bool
) -> None:
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    with Terminal(["review", "--data", str(folder)], env=env) as terminal:

        def then(seen: str, *keys: str) -> None:
            terminal.wait(seen)
            terminal.press(*keys, numlock=numlock)

        then("13 hands", "/", "7", "4", "enter")
        then("FILTER  #4", ".")
        then("1 hand ", "5")
        then("STEP", "6", "6", "3")
        terminal.wait("event ")
        terminal.press("+", "1", numlock=numlock)
        then("note: pull the tape", ".")
        then("note: pull the tape", ".")
        assert terminal.end() == 0
    assert "pull the tape" in (folder / "review-notes.jsonl").read_text(encoding="utf-8")


def test_on_a_terminal_without_unicode_every_sign_has_another(swing: Path, tmp_path: Path) -> None:
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "LANG": "C", "LC_ALL": "C"}
    with Terminal(["review", "--data", str(swing)], env=env) as terminal:
        assert terminal.wait("26 hands").isascii()
        terminal.press("0")
        shown = terminal.wait("Mean pot by the hour")
        assert shown.isascii()
        assert "####" in shown
        terminal.press(".", "/")
        assert terminal.wait("POT >").isascii()
