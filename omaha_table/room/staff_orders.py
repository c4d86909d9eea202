"""The staff list on its way: from an office into the room, and from there to a table.

The room is not believed: what a table takes is decided by the office's signature, in
`journal/room_list.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import psycopg

from omaha_table.floor.staff import StaffError
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.office_book import brief_of
from omaha_table.journal.room_list import PublishedList, Publisher, follow, take
from omaha_table.journal.staff_list import has_list
from omaha_table.office.decisions import OfficeRefused
from omaha_table.room.database import RoomRefused, room_error

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.office.events import Signature
    from omaha_table.room.bundle import Bundle
    from omaha_table.room.database import Connection

HOLDER: Final = "the room's shipper"
OWN_LIST: Final = (
    "This table has a staff list of its own. To take the room's, a shift manager runs: "
    "omaha-table staff follow"
)
_UNUSED: Final = {
    "list_older": "The room has an older staff list than this table. It is not used: publish the "
    "list again.",
    "list_forged": "The room has a staff list that the office did not sign. It is not used. Find "
    "out who can write to the room.",
    "list_unusable": "The room's staff list cannot be used here: enroll this table again.",
}


def publisher_in(bundle: Bundle) -> Publisher | None:
    """The office whose lists a bundle lets a table take; None: of none. Raises RoomRefused."""
    if not bundle.lists_key or bundle.kind != "table":
        return None
    try:
        return Publisher(bundle.lists_key, bytes.fromhex(bundle.pepper), bundle.pepper_id)
    except ValueError:
        raise RoomRefused("The pepper in the bundle cannot be read: enroll again.") from None


def newest_version(room: Connection) -> int:
    """The version of the room's newest list, which must come before the next; raises RoomError."""
    try:
        found = room.execute("SELECT version FROM room.newest_staff(NULL)").fetchone()
    except psycopg.Error as error:
        raise room_error(error) from None
    return 0 if found is None else int(found[0])


def send(room: Connection, made: PublishedList, by: Signature) -> None:
    """Raises RoomError."""
    values = (made.version, made.content.decode(), made.sha256, made.key, made.signature,
              f"{by.id} {by.name}")  # fmt: skip
    try:
        found = room.execute("SELECT room.publish_staff(%s, %s, %s, %s, %s, %s)", values).fetchone()
    except psycopg.Error as error:
        raise room_error(error) from None
    if found != ("ok",):
        raise RoomRefused("Somebody else has published a list meanwhile: publish again.")


class StaffOrders:
    """What one shipper knows of the room's list between two looks."""

    def __init__(self, folder: Path, office: Publisher) -> None:
        self._folder, self._office = folder, office
        self._answered: tuple[int, str] | None = None
        self.alarm = ""
        """What is wrong with the list that the room has now, by its kind."""

    def look(self, room: Connection) -> str:
        """Takes the newest list, or says what is wrong; empty: nothing. Raises RoomError."""
        try:
            return self._look(room)
        except psycopg.Error as error:
            raise room_error(error) from None
        except (StaffError, OfficeRefused) as refused:
            return str(refused)
        except JournalFault as fault:
            return f"The room's staff list cannot be taken: {fault.message}"

    def _look(self, room: Connection) -> str:
        brief = brief_of(self._folder)
        if brief.room_list.key != self._office.key:
            if brief.demo or brief.room_list.key or has_list(self._folder):
                return OWN_LIST
            # Nobody is on a list here yet, so there is nobody who could sign for it.
            follow(self._folder, HOLDER, self._office.key, None)
            brief = brief_of(self._folder)
        now = (brief.room_list.version, brief.staff)
        found = room.execute(
            "SELECT version, list_sha256, content, key, signature FROM room.newest_staff(%s)",
            (brief.staff,),
        ).fetchone()
        if found is None:
            # A room that has forgotten its lists; a table without one waits for the first.
            return self._say(room, (0, ""), "list_older", now) if now[0] else ""
        version, sha256, content, key, signature = found
        if (version, sha256) == now:
            return self._say(room, now, "taken", now)
        # The same hash under another number, or a hash that is not the content's: not signed so.
        offered = PublishedList(version, (content or "").encode(), key, signature)
        made = take(self._folder, HOLDER, offered, self._office)
        if made == "taken":
            now = (offered.version, offered.sha256)
        return self._say(room, (version, offered.sha256), made, now)

    def _say(self, room: Connection, what: tuple[int, str], made: str, now: tuple[int, str]) -> str:
        if made == "own_list":
            return OWN_LIST
        if self._answered != what:
            room.execute("SELECT room.answer_staff(%s, %s, %s, %s, %s)", (*what, made, *now))
            self._answered = what
        self.alarm = "" if made == "taken" else made
        return f"{made}: {_UNUSED[made]}" if self.alarm else ""


class ListInUse(NamedTuple):
    table: str
    version: int | None
    """The list that the table said it uses; None: none of the room's."""
    newest: int | None


def lists_in_use(room: Connection) -> list[ListInUse]:
    """Of each table, by name; raises RoomError."""
    try:
        rows = room.execute(_IN_USE).fetchall()
    except psycopg.Error as error:
        raise room_error(error) from None
    return [ListInUse(*row) for row in rows]


_IN_USE: Final = b"""
SELECT s.name, a.version, (SELECT max(version) FROM room.staff_list)
FROM room.source s LEFT JOIN room.staff_answer a ON a.source = s.name
WHERE s.kind = 'table' ORDER BY s.name
"""
