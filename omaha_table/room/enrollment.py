"""Admits a table, an office journal or a reader: a role of its own, and a bundle with a secret."""

from __future__ import annotations

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

    from omaha_table.room.database import Connection

_NAME: Final = re.compile(TABLE_NAME)


def enroll(
    room: Connection,
    name: str,
    kind: Literal["table", "office", "reader"],
    *,
    signed_by: str = "",
    reason: str = "",
) -> Bundle:
    """Admits `name`, with a new secret, and returns its bundle.

    A source that is in alarm is admitted again only with somebody's signature and a reason; what
    it sends from then on replaces the days in alarm, of which the room keeps what it has. Raises
    RoomRefused or RoomUnreachable.
    """
    if not _NAME.match(name):
        raise RoomRefused(f"'{name}' cannot be a name: letters, digits and _, at most 32.")
    try:
        with room.transaction():
            role = f"{group(room, kind)}_{name}"
            _check_kind(room, name, kind)
            password = secrets.token_urlsafe(32)
            _give_role(
                room, role, password, group(room, "readers" if kind == "reader" else "tables")
            )
            if kind != "reader":
                _admit(room, name, kind, role, signed_by, reason)
            return _bundle(room, name, kind, role, password)
    except psycopg.Error as error:
        raise room_error(error) from None


def alarms_of(room: Connection, name: str) -> list[str]:
    """The alarms of a source that nobody has answered."""
    found = room.execute(
        "SELECT what FROM room.alarm WHERE source = %s AND answered_by IS NULL ORDER BY id", (name,)
    )
    return [what for (what,) in found]


def _check_kind(room: Connection, name: str, kind: str) -> None:
    found = room.execute("SELECT kind FROM room.source WHERE name = %s", (name,)).fetchone()
    if kind != "reader" and found is not None and found[0] != kind:
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


def _bundle(room: Connection, name: str, kind: str, role: str, password: str) -> Bundle:
    here = room.info
    given = conninfo_to_dict(here.dsn)
    return Bundle(
        name=name,
        kind=kind,
        host=str(given.get("host", here.host)),
        port=str(here.port),
        database=here.dbname,
        user=role,
        password=password,
        sslmode=str(given.get("sslmode", "")),
        sslrootcert=str(given.get("sslrootcert", "")),
    )
