"""The shoe: what its cards are to the hand, and what may be wrong with one.

The shoe numbers its cards: a card whose number is not the next one is never dealt to a slot. What
is wrong is told by numbers alone, before any card is looked at: an answer that depended on which
card came would tell the dealer what lies face down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from omaha_drivers import events as device_events

from omaha_table.hand.commands import DealCard, ReportTrouble, Settle
from omaha_table.journal.sealed import reveal, sealed_card
from omaha_table.session.commands import DealSealedCard
from omaha_table.session.place_readings import PlaceReadings
from omaha_table.table.commands import Draw

if TYPE_CHECKING:
    from omaha_drivers.events import DeviceEvent, Report

    from omaha_table.hand import HandState
    from omaha_table.hand.events import Trouble
    from omaha_table.session.attached import Attached
    from omaha_table.session.commands import SessionCommand
    from omaha_table.session.device_status import Device

OF_CARDS: Final = (
    device_events.CardDrawn,
    device_events.CardReturned,
    device_events.CardUnreadable,
    device_events.CardUnexpected,
    device_events.CardDuplicate,
    device_events.CardForeign,
    device_events.CardStuck,
)
REDRAWN: Final = "redrawn_card"
"""Noted of a card that was put back and came again."""
NOT_USED: Final = "card_not_used"
"""Noted of a card that the dealer recorded, or of a hand that is dealt without the shoe."""
DONE_WITH: Final = (REDRAWN, NOT_USED)
"""With this note all that there is to do about a report is done: it need not come again."""
_DECK: Final = 52
_FIRST: Final = 3
"""The first card of a hand may have been missed; with a number beyond this it is another deck's."""


class _Count(NamedTuple):
    """How far the shoe's numbers are believed; they count the cards of this hand from 1."""

    next: int | None = None
    """Of the next card; None: as many as are on the table, and one."""
    asked: int = 0
    """Cards up to this number were asked about: none of them is missed any more."""
    unread: tuple[int, ...] = ()
    """Cards that left the shoe and are not recorded; the dealer may record them."""
    put_back: tuple[int, ...] = ()
    """Cards that were put back and come again."""
    offset: int = 0
    """What is added to the shoe's own number since its stub was loaded again."""
    restarts: bool = False
    """The shoe may count from 1 again."""
    gap: bool = False
    """Reports were lost; the number of the next card will tell whether cards were among them."""


class Shoe:
    def __init__(self, attached: Attached) -> None:
        self._attached = attached
        self._count = _Count()
        self._keyed = False
        """The dealer keys the cards of this hand or this draw."""
        self._recorded_by_dealer: set[int] = set()
        """Numbers of the shoe's cards that the dealer has already recorded."""
        self._places = PlaceReadings(resumed=attached.session.state.hand is not None)
        self._listened = attached.session.state.hand is not None
        """Whether late cards can be of the hand that is open: the shoe was heard when it began."""
        self.keeps = False
        """The last report must wait, and come again after the dealer has looked."""

    def known(self) -> tuple[_Count, bool, PlaceReadings]:
        """What a report may change, to come back to if it cannot be logged."""
        return self._count, self._keyed, self._places.copy()

    def restore(self, known: tuple[_Count, bool, PlaceReadings]) -> None:
        self._count, self._keyed, self._places = known

    def log_reopened(self) -> None:
        """The number of the next card is now that of the cards on the table."""
        self._count = _Count()
        self._places = PlaceReadings(resumed=self._hand is not None)

    def new_hand(self) -> None:
        """The first card must be number 1 of a deck."""
        hand, shoe = self._hand, self._attached.of("shoe")
        self._keyed, self._recorded_by_dealer = False, set()
        self._listened = shoe is not None and shoe.usable
        self._places = PlaceReadings(resumed=False)
        self._count = _Count(1 if hand is not None and not hand.cards_dealt else None)

    def put_back_early(self, count: int) -> None:
        """Cards that were drawn before the hand are back in the shoe."""
        self._count = _Count(count + 1, restarts=True)

    @property
    def _hand(self) -> HandState | None:
        return self._attached.session.state.hand

    @property
    def by_hand(self) -> bool:
        """Whether this hand is dealt without the shoe, which then waits for the next hand."""
        hand = self._hand
        return self._keyed or (hand is not None and hand.by_hand)

    @property
    def deals(self) -> bool:
        """Whether the next cards come from the shoe."""
        shoe = self._attached.of("shoe")
        out = "shoe" in self._attached.session.state.devices_out
        return shoe is not None and shoe.usable and not out and not self.by_hand

    def dealt_by_hand(self) -> None:
        """The dealer keys cards now: the shoe's reports no longer match the slots of this hand."""
        self._keyed = True

    def dealt_unread(self) -> None:
        """The dealer records a card that the shoe missed; a late report of it will be ignored."""
        count = self._count
        if count.unread:
            number, *rest = count.unread
            self._count = count._replace(unread=tuple(rest))
        else:
            number = self._expected
            self._count = count._replace(
                next=None if count.next is None else number + 1, put_back=()
            )
        self._recorded_by_dealer.add(number)

    @property
    def _expected(self) -> int:
        hand = self._hand
        on_table = 0 if hand is None else hand.cards_dealt
        return on_table + 1 if self._count.next is None else self._count.next

    def commands(
        self, device: Device, event: DeviceEvent, *, late: bool = False
    ) -> list[SessionCommand]:
        self.keeps = False
        hand = self._hand
        if isinstance(event, device_events.CardDrawn):
            if late and self._is_of_an_earlier_hand(hand):
                return self._attached.note(device, NOT_USED, str(event.number))
            return self._drawn(device, event)
        if isinstance(event, device_events.ShoeLoaded) and (hand is None or not hand.cards_dealt):
            self._count = _Count(1)
        elif hand is not None and not self.by_hand:
            found = self._irregular(device, event, hand)
            if found is not None:
                return found
        elif isinstance(event, OF_CARDS) and self._attached.session.step.what == "draw":
            self._keyed = True
            self._attached.alarm(
                device, "draw", "The shoe could not read a card of the draw: key the cards."
            )
        return self._attached.note_event(device, event)

    def _is_of_an_earlier_hand(self, hand: HandState | None) -> bool:
        """Whether a card that was drawn while nobody listened must be taken for an old one.

        Old cards are numbered from 1 as well, so the number does not tell. A card of this hand that
        is left out by this is missed, and the number of the next one tells.
        """
        if self._attached.session.step.what == "draw":
            return not (self._attached.session.state.drawn or self._listened)
        return hand is None or not (hand.cards_dealt or self._listened)

    # What is wrong with a card

    def _trouble(
        self, device: Device, kind: Trouble, cards: int = 0, seat: int | None = None
    ) -> list[SessionCommand]:
        hand = self._hand
        if hand is not None and hand.trouble == kind:
            return []
        return [*self._attached.note(device, kind), ReportTrouble(kind, cards, seat)]

    def _irregular(
        self, device: Device, event: DeviceEvent, hand: HandState
    ) -> list[SessionCommand] | None:
        """What a report about a card or the whole shoe means in a hand; None: nothing."""
        count = self._count
        match event:
            case device_events.DoorChanged(open=True):
                return self._trouble(device, "lid_opened")
            case device_events.EventsLost() if hand.cards_dealt:
                self._count = count._replace(gap=not count.restarts)
                return self._trouble(device, "events_lost")
            case device_events.Restarted() if hand.cards_dealt:
                self._count = _Count(restarts=True)
                return self._trouble(device, "events_lost")
            case device_events.ShoeLoaded():
                return self._loaded(device, event)
            case device_events.CardUnreadable():
                return self._unread(device, "unreadable_card", event.number + count.offset)
            case device_events.CardReturned():
                return self._put_back(device, event.number + count.offset, hand)
            case device_events.CardStuck():
                return self._trouble(device, "stuck_card")
            case device_events.CardDuplicate():
                return self._duplicate(device, event.number + count.offset)
            case device_events.CardForeign():
                self._count = count._replace(next=self._expected + 1, put_back=())
                return self._trouble(device, "foreign_card")
            case device_events.CardUnexpected():
                self._count = count._replace(next=self._expected + 1, put_back=())
                return self._trouble(device, "card_too_many")
            case _:
                return None

    def _loaded(self, device: Device, event: device_events.ShoeLoaded) -> list[SessionCommand]:
        """A deck in mid-hand: the stub that was taken out, or another one."""
        if event.count in (0, _DECK - (self._expected - 1)):
            self._count = self._count._replace(restarts=True)
            return self._trouble(device, "stub_reloaded")
        self._keyed = True  # of another deck no card may be dealt
        return self._trouble(device, "new_deck")

    def _unread(self, device: Device, kind: Trouble, number: int) -> list[SessionCommand]:
        """A card left the shoe, with those that were missed before it."""
        first = self._expected
        numbers = tuple(range(first, max(number, first) + 1))
        self._count = self._count._replace(next=numbers[-1] + 1, unread=numbers, put_back=())
        if self._on_board(len(numbers)):
            return self._unread_board(device)
        return self._trouble(device, kind, len(numbers))

    def _on_board(self, cards: int) -> bool:
        """Whether one of the next cards is dealt face up."""
        hand = self._hand
        at = None if hand is None else hand.next_slot
        if hand is None or at is None:
            return False
        return any(slot.kind not in ("hole", "burn") for slot in hand.setup.slots[at : at + cards])

    def _unread_board(self, device: Device) -> list[SessionCommand]:
        """Which card lies where can only be seen: the dealer keys it."""
        self._keyed = True
        return self._trouble(device, "unread_board")

    def _put_back(self, device: Device, number: int, hand: HandState) -> list[SessionCommand]:
        """Only the last card can be put back and drawn again as if nothing had happened."""
        count, ahead = self._count, number - self._expected
        if 0 <= ahead <= len(hand.setup.slots) - self._expected and hand.next_slot is not None:
            # The report of its drawing was lost: it comes again as the card that is due.
            if ahead:
                self.keeps = not self._on_board(ahead)
                return self._missed(device, ahead)
            return self._trouble(device, "put_back", seat=hand.setup.slots[hand.next_slot].seat)
        if not hand.cards_dealt or number != self._expected - 1 - len(count.put_back):
            return self._trouble(device, "returned_card")
        last = hand.setup.slots[hand.cards_out - 1] if hand.cards_out else None
        self._count = count._replace(put_back=(*count.put_back, number))
        return self._trouble(device, "put_back", seat=None if last is None else last.seat)

    def _duplicate(self, device: Device, number: int) -> list[SessionCommand]:
        """The shoe itself says that a card came twice."""
        if self._count.put_back:
            return self._redrawn(device, self._count.put_back[-1])
        if number == self._expected - 1:
            return self._trouble(device, "read_twice")
        self._count = self._count._replace(next=self._expected + 1)
        return self._trouble(device, "duplicate_card")

    def _redrawn(self, device: Device, number: int) -> list[SessionCommand]:
        left = tuple(one for one in self._count.put_back if one != number)
        self._count = self._count._replace(put_back=left)
        return self._attached.note(device, REDRAWN, str(number))

    # Cards

    def _drawn(self, device: Device, event: device_events.CardDrawn) -> list[SessionCommand]:
        """Deals a card to the next slot, or to the next seat of the button draw."""
        hand, number = self._hand, event.number + self._count.offset
        if self.by_hand or number in self._recorded_by_dealer:
            return self._attached.note(device, NOT_USED, str(event.number))
        if hand is None:
            return self._between_hands(device, event)
        if event.place is None:
            if event.number == 1 and self._count.restarts and self._expected > 1:
                self._count = self._count._replace(offset=self._expected - 1, restarts=False)
                number = self._expected
            wrong = self._wrong_number(device, number, hand)
            if wrong is not None:
                return wrong
            self._count = self._count._replace(
                next=number + 1, unread=(), restarts=False, gap=False
            )
        elif self._places.is_known(self._attached.session, event, event.place):
            return []
        if not device.usable:
            return self._trouble(device, "events_lost")
        if not event.in_game:
            self._count = self._count._replace(unread=() if event.place else (number,))
            return self._trouble(device, "out_of_game", 1)
        self._attached.end_alarm(device, "deck", "early")
        return self._deal(device, event, hand)

    def _wrong_number(
        self, device: Device, number: int, hand: HandState
    ) -> list[SessionCommand] | None:
        """What a number means that is not the next one; None: it is, or was asked about."""
        count, expected = self._count, self._expected
        if number in count.put_back:
            return self._redrawn(device, number)
        if number == expected or expected < number <= count.asked + 1:
            return None
        missed = number - expected
        if number == expected - 1 and number:
            return self._trouble(device, "read_twice")
        if not hand.cards_dealt and (missed < 0 or missed > _FIRST):
            self._attached.alarm(
                device, "deck", "The shoe has another deck in it: load the deck for this hand."
            )
            return self._attached.note(device, "card_of_another_deck", str(number))
        due = len(hand.setup.slots) if not hand.cards_dealt else len(hand.setup.slots) - expected
        if missed < 0 or missed > due:
            return self._trouble(device, "events_lost")
        # The card itself is good: it is dealt when those before it are recorded.
        self.keeps = not self._on_board(missed)
        return self._missed(device, missed)

    def _missed(self, device: Device, missed: int) -> list[SessionCommand]:
        if self._on_board(missed):
            return self._unread_board(device)
        first = self._expected
        numbers = tuple(range(first, first + missed))
        self._count = self._count._replace(
            next=first + missed, asked=numbers[-1], unread=numbers, put_back=(), gap=False
        )
        return self._trouble(device, "missed_card", missed)

    def learn(self, device: Device, event: DeviceEvent) -> list[SessionCommand]:
        """What the number of a card that waits tells about reports that were lost before it."""
        hand, count = self._hand, self._count
        if hand is None or hand.trouble != "events_lost" or not count.gap or not device.usable:
            return []
        if not isinstance(event, device_events.CardDrawn | device_events.CardReturned):
            return []
        if isinstance(event, device_events.CardDrawn) and event.place is not None:
            return []
        missed = event.number + count.offset - self._expected
        if missed == -1 and isinstance(event, device_events.CardDrawn):
            # What was lost is that the last card went back: it is asked about once, as read twice.
            number = self._expected - 1
            if number in self._recorded_by_dealer:
                return []  # the late report of a card that was missed
            self._count = count._replace(gap=False, put_back=(*count.put_back, number))
            return self._trouble(device, "read_twice")
        if not 0 <= missed <= len(hand.setup.slots) - self._expected:
            return []
        if not missed:
            self._count = count._replace(gap=False)
            return [Settle()]  # no card was among them
        return self._missed(device, missed)

    def _deal(
        self, device: Device, event: device_events.CardDrawn, hand: HandState
    ) -> list[SessionCommand]:
        face_up = self._attached.session.next_card_is_face_up
        if event.place is not None:
            slot = hand.open_slot(event.place)
            face_up = slot is not None and hand.setup.slots[slot].kind not in ("hole", "burn")
        if event.card is None:
            self._count = self._count._replace(put_back=())
            return self._unread_board(device) if face_up else [DealCard(None, event.place)]
        card = sealed_card(event.card)
        if card is None and face_up:
            return self._unread_board(device)
        if card is None:
            self._count = self._count._replace(unread=(self._expected - 1,))
            return self._trouble(device, "unreadable_card", 1)
        if self._count.put_back and self._attached.session.is_last_card(card):
            # A shoe that counts every reading: it is the card that was put back.
            return self._redrawn(device, self._count.put_back[-1])
        self._count = self._count._replace(put_back=())
        return [DealSealedCard(card, event.place)]

    # Between hands

    def is_early(self, report: Report, waiting: int) -> bool:
        """Whether this is a card of the coming hand, before it is started."""
        state, event = self._attached.session.state, report.event
        if state.hand is not None or not isinstance(event, device_events.CardDrawn):
            return False
        if report.late:
            return False
        if self._keyed or self._attached.session.step.what == "draw" or not event.in_game:
            return False
        return event.place is not None or event.number == waiting + 1

    def _between_hands(
        self, device: Device, event: device_events.CardDrawn
    ) -> list[SessionCommand]:
        step = self._attached.session.step
        if step.what == "draw" and step.seat is not None and event.card is not None:
            card = sealed_card(event.card)
            if card is not None:
                seat = event.place if isinstance(event.place, int) else step.seat
                return [Draw(seat, reveal(card))]  # it lies face up
            self._keyed = True
        self.early_alarm(device)
        return self._attached.note(device, "card_outside_a_hand", str(event.number))

    def early_alarm(self, device: Device) -> None:
        self._attached.alarm(
            device, "early", "A card was drawn before the hand: start the hand, or put it back."
        )
