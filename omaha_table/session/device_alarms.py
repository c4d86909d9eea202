"""Every alarm of a device: its sentence, how serious it is, and what ends it.

A sentence says what is wrong and what to do. The dealer acknowledges an alarm with one key, which
takes it off the alarm line. What is still wrong then stays on the device page. A change of firmware
or settings is acknowledged by the floor alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from omaha_drivers.events import Link
from omaha_drivers.text import printable

from omaha_table.floor import BY_NAME
from omaha_table.table.device_records import DeviceRecord, changes_of

if TYPE_CHECKING:
    from omaha_drivers.events import AdapterFailed, DeckFaulty, DeckVerified
    from omaha_drivers.settings import Kind

    from omaha_table.session.device_status import Device

STOPPING: Final = frozenset(("jam", "door", "fault", "service"))
"""Causes of alarms during which the device cannot be used."""
STANDING: Final = STOPPING | {"link", "adapter", "state", "empty", "changed", "service_due"}
"""What the device or the floor ends. Any other alarm is over once the dealer has seen it."""
_WARNINGS: Final = frozenset(
    ("link", "adapter", "driver", "warning", "aborted", "cut_card", "empty", "changed",
     "service_due")
)  # fmt: skip
"""The table goes on with the device or by hand; any other alarm is a fault."""
NOT_IN_THE_WAY: Final = frozenset(
    ("link", "adapter", "driver", "warning", "cut_card", "changed", "service_due")
)
"""Alarms that say nothing about the deck or the next card."""
_SHORT: Final = {
    "adapter": "driver failed", "state": "not ready", "jam": "jammed",
    "door": "lid open", "fault": "fault",
    "service": "in service", "empty": "empty", "changed": "changed", "service_due": "service due",
}  # fmt: skip
_LINKS: Final = {
    Link.DOWN: "down",
    Link.OPENING: "not answering",
    Link.LIVE: "connected",
    Link.SILENT: "silent",
    Link.WRONG: "refused",
}
_DECK_FAULTS: Final = {
    "missing": "A card is missing",
    "duplicate": "A card is in the deck twice",
    "foreign": "A card of another deck is in it",
}
_LONGEST: Final = 60
"""Of what a device says in a word of its own."""
_DECKS: Final = 100
"""How many decks the threshold for service is counted in."""


@dataclass(frozen=True, slots=True)
class DeviceAlarm:
    cause: str
    text: str
    level: Literal["warn", "fault"]
    acknowledged: bool = False

    @property
    def for_floor(self) -> bool:
        """Whether only the floor can acknowledge it."""
        return self.cause == "changed"


def alarms_of(device: Device, record: DeviceRecord | None) -> tuple[DeviceAlarm, ...]:
    """All that is wrong with a device: what it reported, and what its record says of it."""
    stopped = any(cause in STOPPING for cause, _ in device.alarms)
    found = [alarm for alarm in device.alarms if not (stopped and alarm[0] == "state")]
    found += _of_record(device, record or DeviceRecord())
    return tuple(
        DeviceAlarm(
            cause,
            text,
            "warn" if cause in _WARNINGS else "fault",
            acknowledged=cause in device.acknowledged and cause != "changed",
        )
        for cause, text in found
    )


def _of_record(device: Device, record: DeviceRecord) -> list[tuple[str, str]]:
    found = []
    if record.needs_floor:
        number = BY_NAME["accept"].number
        what = printable("; ".join(changes_of(record)), 400)
        found.append(("changed", f"Changed: {what}. The floor accepts it: / PIN {number}."))
    if service_due(record, device.unread_per_100):
        since = record.since_service
        cards = f"{since.unread} cards unread in {since.decks} decks"
        found.append(("service_due", f"Service due: {cards}. Call the technician."))
    return found


def service_due(record: DeviceRecord, unread_per_100: float) -> bool:
    """Whether more cards were unread since the last service than the table's file allows.

    In fewer than a hundred decks as many are allowed as in a hundred.
    """
    since = record.since_service
    return since.unread > unread_per_100 * max(since.decks, _DECKS) / _DECKS


def short(device: Device, alarm: DeviceAlarm) -> str:
    """In a word or two, for the line of what is still open."""
    return _LINKS[device.link] if alarm.cause == "link" else _SHORT.get(alarm.cause, alarm.cause)


def link_word(link: Link) -> str:
    return "connecting" if link is Link.OPENING else _LINKS[link]


# The sentences


def link_alarm(kind: Kind, link: Link, why: str) -> str:
    todo = {
        Link.OPENING: "Check power, cable and settings.",
        Link.WRONG: "Call the floor.",
    }.get(link, "Check power and cable.")
    return f"{_LINKS[link]}: {printable(why, 200).rstrip('.')}. {_by_hand(kind, todo)}"


def adapter_alarm(kind: Kind, failed: AdapterFailed) -> str:
    module, error = printable(failed.module, 80), printable(failed.error, _LONGEST)
    if failed.stage == "run":
        return f"The driver {module} failed ({error}) and is started again. " + _by_hand(
            kind, "Call the technician."
        )
    doing = "loaded" if failed.stage == "load" else "started"
    todo = _by_hand(kind, "Call the technician.")
    return f"The driver {module} cannot be {doing} ({error}). {todo}"


def _by_hand(kind: Kind, todo: str) -> str:
    return todo if kind == "shuffler" else f"Deal by hand. {todo}"


def count_alarm(event: DeckVerified) -> str:
    return (
        f"The deck counted {event.count} of 52 ({event.result}) and is out of play. "
        "Use another deck; call the floor."
    )


def deck_alarm(event: DeckFaulty) -> str:
    fault = _DECK_FAULTS[event.what]
    return f"{fault}: the deck is out of play. Use another deck; call the floor."


def jam_alarm(place: str) -> str:
    where = f" at {printable(place, _LONGEST).lower()}" if place else ""
    return f"Jam{where}: open the lid, clear the card, close the lid."


def aborted_alarm(why: str) -> str:
    because = f" ({printable(why, _LONGEST)})" if why else ""
    return f"The shuffle was aborted{because}. Take the deck out and put it in again."


def fault_alarm(kind: Kind, code: str) -> str:
    return f"Fault {printable(code, _LONGEST)}. {_by_hand(kind, 'Call the technician.')}"


def warning_alarm(code: str) -> str:
    return f"Warning: {printable(code, _LONGEST)}. It still works. Report it to the technician."


def state_alarm(kind: Kind, state: Literal["ok", "jammed", "open", "faulty", "service"]) -> str:
    """Of the state in which a device was found; empty: it is in order."""
    match state:
        case "ok":
            return ""
        case "jammed":
            return jam_alarm("")
        case "open":
            return LID_OPEN
        case "faulty":
            return f"It reports a fault. {_by_hand(kind, 'Call the technician.')}"
        case "service":
            return IN_SERVICE


LID_OPEN: Final = "The lid is open. Close it."
IN_SERVICE: Final = "In service mode: do not use it for play. Call the floor."
EMPTY: Final = "The shoe is empty. Load a deck."
CUT_CARD: Final = "The cut card is out. Load a new deck after this hand."
