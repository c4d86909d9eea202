"""A fold out of turn in the log: sound, marked for the reviewer, in every export and back."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.journal.verification import verify
from omaha_table.review.exchange.hand_actions import actions_of
from omaha_table.review.exchange.ohh import ohh_of
from omaha_table.review.exchange.phh import phh_of
from omaha_table.review.reports.render import as_markdown
from omaha_table.review.reports.summaries import incident
from tests.evenings import draw_lines
from tests.review.nights import Night, read

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.review.index.hands import Played


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four at 4-8, button on 4: seat 2 throws its big blind away before seat 4 acts."""
    night = Night(tmp_path_factory.mktemp("night"), "ca_omaha_hilo")
    night.say(*(f"seat {n} P{n} 100" for n in (1, 2, 3, 4)), *draw_lines(4, (1, 2, 3, 4)))
    night.say("deal", "3 call", "outofturn 2 fold", "4 call", "1 call", "flop 7c 5h 2s")
    night.say("1 check", "outofturn 4 fold", "undo", "3 bet", "4 fold", "1 fold", "push")
    return night.close()


@pytest.fixture(scope="module")
def hand(journal: Path) -> Played:
    [played] = read(journal)
    return played


def test_the_log_is_sound(journal: Path) -> None:
    assert verify([journal]).sound


def test_the_fold_that_stands_is_a_step_where_it_happened(hand: Played) -> None:
    steps = [
        (d.seat, d.kind, d.to, d.early) for d in actions_of(hand) if d.kind in ("fold", "call")
    ]
    assert steps[:2] == [(3, "call", 400, False), (2, "fold", 400, True)]
    assert [step for step in steps if step[3]] == [(2, "fold", 400, True)]


def test_the_hand_is_marked_and_the_sheet_says_why(hand: Played) -> None:
    assert "out_of_turn" in hand.flags
    sheet = as_markdown(incident(hand))
    assert "fold out of turn" in sheet
    assert "seat 2 FOLD OUT OF TURN" in sheet


def test_the_queue_of_the_reviewer_has_it(hand: Played) -> None:
    from omaha_table.review.index.incidents import incidents_in

    assert "seat 2 FOLD OUT OF TURN" in [
        found.says for found in incidents_in(hand) if found.kind == "out_of_turn"
    ]


def test_exports_say_it_beside_the_fold(hand: Played) -> None:
    assert '"p2 f # out of turn"' in phh_of(hand)
    assert ohh_of(hand)["_omaha_table"]["folded_out_of_turn"] == [2]
    rounds = ohh_of(hand)["ohh"]["rounds"]
    acted = [(step["player_id"], step["action"]) for step in rounds[0]["actions"]]
    assert acted[2:] == [(3, "Call"), (2, "Fold"), (4, "Call"), (1, "Call")]


def test_what_is_exported_is_imported_again_as_it_was(hand: Played, tmp_path: Path) -> None:
    file = tmp_path / "hand.phh"
    file.write_text(phh_of(hand), encoding="utf-8")
    given = ["import", str(file), "--data", str(tmp_path / "data")]
    done = CliRunner().invoke(omaha_table, given)
    assert done.exit_code == 0, done.output
    [journal] = (tmp_path / "data").glob("*.journal")
    [again] = read(journal)
    assert hand.ended is not None
    assert again.ended is not None
    assert again.ended.awards == hand.ended.awards
    assert [d.seat for d in actions_of(again) if d.early] == [2]


@pytest.mark.parametrize("form", ["csv", "json"])
def test_tables_and_objects_have_a_place_for_it(journal: Path, form: str, tmp_path: Path) -> None:
    out = tmp_path / form
    given = ["export", str(journal.parent), "--format", form, "--out", str(out)]
    done = CliRunner().invoke(omaha_table, given)
    assert done.exit_code == 0, done.output
    if form == "csv":
        with (out / "actions.csv").open(encoding="utf-8", newline="") as file:
            early = [row["seat"] for row in csv.DictReader(file) if row["out_of_turn"] == "yes"]
    else:
        [line] = [text for path in _files(out) for text in path.read_text().splitlines()]
        actions = json.loads(line)["actions"]
        early = [str(action["seat"]) for action in actions if action.get("out_of_turn")]
    assert early == ["2"]


def _files(out: Path) -> list[Path]:
    return [out] if out.is_file() else [path for path in out.rglob("*") if path.is_file()]
