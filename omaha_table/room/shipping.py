"""A shipper's life: connects, sends what comes, waits for a room that is away, ends at an alarm.

It is a process of its own, so that nothing it does can touch the table. What it knows it says as a
`ShipperState`, for the console that started it or the person who did.
"""

from __future__ import annotations

import threading
import time
from contextlib import closing, suppress
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
TELL_SECONDS: Final = 0.5
"""Between two words about how far it is: nobody looks more often."""
WAIT_SECONDS: Final = (0.25, 5.0)
"""Between two attempts to reach a room that is away: the first, and the longest."""
ASK_AGAIN_SECONDS: Final = 30.0
"""In an alarm: whether somebody has answered for it."""
SAME_CLOCK_SECONDS: Final = 0.5
"""Less than this is how long an answer takes, not a difference of clocks."""

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
    has_witness: bool = False
    """Whether the bundle names one."""
    message: str = ""
    """What is wrong, and what to do."""
    alarm: str = ""
    """Its kind, if this log differs from the room's copy, or its witness found it unsound."""
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
        stop: threading.Event | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._bundle, self._folder = bundle, folder
        self._say, self._beat = said, beat
        self._stop, self._clock = stop or threading.Event(), clock
        self._shipper = Shipper(folder, bundle.name, bundle.kind)
        self._orders: StaffOrders | None = None
        self._alarm = ""
        """The kind of alarm that stands against this table."""
        self._told: ShipperState | None = None
        self._told_at = 0.0
        self.state = ShipperState(since=time.time(), has_witness=bool(bundle.witness_key))

    def run(self, *, once: bool = False, stay: bool = False) -> int:
        """Ships until it is stopped; with `once`, until the room has everything.

        With `stay` an alarm does not end it: it sends heartbeats, so that the floor still sees the
        table, and asks from time to time whether somebody has answered for the alarm.

        Returns the exit status: 0, 1 at an alarm, 2 if the room says no, 4 if it does not answer
        (only with `once`: otherwise it is waited for).
        """
        wait = WAIT_SECONDS[0]
        while not self._stop.is_set():
            try:
                with closing(connect(self._bundle.url)) as room:
                    check_version(room)
                    self._shipper.start(room)
                    office = publisher_in(self._bundle)
                    self._orders = None if office is None else StaffOrders(self._folder, office)
                    wait = WAIT_SECONDS[0]
                    self._serve(room, once=once, stay=stay)
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
            self._stop.wait(wait)
            wait = min(wait * 2, WAIT_SECONDS[1])
        return 0

    def _serve(self, room: Connection, *, once: bool, stay: bool) -> None:
        looked = beaten = asked = 0.0
        alarm: Alarm | None = None
        while True:
            last = self._stop.is_set()
            now, sent = time.monotonic(), 0
            if now - looked >= LOOK_AGAIN_SECONDS:
                looked = now
                self._shipper.seen.clear()
                self._take_orders(room)
            if alarm is None or not self._alarm or now - asked >= ASK_AGAIN_SECONDS:
                try:
                    if alarm is not None:
                        self._shipper.start(room)
                    sent = self._shipper.ship(room)
                    self._note(room, ask=bool(sent) or looked == now)
                    alarm = None
                except Alarm as raised:
                    if not stay:
                        raise
                    alarm, asked = raised, now
                    self._in_alarm(room, raised)
            self._tell(now=once or last)
            if once:
                return
            if now - beaten >= BEAT_SECONDS:
                beaten = now
                self._alarm = self._send_beat(room)
                self._set(self.state.phase, message=self.state.message)
            if last:
                return
            if not sent:
                self._stop.wait(POLL_SECONDS)

    def _take_orders(self, room: Connection) -> None:
        """Takes the office's newest staff list; what is wrong with it stops nothing else."""
        found = "" if self._orders is None else self._orders.look(room)
        if found != self.state.staff_list:
            self._set(self.state.phase, message=self.state.message, staff_list=found)

    def _in_alarm(self, room: Connection, alarm: Alarm) -> None:
        """The room knows which alarm it was, also when it only says that one stands."""
        known = self._send_beat(room) if alarm.what == "alarmed" else ""
        self._alarm = known or alarm.what
        self._set("alarm", message=str(alarm))

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
            # Where the disk is full, the console says so; the room has it as well.
            with suppress(OSError):
                keep(path, given)
            witnessed = given.seq
        self._set("shipped", day=day, seq=0 if head is None else head.seq, witnessed=witnessed)

    def _cosigned(self, room: Connection, day: str) -> Cosignature | None:
        """The newest cosignature, if it was made by the witness that the bundle names."""
        given = cosigned(room, self._bundle.name, day)
        if given is None or not is_genuine(given, self._bundle.witness_key):
            return None
        return given

    def _send_beat(self, room: Connection) -> str:
        """Sends a heartbeat; the alarm that stands against this table, as the room knows it."""
        beat = {"shipper": __version__, "clock_offset": self.state.clock_offset} | self._beat()
        try:
            found = room.execute(
                "SELECT now_at, coalesce(alarm, '') FROM room.beat(%s)", (Jsonb(beat),)
            ).fetchone()
        except psycopg.DataError:
            # The console said something that no heartbeat is: the log goes on without it.
            return self._alarm
        except psycopg.Error as error:
            raise room_error(error) from None
        assert found is not None
        offset = round(self._clock() - found[0], 1)
        if abs(offset - self.state.clock_offset) > SAME_CLOCK_SECONDS:
            self._set(self.state.phase, message=self.state.message, clock_offset=offset)
        return str(found[1])

    def _set(self, phase: Phase, **changes: Any) -> None:
        since = self.state.since if phase == self.state.phase else time.time()
        given = {"message": "", "alarm": self._alarm} | changes
        self.state = replace(self.state, phase=phase, since=since, **given)
        self._tell()

    def _tell(self, *, now: bool = False) -> None:
        """Says what has changed: at once, but how far it is only a few times a second."""
        told, at = self._told, time.monotonic()
        progress = told is not None and self.state == replace(
            told, day=self.state.day, seq=self.state.seq, witnessed=self.state.witnessed
        )
        if told == self.state or (progress and not now and at - self._told_at < TELL_SECONDS):
            return
        self._told, self._told_at = self.state, at
        self._say(self.state)
