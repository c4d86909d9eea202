"""What the devices say, as commands to the table; what cannot be believed, as an alarm.

A shuffler makes a deck ready: counted, complete, taken. A shoe fills the next slot of the deal.
A device that is lost in a hand is not waited for: the dealer goes on by hand from the same slot,
and then the shoe is believed again with the next hand. If nothing was dealt by hand meanwhile and
the device can say what was missed, it goes on where it was.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from drivers import events as said
from drivers.sealed import reveal
from omaha_table.cards import CardError, parse_card
from omaha_table.hand import Refused
from omaha_table.hand.commands import Board, Burn, Deal, DealCard, ReportTrouble
from omaha_table.hand.phases import Phase
from omaha_table.table.commands import Draw, NoteDevice, ReportDeck

if TYPE_CHECKING:
    from collections.abc import Sequence

    from drivers.events import DeviceEvent, Report
    from drivers.settings import DeviceSettings, Kind
    from omaha_table.desk.desk import Desk
    from omaha_table.hand.events import Trouble
    from omaha_table.journal.codec import Record
    from omaha_table.table.commands import TableCommand

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
    alarm: str = ""
    """Why it cannot be used, and what to do; empty: it can."""
    by_hand: bool = False
    """Cards were dealt by hand while the shoe was away: it waits for the next hand."""

    @property
    def lost(self) -> bool:
        """Whether it was heard before, or should have been, and is not."""
        gone = (said.Link.DOWN, said.Link.SILENT, said.Link.WRONG)
        return self.link in gone and self.doing != _UNHEARD

    @property
    def usable(self) -> bool:
        return self.link is said.Link.LIVE and not self.alarm and not self.by_hand


class Devices:
    """The devices of one desk. `take` is called with every report, in order, by one thread."""

    def __init__(self, desk: Desk, configured: Sequence[DeviceSettings]) -> None:
        self._desk = desk
        self.devices = {given.name: Device(given.name, given.kind) for given in configured}
        self._back = ""
        self._verified: set[int] = set()
        self._complete: set[int] = set()
        self._hand = desk.state.hands

    def of(self, kind: Kind) -> Device | None:
        return next((device for device in self.devices.values() if device.kind == kind), None)

    @property
    def shoe_deals(self) -> bool:
        """Whether the next cards come from the shoe."""
        shoe = self.of("shoe")
        return shoe is not None and shoe.usable and "shoe" not in self._desk.state.devices_out

    def dealt_by_hand(self) -> None:
        """The dealer has dealt by hand: what a shoe says of this hand no longer fits its slots."""
        shoe = self.of("shoe")
        if shoe is not None and not shoe.by_hand:
            self.devices[shoe.name] = replace(shoe, by_hand=True)

    def take(self, report: Report) -> list[Record]:
        """Carries out what a report means; the records of it."""
        device = self.devices[report.device]
        self._new_hand()
        device = self.devices[device.name] = _seen(self.devices[device.name], report.event)
        records: list[Record] = []
        for command in self._commands(device, report.event):
            # A change of the link says nothing of what came before it: that may be needed again.
            heard = report.place and not isinstance(report.event, said.LinkChanged)
            place = (report.device, report.place) if heard else None
            done = self._desk.do(command, place)
            if isinstance(done, Refused):
                self._alarm(device, done.message)
                note = NoteDevice(device.name, "not_taken", done.code)
                done = self._desk.do(note, place)
            records += done if isinstance(done, list) else []
        return records

    def _new_hand(self) -> None:
        """With a new hand a shoe that was replaced by the dealer's hand is believed again."""
        state = self._desk.state
        if state.hands != self._hand or state.hand is None:
            self._hand = state.hands
            for device in self.devices.values():
                if device.by_hand:
                    self.devices[device.name] = replace(device, by_hand=False)

    def _alarm(self, device: Device, message: str) -> None:
        self.devices[device.name] = replace(self.devices[device.name], alarm=message)

    def _commands(self, device: Device, event: DeviceEvent) -> list[TableCommand]:
        if device.kind in self._desk.state.devices_out and not isinstance(event, said.LinkChanged):
            return []
        if device.kind == "shuffler":
            return self._of_shuffler(device, event)
        return self._of_shoe(device, event)

    def _of_shuffler(self, device: Device, event: DeviceEvent) -> list[TableCommand]:
        match event:
            case said.DeckIn():
                self._back = event.back.lower()
                return []
            case said.DeckVerified(ok=True, count=52):
                self._verified = {event.cycle}
                return []
            case said.DeckVerified():
                return [ReportDeck("bad", event.count, self._back)]
            case said.ShuffleComplete():
                self._complete = {event.cycle}
                return []
            case said.DeckTaken():
                if event.cycle in self._verified & self._complete:
                    return [ReportDeck("ok", 52, self._back)]
                return [
                    NoteDevice(device.name, "unverified_deck_taken", str(event.cycle)),
                    ReportDeck("bad", None, self._back),
                ]
            case said.Jammed() | said.DeckFaulty():
                return [
                    NoteDevice(device.name, _word(event), _detail(event)),
                    ReportDeck("bad", None, self._back),
                ]
            case said.Restarted() | said.EventsLost():
                self._verified, self._complete = set(), set()
        return _notes(device, event)

    def _of_shoe(self, device: Device, event: DeviceEvent) -> list[TableCommand]:
        hand = self._desk.state.hand
        match event:
            case said.CardDrawn():
                return self._card(device, event)
            case said.DoorChanged(open=True) | said.EventsLost() if hand is not None:
                lost = isinstance(event, said.EventsLost)
                kind: Trouble = "events_lost" if lost else "lid_opened"
                return [NoteDevice(device.name, kind, ""), ReportTrouble(kind)]
            case said.Restarted() if hand is not None and self._card_is_due():
                return [NoteDevice(device.name, "restarted", ""), ReportTrouble("events_lost")]
        trouble = _TROUBLE.get(type(event))
        if trouble is not None and hand is not None and not device.by_hand:
            return [NoteDevice(device.name, trouble, ""), ReportTrouble(trouble)]
        return _notes(device, event)

    def _card(self, device: Device, event: said.CardDrawn) -> list[TableCommand]:
        """A card to the next slot, or to the next seat of the draw for the button."""
        state = self._desk.state
        if device.by_hand:
            return [NoteDevice(device.name, "card_not_used", str(event.number))]
        try:
            card = None if event.card is None else parse_card(reveal(event.card))
        except CardError:
            return [ReportTrouble("unreadable_card")] if state.hand is not None else []
        if state.hand is not None:
            faces = state.hand.next_slot
            if card is None and faces is not None and self._desk.lies_face_up:
                return [ReportTrouble("unreadable_card")]
            return [DealCard(card)]
        step = self._desk.step
        if step.what == "draw" and step.seat is not None and card is not None:
            return [Draw(step.seat, card)]
        self._alarm(
            device, "A card left the shoe and no hand was started: put it back, shuffle again."
        )
        return [NoteDevice(device.name, "card_outside_a_hand", str(event.number))]

    def _card_is_due(self) -> bool:
        hand = self._desk.state.hand
        return hand is not None and hand.phase in (Phase.DEAL, Phase.BOARD)

    def after(self, command: TableCommand) -> None:
        """What the dealer has keyed: cards that the shoe should have brought."""
        if isinstance(command, Deal | Board | Burn):
            self.dealt_by_hand()

    def silence(self) -> None:
        """The dealer has seen the alarms; those of a device that is down come back with it."""
        for device in self.devices.values():
            self.devices[device.name] = replace(device, alarm="")


def _seen(device: Device, event: DeviceEvent) -> Device:
    """How the device stands after an event."""
    match event:
        case said.LinkChanged(link=said.Link.LIVE):
            return replace(device, link=event.link, doing=event.why or "ready", alarm="")
        case said.LinkChanged():
            return replace(device, link=event.link, doing=event.why)
        case said.Identified():
            return replace(device, trust=event.trust)
        case said.DeckIn():
            return replace(device, doing=f"{event.back} deck in".strip())
        case said.ShuffleStarted():
            return replace(device, doing="shuffling", alarm="")
        case said.DeckVerified(ok=True):
            return replace(device, doing=f"counted {event.count}")
        case said.DeckVerified():
            return replace(
                device,
                doing=f"counted {event.count} of 52",
                alarm=f"The deck counted {event.count} of 52 ({event.result}): it is out of play.",
            )
        case said.ShuffleComplete():
            return replace(device, doing=f"deck ready {event.count}/52")
        case said.DeckTaken():
            return replace(device, doing="deck taken")
        case said.Jammed():
            where = f" at {event.place}" if event.place else ""
            return replace(
                device, doing="jammed", alarm=f"Jam{where}: open the lid, clear the card, close."
            )
        case said.DeckFaulty():
            return replace(
                device,
                doing=f"{event.what} card",
                alarm=f"A card is {event.what}: the deck is out.",
            )
        case said.JamCleared():
            return replace(device, doing="jam cleared", alarm="")
        case said.DoorChanged():
            alarm = "The lid is open." if event.open else ""
            return replace(device, doing="lid open" if event.open else "ready", alarm=alarm)
        case said.Fault() | said.FaultCleared():
            fault = isinstance(event, said.Fault)
            return replace(device, alarm=f"Fault {event.code}." if fault else "")
        case said.ServiceMode():
            return replace(device, alarm="In service: not for play." if event.on else "")
        case said.ShoeLoaded():
            return replace(device, doing=f"loaded {event.count}")
        case said.CardDrawn():
            return replace(device, doing=f"card {event.number} read" if event.card else "counting")
        case said.Restarted():
            return replace(device, doing="started anew")
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


def _notes(device: Device, event: DeviceEvent) -> list[TableCommand]:
    if not isinstance(event, _NOTED):
        return []
    return [NoteDevice(device.name, _word(event), _detail(event))]


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
