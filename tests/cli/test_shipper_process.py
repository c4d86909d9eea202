"""The console's side of the shipper: it is started, watched and ended, and never waited for."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from omaha_table.cli.shipper_process import ShipperProcess, report_of
from omaha_table.dealer.room_status import ShipperReport

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def wait_for(true: Callable[[], object], seconds: float = 40.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def bundle_of(folder: Path, host: str) -> Path:
    path = folder / "room.toml"
    given = {"name": "t7", "kind": "table", "host": host, "port": "5432", "database": "room",
             "user": "t7", "password": "not-so-secret"}  # fmt: skip
    path.write_text("[room]\n" + "".join(f"{name} = {json.dumps(text)}\n"
                                         for name, text in given.items()))  # fmt: skip
    path.chmod(0o600)
    return path


REFUSED = """
import sys
from omaha_table.room import shipping

def refuse(url):
    raise shipping.RoomRefused("The room has another schema.")

shipping.connect = refuse
from omaha_table.cli.room import room
room(sys.argv[1:])
"""
"""A shipper that gets no for an answer, with nobody who closes its standard input."""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


def test_no_beat_waits_for_a_shipper_that_hangs_and_none_is_torn(
    tmp_path: Path, data: Path
) -> None:
    with ShipperProcess(data, bundle_of(tmp_path, str(tmp_path))) as link:
        wait_for(lambda: link.said.phase == "away")
        assert link.pid is not None
        os.kill(link.pid, signal.SIGSTOP)
        try:
            for number in range(300):
                link.beat({"number": number, "text": "x" * 3000})
        finally:
            os.kill(link.pid, signal.SIGCONT)
        pid = link.pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    log = data / "shipper.log"
    assert log.read_text() == ""
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_a_bundle_that_cannot_be_used_is_said_at_once_and_another_one_is_tried(
    tmp_path: Path, data: Path
) -> None:
    path = bundle_of(tmp_path, str(tmp_path))
    path.chmod(0o644)
    with ShipperProcess(data, path) as link:
        wait_for(lambda: link.said.phase == "refused")
        assert "can be read by others: set its rights to 0600." in link.said.message
        path.unlink()
        bundle_of(tmp_path, str(tmp_path))
        wait_for(lambda: link.said.phase == "away")


def test_a_shipper_that_is_refused_ends_as_that_while_the_console_still_listens(
    tmp_path: Path, data: Path
) -> None:
    path = bundle_of(tmp_path, str(tmp_path))
    words = ["ship", "--data", str(data), "--room", str(path), "--json"]
    shipper = subprocess.Popen(
        [sys.executable, "-P", "-c", REFUSED, *words], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert shipper.stdout is not None
    said = shipper.stdout.read()
    assert shipper.wait(40) == 2, said
    assert json.loads(said)["phase"] == "refused"
    assert shipper.stdin is not None
    shipper.stdin.close()
    shipper.stdout.close()


def test_a_shipper_that_keeps_dying_is_reported(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("omaha_table.cli.shipper_process.WAITS", (0.01, 0.02))
    with ShipperProcess(data, bundle_of(tmp_path, str(tmp_path))) as link:

        def kill() -> bool:
            if link.pid is not None:
                try:
                    os.kill(link.pid, signal.SIGKILL)
                except ProcessLookupError:
                    return False
            return link.said.phase == "failed"

        wait_for(kill)
        assert "keeps failing (status -9)" in link.said.message
        assert "shipper.log" in link.said.message
        wait_for(lambda: link.said.phase == "away")


@pytest.mark.parametrize(
    "said",
    [None, 3, [], {}, {"phase": 3}, {"phase": "shipped", "seq": "12"},
     {"phase": "shipped", "has_witness": 1}, {"phase": "away", "since": "now"},
     {"phase": "shipped", "seq": True}],
)  # fmt: skip
def test_what_is_no_report_is_not_taken_for_one(said: object) -> None:
    assert report_of(said) is None


def test_a_report_is_taken_as_it_is_and_what_is_new_in_it_is_left_out() -> None:
    said = {"phase": "shipped", "day": "2026-11-19", "seq": 5, "since": 3, "more": [1]}
    assert report_of(said) == ShipperReport("shipped", "2026-11-19", 5, since=3.0)
