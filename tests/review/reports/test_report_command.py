"""The report command: whose a hand is, restarts, counts of one box, and signatures."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from omaha_table.cli import omaha_table
from tests.review.nights import Night

if TYPE_CHECKING:
    from pathlib import Path


BOARD = ("flop 7c 5h 2s", "check around", "turn Kd", "check around", "river As", "check around")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(omaha_table, [str(argument) for argument in arguments])


def test_a_hand_belongs_to_the_dealer_who_pushed_it(tmp_path: Path) -> None:
    night = Night(tmp_path, "ca_omaha_hilo").seat(3)
    night.say("down D1", "deal", "call", "down D2", "call", "check", *BOARD)
    night.say("high 1", "low 2", "push", "down out")
    night.session.close()
    told = json.loads(run("report", "dealer", "D2", "--data", tmp_path, "--format", "json").output)
    assert (told["hands"], told["fees"]) == (1, 300)
    assert run("report", "dealer", "D1", "--data", tmp_path).exit_code == 2


def test_restarts_between_hands_are_in_the_report(tmp_path: Path) -> None:
    Night(tmp_path, "ca_omaha_hilo").seat(3).play(1).session.close()
    for _ in range(2):
        Night(tmp_path, "ca_omaha_hilo").session.close()
    Night(tmp_path, "ca_omaha_hilo").play(1).close()
    [path] = tmp_path.glob("*.journal")
    day = path.stem.removeprefix("t7-")
    told = json.loads(run("report", "day", day, "--data", tmp_path, "--format", "json").output)
    assert told["restarts"] == 3


def test_the_jackpots_box_is_counted_with_the_drop_box(tmp_path: Path) -> None:
    Night(tmp_path, "ca_big_o").seat(4).play(2).close()
    said = ("--jackpot-box", "5", "--signed", "F1", "--signed", "S1")
    done = run("report", "shift", "swing", "--data", tmp_path, *said)
    assert done.exit_code == 2
    assert "--jackpot-box goes with --box" in done.stderr


@pytest.mark.parametrize("names", [("F1",), ("F1", "F1"), ("F1", " F1"), ("", "F1")])
def test_two_signatures_are_of_two(tmp_path: Path, names: tuple[str, ...]) -> None:
    signed = [part for name in names for part in ("--signed", name)]
    done = run("report", "shift", "swing", "--data", tmp_path, "--box", "5", *signed)
    assert done.exit_code == 2
    assert "Two people must sign" in done.output
