"""The alarm line: what it shows when several things want it, and what one key acknowledges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omaha_drivers.events import Link

from omaha_table.dealer.event_text import minutes
from omaha_table.dealer.room_status import ROOM, room_alarm, still_open
from omaha_table.dealer.table_view import Alarm
from omaha_table.session.device_alarms import alarms_of, link_word, short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.dealer.model import Facts, Model
    from omaha_table.session.device_alarms import DeviceAlarm
    from omaha_table.session.device_status import Device
    from omaha_table.table import TableState


@dataclass(frozen=True, slots=True)
class Standing:
    """What is wrong for longer than a moment."""

    alarm: Alarm
    device: str = ""
    cause: str = ""
    """With the device: which of its alarms."""
    missing: bool = False
    """It is about something that the table's file asks for and that was not there."""

    @property
    def can_be_acknowledged(self) -> bool:
        return self.missing or bool(self.cause)


def alarm_line(model: Model) -> Alarm:
    """The answer to the last key first, then what is wrong, then what somebody says."""
    if model.answer.level != "none":
        return model.answer
    standing = standing_alarm(model.facts)
    if standing is not None:
        return standing.alarm
    hand = model.state.hand
    if hand is not None and hand.clock is not None and len(model.modes) > 1:
        left = hand.clock.left(model.wall)
        count = "1 second" if left == 1 else f"{left} seconds"
        return Alarm("info", f"Clock on seat {hand.clock.seat}: {count} left.")
    called = floor_call_text(model.state, model.wall)
    if called:
        return Alarm("call", called)
    if model.hint:
        return Alarm("hint", model.hint)
    if model.story.remedy:
        return Alarm("info", f"Remedy: {model.story.remedy[-1]}")
    out = [one for one in model.facts.devices if one.kind in model.state.devices_out]
    still = [*(f"{one.name.upper()} out of use" for one in out), *still_wrong(model.facts)]
    if still:
        return Alarm("info", f"Still open: {', '.join(still)}.  / * 3 has more.")
    return model.answer


def floor_call_text(state: TableState, wall: float) -> str:
    """'FLOOR CALLED 1:23'; empty: it is not called."""
    call = state.floor_call
    if call is None:
        return ""
    if call.arrived:
        return "FLOOR IS HERE"
    return f"FLOOR CALLED {minutes(max(int(wall) - call.at, 0))}"


def standing_alarm(facts: Facts) -> Standing | None:
    """The first of all that nobody has acknowledged; None: there is nothing."""
    return next(_standing(facts), None)


def _standing(facts: Facts) -> Iterator[Standing]:
    """What the dealer can see to first; what waits for the floor must not hide it."""
    room = facts.room
    alarm_of_room = None if room is None or not room.unseen_trouble else room_alarm(room.status)
    if room is not None and alarm_of_room is not None and room.status.phase == "alarm":
        # Somebody may have changed the log: that comes before everything else.
        yield Standing(alarm_of_room, ROOM, room.status.trouble)
    found = [
        (device, alarm)
        for device in facts.devices
        for alarm in reversed(device_alarms(facts, device))
        if not alarm.acknowledged
    ]
    for level in ("fault", "warn"):
        for device, alarm in found:
            if alarm.level == level and not alarm.for_floor:
                yield Standing(_line(device, alarm), device.name, alarm.cause)
    if facts.unseen:
        yield Standing(Alarm("fault", facts.unseen[0].alarm), missing=True)
    if facts.staff_problem:
        yield Standing(Alarm("fault", facts.staff_problem))
    if room is not None and alarm_of_room is not None:
        yield Standing(alarm_of_room, ROOM, room.status.trouble)
    if facts.mirror_fault and facts.state.hand is None:
        yield Standing(Alarm("warn", facts.mirror_fault))
    for device, alarm in found:
        if alarm.for_floor:
            yield Standing(_line(device, alarm))


def device_alarms(facts: Facts, device: Device) -> tuple[DeviceAlarm, ...]:
    """The alarms of a device; none while the floor has it out of use: nothing is left to do."""
    if device.kind in facts.state.devices_out:
        return ()
    return alarms_of(device, facts.state.device_records.get(device.name))


def _line(device: Device, alarm: DeviceAlarm) -> Alarm:
    gap = " " if alarm.text[:1].islower() else "  "
    return Alarm(alarm.level, f"{device.name.upper()}{gap}{alarm.text}")


def still_wrong(facts: Facts) -> list[str]:
    """In a word each, what was acknowledged and is not right yet."""
    found = []
    missing = {one.what for one in facts.missing}
    for device in facts.devices:
        if device.name in missing:
            continue
        name = device.name.upper()
        alarms = device_alarms(facts, device)
        if device.kind in facts.state.devices_out:
            continue
        if not alarms and device.link is not Link.LIVE:
            found.append(f"{name} {link_word(device.link)}")
        found += [f"{name} {short(device, alarm)}" for alarm in alarms]
    found += [f"{one.what.upper()} {one.problem}" for one in facts.missing]
    if facts.mirror_fault:
        found.append("SECOND COPY not written")
    open_at_room = "" if facts.room is None else still_open(facts.room.status)
    return [*found, open_at_room] if open_at_room else found
