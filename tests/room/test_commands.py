"""The room's commands as processes, against a real server."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.room.bundle import read_bundle
from omaha_table.room.overview import overview
from tests.journal.days import open_session, say
from tests.staff_files import put_staff

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from click.testing import Result

    from omaha_table.room.embedded import EmbeddedServer
    from tests.room.conftest import Room

PROGRAM = [sys.executable, "-P", "-m", "omaha_table", "room"]


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    """The commands take over the signals of the process that runs them: here, the tests'."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def run(*words: object, typed: str = "") -> Result:
    return CliRunner().invoke(omaha_table, ["room", *map(str, words)], input=typed)


def wait_for(true: Callable[[], Any], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.fixture
def bundle(room: Room, tmp_path: Path) -> Path:
    run("witness", "--db", room.url, "--key", tmp_path / "witness.key", "--once")
    out = tmp_path / "t7.toml"
    key = tmp_path / "witness.key.public"
    done = run("enroll", "t7", "--db", room.url, "--out", out, "--witness-key", key)
    assert done.exit_code == 0, done.stderr
    return out


def test_a_table_is_enrolled_shipped_and_witnessed(
    room: Room, tmp_path: Path, evening: Path, bundle: Path
) -> None:
    assert bundle.stat().st_mode & 0o777 == 0o600
    assert "nothing received yet" in run("status", "--db", room.url).stdout
    done = run("ship", "--data", evening, "--room", bundle, "--once")
    assert (done.exit_code, done.stderr) == (0, "")
    events = len(room.events())
    assert f"the room has event {events}, witnessed to 0" in done.stdout
    assert run("witness", "--db", room.url, "--key", tmp_path / "witness.key",
               "--once").exit_code == 0  # fmt: skip
    [shown] = [json.loads(run("status", "--db", room.url, "--json").stdout)]
    assert (shown["table"], shown["seq"], shown["cosigned_seq"]) == ("t7", events, events)
    assert (shown["seconds_behind"], shown["alarm"]) == (0.0, None)
    run("ship", "--data", evening, "--room", bundle, "--once")
    [cosigned] = evening.glob("*.cosigned")
    assert json.loads(cosigned.read_text())["seq"] == events


def test_an_alarm_is_named_and_ends_the_shipper(
    room: Room, tmp_path: Path, evening: Path, bundle: Path
) -> None:
    run("ship", "--data", evening, "--room", bundle, "--once")
    [journal] = evening.glob("*.journal")
    for path in evening.iterdir():
        path.unlink()
    session = open_session(evening)
    say(session, "seat 1 A 200")
    session.close()
    assert journal.exists()
    for once in ([], ["--once"]):
        done = run("ship", "--data", evening, "--room", bundle, *once)
        assert done.exit_code == 1
        assert "rolled_back" in done.stderr
        assert "Call a shift manager" in done.stderr
    status = run("status", "--db", room.url)
    assert status.exit_code == 1
    assert "ALARM: rolled_back" in status.stdout


def test_after_an_alarm_a_shift_manager_signs_with_a_pin(
    room: Room, tmp_path: Path, evening: Path, bundle: Path
) -> None:
    run("ship", "--data", evening, "--room", bundle, "--once")
    for path in evening.iterdir():
        path.unlink()
    session = open_session(evening)
    say(session, "seat 1 A 200")
    session.close()
    run("ship", "--data", evening, "--room", bundle, "--once")
    again, staff = tmp_path / "again.toml", tmp_path / "staff"
    put_staff(staff)
    words = ["enroll", "t7", "--db", room.url, "--out", again]
    assert "a shift manager answers for it" in run(*words).stderr
    signed = [*words, "--staff", staff, "--reason", "disk replaced", "--by"]
    assert "F1 may not" in run(*signed, "F1", typed="4711\n").stderr
    assert run(*signed, "S1", typed="1234\n").exit_code == 2
    assert not again.exists()
    assert run(*signed, "S1", typed="9000\n").exit_code == 0
    # Also where whoever has the room cannot change it.
    log = CliRunner().invoke(omaha_table, ["office", "log", "--data", str(staff)]).stdout
    assert "t7 let back into the room after an alarm (rolled back)" in log
    assert "disk replaced" in log
    assert run("ship", "--data", evening, "--room", again, "--once").exit_code == 0
    assert run("status", "--db", room.url).exit_code == 0


def test_enrol_is_another_name_for_enroll(room: Room, tmp_path: Path) -> None:
    assert run("enrol", "t7", "--db", room.url, "--out", tmp_path / "t7.toml").exit_code == 0
    assert "enrol " not in run("--help").stdout


def test_a_room_that_does_not_answer_is_waited_for(
    server: EmbeddedServer, room: Room, evening: Path, bundle: Path, tmp_path: Path
) -> None:
    away = tmp_path / "away.toml"
    away.write_text(bundle.read_text().replace(str(server.folder), str(tmp_path)))
    away.chmod(0o600)
    done = run("ship", "--data", evening, "--room", away, "--once")
    assert done.exit_code == 4
    assert "The room does not answer" in done.stderr
    shipper = subprocess.Popen(
        [*PROGRAM, "ship", "--data", evening, "--room", away],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert shipper.stderr is not None
    assert "away: The room does not answer" in shipper.stderr.readline()
    time.sleep(0.5)
    assert shipper.poll() is None
    shipper.send_signal(signal.SIGTERM)
    shipper.communicate(timeout=10)
    assert shipper.returncode == 0


def test_a_secret_that_was_replaced_is_refused_at_once(
    room: Room, evening: Path, bundle: Path, tmp_path: Path
) -> None:
    new = tmp_path / "new.toml"
    assert run("enroll", "t7", "--db", room.url, "--out", new).exit_code == 0
    done = run("ship", "--data", evening, "--room", bundle)
    assert done.exit_code == 2
    assert "The room refuses this program's secret" in done.stderr
    assert "authentication failed" in done.stderr
    assert run("ship", "--data", evening, "--room", new, "--once").exit_code == 0


def test_a_room_of_another_version_is_refused_at_once(
    room: Room, evening: Path, bundle: Path
) -> None:
    room.owner.execute("INSERT INTO room.upgrade(number) VALUES (99)")
    done = run("ship", "--data", evening, "--room", bundle)
    assert done.exit_code == 2
    assert "upgrade this program" in done.stderr


def test_no_bundle_is_believed_that_others_can_read(bundle: Path, evening: Path) -> None:
    bundle.chmod(0o644)
    done = run("ship", "--data", evening, "--room", bundle)
    assert done.exit_code == 2
    assert "can be read by others" in done.stderr


@pytest.mark.parametrize(
    "text", ["", "[room]\nname = 3\n", "room = 4\n", "[room]\nx = 1\n", "\x00"]
)
def test_what_is_no_bundle_is_said_to_be_none(tmp_path: Path, evening: Path, text: str) -> None:
    given = tmp_path / "bad.toml"
    given.write_text(text)
    given.chmod(0o600)
    done = run("ship", "--data", evening, "--room", given)
    assert done.exit_code == 2
    assert "is not a bundle" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_running_table_is_followed_through_a_restart_of_the_room(
    server: EmbeddedServer, room: Room, tmp_path: Path, evening: Path, bundle: Path
) -> None:
    key = tmp_path / "witness.key"
    words = [["ship", "--data", evening, "--room", bundle], ["witness", "--db", room.url,
             "--key", key]]  # fmt: skip
    running = [
        subprocess.Popen([*PROGRAM, *map(str, each)], stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL, env=os.environ)
        for each in words
    ]  # fmt: skip
    session = open_session(evening)
    try:
        for _ in range(3):
            say(session, "callfloor", "callfloor off")
            wait_for(lambda: overview(room.owner)[0].cosigned_seq == session.state.seq)
        [cut] = room.owner.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ).fetchall()
        assert cut[0] >= 2
        say(session, "callfloor", "callfloor off")
        wait_for(lambda: overview(room.owner)[0].cosigned_seq == session.state.seq)
    finally:
        session.close()
        for process in running:
            process.terminate()
            process.wait(10)
    assert [process.returncode for process in running] == [0, 0]
    assert room.alarms() == []


def test_the_rooms_commands_say_what_is_wrong_with_their_words(room: Room, tmp_path: Path) -> None:
    out = tmp_path / "x.toml"
    both = run("enroll", "t7", "--reader", "r", "--db", room.url, "--out", out)
    assert (both.exit_code, "Name one table" in both.stderr) == (2, True)
    bad = run("enroll", "t 7", "--db", room.url, "--out", out)
    assert (bad.exit_code, "cannot be a name" in bad.stderr) == (2, True)
    out.touch()
    taken = run("enroll", "t7", "--db", room.url, "--out", out)
    assert (taken.exit_code, "already there" in taken.stderr) == (2, True)
    key = run("enroll", "t7", "--db", room.url, "--out", tmp_path / "y", "--witness-key", out)
    assert (key.exit_code, "is not the public key of a witness" in key.stderr) == (2, True)


def test_a_reader_reads_everything_and_writes_nothing(
    room: Room, tmp_path: Path, evening: Path, bundle: Path
) -> None:
    run("ship", "--data", evening, "--room", bundle, "--once")
    out = tmp_path / "auditor.toml"
    assert run("enroll", "--reader", "auditor", "--db", room.url, "--out", out).exit_code == 0
    reader = room.connect(read_bundle(out).url)
    assert overview(reader)[0].seq == len(room.events())
    for query in ("DELETE FROM room.heartbeat", "SELECT room.beat('{}')", "SELECT room.heads()"):
        with pytest.raises(Exception, match="permission denied"):
            reader.execute(query.encode())
    assert "may send nothing" in run("ship", "--data", evening, "--room", out).stderr
