"""The list of hands: found by filter, chosen, noted and tagged, by keys and by mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.office_book import read_office
from omaha_table.review.index.projection import Projection
from omaha_table.review.screens.desk import Desk
from omaha_table.review.screens.hand_text import noted
from omaha_table.review.screens.hands import Hands
from omaha_table.review.screens.replay import Replay
from omaha_table.review.screens.virtual_list import Line, VirtualList
from omaha_table.session.script import run_line
from tests.counters import ledger, signs
from tests.evening_text import evening
from tests.review.desk import RULED, say, session
from tests.review.driving import Driver, desk_of
from tests.review.swing import DEVICE_IN, MISDEALT, REFUSED_IN, SLOW, UNDONE_IN

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def shift(swing: Path, tmp_path: Path) -> Iterator[Driver]:
    """On the shift with a bit of everything in it."""
    with Driver(desk_of(swing.glob("*.journal"), tmp_path)) as review:
        yield review


def hands(review: Driver) -> list[int]:
    return [int(cells[0]) for cells in review.lines]


def test_a_list_of_ten_million_lines_fetches_only_what_is_seen(swing: Path, tmp_path: Path) -> None:
    asked: list[int] = []

    class Many:
        total = 10_000_000

        def line(self, at: int) -> Line:
            asked.append(at)
            return Line(("", "", "", "", "", f"line {at}"))

    with Driver(desk_of([], tmp_path)) as review:
        review.app.page.listed.show(Many(), 0)
        review.press("1")
        assert "line 9999999" in review.text
        review.press("8", "9", "7", "3", "2")
        assert review.listed.at == review.listed.size.height
        assert len(set(asked)) < 200


# The filter


def test_a_filter_is_typed_completed_and_a_slip_keeps_the_list(shift: Driver) -> None:
    shift.press("/", *"fla", "tab", *"misd", "tab", "enter")
    assert shift.desk.filter_text == "flag:misdeal"
    assert hands(shift) == [25]
    shift.press("/", *"xx", "enter")
    assert "At place 14: " in shift.text
    assert hands(shift) == [25]
    shift.press("backspace", "backspace", "enter")
    assert shift.desk.filter_text == "flag:misdeal"
    shift.press("/", "escape")
    assert shift.desk.filter_text == "flag:misdeal"


def test_suggestions_are_picked_with_arrows_after_others_in_a_list(shift: Driver) -> None:
    shift.press("/", *"flag:undo,mis")
    assert "flag:undo,misdeal" in shift.text
    shift.press("down", "enter", "enter")
    assert shift.desk.filter_text == "flag:undo,misdeal"
    shift.press("/", "ctrl+u", *"dealer:d12", "tab", "enter")
    assert shift.desk.filter_text == "dealer:D120"
    shift.press("/", "ctrl+u", *"pot>=100")
    shift.press("space", *"day:", "down", "enter", "enter")
    assert shift.desk.filter_text == "pot>=100 day:2025-11-16"


def test_filters_are_picked_with_pad_keys(shift: Driver) -> None:
    for keys, filter_text in (
        ("1 5 1 enter", "flag:undo"),
        ("0 2 1 0 0 enter / 2 5 0 enter", "pot>=50"),
        ("0 3 8 enter", "seat:8"),
        ("0 7 1 9 enter", "#19"),
        ("0 7 end pageup enter", "#19"),
        ("0 4 1 enter", "dealer:D114"),
        ("0 8 1 .", "day:2025-11-16"),
        ("0 .", ""),
    ):
        shift.press("/", *keys.split())
        assert shift.desk.filter_text == filter_text


def test_the_picked_filters_find_the_hands_they_are_for(shift: Driver) -> None:
    for keys, found in (
        ("5", [UNDONE_IN]),
        ("6", [DEVICE_IN]),
        ("flag:slow", [SLOW]),
        ("flag:refusal", [REFUSED_IN]),
    ):
        shift.press("/", "0", *keys, "enter")
        assert hands(shift) == found
    shift.press("/", "0", "1", "enter")
    assert {UNDONE_IN, DEVICE_IN, SLOW, REFUSED_IN} < set(hands(shift))


# The pane beside the list


def test_the_times_for_the_tape_are_of_start_flop_and_push(shift: Driver) -> None:
    """Hand 1 begins 95 seconds in: 19 lines to seat, draw, shift and down, five seconds each."""
    shift.press("1")
    assert "start 19:01:35 flop - push 19:" in shift.words("#about")
    shift.press("8")
    shift.pause(0.3)
    steps = shift.words("#steps")
    [flop] = [at for at in steps.split(" seat ") if "FLOP" in at]
    at = flop[: flop.index(" FLOP")][-8:]
    assert f"flop {at}" in shift.words("#about")


def test_the_note_is_readable_at_80_columns(shift: Driver) -> None:
    shift.resize(80, 24)
    shift.press("2")
    assert "floor ruling, misdeal" in shift.text


def test_that_the_dealer_read_the_hands_is_said_only_with_something_else() -> None:
    assert noted("dealer_read") == []
    assert noted("dealer_read kill") == ["kill pot"]
    assert noted("dealer_read override") == ["floor ruling", "dealer read"]


def test_the_divider_is_dragged_and_moved_with_keys(shift: Driver) -> None:
    shift.resize(120, 30)
    before = shift.listed.size.width
    shift.press("<", "<")
    assert shift.listed.size.width < before
    divider = shift.app.page.query_one("Divider")
    shift.drag(divider, 90 - divider.region.x)
    assert abs(shift.listed.outer_size.width - 90) <= 1
    shift.resize(80, 24)
    before = shift.listed.size.height
    shift.press("ctrl+up")
    assert shift.listed.size.height < before


# The mouse


def test_a_click_chooses_a_line_and_two_open_it(shift: Driver) -> None:
    shift.click("VirtualList", 10, 4)
    assert shift.chosen[0] == "23"
    shift.click("VirtualList", 10, 3, times=2)
    assert shift.page(Replay).about().startswith("24 ")


def test_the_footer_and_the_filter_line_are_clicked(shift: Driver) -> None:
    shift.click("#line", 3)
    assert "Which hands?" in shift.text
    shift.press("escape")
    footer = shift.text.splitlines()[-1]
    shift.click("Footer", footer.index("Boxes"))
    assert " BOXES " in shift.text


def test_lines_are_copied_whole_and_in_part(shift: Driver) -> None:
    shift.resize(140, 40)
    shift.press("c")
    assert shift.app.clipboard.startswith("26  11-16  20:03:44  $32  1/2")
    shift.select("VirtualList", (1, 2), (9, 3))
    shift.press("ctrl+c")
    first, second = shift.app.clipboard.splitlines()
    assert "floor ruling, misdeal" in first
    assert second.split()[0] == "24"


# Notes and tags


def test_a_note_and_a_tag_are_kept_apart_from_the_journal(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    made = session(folder)
    say(made, *evening(2, seed=3), *RULED)
    made.close()
    [journal] = folder.glob("*.journal")
    before = journal.read_bytes()
    with Driver(desk_of(folder.glob("*.journal"), tmp_path)) as review:
        review.press("+", *"look", "space", *"again", "enter", *signs("F1"), "*", "+", "2")
        assert "note: look again (F1)" in review.words("#about")
        assert "note: nothing wrong (F1)" in review.words("#about")
        assert review.chosen[-1].startswith("*look, note, floor ruling")
        [(about, tags)] = read_office(tmp_path).tags.items()
        assert about.startswith("t7 ")
        assert tags == {"look"}
    assert journal.read_bytes() == before


def test_notes_that_cannot_be_written_are_told(shift: Driver, tmp_path: Path) -> None:
    (tmp_path / "office.key").mkdir()
    shift.press("+", "1", *signs("F1"))
    assert "Nothing was recorded" in shift.said
    shift.press("*", *signs("F1"))
    assert "Nothing was recorded" in shift.said
    assert "pull the tape" not in shift.words("#about")


# While a table deals


def test_new_hands_come_in_above_and_the_chosen_one_stays(tmp_path: Path) -> None:
    made = session(tmp_path / "data")
    say(made, *evening(3, seed=3))
    projection = Projection()
    [path] = (tmp_path / "data").glob("*.journal")
    projection.refresh([path])
    desk = Desk(projection, ledger(tmp_path), refresh=lambda: projection.refresh([path]))
    with Driver(desk) as review:
        review.press("2", "5")
        say(made, *RULED)
        review.keep_up()
        assert [answer["type"] for answer in run_line(made, 1, "push")] == ["refused"]
        review.keep_up()
        review.press(".")
        review.page(Hands)
        assert len(review.lines) == 4
        assert review.chosen[0] == "2"
        made.close()


@pytest.mark.parametrize("keys", [("p",), ("5", "p")], ids=["list", "replay"])
def test_the_incident_sheet_of_a_hand_is_saved_with_its_notes(
    shift: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keys: tuple[str, ...]
) -> None:
    monkeypatch.setattr(
        "omaha_table.review.screens.sheet.user_downloads_path", lambda: tmp_path / "sheets"
    )
    (tmp_path / "sheets").mkdir()
    shift.press("2", "+", "9", *signs("F1"))
    shift.press(*keys)
    shift.wait_for(lambda: "Saved as" in shift.said)
    [sheet] = (tmp_path / "sheets").iterdir()
    assert sheet.name == f"hand-{MISDEALT}-t7-2025-11-16.html"
    assert sheet.stat().st_mode & 0o777 == 0o600
    text = sheet.read_text(encoding="utf-8")
    assert f"Hand {MISDEALT}, t7" in text
    assert "ask the floor" in text
    assert "F1 Fern Hill" in text
    assert "Sound." in text


def test_a_sheet_that_cannot_be_saved_says_why(
    shift: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("omaha_table.review.screens.sheet.user_downloads_path", lambda: tmp_path)
    (tmp_path / "hand-26-t7-2025-11-16.html").mkdir()
    shift.press("p")
    shift.wait_for(lambda: "could not be saved: Is a directory" in shift.said)


def test_steps_of_the_chosen_hand_stay_while_others_come_in(shift: Driver) -> None:
    shift.press("2")
    shift.wait_for(lambda: bool(shift.words("#steps")))
    before = shift.text
    shift.app.page.show_more()
    shift.app.refreshed()
    shift.press()
    assert shift.text == before


def test_one_escape_too_many_does_not_end_the_review(shift: Driver) -> None:
    shift.press("/", "escape", "escape")
    assert "Leave the review?" in shift.text
    shift.press("2", "escape")
    assert "Leave the review?" in shift.text
    assert shift.app.is_running
    shift.press("escape")
    assert not shift.app.is_running


def test_a_key_that_does_nothing_is_told_and_changes_nothing(shift: Driver) -> None:
    shift.wait_for(lambda: bool(shift.words("#steps")))
    before = shift.text
    shift.press("f5")
    assert shift.bells == 1
    assert "does nothing" in shift.text
    shift.press("2", "8")
    shift.wait_for(lambda: bool(shift.words("#steps")))
    assert shift.text == before
    assert isinstance(shift.app.focused, VirtualList)
