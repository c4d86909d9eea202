"""Names and reasons that somebody typed command no terminal and add nothing to a page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from omaha_table.floor.files import nobody_yet
from omaha_table.floor.staff import Person, PinHash, Role, Staff
from omaha_table.office.decisions import OfficeRefused
from omaha_table.review.index.ledger import Ledger
from omaha_table.review.index.projection import Projection
from omaha_table.review.screens.desk import Desk
from tests.counters import PINS, signature
from tests.office.evening import count, run
from tests.review.driving import Driver
from tests.review.html_pages import Reader
from tests.staff_files import save_staff

if TYPE_CHECKING:
    from pathlib import Path

NAME = "<b onclick=x>Fern</b> [x](http://x)"
REASON = '=HYPERLINK("http://x","<script>alert(1)</script>") | `x` *x*'


@pytest.fixture
def named(data: Path) -> Path:
    """The evening, with a supervisor whose name is markup."""
    pepper = nobody_yet(data).pepper
    people = [("F1", NAME, Role.FLOOR), ("S1", "Sam", Role.SHIFT)]
    hashed = [Person(i, n, r, PinHash.of(PINS[i], pepper, 8, 1)) for i, n, r in people]
    save_staff(data, Staff(tuple(hashed), pepper))
    return data


def test_they_are_words_in_every_form_of_report_and_sheet(named: Path) -> None:
    count(named, "60")
    count(named, "6", "--reason", REASON)
    plain = Reader(run("office", "sheet", "late", "--format", "html", "--data", named).stdout)
    for command in (("report", "shift", "swing"), ("office", "sheet", "swing")):
        page = Reader(run(*command, "--format", "html", "--data", named).stdout)
        assert not page.elements & {"script", "b", "a", "img"}
        assert REASON in page.text
        assert NAME in page.text
        told = json.loads(run(*command, "--format", "json", "--data", named).stdout)
        assert told["counts"][0]["counts"][1]["reason"] == REASON
        text = run(*command, "--data", named).stdout
        assert "\\<script\\>" in text
        assert "<script" not in text.replace("\\<", "")
        assert "](http:" not in text.replace("\\", "").replace(NAME, "")
    assert "script" not in plain.elements


def test_no_letter_of_an_old_list_acts_on_a_terminal(named: Path) -> None:
    Ledger(named)
    evil = "\x1b]0;x\x07\x1b[2J\u202eAda\u2066"
    [path] = named.glob("t7-*.journal")
    projection = Projection()
    projection.refresh([path])
    box = next(box for box in projection.boxes() if box.box == "B7")
    line = {
        "table": "t7", "day": box.day, "log": box.log, "shift": "swing", "box": "B7",
        "counted": 600, "jackpot": 300, "due": 900, "jackpot_due": 300, "signed": [evil, evil],
        "at": evil, "jackpot_box": "J7",
    }  # fmt: skip
    (named / "review-counts.jsonl").write_text(json.dumps(line) + "\n")
    key = f"t7 {box.day} 1"
    (named / "review-notes.jsonl").write_text(json.dumps({"hand": key, "note": evil}) + "\n")
    for take_over in (False, True):
        ledger = Ledger(named)
        if take_over:
            ledger.take_over()
        shown = Projection()
        shown.refresh([path])
        with Driver(Desk(shown, ledger), (120, 40)) as review:
            for key in ("1", "4", "2", "5", "4", "."):
                assert "\x1b" not in review.text
                assert "\u202e" not in review.text
                review.press(key)
        for command in (
            ("report", "shift", "swing"), ("office", "sheet", "swing"), ("office", "log"),
            ("office", "variances"),
        ):  # fmt: skip
            done = run(*command, "--data", named)
            assert done.exit_code == 0, done.output
            assert "\x1b" not in done.output
            assert "\u202e" not in done.output
    projection.close()


def test_a_pin_that_was_typed_as_a_reason_is_not_recorded(named: Path) -> None:
    count(named, "6")
    projection = Projection()
    projection.refresh(named.glob("t7-*.journal"))
    with Driver(Desk(projection, Ledger(named))) as review:
        review.press("4", "2", "+", "9", "enter", "3", "enter", *"x820103", "enter")
        assert "at least three letters" in review.text


def test_a_note_is_one_line_of_bounded_length(named: Path) -> None:
    ledger = Ledger(named)
    for note in ("x" * 201, "two\nlines", "\x1b[2J", "\ud800"):
        with pytest.raises(OfficeRefused):
            ledger.note("t7 x 1", note, signature("F1"))
