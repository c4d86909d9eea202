"""Whether what the room has can be trusted: read again, or by what its witness has signed."""

from __future__ import annotations

import time
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, LiteralString, NamedTuple

import psycopg

from omaha_table.journal.anchors import RoomCopy
from omaha_table.journal.cosignatures import Cosignature, is_genuine
from omaha_table.journal.rows_check import RowsCheck
from omaha_table.journal.verdict import Verdict
from omaha_table.journal.verification import names_of, run_checks
from omaha_table.room.database import room_error
from omaha_table.room.listing import HeldRows
from omaha_table.room.rows import JournalName

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from omaha_table.room.link import ReaderLink
    from omaha_table.room.listing import Listed

PLACE: Final = "the room"


class Alarm(NamedTuple):
    source: str
    day: str
    what: str
    at: datetime


def room_verdict(
    link: ReaderLink,
    listed: Sequence[Listed],
    progress: Callable[[int], None] = lambda events: None,
) -> Verdict:
    """Reads every row of some journals, oldest first; raises Away."""
    verdict = Verdict(place=PLACE)
    listed, signed = _as_it_is(link, listed)
    names = names_of([one.path for one in listed])

    def check(one: Listed) -> RowsCheck:
        at = signed.get(one.history)
        kept = RoomCopy(one.seq, one.head.hex())
        if at is not None:
            kept = RoomCopy(one.seq, one.head.hex(), at.seq, at.head)
        return RowsCheck(
            one.path, verdict, lambda: HeldRows(link, one, check=False), kept, names[one.path],
            one.enrolled_us,
        )  # fmt: skip

    checks = [check(one) for one in listed]
    run_checks(checks, verdict, progress)
    verdict.remarks = remarks(link, listed)
    for checked in checks:
        if checked.older:
            so_far = "" if checked.older == checked.seq else f", up to event {checked.older}"
            verdict.remarks.append(f"{checked.name}: not witnessed when written{so_far}.")
    return verdict


def remarks(link: ReaderLink, listed: Sequence[Listed]) -> list[str]:
    """What the room knows of some journals beside their rows: alarms, and how they came to it."""
    said = [] if link.witness_key else ["This bundle names no witness: nothing was compared."]
    said += [
        f"{one.source} is in alarm since {one.at.astimezone():%Y-%m-%d %H:%M} ({one.what}, day "
        f"{one.day}): what it has dealt since may be missing here."
        for one in _alarms(link, listed)
    ]
    names = {(one.source, one.day): one for one in listed}
    for source, day, seq, by, reason in _ask(link, _PUT_ASIDE, listed):
        one = names.get((source, day))
        if one is not None:
            said.append(f"{one.path.name}: {_aside(one, seq)} was put aside by {by}: {reason}.")
    return said


def _aside(one: Listed, seq: int) -> str:
    if one.put_aside and one.seq == seq:
        return "this history"
    return f"an earlier history of {seq:,} events"


def standing(link: ReaderLink, listed: Sequence[Listed]) -> tuple[bool, str]:
    """How far journals are witnessed, without reading them; whether anything is wrong.

    The witness has checked what it signed as `verify` does. That the rows which are shown lead to
    what it signed, whoever reads them checks.
    """
    listed, signed = _as_it_is(link, listed)
    alarms = _alarms(link, listed)
    for one in listed:
        at = signed.get(one.history)
        if at is None:
            continue
        if at.seq > one.seq or at.head != _hash_at(link, one, at.seq):
            said = f"{one.path.name} is not what the room's witness signed"
            return False, f"Do not trust {said}: 'omaha-table verify --room' says more"
    if alarms:
        more = f" and {len(alarms) - 1} more" if len(alarms) > 1 else ""
        return False, f"ALARM at {alarms[0].source}: {alarms[0].what}, {alarms[0].day}{more}"
    at_time = time.strftime("%H:%M")
    bare = [one for one in listed if one.history not in signed]
    behind = [one for one in listed if one.history in signed and signed[one.history].seq < one.seq]
    if bare:
        more = f" and {len(bare) - 1} more" if len(bare) > 1 else ""
        return True, f"not witnessed: {bare[0].path.stem}{more}, {at_time}"
    if len(behind) == 1:
        [one] = behind
        return True, f"√ witnessed {at_time}, {one.path.stem} {_so_far(link, one, signed)}"
    if behind:
        return True, f"√ witnessed {at_time}, {len(behind)} journals not to their last event"
    return True, f"√ witnessed {at_time}: {sum(one.seq for one in listed):,} events"


def _hash_at(link: ReaderLink, one: Listed, seq: int) -> str:
    """What the room has of an event; of the last one, what it lists."""
    if seq == one.seq:
        return one.head.hex()
    found = _fetch(
        link,
        "SELECT hash FROM room.event WHERE source = %s AND day = %s AND generation = %s "
        "AND seq = %s",
        *one.history,
        seq,
    )
    return bytes(found[0][0]).hex() if found else ""


def _so_far(link: ReaderLink, one: Listed, signed: dict[JournalName, Cosignature]) -> str:
    """To which hand a journal is witnessed."""
    seq = signed[one.history].seq
    found = _fetch(
        link,
        "SELECT hand FROM room.event WHERE source = %s AND day = %s AND generation = %s "
        "AND seq <= %s AND hand IS NOT NULL ORDER BY seq DESC LIMIT 1",
        *one.history,
        seq,
    )
    return f"to hand {found[0][0]}" if found else f"to event {seq}"


_AS_IT_IS: Final[LiteralString] = """
SELECT j.source, j.day, j.generation, j.seq, j.head, c.seq, encode(c.head, 'hex'), c.at_us,
  c.signature
FROM room.journal j LEFT JOIN room.cosignature c
  ON (c.source, c.day, c.generation, c.key) = (j.source, j.day, j.generation, %s)
WHERE j.source = ANY(%s)
"""


def _as_it_is(
    link: ReaderLink, listed: Sequence[Listed]
) -> tuple[list[Listed], dict[JournalName, Cosignature]]:
    """Journals with their ends of this moment, and the genuine cosignatures of the witness that the
    bundle names.

    In one statement: a table deals on, and what is signed by now may be later than what was listed
    before.
    """
    ends: dict[JournalName, tuple[int, bytes]] = {}
    signed: dict[JournalName, Cosignature] = {}
    key = link.witness_key
    found = _fetch(link, _AS_IT_IS, key, list({one.source for one in listed}))
    for source, day, generation, seq, head, at, signed_head, at_us, signature in found:
        name = JournalName(source, day, generation)
        ends[name] = seq, bytes(head)
        if at is not None:
            given = Cosignature(*name, at, signed_head, at_us, key, signature)
            if _is_genuine(given, key):
                signed[name] = given
    now = []
    for one in listed:
        seq, head = ends.get(one.history, (one.seq, one.head))
        now.append(one._replace(seq=seq, head=head))
    return now, signed


@lru_cache(maxsize=1 << 16)
def _is_genuine(given: Cosignature, key: str) -> bool:
    """Asked every few seconds for thousands of days, of which few have changed."""
    return is_genuine(given, key)


def open_alarms(link: ReaderLink) -> list[Alarm]:
    """Those that nobody has answered, oldest first."""
    query: LiteralString = (
        "SELECT source, day, what, at FROM room.alarm WHERE answered_by IS NULL ORDER BY id"
    )
    return [Alarm(*row) for row in _fetch(link, query)]


def _alarms(link: ReaderLink, listed: Sequence[Listed]) -> list[Alarm]:
    """Those of some sources."""
    sources = {one.source for one in listed}
    return [alarm for alarm in open_alarms(link) if alarm.source in sources]


_PUT_ASIDE: Final[LiteralString] = """
SELECT j.source, j.day, j.seq, e.signed_by, e.reason
FROM room.journal j JOIN room.enrollment e ON e.id = j.replaced_by
WHERE j.source = ANY(%s) ORDER BY j.source, j.day, j.generation
"""


def _ask(link: ReaderLink, query: LiteralString, listed: Sequence[Listed]) -> list[tuple[Any, ...]]:
    return _fetch(link, query, list({one.source for one in listed}))


def _fetch(link: ReaderLink, query: LiteralString, *values: object) -> list[tuple[Any, ...]]:
    with link.lent() as room:
        try:
            return room.execute(query, values).fetchall()
        except psycopg.Error as error:
            raise room_error(error) from None
