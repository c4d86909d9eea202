"""A shipper's life: connects, sends what comes, waits for a room that is away, ends at an alarm.

It is a process of its own, so that nothing it does can touch the table. What it knows it says as a
`ShipperState`, for the console that started it or the person who did.
"""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import psycopg
from psycopg.types.json import Jsonb

from omaha_table import __version__
from omaha_table.journal.cosignatures import Cosignature, is_genuine, keep
from omaha_table.journal.faults import Busy, JournalFault
from omaha_table.room.copies import cosigned
from omaha_table.room.database import (
    RoomRefused,
    RoomUnreachable,
    check_version,
    connect,
    room_error,
)
from omaha_table.room.shipper import Alarm, Shipper
from omaha_table.room.staff_orders import StaffOrders, publisher_in

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from omaha_table.room.bundle import Bundle
    from omaha_table.room.database import Connection

POLL_SECONDS: Final = 0.03
"""How soon a new event is seen: two `stat` calls, far less than a hundredth of a core."""
LOOK_AGAIN_SECONDS: Final = 1.0
"""Files are looked into this often even if they seem unchanged, and the witness is asked."""
BEAT_SECONDS: Final = 2.0
WAIT_SECONDS: Final = (0.25, 5.0)
"""Between two attempts to reach a room that is away: the first, and the longest."""
MOST_SKEW_SECONDS: Final = 2.0

Phase: TypeAlias = Literal["starting", "shipped", "behind", "away", "refused", "alarm"]


@dataclass(frozen=True, slots=True)
class ShipperState:
    """What the table may say of the room."""

    phase: Phase = "starting"
    day: str = ""
    seq: int = 0
    """The last event here that the room has."""
    witnessed: int = 0
    """The last event that the witness has signed."""
    message: str = ""
    """What is wrong, and what to do."""
    alarm: str = ""
    """Its kind, if this log differs from the room's copy."""
    since: float = 0.0
    """Since when the phase is what it is."""
    clock_offset: float = 0.0
    """Seconds by which this machine's clock is ahead of the room's."""
    staff_list: str = ""
    """What is wrong with the staff list that the room offers; empty: nothing."""


class Shipping:
    def __init__(
        self,
        bundle: Bundle,
        folder: Path,
        said: Callable[[ShipperState], None],
        beat: Callable[[], dict[str, Any]] = dict,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        self._bundle, self._folder = bundle, folder
        self._say, self._beat, self._stopped = said, beat, stopped
        self._shipper = Shipper(folder, bundle.name, bundle.kind)
        self._orders: StaffOrders | None = None
        self.state = ShipperState(since=time.time())

    def run(self, *, once: bool = False) -> int:
        """Ships until it is stopped; with `once`, until the room has everything.

        Returns the exit status: 0, 1 at an alarm, 2 if the room says no, 4 if it does not answer
        (only with `once`: otherwise it is waited for).
        """
        wait = WAIT_SECONDS[0]
        while not self._stopped():
            try:
                with closing(connect(self._bundle.url)) as room:
                    check_version(room)
                    self._shipper.start(room)
                    office = publisher_in(self._bundle)
                    self._orders = None if office is None else StaffOrders(self._folder, office)
                    wait = WAIT_SECONDS[0]
                    self._serve(room, once=once)
                    return 1 if once and self._orders is not None and self._orders.alarm else 0
            except Alarm as alarm:
                self._set("alarm", message=str(alarm), alarm=alarm.what)
                return 1
            except RoomRefused as refused:
                self._set("refused", message=str(refused))
                return 2
            except (RoomUnreachable, psycopg.OperationalError) as away:
                self._set("away", message=str(away))
                if once:
                    return 4
            except Busy:
                pass
            except JournalFault as fault:
                self._set("alarm", message=fault.message, alarm="unreadable")
                return 1
            time.sleep(wait)
            wait = min(wait * 2, WAIT_SECONDS[1])
        return 0

    def _serve(self, room: Connection, *, once: bool) -> None:
        looked = beaten = 0.0
        while True:
            now = time.monotonic()
            if now - looked >= LOOK_AGAIN_SECONDS:
                looked = now
                self._shipper.seen.clear()
            if looked == now:
                self._take_orders(room)
            sent = self._shipper.ship(room)
            self._note(room, ask=bool(sent) or looked == now)
            if once:
                return
            if now - beaten >= BEAT_SECONDS:
                beaten = now
                self._send_beat(room)
            if self._stopped():
                return
            if not sent:
                time.sleep(POLL_SECONDS)

    def _take_orders(self, room: Connection) -> None:
        """Takes the office's newest staff list; what is wrong with it stops nothing else."""
        if self._orders is not None:
            self.state = replace(self.state, staff_list=self._orders.look(room))

    def _note(self, room: Connection, *, ask: bool) -> None:
        """How far the room and its witness are; the witness's word is kept beside the journal."""
        journals = self._shipper.journals()
        if not ask or not journals:
            return
        path, day = journals[-1]
        head = self._shipper.heads.get(day)
        given = self._cosigned(room, day)
        witnessed = self.state.witnessed if day == self.state.day else 0
        if given is not None and given.seq > witnessed:
            keep(path, given)
            witnessed = given.seq
        self._set("shipped", day=day, seq=0 if head is None else head.seq, witnessed=witnessed)

    def _cosigned(self, room: Connection, day: str) -> Cosignature | None:
        """The newest cosignature, if it was made by the witness that the bundle names."""
        given = cosigned(room, self._bundle.name, day)
        if given is None or not is_genuine(given, self._bundle.witness_key):
            return None
        return given

    def _send_beat(self, room: Connection) -> None:
        try:
            found = room.execute("SELECT extract(epoch FROM clock_timestamp())::float8").fetchone()
            offset = time.time() - (found[0] if found else time.time())
            self.state = replace(self.state, clock_offset=round(offset, 1))
            beat = {"version": __version__, "clock_offset": round(offset, 1)} | self._beat()
            room.execute("SELECT room.beat(%s)", (Jsonb(beat),))
        except psycopg.Error as error:
            raise room_error(error) from None

    def _set(self, phase: Phase, **changes: Any) -> None:
        """Says what has changed."""
        since = self.state.since if phase == self.state.phase else time.time()
        given = {"message": "", "alarm": ""} | changes
        state = replace(self.state, phase=phase, since=since, **given)
        if state != self.state:
            self.state = state
            self._say(state)
