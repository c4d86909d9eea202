"""Admits a table, an office journal or a reader: a role of its own, and a bundle with a secret."""

from __future__ import annotations

import dataclasses
import re
import secrets
from typing import TYPE_CHECKING, Final

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from omaha_table.journal.days import TABLE_NAME
from omaha_table.room.bundle import Bundle
from omaha_table.room.database import RoomRefused, group, room_error

if TYPE_CHECKING:
    from typing import Literal

    from omaha_table.room.certificates import Authority
    from omaha_table.room.database import Connection

    Kind = Literal["table", "office", "reader", "witness"]

_NAME: Final = re.compile(TABLE_NAME)
_LONGEST_ROLE: Final = 63
"""PostgreSQL cuts longer names, and two tables could come to be one."""
_GROUPS: Final[dict[Kind, str]] = {
    "table": "tables", "office": "tables", "reader": "readers", "witness": "witnesses",
}  # fmt: skip
_SOURCES: Final = ("table", "office")


def enroll(
    room: Connection,
    name: str,
    kind: Kind,
    *,
    signed_by: str = "",
    reason: str = "",
    authority: Authority | None = None,
    host: str = "",
) -> Bundle:
    """Admits `name`, with a new secret, and returns its bundle; the one before it is worth nothing.

    A source that is in alarm is admitted again only with somebody's signature and a reason; what
    it sends from then on replaces the days in alarm, of which the room keeps what it has. With an
    `authority` the bundle has a certificate, and believes no server without one. `host` is how the
    server is reached from there. Raises RoomRefused or RoomUnreachable.
    """
    if not _NAME.fullmatch(name):
        raise RoomRefused(f"'{name}' cannot be a name: letters, digits and _, at most 32.")
    host = host or str(conninfo_to_dict(room.info.dsn).get("host", room.info.host))
    if authority is not None and (not host or host.startswith(("/", "@"))):
        raise RoomRefused(
            "A certificate is for a server that is reached over the network: name it as it is "
            "reached, with --host."
        )
    try:
        with room.transaction():
            role = f"{group(room, kind)}_{name}"
            if len(role.encode()) > _LONGEST_ROLE:
                raise RoomRefused(f"The role {role} would be too long: take a shorter name.")
            _check_kind(room, name, kind)
            password = secrets.token_urlsafe(32)
            _give_role(room, role, password, group(room, _GROUPS[kind]))
            if kind in _SOURCES:
                _admit(room, name, kind, role, signed_by, reason)
            bundle = _bundle(room, name, kind, role, password, host)
        _end_sessions(room, role)
    except psycopg.Error as error:
        raise room_error(error) from None
    return bundle if authority is None else _with_certificate(bundle, authority)


def alarms_of(room: Connection, name: str) -> list[str]:
    """The alarms of a source that nobody has answered."""
    found = room.execute(
        "SELECT what FROM room.alarm WHERE source = %s AND answered_by IS NULL ORDER BY id", (name,)
    )
    return [what for (what,) in found]


def _check_kind(room: Connection, name: str, kind: str) -> None:
    found = room.execute("SELECT kind FROM room.source WHERE name = %s", (name,)).fetchone()
    if kind in _SOURCES and found is not None and found[0] != kind:
        raise RoomRefused(f"{name} is enrolled as {found[0]}: take another name.")


def _give_role(room: Connection, role: str, password: str, member_of: str) -> None:
    """A role that may sign in, and is in one group only. The server never sees the password."""
    known = room.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone()
    verifier = room.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256")
    begin = "ALTER ROLE {} LOGIN PASSWORD {}" if known else "CREATE ROLE {} LOGIN PASSWORD {}"
    room.execute(sql.SQL(begin).format(sql.Identifier(role), sql.Literal(verifier.decode())))
    room.execute(sql.SQL("GRANT {} TO {}").format(sql.Identifier(member_of), sql.Identifier(role)))


def _admit(room: Connection, name: str, kind: str, role: str, signed_by: str, reason: str) -> None:
    alarms = alarms_of(room, name)
    if alarms and not (signed_by and reason):
        raise RoomRefused(
            f"{name} is in alarm ({', '.join(alarms)}): a shift manager must sign for it, with a "
            "reason."
        )
    room.execute(
        "INSERT INTO room.source (name, kind, role) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
        (name, kind, role),
    )
    made = room.execute(
        "INSERT INTO room.enrollment (source, signed_by, reason) VALUES (%s, %s, %s) RETURNING id",
        (name, signed_by, reason),
    ).fetchone()
    assert made is not None
    # Only the days in alarm: what was sent of the others is what the table has.
    room.execute(
        "UPDATE room.journal j SET replaced_by = %(id)s WHERE source = %(source)s "
        "AND replaced_by IS NULL AND EXISTS (SELECT FROM room.alarm a WHERE a.source = j.source "
        "AND a.answered_by IS NULL AND a.what IN ('rolled_back', 'forked', 'broken') "
        "AND a.day <= j.day)",
        {"id": made[0], "source": name},
    )
    room.execute(
        "UPDATE room.alarm SET answered_by = %s WHERE source = %s AND answered_by IS NULL",
        (made[0], name),
    )


def _end_sessions(room: Connection, role: str) -> None:
    """Whoever came in with the old secret is put out: it was only asked for at the door."""
    try:
        room.execute(_END_SESSIONS, (role,))
    except psycopg.errors.InsufficientPrivilege:
        # An owner of the database who is no superuser may do so as a member of the role only.
        with room.transaction():
            room.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(sql.Identifier(role)))
            room.execute(_END_SESSIONS, (role,))
            room.execute(sql.SQL("REVOKE {} FROM CURRENT_USER").format(sql.Identifier(role)))


_END_SESSIONS: Final = (
    b"SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    b"WHERE usename = %s AND pid <> pg_backend_pid()"
)


def _bundle(room: Connection, name: str, kind: str, role: str, password: str, host: str) -> Bundle:
    here = room.info
    given = conninfo_to_dict(here.dsn)
    return Bundle(
        name=name,
        kind=kind,
        host=host,
        port=str(here.port),
        database=here.dbname,
        user=role,
        password=password,
        sslmode=str(given.get("sslmode", "")),
        sslrootcert=str(given.get("sslrootcert", "")),
    )


def _with_certificate(bundle: Bundle, authority: Authority) -> Bundle:
    return dataclasses.replace(
        bundle,
        certificates=authority.client(bundle.user),
        sslmode="verify-full",
        sslrootcert="",
        # The password is worth nothing to whoever pretends to be the server.
        channel_binding="require",
    )
