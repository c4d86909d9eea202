"""Counts what devices report, for their service; the counts themselves are in the log.

After a restart a device sends again what came after the last report that changed the table. So a
count is recorded with such a report, and what a kill loses of it comes again and is counted then.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from omaha_drivers import events as said
from omaha_drivers.text import printable

from omaha_table.table.commands import IdentifyDevice, MeterDevice, NoteDeviceChange
from omaha_table.table.device_records import MOST_CHANGES, DeviceIdentity, DeviceRecord, Meters

if TYPE_CHECKING:
    from collections.abc import Mapping

    from omaha_drivers.events import DeviceEvent, Report

    from omaha_table.session.device_status import Device
    from omaha_table.session.session import Session

NOTHING: Final = Meters()
MOST_EVENTS: Final = 40
"""Of one device with the same number of hands dealt. What comes beyond is counted and recorded
later: a line that is out of order must not fill the log."""
LONGEST_SETTING: Final = 40
_NOT_SENT_AGAIN: Final = (said.LinkChanged, said.AdapterFailed, said.EventsLost)
"""What the driver reports of its own."""
_LINE_ERRORS: Final = ("bad frames", "rejected")


@dataclass(slots=True)
class _Counter:
    """One device's counts on their way to the log."""

    now: Meters = NOTHING
    """What the device does not send again: recorded at once."""
    held: Meters = NOTHING
    """Recorded with the next report that moves the resume point: until then it comes again."""
    cycle_is_bad: bool = False
    """The shuffle that goes on was counted as bad."""
    again: tuple[str, type] | None = None
    """A report that is in the log and comes again, by its token and what it reports."""
    line: int = 0
    """Damaged messages, as the driver counted them since it started."""


@dataclass(frozen=True, slots=True)
class _Last:
    """The last report, with the device's counts and meters before it."""

    device: str
    token: str
    kind: type
    counted: bool
    moves: bool
    counter: _Counter
    meters: Meters


class MeterReader:
    """What the reports of a session's devices add to their meters and change in their records."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._counters: dict[str, _Counter] = {}
        self._last: _Last | None = None
        self._failed = False
        """Whether the log did not take the last report."""
        self._seen: deque[Report] = deque(maxlen=16)
        """Reports that were counted: one may be carried out again after it has waited. None of them
        has a card in it, which would be kept here for longer than anywhere else."""
        self._hands, self._recorded = -1, Counter[str]()

    def failed(self) -> None:
        """The log did not take the last report, or did not confirm it: it will come again."""
        self._failed = True

    def use(self, session: Session) -> None:
        """Goes on with the journal as it was opened again: what of the last report is in it?"""
        self._session = session
        last, failed, self._failed = self._last, self._failed, False
        if last is None or not failed:
            return
        if self._record(last.device).meters == last.meters:
            self._counters[last.device] = last.counter
            if last.counted:
                self._seen.pop()
        else:
            again = (last.token, last.kind) if last.token else None
            held = NOTHING if last.moves else last.counter.held
            self._counters[last.device] = replace(last.counter, now=NOTHING, held=held, again=again)

    def _record(self, name: str) -> DeviceRecord:
        return self._session.state.device_records.get(name, DeviceRecord())

    def commands(
        self, before: Device, report: Report, *, moves: bool
    ) -> list[MeterDevice | IdentifyDevice | NoteDeviceChange]:
        """What a report changes in the record of a device, which was `before` it.

        `moves` says whether the report moves the point from which the device goes on.
        """
        self._new_hand()
        name, record = before.name, self._record(before.name)
        found = changes(name, record, report.event)
        found = found[: MOST_EVENTS - self._recorded[name]]
        self._recorded[name] += len(found)
        counter = self._counters.setdefault(name, _Counter())
        unchanged = replace(counter)
        counted = NOTHING
        if not any(one is report for one in self._seen):
            counted = _counted(before, report.event, counter)
        kept = counted != NOTHING and not isinstance(report.event, said.CardDrawn)
        if kept:
            self._seen.append(report)
        token, kind = report.resume_token, type(report.event)
        self._last = _Last(name, token, kind, kept, moves, unchanged, record.meters)
        if counter.again == (report.resume_token, type(report.event)):
            counted, counter.again = NOTHING, None
        if report.resume_token and not isinstance(report.event, _NOT_SENT_AGAIN):
            counter.held = counter.held.plus(counted)
        else:
            counter.now = counter.now.plus(counted)
        if moves:
            counter.now, counter.held = counter.now.plus(counter.held), NOTHING
        return [*found, *self._due(name, counter)]

    def line_counted(self, totals: Mapping[str, Mapping[str, int]]) -> list[MeterDevice]:
        """Takes in how many messages arrived damaged, by device, since the drivers started."""
        found = []
        for name, counts in totals.items():
            counter = self._counters.setdefault(name, _Counter())
            total = sum(counts.get(one, 0) for one in _LINE_ERRORS)
            # A driver that was started again counts from 0.
            more = total - counter.line if total >= counter.line else total
            counter.line = total
            counter.now = counter.now.plus(Meters(link_errors=more))
            found += self._due(name, counter)
        return found

    def _new_hand(self) -> None:
        hands = self._session.state.hands
        if hands != self._hands:
            self._hands = hands
            self._recorded.clear()

    def _due(self, name: str, counter: _Counter) -> list[MeterDevice]:
        self._new_hand()
        if counter.now == NOTHING or self._recorded[name] >= MOST_EVENTS:
            return []
        self._recorded[name] += 1
        counted, counter.now = counter.now, NOTHING
        return [MeterDevice(name, counted)]


def _counted(before: Device, event: DeviceEvent, counter: _Counter) -> Meters:
    """What one report adds. A shuffle is good or bad once, whatever is wrong with it."""
    match event:
        case said.ShuffleStarted() | said.DeckIn():
            counter.cycle_is_bad = False
        case said.ShuffleComplete(count=52) if not counter.cycle_is_bad:
            return Meters(shuffles=1)
        case said.Jammed():
            return replace(_bad(counter), jams=1)
        case (
            said.DeckFaulty()
            | said.ShuffleAborted()
            | said.DeckVerified(ok=False)
            | said.ShuffleComplete()
        ):
            return _bad(counter)
        case said.CardDrawn(number=1):
            return Meters(decks=1)
        case said.CardUnreadable():
            return Meters(unread=1, decks=int(event.number == 1))
        case said.EventsLost() | said.LinkChanged(link=said.Link.SILENT):
            return Meters(link_errors=1)
        case said.AdapterFailed(stage="run"):
            return Meters(link_errors=1)
        case said.LinkChanged(link=said.Link.LIVE):
            known = before.was_live and before.link is not said.Link.LIVE
            return Meters(reconnects=int(known))
    return NOTHING


def _bad(counter: _Counter) -> Meters:
    first, counter.cycle_is_bad = not counter.cycle_is_bad, True
    return Meters(bad_shuffles=int(first))


def changes(
    name: str, record: DeviceRecord, event: DeviceEvent
) -> list[IdentifyDevice | NoteDeviceChange]:
    """What the floor must accept, or what is known of the device from now on."""
    match event:
        case said.Identified():
            identity = DeviceIdentity(event.vendor, event.model, event.serial, event.firmware)
            return [] if identity == known_identity(record) else [IdentifyDevice(name, identity)]
        case said.SettingsChanged():
            key = printable(event.key, LONGEST_SETTING)
            if key not in record.settings and len(record.settings) < MOST_CHANGES:
                return [NoteDeviceChange(name, "setting", key)]
        case said.ServiceMode(on=True) | said.StateFound(state="service") if not record.serviced:
            return [NoteDeviceChange(name, "service")]
    return []


def known_identity(record: DeviceRecord) -> DeviceIdentity | None:
    """What a device last said of itself."""
    return record.answers_as or record.accepted
