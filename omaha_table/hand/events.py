"""What can happen in a hand, as facts: frozen records from which the state is folded.

`entry` counts the dealer's entries of the hand; all events of one entry carry its number, so
an undo takes back the whole of it. Face-down cards have no identity here: there is no field.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from omaha_table.cards import Card
from omaha_table.hand.phases import Street
from omaha_table.hand.split import Award
from omaha_table.money import Cents

PostKind: TypeAlias = Literal["ante", "small_blind", "big_blind", "kill", "late", "dead"]
ActionKind: TypeAlias = Literal["fold", "check", "call", "bet", "raise"]
SlotKind: TypeAlias = Literal["hole", "burn", "flop", "turn", "river"]
Side: TypeAlias = Literal["high", "low"]
Outcome: TypeAlias = Literal["showdown", "uncontested", "misdeal", "void"]


Trouble: TypeAlias = Literal[
    "premature_card",
    "card_too_many",
    "duplicate_card",
    "foreign_card",
    "returned_card",
    "unreadable_card",
    "stuck_card",
    "lid_opened",
    "events_lost",
    "read_twice",
    "put_back",
    "missed_card",
    "unread_board",
    "out_of_game",
    "early_card",
    "stub_reloaded",
    "new_deck",
    "card_at_seat",
    "card_at_board",
    "card_at_muck",
]
"""What can go wrong with a card."""
# A kind never moves between the two: what an old log left to the floor stays the floor's.
DEALER_SETTLES: Final[frozenset[Trouble]] = frozenset(
    (
        *("unreadable_card", "stuck_card", "lid_opened", "events_lost"),
        *("read_twice", "put_back", "missed_card", "unread_board"),
        *("out_of_game", "early_card", "stub_reloaded", "card_at_muck"),
    )
)
"""The dealer may look at these and play on; the others are for the floor."""
Place: TypeAlias = int | Literal["board", "muck"]
"""Where a reader finds a card: a seat, the board or the muck."""


@dataclass(frozen=True, slots=True)
class Post:
    """Money due before the cards; a short stack posts what it has."""

    seat: int
    kind: PostKind
    amount: Cents


@dataclass(frozen=True, slots=True)
class HandStarted:
    """The hand's positions, stakes and stacks, all that is needed to play it again."""

    number: int
    rules: str
    rules_version: int
    limit: str
    button: int
    dealt: tuple[int, ...]
    """The seats that get a hand, in the order of the deal."""
    no_hand: tuple[int, ...]
    small_blind: int | None
    """The seat in this position; None where nobody is (a dead small blind)."""
    big_blind: int
    killer: int | None
    """The seat that posts the kill; one that is not dealt in if its player is away."""
    stacks: dict[int, Cents | None]
    """Before posting; None is not tracked."""
    posts: tuple[Post, ...]
    small_blind_chair: int
    """The place of the small blind, also when it is dead."""
    deck: str = ""
    """The color of the deck that is dealt; empty: not reported."""
    kill_stands: bool = False
    """A kill hand although the killer has left, and nobody posts the kill."""
    entry: int = 0

    @property
    def is_kill(self) -> bool:
        return self.killer is not None or self.kill_stands


@dataclass(frozen=True, slots=True)
class Posted:
    seat: int
    kind: PostKind
    amount: Cents
    all_in: bool
    entry: int


@dataclass(frozen=True, slots=True)
class PostedShort:
    """A seat whose stack is not tracked could not post in full: all that it had."""

    seat: int
    amount: Cents
    entry: int


@dataclass(frozen=True, slots=True)
class HoleCardsOut:
    """All hole cards are dealt, by hand and unseen."""

    entry: int


@dataclass(frozen=True, slots=True)
class CardDealt:
    """A card left the shoe for the next slot of the deal."""

    slot: int
    kind: SlotKind
    seat: int | None
    card: Card | None
    """Only of a card that lies face up."""
    entry: int
    placed: bool = False
    """A reader found it at its place, so it need not be the next one of the sequence."""

    @property
    def place(self) -> Place | None:
        """Where it was found, if a reader said so."""
        if not self.placed:
            return None
        if self.kind == "hole":
            return self.seat
        return "muck" if self.kind == "burn" else "board"


@dataclass(frozen=True, slots=True)
class Acted:
    seat: int
    action: ActionKind
    amount: Cents
    """What went in with this action."""
    to: Cents
    """What lies in front of the seat on this street after it."""
    all_in: bool
    entry: int


@dataclass(frozen=True, slots=True)
class ClockRanOut:
    """A seat did not act within its time: the action after it, of the same entry, is the clock's.

    It is a fold if the seat faces a bet, and else a check (TDA rule 29).
    """

    seat: int
    at: int
    """Seconds since 1970."""
    entry: int


@dataclass(frozen=True, slots=True)
class FoldedOutOfTurn:
    """A seat has thrown its hand away before its turn, which binds it (TDA rule 53).

    As with any fold, its chips stay where they are, and so does the turn.
    """

    seat: int
    entry: int


@dataclass(frozen=True, slots=True)
class StreetClosed:
    street: Street
    returned: dict[int, Cents]
    pot: Cents
    entry: int


@dataclass(frozen=True, slots=True)
class Burned:
    street: Street
    """The street it is burned for."""
    entry: int


@dataclass(frozen=True, slots=True)
class BoardDealt:
    street: Street
    cards: tuple[Card, ...]
    entry: int


@dataclass(frozen=True, slots=True)
class FeeDue:
    """The hand has come far enough to owe the house; taken from a pot at the push."""

    fee: Cents
    jackpot: Cents
    hands_dealt: int
    entry: int


@dataclass(frozen=True, slots=True)
class FeePaid:
    """A player has paid the fee of this hand, where each pays one: chips for the box, not the
    pot."""

    seat: int
    amount: Cents
    entry: int


@dataclass(frozen=True, slots=True)
class Tabled:
    seat: int
    cards: tuple[Card, ...]
    entry: int


@dataclass(frozen=True, slots=True)
class Mucked:
    seat: int
    entry: int


@dataclass(frozen=True, slots=True)
class DealerRead:
    """The dealer names the winners of a side without their cards being recorded."""

    side: Side
    seats: tuple[int, ...]
    entry: int
    pot: int | None = None
    """The pot that was meant; None: all that it settles, as 0.1.0 recorded it."""


@dataclass(frozen=True, slots=True)
class Irregularity:
    """Something went wrong with a card. The betting is untouched; somebody must look."""

    kind: Trouble
    street: Street
    entry: int
    unrecorded: int = 0
    """How many cards left the shoe with it that are not recorded; 0: none, or not known."""
    seat: int | None = None
    """Where it happened, if that is known."""


@dataclass(frozen=True, slots=True)
class Settled:
    """Somebody has looked at an irregularity, and the hand goes on as it stands."""

    kind: Trouble
    entry: int


@dataclass(frozen=True, slots=True)
class Undone:
    """The dealer took back the last entry; what it named stays in the log."""

    undone: int
    """The entry taken back."""
    seqs: tuple[int, ...]
    entry: int


@dataclass(frozen=True, slots=True)
class HandDeclared:
    """The floor declares a hand dead, or alive again."""

    seat: int
    dead: bool
    returned: Cents
    """Of a bet that nobody had called yet."""
    entry: int


@dataclass(frozen=True, slots=True)
class BackedUp:
    """The floor takes the hand back to where it stood after an earlier entry."""

    to: int
    entry: int


@dataclass(frozen=True, slots=True)
class PotCorrected:
    """Chips go from a seat into the pot, or from the pot to the seat if the amount is negative."""

    seat: int
    amount: Cents
    entry: int


@dataclass(frozen=True, slots=True)
class BoardCorrected:
    place: int
    card: Card
    entry: int


@dataclass(frozen=True, slots=True)
class RemedyOrdered:
    """How an error in the deal is put right: step by step, and which streets get no burn."""

    kind: str
    seat: int | None
    """Whose cards it concerns."""
    steps: tuple[str, ...]
    no_burn: tuple[Street, ...]
    entry: int


@dataclass(frozen=True, slots=True)
class ActionBound:
    """What a seat did out of turn stands, unless the price changes before its turn."""

    seat: int
    action: ActionKind
    price: Cents
    entry: int


@dataclass(frozen=True, slots=True)
class ActionReleased:
    seat: int
    entry: int


@dataclass(frozen=True, slots=True)
class FeeWaived:
    entry: int


@dataclass(frozen=True, slots=True)
class HandEnded:
    """The sum of the hand: sum(invested) = sum(awards) + fee + jackpot."""

    outcome: Outcome
    board: tuple[Card, ...]
    pots: tuple[Award, ...]
    fee: Cents
    jackpot: Cents
    waived: Cents
    returned: dict[int, Cents]
    invested: dict[int, Cents]
    awards: dict[int, Cents]
    stacks: dict[int, Cents]
    """After the push, of the seats whose stacks are tracked."""
    button: int
    kill: int | None
    """The seat that kills the next hand."""
    dealer_read: bool
    """Whether winners were named by the dealer rather than read from tabled cards."""
    by_ruling: bool
    """Whether the floor ended the hand or said who is paid."""
    entry: int
    drop_from: int = 0
    """The place among `pots` of the one that paid fee and jackpot."""


HandEvent: TypeAlias = (
    HandStarted
    | Posted
    | PostedShort
    | HoleCardsOut
    | CardDealt
    | Acted
    | ClockRanOut
    | FoldedOutOfTurn
    | StreetClosed
    | Burned
    | BoardDealt
    | FeeDue
    | FeePaid
    | Tabled
    | Mucked
    | DealerRead
    | Irregularity
    | Settled
    | Undone
    | HandDeclared
    | BackedUp
    | PotCorrected
    | BoardCorrected
    | RemedyOrdered
    | ActionBound
    | ActionReleased
    | FeeWaived
    | HandEnded
)
