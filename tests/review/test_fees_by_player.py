"""Fees that each player pays, as the log, the reports, the box and the exports have them."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.journal.verification import files_in, verify
from omaha_table.review.exchange.as_json import json_of
from omaha_table.review.exchange.ohh import ohh_of
from omaha_table.review.index.drop import reconcile, total
from omaha_table.review.index.incidents import incidents_in
from omaha_table.review.reports.hand_report import incident
from omaha_table.review.reports.render import as_markdown
from omaha_table.rules import load_profile
from omaha_table.shipped import config_dir
from tests.review.nights import Night, read

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.review.index.hands import Played

RULES = config_dir() / "examples" / "rules" / "fee_by_player.toml"
LIMPED = (
    *("3 call", "1 call", "2 check", "flop 7c 5h 2s", "check around", "turn Kd", "check around"),
    *("river As", "check around", "high 1", "low 2", "push"),
)
"""Three hands are dealt, and each of them owes $2."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seat 3 does not pay in the first hand; in the second all do; the third is called off. Not to
    be written to."""
    folder = tmp_path_factory.mktemp("night")
    night = Night(folder, load_profile(str(RULES)))
    night.say("seat 1 Ada 100", "seat 2 Ben 100", "seat 3 Cam", "button 3", "shift day B1 J1")
    night.say("down Dee", "hand", "paid 1", "undo", "paid 1 2", "deal", *LIMPED)
    night.say("hand", "paid all", "deal", "fold", "fold", "push")
    night.say("hand", "paid all", 'floor 4711 misdeal "two cards exposed"', "shift close")
    night.close()
    return folder


@pytest.fixture
def hands(folder: Path) -> list[Played]:
    [path] = folder.glob("*.journal")
    return read(path)


def command(*arguments: str) -> str:
    done = CliRunner().invoke(omaha_table, list(arguments))
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_log_is_sound(folder: Path) -> None:
    assert verify(files_in(folder)).damage == []


def test_what_was_paid_is_due_in_the_box(hands: list[Played]) -> None:
    assert [hand.fees_paid for hand in hands] == [
        {1: 200, 2: 200},
        {1: 200, 2: 200, 3: 200},
        {},
    ]
    drop = total(hands)
    assert (drop.due, drop.waived, drop.jackpots) == (10_00, 2_00, 0)
    assert reconcile(hands, 10_00).variance == 0
    short = reconcile(hands, 8_00)
    assert short.variance == -2_00
    assert [suspect.number for suspect in short.suspects][:1] == [1]


def test_the_report_of_the_shift_has_the_fees(folder: Path) -> None:
    said = json.loads(command("report", "shift", "day", "--data", str(folder), "--format", "json"))
    assert (said["fees"], said["due"], said["waived"]) == (10_00, 10_00, 2_00)
    assert said["dealers"]["Dee"]["fees"] == 10_00
    assert said["brackets"] == [
        {"dealt": 3, "fee": 600, "hands": 1, "sum": 600},
        {"dealt": 3, "fee": 400, "hands": 1, "sum": 400},
    ]


def test_who_did_not_pay_is_worth_a_look(hands: list[Played]) -> None:
    says = [found.says for found in incidents_in(hands[0]) if found.kind == "waived"]
    assert says == ["$2 of the fee, seat 3 did not pay"]
    assert "waived" not in hands[1].flags


def test_the_incident_sheet_tells_each_payment(hands: list[Played]) -> None:
    sheet = as_markdown(incident(hands[0]))
    assert "seat 2 pays its fee of $2" in sheet
    assert "seat 1 pays its fee of $2 (taken back)" in sheet
    assert "$4, $0" in sheet


def test_the_exports_have_the_fees_beside_the_pot(
    folder: Path, hands: list[Played], tmp_path: Path
) -> None:
    first = json_of(hands[0])
    assert (first["fees_paid"], first["summary"]["fee"]) == ({1: 200, 2: 200}, 0)
    told = ohh_of(hands[0])
    assert told["_omaha_table"]["fees_paid"] == {"1": 2.0, "2": 2.0}
    assert [pot["rake"] for pot in told["ohh"]["pots"]] == [0.0]
    for form in ("csv", "phh"):
        command("export", "--format", form, "--out", str(tmp_path / form), str(folder))
    [file] = (tmp_path / "csv").glob("*fees*.csv")
    with file.open(encoding="utf-8", newline="") as lines:
        assert [row["fee_cents"] for row in csv.DictReader(lines)] == ["400", "600", "0"]
    [file] = (tmp_path / "phh").iterdir()
    text = file.read_text(encoding="utf-8")
    # A fee is paid before the deal: the stacks of the hand are what is left.
    assert "_fees_paid = [2, 2, 0]" in text
    assert "starting_stacks = [98, 98, 1000000]" in text
    again = CliRunner().invoke(
        omaha_table,
        ["import", "--data", str(tmp_path / "data"), "--rules", "house_omaha_hilo", str(file)],
    )
    assert "called off" in again.output  # the misdeal; the two others are played
    [journal] = (tmp_path / "data").glob("*.journal")
    assert [hand.ended and hand.ended.awards for hand in read(journal)] == [
        hand.ended and hand.ended.awards for hand in hands[:2]
    ]
