"""A real file, really closed, killed, cut, flipped and copied."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from omaha_table.floor import Give
from omaha_table.floor.files import demo_staff
from omaha_table.journal.chain import head_words, link
from omaha_table.journal.faults import Busy, Full, JournalFault, Tampered
from omaha_table.journal.reader import Reader
from omaha_table.journal.store import Store
from omaha_table.journal.verification import files_in
from omaha_table.journal.writer import Clock
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.table import commands as table
from scripts.campaigns.crash import same_table
from tests.evening_text import evening
from tests.evenings import draw_lines
from tests.journal.days import (
    CLOSE,
    LINES,
    OPENING,
    change_award,
    check,
    journal_file,
    open_session,
    say,
)

if TYPE_CHECKING:
    from pathlib import Path


def test_an_evening_is_on_disk_and_sound(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    say(session, *LINES)
    state = session.state
    session.close()
    verdict = check(tmp_path)
    assert verdict.sound, verdict.damage
    with Reader(journal_file(tmp_path)) as reader:
        streets = sum(1 for _ in reader.since(0, ("street_closed",)))
    # A seal for every hand and for every street of it.
    assert streets >= 6
    assert (verdict.hands, verdict.seals, verdict.events) == (6, 6 + streets, state.seq)


def test_a_restart_goes_on_with_the_same_state_anywhere_in_a_hand(tmp_path: Path) -> None:
    lines = list(evening(2, seed=8))
    memory = Session(load_profile("ca_big_o"), load_profile("ca_big_o").limits[0], demo_staff())
    for line in lines:
        session = open_session(tmp_path)
        say(session, line)
        say(memory, line)
        assert same_table(session.state, memory.state)
        session.close()
    assert check(tmp_path).sound


def test_a_restart_says_where_it_is(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    say(
        session,
        "seat 1 A",
        "seat 2 B",
        "seat 4 D",
        *draw_lines(1, (1, 2, 4)),
        "deal",
        "call",
        "call",
        "check",
    )
    say(session, "flop 7c 5h 2s", "2 check")
    session.close()
    again = open_session(tmp_path)
    assert again.recovered == "hand 1, flop, action on seat 4"
    assert [type(r.event).__name__ for r in again.opening] == ["Recovered"]


def test_a_second_writer_is_refused_with_the_name_of_the_first(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    with pytest.raises(Busy, match=f"process {os.getpid()}"):
        open_session(tmp_path)
    session.close()
    open_session(tmp_path).close()


def test_two_scripts_on_one_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "omaha_table", "script", "--data", str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
        assert first.stdin is not None
        assert first.stdout is not None
        first.stdout.readline()
        second = subprocess.run(command, input=b"", capture_output=True, check=False)
        assert second.returncode == 2
        assert f"process {first.pid}".encode() in second.stderr
        assert b"Close the other console" in second.stderr
        first.stdin.close()
        assert first.wait(10) == 0


def test_kill_nine_loses_nothing_that_was_answered(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "omaha_table", "script", "--data", str(tmp_path)]
    text = "\n".join(evening(40, seed=11)).encode()
    rng = random.Random(4)
    last = 0
    sent = text.splitlines()
    for _ in range(6):
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            for _ in range(min(rng.randint(10, 60), len(sent))):
                process.stdin.write(sent.pop(0) + b"\nstep\n")
                process.stdin.flush()
                while True:
                    answer = json.loads(process.stdout.readline())
                    if answer["type"] == "step":
                        break
                    assert answer["type"] != "refused", answer
                    last = max(last, answer["seq"])
            if sent:
                process.stdin.write(sent[0] + b"\n")
                process.stdin.flush()
            process.send_signal(signal.SIGKILL)
            process.wait()
        if sent:
            # The line in flight is done or not done, nothing between.
            before = last
            verdict = check(tmp_path)
            assert verdict.sound, verdict.damage
            assert verdict.events >= before
            if verdict.events > before:
                sent.pop(0)
                last = verdict.events
    assert last > 100


def test_the_day_is_closed_with_a_receipt_and_made_read_only(closed: Path) -> None:
    path = journal_file(closed)
    receipt = json.loads(path.with_suffix(".receipt").read_text(encoding="utf-8"))
    assert receipt["words"] == head_words(bytes.fromhex(receipt["head"]))
    assert path.stat().st_mode & 0o222 == 0
    assert not path.with_name(path.name + "-wal").exists()
    verdict = check(closed)
    assert verdict.sound
    assert verdict.open_days == []


@pytest.mark.parametrize(
    ("call", "has_receipt"), [("write_durably", False), ("Store.leave_wal", True)]
)
def test_a_day_killed_while_it_is_closed_is_closed_when_it_is_opened_again(
    tmp_path: Path, call: str, has_receipt: bool
) -> None:
    """The process dies for real, at the first and at the last thing that closing does."""
    patch = (
        "import os, omaha_table.journal.writer as j\n"
        f"was = j.{call}\n"
        "def die(*given):\n"
        "    if not isinstance(given[0], Path) or given[0].suffix == '.receipt':\n"
        "        os.kill(os.getpid(), 9)\n"
        "    return was(*given)\n"
        f"j.{call} = die\n"
    )
    code = (
        f"from pathlib import Path\n{patch}"
        "from tests.journal.days import CLOSE, LINES, open_session, say\n"
        f"say(open_session(Path({str(tmp_path)!r})), *LINES, CLOSE)\n"
    )
    died = subprocess.run([sys.executable, "-c", code], check=False)
    assert died.returncode == -signal.SIGKILL
    path = journal_file(tmp_path)
    assert path.with_suffix(".receipt").exists() is has_receipt
    session = open_session(tmp_path)
    say(session, *LINES)
    session.close()
    assert path.with_suffix(".receipt").exists()
    assert path.stat().st_mode & 0o222 == 0
    verdict = check(tmp_path)
    assert verdict.sound, verdict.damage
    assert len(files_in(tmp_path)) == 2
    assert len(verdict.open_days) == 1


def test_a_day_left_open_is_gone_on_with_though_a_later_one_is_closed(tmp_path: Path) -> None:
    """The clock was three days ahead for a while, and was put right."""
    now = [1_800_000_000.0]
    clock = Clock(lambda: now[0], lambda: now[0])
    session = open_session(tmp_path, clock=clock)
    say(session, *LINES, CLOSE)
    now[0] -= 3 * 86400
    session = open_session(tmp_path, clock=clock)
    say(session, *LINES[: OPENING + 3])
    where = session.state.seq
    session.close()
    now[0] += 86400
    again = open_session(tmp_path, clock=clock)
    assert again.state.seq == where + 1
    again.close()


def test_a_damaged_day_is_not_held_against_the_day_after_it(tmp_path: Path) -> None:
    now = [1_800_000_000.0]
    clock = Clock(lambda: now[0], lambda: now[0])
    for _ in range(2):
        say(open_session(tmp_path, clock=clock), *LINES, CLOSE)
        now[0] += 86400
    first, second = files_in(tmp_path)
    change_award(first)
    assert [damage.file for damage in check(tmp_path).damage] == [first.name]
    change_award(second)
    assert [damage.kind for damage in check(tmp_path).damage] == ["changed", "changed"]


def test_a_receipt_that_cannot_be_read_is_told(closed: Path) -> None:
    journal_file(closed).with_suffix(".receipt").write_bytes(b"")
    with pytest.raises(Tampered, match="receipt"):
        open_session(closed)


def test_a_mirror_that_was_damaged_stops_no_hand_and_is_told(tmp_path: Path) -> None:
    session = open_session(tmp_path / "data", mirror=tmp_path / "mirror")
    say(session, *LINES)
    assert session.mirror_fault == ""
    [copy] = (tmp_path / "mirror").iterdir()
    with copy.open("a") as file:
        file.write("garbage\n")
    say(session, "deal", *["fold"] * 7, "push")
    assert "damaged" in session.mirror_fault
    assert session.state.seq == check(tmp_path / "data").events
    session.close()


def test_the_dealer_and_the_boxes_leave_with_the_day(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    answers = say(session, "shift swing B7 J7", "down D1", *LINES, CLOSE)
    kinds = [answer["type"] for answer in answers]
    assert kinds[-4:] == ["dealer_out", "shift_closed", "day_closed", "journal_sealed"]
    refusal = session.do(table.Leave(1)).refusal
    assert refusal is not None
    assert refusal.message == "The day is closed."
    assert check(tmp_path).sound


def test_a_wrong_pin_after_the_day_is_closed_is_refused_and_nothing_is_damaged(
    tmp_path: Path,
) -> None:
    session = open_session(tmp_path)
    say(session, *LINES, CLOSE)
    again = Give(("0000",), "close", ("again",))
    for answer in (session.rule(again), session.check_pin("0000")):
        assert answer.refusal is not None
        assert answer.refusal.message == "The day is closed."
        assert not answer.records
    assert check(tmp_path).sound


def test_new_rules_that_were_not_written_are_not_named_by_the_next_seal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Store, *_: object) -> None:
        raise Full("The disk is full: nothing was recorded.")

    session = open_session(tmp_path)
    say(session, *LINES)
    with monkeypatch.context() as patched:
        patched.setattr(Store, "append", full)
        patched.setattr(Store, "reopen", lambda self: None)
        with pytest.raises(JournalFault):
            say(session, 'floor 4711 rules ca_omaha_hilo "players agreed"')
    say(session, "deal", *["fold"] * 7, "push")
    session.close()
    assert check(tmp_path).sound
    assert open_session(tmp_path).state.profile.id == "ca_big_o"


def test_the_next_day_names_the_last_head_of_the_day_before(tmp_path: Path) -> None:
    now = [1_800_000_000.0]
    clock = Clock(lambda: now[0], lambda: now[0])
    for _ in range(3):
        session = open_session(tmp_path, clock=clock)
        say(session, *LINES, CLOSE)
        session.close()
        now[0] += 86400
    days = files_in(tmp_path)
    assert len(days) == 3
    assert check(tmp_path).sound
    shutil.copy(days[0], tmp_path / "kept")
    days[1].unlink()
    [damage] = check(tmp_path).damage
    assert (damage.file, damage.kind) == (days[2].name, "link")


def test_a_table_that_is_opened_again_on_the_same_day_goes_on_in_another_file(
    tmp_path: Path,
) -> None:
    clock = Clock(lambda: 1_800_000_000.0, lambda: 50.0)
    for _ in range(3):
        session = open_session(tmp_path, clock=clock)
        say(session, *LINES, CLOSE)
        session.close()
    days = files_in(tmp_path)
    assert [path.stem[-1] for path in days][1:] == ["b", "c"]
    assert all(path.stat().st_mode & 0o222 == 0 for path in days), "what is closed stays closed"
    assert check(tmp_path).sound
    days[1].unlink()
    [damage] = check(tmp_path).damage
    assert (damage.file, damage.kind) == (days[2].name, "link")


def test_a_clock_that_is_moved_is_an_event(tmp_path: Path) -> None:
    wall, mono = [1_800_000_000.0], [50.0]
    session = open_session(tmp_path, clock=Clock(lambda: wall[0], lambda: mono[0]))
    say(session, "seat 1 A")
    wall[0] -= 3600
    mono[0] += 1
    answers = say(session, "seat 2 B")
    assert [a["type"] for a in answers] == ["clock_stepped", "player_seated"]
    assert answers[0]["seconds"] == pytest.approx(-3601)
    session.close()
    assert check(tmp_path).sound


def test_the_mirror_has_every_row(tmp_path: Path) -> None:
    mirror = tmp_path / "other disk"
    session = open_session(tmp_path / "data", mirror=mirror)
    say(session, *LINES, CLOSE)
    session.close()
    [copy] = mirror.glob("*.jsonl")
    rows = [json.loads(line) for line in copy.read_text(encoding="utf-8").splitlines()]
    assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
    head = bytes(32)
    for seq, number, at, mono, kind, actor, body, hash_ in rows:
        head = link(head, seq, number, at, mono, kind, actor, body)
        assert head.hex() == hash_
    assert len(rows) == check(tmp_path / "data").events


def test_a_mirror_that_fails_does_not_stop_the_hand(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    session = open_session(tmp_path / "data", mirror=tmp_path / "file" / "mirror")
    say(session, *LINES)
    session.close()
    assert check(tmp_path / "data").sound


def test_a_missing_witness_or_key_stops_the_writer(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    say(session, *LINES)
    session.close()
    witness = next(tmp_path.glob("*.witness"))
    kept = witness.read_bytes()
    witness.unlink()
    with pytest.raises(Tampered, match="witness"):
        open_session(tmp_path)
    witness.write_bytes(kept)
    next(tmp_path.glob("*.key")).unlink()
    with pytest.raises(Tampered, match="key"):
        open_session(tmp_path)


def test_verify_on_the_command_line(closed: Path) -> None:
    command = [sys.executable, "-m", "omaha_table", "verify", str(closed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "6 hands replayed" in done.stdout
    assert "Sound. Not anchored" in done.stdout
    change_award(journal_file(closed))
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    verdict = json.loads(done.stdout)
    assert verdict["damage"][0]["kind"] == "changed"
    assert isinstance(verdict["damage"][0]["event"], int)
    none = subprocess.run([*command[:-1], str(closed / "no")], capture_output=True, check=False)
    assert none.returncode == 2


def test_a_folder_that_cannot_be_used_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    command = [
        sys.executable,
        "-m",
        "omaha_table",
        "script",
        "--data",
        str(tmp_path / "file" / "x"),
    ]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "cannot be used" in done.stderr


def test_a_journal_that_is_closed_twice_closes_nobody_elses_file(tmp_path: Path) -> None:
    session = open_session(tmp_path / "data")
    session.close()
    others = [os.open(tmp_path, os.O_RDONLY) for _ in range(8)]
    session.close()
    for descriptor in others:
        os.close(descriptor)
