"""A table that deals past six in the morning: the gaming day ends, and everything goes on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.hand.frozen import replace
from omaha_table.journal.faults import Busy, Full, Tampered
from omaha_table.journal.reader import Reader
from omaha_table.journal.verification import files_in, verify
from omaha_table.journal.writer import JournalWriter
from omaha_table.office.state import CountKey
from omaha_table.review.index.drop import total
from omaha_table.review.index.ledger import Ledger
from omaha_table.review.index.projection import Projection
from omaha_table.session.script import run_line
from omaha_table.table.commands import NoteDevice
from tests.counters import PINS, hire
from tests.evenings import of_type
from tests.journal.days import Line, forge_all
from tests.paths import PYTHONPATH, ROOT
from tests.review.found import Wall, found
from tests.session.night import (
    BOARD,
    FOLDED,
    SCOOPED,
    SEATS,
    journals,
    open_session,
    past_six,
    say,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from omaha_table.session import Session
    from omaha_table.table import TableState


@pytest.fixture
def wall() -> Wall:
    return Wall(2026, 11, 14, 23, 0)


def of_the_game(state: TableState) -> TableState:
    """The table without what counts events: those of a new day begin at 1 again."""
    who = dict.fromkeys(state.seats, 0)
    return replace(
        state,
        seq=0,
        undoable=(),
        seats={seat: replace(at, sitting=0) for seat, at in state.seats.items()},
        results=tuple(replace(r, fee=0, sittings=who) for r in state.results),
    )


def test_everything_at_the_table_goes_on_in_the_next_day(tmp_path: Path, wall: Wall) -> None:
    session = open_session(tmp_path, wall)
    say(session, *SEATS, *SCOOPED, "away 3", 'floor 4711 impound 6 20 "tape"')
    *_, wrong = run_line(session, 1, 'floor 0000 misdeal "guess"')
    assert wrong["code"] == "not_authorised"
    before = session.state
    assert (before.killer, before.shift, before.box.fees, before.pin_failures) == (
        6,
        "night",
        300,
        1,
    )
    assert before.down is not None
    assert before.impounded == {1: {6: 2000}}
    past_six(wall)
    answers = say(session, "back 3")
    assert [a["type"] for a in answers] == [
        "day_closed", "journal_sealed", "day_opened", "table_opened", "day_carried", "player_back",
    ]  # fmt: skip
    assert [a["seq"] for a in answers[2:]] == [1, 2, 3, 4]
    after = of_the_game(session.state)
    expected = of_the_game(before)
    seats = expected.seats | {3: replace(expected.seats[3], away=False)}
    assert after == replace(expected, seats=seats)
    names = [path.name for path in journals(tmp_path)]
    assert names == ["t7-2026-11-14.journal", "t7-2026-11-15.journal"]
    assert answers[4]["day"] == "2026-11-14"
    session.close()
    verdict = verify(files_in(tmp_path))
    assert verdict.sound, verdict.damage
    assert verdict.open_days == ["t7-2026-11-15.journal"]


def test_a_hand_that_is_being_played_is_finished_in_its_day(tmp_path: Path, wall: Wall) -> None:
    session = open_session(tmp_path, wall)
    say(session, *SEATS, "deal", "raise")
    past_six(wall)
    answers = say(session, "call", "call", "call", "call", *BOARD, "high 6", "low none", "push")
    assert not of_type(answers, "day_closed")
    assert len(journals(tmp_path)) == 1
    [_, _, opened, *_] = say(session, "deal")
    assert (opened["type"], opened["day"]) == ("day_opened", "2026-11-15")
    # Hand numbers go on, so that a hand of the day before cannot be taken for one of this day.
    assert session.state.hands == 2
    assert session.state.hand is not None
    assert session.state.hand.setup.started.killer == 6


def without_numbers(answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {key: value for key, value in answer.items() if key != "seq"}
        for answer in of_type(answers, "hand_ended") + of_type(answers, "posted")
    ]


def test_hands_end_as_they_would_have_in_one_day(tmp_path: Path, wall: Wall) -> None:
    """Kills, blinds that are owed and the button are as in an evening without a change of day."""
    script = [SCOOPED, ("away 3",), (*FOLDED[:-2], "push"), ("back 3", "post 3"), SCOOPED, FOLDED]
    ends = []
    for days in (False, True):
        clock = Wall(2026, 11, 14, 23, 0)
        session = open_session(tmp_path / str(days), clock)
        answers = say(session, *SEATS)
        for lines in script:
            for line in lines:
                answers += [a for a in run_line(session, 1, line) if a["type"] != "refused"]
            clock.at += 86400 if days else 60
        say(session, "shift close")
        ends.append((without_numbers(answers), of_the_game(session.state)))
        session.close()
        assert len(journals(tmp_path / str(days))) == (len(script) + 1 if days else 1)
        assert verify(files_in(tmp_path / str(days))).damage == []
    (plain, table), (over_days, after) = ends
    assert len(of_type(plain, "hand_ended")) >= 3
    assert over_days == plain
    assert replace(after, results=table.results) == table


def test_a_restart_after_six_carries_the_table_over_too(tmp_path: Path, wall: Wall) -> None:
    session = open_session(tmp_path, wall)
    say(session, *SEATS, *SCOOPED)
    before = session.state
    session.close()
    past_six(wall)
    session = open_session(tmp_path, wall)
    say(session, "hand")
    assert [path.name for path in journals(tmp_path)][1:] == ["t7-2026-11-15.journal"]
    assert session.state.hand is not None
    assert session.state.hand.setup.started.killer == before.killer
    session.close()
    assert verify(files_in(tmp_path)).sound


def test_a_closed_table_begins_the_next_day_empty(tmp_path: Path, wall: Wall) -> None:
    session = open_session(tmp_path, wall)
    say(session, *SEATS, *SCOOPED, 'floor 4711 close "end of the day"')
    session.close()
    past_six(wall)
    session = open_session(tmp_path, wall)
    assert (session.state.seats, session.state.hands) == ({}, 0)
    assert len(session.opening) == 2
    session.close()
    assert verify(files_in(tmp_path)).sound


# Killed


DIES_AT = {
    "the last rows": ("writer.JournalWriter.append_and_seal", "before"),
    "the receipt": ("writer.write_durably", "receipt"),
    "leaving WAL": ("store.Store.leave_wal", "before"),
    "the new file": ("writer.JournalWriter.next_day", "before"),
    "the lock": ("writer.JournalWriter.next_day", "after"),
    "the first rows": ("writer.JournalWriter.begin", "before"),
    "the first command": ("writer.JournalWriter.append", "carried"),
}
KILLED = """
import os, sys
from pathlib import Path
from omaha_table.journal import store, writer
from tests.session.night import SCOOPED, SEATS, open_session, past_six, say
from tests.review.found import Wall
name, when = sys.argv[2], sys.argv[3]
wall = Wall(2026, 11, 14, 23, 0)
session = open_session(Path(sys.argv[1]), wall)
say(session, *SEATS, *SCOOPED)
owner = {"writer": writer, "store": store}[name.split(".")[0]]
*path, last = name.split(".")[1:]
for part in path:
    owner = getattr(owner, part)
right = getattr(owner, last)
def dies(*given, **more):
    if when == "before" or (when == "receipt" and str(given[0]).endswith(".receipt")):
        os.kill(os.getpid(), 9)
    done = right(*given, **more)
    if when == "after" or when == "carried":
        os.kill(os.getpid(), 9)
    return done
setattr(owner, last, dies)
past_six(wall)
say(session, "away 3")
"""


@pytest.mark.parametrize(("call", "when"), DIES_AT.values(), ids=DIES_AT)
def test_a_kill_while_the_day_changes_loses_nobody(tmp_path: Path, call: str, when: str) -> None:
    died = subprocess.run(
        [sys.executable, "-P", "-c", KILLED, str(tmp_path), call, when],
        cwd=ROOT, env={"PYTHONPATH": f"{PYTHONPATH}:{ROOT}"}, check=False, capture_output=True,
    )  # fmt: skip
    assert died.returncode == -signal.SIGKILL, died.stderr.decode()
    damage = [damage.kind for damage in verify(files_in(tmp_path)).damage]
    # The next opening of the table writes a receipt that is missing.
    assert damage == (["receipt"] if when == "receipt" else [])
    wall = Wall(2026, 11, 15, 7, 0)
    session = open_session(tmp_path, wall)
    say(session, "away 3", "hand")
    state = session.state
    assert [at.name for at in state.seats.values()] == ["Ada", "Ben", "Cara", "Dan", "Eve"]
    # Dan put in 12 and won 60 less the drop of 4; then the kill of 9.
    assert state.hand is not None
    assert state.hand.setup.started.killer == 6
    assert state.hand.seats[6].stack == 300_00 - 12_00 + 56_00 - 9_00
    assert (state.shift, state.box.fees) == ("night", 300)
    session.close()
    verdict = verify(files_in(tmp_path))
    assert verdict.damage == []
    old, _ = journals(tmp_path)
    assert old.stat().st_mode & 0o222 == 0
    assert not old.with_name(f"{old.name}-wal").exists()


def test_a_reader_does_not_keep_the_day_from_changing(tmp_path: Path, wall: Wall) -> None:
    session = open_session(tmp_path, wall)
    say(session, *SEATS, *SCOOPED)
    [old] = journals(tmp_path)
    with Reader(old) as reader:
        reader.hold()
        assert reader.count() > 10
        past_six(wall)
        say(session, "away 3")
        assert old.with_suffix(".receipt").exists()
        assert verify(files_in(tmp_path)).damage == []
    session.close()
    # What the reader was in the way of is done when the table is opened again.
    session = open_session(tmp_path, wall)
    assert old.stat().st_mode & 0o222 == 0
    assert old.read_bytes()[18:20] == b"\x01\x01"
    session.close()
    assert verify(files_in(tmp_path)).damage == []


# The disk fails


@pytest.fixture
def changing(tmp_path: Path, wall: Wall) -> Iterator[Session]:
    session = open_session(tmp_path, wall)
    say(session, *SEATS, *SCOOPED)
    past_six(wall)
    yield session
    session.close()


def once(error: Exception, right: Callable[..., Any]) -> Callable[..., Any]:
    left = [error]

    def fails(*given: Any, **more: Any) -> Any:
        if left:
            raise left.pop()
        return right(*given, **more)

    return fails


@pytest.mark.parametrize(
    ("owner", "name", "error"),
    [
        (JournalWriter, "append_and_seal", Full("The disk is full.")),
        (JournalWriter, "close_day", Full("The disk is full.")),
        (JournalWriter, "next_day", Full("The disk is full.")),
        (JournalWriter, "next_day", Busy("Another program holds it.")),
        (JournalWriter, "begin", Full("The disk is full.")),
    ],
    ids=["seal", "receipt", "file", "lock", "rows"],
)
def test_what_fails_while_the_day_changes_is_tried_again_with_the_next_command(
    changing: Session,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    owner: type,
    name: str,
    error: Exception,
) -> None:
    before = changing.state.seats
    monkeypatch.setattr(owner, name, once(error, getattr(owner, name)))
    with pytest.raises(type(error)):
        list(run_line(changing, 1, "away 3"))
    assert changing.state.seats == before
    say(changing, "away 3", "away 4")
    assert verify(files_in(tmp_path)).damage == []
    assert [len(list(of(path, "player_away"))) for path in journals(tmp_path)] == [0, 2]
    assert [len(list(of(path, "day_closed"))) for path in journals(tmp_path)] == [1, 0]


def of(path: Path, kind: str) -> Iterator[int]:
    with Reader(path) as reader:
        yield from (row.seq for row in reader.since(0, (kind,)))


def test_a_table_that_another_program_has_gone_on_with_is_left_to_it(
    changing: Session, tmp_path: Path, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        JournalWriter, "next_day", once(Full("The disk is full."), JournalWriter.next_day)
    )
    with pytest.raises(Full):
        list(run_line(changing, 1, "away 3"))
    other = open_session(tmp_path, wall)
    with pytest.raises(Busy):
        list(run_line(changing, 1, "away 3"))
    other.close()
    with pytest.raises(Busy, match="Another program has gone on with this table"):
        list(run_line(changing, 1, "away 3"))
    assert verify(files_in(tmp_path)).damage == []


def test_a_clock_that_was_put_back_gives_the_day_a_letter(
    changing: Session, tmp_path: Path, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old day has ended by then, and no file gets its name."""
    monkeypatch.setattr(
        JournalWriter, "next_day", once(Full("The disk is full."), JournalWriter.next_day)
    )
    with pytest.raises(Full):
        list(run_line(changing, 1, "away 3"))
    wall.at -= 3600
    say(changing, "away 3")
    assert [path.name for path in journals(tmp_path)] == [
        "t7-2026-11-14.journal", "t7-2026-11-14b.journal",
    ]  # fmt: skip
    verdict = verify(files_in(tmp_path))
    assert verdict.damage == []


def test_the_last_day_must_be_as_its_receipt_says(tmp_path: Path, wall: Wall) -> None:
    session = open_session(tmp_path, wall)
    say(session, *SEATS)
    past_six(wall)
    say(session, "away 3", 'floor 4711 close "end"')
    session.close()
    receipt = journals(tmp_path)[-1].with_suffix(".receipt")
    kept = json.loads(receipt.read_text())
    receipt.write_text(json.dumps(kept | {"head": "ab" * 32}))
    wall.at += 86400
    with pytest.raises(Tampered, match="does not match its end"):
        open_session(tmp_path, wall)


# Forged


def a_richer_player(lines: list[Line]) -> None:
    lines[2].body["table"]["seats"]["1"]["stack"] += 100_00


def no_debts(lines: list[Line]) -> None:
    lines[2].body["table"]["killer"] = None


def an_emptier_box(lines: list[Line]) -> None:
    lines[2].body["table"]["box"]["fees"] = 0


def another_day_before(lines: list[Line]) -> None:
    lines[2].body["day"] = "2026-11-13"


def nobody(lines: list[Line]) -> None:
    """The players of the day before are gone."""
    lines[2].kind, lines[2].body = "clock_stepped", {"v": 1, "seconds": 3.0}
    del lines[3:]


def other_rules(lines: list[Line]) -> None:
    lines[1].body["profile"]["odd_chip"]["unit"] = "5.00"


def twice(lines: list[Line]) -> None:
    lines[3].kind, lines[3].body = lines[2].kind, lines[2].body
    del lines[4:]


@pytest.mark.parametrize(
    ("edit", "event"),
    [
        (a_richer_player, 3), (no_debts, 3), (an_emptier_box, 3), (another_day_before, 3),
        (nobody, 3), (other_rules, 3), (twice, 4),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)  # fmt: skip
def test_a_table_that_is_not_carried_over_as_it_was_is_found(
    tmp_path: Path, wall: Wall, edit: Callable[[list[Line]], None], event: int
) -> None:
    """By somebody who links and signs everything again, from the first day on."""
    session = open_session(tmp_path, wall)
    say(session, *SEATS, *SCOOPED)
    past_six(wall)
    say(session, "away 3", "away 4")
    session.close()
    assert verify(files_in(tmp_path)).sound
    forge_all(tmp_path, edit)
    [damage] = verify(files_in(tmp_path)).damage
    assert (damage.file, damage.event) == ("t7-2026-11-15.journal", event)


# Devices


def test_devices_go_on_from_where_they_were(tmp_path: Path, wall: Wall) -> None:
    session = open_session(tmp_path, wall)
    say(session, *SEATS)
    session.do(NoteDevice("shoe", "link_changed", "live"), ("shoe", "a:17"))
    past_six(wall)
    session.do(NoteDevice("shuffler", "link_changed", "live"), ("shuffler", "b:4"))
    assert len(journals(tmp_path)) == 2
    assert (session.resume_token("shoe"), session.resume_token("shuffler")) == ("a:17", "b:4")


# Rulings on the last hand of the day before


def test_the_last_hand_can_still_be_corrected_but_its_fee_is_counted(
    tmp_path: Path, wall: Wall
) -> None:
    session = open_session(tmp_path, wall)
    say(session, *SEATS, *SCOOPED)
    past_six(wall)
    say(session, 'floor 4711 impound 6 10 "misread"', 'floor 4711 pay 1 1 10 "the tape says so"')
    assert session.state.seats[1].stack == 200_00 - 12_00 + 10_00
    assert session.state.seats[6].stack == 300_00 - 12_00 + 56_00 - 10_00
    [refusal] = run_line(session, 1, 'floor 4711 refund 1 1 3 "asked"')
    assert refusal["type"] == "refused"
    session.close()
    assert verify(files_in(tmp_path)).damage == []


def test_who_sits_down_after_six_is_not_taken_for_who_left(tmp_path: Path, wall: Wall) -> None:
    """Who somebody is goes by the number of the event with which they sat down."""
    session = open_session(tmp_path, wall)
    say(session, *SEATS, *SCOOPED)
    dan = session.state.seats[6].sitting
    past_six(wall)
    say(session, "leave 6")
    while session.state.seq < dan - 1:
        say(session, "away 3" if not session.state.seats[3].away else "back 3")
    say(session, "seat 6 Gus 500")
    assert session.state.seats[6].sitting == dan
    [refusal] = run_line(session, 1, 'floor 4711 impound 6 10 "misread"')
    assert refusal["type"] == "refused"
    assert session.state.seats[6].stack == 500_00


# After the shift


def night_over_two_days(folder: Path, wall: Wall) -> None:
    session = open_session(folder, wall)
    say(session, *SEATS, *SCOOPED)
    past_six(wall)
    # A kill: 9 each of five players, 45 less the drop of 4.
    say(session, "deal", "check", *["call"] * 4, *BOARD, "high 1", "low none", "push")
    say(session, "shift close", "shift day B8 J8", *FOLDED)
    session.close()


def test_the_shift_s_box_has_the_fees_of_both_days(tmp_path: Path, wall: Wall) -> None:
    night_over_two_days(tmp_path, wall)
    projection = Projection()
    assert projection.refresh(journals(tmp_path)) == []
    boxes = {box.box: box for box in projection.boxes()}
    assert sorted(boxes) == ["B7", "B8"]
    assert (boxes["B7"].day, boxes["B8"].day) == ("2026-11-14", "2026-11-15")
    drop = total(projection.in_box(boxes["B7"]))
    assert (drop.hands, drop.fees, drop.jackpots) == (2, 600, 200)
    assert total(projection.in_box(boxes["B8"])).fees == 0
    projection.close()


def report(folder: Path, *arguments: str) -> Any:
    given = ["report", *arguments, "--data", str(folder), "--format", "json"]
    return CliRunner().invoke(omaha_table, given, input=f"{PINS['F1']}\n{PINS['S1']}\n")


def test_a_shift_is_reported_whole_and_a_day_without_the_count(tmp_path: Path, wall: Wall) -> None:
    night_over_two_days(tmp_path, wall)
    hire(tmp_path)
    signed = ["--signed", "F1", "--signed", "S1"]
    shift = json.loads(report(tmp_path, "shift", "night", "--box", "5", *signed).stdout)
    assert (shift["due"], shift["counted"], shift["variance"]) == (600, 500, -100)
    assert shift["days"] == ["2026-11-14", "2026-11-15"]
    of_first = json.loads(report(tmp_path, "shift", "night", "--day", "2026-11-14").stdout)
    assert of_first["due"] == 600
    day = json.loads(report(tmp_path, "day", "2026-11-15").stdout)
    assert day["due"] == 300
    refused = report(tmp_path, "day", "2026-11-14", "--box", "3", *signed)
    assert refused.exit_code == 2
    assert "report on the shift" in " ".join(refused.stderr.split())


def test_a_count_of_the_whole_box_is_not_held_against_one_day(tmp_path: Path, wall: Wall) -> None:
    night_over_two_days(tmp_path, wall)
    projection = Projection()
    projection.refresh(journals(tmp_path))
    [key] = [box for box in projection.boxes() if box.box == "B7"]
    projection.close()
    line = {
        "table": key.table, "day": key.day, "log": key.log, "shift": key.shift, "box": "B7",
        "counted": 600, "jackpot": 200, "due": 600, "jackpot_due": 200, "signed": ["F1", "S1"],
        "at": "2026-11-15T06:30:00", "jackpot_box": "J7",
    }  # fmt: skip
    (tmp_path / "review-counts.jsonl").write_text(json.dumps(line) + "\n")
    assert Ledger(tmp_path).count_of(CountKey(key.log, "night", "B7", "J7")) is not None
    shift = json.loads(report(tmp_path, "shift", "night").stdout)
    assert (shift["counted"], shift["variance"]) == (600, 0)
    day = json.loads(report(tmp_path, "day", "2026-11-14").stdout)
    assert "variance" not in day


def test_hands_after_six_name_their_players_and_dealer(tmp_path: Path, wall: Wall) -> None:
    night_over_two_days(tmp_path, wall)
    projection = Projection()
    projection.refresh(journals(tmp_path))
    for text, hands in {
        "day:2026-11-15 dealer:Dee": [3, 2], "day:2026-11-15 shift:night": [2],
        "player:eve": [3, 2, 1], "day:2026-11-15 player:ada won:1": [2],
    }.items():  # fmt: skip
        assert found(projection, text) == hands, text
    projection.close()
