"""Turns device reports into commands for the table, and unreliable reports into alarms.

A shuffler makes a deck ready: counted, complete, taken out. A shoe fills the next slot of the deal.
If a device is lost during a hand, nobody waits for it: the dealer continues by hand from the same
slot, and the shoe is used again with the next hand. If nothing was dealt by hand meanwhile and the
device can resend what was missed, it continues where it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_drivers import events as device_events

from omaha_table.hand.commands import ReportTrouble
from omaha_table.journal.faults import JournalFault
from omaha_table.session.attached import Attached
from omaha_table.session.device_meters import MeterReader
from omaha_table.session.device_status import UNREAD_PER_100, Device, updated
from omaha_table.session.shoe import DONE_WITH, OF_CARDS, Shoe
from omaha_table.session.shuffler import Shuffler
from omaha_table.table.commands import NoteDevice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from omaha_drivers.events import DeviceEvent, Report
    from omaha_drivers.settings import DeviceSettings, Kind

    from omaha_table.hand import HandState
    from omaha_table.journal.events import Record
    from omaha_table.session.commands import SessionCommand
    from omaha_table.session.equipment import Missing
    from omaha_table.session.session import Session


class Devices:
    """The devices of one session. One thread calls `take` with every report, in order."""

    def __init__(
        self,
        session: Session,
        configured: Sequence[DeviceSettings],
        missing: Sequence[Missing] = (),
        unread_per_100: float = UNREAD_PER_100,
    ) -> None:
        self._session = session
        self.devices = {
            given.name: Device(
                given.name,
                given.kind,
                reports_backs=given.reports_backs,
                reports_cycles=given.reports_cycles,
                unread_per_100=unread_per_100,
            )
            for given in configured
        }
        for one in missing:
            if one.device is not None:
                self.devices[one.what] = Device(one.what, one.device, doing=one.problem)
        self._attached = Attached(session, self.devices)
        self._shuffler, self._shoe = Shuffler(self._attached), Shoe(self._attached)
        self._hand = session.state.hands if session.state.hand is not None else -1
        self._held: list[Report] = []
        """Reports of the shoe that wait while somebody checks the cards."""
        self._early: list[Report] = []
        """Cards that were drawn before the hand is started, and wait for it."""
        self._meters = MeterReader(session)

    def use(self, session: Session) -> None:
        """Switches to the new session after the journal was opened again.

        The last write may be in the journal although it was not confirmed, and its report will
        come again. So the number of the next card is taken from the cards on the table.
        """
        self._session = self._attached.session = session
        self._shoe.log_reopened()
        self._meters.use(session)

    def of(self, kind: Kind) -> Device | None:
        return self._attached.of(kind)

    @property
    def by_hand(self) -> bool:
        """Whether this hand is dealt without the shoe, which then waits for the next hand."""
        return self._shoe.by_hand

    @property
    def shoe_deals(self) -> bool:
        """Whether the next cards come from the shoe."""
        return self._shoe.deals

    def dealt_by_hand(self) -> None:
        """The dealer keys cards now: the shoe's reports no longer match the slots of this hand."""
        self._shoe.dealt_by_hand()

    def dealt_unread(self) -> None:
        """The dealer records a card that the shoe missed; a late report of it will be ignored."""
        self._shoe.dealt_unread()

    def acknowledge(self, name: str, cause: str) -> None:
        """The dealer has seen an alarm; a new report raises it again."""
        self.devices[name] = self.devices[name].seen(cause)

    def count_line(self, totals: Mapping[str, Mapping[str, int]]) -> list[Record]:
        """Records how many messages arrived damaged, as the drivers count them."""
        records: list[Record] = []
        if not self._session.state.closed:
            for command in self._meters.line_counted(totals):
                records += self._session.do(command, actor=f"device:{command.device}").records
        return records

    def take(self, report: Report) -> list[Record]:
        """Carries out a report and returns what was recorded."""
        self.end_alarms()
        records = self.release()
        self._new_hand()
        hand = self._session.state.hand
        device = self.devices[report.device]
        if device.kind == "shoe" and hand is None:
            self._forget_early(report.event)
            if self._is_early(report):
                return records + self._keep_early(report)
        waits = device.kind == "shoe" and hand is not None and self._waits(report.event, hand)
        if waits:
            self._held.append(report)
            return records + self.release()
        records += self._take(report)
        if self._shoe.keeps:
            self._shoe.keeps = False
            self._held.insert(0, report)
        self.end_alarms()
        return records

    def _waits(self, event: DeviceEvent, hand: HandState) -> bool:
        """Whether a report waits for its turn while somebody checks the cards."""
        if hand.trouble is None:
            return False
        if isinstance(event, device_events.EventsLost):
            return hand.trouble != "events_lost" or bool(self._held)
        return isinstance(event, OF_CARDS)

    def _learn(self, report: Report) -> list[Record]:
        """A card that waits tells how many were lost before it, if any."""
        known = self._shoe.known()
        records: list[Record] = []
        device = self.devices[report.device]
        try:
            for command in self._shoe.learn(device, report.event):
                records += self._session.do(command, None, f"device:{device.name}").records
        except JournalFault:
            self._shoe.restore(known)
            raise
        return records

    def release(self) -> list[Record]:
        """Carries out the reports that waited while somebody checked the cards."""
        self._new_hand()
        records = self._ask_about_early()
        while self._held and not self._early:
            records += self._learn(self._held[0])
            hand = self._session.state.hand
            if hand is not None and hand.trouble is not None:
                break
            records += self._take(self._held[0])
            if self._shoe.keeps:
                self._shoe.keeps = False
                break
            self._held.pop(0)
        return records

    # Cards that are drawn before the hand is started

    def _is_early(self, report: Report) -> bool:
        if self.devices[report.device].kind in self._session.state.devices_out:
            return False
        return self._shoe.is_early(report, len(self._early))

    def _keep_early(self, report: Report) -> list[Record]:
        """It waits for the hand, which the dealer may only have forgotten to start."""
        device = self.devices[report.device]
        records: list[Record] = []
        if not self._early:
            for note in self._attached.note(device, "card_outside_a_hand"):
                records += self._session.do(note, None, f"device:{device.name}").records
        self._early.append(report)
        device = self.devices[report.device] = updated(device, report.event)
        self._shoe.early_alarm(device)
        return records

    def _forget_early(self, event: DeviceEvent) -> None:
        """The cards are back in the shoe, or another deck is in it."""
        if isinstance(event, device_events.CardReturned):
            self._early = self._early[:-1]
        elif isinstance(event, device_events.ShoeLoaded):
            self._early = []
        shoe = self.of("shoe")
        if shoe is not None and not self._early:
            self._attached.end_alarm(shoe, "early")

    def _ask_about_early(self) -> list[Record]:
        """The hand has begun: were these cards dealt, or put back?"""
        hand = self._session.state.hand
        if not self._early or hand is None or hand.trouble is not None or hand.cards_dealt:
            return []
        count, name = len(self._early), self._early[0].device
        done = self._session.do(ReportTrouble("early_card", count), None, f"device:{name}")
        self._held = [*self._early, *self._held]
        self._early = []
        self._attached.end_alarm(self.devices[name], "early")
        return done.records

    def put_back_early(self) -> None:
        """The dealer has put the cards that came before the hand back into the shoe."""
        self._shoe.put_back_early(len(self._held))
        self._held = []

    def _take(self, report: Report) -> list[Record]:
        known = self._shoe.known()
        try:
            return self._carry_out(report)
        except JournalFault:
            # The report will come again and must then have the same effect.
            self._meters.failed()
            self._shoe.restore(known)
            raise

    def _carry_out(self, report: Report) -> list[Record]:
        before = self.devices[report.device]
        device = self.devices[report.device] = updated(before, report.event)
        actor = f"device:{device.name}"
        records: list[Record] = []
        commands = self._commands(device, report)
        if not self._session.state.closed:
            moves = any(map(_moves, commands)) and not self._shoe.keeps
            for noted in self._meters.commands(before, report, moves=moves):
                records += self._session.do(noted, actor=actor).records
        for at, command in enumerate(commands, start=1):
            # The resume point moves only when all commands of a report are done.
            done_with_report = at == len(commands) and _moves(command)
            waits = self._shoe.keeps or self._overtakes_held(report)
            resumable = report.resume_token and not waits
            point = (report.device, report.resume_token)
            resume_point = point if done_with_report and resumable else None
            done = self._session.do(command, resume_point, actor)
            if done.refusal is not None:
                self._attached.alarm(device, "refused", done.refusal.message)
                note = NoteDevice(device.name, "not_taken", done.refusal.code)
                done = self._session.do(note, resume_point, actor)
            records += done.records
        return records

    def _overtakes_held(self, report: Report) -> bool:
        """Whether earlier cards still wait: after a restart the device must send those again."""
        first = next(iter((*self._early, *self._held)), report)
        return first is not report and first.device == report.device

    def _new_hand(self) -> None:
        """With a new hand the shoe starts over."""
        state = self._session.state
        hand = state.hands if state.hand is not None else -1
        if hand != self._hand:
            self._hand = hand
            self._attached.new_hand()
            self._shoe.new_hand()

    def end_alarms(self) -> None:
        """Ends alarms whose remedy the table has seen done, or whose hand is over."""
        self._attached.end_alarms()
        self._shuffler.end_alarms()

    def _commands(self, device: Device, report: Report) -> list[SessionCommand]:
        event = report.event
        if device.kind in self._session.state.devices_out and not isinstance(
            event, device_events.LinkChanged
        ):
            return []
        if device.kind == "shuffler":
            return self._shuffler.commands(device, event)
        return self._shoe.commands(device, event, late=report.late)


def _moves(command: SessionCommand) -> bool:
    """Whether the device goes on after its report once this is done; a note may be repeated."""
    return not isinstance(command, NoteDevice) or command.what in DONE_WITH
