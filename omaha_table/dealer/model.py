"""The console as data: everything that decides what the screen shows and what a key does.

A model is never changed. `update` makes the next one from a key, a report or an answer of the
table, and `view` shows it. What must be done outside (write to the log, check a PIN) is returned
as effects, which `console.Console` carries out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from omaha_table.dealer.event_text import chips
from omaha_table.dealer.story import Story
from omaha_table.dealer.table_view import Alarm, Staging
from omaha_table.hand.frozen import replace
from omaha_table.money import parse_dollars

if TYPE_CHECKING:
    from omaha_drivers.events import Report
    from omaha_drivers.settings import Kind

    from omaha_table.dealer.change import Change
    from omaha_table.dealer.room_status import RoomWatch
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.hand import HandState, Step
    from omaha_table.journal.slips import Slip
    from omaha_table.money import Cents
    from omaha_table.session.device_status import Device
    from omaha_table.session.equipment import Missing
    from omaha_table.session.reopening import Reopening
    from omaha_table.table import TableState

MOST_DIGITS: Final = 6
"""Of a typed number, before its cents."""
NO_ALARM: Final = Alarm("none", "")


class Mode(ABC):
    """One thing the console asks for. A mode is frozen data; `show` is all that it does.

    `show` puts the keys that work now on the strip, each with what it does, and returns the prompt.
    """

    __slots__ = ()

    @abstractmethod
    def show(self, model: Model, strip: Strip) -> Prompt: ...

    def text(self, model: Model, name: str) -> Change | None:
        """What a key of a keyboard does where words are typed; None: it is a key of the pad."""
        return None

    def staging(self, model: Model) -> Staging:
        """How the table is shown while this mode is the first."""
        return Staging()

    @property
    def digits_commit(self) -> bool:
        """Whether a digit does something at once, so that a held one must count only once."""
        return False


@dataclass(frozen=True)
class Facts:
    """The table and its devices as they stand, taken again after everything that is done."""

    state: TableState
    step: Step
    readable: frozenset[int] = frozenset()
    """Seats whose cards the shoe has read, so that they are tabled without being keyed."""
    reopening: Reopening | None = None
    """Who was seated at the table when it was closed, until the dealer says who is now."""
    devices: tuple[Device, ...] = ()
    shoe_deals: bool = False
    """Whether the next cards come from the shoe."""
    by_hand: bool = False
    """Whether cards of this hand were dealt past the shoe."""
    count_only: bool = False
    """Whether the shoe only counts, because there is no key to seal cards with."""
    missing: tuple[Missing, ...] = ()
    """What the table's file asks for and was not there when the console was started."""
    unseen: tuple[Missing, ...] = ()
    """Of these, what the dealer has not acknowledged."""
    mirror_fault: str = ""
    """Why the second copy of the log is not kept."""
    head_words: str = ""
    slips: tuple[Slip, ...] = ()
    """Of the last shifts, the latest first."""
    dealers: frozenset[str] = frozenset()
    """Dealers on the staff list; none: everybody may deal."""
    dealer_pins: bool = False
    """Whether a dealer on the list types the PIN at the push."""
    shift_signed: bool = False
    """Whether a supervisor signs for a shift that is opened or closed."""
    supervisors: tuple[str, ...] = ()
    """The staff numbers of those who may give rulings."""
    room: RoomWatch | None = None
    """The room, where the table's file names one."""
    staff_problem: str = ""
    """Why the staff list is not used, or no PIN can be recorded."""

    def device(self, kind: Kind) -> Device | None:
        return next((device for device in self.devices if device.kind == kind), None)


@dataclass(frozen=True, slots=True)
class HalfDone:
    """What the dealer has begun at this step and not committed; another step starts over."""

    cards: tuple[str, ...] = ()
    """Keyed of a board or a hand, until it is whole."""
    typing_hand: bool = False
    """The cards of the hand that is tabled are keyed."""
    by_hand: bool = False
    """The board is keyed although the shoe deals."""
    pushed: int = 0
    drawing: bool = False
    """The draw for the button begins: cards are asked for."""
    seating: bool = False
    """The draw waits while a player sits down, leaves or goes away."""


@dataclass(frozen=True, slots=True)
class AwardedPushes:
    """What the floor has awarded, and how many of the pushes the dealer has made.

    The award itself ended the hand in the log, so this is no step of the table.
    """

    due: tuple[tuple[int, Cents], ...]
    """The seats and their amounts."""
    fee: Cents = 0
    jackpot: Cents = 0
    pushed: int = 0


class KeyGate(NamedTuple):
    """What tells a key that was meant from one that bounces or is held."""

    key: str = ""
    at: float = -1.0
    committed: bool = False
    """It did something at once; while it is held it is not typed into the next step either."""
    after: float = 0.0
    """Seconds from the press of the same key before it; 0: another key came between."""
    repeats: int = 0
    """How often it came again while it was held."""


class Rung(NamedTuple):
    """For what the bell has rung, and when."""

    what: str = ""
    at: float = 0.0


@dataclass(frozen=True)
class Model:
    facts: Facts
    modes: tuple[Mode, ...]
    """The last one is asked. The first is the table itself and always there."""
    title: str = ""
    room: str = ""
    """The name of the cardroom."""
    typed: str = ""
    filled: Cents | None = None
    """An amount that a key filled in, to the cent; typing takes its place."""
    half: HalfDone = field(default_factory=HalfDone)
    awarded: AwardedPushes | None = None
    answer: Alarm = NO_ALARM
    """To the last key."""
    hint: str = ""
    """What a simulated player has said, or a word for a newcomer."""
    story: Story = field(default_factory=Story)
    pending: tuple[Report, ...] = ()
    """What devices have reported and the table has not taken yet."""
    gate: KeyGate = field(default_factory=KeyGate)
    rung: Rung = field(default_factory=Rung)
    clock_bells: int = 0
    """How often the clock on a seat has rung: first when ten seconds are left."""
    bells: int = 0
    keys: int = 0
    refusals: int = 0
    wall: float = 0.0
    quit: bool = False

    # The table

    @property
    def state(self) -> TableState:
        return self.facts.state

    @property
    def step(self) -> Step:
        return self.facts.step

    @property
    def hand(self) -> HandState:
        """The open hand, where the step is one of a hand."""
        hand = self.facts.state.hand
        assert hand is not None
        return hand

    @property
    def has_cents(self) -> bool:
        """Whether an amount with cents can be meant: by the rules, or by somebody's chips."""
        stacks = (at.stack or 0 for at in self.state.seats.values())
        return self.state.profile.has_cents or any(stack % 100 for stack in stacks)

    @property
    def staging(self) -> Staging:
        return self.modes[0].staging(self)

    # What is typed

    @property
    def amount(self) -> Cents | None:
        """What is typed or filled in, in cents."""
        if self.filled is not None:
            return self.filled
        return parse_dollars(self.typed.rstrip(".")) if self.typed else None

    @property
    def number(self) -> int | None:
        """What is typed, as the number of a seat; an amount with a point is none."""
        return int(self.typed) if self.typed.isdecimal() else None

    def clear(self) -> Model:
        return replace(self, typed="", filled=None)

    def fill(self, amount: Cents) -> Model:
        return replace(self, typed=chips(amount), filled=amount)

    def type_digit(self, digit: str) -> Model:
        """Of an amount or a seat."""
        model = self.clear() if self.filled is not None else self
        _, point, cents = model.typed.partition(".")
        if point and len(cents) == 2:
            return model.refuse("Cents have two digits. Press . to clear.")
        typed = model.type_figure(digit)
        return typed if point else replace(typed, typed=typed.typed.lstrip("0") or "0")

    def type_figure(self, digit: str) -> Model:
        """Of a number that is a name: its zeros count."""
        model = self.clear() if self.filled is not None else self
        if len(model.typed) >= MOST_DIGITS and "." not in model.typed:
            return model.refuse("Too many digits. Press . to clear.")
        return replace(model, typed=model.typed + digit)

    # What is answered

    def refuse(self, message: str) -> Model:
        return replace(
            self,
            answer=Alarm("refused", message),
            bells=self.bells + 1,
            refusals=self.refusals + 1,
        )

    def inform(self, message: str) -> Model:
        return replace(self, answer=Alarm("info", message))

    # Modes

    @property
    def mode(self) -> Mode:
        return self.modes[-1]

    def enter(self, mode: Mode) -> Model:
        return replace(self.clear(), modes=(*self.modes, mode))

    def become(self, mode: Mode) -> Model:
        """The mode that is asked, changed; what is typed stays."""
        return replace(self, modes=(*self.modes[:-1], mode))

    def leave(self) -> Model:
        """Back to what was asked before."""
        return replace(self.clear(), modes=self.modes[:-1] or self.modes)

    def leave_all(self) -> Model:
        return replace(self.clear(), modes=self.modes[:1])
