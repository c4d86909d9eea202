"""Hands that did not go by the book: rulings, corrections, hands the dealer read."""

from __future__ import annotations

import csv
import json
import re
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result
from pokerkit.notation import HandHistory

from omaha_table.cli import omaha_table
from omaha_table.review.exchange.ohh import ohh_of
from omaha_table.review.exchange.phh import phh_of
from omaha_table.review.index.reading import hands_in
from omaha_table.shipped import config_dir
from tests.review.nights import Night, read
from tests.review.ohh_schema import Hand

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = [
    *sorted((config_dir() / "examples").glob("*.txt")),
    *sorted((config_dir() / "examples" / "rulings").glob("*.txt")),
]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(omaha_table, [str(argument) for argument in arguments])


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_every_ruling_is_exported_with_the_totals_of_the_journal(
    tmp_path: Path, example: Path
) -> None:
    command = re.search(r"omaha-table script (.*)", example.read_text(encoding="utf-8"))
    assert command is not None
    options = [
        str(config_dir() / word.removeprefix("config/")) if word.startswith("config/") else word
        for word in command[1].split()
    ]
    run("script", "--data", tmp_path, *options)
    [path] = tmp_path.glob("*.journal")
    assert run("export", "--format", "csv", "--out", tmp_path / "out", path).exit_code == 0
    with (tmp_path / "out" / "hands.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    hands = list(hands_in(path))
    assert [int(row["pot_cents"]) for row in rows] == [hand.pot for hand in hands]
    lines = run("export", "--format", "json", path).stdout.splitlines()
    for hand, line in zip(hands, lines, strict=True):
        assert hand.ended is not None
        awards = sum(hand.ended.awards.values())
        assert sum(json.loads(line)["summary"]["awards"].values()) == awards
        told = Hand.model_validate_json(json.dumps(ohh_of(hand)["ohh"]))
        wins = [win.win_amount for pot in told.pots for win in pot.player_wins]
        assert round(100 * sum(wins)) == awards
        history = HandHistory.loads(phh_of(hand))
        assert sum(history.winnings or []) * 100 == awards


def test_cards_that_were_keyed_by_mistake_and_taken_back_are_in_no_export(tmp_path: Path) -> None:
    night = Night(tmp_path, "ca_omaha_high").seat(2)
    night.say("deal", "call", "check", "flop 7c 5h 2s", "check around", "turn Kd", "check around")
    night.say("river As", "check around", "show 1 Qc Qd Qh Qs", "undo")
    night.say("show 1 Jc Jd 3h 3s", "muck 2", "push")
    path = night.close()
    for form in ("phh", "ohh", "json"):
        text = run("export", "--format", form, path).stdout
        assert "Jc" in text
        assert "Qc" not in text
    run("export", "--format", "csv", "--out", tmp_path / "out", path)
    assert not [p for p in (tmp_path / "out").iterdir() if "Qc" in p.read_text(encoding="utf-8")]


def test_a_hand_that_the_dealer_read_is_imported_to_the_same_awards(tmp_path: Path) -> None:
    night = Night(tmp_path / "night", "ca_omaha_hilo").seat(3)
    night.say("deal", "call", "call", "check", "flop 7c 5h 2s", "check around", "turn Kd")
    night.say("check around", "river As", "check around", "high 1", "low 2 3", "push")
    path = night.close()
    run("export", "--format", "phh", "--out", tmp_path / "out", path)
    done = run("import", "--data", tmp_path / "data", tmp_path / "out")
    assert done.exit_code == 0, done.output
    [file] = (tmp_path / "data").glob("*.journal")
    [first], [second] = read(path), read(file)
    assert first.ended is not None
    assert second.ended is not None
    assert second.ended.dealer_read
    assert second.ended.awards == first.ended.awards


def test_a_hand_that_the_floor_decided_is_exported_and_not_imported(tmp_path: Path) -> None:
    night = Night(tmp_path / "night", "ca_omaha_high").seat(3)
    night.say("deal", 'floor 4711 misdeal "a boxed card"')
    path = night.close()
    run("export", "--format", "phh", "--out", tmp_path / "out", path)
    done = run("import", "--data", tmp_path / "data", tmp_path / "out")
    assert done.exit_code == 1
    assert "called off (misdeal)" in done.output
