"""One line of `room status`: a table's log, and what the table said of itself last."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from omaha_table.room.overview import TableStatus

SILENT: Final = 10.0
"""Seconds without a heartbeat: a table sends one every two."""


ON_ITS_WAY: Final = 2.0
"""Seconds that an event may be in the room before it counts as not witnessed."""


def status_line(table: TableStatus) -> str:
    if not table.day:
        heard = _step(table) if table.beat else ""
        return f"{table.table:<12} nothing received yet{heard}"
    if table.alarm:
        state = f"ALARM: {table.alarm}"
    elif table.cosigned_seq == table.seq:
        state = "witnessed"
    elif table.cosigned_seq and (table.seconds_behind or 0.0) < ON_ITS_WAY:
        state = f"witnessed, {(table.seq or 0) - table.cosigned_seq} on the way"
    else:
        state = f"witnessed to {table.cosigned_seq or 0}"
    return f"{table.table:<12} {table.day:<12} event {table.seq:>7,}  {state}{_step(table)}"


def _step(table: TableStatus) -> str:
    """When it was heard, and where it was."""
    last = table.last_heard
    at = "never" if last is None else time.strftime("%H:%M:%S", time.localtime(last))
    beat, since = table.beat, table.seconds_since_beat
    if beat is None or since is None:
        return f", heard {at}"
    if since > SILENT:
        return f", SILENT since {at}"
    return f", heard {at}{_at_work(beat)}"


def _at_work(beat: dict[str, Any]) -> str:
    """A table may say of itself what it likes: nothing here relies on the form of it."""
    if beat.get("console_silent"):
        return ", the console hangs"
    parts = []
    step = beat.get("step")
    if beat.get("hand"):
        parts.append(f"hand {beat['hand']}")
    if beat.get("street"):
        parts.append(f"{beat['street']}")
    if isinstance(step, dict) and step.get("what"):
        seat = f" (seat {step['seat']})" if step.get("seat") else ""
        parts.append(f"{step['what']}{seat}")
    if beat.get("floor_called"):
        parts.append("FLOOR CALLED")
    devices = beat.get("devices")
    bad = [
        f"{one.get('name')} {one.get('state')}"
        for one in (devices if isinstance(devices, list) else ())
        if isinstance(one, dict) and one.get("state") in ("warn", "fault")
    ]
    return "".join(f", {part[:60]}" for part in (*parts, *bad))
