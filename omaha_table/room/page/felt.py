"""A table as everybody at it sees it: seats, chips, board, pots. No face-down card has a name here:
there is no field for one, in the log or in this view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from omaha_table.evaluate.words import describe_high, describe_low
from omaha_table.hand.phases import Phase
from omaha_table.hand.showdown import read_tabled
from omaha_table.hand.steps import step
from omaha_table.money import format_dollars

if TYPE_CHECKING:
    from omaha_table.cards import Card
    from omaha_table.hand import HandState, Step
    from omaha_table.room.page.folding import TableNow
    from omaha_table.table import SeatAtTable, TableState


@dataclass(frozen=True, slots=True)
class FeltSeat:
    number: int
    name: str
    """Empty: nobody sits here."""
    stack: str = ""
    bet: str = ""
    said: str = ""
    """What it did last on this street, or why it is not dealt in."""
    face_up: tuple[Card, ...] = ()
    face_down: int = 0
    """How many cards lie face down before it."""
    reading: str = ""
    marks: tuple[str, ...] = ()
    state: Literal["", "acting", "out", "open"] = ""


@dataclass(frozen=True, slots=True)
class Felt:
    title: str
    next_step: str
    board: tuple[Card, ...]
    pots: tuple[tuple[str, str], ...]
    seats: tuple[FeltSeat, ...]


def felt_of(now: TableNow) -> Felt | None:
    """Pure; None: there is nothing to show."""
    state = now.state
    if state is None:
        return None
    hand = state.hand
    seats = tuple(
        _seat(state, hand, number, now.acts.get(number, ""))
        for number in range(1, state.profile.seats.max + 1)
    )
    if hand is None:
        title = "Closed" if state.closed else "Between hands"
        return Felt(title, "", (), _held(state), seats)
    board = (*hand.board, *hand.turned)
    title = f"Hand {state.hands}, {_phase(hand)}"
    return Felt(title, _next(hand), board, (*_pots(hand), *_held(state)), seats)


def _phase(hand: HandState) -> str:
    match hand.phase:
        case Phase.DEAL:
            return "the deal"
        case Phase.SHOWDOWN | Phase.PUSH if len(hand.contenders) > 1:
            return "showdown"
    return hand.street.word


def _next(hand: HandState) -> str:
    """Who must do what now."""
    due = _due(hand)
    if due is None:
        return ""
    who = f"seat {due.seat}" if due.who == "seat" else due.who
    what = {
        "act": "to act",
        "show": "to show",
        "deal": "deals the hole cards",
        "flop": "deals the flop",
        "turn": "deals the turn",
        "river": "deals the river",
        "push": "pushes the pots",
        "read": "reads the hands",
        "check_cards": "checks a card",
        "rule_on_card": "rules on a card",
    }.get(due.what, due.what.replace("_", " "))
    return f"{who.capitalize()} {what}"


def _due(hand: HandState) -> Step | None:
    try:
        return step(hand)
    except ValueError:
        # In the middle of an entry, of which the rest is still on its way.
        return None


def _pots(hand: HandState) -> tuple[tuple[str, str], ...]:
    pots = hand.pots_in_the_middle()
    made = []
    for number, pot in enumerate(pots):
        name = "Pot" if len(pots) == 1 else "Main pot" if number == 0 else f"Side pot {number}"
        seats = f" (seats {', '.join(map(str, pot.eligible))})" if len(pots) > 1 else ""
        made.append((f"{name}{seats}", format_dollars(pot.amount)))
    if hand.in_front:
        made.append(("In front", format_dollars(hand.in_front)))
    return tuple(made)


def _held(state: TableState) -> tuple[tuple[str, str], ...]:
    held = sum(cents for seats in state.impounded.values() for cents in seats.values())
    return (("Held by the floor", format_dollars(held)),) if held else ()


def _seat(state: TableState, hand: HandState | None, number: int, act: str) -> FeltSeat:
    at = state.seats.get(number)
    if at is None:
        return FeltSeat(number, "", state="open")
    if hand is not None and number in hand.seats:
        return _in_hand(hand, number, at, act)
    drawn = state.drawn.get(number)
    # Where more are seated than are dealt in, the button may be at a seat without a hand.
    at_button = state.button if hand is None else hand.setup.started.button
    button = ("D",) if at_button == number else ()
    return FeltSeat(
        number, at.name, _stack(at.stack), said=_why_out(at, hand),
        face_up=() if drawn is None or hand is not None else (drawn,), marks=button,
        state="out" if hand is not None or not at.present else "",
    )  # fmt: skip


def _in_hand(hand: HandState, number: int, at: SeatAtTable, act: str) -> FeltSeat:
    mine, started = hand.seats[number], hand.setup.started
    tabled = hand.tabled.get(number, ())
    gone = mine.folded or number in hand.mucked
    places = {"D": started.button, "SB": started.small_blind, "BB": started.big_blind,
              "K": started.killer}  # fmt: skip
    due = _due(hand)
    acting = due is not None and due.who == "seat" and due.seat == number
    return FeltSeat(
        number,
        at.name,
        "all in" if mine.all_in and not mine.stack else _stack(mine.stack),
        format_dollars(mine.bet) if mine.bet else "",
        "mucks" if number in hand.mucked else "folded" if mine.folded else act,
        tabled,
        0 if gone or tabled else _face_down(hand, number),
        _reading(hand, number),
        tuple(mark for mark, seat in places.items() if seat == number),
        "acting" if acting else "out" if gone else "",
    )


def _face_down(hand: HandState, number: int) -> int:
    """A count, nothing more."""
    if hand.phase is not Phase.DEAL:
        return hand.setup.profile.game.hole_cards
    slots = enumerate(hand.setup.slots)
    return sum(
        slot.seat == number
        for at, slot in slots
        if slot.kind == "hole" and (at < hand.cards_out or at in hand.ahead)
    )


def _reading(hand: HandState, number: int) -> str:
    if number not in hand.tabled or len(hand.board) != 5:
        return ""
    highs, lows = read_tabled(hand)
    low = f"; low {describe_low(lows[number])}" if lows.get(number) else ""
    return f"{describe_high(highs[number])}{low}"


def _why_out(at: SeatAtTable, hand: HandState | None) -> str:
    if at.away:
        return "away"
    if at.stack == 0:
        return "no chips"
    return "not dealt in" if hand is not None else ""


def _stack(stack: int | None) -> str:
    return "" if stack is None else format_dollars(stack)
