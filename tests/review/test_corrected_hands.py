"""Hands that the floor corrected after the push: in the drop, the exports, the incident sheet."""

from __future__ import annotations

import csv
import json
import re
import sqlite3
import time
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from omaha_table.cli import omaha_table
from omaha_table.review.index.drop import reconcile, total
from omaha_table.review.reports.render import as_markdown
from omaha_table.review.reports.summaries import incident
from scripts.campaigns.night.told import phh_hands
from tests.evenings import draw_lines
from tests.review.nights import Night, read

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.review.index.hands import Played

BOARD = ("flop 7c 5h 2s", "check around", "turn Kd", "check around", "river As", "check around")
TABLED = ("show 1 Ah 3d 9c 9d", "show 2 Kc Kh 4d 8s", "show 3 Qs Qc Js Jh")
FEE = 300
"""Of three hands dealt at 4-8."""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(omaha_table, [str(argument) for argument in arguments])


def evening(folder: Path) -> Path:
    """Three hands of three players at 4-8: the fee of the first goes back and it is amended, that
    of the second is waived, the third is as always."""
    night = Night(folder, "ca_omaha_hilo")
    night.say("seat 1 Ada 200", "seat 2 Ben 200", "seat 3 Carmen 200", *draw_lines(3, (1, 2, 3)))
    night.say("shift swing B7 J7", "down D114")
    night.say("deal", "call", "call", "check", *BOARD, *TABLED, "push")
    night.say('floor 4711 refund 1 2 3 "the reader failed"')
    night.say('floor 4711 amend 1 1 2 4 "split wrongly, on camera"')
    night.say("deal", "call", "call", "check", 'floor 4711 waive "a long delay"', *BOARD)
    night.say("show 2 Kc Kh 4d 8s", "muck 3", "muck 1", "push")
    night.say("deal", "call", "call", "check", *BOARD)
    night.say("show 3 Kc Kh 4d 8s", "muck 1", "muck 2", "push")
    return night.close()


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return evening(tmp_path_factory.mktemp("evening"))


@pytest.fixture(scope="module")
def hands(journal: Path) -> list[Played]:
    return read(journal)


def test_a_fee_that_was_given_back_is_not_due_and_one_that_was_waived_is_told(
    hands: list[Played],
) -> None:
    drop = total(hands)
    assert (drop.fees, drop.refunded, drop.due, drop.waived) == (2 * FEE, FEE, FEE, FEE)
    assert reconcile(hands, FEE).variance == 0


def test_a_box_that_lacks_one_fee_names_the_returned_and_the_waived_hand_first(
    hands: list[Played],
) -> None:
    checked = reconcile(hands, 0)
    assert checked.variance == -FEE
    assert {s.number for s in checked.suspects[:2]} == {1, 2}
    whys = {s.number: s.why for s in checked.suspects}
    assert "fee returned" in whys[1]
    assert "fee waived" in whys[2]


def test_the_log_said_the_same_when_the_box_was_taken_away(tmp_path: Path) -> None:
    night = Night(tmp_path, "ca_omaha_hilo").seat(3)
    night.say("shift swing B7 J7", "deal", "call", "call", "check", *BOARD, *TABLED, "push")
    night.say('floor 4711 refund 1 2 1 "the reader failed"', "shift close")
    path = night.close()
    done = run("report", "shift", "swing", "--data", path, "--format", "json")
    assert json.loads(done.stdout)["due"] == FEE - 100


def test_every_export_tells_what_went_back_and_what_was_moved(
    journal: Path, tmp_path: Path
) -> None:
    for form in ("csv", "json", "ohh", "phh"):
        assert run("export", "--format", form, "--out", tmp_path / form, journal).exit_code == 0
    with (tmp_path / "csv" / "fees.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["fee_returned_cents"] for row in rows] == ["300", "0", "0"]
    assert [row["waived_cents"] for row in rows] == ["0", "300", "0"]
    with (tmp_path / "csv" / "later.csv").open(newline="") as file:
        later = [(r["hand"], r["what"], r["seat"], r["to_seat"], r["amount_cents"])
                 for r in csv.DictReader(file)]  # fmt: skip
    assert later == [("1", "fee_returned", "2", "", "300"),
                     ("1", "chips_transferred", "1", "2", "400")]  # fmt: skip
    [lines], [ohh], [phh] = (list((tmp_path / form).iterdir()) for form in ("json", "ohh", "phh"))
    first = json.loads(lines.read_text(encoding="utf-8").splitlines()[0])
    assert [(m["what"], m["amount"]) for m in first["later"]] == [
        ("fee_returned", 300), ("chips_transferred", 400),
    ]  # fmt: skip
    beside = json.loads(ohh.read_text(encoding="utf-8").split("\n\n")[0])["_omaha_table"]
    assert beside["fee_returned"] == 3
    hand = next(phh_hands(phh))
    assert hand["_fee_returned"] == 3
    assert hand["_later"] == ["fee_returned 2 3", "chips_transferred 1 2 4"]


def test_the_incident_sheet_has_seats_actions_pots_readings_rulings_and_hashes(
    hands: list[Played],
) -> None:
    hand = hands[0]
    text = as_markdown(incident(hand))
    for name in ("Ada", "Ben", "Carmen"):
        assert f"| {name} | $200 |" in text
    # The board is 7c 5h 2s Kd As: Ada plays 3 and the ace or the ace of the board for 7-5-3-2-A.
    assert "7-5-3-2-A" in text
    assert "Three of a kind, kings" in text
    for event in hand.moments:
        assert event.at_us
    listed = re.findall(r"^\| (\d\d:\d\d:\d\d) \| (.*?) \| (\d+) \|$", text, re.MULTILINE)
    by_event = {int(seq): (at, what) for at, what, seq in listed}
    for moment in hand.moments:
        if type(moment.event).__name__ in ("Posted", "Acted", "BoardDealt", "Tabled", "HandEnded"):
            at = time.strftime("%H:%M:%S", time.localtime(moment.at_us / 1e6))
            assert by_event[moment.seq][0] == at
    said = [what for _, what in by_event.values()]
    assert [what for what in said if "CALL" in what] == ["seat 3 CALL 4", "seat 1 CALL 2"]
    assert "| Main | $9 |" in text
    assert "the reader failed" in text
    assert "split wrongly, on camera" in text
    assert "Wrong push, after the push" in text
    for found in (hand.previous, hand.moments[0].hash, hand.moments[-1].hash):
        assert re.fullmatch("[0-9a-f]{64}", found)
        assert found in text


def test_the_hash_before_a_hand_is_that_of_the_row_before_it(
    hands: list[Played], journal: Path
) -> None:
    with sqlite3.connect(f"file:{journal}?mode=ro", uri=True) as db:
        for hand in hands:
            query = "SELECT hash FROM event WHERE seq = ?"
            [before] = db.execute(query, (hand.moments[0].seq - 1,)).fetchone()
            assert hand.previous == before.hex()


def test_a_shift_report_names_every_ruling_with_its_reason_also_between_hands(
    journal: Path,
) -> None:
    found = json.loads(
        run("report", "shift", "swing", "--data", journal, "--format", "json").stdout
    )
    assert [(r["ruling"], r["hand"]) for r in found["rulings"]] == [
        ("refund", None), ("amend", None), ("waive", 2),
    ]  # fmt: skip
    page = run("report", "shift", "swing", "--data", journal).stdout
    for reason in ("the reader failed", "split wrongly, on camera", "a long delay"):
        assert reason in page
