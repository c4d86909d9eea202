"""The demonstration room as a command: it deals, it is witnessed, and nothing of it is left."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner

from omaha_table.cli import omaha_table
from tests.room.at_a_table import wait_for
from tests.spelled import spells_a_card

if TYPE_CHECKING:
    from collections.abc import Iterator


class Demo:
    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "omaha_table", "room", "demo", *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self.lines: list[str] = []
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)

    @property
    def text(self) -> str:
        return "".join(self.lines)

    @property
    def url(self) -> str:
        found = re.search(r"OMAHA_TABLE_ROOM_DB='(.*)'", self.text)
        assert found is not None
        return found[1]

    @property
    def folders(self) -> list[str]:
        """What its processes have in their command lines, and what it must remove."""
        tables = re.search(r"in (/\S*omaha-room-demo-\w+)\.", self.text)
        server = re.search(r"host=(%2F[^&]*)&", self.text)
        assert tables is not None
        assert server is not None
        return [tables[1], server[1].replace("%2F", "/")]

    @property
    def processes(self) -> list[str]:
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = path.read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            found += [words for folder in self.folders if folder in words]
        return found

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self._thread.join(10)
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def running(*words: str) -> Iterator[Demo]:
    demo = Demo(*words)
    try:
        wait_for(lambda: "Witnessed" in demo.text or demo.process.poll() is not None, seconds=90)
        assert "Witnessed: " in demo.text, demo.text
        yield demo
    finally:
        demo.close()


def test_its_tables_deal_and_are_witnessed_until_somebody_ends_it() -> None:
    with running("--tables", "2") as demo:
        shown: list[dict[str, Any]] = []

        def heard() -> bool:
            done = CliRunner().invoke(omaha_table, ["room", "status", "--json", "--db", demo.url])
            assert done.exit_code == 0, done.output
            shown[:] = [json.loads(line) for line in done.stdout.splitlines()]
            return all(one["beat"] and one["beat"].get("hand") for one in shown)

        wait_for(heard, "no hand was dealt", 90)
        assert [one["table"] for one in shown] == ["t1", "t2"]
        assert {one["beat"]["dealer"] for one in shown} == {"D1"}
        assert len({one["beat"]["rules"] for one in shown}) == 2
        assert len(demo.processes) >= 5
        logs = [path.read_text() for path in Path(demo.folders[0]).rglob("*.log")]
        assert len(logs) == 6
        assert not any(spells_a_card(text) for text in (*logs, json.dumps(shown), demo.text))
        demo.process.send_signal(signal.SIGINT)
        demo.process.wait(40)
        assert demo.process.returncode == 0, demo.text
        assert demo.processes == []
        assert [folder for folder in demo.folders if Path(folder).exists()] == []
    assert "has ended" not in demo.text
    assert "Traceback" not in demo.text


def test_a_demo_that_is_killed_leaves_nothing_either() -> None:
    with running("--tables", "1") as demo:
        demo.process.kill()
        wait_for(lambda: not demo.processes, "processes are left")
        wait_for(lambda: not any(Path(folder).exists() for folder in demo.folders))


def test_a_room_has_at_least_one_table() -> None:
    done = CliRunner().invoke(omaha_table, ["room", "demo", "--tables", "0"])
    assert done.exit_code == 2
    assert "--tables" in done.stderr
