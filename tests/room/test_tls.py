"""Who comes into a room behind TLS, and what everybody else is told."""

from __future__ import annotations

import dataclasses
import os
import signal
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import psycopg
import pytest
from click.testing import CliRunner
from cryptography import x509

from omaha_table.cli import omaha_table
from omaha_table.room.bundle import Bundle, read_bundle, write_bundle
from omaha_table.room.certificates import CertificateError, make_authority, read_authority
from omaha_table.room.database import connect, upgrade
from omaha_table.room.doors import open_doors
from omaha_table.room.enrollment import enroll
from tests.room.tls import tls_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from click.testing import Result

    from omaha_table.room.certificates import Authority
    from omaha_table.room.embedded import EmbeddedServer

HOST = "127.0.0.1"


@dataclasses.dataclass
class TlsRoom:
    server: EmbeddedServer
    owner: psycopg.Connection[tuple[object, ...]]
    folder: Path

    @property
    def authority(self) -> Authority:
        return read_authority(self.folder)

    def bundle(self, name: str = "t7", authority: Authority | None = None) -> Bundle:
        return enroll(self.owner, name, "table", authority=authority or self.authority, host=HOST)


@pytest.fixture(scope="module")
def tls_room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TlsRoom]:
    folder = tmp_path_factory.mktemp("ca") / "ca"
    make_authority(folder, [HOST])
    server = tls_server(folder)
    try:
        with closing(connect(server.url())) as first:
            first.execute("CREATE DATABASE room")
        with closing(connect(server.url("room"))) as owner:
            upgrade(owner)
            yield TlsRoom(server, owner, folder)
    finally:
        server.remove()


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def ship(bundle: Bundle, data: Path, *words: str) -> Result:
    file = data.parent / "bundle.toml"
    file.unlink(missing_ok=True)
    write_bundle(file, bundle)
    given = ["room", "ship", "--data", str(data), "--room", str(file), *words]
    # One that waits for a room which refuses it would wait for ever.
    stop = threading.Timer(30, os.kill, (os.getpid(), signal.SIGTERM))
    stop.start()
    try:
        return CliRunner().invoke(omaha_table, given)
    finally:
        stop.cancel()


def refused(done: Result, said: str) -> None:
    """For good: a shipper that is not told to do it once ends by itself too."""
    assert (done.exit_code, said in done.stderr) == (2, True), done.stderr
    assert "refused: " in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_right_certificate_and_secret_are_let_in(tls_room: TlsRoom, evening: Path) -> None:
    bundle = tls_room.bundle()
    done = ship(bundle, evening, "--once")
    assert (done.exit_code, done.stderr) == (0, "")
    file = evening.parent / "bundle.toml"
    assert file.stat().st_mode & 0o777 == 0o600
    with closing(connect(read_bundle(file).url)) as table:
        [(version, name)] = tls_room.owner.execute(
            "SELECT version, client_dn FROM pg_stat_ssl WHERE pid = %s",
            (table.info.backend_pid,),
        ).fetchall()
    assert (version, name) == ("TLSv1.3", "/CN=room_table_t7")


def test_another_tables_certificate_is_refused(tls_room: TlsRoom, evening: Path) -> None:
    other = tls_room.bundle("t8")
    mixed = dataclasses.replace(tls_room.bundle(), certificates=other.certificates)
    refused(ship(mixed, evening), "refuses this program's secret or certificate")


def test_no_certificate_is_refused(tls_room: TlsRoom, evening: Path) -> None:
    bundle = dataclasses.replace(
        tls_room.bundle(), certificates="", sslrootcert=str(tls_room.folder / "ca.crt")
    )
    refused(ship(bundle, evening), "refuses this program's certificate")


def test_a_certificate_of_somebody_elses_making_is_refused(
    tls_room: TlsRoom, tmp_path: Path, evening: Path
) -> None:
    """It has the right names in it; the table believes the true server, as a thief would."""
    forger = make_authority(tmp_path / "other", [])
    true, forged = tls_room.bundle(), forger.client("room_table_t7")
    theirs = "-----END CERTIFICATE-----\n"
    chain = forged.split(theirs)[0] + theirs + true.certificates.split(theirs)[1] + theirs
    refused(
        ship(dataclasses.replace(true, certificates=chain), evening),
        "refuses this program's certificate",
    )


def test_an_expired_certificate_is_refused(
    tls_room: TlsRoom, evening: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = x509.CertificateBuilder.not_valid_after
    monkeypatch.setattr(
        x509.CertificateBuilder,
        "not_valid_after",
        lambda builder, when: real(builder, datetime.now(UTC) - timedelta(days=1)),
    )
    refused(ship(tls_room.bundle(), evening), "refuses this program's certificate")


def test_a_wrong_secret_is_refused(tls_room: TlsRoom, evening: Path) -> None:
    wrong = dataclasses.replace(tls_room.bundle(), password="wrong")
    refused(ship(wrong, evening), "refuses this program's secret or certificate")


def test_without_tls_nobody_is_let_in(tls_room: TlsRoom, evening: Path) -> None:
    bundle = dataclasses.replace(
        tls_room.bundle(), certificates="", sslmode="disable", channel_binding=""
    )
    refused(ship(bundle, evening), "lets nobody in that way")


def test_the_bundle_before_the_last_one_is_refused(tls_room: TlsRoom, evening: Path) -> None:
    before, now = tls_room.bundle(), tls_room.bundle()
    refused(ship(before, evening), "refuses this program's secret or certificate")
    assert ship(now, evening, "--once").exit_code == 0


def test_enrolling_again_puts_out_who_came_in_with_the_old_bundle(
    tls_room: TlsRoom, evening: Path
) -> None:
    ship(tls_room.bundle(), evening, "--once")
    with closing(connect(read_bundle(evening.parent / "bundle.toml").url)) as thief:
        assert thief.execute("SELECT count(*) FROM room.heads()").fetchone() == (1,)
        tls_room.bundle()
        with pytest.raises(psycopg.OperationalError):
            thief.execute("SELECT room.heads()")


def test_a_server_that_the_authority_does_not_vouch_for_gets_no_secret(
    tls_room: TlsRoom, tmp_path: Path, evening: Path
) -> None:
    other = make_authority(tmp_path / "other", [])
    mine = tls_room.bundle(authority=other)
    refused(ship(mine, evening), "What answers is not the room")


def test_a_server_under_another_name_gets_no_secret(tls_room: TlsRoom, evening: Path) -> None:
    bundle = dataclasses.replace(tls_room.bundle(), host="localhost")
    refused(ship(bundle, evening), "What answers is not the room")


def test_a_reader_and_a_witness_come_in_with_certificates_of_their_own(
    tls_room: TlsRoom, tmp_path: Path
) -> None:
    for kind, query in (("reader", "SELECT * FROM room.overview"),
                        ("witness", "SELECT room.report_unsound('x', '', 1, 1, '')")):  # fmt: skip
        file = tmp_path / f"{kind}.toml"
        given = ["room", "enroll", f"--{kind}", "audit", "--db", tls_room.server.url("room"),
                 "--ca", str(tls_room.folder), "--host", HOST, "--out", str(file)]  # fmt: skip
        done = CliRunner().invoke(omaha_table, given)
        assert done.exit_code == 0, done.stderr
        with closing(connect(read_bundle(file).url)) as open_room:
            if kind == "witness":
                # Let in and allowed; what it names is not there.
                with pytest.raises(psycopg.errors.ForeignKeyViolation):
                    open_room.execute(query.encode())
            else:
                open_room.execute(query.encode())
    key = tmp_path / "witness.key"
    words = ["room", "witness", "--room", str(file), "--key", str(key), "--once"]
    assert CliRunner().invoke(omaha_table, words).exit_code == 0


def test_the_rules_of_the_page_leave_no_door_open(tls_room: TlsRoom) -> None:
    assert open_doors(tls_room.owner) == []


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("host all all all trust", "without a password"),
        ("hostssl room +room_tables 10.0.0.0/8 trust", "without a password"),
        ("local all all trust", "without a password"),
        ("host room all 10.0.0.0/8 scram-sha-256", "without TLS"),
        ("hostnossl all room_table_t7 all scram-sha-256", "without TLS"),
        ("hostssl room +room_readers all scram-sha-256", "no certificate"),
        ("hostssl room +room_readers all password clientcert=verify-full", "use scram-sha-256"),
        ("host all all 127.0.0.1/32 md5", "use scram-sha-256"),
        ("host other all all trust", ""),
        ("host all postgres all trust", ""),
        ("host all all 127.0.0.1/32 scram-sha-256", ""),
    ],
)
def test_a_rule_that_lets_tables_in_too_easily_is_named(
    tls_room: TlsRoom, rule: str, said: str
) -> None:
    tls_room.bundle()
    path = tls_room.server.folder / "data" / "pg_hba.conf"
    kept = path.read_text()
    try:
        path.write_text(f"{rule}\n{kept}")
        found = open_doors(tls_room.owner)
        status = CliRunner().invoke(
            omaha_table, ["room", "status", "--db", tls_room.server.url("room")]
        )
    finally:
        path.write_text(kept)
    assert [said in line and "line 1" in line for line in found] == ([True] if said else []), found
    assert status.stderr.count("Warning: ") == len(found)


def test_whoever_may_not_see_the_rules_is_not_bothered(tls_room: TlsRoom, tmp_path: Path) -> None:
    file = tmp_path / "reader.toml"
    write_bundle(file, enroll(tls_room.owner, "auditor", "reader",
                              authority=tls_room.authority, host=HOST))  # fmt: skip
    done = CliRunner().invoke(omaha_table, ["room", "status", "--db", read_bundle(file).url])
    assert done.stderr == ""


# The authority's files


def test_the_authority_is_made_once_and_its_files_are_its_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "ca"
    first = make_authority(folder, [HOST, "db.example.org"])
    assert {path.name for path in folder.iterdir()} == {
        "ca.crt", "ca.key", "server.crt", "server.key",
    }  # fmt: skip
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.iterdir())
    server = (folder / "server.crt").read_bytes()
    again = make_authority(folder, ["elsewhere"])
    assert again.certificate == first.certificate
    assert (folder / "server.crt").read_bytes() == server


@pytest.mark.parametrize("harm", ["mode", "key", "certificate", "other"])
def test_an_authority_that_cannot_be_trusted_is_not_used(tmp_path: Path, harm: str) -> None:
    folder = tmp_path / "ca"
    make_authority(folder, [])
    if harm == "mode":
        (folder / "ca.key").chmod(0o644)
    elif harm == "other":
        make_authority(tmp_path / "other", [])
        (tmp_path / "other" / "ca.key").replace(folder / "ca.key")
    else:
        (folder / ("ca.key" if harm == "key" else "ca.crt")).write_text("nothing")
    with pytest.raises(CertificateError):
        read_authority(folder)


def test_certificates_are_good_for_a_clock_that_is_a_day_behind(tmp_path: Path) -> None:
    made = make_authority(tmp_path / "ca", []).certificate
    assert made.not_valid_before_utc < datetime.now(UTC) - timedelta(days=1)


def test_a_bundle_with_a_certificate_needs_a_server_on_the_network(
    tls_room: TlsRoom, tmp_path: Path
) -> None:
    given = ["room", "enroll", "t9", "--db", tls_room.server.url("room"),
             "--ca", str(tls_room.folder), "--out", str(tmp_path / "t9.toml")]  # fmt: skip
    done = CliRunner().invoke(omaha_table, given)
    assert (done.exit_code, "with --host" in done.stderr) == (2, True)
    assert not (tmp_path / "t9.toml").exists()


def test_a_bundle_shows_nobody_its_secrets(tls_room: TlsRoom) -> None:
    bundle = tls_room.bundle()
    shown = repr(bundle)
    assert bundle.password not in shown
    assert "PRIVATE KEY" not in shown
