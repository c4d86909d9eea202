"""Folds what has happened at a table, in a hand or between hands, into its state."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from omaha_table.hand import apply as apply_to_hand
from omaha_table.hand import start
from omaha_table.hand.events import HandEnded, HandStarted
from omaha_table.hand.split import clockwise
from omaha_table.table import events
from omaha_table.table.state import SeatAtTable, TableState

if TYPE_CHECKING:
    from omaha_table.table.events import TableEvent


def apply(state: TableState, event: TableEvent) -> TableState:
    """The state after an event; events are numbered from 1 in the order they are folded in."""
    seq = state.seq + 1
    if state.hand is not None and not isinstance(event, _OF_THE_TABLE):
        return state.but(seq=seq, hand=apply_to_hand(state.hand, event, seq))  # type: ignore[arg-type]
    return _fold(state, event).but(seq=seq)


_OF_THE_TABLE: Final = (HandStarted, HandEnded, events.DeckReported)
"""Events that concern more than the hand, also while one is played."""


def _fold(state: TableState, event: TableEvent) -> TableState:
    match event:
        case HandStarted():
            hand = start(state.profile, state.limit, event)
            return state.but(hand=hand, hands=event.number, button=event.button, drawn={})
        case HandEnded():
            return _end_hand(state, event)
        case events.TableOpened():
            return state
        case events.PlayerSeated():
            return _with_seat(state, event.seat, SeatAtTable(event.name, event.stack))
        case events.PlayerLeft():
            seats = {seat: at for seat, at in state.seats.items() if seat != event.seat}
            drawn = {seat: card for seat, card in state.drawn.items() if seat != event.seat}
            return state.but(seats=seats, drawn=drawn)
        case events.PlayerAway():
            return _with_seat(state, event.seat, replace(state.seats[event.seat], away=True))
        case events.PlayerBack():
            return _with_seat(state, event.seat, replace(state.seats[event.seat], away=False))
        case events.ChipsBought():
            at = state.seats[event.seat]
            return _with_seat(state, event.seat, replace(at, stack=(at.stack or 0) + event.amount))
        case events.ButtonCardDrawn():
            return state.but(drawn=state.drawn | {event.seat: event.card})
        case events.ButtonPlaced():
            return state.but(button=event.seat, drawn={})
        case events.LimitChanged():
            limit = state.profile.limit(event.limit)
            if limit is None:
                raise ValueError(f"{state.profile.id} has no limit {event.limit}")
            return state.but(limit=limit, killer=None)
        case events.DeckReported():
            return state.but(deck=event.state)
        case _:
            raise ValueError(f"{type(event).__name__} without a hand")


def _with_seat(state: TableState, seat: int, at: SeatAtTable) -> TableState:
    return state.but(seats=state.seats | {seat: at})


def _end_hand(state: TableState, event: HandEnded) -> TableState:
    """Stacks are brought up to date and the button moves to the next player."""
    seats = {
        seat: replace(at, stack=event.stacks[seat]) if seat in event.stacks else at
        for seat, at in state.seats.items()
    }
    playing = [seat for seat, at in seats.items() if at.plays]
    return state.but(
        hand=None,
        seats=seats,
        button=next(iter(clockwise(playing, event.button)), None),
        killer=event.kill,
        deck="unknown" if state.deck != "bad" else "bad",
    )
