"""A hand as it stands: the frozen state that events are folded into, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from omaha_table.hand.phases import Phase, Street
from omaha_table.hand.pots import Pot, build_pots
from omaha_table.hand.refusal import Refused, sentence

if TYPE_CHECKING:
    from omaha_table.cards import Card
    from omaha_table.hand.events import (
        ActionKind,
        HandEnded,
        HandStarted,
        Place,
        SlotKind,
        Trouble,
    )
    from omaha_table.money import Cents
    from omaha_table.rules import Limit, Profile
    from omaha_table.rules.profile import Structure


@dataclass(frozen=True, slots=True)
class Stakes:
    """The amounts of one hand: the limit's, or the kill's where a kill is on."""

    structure: Structure
    small_bet: Cents
    big_bet: Cents | None
    small_blind: Cents
    big_blind: Cents
    opening: Cents
    """What it costs to come in: the big blind, or the kill blind."""

    @staticmethod
    def of(limit: Limit, *, kill: bool) -> Stakes:
        # A kill has amounts of its own in the profile. As a multiple, a half kill of 15-30 would be
        # 22.50-45, which whole chips cannot make.
        raised = limit.kill if kill else None
        return Stakes(
            structure=limit.structure,
            small_bet=raised.small_bet if raised else limit.small_bet,
            big_bet=raised.big_bet if raised else limit.big_bet,
            small_blind=limit.small_blind,
            big_blind=limit.big_blind,
            opening=raised.blind if raised else limit.big_blind,
        )

    def bet(self, street: Street) -> Cents:
        """The fixed bet of a limit street; the least bet in the other structures."""
        if self.structure == "limit" and street >= Street.TURN and self.big_bet is not None:
            return self.big_bet
        return self.small_bet


class Slot(NamedTuple):
    """One card of the dealing sequence."""

    kind: SlotKind
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """What is fixed when a hand starts."""

    profile: Profile
    limit: Limit
    stakes: Stakes
    started: HandStarted
    slots: tuple[Slot, ...]

    @property
    def dealt(self) -> tuple[int, ...]:
        return self.started.dealt

    @property
    def button(self) -> int:
        return self.started.button


class SeatHand(NamedTuple):
    """One seat in the hand."""

    stack: Cents | None
    """Chips behind; None is not tracked."""
    bet: Cents = 0
    """In front of the seat on this street, live."""
    put_in: Cents = 0
    """In the hand so far, the bet in front included, dead blinds not."""
    dead: Cents = 0
    folded: bool = False
    all_in: bool = False
    acted_at: Cents | None = None
    """The price when the seat last acted on this street; None: not yet."""


class OnClock(NamedTuple):
    """A seat has so many seconds to act."""

    seat: int
    at: int
    """When the clock was called, in whole seconds since 1970."""
    seconds: int

    def left(self, wall: float) -> int:
        """The seconds that are left; a part of one counts for the player (TDA rule 29)."""
        return min(max(ceil(self.at + self.seconds + 1 - wall), 0), self.seconds)


@dataclass(frozen=True)
class HandState:
    setup: Setup
    seats: dict[int, SeatHand]
    phase: Phase = Phase.DEAL
    street: Street = Street.PREFLOP
    actor: int | None = None
    price: Cents = 0
    """What a seat must have in front of it to stay."""
    full: Cents = 0
    """The last full bet or raise, from which a limit raise counts; 0 is no bet yet."""
    increment: Cents = 0
    """The least raise where bets are not fixed."""
    raises: int = 0
    uncapped: bool = False
    aggressor: int | None = None
    opener: int | None = None
    """Who acted first on this street, by a fold too."""
    initiators: tuple[int, ...] = ()
    """Who began the action of this street, in order: those who bet or raised; until somebody does,
    those who checked."""
    short: dict[int, Cents] = field(default_factory=dict)
    """All that seats had which are not tracked and could not post more."""
    actions: int = 0
    chip_actions: int = 0
    board: tuple[Card, ...] = ()
    cards_out: int = 0
    """Slots of the dealing sequence that are filled, from its start without a gap."""
    ahead: frozenset[int] = frozenset()
    """Slots of hole cards that are filled beyond a gap: a reader that knows places found them."""
    burned: bool = False
    by_hand: bool = False
    """Cards of this hand were dealt past the shoe."""
    turned: tuple[Card, ...] = ()
    """Cards of the coming street that the shoe has passed so far."""
    fee_due: bool = False
    paid: dict[int, Cents] = field(default_factory=dict)
    """Fees that players have paid, by seat, where each pays one."""
    returned: dict[int, Cents] = field(default_factory=dict)
    tabled: dict[int, tuple[Card, ...]] = field(default_factory=dict)
    mucked: tuple[int, ...] = ()
    """In the order in which they gave up."""
    read_high: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """Winners named by the dealer, by pot."""
    read_low: dict[int, tuple[int, ...]] = field(default_factory=dict)
    trouble: Trouble | None = None
    """What went wrong with a card, until somebody has looked at it."""
    trouble_seat: int | None = None
    missing: int = 0
    """Cards that left the shoe with it and are not recorded yet."""
    entry: int = 0
    """Of the last event; entries are counted through, those taken back included."""
    standing: int = 0
    """The last entry that stands, and the places of its events in the log."""
    standing_seqs: tuple[int, ...] = ()
    # Not compared: two hands that stand alike are equal however they came there, and comparing the
    # whole history would take longer with every entry.
    before: HandState | None = field(default=None, compare=False, repr=False)
    """The state before the last entry that stands."""
    undoable: bool = False
    """Whether the dealer may take that entry back."""
    no_burn: frozenset[Street] = frozenset()
    """Streets that the floor has ordered to be dealt without a burn."""
    bound: dict[int, tuple[ActionKind, Cents]] = field(default_factory=dict)
    """Actions out of turn that stand while the price is the same, by seat."""
    clock: OnClock | None = None
    """On the seat to act, until it has acted or the clock is called off."""
    fee_waived: bool = False
    exposed: bool = False
    """One exposed card has been replaced; a second would be a misdeal."""
    past_flop: bool = False
    """The flop was dealt, whatever was taken back since."""
    corrected: Cents = 0
    """How much rulings have put into the pot or taken out of it, in all."""
    adjusted: dict[int, Cents] = field(default_factory=dict)
    """What rulings outside the hand have added to stacks or taken from them during it."""
    result: HandEnded | None = None

    @property
    def contenders(self) -> list[int]:
        """The seats with a live hand, in the order of the deal."""
        seats = self.seats
        return [seat for seat in self.setup.dealt if not seats[seat].folded]

    @property
    def able(self) -> list[int]:
        """The seats that can still put chips in, in the order of the deal."""
        return [
            seat
            for seat in self.setup.dealt
            if not (self.seats[seat].folded or self.seats[seat].all_in)
        ]

    @property
    def cards_dealt(self) -> int:
        return self.cards_out + len(self.ahead)

    @property
    def hole_slots(self) -> int:
        return len(self.setup.dealt) * self.setup.profile.game.hole_cards

    def open_slot(self, place: Place | None) -> int | None:
        """The slot that a card fills now: that place's next one, without a place the next of all.

        None: no card is due, or none is due there.
        """
        if place is None:
            return self.next_slot if self.phase in (Phase.DEAL, Phase.BOARD) else None
        if self.phase is Phase.DEAL:
            slots = enumerate(self.setup.slots[: self.hole_slots])
            mine = (at for at, slot in slots if at >= self.cards_out and slot.seat == place)
            return next((at for at in mine if at not in self.ahead), None)
        if self.phase is not Phase.BOARD or place not in ("board", "muck"):
            return None
        burn = self.hole_slots + (0, 4, 6)[self.street]
        if place == "board":
            return burn + 1 + len(self.turned)
        waived = self.burned or self.street.following in self.no_burn
        return None if waived else burn

    @property
    def next_slot(self) -> int | None:
        """The place in the dealing sequence of the card that comes next; None: no card is left."""
        slots, at = self.setup.slots, self.cards_out
        if at < len(slots) and slots[at].kind == "burn" and self.street.following in self.no_burn:
            at += 1
        return at if at < len(slots) else None

    @property
    def pot_total(self) -> Cents:
        """Everything in the middle and in front of the seats."""
        return sum([hand.put_in + hand.dead for hand in self.seats.values()])

    def pots(self) -> tuple[Pot, ...]:
        """Main and side pots as they stand, before fee and jackpot, uncalled money left out."""
        seats = self.seats
        pots, _ = build_pots(
            {seat: hand.put_in for seat, hand in seats.items()},
            {seat for seat, hand in seats.items() if hand.folded},
            sum([hand.dead for hand in seats.values()]),
            [seat for seat, hand in seats.items() if hand.all_in and not hand.put_in],
        )
        return pots

    @property
    def in_front(self) -> Cents:
        """What lies in front of the seats, and is in no pot yet."""
        return sum([hand.bet for hand in self.seats.values()])

    def pots_in_the_middle(self) -> tuple[Pot, ...]:
        """The pots without what still lies in front of the seats."""
        if not self.in_front:
            return self.pots()
        seats = self.seats
        pots, _ = build_pots(
            {seat: hand.put_in - hand.bet for seat, hand in seats.items()},
            {seat for seat, hand in seats.items() if hand.folded},
            sum([hand.dead for hand in seats.values()]),
        )
        return pots


def refused(state: HandState, code: str, message: str, rule: str = "") -> Refused:
    """A refusal under the hand's profile, its message made a sentence."""
    return Refused(code, sentence(message), state.setup.profile, rule)
