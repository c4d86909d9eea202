"""A table that lives by itself: emulated machines on real ptys, and players who say what they do.

It does what the dealer's hands and the players do away from the keys: it shuffles, passes cards
through the shoe, and announces actions. The keys stay the dealer's, unless autoplay presses them.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from omaha_drivers.emulate import EmulatedShoe, EmulatedShuffler
from omaha_drivers.settings import DeviceSettings

from omaha_table.cards import DECK, format_cards, parse_card
from omaha_table.dealer.modes.at_table import AtTable
from omaha_table.dealer.modes.fields import AskLine
from omaha_table.dealer.modes.pages import Reading
from omaha_table.dealer.modes.reason import AskReason
from omaha_table.dealer.modes.remedy import RemedySteps
from omaha_table.dealer.modes.ruling import ChooseRuling
from omaha_table.dealer.modes.slips import Slips
from omaha_table.dealer.modes.stops import Recovered
from omaha_table.demo.deal import DealtHand, typed
from omaha_table.demo.players import Intent, choose, keys, single_keys
from omaha_table.demo.practice_table import PracticeTable
from omaha_table.floor import BY_NAME
from omaha_table.hand.fees import unpaid
from omaha_table.hand.phases import Phase, Street

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from omaha_drivers.settings import Kind

    from omaha_table.cards import Card
    from omaha_table.dealer.console import Console
    from omaha_table.demo.situations import Situation
    from omaha_table.hand import HandState, Step
    from omaha_table.table import TableState

_ALL: Final = tuple(card.text for card in DECK)
_PATIENCE: Final = 250
"""Keys that autoplay could have pressed, before it gives a card up."""
_ONE_KEY: Final = {"cut": "enter", "hand": "+", "push": "0", "check_cards": "enter"}
"""Steps that autoplay always answers with the same key."""
_DEMO_PIN: Final = "4711"
"""Of the demo's floor supervisor, as the README says."""
SHOE: Final = "SHOE-DEMO-1"
SHUFFLER: Final = "SHUF-DEMO-1"
_MACHINES: Final[tuple[tuple[Kind, str], ...]] = (("shuffler", SHUFFLER), ("shoe", SHOE))


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

    def __init__(
        self,
        folder: Path,
        pace: Pace,
        seed: int,
        *,
        machines: Sequence[Kind] = ("shuffler", "shoe"),
    ) -> None:
        self.shoe = EmulatedShoe(folder / "shoe", serial=SHOE)
        self.shuffler = EmulatedShuffler(folder / "shuffler", serial=SHUFFLER, seconds=pace.shuffle)
        self._rng = random.Random(seed)
        self.left: list[str] = [card.text for card in DECK]
        """What has not left the shoe yet, from the top."""
        self.settings = [
            DeviceSettings(kind, kind, "tdp", str(folder / kind), serial=serial)
            for kind, serial in _MACHINES
            if kind in machines
        ]

    def start(self) -> None:
        self.shoe.start()
        self.shuffler.start()

    def stop(self) -> None:
        self.shoe.stop()
        self.shuffler.stop()

    def new_deck(self, deck: Sequence[Card] | None = None) -> None:
        """Another deck, for the shoe or the dealer's hand; in an order of its own, for practice."""
        self.left = [card.text for card in deck or self._rng.sample(DECK, 52)]
        self.shoe.load(self.left)

    def draw(self) -> None:
        """The dealer's hand passes the top card through the shoe."""
        del self.left[:1]
        self.shoe.draw()


class Life:
    """What happens next away from the keys; asked after every change and on a clock."""

    def __init__(
        self,
        console: Console,
        rig: Rig,
        seed: int,
        *,
        hints: bool = True,
        practice: bool = False,
        situation: Situation | None = None,
    ) -> None:
        self.console, self._rig, self._hints = console, rig, hints
        self._practice, self._situation = practice, situation
        self._rng = random.Random(seed)
        self._asked: tuple[int, int, str, int | None, bool] | None = None
        self.intent: Intent | None = None
        self._shuffled = -1
        self._taken = -1
        self._loaded = -1
        self._sent = -1
        self._backs = ("red", "blue")
        self._struck = False
        self._waits = (-1, 0)
        self._notice = ""
        """What stays to be read while a hand lasts, whoever speaks."""
        self.struck: tuple[int, int] | None = None
        """The seat whose card was exposed, and the card's place in the deal."""
        self.dealt: DealtHand | None = None
        """The cards of the open hand."""
        self.on_deal: Callable[[], None] = lambda: None
        """Called when those are others."""
        if situation is not None and not console.session.state.hands:
            page = Reading(situation.name.upper(), tuple(wrap(situation.told, 60)))
            console.model = console.model.enter(page)

    def carry_on(self, before: Life) -> None:
        """After a restart of the console in a hand: the same cards lie on the table."""
        self._loaded, self._struck, self.struck = before._loaded, before._struck, before.struck
        self._shuffled, self._taken = before._shuffled, before._taken
        self.dealt = before.dealt

    def deal(self, dealt: DealtHand | None) -> None:
        self.dealt = dealt
        self.on_deal()

    def _take_deck(self) -> None:
        """Another deck for each hand, and for a draw; the first hand's makes the situation."""
        state = self.console.session.state
        hand = state.hand
        deck = state.hands if hand is not None else -2
        if self._loaded == deck:
            return
        self._loaded = deck
        given = self._situation if deck == 1 else None
        wanted = given.deck(hand.setup, self._rng) if given is not None and hand else None
        self._rig.new_deck(wanted)
        if hand is not None and (not hand.cards_out or self.by_hand):
            order = tuple(map(parse_card, self._rig.left))
            self.deal(DealtHand(state.hands, hand.setup.slots, order))

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
        self._take_deck()
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
        if state.deck == "unverified" and state.machine is None:
            # The deck was taken too early: it goes back for a full cycle.
            stands, self._taken = True, coming - 1
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

    def _question(self) -> tuple[int, int, str, int | None, bool]:
        """What is asked, and of whom: another one after every entry, and without the shoe."""
        state, step = self.console.session.state, self.console.session.step
        entry = -1 if state.hand is None else state.hand.entry
        return state.hands, entry, step.what, step.seat, self.by_hand

    def announce(self) -> None:
        """Lets the player who is asked say something, once."""
        console = self.console
        step = console.session.step
        hand = console.session.state.hand
        asked = self._question()
        if asked == self._asked:
            return
        table = console.model.modes[0]
        if isinstance(table, PracticeTable) and table.asks(console.model):
            # The dealer is asked something first; the player waits.
            console.hint("")
            return
        self._asked, self.intent = asked, None
        if self._is_over(hand):
            self._notice = ""
        console.hint(self._notice)
        if step.what in ("act", "show") and step.seat is not None:
            self.intent = self._choose(step)
            name = console.session.state.seats[step.seat].name
            said = f'{name}, seat {step.seat}: "{self.intent.announcement()}"'
            if step.what == "show" and self._practice and self.by_hand:
                said = "All hands are on the table: read them."
            self._say(said, self._keys_of(self.intent))
        elif hand is not None and self._practice and self.by_hand:
            self._say_what_hands_do(hand, step)
        elif self._hints and console.session.state.hands == 0 and step.what in ("cut", "hand"):
            cap = _ONE_KEY[step.what].upper()
            console.hint(f"Welcome. The white key below is always the way on: press {cap}.")

    @property
    def announced(self) -> bool:
        """Whether what can be heard and seen belongs to what is asked now."""
        return self._asked == self._question()

    @property
    def heard(self) -> Intent | None:
        """What the player who is asked has said, if anybody could hear it."""
        return None if self._notice else self.intent

    @property
    def by_hand(self) -> bool:
        """Whether the dealer's hands do what the shoe would tell."""
        devices = self.console.devices
        return devices is None or not devices.shoe_deals

    def _say(self, what: str, pressed: Sequence[str]) -> None:
        """What can be seen or heard at the table, and which keys record it."""
        if self._notice:
            return
        caps = " ".join(key.upper() for key in pressed)
        self.console.hint(f"{what}   press {caps}" if self._hints and caps else what)

    def _say_what_hands_do(self, hand: HandState, step: Step) -> None:
        """What the dealer does by hand, and the console cannot know."""
        self._take_deck()
        if step.what == "deal" and unpaid(hand):
            self._say("Everybody puts out the fee.", "-")
        elif step.what == "deal":
            self._say("You pitch the cards.", "0")
        elif step.what in ("flop", "turn", "river") and self.dealt is not None:
            cards = self.dealt.street(Street[step.what.upper()])
            self._say(f"You turned {format_cards(cards)}.", [*map(typed, cards), "0"])

    def strike(self) -> None:
        """What goes wrong in a situation, once, in its first hand."""
        given, hand = self._situation, self.console.session.state.hand
        if given is None or not given.fault or self._struck or hand is None:
            return
        dealing, betting = hand.phase is Phase.DEAL, hand.phase is Phase.BETTING
        if given.fault == "exposed" and dealing and (hand.cards_out >= 12 or self.by_hand):
            # By hand all cards go out with one key: one of the second round is exposed.
            place = len(hand.setup.dealt) + 3 if self.by_hand else hand.cards_out - 1
            seat = hand.setup.slots[place].seat or 0
            self._happens(
                seat, place, f"A card of seat {seat} was exposed!", "After the deal: / 4711"
            )
        elif given.fault == "fold" and betting and not hand.actions:
            seat = hand.setup.dealt[4]
            what = f"Seat {seat} throws its hand away, and the action is on seat {hand.actor}!"
            self._happens(seat, 0, what, f"press {seat} - +")
        elif given.fault == "jam" and betting:
            self._struck = True
            self._rig.shuffler.jam()

    def _happens(self, seat: int, place: int, what: str, hint: str) -> None:
        self._struck, self.struck = True, (seat, place)
        self._notice = f"{what}   {hint}" if self._hints else what
        self.console.hint(self._notice)

    def _is_over(self, hand: HandState | None) -> bool:
        """Whether there is nothing left to notice."""
        if hand is None or hand.actions or self.console.model.story.remedy:
            return True
        return self.struck is not None and hand.seats[self.struck[0]].folded

    def _choose(self, step: Step) -> Intent:
        state = self.console.session.state
        if self._situation is not None and state.hands == 1 and state.hand is not None:
            planned = self._situation.plan(state.hand, step)
            if planned is not None:
                return planned
        intent = choose(step, self._rng)
        if step.what == "show" and step.seat is not None:
            if self._practice and self.by_hand:
                return Intent("show")
            if intent.word == "show" and not (
                self._practice or self.console.session.can_read(step.seat)
            ):
                return Intent("muck")
        return intent

    def _keys_of(self, intent: Intent) -> list[str]:
        """The keys that record it, card by card; a hand that the shoe has not read is typed."""
        seat = self.console.session.step.seat
        unread = seat is not None and not self.console.session.can_read(seat)
        if intent.word == "show" and self._practice and not self.by_hand and unread and self.dealt:
            return ["+", *map(typed, self.dealt.held(seat or 0))]
        return keys(intent)

    def next_keys(self) -> list[str]:
        """What autoplay presses now; nothing while cards or an answer are on their way."""
        console = self.console
        if console.looking_up:
            # Keys pressed now would be taken after the answer, when something else is asked.
            return []
        mode = console.model.mode
        if isinstance(mode, Recovered | RemedySteps | Reading | Slips):
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
            slot_due = any(key.cap == "+" for key in console.prompt.keys)
            return ["+"] if state.hand.missing and slot_due else ["enter"]
        if step.what in ("act", "show"):
            said = self.intent if self.announced else None
            return [] if said is None else single_keys(self._keys_of(said))
        broke = [seat for seat, at in state.seats.items() if at.stack == 0]
        if state.hand is None and broke:
            return [*str(broke[0]), "enter", *"200", "+", "enter"]
        if step.what in _ONE_KEY:
            return [_ONE_KEY[step.what]]
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
            return {"deal": ["0", "+"], "draw": []}.get(step.what, ["0"])
        if any(key.cap == "0" for key in self.console.prompt.keys):
            return ["0"]
        return self._typed_card(state)

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
        return [*typed(parse_card(card))]

    def _as_floor(self, mode: object) -> list[str]:
        """What the floor would do when autoplay calls it: look, and let the game go on."""
        if isinstance(mode, ChooseRuling):
            state = self.console.session.state
            wanted = "playon"
            if self.console.session.step.what == "deck":
                wanted = "deck" if state.decks_out else "device"
            return [*str(BY_NAME[wanted].number)]
        if isinstance(mode, AskLine):
            return ["1"]
        return ["1", "enter"] if isinstance(mode, AskReason) else ["."]

    def _machine_works(self) -> bool:
        devices = self.console.devices
        shuffler = None if devices is None else devices.of("shuffler")
        out = "shuffler" in self.console.session.state.devices_out
        return shuffler is not None and shuffler.usable and not out
