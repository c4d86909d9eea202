"""Counts that are refused change nothing; only a wrong PIN leaves an entry, which says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.days import office_files
from omaha_table.journal.office_book import OfficeReading, read_office
from omaha_table.journal.staff_list import load_staff
from omaha_table.office.decisions import OfficeRefused
from omaha_table.office.events import PinRefused
from omaha_table.review.index.ledger import Ledger
from tests.counters import hire, signature
from tests.office.evening import count, run, signed
from tests.review.nights import Night
from tests.staff_files import save_staff

if TYPE_CHECKING:
    from pathlib import Path

BOX = ("--box", "6", "--jackpot-box", "3")


@pytest.mark.parametrize(
    ("by", "said"),
    [
        (("F1", "F1"), "Two people must sign"),
        (("F1",), "Two people must sign"),
        (("F1", "S1", "S2"), "Two people sign for a count, not more"),
        (("D1", "D2"), "one of them must be a floor supervisor or a shift manager"),
        (("D1", "A1"), "one of them must be a floor supervisor or a shift manager"),
        (("F1", "Z9"), "There is no staff number 'Z9'"),
        (("f1", "S1"), "There is no staff number 'f1'"),
    ],
)
def test_who_may_not_count_is_not_asked_for_a_pin(
    data: Path, by: tuple[str, ...], said: str
) -> None:
    done = run("office", "count", "swing", *BOX, *signed(*by), "--data", data)
    assert done.exit_code == 2
    assert said in " ".join(done.stderr.split())
    assert "PIN" not in done.output
    assert office_files(data) == []


def test_somebody_who_was_disabled_does_not_sign(data: Path) -> None:
    save_staff(data, load_staff(data).disable("S1"))
    done = count(data, "6")
    assert done.exit_code == 2
    assert "S1 is disabled" in done.stderr
    assert office_files(data) == []


@pytest.mark.parametrize("pins", [("000000", "S1"), ("F1", "000000"), ("S1", "F1"), ("F1", "F1")])
def test_a_wrong_pin_ends_it_and_is_recorded_without_the_digits(
    data: Path, pins: tuple[str, str]
) -> None:
    done = run("office", "count", "swing", *BOX, *signed("F1", "S1"), "--data", data, pins=pins)
    assert done.exit_code == 2
    assert "Wrong PIN: 4 tries left." in done.stderr
    assert not read_office(data).counts
    [refused] = [e.event for e in OfficeReading(data).entries() if isinstance(e.event, PinRefused)]
    assert (refused.purpose, refused.why) == ("count", "wrong_pin")
    [journal] = office_files(data)
    assert b"000000" not in journal.read_bytes().replace(b"0" * 64, b"")
    assert count(data, "6").exit_code == 0


def test_five_wrong_pins_lock_that_person_alone(data: Path) -> None:
    for _ in range(5):
        run("office", "count", "swing", *BOX, *signed("F1", "S1"), "--data", data, pins=("1", "1"))
    locked = count(data, "6")
    assert locked.exit_code == 2
    assert "F1 is locked for 5 minutes" in locked.stderr
    assert count(data, "6", by=("F2", "S1")).exit_code == 0


def test_without_pins_nothing_is_signed(data: Path) -> None:
    given = ("report", "shift", "swing", "--box", "6", *signed("F1", "S1"), "--data", data)
    done = run(*given)
    assert done.exit_code == 2
    assert "No PIN was entered for F1: nothing was recorded." in done.stderr
    assert "Counted by" not in done.stdout
    done = run("report", "shift", "swing", *signed("F1", "S1"), "--data", data)
    assert done.exit_code == 2
    assert "go with a count" in done.stderr


def test_any_two_words_are_no_signatures(data: Path) -> None:
    (data / "staff.json").unlink()
    done = count(data, "6", by=("Ada", "Ben"))
    assert done.exit_code == 2
    assert "has no staff list, so nobody can sign" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("graveyard",), "No box was opened for shift 'graveyard' there. Shifts: late"),
        (("swing", "--boxes", "B9/J9"), "has no boxes 'B9/J9'. It has: t7"),
        (("swing", "--table", "t8"), "No box was opened"),
        (("swing", "--reason", "typed wrong"), "was not counted before"),
        (("late",), "is still open at t7"),
    ],
)
def test_a_box_that_cannot_be_counted_is_said_before_a_pin_is_asked_for(
    data: Path, arguments: tuple[str, ...], said: str
) -> None:
    amounts = ("--box", "3") if arguments == ("late",) else BOX
    given = ("office", "count", *arguments, *amounts, *signed("F1", "S1"), "--data", data)
    done = run(*given)
    assert done.exit_code == 2
    assert said in " ".join(done.stderr.split())
    assert office_files(data) == []


def test_the_box_of_an_open_shift_is_not_counted_by_the_report_either(data: Path) -> None:
    given = ("report", "shift", "late", "--box", "3", *signed("F1", "S1"), "--data", data)
    done = run(*given, pins=("F1", "S1"))
    assert done.exit_code == 2
    assert "Close the shift at the table, then count" in done.stderr
    assert office_files(data) == []


def test_a_box_without_a_jackpot_box_has_no_jackpot_count(data: Path) -> None:
    amounts = ("--box", "3", "--jackpot-box", "1")
    done = run("office", "count", "late", *amounts, *signed("F1", "S1"), "--data", data)
    assert done.exit_code == 2


def test_a_box_is_counted_again_only_with_a_reason(data: Path) -> None:
    count(data, "6")
    again = count(data, "9")
    assert again.exit_code == 2
    assert "was counted before: $6 and $3, by F1 Fern Hill and S1 Sam Vale" in again.stderr
    for reason in ("ab", "820103", "a\x1b[31mbc", "a\u202ebcd", "x" * 201):
        done = count(data, "9", "--reason", reason)
        assert done.exit_code == 2, reason
        assert done.stderr.isprintable() or "\n" in done.stderr
    [counts] = read_office(data).counts.values()
    assert [c.event.counted for c in counts] == [600]
    assert count(data, "9", "--reason", "typed wrong").exit_code == 0


def test_an_unknown_count_is_not_reviewed(data: Path) -> None:
    count(data, "6")
    for which in ("2026-999", "17", "x", "2026-2"):
        told = ("--by", "F1", "--reason", "no fee", "--data", data)
        done = run("office", "explain", which, *told, pins=("F1",))
        assert done.exit_code == 2
        assert "No count " in done.stderr


def test_a_count_that_agrees_is_not_reviewed(data: Path) -> None:
    count(data, "9")
    [counts] = read_office(data).counts.values()
    which = f"{counts[-1].year}-{counts[-1].seq}"
    told = ("--by", "F1", "--reason", "no fee", "--data", data)
    done = run("office", "explain", which, *told, pins=("F1",))
    assert done.exit_code == 2
    assert "needs no review" in done.stderr


def test_a_box_in_which_no_hand_was_dealt_is_counted_as_well(tmp_path: Path) -> None:
    night = Night(tmp_path, "ca_big_o").seat(3)
    night.say("shift swing B7 none", "shift close", "shift late B8 none")
    night.say('floor 4711 close "end of day"')
    night.close()
    hire(tmp_path)
    for shift in ("swing", "late"):
        given = ("office", "count", shift, "--box", "0", *signed("F1", "S1"), "--data", tmp_path)
        done = run(*given, pins=("F1", "S1"))
        assert done.stdout == "Counted $0: agrees.\n", done.stderr
    assert run("verify", tmp_path).exit_code == 0


def test_an_old_list_that_is_taken_away_or_spoiled_meanwhile_is_said(data: Path) -> None:
    ledger = Ledger(data)
    (data / "review-counts.jsonl").mkdir()
    assert ledger.refresh()
    assert ledger.fault == "A list of 0.1.0 cannot be read: Is a directory."
    with pytest.raises(OfficeRefused, match="Is a directory"):
        ledger.note("t7 x 1", "look", signature("F1"))
    (data / "review-counts.jsonl").rmdir()
    assert ledger.refresh()
    assert ledger.fault == ""
