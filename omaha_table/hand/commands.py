"""What can be asked of a hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

if TYPE_CHECKING:
    from omaha_table.cards import Card
    from omaha_table.hand.events import Place, Side, Trouble
    from omaha_table.hand.phases import Street
    from omaha_table.money import Cents

Verb: TypeAlias = Literal["fold", "check", "call", "bet", "raise", "allin"]


@dataclass(frozen=True, slots=True)
class Deal:
    """All hole cards are out."""

    name: ClassVar = "deal"


@dataclass(frozen=True, slots=True)
class DealCard:
    """The shoe passed a card. Its identity comes along only where it will lie face up."""

    name: ClassVar = "card"

    card: Card | None = None
    place: Place | None = None
    """Where a reader found it; None: it is the next card of the deal."""


@dataclass(frozen=True, slots=True)
class PayFee:
    """Seats have paid their fee, where each player pays one."""

    name: ClassVar = "paid"

    seats: tuple[int, ...] = ()
    """Empty: all that have not paid."""


@dataclass(frozen=True, slots=True)
class Act:
    name: ClassVar = "act"
    verb: Verb
    amount: Cents | None = None
    """What will lie in front of the seat on this street."""
    seat: int | None = None
    """Whose action it is said to be; None is the seat whose turn it is."""


@dataclass(frozen=True, slots=True)
class ActUntil:
    """Everyone from the seat whose turn it is does the same, up to but not including `seat`.

    Without a seat: everyone left to act on this street.
    """

    name: ClassVar = "act_until"

    verb: Literal["fold", "check", "call"]
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class FoldOutOfTurn:
    """A seat has folded before its turn."""

    name: ClassVar = "outofturn"
    seat: int


@dataclass(frozen=True, slots=True)
class TimeIsUp:
    """The clock on the seat to act has run out: it folds or checks."""

    name: ClassVar = "clock"
    at: int = 0
    """Seconds since 1970; the session fills it in."""


@dataclass(frozen=True, slots=True)
class Burn:
    name: ClassVar = "burn"


@dataclass(frozen=True, slots=True)
class Board:
    name: ClassVar = "board"
    street: Street
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Show:
    name: ClassVar = "show"
    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Muck:
    name: ClassVar = "muck"
    seat: int


@dataclass(frozen=True, slots=True)
class Read:
    name: ClassVar = "read"
    side: Side
    seats: tuple[int, ...]
    """Empty: nobody has it (a low only)."""
    pot: int | None = None
    """The pot that is meant, 0 for the main pot; None: every pot that the seats can win."""


@dataclass(frozen=True, slots=True)
class Push:
    name: ClassVar = "push"


@dataclass(frozen=True, slots=True)
class ReportTrouble:
    """A device says that something went wrong with a card."""

    name: ClassVar = "trouble"
    kind: Trouble
    cards: int = 0
    """How many cards left the shoe with it that are not recorded."""
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Settle:
    """The dealer has looked at what went wrong; the hand goes on as it stands."""

    name: ClassVar = "checked"


@dataclass(frozen=True, slots=True)
class Undo:
    name: ClassVar = "undo"


SingleCommand: TypeAlias = (
    Deal
    | DealCard
    | PayFee
    | Act
    | FoldOutOfTurn
    | TimeIsUp
    | Burn
    | Board
    | Show
    | Muck
    | Read
    | Push
    | ReportTrouble
    | Settle
    | Undo
)
HandCommand: TypeAlias = SingleCommand | ActUntil
