"""The room's database: connecting to it, and its schema with numbered upgrades."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import psycopg
from psycopg import sql

if TYPE_CHECKING:
    from collections.abc import Iterator

Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]
CONNECT_SECONDS: Final = 5
_LOCK: Final = 0x6F6D6168
"""Two upgrades at once take turns."""


class RoomError(Exception):
    """What is wrong with the room, and what to do about it."""


class RoomUnreachable(RoomError):  # noqa: N818 - the state of the room, not an error of the program
    """The room does not answer now; it may later."""


class RoomRefused(RoomError):  # noqa: N818 - as above
    """The room answers and says no: asking again will not help."""


_PERMANENT: Final = ("28", "3D", "42501", "42883", "3F000")
"""SQLSTATEs (or how they begin) of what waiting does not cure: authorization, no such database,
missing privilege, missing function or schema."""


def connect(url: str, **options: Any) -> Connection:
    """An open connection; raises RoomUnreachable or RoomRefused."""
    try:
        return psycopg.connect(
            url,
            autocommit=True,
            connect_timeout=CONNECT_SECONDS,
            # A peer that vanished without a word is noticed within half a minute.
            keepalives_idle=10,
            keepalives_interval=5,
            keepalives_count=3,
            tcp_user_timeout=20_000,
            application_name="omaha-table",
            **options,
        )
    except psycopg.Error as error:
        raise room_error(error) from None


def room_error(error: psycopg.Error) -> RoomError:
    """The error in the words of the room; what the server quotes may hold names, never secrets."""
    state = error.sqlstate or ""
    text = (error.diag.message_primary or str(error)).strip().splitlines()
    # Before it, the library says which address it tried, which helps nobody at a table.
    said = text[0].rpartition("FATAL:  ")[2].rstrip(".") if text else type(error).__name__
    # Before a connection is made, the library gives no SQLSTATE for what was refused.
    everything = "" if state else str(error)
    for signs, sentence, todo in _AT_THE_DOOR:
        if any(sign in everything for sign in signs):
            return RoomRefused(f"{sentence} ({_detail(everything, signs)}). {todo}")
    if state.startswith("53"):
        return RoomUnreachable(f"The room has no space or resources left: {said}.")
    if state.startswith(_PERMANENT):
        return RoomRefused(f"The room refuses this program: {said}.")
    return RoomUnreachable(f"The room does not answer: {said}.")


_NEW_BUNDLE: Final = "If this table was enrolled again, it needs the new bundle."
_AT_THE_DOOR: Final = (
    (
        ("certificate verify failed", "signature failure", "server certificate for",
         "channel binding", "server does not support SSL"),
        "What answers is not the room that let this program in, or this machine's clock is wrong; "
        "no secret was sent",
        "Call whoever looks after the room's server.",
    ),
    (
        ("valid client certificate", "alert unknown ca", "alert certificate",
         "alert bad certificate", "alert decrypt error", "private key file",
         "could not read certificate file"),
        "The room refuses this program's certificate",
        _NEW_BUNDLE,
    ),
    (
        ("authentication failed",),
        "The room refuses this program's secret or certificate",
        _NEW_BUNDLE,
    ),
    (
        ("no pg_hba.conf entry", "pg_hba.conf rejects", "is not permitted to log in"),
        "The room refuses this program",
        "Its server lets nobody in that way.",
    ),
)  # fmt: skip
"""What is said of a connection that was refused, by words of the client library; first fit."""


def _detail(text: str, signs: tuple[str, ...]) -> str:
    """The line that says it, without what comes before the finding."""
    line = next(line for line in text.splitlines() if any(sign in line for sign in signs))
    return line.rpartition("FATAL:")[2].strip().rstrip(".")


def upgrades() -> Iterator[tuple[int, str]]:
    """The numbered upgrades, oldest first."""
    folder = files("omaha_table.room") / "upgrades"
    for name in sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql")):
        yield int(name.partition("_")[0]), (folder / name).read_text(encoding="utf-8")


NEWEST: Final = max(number for number, _ in upgrades())


def schema_version(room: Connection) -> int:
    """The last upgrade that the database has; 0: none."""
    [found] = _one(room, "SELECT to_regclass('room.upgrade') IS NOT NULL")
    if not found:
        return 0
    [number] = _one(room, "SELECT coalesce(max(number), 0) FROM room.upgrade")
    return int(number)


def upgrade(room: Connection) -> list[int]:
    """Creates or upgrades the schema, all or nothing; the upgrades that were made.

    Raises RoomRefused for a schema that a newer version of this program made.
    """
    made = []
    try:
        with room.transaction():
            room.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            present = schema_version(room)
            if present > NEWEST:
                raise RoomRefused(
                    f"The room was upgraded by a newer version (schema {present}, this program "
                    f"has {NEWEST}): upgrade this program."
                )
            for number, text in upgrades():
                if number > present:
                    room.execute(text.encode())
                    room.execute("INSERT INTO room.upgrade(number) VALUES (%s)", (number,))
                    made.append(number)
            _make_groups(room)
    except psycopg.Error as error:
        raise room_error(error) from None
    return made


def check_version(room: Connection) -> None:
    """Raises RoomRefused if the room and this program do not fit together."""
    try:
        [number] = _one(room, "SELECT room.schema_number()")
    except psycopg.Error as error:
        raise room_error(error) from None
    if number != NEWEST:
        which = "this program" if number > NEWEST else "the room (room init)"
        raise RoomRefused(f"The room has schema {number}, this program {NEWEST}: upgrade {which}.")


_GRANTS: Final = {
    "tables": (
        "room.schema_number()",
        "room.heads()",
        "room.hello(text, bigint, bytea)",
        "room.append(text, bigint, bytea, bigint[], bigint[], bigint[], text[], text[], text[],"
        " bytea[])",
        "room.last_refusal(text)",
        "room.add_refusals(text, bigint[], bigint[], bigint[], bigint[], text[], text[], text[],"
        " text[])",
        "room.cosigned(text)",
        "room.beat(jsonb)",
        "room.publish_staff(bigint, text, text, text, text, text)",
        "room.newest_staff(text)",
        "room.answer_staff(bigint, text, text, bigint, text)",
    ),
    "witnesses": (
        "room.schema_number()",
        "room.add_cosignature(text, text, int, text, bigint, bytea, bigint, text)",
        "room.report_unsound(text, text, int, bigint, bytea)",
    ),
    "readers": ("room.schema_number()", "room.in_alarm(text)"),
}


_OF_A_LIST: Final = "version, list_sha256, key, signature, source, signed_by, at"


def group(room: Connection, name: str) -> str:
    """The role whose members are the room's tables or readers; two rooms may share a server."""
    [database] = _one(room, "SELECT current_database()")
    return f"{database}_{name}"


def _make_groups(room: Connection) -> None:
    [database] = _one(room, "SELECT current_database()")
    # Nobody fills the disk with tables of his own.
    room.execute(
        sql.SQL("REVOKE CREATE, TEMPORARY ON DATABASE {} FROM PUBLIC").format(
            sql.Identifier(database)
        )
    )
    for name, functions in _GRANTS.items():
        role = sql.Identifier(group(room, name))
        [found] = _one(room, "SELECT count(*) FROM pg_roles WHERE rolname = %s", group(room, name))
        if not found:
            room.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(role))
        room.execute(sql.SQL("GRANT USAGE ON SCHEMA room TO {}").format(role))
        for function in functions:
            room.execute(
                sql.SQL("GRANT EXECUTE ON FUNCTION {} TO {}").format(sql.SQL(function), role)
            )
    for name in ("readers", "witnesses"):
        role = sql.Identifier(group(room, name))
        room.execute(sql.SQL("GRANT SELECT ON ALL TABLES IN SCHEMA room TO {}").format(role))
        # Everything but the hashes of PINs, which nobody needs who only looks.
        room.execute(sql.SQL("REVOKE SELECT ON room.staff_list FROM {}").format(role))
        columns = sql.SQL(_OF_A_LIST)
        room.execute(sql.SQL("GRANT SELECT ({}) ON room.staff_list TO {}").format(columns, role))


def _one(room: Connection, query: str, *values: Any) -> tuple[Any, ...]:
    found = room.execute(query.encode(), values).fetchone()
    assert found is not None
    return found
