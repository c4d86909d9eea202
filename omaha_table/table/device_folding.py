"""Folds what concerns a device beyond the hand into its record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.hand.frozen import replace
from omaha_table.table import events
from omaha_table.table.device_records import MOST_CHANGES, DeviceRecord

if TYPE_CHECKING:
    from omaha_table.table.state import TableState


def fold_device(state: TableState, event: events.DeviceEvent) -> TableState:
    records = state.device_records
    if isinstance(event, events.DevicesCarried):
        return replace(state, device_records=dict(event.devices))
    record = records.get(event.device, DeviceRecord())
    match event:
        case events.DeviceIdentified(identity=identity):
            if record.accepted is None:
                record = replace(record, accepted=identity)
            else:
                other = None if identity == record.accepted else identity
                record = replace(record, answers_as=other)
        case events.DeviceChanged(what="service"):
            record = replace(record, serviced=True)
        case events.DeviceChanged(setting=setting):
            others = tuple(one for one in record.settings if one != setting)
            record = replace(record, settings=(*others, setting)[-MOST_CHANGES:])
        case events.DeviceAccepted():
            record = replace(
                record,
                accepted=record.answers_as or record.accepted,
                answers_as=None,
                settings=(),
                serviced=False,
                at_service=record.meters if record.serviced else record.at_service,
            )
        case events.DeviceMetered(counted=counted):
            record = replace(record, meters=record.meters.plus(counted))
    return replace(state, device_records=records | {event.device: record})


def restored(state: TableState, device: str) -> TableState:
    """The floor puts a device back into use: repaired or tested, so its meters start over."""
    record = state.device_records.get(device)
    if record is None:
        return state
    record = replace(record, at_service=record.meters)
    return replace(state, device_records=state.device_records | {device: record})
