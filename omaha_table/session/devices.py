"""Turns device reports into commands for the table, and unreliable reports into alarms.

A shuffler makes a deck ready: counted, complete, taken out. A shoe fills the next slot of the deal.
If a device is lost during a hand, nobody waits for it: the dealer continues by hand from the same
slot, and the shoe is used again with the next hand. If nothing was dealt by hand meanwhile and the
device can resend what was missed, it continues where it was. The shoe numbers its cards: a card
whose number is not the next one is never dealt to a slot.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from omaha_drivers import events as device_events

from omaha_table.hand.commands import DealCard, ReportTrouble
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.sealed import reveal, sealed_card
from omaha_table.session.commands import DealSealedCard
from omaha_table.table.commands import Draw, NoteDevice, ReportDeck

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omaha_drivers.events import DeviceEvent, Report
    from omaha_drivers.settings import DeviceSettings, Kind

    from omaha_table.hand.events import Trouble
    from omaha_table.journal.events import Record
    from omaha_table.session.commands import SessionCommand
    from omaha_table.session.session import Session

_OF_CARDS: Final = (
    device_events.CardDrawn,
    device_events.CardReturned,
    device_events.CardUnreadable,
    device_events.CardUnexpected,
    device_events.CardDuplicate,
    device_events.CardForeign,
    device_events.CardStuck,
)
_TROUBLE: Final[dict[type[DeviceEvent], Trouble]] = {
    device_events.CardReturned: "returned_card",
    device_events.CardUnreadable: "unreadable_card",
    device_events.CardUnexpected: "card_too_many",
    device_events.CardDuplicate: "duplicate_card",
    device_events.CardForeign: "foreign_card",
    device_events.CardStuck: "stuck_card",
}


Stage: TypeAlias = Literal["never_seen", "idle", "deck_ready", "other"]


@dataclass(frozen=True, slots=True)
class Device:
    """A device as the table sees it."""

    name: str
    kind: Kind
    link: device_events.Link = device_events.Link.DOWN
    trust: device_events.Trust = device_events.Trust.UNPINNED
    doing: str = "not connected yet"
    """A few words for the dealer."""
    stage: Stage = "never_seen"
    """The same for the program, as far as it matters."""
    alarms: tuple[tuple[str, str], ...] = ()
    """Pairs of a cause and a message (what is wrong and what to do), the latest last."""
    acknowledged: bool = False
    """The dealer has acknowledged that it is lost."""

    @property
    def alarm(self) -> str:
        return self.alarms[-1][1] if self.alarms else ""

    @property
    def lost(self) -> bool:
        """Whether the connection failed or was lost."""
        gone = (device_events.Link.DOWN, device_events.Link.SILENT, device_events.Link.WRONG)
        return self.link in gone and self.stage != "never_seen"

    @property
    def usable(self) -> bool:
        stopped = any(cause in _STOPPING for cause, _ in self.alarms)
        return self.link is device_events.Link.LIVE and not stopped

    def alarmed(self, cause: str, text: str = "") -> Device:
        """A copy with this alarm; without a text, a copy without alarms of this cause."""
        others = tuple(alarm for alarm in self.alarms if alarm[0] != cause)
        return replace(self, alarms=(*others, (cause, text)) if text else others)


_STOPPING: Final = frozenset(("jam", "door", "fault", "service"))
_MAX_NOTES: Final = 40
"""Notes per device and hand; more of them would fill the log and tell the reviewer nothing new."""
UNMARKED: Final = "unmarked"
"""The color of a deck if the shuffler does not report one."""


class Devices:
    """The devices of one session. One thread calls `take` with every report, in order."""

    def __init__(self, session: Session, configured: Sequence[DeviceSettings]) -> None:
        self._session = session
        self.devices = {given.name: Device(given.name, given.kind) for given in configured}
        self._back = UNMARKED
        self._verified = self._complete = 0
        self._next: int | None = None
        """The number of the shoe's next card in this hand; None: unknown."""
        self._hand = session.state.hands if session.state.hand is not None else -1
        self._held: list[Report] = []
        """Reports of the shoe that wait while somebody checks the cards."""
        self._keyed = False
        """The dealer keys the cards of this hand or this draw."""
        self._recorded_by_dealer: set[int] = set()
        """Numbers of the shoe's cards that the dealer has already recorded."""
        self._note_counts: Counter[str] = Counter()

    def use(self, session: Session) -> None:
        """Switches to the new session after the journal was opened again.

        The last write may be in the journal although it was not confirmed, and its report will
        come again. So the number of the next card is taken from the cards on the table.
        """
        self._session = session
        self._next = None

    def of(self, kind: Kind) -> Device | None:
        return next((device for device in self.devices.values() if device.kind == kind), None)

    @property
    def by_hand(self) -> bool:
        """Whether this hand is dealt without the shoe, which then waits for the next hand."""
        hand = self._session.state.hand
        return self._keyed or (hand is not None and hand.by_hand)

    @property
    def shoe_deals(self) -> bool:
        """Whether the next cards come from the shoe."""
        shoe = self.of("shoe")
        out = "shoe" in self._session.state.devices_out
        return shoe is not None and shoe.usable and not out and not self.by_hand

    def dealt_by_hand(self) -> None:
        """The dealer keys cards now: the shoe's reports no longer match the slots of this hand."""
        self._keyed = True

    def dealt_unread(self, number: int) -> None:
        """The dealer records a card that the shoe missed; a late report of it will be ignored."""
        self._recorded_by_dealer.add(number)
        if self._next is not None:
            self._next = max(self._next, number + 1)

    def acknowledge_alarms(self) -> None:
        """Clears the alarms that the dealer has seen; a new report raises them again."""
        for device in self.devices.values():
            kept = tuple(alarm for alarm in device.alarms if alarm[0] in _STOPPING)
            self.devices[device.name] = replace(device, alarms=kept, acknowledged=True)

    def take(self, report: Report) -> list[Record]:
        """Carries out a report and returns what was recorded."""
        records = self.release()
        self._new_hand()
        hand = self._session.state.hand
        if hand is not None and hand.trouble is not None and isinstance(report.event, _OF_CARDS):
            self._held.append(report)
            return records
        return records + self._take(report)

    def release(self) -> list[Record]:
        """Carries out the reports that waited while somebody checked the cards."""
        records: list[Record] = []
        while self._held:
            hand = self._session.state.hand
            if hand is not None and hand.trouble is not None:
                break
            records += self._take(self._held[0])
            self._held.pop(0)
        return records

    def _take(self, report: Report) -> list[Record]:
        known = (self._next, self._verified, self._complete, self._keyed)
        try:
            return self._carry_out(report)
        except JournalFault:
            # The report will come again and must then have the same effect.
            self._next, self._verified, self._complete, self._keyed = known
            raise

    def _carry_out(self, report: Report) -> list[Record]:
        device = self.devices[report.device] = _updated(self.devices[report.device], report.event)
        commands = self._commands(device, report.event)
        records: list[Record] = []
        actor = f"device:{device.name}"
        for at, command in enumerate(commands, start=1):
            # The resume point moves only when all commands of a report are done; a note alone may
            # be repeated.
            done_with_report = at == len(commands) and not isinstance(command, NoteDevice)
            resumable = report.resume_token and not self._overtakes_held(report)
            point = (report.device, report.resume_token)
            resume_point = point if done_with_report and resumable else None
            done = self._session.do(command, resume_point, actor)
            if done.refusal is not None:
                self._alarm(device, "refused", done.refusal.message)
                note = NoteDevice(device.name, "not_taken", done.refusal.code)
                done = self._session.do(note, resume_point, actor)
            records += done.records
        return records

    def _overtakes_held(self, report: Report) -> bool:
        """Whether earlier cards still wait: after a restart the device must send those again."""
        first = self._held[0] if self._held else report
        return first is not report and first.device == report.device

    def _new_hand(self) -> None:
        """With a new hand the shoe starts over: the first card must be number 1 of a deck."""
        state = self._session.state
        hand = state.hands if state.hand is not None else -1
        if hand != self._hand:
            self._hand, self._keyed = hand, False
            self._note_counts, self._recorded_by_dealer = Counter(), set()
            self._next = 1 if state.hand is not None and not state.hand.cards_out else None

    def _alarm(self, device: Device, cause: str, message: str) -> None:
        self.devices[device.name] = self.devices[device.name].alarmed(cause, message)

    def _commands(self, device: Device, event: DeviceEvent) -> list[SessionCommand]:
        if device.kind in self._session.state.devices_out and not isinstance(
            event, device_events.LinkChanged
        ):
            return []
        if device.kind == "shuffler":
            return self._of_shuffler(device, event)
        return self._of_shoe(device, event)

    # The shuffler

    def _of_shuffler(self, device: Device, event: DeviceEvent) -> list[SessionCommand]:
        match event:
            case device_events.DeckIn():
                self._back = event.back.lower() or UNMARKED
                self._verified = self._complete = 0
            case device_events.ShuffleStarted():
                self._verified = self._complete = 0
            case device_events.DeckVerified(ok=True, count=52):
                self._verified = event.cycle
            case device_events.DeckVerified():
                return [ReportDeck("bad", event.count, self._back)]
            case device_events.ShuffleComplete():
                self._complete = event.cycle if event.count == 52 else 0
            case device_events.DeckTaken():
                good = event.cycle == self._verified == self._complete and event.cycle
                self._verified = self._complete = 0
                if good and device.usable:
                    return [ReportDeck("ok", 52, self._back)]
                note = self._note(device, "unverified_deck_taken", str(event.cycle))
                return [*note, ReportDeck("bad", None, self._back)]
            case device_events.Jammed() | device_events.DeckFaulty():
                self._verified = self._complete = 0
                note = self._note(device, _event_name(event), _detail(event))
                return [*note, ReportDeck("bad", None, self._back)]
            case (
                device_events.Restarted()
                | device_events.EventsLost()
                | device_events.DoorChanged(open=True)
            ):
                self._verified = self._complete = 0
        return self._note_event(device, event)

    # The shoe

    def _of_shoe(self, device: Device, event: DeviceEvent) -> list[SessionCommand]:
        hand = self._session.state.hand
        match event:
            case device_events.CardDrawn():
                return self._card(device, event)
            case device_events.ShoeLoaded() if hand is None or not hand.cards_out:
                self._next = 1
            case device_events.DoorChanged(open=True) if hand is not None:
                return self._trouble(device, "lid_opened")
            case (
                device_events.EventsLost() | device_events.Restarted() | device_events.ShoeLoaded()
            ):
                lost = isinstance(event, device_events.EventsLost | device_events.Restarted)
                self._next = None if lost else self._next
                if hand is not None and hand.cards_out and not self.by_hand:
                    return self._trouble(device, "events_lost")
        kind = _TROUBLE.get(type(event))
        if kind is not None:
            if self._next is not None and kind not in ("returned_card", "stuck_card"):
                self._next += 1
            if hand is not None and not self.by_hand:
                return self._trouble(device, kind)
            if self._session.step.what == "draw":
                self._keyed = True
                self._alarm(
                    device, "draw", "The shoe could not read a card of the draw: key the cards."
                )
        return self._note_event(device, event)

    def _trouble(self, device: Device, kind: Trouble) -> list[SessionCommand]:
        hand = self._session.state.hand
        if hand is not None and hand.trouble == kind:
            return []
        return [*self._note(device, kind, ""), ReportTrouble(kind)]

    def _card(self, device: Device, event: device_events.CardDrawn) -> list[SessionCommand]:
        """Deals a card to the next slot, or to the next seat of the button draw."""
        state = self._session.state
        if self.by_hand or event.number in self._recorded_by_dealer:
            return self._note(device, "card_not_used", str(event.number))
        if state.hand is None:
            return self._card_between_hands(device, event)
        expected = state.hand.cards_out + 1 if self._next is None else self._next
        if not state.hand.cards_out and event.number != 1:
            self._alarm(
                device, "deck", "The shoe has another deck in it: load the deck for this hand."
            )
            return self._note(device, "card_of_another_deck", str(event.number))
        self._next = event.number + 1
        if event.number != expected or not event.in_game or not device.usable:
            return self._trouble(device, "events_lost")
        self.devices[device.name] = device.alarmed("deck")
        if event.card is None:
            if self._session.next_card_is_face_up:
                return self._trouble(device, "unreadable_card")
            return [DealCard()]
        card = sealed_card(event.card)
        if card is None:
            return self._trouble(device, "unreadable_card")
        return [DealSealedCard(card)]

    def _card_between_hands(
        self, device: Device, event: device_events.CardDrawn
    ) -> list[SessionCommand]:
        step = self._session.step
        if step.what == "draw" and step.seat is not None and event.card is not None:
            card = sealed_card(event.card)
            if card is not None:
                return [Draw(step.seat, reveal(card))]  # it lies face up
            self._keyed = True
        self._alarm(
            device,
            "early",
            "A card was drawn before the hand: put it back and reshuffle.",
        )
        return self._note(device, "card_outside_a_hand", str(event.number))

    def _note_event(self, device: Device, event: DeviceEvent) -> list[SessionCommand]:
        if not isinstance(event, _NOTED):
            return []
        return self._note(device, _event_name(event), _detail(event))

    def _note(self, device: Device, what: str, detail: str) -> list[SessionCommand]:
        """A note for the reviewer; at the limit, one last note says that there were too many."""
        self._note_counts[device.name] += 1
        if self._note_counts[device.name] > _MAX_NOTES:
            return []
        if self._note_counts[device.name] == _MAX_NOTES:
            what, detail = "too_much_said", ""
        return [NoteDevice(device.name, what, detail)]


def _updated(device: Device, event: DeviceEvent) -> Device:
    """The device after an event."""
    return replace(_described(device, event), stage=_stage(device, event))


def _stage(device: Device, event: DeviceEvent) -> Stage:
    match event:
        case (
            device_events.LinkChanged(link=device_events.Link.LIVE, why="")
            | device_events.JamCleared()
            | device_events.DoorChanged(open=False)
            | device_events.Restarted()
        ):
            return "idle"
        case device_events.ShuffleComplete():
            return "deck_ready"
        case (
            device_events.LinkChanged()
            | device_events.DeckIn()
            | device_events.ShuffleStarted()
            | device_events.DeckVerified()
            | device_events.DeckTaken()
            | device_events.DeckFaulty()
            | device_events.Jammed()
            | device_events.DoorChanged()
            | device_events.ShoeLoaded()
            | device_events.CardDrawn()
        ):
            return "other"
        case _:
            return device.stage


def _described(device: Device, event: DeviceEvent) -> Device:
    match event:
        case device_events.LinkChanged(link=device_events.Link.LIVE):
            return replace(device, link=event.link, doing=event.why or "ready")
        case device_events.LinkChanged():
            return replace(device, link=event.link, doing=event.why, acknowledged=False)
        case device_events.Identified():
            return replace(device, trust=event.trust)
        case device_events.DeckIn():
            return replace(device, doing=f"{event.back} deck in".strip())
        case device_events.ShuffleStarted():
            return replace(device, doing="shuffling").alarmed("deck").alarmed("refused")
        case device_events.DeckVerified(ok=True):
            return replace(device, doing=f"counted {event.count}")
        case device_events.DeckVerified():
            text = f"The deck counted {event.count} of 52 ({event.result}) and is out of play."
            return replace(device, doing=f"counted {event.count} of 52").alarmed("deck", text)
        case device_events.ShuffleComplete():
            return replace(device, doing=f"deck ready {event.count}/52")
        case device_events.DeckTaken():
            return replace(device, doing="deck taken")
        case device_events.Jammed():
            where = f" at {event.place.lower()}" if event.place else ""
            text = f"Jam{where}: open the lid, clear the card, close the lid."
            return replace(device, doing="jammed").alarmed("jam", text)
        case device_events.DeckFaulty():
            text = f"{_DECK_FAULTS[event.what]}: the deck is out of play."
            return replace(device, doing=f"{event.what} card").alarmed("deck", text)
        case device_events.JamCleared():
            return replace(device, doing="jam cleared").alarmed("jam")
        case device_events.DoorChanged():
            text = "The lid is open." if event.open else ""
            return replace(device, doing="lid open" if text else "ready").alarmed("door", text)
        case device_events.Fault():
            return device.alarmed("fault", f"Fault {event.code}.")
        case device_events.FaultCleared():
            return device.alarmed("fault")
        case device_events.ServiceMode():
            return device.alarmed(
                "service", "In service mode: do not use it for play." if event.on else ""
            )
        case device_events.ShoeLoaded():
            return replace(device, doing=f"loaded {event.count or ''}".rstrip()).alarmed("early")
        case device_events.CardDrawn():
            return replace(device, doing=f"card {event.number} read" if event.card else "counting")
        case device_events.Restarted():
            return replace(device, doing="restarted")
        case _:
            return device


_DECK_FAULTS: Final = {
    "missing": "A card is missing",
    "duplicate": "A card is in the deck twice",
    "foreign": "A card of another deck is in it",
}
_NOTED: Final = (
    device_events.LinkChanged,
    device_events.Restarted,
    device_events.EventsLost,
    device_events.Fault,
    device_events.FaultCleared,
    device_events.ServiceMode,
    device_events.SettingsChanged,
    device_events.DoorChanged,
    device_events.JamCleared,
    device_events.ShuffleAborted,
    device_events.CardUnexpected,
)


def _event_name(event: DeviceEvent) -> str:
    name = type(event).__name__
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).removeprefix("_")


def _detail(event: DeviceEvent) -> str:
    """What a note adds to the event's name; none of these can name a card."""
    match event:
        case device_events.LinkChanged():
            return f"{event.link}: {event.why}"
        case device_events.EventsLost():
            return "" if event.count is None else str(event.count)
        case device_events.Fault() | device_events.FaultCleared():
            return event.code
        case device_events.ServiceMode():
            return "on" if event.on else "off"
        case device_events.SettingsChanged():
            return event.key
        case device_events.DoorChanged():
            return "open" if event.open else "closed"
        case device_events.Jammed() | device_events.JamCleared():
            return event.place
        case device_events.DeckFaulty():
            return event.what
        case device_events.ShuffleAborted():
            return event.why
        case _:
            return ""
