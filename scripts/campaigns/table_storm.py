"""Hands from a shoe on a bad line, through the real session, with restarts of the console.

`scripts/storm --table [--decks N] [--seed N]`. Each deck is a hand of eight seats at Big O, dealt
to the showdown. Beside the faults on the line, cards cannot be read, are put back and drawn again,
or are given up as lost; the shoe is switched off, and the console is closed and opened again. In
the end the surveillance office opens every card that is sealed in the log: slot by slot it must be
the card that was dealt there. A card that is not sealed must have been reported lost and recorded
by the dealer.
"""

from __future__ import annotations

import random
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from omaha_drivers.conformance.bench import Bench
from omaha_drivers.emulate.faults import Faults
from omaha_drivers.emulate.tdp import ShoeModel
from omaha_drivers.events import Report
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.tdp import Tdp
from omaha_drivers.tdp_codec import CARDS

from omaha_table.hand.commands import DealCard, Settle
from omaha_table.hand.events import CardDealt, HandStarted
from omaha_table.hand.phases import Phase
from omaha_table.journal.events import CardSealed, DayOpened, IdentitiesLost
from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.sealed import open_as_office
from omaha_table.journal.sealed_deal import SealedDeal
from omaha_table.journal.verification import files_in, verify
from omaha_table.session.devices import Devices
from scripts.campaigns.line_account import Wrong
from tests.evenings import draw_lines
from tests.journal.days import open_session, say

if TYPE_CHECKING:
    from omaha_table.hand import HandState
    from omaha_table.journal.events import Event
    from omaha_table.session import Session

KEY = b"a key of thirty-two bytes, or so"
SEATS = range(1, 9)
FAULTS = ("garbage", "split", "bad_check", "repeat", "lose", "reorder")
SETTINGS = DeviceSettings("shoe", "shoe", "tdp", "", serial="SHOE-1", key=KEY)
PATIENCE = 20


@dataclass
class Figures:
    decks: int = 0
    restarts: int = 0
    power_cycles: int = 0
    cards: int = 0
    """Dealt to a slot."""
    sealed: int = 0
    """Face down, opened by the office and compared with the card that was dealt."""
    face_up: int = 0
    """On the board, compared too."""
    unread: int = 0
    """Recorded by the dealer after the console had asked."""
    keyed: int = 0
    """Board cards that the dealer keyed after one was not read."""
    streets: int = 0
    """Streets that were keyed: their burn may not be sealed."""
    asked: dict[str, int] = field(default_factory=dict)
    """How often the console asked about what."""


class Felt:
    """The table with its dealer, its shoe and its console."""

    def __init__(self, folder: Path, office: X25519PrivateKey, seed: int, rate: float) -> None:
        self.folder, self.figures = folder, Figures()
        self._office = office
        self._chance = random.Random(seed)
        self.model = ShoeModel("SHOE-1", KEY, chance=random.Random(seed))
        self.out: list[str] = []
        """The cards that lie on the table in this hand, in the order of the deal."""
        self.hands: dict[int, list[str]] = {}
        self._deck: list[str] = []
        self._line = Faults(FAULTS, seed, rate)
        self._deal, self._next = SealedDeal(), 0
        self._day = DayOpened("", "", "", "", "")
        self._open()
        say(self.session, *(f"seat {seat} P{seat} 100000" for seat in SEATS))
        say(self.session, *draw_lines(8, SEATS))

    def _open(self, now: float = 0.0) -> None:
        self.session: Session = open_session(self.folder, office=self._office.public_key())
        self.devices = Devices(self.session, [SETTINGS])
        token = self.session.resume_token("shoe")
        self.bench = Bench(Tdp(SETTINGS, token), self.model, self._line.pieces, now).open()
        self._taken = 0
        self.run(0.3)

    def restart(self) -> None:
        """As after a kill: nothing is said to the shoe, and what was not recorded is forgotten."""
        self.figures.restarts += 1
        self.bench.close()
        self.session.close()
        self._open(self.bench.now)

    @property
    def hand(self) -> HandState:
        hand = self.session.state.hand
        if hand is None:
            raise Wrong("the hand is over too soon")
        return hand

    def run(self, seconds: float) -> None:
        self.bench.run(seconds)
        for event, token in zip(
            self.bench.events[self._taken :], self.bench.places[self._taken :], strict=True
        ):
            self.devices.take(Report("shoe", event, token, self.bench.now))
        self._taken = len(self.bench.events)

    # The dealer

    def draw(self) -> None:
        """The next card goes to the next place of the deal, whatever the console says."""
        card = self._deck[self.model.drawn]
        roll = self._chance.random()
        if roll < 0.01:
            self.model.draw_badly("UNR")
        else:
            self.model.draw()
        self.out.append(card)
        if roll > 0.985:
            # The card goes back into the shoe and is drawn again.
            self.model.put_back()
            self.run(0.05)
            self.model.draw()
        self.run(0.1)

    def settle(self) -> None:
        """Answers what the console asks, as a dealer who knows what lies on the table."""
        for _ in range(PATIENCE):
            hand = self.session.state.hand
            if hand is None or hand.trouble is None:
                return
            kind = hand.trouble
            self.figures.asked[kind] = self.figures.asked.get(kind, 0) + 1
            if self.session.step.who == "floor":
                raise Wrong(f"hand {self.session.state.hands}: the floor is called for a {kind}")
            unread = hand.missing
            if kind == "events_lost":
                unread = len(self.out) - hand.cards_dealt
            for _ in range(unread):
                if self.session.next_card_is_face_up or len(self.out) <= self.hand.cards_dealt:
                    break
                self.figures.unread += 1
                self.devices.dealt_unread()
                self._do(DealCard())
            self._do(Settle())
            self.devices.release()
        raise Wrong("the console asks without end")

    def _do(self, command: DealCard | Settle) -> None:
        refusal = self.session.do(command, actor="dealer").refusal
        if refusal is not None:
            raise Wrong(f"{refusal.code}: {refusal.message}")

    def deal(self, cards: int) -> None:
        """So many cards; then until the console knows of all of them."""
        for _ in range(cards):
            self.draw()
            if self._chance.random() < 0.02:
                self.restart()
            if self._chance.random() < 0.003:
                self.figures.power_cycles += 1
                self.model.power_cycle()
                self.run(4)
            self.settle()
        for _ in range(PATIENCE):
            if self.devices.by_hand or self._all_known():
                return
            self.run(0.5)
            self.settle()
        if self.hand.phase is Phase.BOARD:
            self.devices.dealt_by_hand()  # the last card of the street was reported lost
            return
        raise Wrong(f"{len(self.out)} cards are out, the console knows {self.hand.cards_dealt}")

    def _all_known(self) -> bool:
        return self.hand.cards_dealt == len(self.out) and self.hand.trouble is None

    def street(self, word: str, cards: int) -> None:
        self.deal(cards + 1)
        if len(self.hand.board) < {"flop": 3, "turn": 4, "river": 5}[word]:
            if not self.devices.by_hand:
                raise Wrong(f"the {word} is not complete")
            self.figures.keyed += cards
            self.figures.streets += 1
            say(self.session, f"{word} {' '.join(self.out[-cards:])}")
        self.around()

    def around(self) -> None:
        while self.session.step.what == "act":
            words = [choice.word for choice in self.session.step.choices]
            say(self.session, "check" if "check" in words else "call")

    def play(self) -> None:
        """One deck: one hand, from its first card to the push."""
        self._line.names = (*FAULTS, "lose_resends") if self._chance.random() < 0.05 else FAULTS
        self.out = []
        self._deck = self._chance.sample(CARDS, 52)
        self.model.load(self._deck)
        self.run(0.5)
        say(self.session, "hand")
        self.hands[self.session.state.hands] = self.out
        self.devices.release()
        self.deal(5 * len(SEATS))
        self.around()
        for word, cards in (("flop", 3), ("turn", 1), ("river", 1)):
            self.street(word, cards)
        board = [card.text for card in self.hand.board]
        if board != [*self.out[41:44], self.out[45], self.out[47]]:
            raise Wrong(f"the board is {board}")
        self.figures.face_up += 5
        self._show()
        self.figures.decks += 1

    def _show(self) -> None:
        slots = self.hand.setup.slots
        for seat in self.hand.contenders:
            held = [card for card, slot in zip(self.out, slots, strict=False) if slot.seat == seat]
            keyed = "" if self.session.can_read(seat) else f" {' '.join(held)}"
            say(self.session, f"show {seat}{keyed}")
            if {card.text for card in self.hand.tabled[seat]} != set(held):
                raise Wrong(f"seat {seat} tabled cards that it was not dealt")
        while self.session.step.what == "push":
            say(self.session, "push")

    # The log

    def check(self) -> Figures:
        """Opens every sealed card with the office's key; raises Wrong."""
        self.bench.close()
        self.session.close()
        for path in sorted(self.folder.glob("*.journal")):
            with Reader(path) as reader:
                for row in reader.since(0):
                    self._check_event(row.hand, record_of(row).event)
        verdict = verify(files_in(self.folder))
        if not verdict.sound:
            raise Wrong(f"the log is not sound: {verdict.damage}")
        return self.figures

    def _check_event(self, hand: int | None, event: Event) -> None:
        """Held against what was dealt: each slot once and in order, each sealed card as dealt."""
        match event:
            case DayOpened():
                self._day = event
            case IdentitiesLost():
                raise Wrong("a restart lost the cards of the hand")
            case HandStarted():
                self._deal, self._next = SealedDeal(self._day.table, self._day.day), 0
            case CardDealt():
                if event.slot != self._next:
                    raise Wrong(f"slot {event.slot} was dealt when {self._next} was due")
                self._next += 1
                self.figures.cards += 1
        wrong = self._deal.take(event)
        if wrong:
            raise Wrong(wrong)
        if isinstance(event, CardSealed):
            dealt = self._deal.slots[event.slot]
            card = open_as_office(
                event, dealt.key, self._office, self._day.table, self._day.day, self._deal.hand
            )
            if card.text != self.hands[self._deal.hand][event.slot]:
                raise Wrong(f"hand {hand}: the card of slot {event.slot} is not the one dealt")
            self.figures.sealed += 1


def at_the_table(decks: int, seed: int, rate: float = 0.1) -> Figures:
    """Raises Wrong at what must not be."""
    with tempfile.TemporaryDirectory() as folder:
        felt = Felt(Path(folder), X25519PrivateKey.generate(), seed, rate)
        try:
            for _ in range(decks):
                felt.play()
        except AssertionError:
            felt.session.close()
            raise
        return felt.check()


def unshown(found: Figures) -> str:
    """Why these figures prove nothing; empty where they do."""
    face_down = found.decks * (5 * len(SEATS) + 3)
    if not found.sealed or found.sealed + found.unread + found.streets < face_down:
        return f"{found.sealed:,} sealed and {found.unread:,} unread of {face_down:,} cards"
    if not found.restarts:
        return "the console was never closed"
    return ""


def report(found: Figures) -> str:
    asked = ", ".join(f"{kind} {count:,}" for kind, count in sorted(found.asked.items()))
    return (
        f"{found.decks:,} decks, {found.restarts:,} restarts of the console and "
        f"{found.power_cycles:,} of the shoe: {found.cards:,} cards dealt in order, "
        f"{found.sealed:,} sealed and opened as dealt, {found.unread:,} reported and recorded "
        f"unread, {found.face_up:,} on the board as dealt ({found.keyed:,} keyed); asked: {asked}"
    )
