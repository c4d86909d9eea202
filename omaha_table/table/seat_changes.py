"""Seat changes that are asked for while a hand is played, and take effect when it ends.

The chips and the players of a hand stay as they are until it is over (table stakes). What is asked
for meanwhile waits at the table, and is decided again at the hand's end, in the order in which it
was asked for, as if it were said then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from omaha_table.cards import quote
from omaha_table.hand import Refused
from omaha_table.hand.frozen import replace
from omaha_table.hand.refusal import sentence
from omaha_table.table import commands, events
from omaha_table.table.state import Asked, SeatAtTable, SeatChange

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.table.commands import TableCommand
    from omaha_table.table.events import TableEvent
    from omaha_table.table.state import SeatChangeKind, TableState

    DecideNow = Callable[[TableState, TableCommand], list[TableEvent]]

ChangeCommand: TypeAlias = (
    commands.SeatPlayer | commands.Leave | commands.Away | commands.Back | commands.Buy
)
TakesEffect: TypeAlias = (
    events.PlayerSeated
    | events.PlayerLeft
    | events.PlayerAway
    | events.PlayerBack
    | events.ChipsBought
)
_TAKES_EFFECT: Final[dict[type, SeatChangeKind]] = {
    events.PlayerSeated: "seat",
    events.PlayerLeft: "leave",
    events.PlayerAway: "away",
    events.PlayerBack: "back",
    events.ChipsBought: "buy",
}


def ask(state: TableState, command: ChangeCommand, decide_now: DecideNow) -> TableEvent:
    """What a command for a seat becomes while a hand is played; raises Refused.

    It must fit what waits already, so that as little as possible has to be dropped in the end.
    """
    between = replace(state, hand=None)
    try:
        decide_now(replace(between, seats=seats_after_hand(state)), command)
    except Refused as refusal:
        waits = _what_waits(state, command.seat)
        if not waits or not _possible(between, command, decide_now):
            raise
        message = f"{waits}: 'cancel {command.seat}' takes that back"
        raise Refused(refusal.code, sentence(message), state.profile, refusal.rule) from None
    return events.SeatChangeAsked(_change(command))


def _what_waits(state: TableState, seat: int) -> str:
    """What is in the way of another change at the seat; empty: nothing. Chips never are."""
    waiting = [asked.change for asked in state.asked if asked.change.seat == seat]
    match next((change for change in reversed(waiting) if change.what != "buy"), None):
        case None:
            return ""
        case SeatChange(what="seat", name=name):
            return f"{quote(name)} sits down in seat {seat} when the hand ends"
        case SeatChange(what="leave"):
            return f"seat {seat} leaves when the hand ends"
        case SeatChange(what="away"):
            return f"seat {seat} is away when the hand ends"
        case _:
            return f"seat {seat} is back when the hand ends"


def cancel(state: TableState, seat: int) -> TableEvent:
    """Takes back the last of what waits at a seat; raises Refused."""
    waiting = last_asked_at(state, seat)
    if waiting is None:
        message = sentence(f"nothing at seat {seat} waits for the end of a hand")
        raise Refused("wrong_phase", message, state.profile)
    return events.SeatChangeCancelled(waiting.seq, waiting.change)


def due_now(state: TableState, decide_now: DecideNow) -> TableEvent:
    """After the hand: what has waited longest, as the event that it is between hands."""
    change, hand = state.asked[0].change, state.hands
    try:
        [event] = decide_now(state, _command(change))
    except Refused as refusal:
        return events.SeatChangeDropped(change, refusal.message, hand)
    assert isinstance(event, TakesEffect)
    return replace(event, asked_in=hand)


def seats_after_hand(state: TableState) -> dict[int, SeatAtTable]:
    """The seats as they will be, if no chips were won or lost from here on."""
    hand = state.hand
    if hand is None:
        return state.seats
    seats = {
        seat: replace(at, stack=hand.seats[seat].stack) if seat in hand.seats else at
        for seat, at in state.seats.items()
    }
    for asked in state.asked:
        change = asked.change
        at = seats.get(change.seat)
        if change.what == "seat":
            seats[change.seat] = SeatAtTable(change.name, change.amount)
        elif at is None:
            continue  # the floor has emptied the seat: dropped when the hand ends
        elif change.what == "leave":
            del seats[change.seat]
        elif change.what == "buy":
            stack = None if at.stack is None else at.stack + (change.amount or 0)
            seats[change.seat] = replace(at, stack=stack)
        else:
            away = change.what == "away"
            since = change.at if away else at.away_since
            seats[change.seat] = replace(at, away=away, away_since=since)
    return seats


def change_to_undo(state: TableState) -> Asked | None:
    """The change that an undo takes back; None: something else was entered after it."""
    if not state.asked:
        return None
    last, hand = state.asked[-1], state.hand
    later = [state.undoable[-1].seqs[-1]] if state.undoable else []
    if hand is not None and hand.undoable:
        later.append(hand.standing_seqs[-1])
    return last if last.seq > max(later, default=0) else None


def fold_asked(state: TableState, event: TableEvent) -> TableState:
    """What waits, after an event; raises ValueError if it names what nobody has asked for."""
    match event:
        case events.SeatChangeAsked():
            if state.hand is None:
                raise ValueError("no hand is being played")
            return replace(state, asked=(*state.asked, Asked(state.seq + 1, event.change)))
        case events.SeatChangeCancelled():
            gone = Asked(event.asked, event.change)
            if gone not in state.asked:
                raise ValueError(f"event {event.asked} asks for nothing that waits")
            return replace(state, asked=tuple(asked for asked in state.asked if asked != gone))
        case events.SeatChangeDropped():
            return _take_first(state, event.change, event.asked_in)
        case _ if isinstance(event, TakesEffect) and event.asked_in:
            first = state.asked[0].change if state.asked else None
            what = _TAKES_EFFECT[type(event)]
            if first is None or (first.what, first.seat) != (what, event.seat):
                raise ValueError("this was not asked for during the hand")
            return _take_first(state, first, event.asked_in)
        case _:
            return state


def _take_first(state: TableState, change: SeatChange, hand: int) -> TableState:
    if state.hand is not None or hand != state.hands or not state.asked:
        raise ValueError(f"nothing waits for the end of hand {hand}")
    if state.asked[0].change != change:
        raise ValueError("something else was asked for before this")
    return replace(state, asked=state.asked[1:])


def last_asked_at(state: TableState, seat: int) -> Asked | None:
    """The last of what waits at a seat."""
    return next((asked for asked in reversed(state.asked) if asked.change.seat == seat), None)


def _possible(state: TableState, command: ChangeCommand, decide_now: DecideNow) -> bool:
    try:
        decide_now(state, command)
    except Refused:
        return False
    return True


def _change(command: ChangeCommand) -> SeatChange:
    match command:
        case commands.SeatPlayer():
            return SeatChange("seat", command.seat, command.name, command.stack)
        case commands.Leave():
            return SeatChange("leave", command.seat)
        case commands.Away():
            return SeatChange("away", command.seat, at=command.at)
        case commands.Back():
            return SeatChange("back", command.seat)
        case commands.Buy():
            return SeatChange("buy", command.seat, amount=command.amount)


def _command(change: SeatChange) -> ChangeCommand:
    match change.what:
        case "seat":
            return commands.SeatPlayer(change.seat, change.name, change.amount)
        case "leave":
            return commands.Leave(change.seat)
        case "away":
            return commands.Away(change.seat, change.at)
        case "back":
            return commands.Back(change.seat)
        case "buy":
            return commands.Buy(change.seat, change.amount or 0)
