"""Reports and reconciliation: E29 as a shift that was really dealt, and the pages made of it."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from omaha_table.cli import omaha_table
from omaha_table.review.index.drop import reconcile, total
from omaha_table.review.index.reading import hands_in
from omaha_table.review.reports.render import as_html, as_markdown
from omaha_table.review.reports.summaries import incident, summary
from tests.counters import PINS, hire
from tests.review.e29 import SHIFT
from tests.review.swing import REFUSED_IN

if TYPE_CHECKING:
    from pathlib import Path


def report(*arguments: object, typed: tuple[str, ...] = ()) -> Result:
    pins = "".join(f"{PINS[number]}\n" for number in typed)
    return CliRunner().invoke(omaha_table, ["report", *map(str, arguments)], input=pins)


def journal(folder: Path) -> Path:
    return next(folder.glob("*.journal"))


def test_the_shift_of_e29_comes_to_848_and_180_dollars(shift: Path) -> None:
    drop = total(hands_in(journal(shift)))
    assert (drop.hands, drop.no_flop) == (197, 17)
    assert (drop.fees, drop.jackpots) == (84800, 18000)
    assert dict(drop.dealt) == {seats: count for seats, (count, _) in SHIFT.items()}


def test_a_box_of_843_is_five_short_and_the_hand_that_was_taken_back_is_named(shift: Path) -> None:
    checked = reconcile(hands_in(journal(shift)), 84300)
    assert checked.variance == -500
    assert [suspect.number for suspect in checked.suspects] == [62 + 88 + 3]
    assert "taken back" in checked.suspects[0].why
    assert reconcile(hands_in(journal(shift)), 84800).suspects == ()


def test_the_command_reports_the_shift_with_its_variance(shift: Path, tmp_path: Path) -> None:
    data = shutil.copytree(shift, tmp_path / "data")
    hire(data)
    counted = ("--box", "843", "--signed", "F1", "--signed", "S1", "--format", "json")
    done = report("shift", "swing", "--data", data, *counted, typed=("F1", "S1"))
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert (found["fees"], found["jackpots"], found["variance"]) == (84800, 18000, -500)
    assert found["signed"] == ["F1 Fern Hill", "S1 Sam Vale"]
    assert found["dealers"]["D114"]["hands"] == 197


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["shift", "never"], "No shift"),
        (["hand", "9999"], "No hand"),
        (["shift", "swing", "--box", "84x", "--signed", "A", "--signed", "B"], "not an amount"),
        (["shift", "swing", "--box", "843"], "Two people must sign"),
        (
            ["shift", "swing", "--box", "843", "--signed", "A", "--signed", "A"],
            "Two people must sign",
        ),
    ],
)
def test_what_cannot_be_reported_is_said(shift: Path, arguments: list[str], message: str) -> None:
    done = report(*arguments, "--data", shift)
    assert done.exit_code == 2
    assert message in done.stderr


def test_a_damaged_journal_is_told_and_the_others_are_read(shift: Path, tmp_path: Path) -> None:
    good = tmp_path / journal(shift).name
    good.write_bytes(journal(shift).read_bytes())
    (tmp_path / "t8-2026-01-01.journal").write_bytes(b"not a journal")
    done = report("shift", "swing", "--data", tmp_path, "--format", "json")
    assert done.exit_code == 1
    assert "t8-2026-01-01.journal" in done.stderr
    assert json.loads(done.stdout)["fees"] == 84800


def test_a_page_needs_nothing_from_anywhere_and_escapes_what_it_shows(shift: Path) -> None:
    page = as_html(summary("Shift <swing> & co", hands_in(journal(shift)), 84300))
    assert "<swing>" not in page
    assert re.findall(r"(?:src|href)=", page) == []
    assert re.findall(r"https?://[^\"]+", page) == []
    assert "<svg" in page
    assert "$5 short" in page


def test_an_incident_sheet_says_all_of_a_hand(shift: Path) -> None:
    hand = next(hand for hand in hands_in(journal(shift)) if "undo" in hand.flags)
    text = as_markdown(incident(hand))
    assert f"# Hand {hand.number}, t7" in text
    assert "FLOP 7c 5h 3s (taken back)" in text
    assert "FLOP 7c 5h 2s" in text
    assert hand.moments[0].hash in text
    assert "seat 1" in text


def test_the_incident_sheet_has_what_was_refused(swing: Path) -> None:
    hand = next(hand for hand in hands_in(journal(swing)) if hand.number == REFUSED_IN)
    assert "refusal" in hand.flags
    text = as_markdown(incident(hand))
    assert "## Refused entries" in text
    assert "From the refusal log, which no seal covers." in text
    assert "cannot raise to $500" in text
    assert hand.refusals[0].rule in text
