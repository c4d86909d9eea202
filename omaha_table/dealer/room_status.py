"""What the table knows of the room: what its shipper says, and how far the room is behind.

The shipper is another process, which the command that runs the console starts and watches. Nothing
here waits for it: the console looks at what it said last.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, Protocol

from omaha_table.dealer.table_view import Alarm, DeviceView

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOM: Final = "room"
"""As the table's log calls it."""
PATIENCE: Final = 5.0
"""Seconds that an event may be on its way before it is called behind."""
CLOCK_TOLERANCE: Final = 30.0
"""Seconds between this clock and the room's that nobody is bothered with."""
KEEPS_FAILING: Final = "failed"
"""The phase of a shipper that ends again and again."""


@dataclass(frozen=True, slots=True)
class ShipperReport:
    """What the table's shipper said last."""

    phase: str = "starting"
    """'starting', 'shipped', 'away', 'refused', 'alarm', or 'failed'."""
    day: str = ""
    seq: int = 0
    """The last event of the day that the room has."""
    witnessed: int = 0
    has_witness: bool = False
    message: str = ""
    alarm: str = ""
    """Its kind, if this log differs from the room's copy."""
    since: float = 0.0
    clock_offset: float = 0.0
    """Seconds by which this machine's clock is ahead of the room's."""


class RoomLink(Protocol):
    """The shipper, as the console sees it. Neither call waits for anything."""

    @property
    def said(self) -> ShipperReport: ...

    def beat(self, beat: Mapping[str, object]) -> None:
        """What the room may show of the table now; lost if the shipper cannot take it."""


@dataclass(frozen=True, slots=True)
class RoomStatus:
    """Where the room stands, as the screen shows it."""

    phase: Literal[
        "starting", "witnessed", "received", "behind", "away", "refused", "failed", "alarm"
    ] = "starting"
    behind: int = 0
    """Events that the room's witness has not signed, or that the room does not have."""
    since: float = 0.0
    alarm: str = ""
    message: str = ""
    clock_offset: int = 0
    """Whole seconds, if they are more than is tolerated."""

    @property
    def trouble(self) -> str:
        """What is wrong and does not pass by itself; empty: nothing."""
        if self.phase == "alarm":
            return self.alarm
        if self.phase in ("refused", "failed"):
            return self.phase
        return "clock" if self.clock_offset else ""


@dataclass(frozen=True, slots=True)
class RoomWatch:
    """The status, and what it takes to work out the next one."""

    status: RoomStatus = RoomStatus()
    waiting: tuple[int, float] | None = None
    """The first event that is not in the room or not witnessed, and when that was noticed."""
    seen: str = ""
    """The trouble that somebody at the table has acknowledged."""

    @property
    def unseen_trouble(self) -> str:
        trouble = self.status.trouble
        return "" if trouble == self.seen else trouble


def look(watch: RoomWatch, said: ShipperReport, day: str, seq: int, now: float) -> RoomWatch:
    """The room as it stands, from what its shipper says and the last event of this log.

    `now` is a clock that is never moved.
    """
    there = said.witnessed if said.has_witness else said.seq
    there = there if said.day == day else 0
    waiting = watch.waiting
    if waiting is None or there >= waiting[0]:
        waiting = (seq, now) if there < seq else None
    status = _status(watch.status, said, max(seq - there, 0), waiting, now)
    seen = watch.seen if status.trouble == watch.seen else ""
    return RoomWatch(status, waiting, seen)


def _status(
    before: RoomStatus,
    said: ShipperReport,
    behind: int,
    waiting: tuple[int, float] | None,
    now: float,
) -> RoomStatus:
    if said.alarm:
        return RoomStatus("alarm", behind, said.since, said.alarm, said.message)
    if said.phase == "refused":
        return RoomStatus("refused", behind, said.since, message=said.message)
    # It stands until the room has taken something: silence is no sign that all is well again.
    if before.phase in ("alarm", "refused") and said.phase != "shipped":
        return before
    if said.phase == KEEPS_FAILING:
        return RoomStatus("failed", behind, said.since, message=said.message)
    offset = round(said.clock_offset) if abs(said.clock_offset) > CLOCK_TOLERANCE else 0
    if said.phase == "away":
        return RoomStatus("away", behind, said.since, clock_offset=offset)
    if waiting is not None and now - waiting[1] > PATIENCE:
        return RoomStatus("behind", behind, clock_offset=offset)
    if said.phase == "starting":
        return RoomStatus()
    return RoomStatus("witnessed" if said.has_witness else "received", clock_offset=offset)


def acknowledged(watch: RoomWatch) -> RoomWatch:
    return replace(watch, seen=watch.status.trouble)


# In words


def status_text(status: RoomStatus) -> str:
    """'witnessed', 'behind by 12 events', 'away since 21:04, 310 events wait'."""
    events = "1 event" if status.behind == 1 else f"{status.behind:,} events"
    match status.phase:
        case "starting":
            return "connecting"
        case "received":
            return "has everything, no witness"
        case "behind":
            return f"behind by {events}"
        case "away":
            since = time.strftime("%H:%M", time.localtime(status.since))
            waits = f", {events} wait" if status.behind else ""
            return f"away since {since}{waits}"
        case "refused":
            return "refuses this table"
        case "failed":
            return "the program that sends the log fails"
        case "alarm":
            return f"log alarm ({status.alarm.replace('_', ' ')})"
    return "witnessed"


_CALL: Final = "Deal on, leave this machine as it is, and call a shift manager."
_ALARMS: Final = {
    "rolled_back": "The room has more of this log than is here. It was cut, or put back from a "
    f"backup. {_CALL}",
    "forked": "This log is not the one that the room has. It was written again, or another table "
    f"uses this name. {_CALL}",
    "broken": f"This log does not fit its own hashes. It was changed or is damaged. {_CALL}",
    "unsound": f"The room's witness found that this log is not sound, and signs no more. {_CALL}",
    "unlinked": "A day of this log is missing: today does not follow the last day that the room "
    f"has. {_CALL}",
    "foreign": "This is another table's log: the bundle or the data folder is the wrong one. Deal "
    "on, and call the floor.",
    "alarmed": "The room takes nothing from this table until a shift manager enrolls it again. "
    "Deal on, and call a shift manager.",
}


def room_alarm(status: RoomStatus) -> Alarm | None:
    """The line for what does not pass by itself, with what to do."""
    match status.phase:
        case "alarm":
            return Alarm("fault", f"LOG ALARM: {_ALARMS.get(status.alarm, status.message)}")
        case "refused":
            return Alarm("fault", f"ROOM: {status.message} Deal on, and tell the shift manager.")
        case "failed":
            return Alarm("warn", f"ROOM: {status.message}")
    if status.clock_offset:
        ahead = "ahead of" if status.clock_offset > 0 else "behind"
        return Alarm(
            "warn",
            f"CLOCK: this machine is {_span(abs(status.clock_offset))} {ahead} the room. Deal on; "
            "have its clock set between hands.",
        )
    return None


def still_open(status: RoomStatus) -> str:
    """In a word, what is not as it should be, whether or not it was acknowledged."""
    if status.phase in ("starting", "witnessed", "received"):
        return "CLOCK differs from the room's" if status.clock_offset else ""
    return f"ROOM {status_text(status)}"


def room_lamp(status: RoomStatus) -> DeviceView:
    """A log alarm has a name of its own there: it stays after it was acknowledged."""
    if status.phase == "alarm":
        return DeviceView("LOG ALARM", "fault", status.alarm.replace("_", " "))
    name = "ROOM"
    if status.phase in ("refused", "failed"):
        return DeviceView(name, "fault", status_text(status))
    if status.phase in ("behind", "away") or status.clock_offset:
        return DeviceView(name, "warn", status_text(status))
    return DeviceView(name, "off" if status.phase == "starting" else "ok", status_text(status))


def room_lines(status: RoomStatus) -> list[str]:
    """For the device page."""
    lines = [f"ROOM  {status_text(status)}"]
    alarm = room_alarm(status)
    if alarm is not None:
        lines.append(f"  {alarm.text}")
    if status.phase == "away":
        lines.append("  The table deals on; everything is sent when the room is back.")
    return lines


def _span(seconds: int) -> str:
    hours, minutes = seconds // 3600, seconds % 3600 // 60
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min" if minutes else f"{seconds} s"
