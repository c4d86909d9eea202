"""A table that lives by itself: emulated machines on real ptys, and players who say what they do.

It does what the dealer's hands and the players do away from the keys: it shuffles, passes cards
through the shoe, and announces actions. The keys stay the dealer's, unless autoplay presses them.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from omaha_drivers.emulate import EmulatedShoe, EmulatedShuffler
from omaha_drivers.settings import DeviceSettings

from omaha_table.cards import DECK
from omaha_table.dealer.modes.at_table import AtTable
from omaha_table.dealer.modes.floor import AskParameter, AskReason, ChooseRuling
from omaha_table.dealer.modes.pages import Reading
from omaha_table.dealer.modes.remedy import RemedySteps
from omaha_table.dealer.modes.stops import Recovered
from omaha_table.dealer.pad import RANKS, SUITS
from omaha_table.demo.players import Intent, choose, keys
from omaha_table.hand.phases import Phase

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from omaha_table.dealer.console import Console
    from omaha_table.demo.practice import Situation
    from omaha_table.hand import Step
    from omaha_table.table import TableState

_ALL: Final = tuple(card.text for card in DECK)
_PATIENCE: Final = 250
"""Keys that autoplay could have pressed, before it gives a card up."""
_DEMO_PIN: Final = "4711"
"""Of the demo's floor supervisor, as the README says."""
SHOE: Final = "SHOE-DEMO-1"
SHUFFLER: Final = "SHUF-DEMO-1"


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds between things that happen by themselves."""

    card: float = 0.07
    shuffle: float = 1.0
    key: float = 0.5
    """How long autoplay waits before it presses a key."""


REAL: Final = Pace(0.12, 3.0, 0.9)
QUICK: Final = Pace(0.0, 0.0, 0.0)


class Rig:
    """The emulated machines, and what they are configured as."""

    def __init__(self, folder: Path, pace: Pace, seed: int) -> None:
        self.shoe = EmulatedShoe(folder / "shoe", serial=SHOE)
        self.shuffler = EmulatedShuffler(folder / "shuffler", serial=SHUFFLER, seconds=pace.shuffle)
        self._rng = random.Random(seed)
        self.left: list[str] = [card.text for card in DECK]
        """What has not left the shoe yet, from the top."""
        self.settings = [
            DeviceSettings(
                "shuffler", "shuffler", "tdp", str(folder / "shuffler"), serial=SHUFFLER
            ),
            DeviceSettings("shoe", "shoe", "tdp", str(folder / "shoe"), serial=SHOE),
        ]

    def start(self) -> None:
        self.shoe.start()
        self.shuffler.start()

    def stop(self) -> None:
        self.shoe.stop()
        self.shuffler.stop()

    def new_deck(self, top: tuple[str, ...] = ()) -> None:
        """Another deck for the shoe; with some cards on top, for practice."""
        rest = [card.text for card in self._rng.sample(DECK, 52) if card.text not in top]
        self.left = [*top, *rest]
        self.shoe.load(self.left)

    def draw(self) -> None:
        """The dealer's hand passes the top card through the shoe."""
        del self.left[:1]
        self.shoe.draw()


class FaultMaker:
    """Faults of the emulated machines, at random, each put right after a while."""

    def __init__(self, rig: Rig, seed: int, chance: float) -> None:
        self._rig, self._rng, self._chance = rig, random.Random(seed), chance
        self._put_right: Callable[[], None] | None = None
        self._wait = 0
        self.made: Counter[str] = Counter()

    def beat(self, *, in_hand: bool) -> None:
        if self._put_right is not None:
            self._wait -= 1
            if self._wait <= 0:
                self._put_right()
                self._put_right = None
            return
        if self._rng.random() >= self._chance:
            return
        shoe, shuffler = self._rig.shoe, self._rig.shuffler
        kinds: dict[str, tuple[Callable[[], None], Callable[[], None] | None]] = {
            "shoe unplugged": (shoe.unplug, shoe.replug),
            "shuffler unplugged": (shuffler.unplug, shuffler.replug),
            "shoe restarted": (shoe.power_cycle, None),
            "shuffler jammed": (shuffler.jam, shuffler.clear_jam),
            "lid opened": (lambda: shoe.open_lid(True), lambda: shoe.open_lid(False)),
        }
        if in_hand:
            kinds["card put back"] = (shoe.put_back, None)
            kinds["card unread"] = (shoe.draw_unreadable, None)
        name = self._rng.choice(list(kinds))
        act, self._put_right = kinds[name]
        self._wait = self._rng.randint(5, 60)
        self.made[name] += 1
        act()


class Life:
    """What happens next away from the keys; asked after every change and on a clock."""

    def __init__(
        self,
        console: Console,
        rig: Rig,
        seed: int,
        *,
        hints: bool = True,
        situation: Situation | None = None,
    ) -> None:
        self.console, self._rig, self._hints = console, rig, hints
        self._situation = situation
        self._intents = list(situation.intents) if situation is not None else []
        self._rng = random.Random(seed)
        self._asked: tuple[int, int, str, int | None] | None = None
        self.intent: Intent | None = None
        self._shuffled = -1
        self._taken = -1
        self._loaded = -1
        self._sent = -1
        self._backs = ("red", "blue")
        self._struck = False
        self._waits = (-1, 0)
        self._settled = False
        self._notice = ""
        """What stays to be read while a hand lasts, whoever speaks."""
        if situation is not None and not console.session.state.hands:
            page = Reading(situation.name.upper(), tuple(wrap(situation.told, 60)))
            console.model = console.model.enter(page)

    def card_due(self) -> bool:
        """Whether the dealer's hand would pass a card now."""
        console = self.console
        devices = console.devices
        if devices is None or not devices.shoe_deals or not isinstance(console.model.mode, AtTable):
            return False
        step = console.session.step
        return step.what in ("deal", "flop", "turn", "river", "draw") and step.who == "dealer"

    def pass_card(self) -> bool:
        """Passes the next card through the shoe, once for each place in the deal."""
        state = self.console.session.state
        if not self.card_due() or self._sent == state.seq:
            return False
        deck = state.hands if state.hand is not None else -2
        if self._loaded != deck:
            self._loaded = deck
            first = self._situation is not None and deck == 1
            self._rig.new_deck(self._situation.deck if first and self._situation else ())
        self._sent = state.seq
        self._rig.draw()
        return True

    def work_shuffler(self) -> bool:
        """Shuffles the other deck during a hand, and takes it when one is asked for."""
        state = self.console.session.state
        coming = state.hands + 1
        devices = self.console.devices
        shuffler = None if devices is None else devices.of("shuffler")
        if shuffler is None or not shuffler.usable:
            return False
        stands = shuffler.stage == "idle"
        if self._shuffled < coming or (stands and self.console.session.step.what == "deck"):
            back = self._backs[coming % 2]
            if back in state.decks_out:
                back = self._backs[(coming + 1) % 2]
            self._shuffled = coming
            self._rig.shuffler.shuffle(back)
            return True
        ready = shuffler.stage == "deck_ready"
        if self.console.session.step.what == "deck" and ready and self._taken < coming:
            self._taken = coming
            self._rig.shuffler.take()
            return True
        return False

    def _question(self) -> tuple[int, int, str, int | None]:
        """What is asked, and of whom: another one after every entry."""
        state, step = self.console.session.state, self.console.session.step
        return state.hands, -1 if state.hand is None else state.hand.entry, step.what, step.seat

    def announce(self) -> None:
        """Lets the player who is asked say something, once."""
        console = self.console
        step = console.session.step
        hand = console.session.state.hand
        asked = self._question()
        if asked == self._asked:
            return
        self._asked, self.intent = asked, None
        if hand is None or hand.actions or console.model.story.remedy:
            self._notice = ""
        console.hint(self._notice)
        if step.what in ("act", "show") and step.seat is not None:
            self.intent = self._choose(step)
            name = console.session.state.seats[step.seat].name
            if self._hints and not self._notice:
                caps = " ".join(key.upper() for key in keys(self.intent))
                announced = (
                    f'{name}, seat {step.seat}: "{self.intent.announcement()}"   press {caps}'
                )
                console.hint(announced)
        elif self._hints and console.session.state.hands == 0 and step.what in ("cut", "hand"):
            console.hint("Welcome. The white key below is always the way on: press ENTER.")

    def strike(self) -> None:
        """The fault of a situation, once, in its first hand."""
        given, hand = self._situation, self.console.session.state.hand
        if given is None or not given.fault or self._struck or hand is None:
            return
        if given.fault == "exposed" and hand.cards_out >= 12:
            self._struck = True
            seat = hand.setup.slots[hand.cards_out - 1].seat
            self._notice = f"Seat {seat}'s card was exposed! After the deal call the floor: / 4711"
            self.console.hint(self._notice)
        elif given.fault == "jam" and hand.phase is Phase.BETTING:
            self._struck = True
            self._rig.shuffler.jam()

    def _choose(self, step: Step) -> Intent:
        words = {choice.word for choice in step.choices}
        if self._intents and self._intents[0].word in words:
            return self._intents.pop(0)
        intent = choose(step, self._rng)
        if intent.word == "show" and step.seat is not None:
            return intent if self.console.session.can_read(step.seat) else Intent("muck")
        return intent

    def next_keys(self) -> list[str]:
        """What autoplay presses now; nothing while cards are on their way."""
        console = self.console
        mode = console.model.mode
        if isinstance(mode, Recovered | RemedySteps | Reading):
            return ["enter"]
        step = console.session.step
        state = console.session.state
        if not isinstance(mode, AtTable):
            return self._as_floor(mode)
        no_machine = step.what == "deck" and not self._machine_works()
        if step.what == "rule_on_card" or (step.what == "deck" and state.decks_out):
            return ["/", *_DEMO_PIN, "enter"]
        if no_machine and not state.may_shuffle_by_hand and self._waited_for(state.seq):
            return ["/", *_DEMO_PIN, "enter"]
        if step.what == "check_cards" and state.hand is not None:
            unread = state.hand.trouble == "unreadable_card" and not self._settled
            slot_due = any(key.cap == "+" for key in console.prompt.keys)
            self._settled = unread
            return ["+"] if unread and slot_due else ["enter"]
        if step.what in ("act", "show"):
            said = self.intent if self._asked == self._question() else None
            return [] if said is None else keys(said)
        broke = [seat for seat, at in state.seats.items() if at.stack == 0]
        if state.hand is None and broke:
            return [*str(broke[0]), "enter", *"200", "+", "enter"]
        if step.what in ("cut", "hand", "push", "check_cards"):
            return ["enter"]
        if no_machine and state.may_shuffle_by_hand:
            return ["enter"]
        if step.what in ("deal", "flop", "turn", "river", "draw"):
            return self._without_the_shoe(step, state)
        return []

    def _without_the_shoe(self, step: Step, state: TableState) -> list[str]:
        """Nothing while a card is on its way; after a while what a dealer would do by hand."""
        devices = self.console.devices
        by_hand = devices is not None and devices.by_hand
        if not by_hand and not self._waited_for(state.seq):
            return []
        if any(key.label == "ALL ARE SEATED" for key in self.console.prompt.keys):
            return ["enter"]
        if self.card_due():
            return ["+", "+"] if step.what == "deal" else ["+"] if step.what != "draw" else []
        return ["enter"] if step.what == "deal" else self._typed_card(state)

    def _waited_for(self, seq: int) -> bool:
        """Whether a card has not come for so long that a dealer would go on by hand."""
        since, count = self._waits
        self._waits = (seq, count + 1 if seq == since else 0)
        return self._waits[1] > _PATIENCE

    def _typed_card(self, state: TableState) -> list[str]:
        """A card that the dealer turned by hand and keys."""
        hand = state.hand
        seen = {*state.drawn.values()}
        if hand is not None:
            seen = {*hand.board, *hand.turned, *(c for held in hand.tabled.values() for c in held)}
        keyed = self.console.model.half.cards
        up = {*(card.text for card in seen), *keyed}
        card = next(text for text in [*self._rig.left, *_ALL] if text not in up)
        rank = next(typed for typed, rank in RANKS.items() if rank == card[0])
        suit = next(key for key, suit in SUITS.items() if suit == card[1])
        return [*rank, suit]

    def _as_floor(self, mode: object) -> list[str]:
        """What the floor would do when autoplay calls it: look, and let the game go on."""
        page = self.console.prompt.page
        if isinstance(mode, ChooseRuling) and page is not None:
            state = self.console.session.state
            wanted = "Nothing is wrong"
            if self.console.session.step.what == "deck":
                wanted = "Let a deck back" if state.decks_out else "Take a device out of use"
            return [line[0] for line in page.lines if wanted in line][:1] or ["+"]
        if isinstance(mode, AskParameter):
            return ["1"]
        return ["3"] if isinstance(mode, AskReason) else ["."]

    def _machine_works(self) -> bool:
        devices = self.console.devices
        shuffler = None if devices is None else devices.of("shuffler")
        out = "shuffler" in self.console.session.state.devices_out
        return shuffler is not None and shuffler.usable and not out
