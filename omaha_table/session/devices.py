"""What the devices say, as commands to the table; what cannot be believed, as an alarm.

A shuffler makes a deck ready: counted, complete, taken. A shoe fills the next slot of the deal.
A device that is lost in a hand is not waited for: the dealer goes on by hand from the same slot,
and then the shoe is believed again with the next hand. If nothing was dealt by hand meanwhile and
the device can say what was missed, it goes on where it was. The shoe counts its cards: a number
that is not the next one is never dealt to a slot.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from omaha_drivers import events as said
from omaha_drivers.sealed import reveal

from omaha_table.cards import CardError, parse_card
from omaha_table.hand.commands import DealCard, ReportTrouble
from omaha_table.journal.faults import JournalFault
from omaha_table.table.commands import Draw, NoteDevice, ReportDeck

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omaha_drivers.events import DeviceEvent, Report
    from omaha_drivers.settings import DeviceSettings, Kind

    from omaha_table.hand.events import Trouble
    from omaha_table.journal.events import Record
    from omaha_table.session.session import Session
    from omaha_table.table.commands import TableCommand

_OF_CARDS: Final = (
    said.CardDrawn,
    said.CardReturned,
    said.CardUnreadable,
    said.CardUnexpected,
    said.CardTwice,
    said.CardForeign,
    said.CardStuck,
)
_TROUBLE: Final[dict[type[DeviceEvent], Trouble]] = {
    said.CardReturned: "returned_card",
    said.CardUnreadable: "unreadable_card",
    said.CardUnexpected: "card_too_many",
    said.CardTwice: "duplicate_card",
    said.CardForeign: "foreign_card",
    said.CardStuck: "stuck_card",
}


_UNHEARD: Final = "not heard yet"


@dataclass(frozen=True, slots=True)
class Device:
    """A device as the table sees it."""

    name: str
    kind: Kind
    link: said.Link = said.Link.DOWN
    trust: said.Trust = said.Trust.UNPINNED
    doing: str = _UNHEARD
    """In a few words, for the dealer."""
    alarms: tuple[tuple[str, str], ...] = ()
    """What is wrong with it and what to do, by cause, the latest last."""
    quiet: bool = False
    """The dealer has seen that it is lost."""

    @property
    def alarm(self) -> str:
        return self.alarms[-1][1] if self.alarms else ""

    @property
    def lost(self) -> bool:
        """Whether it was heard before, or should have been, and is not."""
        gone = (said.Link.DOWN, said.Link.SILENT, said.Link.WRONG)
        return self.link in gone and self.doing != _UNHEARD

    @property
    def usable(self) -> bool:
        stopped = any(cause in _STOPPING for cause, _ in self.alarms)
        return self.link is said.Link.LIVE and not stopped

    def alarmed(self, cause: str, text: str = "") -> Device:
        """With an alarm of this cause, or with none."""
        others = tuple(alarm for alarm in self.alarms if alarm[0] != cause)
        return replace(self, alarms=(*others, (cause, text)) if text else others)


_STOPPING: Final = frozenset(("jam", "door", "fault", "service"))
_NOTES: Final = 40
"""Of one device between two hands; more of them say nothing new, and fill the log."""
UNMARKED: Final = "unmarked"
"""The color of a deck whose shuffler says none."""


class Devices:
    """The devices of one session. `take` is called with every report, in order, by one thread."""

    def __init__(self, session: Session, configured: Sequence[DeviceSettings]) -> None:
        self._session = session
        self.devices = {given.name: Device(given.name, given.kind) for given in configured}
        self._back = UNMARKED
        self._verified = self._complete = 0
        self._next: int | None = None
        """The number of the shoe's next card in this hand; None: not known."""
        self._hand = session.state.hands if session.state.hand is not None else -1
        self._held: list[Report] = []
        """What the shoe said while somebody looks at the cards."""
        self._keyed = False
        """The dealer keys the cards of this hand, or of this draw."""
        self._told: set[int] = set()
        """Numbers of the shoe's cards that the dealer has recorded in its place."""
        self._noted: Counter[str] = Counter()

    def use(self, session: Session) -> None:
        """After the journal was opened again: its session.

        The last write may be in it although it was not confirmed, and its report comes again. So
        the number of the next card is taken from the cards on the table, not from memory.
        """
        self._session = session
        self._next = None

    def of(self, kind: Kind) -> Device | None:
        return next((device for device in self.devices.values() if device.kind == kind), None)

    @property
    def by_hand(self) -> bool:
        """Whether cards of this hand were dealt past the shoe: it waits for the next hand."""
        hand = self._session.state.hand
        return self._keyed or (hand is not None and hand.by_hand)

    @property
    def shoe_deals(self) -> bool:
        """Whether the next cards come from the shoe."""
        shoe = self.of("shoe")
        out = "shoe" in self._session.state.devices_out
        return shoe is not None and shoe.usable and not out and not self.by_hand

    def dealt_by_hand(self) -> None:
        """The dealer keys cards now: what a shoe says of this hand no longer fits its slots."""
        self._keyed = True

    def dealt_unread(self, number: int) -> None:
        """The dealer records a card that the shoe has missed; if it is told later, it is known."""
        self._told.add(number)
        if self._next is not None:
            self._next = max(self._next, number + 1)

    def silence(self) -> None:
        """The dealer has seen the alarms; what still is wrong comes back when it is said again."""
        for device in self.devices.values():
            kept = tuple(alarm for alarm in device.alarms if alarm[0] in _STOPPING)
            self.devices[device.name] = replace(device, alarms=kept, quiet=True)

    def take(self, report: Report) -> list[Record]:
        """Carries out what a report means; the records of it."""
        records = self.release()
        self._new_hand()
        hand = self._session.state.hand
        if hand is not None and hand.trouble is not None and isinstance(report.event, _OF_CARDS):
            self._held.append(report)
            return records
        return records + self._take(report)

    def release(self) -> list[Record]:
        """What was held back while somebody looked at the cards."""
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
            # It will come again, and must then mean the same.
            self._next, self._verified, self._complete, self._keyed = known
            raise

    def _carry_out(self, report: Report) -> list[Record]:
        device = self.devices[report.device] = _seen(self.devices[report.device], report.event)
        commands = self._commands(device, report.event)
        records: list[Record] = []
        for at, command in enumerate(commands, start=1):
            # Only what all of a report has done counts as heard; a note alone can come again.
            whole = at == len(commands) and not isinstance(command, NoteDevice)
            heard = report.place and whole and not self._passes_held(report)
            place = (report.device, report.place) if heard else None
            done = self._session.do(command, place)
            if done.refusal is not None:
                self._alarm(device, "refused", done.refusal.message)
                note = NoteDevice(device.name, "not_taken", done.refusal.code)
                done = self._session.do(note, place)
            records += done.records
        return records

    def _passes_held(self, report: Report) -> bool:
        """Whether cards that came before it still wait; they must come again after a restart."""
        first = self._held[0] if self._held else report
        return first is not report and first.device == report.device

    def _new_hand(self) -> None:
        """With a new hand the shoe starts over: its first card must be the first of a deck."""
        state = self._session.state
        hand = state.hands if state.hand is not None else -1
        if hand != self._hand:
            self._hand, self._keyed, self._noted, self._told = hand, False, Counter(), set()
            self._next = 1 if state.hand is not None and not state.hand.cards_out else None

    def _alarm(self, device: Device, cause: str, message: str) -> None:
        self.devices[device.name] = self.devices[device.name].alarmed(cause, message)

    def _commands(self, device: Device, event: DeviceEvent) -> list[TableCommand]:
        if device.kind in self._session.state.devices_out and not isinstance(
            event, said.LinkChanged
        ):
            return []
        if device.kind == "shuffler":
            return self._of_shuffler(device, event)
        return self._of_shoe(device, event)

    # The shuffler

    def _of_shuffler(self, device: Device, event: DeviceEvent) -> list[TableCommand]:
        match event:
            case said.DeckIn():
                self._back = event.back.lower() or UNMARKED
                self._verified = self._complete = 0
            case said.ShuffleStarted():
                self._verified = self._complete = 0
            case said.DeckVerified(ok=True, count=52):
                self._verified = event.cycle
            case said.DeckVerified():
                return [ReportDeck("bad", event.count, self._back)]
            case said.ShuffleComplete():
                self._complete = event.cycle if event.count == 52 else 0
            case said.DeckTaken():
                good = event.cycle == self._verified == self._complete and event.cycle
                self._verified = self._complete = 0
                if good and device.usable:
                    return [ReportDeck("ok", 52, self._back)]
                note = self._note(device, "unverified_deck_taken", str(event.cycle))
                return [*note, ReportDeck("bad", None, self._back)]
            case said.Jammed() | said.DeckFaulty():
                self._verified = self._complete = 0
                note = self._note(device, _word(event), _detail(event))
                return [*note, ReportDeck("bad", None, self._back)]
            case said.Restarted() | said.EventsLost() | said.DoorChanged(open=True):
                self._verified = self._complete = 0
        return self._notes(device, event)

    # The shoe

    def _of_shoe(self, device: Device, event: DeviceEvent) -> list[TableCommand]:
        hand = self._session.state.hand
        match event:
            case said.CardDrawn():
                return self._card(device, event)
            case said.ShoeLoaded() if hand is None or not hand.cards_out:
                self._next = 1
            case said.DoorChanged(open=True) if hand is not None:
                return self._trouble(device, "lid_opened")
            case said.EventsLost() | said.Restarted() | said.ShoeLoaded():
                lost = isinstance(event, said.EventsLost | said.Restarted)
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
                self._alarm(device, "draw", "The shoe could not read the draw: key the cards.")
        return self._notes(device, event)

    def _trouble(self, device: Device, kind: Trouble) -> list[TableCommand]:
        hand = self._session.state.hand
        if hand is not None and hand.trouble == kind:
            return []
        return [*self._note(device, kind, ""), ReportTrouble(kind)]

    def _card(self, device: Device, event: said.CardDrawn) -> list[TableCommand]:
        """A card to the next slot, or to the next seat of the draw for the button."""
        state = self._session.state
        if self.by_hand or event.number in self._told:
            return self._note(device, "card_not_used", str(event.number))
        if state.hand is None:
            return self._card_between_hands(device, event)
        expected = state.hand.cards_out + 1 if self._next is None else self._next
        if not state.hand.cards_out and event.number != 1:
            self._alarm(device, "deck", "The shoe speaks of another deck: load this hand's.")
            return self._note(device, "card_of_another_deck", str(event.number))
        self._next = event.number + 1
        if event.number != expected or not event.in_game or not device.usable:
            return self._trouble(device, "events_lost")
        self.devices[device.name] = device.alarmed("deck")
        try:
            card = None if event.card is None else parse_card(reveal(event.card))
        except CardError:
            return self._trouble(device, "unreadable_card")
        if card is None and self._session.lies_face_up:
            return self._trouble(device, "unreadable_card")
        return [DealCard(card)]

    def _card_between_hands(self, device: Device, event: said.CardDrawn) -> list[TableCommand]:
        step = self._session.step
        if step.what == "draw" and step.seat is not None and event.card is not None:
            try:
                return [Draw(step.seat, parse_card(reveal(event.card)))]
            except CardError:
                self._keyed = True
        self._alarm(
            device,
            "early",
            "A card is out and no hand began: put it back and shuffle.",
        )
        return self._note(device, "card_outside_a_hand", str(event.number))

    def _notes(self, device: Device, event: DeviceEvent) -> list[TableCommand]:
        if not isinstance(event, _NOTED):
            return []
        return self._note(device, _word(event), _detail(event))

    def _note(self, device: Device, what: str, detail: str) -> list[TableCommand]:
        """For the reviewer; a device that will not stop talking is noted as that, once."""
        self._noted[device.name] += 1
        if self._noted[device.name] > _NOTES:
            return []
        if self._noted[device.name] == _NOTES:
            what, detail = "too_much_said", ""
        return [NoteDevice(device.name, what, detail)]


def _seen(device: Device, event: DeviceEvent) -> Device:
    """How the device stands after an event."""
    match event:
        case said.LinkChanged(link=said.Link.LIVE):
            return replace(device, link=event.link, doing=event.why or "ready")
        case said.LinkChanged():
            return replace(device, link=event.link, doing=event.why, quiet=False)
        case said.Identified():
            return replace(device, trust=event.trust)
        case said.DeckIn():
            return replace(device, doing=f"{event.back} deck in".strip())
        case said.ShuffleStarted():
            return replace(device, doing="shuffling").alarmed("deck").alarmed("refused")
        case said.DeckVerified(ok=True):
            return replace(device, doing=f"counted {event.count}")
        case said.DeckVerified():
            text = f"The deck counted {event.count} of 52 ({event.result}): it is out of play."
            return replace(device, doing=f"counted {event.count} of 52").alarmed("deck", text)
        case said.ShuffleComplete():
            return replace(device, doing=f"deck ready {event.count}/52")
        case said.DeckTaken():
            return replace(device, doing="deck taken")
        case said.Jammed():
            where = f" at {event.place.lower()}" if event.place else ""
            text = f"Jam{where}: open the lid, clear the card, close."
            return replace(device, doing="jammed").alarmed("jam", text)
        case said.DeckFaulty():
            text = f"A card is {event.what}: the deck is out of play."
            return replace(device, doing=f"{event.what} card").alarmed("deck", text)
        case said.JamCleared():
            return replace(device, doing="jam cleared").alarmed("jam")
        case said.DoorChanged():
            text = "The lid is open." if event.open else ""
            return replace(device, doing="lid open" if text else "ready").alarmed("door", text)
        case said.Fault():
            return device.alarmed("fault", f"Fault {event.code}.")
        case said.FaultCleared():
            return device.alarmed("fault")
        case said.ServiceMode():
            return device.alarmed("service", "In service: not for play." if event.on else "")
        case said.ShoeLoaded():
            return replace(device, doing=f"loaded {event.count or ''}".rstrip()).alarmed("early")
        case said.CardDrawn():
            return replace(device, doing=f"card {event.number} read" if event.card else "counting")
        case said.Restarted():
            return replace(device, doing="restarted")
        case _:
            return device


_NOTED: Final = (
    said.LinkChanged,
    said.Restarted,
    said.EventsLost,
    said.Fault,
    said.FaultCleared,
    said.ServiceMode,
    said.SettingsChanged,
    said.DoorChanged,
    said.JamCleared,
    said.ShuffleAborted,
    said.CardUnexpected,
)


def _word(event: DeviceEvent) -> str:
    name = type(event).__name__
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).removeprefix("_")


def _detail(event: DeviceEvent) -> str:
    """What an event adds to its name; none of these can name a card."""
    match event:
        case said.LinkChanged():
            return f"{event.link}: {event.why}"
        case said.EventsLost():
            return "" if event.count is None else str(event.count)
        case said.Fault() | said.FaultCleared():
            return event.code
        case said.ServiceMode():
            return "on" if event.on else "off"
        case said.SettingsChanged():
            return event.key
        case said.DoorChanged():
            return "open" if event.open else "closed"
        case said.Jammed() | said.JamCleared():
            return event.place
        case said.DeckFaulty():
            return event.what
        case said.ShuffleAborted():
            return event.why
        case _:
            return ""
