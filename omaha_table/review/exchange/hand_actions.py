"""What was done in a hand, step by step, as every export tells it.

Only what stands, and of the cards only those that lay face up: the board, and hands tabled at the
showdown. What was taken back, mucked or folded has no card here.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from omaha_table.hand.events import (
    Acted,
    ActionKind,
    BoardDealt,
    FoldedOutOfTurn,
    HandDeclared,
    Mucked,
    Posted,
    PostedShort,
    PostKind,
    PotCorrected,
    Tabled,
)
from omaha_table.hand.phases import Street
from omaha_table.hand.state import Stakes
from omaha_table.journal.codec import type_name
from omaha_table.review.index.hands import board_of
from omaha_table.table.events import ChipsTransferred

if TYPE_CHECKING:
    from omaha_table.cards import Card
    from omaha_table.money import Cents
    from omaha_table.review.index.hands import Played

HandActionKind: TypeAlias = PostKind | ActionKind | Literal["board", "show", "muck", "correct"]
POSTS: Final = ("ante", "small_blind", "big_blind", "kill", "late", "dead")
_BOARD: Final = {
    Street.FLOP: slice(0, 3),
    Street.TURN: slice(3, 4),
    Street.RIVER: slice(4, 5),
}


@dataclass(frozen=True, slots=True)
class HandAction:
    """One step; `seat` is None where the dealer did it."""

    seq: int
    at_us: int
    street: Street
    seat: int | None
    kind: HandActionKind
    amount: Cents = 0
    """What went in; negative where the floor corrected a pot and chips came out."""
    to: Cents = 0
    """What then lay in front of the seat on this street."""
    all_in: bool = False
    cards: tuple[Card, ...] = ()
    early: bool = False
    """A fold before the seat's turn."""


def actions_of(hand: Played) -> list[HandAction]:
    """The steps that stand, in order."""
    street = Street.PREFLOP
    board = board_of(hand)
    front: Counter[int] = Counter()
    made: list[HandAction] = []
    for moment in hand.standing:
        seq, at, event = moment.seq, moment.at_us, moment.event
        match event:
            case Posted():
                if event.kind not in ("ante", "dead") and event.seat in hand.started.dealt:
                    front[event.seat] += event.amount
                to = front[event.seat]
                made.append(
                    HandAction(
                        seq, at, street, event.seat, event.kind, event.amount, to, event.all_in
                    )
                )
            case PostedShort():
                made = _posted_short(made, event)
                front[event.seat] = max((d.to for d in made if d.seat == event.seat), default=0)
            case Acted():
                kind, to = event.action, event.to
                front[event.seat] = to
                made.append(
                    HandAction(seq, at, street, event.seat, kind, event.amount, to, event.all_in)
                )
            case FoldedOutOfTurn():
                lies = front[event.seat]
                made.append(HandAction(seq, at, street, event.seat, "fold", 0, lies, early=True))
            case PotCorrected():
                made.append(HandAction(seq, at, street, event.seat, "correct", event.amount))
            case BoardDealt():
                street = event.street
                front.clear()
                made = [d for d in made if d.kind != "board" or d.street != street]
                turned = board[_BOARD[street]] or event.cards
                made.append(HandAction(seq, at, street, None, "board", cards=turned))
            case Tabled():
                made = _unsaid(made, event.seat)
                made.append(HandAction(seq, at, street, event.seat, "show", cards=event.cards))
            case Mucked():
                made = _unsaid(made, event.seat)
                made.append(HandAction(seq, at, street, event.seat, "muck"))
    return made


def _posted_short(made: list[HandAction], short: PostedShort) -> list[HandAction]:
    """A seat's posts as far as what it had reaches, in their order."""
    told, left, live = [], short.amount, 0
    for act in made:
        if act.seat != short.seat:
            told.append(act)
            continue
        amount = min(act.amount, left)
        left -= amount
        live += 0 if act.kind in ("ante", "dead") else amount
        if amount:
            told.append(replace(act, amount=amount, to=min(act.to, live), all_in=not left))
    return told


def _unsaid(made: list[HandAction], seat: int) -> list[HandAction]:
    """Without what the seat did at the showdown before: its last word counts."""
    return [d for d in made if d.seat != seat or d.kind not in ("show", "muck")]


def stakes_of(hand: Played) -> Stakes:
    return Stakes.of(hand.limit, kill=hand.started.is_kill)


def known_stacks(hand: Played) -> dict[int, Cents | None]:
    """The stacks before the hand, of the seats dealt in; None: not known.

    A seat that is not tracked and went all in has shown what it had. A fee that a player pays for
    the hand is gone before it begins.
    """
    put_in: Counter[int] = Counter()
    all_in: set[int] = set()
    for act in actions_of(hand):
        if act.seat is not None:
            put_in[act.seat] += act.amount
            if act.all_in:
                all_in.add(act.seat)
    stacks: dict[int, Cents | None] = {}
    for seat in hand.started.dealt:
        stack = hand.started.stacks[seat]
        if stack is not None:
            stacks[seat] = stack - hand.fees_paid.get(seat, 0)
        else:
            stacks[seat] = put_in[seat] if seat in all_in else None
    return stacks


def away_posts(hand: Played) -> dict[int, Cents]:
    """What was posted from the chips of players who were away, by seat."""
    away: Counter[int] = Counter()
    for act in actions_of(hand):
        if act.kind in POSTS and act.seat is not None and act.seat not in hand.started.dealt:
            away[act.seat] += act.amount
    return dict(away)


def decided_by_floor(hand: Played) -> bool:
    """Whether the floor had a part in where the money went, which no rules of play tell."""
    ended = hand.ended
    return (ended is not None and ended.by_ruling) or any(
        isinstance(moment.event, HandDeclared | PotCorrected) for moment in hand.standing
    )


@dataclass(frozen=True, slots=True)
class Correction:
    """Chips that a ruling moved after the push, for or because of the hand."""

    seq: int
    at_us: int
    kind: str
    """`fee_returned`, `chips_transferred`, `pot_impounded` or `impound_released`."""
    seat: int
    to: int | None
    amount: Cents
    adjusting: bool
    """An entry for the books alone: no chips moved."""


def corrections_of(hand: Played) -> list[Correction]:
    made = []
    for moment, event in hand.moved_later:
        kind = type_name(type(event))
        to, books = None, False
        if isinstance(event, ChipsTransferred):
            to, books = event.to, event.adjusting
        made.append(Correction(moment.seq, moment.at_us, kind, event.seat, to, event.amount, books))
    return made


def when(hand: Played) -> datetime:
    """When the hand was played; of an imported one what its file said, where it did.

    A time without a zone is left without one.
    """
    if hand.played:
        with contextlib.suppress(ValueError):
            return datetime.fromisoformat(hand.played)
    return datetime.fromtimestamp(hand.started_us / 1e6, UTC)


def name_of(hand: Played, seat: int) -> str:
    return hand.names.get(seat, "") or f"Seat {seat}"
