"""What can be asked of a table between hands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from omaha_table.hand.commands import HandCommand

if TYPE_CHECKING:
    from omaha_table.cards import Card
    from omaha_table.money import Cents
    from omaha_table.rules import Profile


@dataclass(frozen=True, slots=True)
class SeatPlayer:
    seat: int
    name: str
    stack: Cents | None = None
    """None: not tracked."""


@dataclass(frozen=True, slots=True)
class Leave:
    seat: int


@dataclass(frozen=True, slots=True)
class Away:
    seat: int
    at: int = 0
    """Seconds since 1970; the session fills it in."""


@dataclass(frozen=True, slots=True)
class Back:
    seat: int


@dataclass(frozen=True, slots=True)
class Buy:
    seat: int
    amount: Cents


@dataclass(frozen=True, slots=True)
class MoveSeat:
    seat: int
    to: int


@dataclass(frozen=True, slots=True)
class PostOwed:
    """Come in now and post what is owed, instead of waiting for the big blind."""

    seat: int


@dataclass(frozen=True, slots=True)
class PushIn:
    """A dealer sits down; the one before is pushed out."""

    dealer: str


@dataclass(frozen=True, slots=True)
class PushOut:
    pass


@dataclass(frozen=True, slots=True)
class OpenShift:
    """New boxes are on the table; those before are closed."""

    shift: str
    box: str
    jackpot_box: str


@dataclass(frozen=True, slots=True)
class CloseShift:
    pass


@dataclass(frozen=True, slots=True)
class Draw:
    """One face-up card of the draw for the button."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class PlaceButton:
    """The dealer opens a game in which the button is placed, not drawn for."""

    seat: int


@dataclass(frozen=True, slots=True)
class ImportButton:
    """The button of a hand from a file. The importer makes this command; no key or word does."""

    seat: int


@dataclass(frozen=True, slots=True)
class ChangeLimit:
    limit: str


@dataclass(frozen=True, slots=True)
class ChangeRules:
    profile: Profile
    limit: str | None = None
    """None: the first of the profile."""


@dataclass(frozen=True, slots=True)
class CutDeck:
    pass


@dataclass(frozen=True, slots=True)
class ReportDeck:
    """What the shuffler says of the deck, or that it was shuffled by hand."""

    state: Literal["ok", "bad", "manual"]
    count: int | None = None
    back: str = ""
    """The color of its backs; empty: not reported."""


@dataclass(frozen=True, slots=True)
class NoteDevice:
    device: str
    what: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class StartHand:
    pass


TableCommand: TypeAlias = (
    SeatPlayer
    | Leave
    | Away
    | Back
    | Buy
    | MoveSeat
    | PostOwed
    | PushIn
    | PushOut
    | OpenShift
    | CloseShift
    | Draw
    | PlaceButton
    | ImportButton
    | ChangeLimit
    | ChangeRules
    | CutDeck
    | ReportDeck
    | NoteDevice
    | StartHand
    | HandCommand
)
