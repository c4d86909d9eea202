"""What the device page and the slip say of a device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_drivers.text import printable

from omaha_table.dealer.alarms import device_alarms
from omaha_table.session.deck_text import lower_trust

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.dealer.model import Facts
    from omaha_table.session.device_status import Device
    from omaha_table.table.device_records import DeviceRecord, Meters

_LONGEST: Final = 60


def device_lines(facts: Facts, device: Device) -> Iterator[tuple[str, int]]:
    """Lines with how far they are indented."""
    trust = f", {device.trust}" if device.link == "live" else ""
    trust += ", lower trust" if trust and lower_trust(device) else ""
    out = " (out of use)" if device.kind in facts.state.devices_out else ""
    doing = printable(device.doing, 200)
    yield f"{device.name.upper()}  {device.link}{trust}{out}: {doing}", 0
    for lack in lower_trust(device):
        yield lack, 2
    for alarm in reversed(device_alarms(facts, device)):
        seen = " (acknowledged)" if alarm.acknowledged else ""
        yield f"! {alarm.text[:1].upper()}{alarm.text[1:]}{seen}", 2
    if device.warned and "warning" not in dict(device.alarms):
        yield f"Last warning: {printable(device.warned, _LONGEST)}", 2
    record = facts.state.device_records.get(device.name)
    if record is None:
        return
    if record.accepted is not None:
        yield _identity(record), 2
    yield f"Meters: {meters_text(record.meters)}", 2
    if record.meters != record.since_service:
        yield f"Since service: {meters_text(record.since_service)}", 2


def _identity(record: DeviceRecord) -> str:
    is_now = record.answers_as or record.accepted
    assert is_now is not None
    named = " ".join(filter(None, (is_now.vendor, is_now.model))) or "unnamed"
    return printable(
        f"{named}, serial {is_now.serial or 'unknown'}, firmware {is_now.firmware or 'unknown'}",
        200,
    )


def meters_text(meters: Meters) -> str:
    """'84 shuffles, 1 bad, 1 jam, 2 reconnects': what is not 0."""
    named = (
        (meters.shuffles, "good shuffle", "good shuffles"),
        (meters.bad_shuffles, "bad shuffle", "bad shuffles"),
        (meters.jams, "jam", "jams"),
        (meters.decks, "deck dealt", "decks dealt"),
        (meters.unread, "unread card", "unread cards"),
        (meters.link_errors, "link error", "link errors"),
        (meters.reconnects, "reconnect", "reconnects"),
    )
    counted = [f"{count:,} {one if count == 1 else many}" for count, one, many in named if count]
    return ", ".join(counted) or "nothing counted yet"
