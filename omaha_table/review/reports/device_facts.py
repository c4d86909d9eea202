"""What the devices counted in the time of a report, and what changed about them."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from omaha_table.review.reports.page import Table, clock, numbers, rows, texts, times
from omaha_table.table.device_records import Meters
from omaha_table.table.events import DeviceChanged, DeviceIdentified, DeviceMetered

if TYPE_CHECKING:
    from collections.abc import Iterable

    from omaha_table.review.index.moments import Moment

_NOTHING: Final = Meters()


def meters_in(moments: Iterable[Moment]) -> dict[str, Meters]:
    """By device, summed over the tables of the report."""
    found: dict[str, Meters] = {}
    for moment in moments:
        event = moment.event
        if isinstance(event, DeviceMetered):
            found[event.device] = found.get(event.device, _NOTHING).plus(event.counted)
    return dict(sorted(found.items()))


def device_tables(moments: Iterable[Moment]) -> list[Table]:
    kept = list(moments)
    meters = meters_in(kept)
    tables = []
    if meters:
        columns = (
            *texts("Device"),
            *numbers("Shuffles", "Bad", "Jams", "Decks", "Unread", "In 100 decks"),
            *numbers("Link errors", "Reconnects"),
        )
        lines = [
            (
                name,
                *(f"{n:,}" for n in (one.shuffles, one.bad_shuffles, one.jams, one.decks)),
                f"{one.unread:,}",
                f"{100 * one.unread / one.decks:.1f}" if one.decks else "-",
                f"{one.link_errors:,}",
                f"{one.reconnects:,}",
            )
            for name, one in meters.items()
        ]
        tables.append(Table("Devices", columns, rows(*lines), narrow=True))
    changed = [
        (clock(moment.at_us), moment.event.device, _what(moment.event))
        for moment in kept
        if isinstance(moment.event, DeviceChanged | DeviceIdentified)
    ]
    if changed:
        columns = (*times("Time"), *texts("Device", "What"))
        tables.append(Table("Devices changed", columns, rows(*changed), narrow=True))
    return tables


def _what(event: DeviceChanged | DeviceIdentified) -> str:
    if isinstance(event, DeviceIdentified):
        is_now = event.identity
        named = " ".join(filter(None, (is_now.vendor, is_now.model))) or "unnamed"
        serial, firmware = is_now.serial or "unknown", is_now.firmware or "unknown"
        return f"connected as {named}, serial {serial}, firmware {firmware}"
    return "was in service mode" if event.what == "service" else f"setting {event.setting}"


def device_data(moments: Iterable[Moment]) -> dict[str, Any]:
    found = {name: asdict(one) for name, one in meters_in(moments).items()}
    return {"devices": found} if found else {}
