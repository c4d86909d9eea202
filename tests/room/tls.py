"""A room behind TLS, with the rules of docs/room.md: a server with TLS is needed for it."""

from __future__ import annotations

import os
import re
import shutil
import socket
from pathlib import Path

import pytest

from omaha_table.room.certificates import CA_CERTIFICATE, SERVER_CERTIFICATE, SERVER_KEY
from omaha_table.room.embedded import EmbeddedServer
from tests.paths import ROOT

NO_TLS = "there is no PostgreSQL with TLS here (the embedded one has none)"


def programs() -> Path:
    """The newest server that Debian has installed; skips the test without one."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda p: p.parts[-3])
    found = [path for path in found if int(path.parts[-3]) >= 15]
    if not found:
        pytest.skip(NO_TLS)
    return found[-1].parent


def rules() -> str:
    """The rules for pg_hba.conf as the page gives them to whoever installs a room."""
    page = (ROOT / "docs" / "room.md").read_text(encoding="utf-8")
    found = re.search(r"```\n(# TYPE.*?)```", page, re.DOTALL)
    assert found is not None
    return found[1]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def tls_server(authority: Path) -> EmbeddedServer:
    """Started with the rules and settings of docs/room.md; its database is `room`."""
    port = free_port()
    server = EmbeddedServer(programs=programs(), port=port, listen="127.0.0.1")
    server.create()
    owner = (server.folder / "data").stat()
    for name in (SERVER_CERTIFICATE, SERVER_KEY, CA_CERTIFICATE):
        copy = server.folder / name
        shutil.copy(authority / name, copy)
        os.chown(copy, owner.st_uid, owner.st_gid)
    # Whoever looks after the server comes in by its socket; here another user than the server's.
    local = "local all postgres scram-sha-256\n"
    (server.folder / "data" / "pg_hba.conf").write_text(local + rules())
    server.settings = (
        "fsync=off", "shared_buffers=16MB", "ssl=on",
        f"ssl_cert_file={server.folder / SERVER_CERTIFICATE}",
        f"ssl_key_file={server.folder / SERVER_KEY}",
        f"ssl_ca_file={server.folder / CA_CERTIFICATE}",
    )  # fmt: skip
    return server.start()
