"""Folds what has happened at a table, in a hand or between hands, into its state."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from omaha_table.hand import apply as apply_to_hand
from omaha_table.hand import start
from omaha_table.hand.events import HandEnded, HandStarted
from omaha_table.table import events
from omaha_table.table.positions import find_positions, passed_by_the_big_blind
from omaha_table.table.state import Box, Down, LastHand, SeatAtTable

if TYPE_CHECKING:
    from omaha_table.table.events import TableEvent
    from omaha_table.table.state import TableState


def apply(state: TableState, event: TableEvent) -> TableState:
    """The state after an event; events are numbered from 1 in the order they are folded in."""
    seq = state.seq + 1
    if state.hand is not None and not isinstance(event, _OF_THE_TABLE):
        return state.but(seq=seq, hand=apply_to_hand(state.hand, event, seq))  # type: ignore[arg-type]
    return _fold(state, event).but(seq=seq)


_OF_THE_TABLE: Final = (
    HandStarted,
    HandEnded,
    events.DeckReported,
    events.DealerIn,
    events.DealerOut,
)
"""Events that concern more than the hand, also while one is played."""


def _fold(state: TableState, event: TableEvent) -> TableState:
    match event:
        case HandStarted():
            return _start_hand(state, event)
        case HandEnded():
            return _end_hand(state, event)
        case events.ButtonCardDrawn():
            return state.but(drawn=state.drawn | {event.seat: event.card})
        case events.ButtonPlaced():
            return state.but(button=event.seat, last=None, drawn={})
        case events.LimitChanged():
            limit = state.profile.limit(event.limit)
            if limit is None:
                raise ValueError(f"{state.profile.id} has no limit {event.limit}")
            return state.but(limit=limit, killer=None)
        case events.DeckReported():
            return state.but(deck=event.state)
        case events.DealerIn():
            return state.but(down=Down(event.dealer))
        case events.DealerOut():
            return state.but(down=None)
        case events.ShiftOpened():
            return state.but(shift=event.shift, box=Box(event.box, event.jackpot_box))
        case events.ShiftClosed():
            return state.but(shift=None, box=Box())
        case events.TableOpened():
            return state
        case _:
            return _fold_seat(state, event)


def _fold_seat(state: TableState, event: TableEvent) -> TableState:
    """What happens to one seat."""
    match event:
        case events.PlayerSeated():
            at = SeatAtTable(event.name, event.stack, new=event.new)
            return _with_seat(state, event.seat, at)
        case events.PlayerLeft():
            return _without_seat(state, event.seat)
        case events.PlayerMoved():
            at = replace(state.seats[event.seat], new=event.new, posting=False)
            return _with_seat(_without_seat(state, event.seat), event.to, at)
        case events.PlayerAway():
            return _change(state, event.seat, away=True, posting=False)
        case events.PlayerBack():
            return _change(state, event.seat, away=False)
        case events.PostAgreed():
            return _change(state, event.seat, posting=True)
        case events.BlindsMissed():
            at = state.seats[event.seat]
            return _change(
                state,
                event.seat,
                owes_small=at.owes_small or event.small,
                owes_big=at.owes_big or event.big,
                missed=at.missed + event.big,
            )
        case events.KillMissed():
            return _change(state.but(killer=None), event.seat, owes_kill=True)
        case events.ChipsBought():
            stack = (state.seats[event.seat].stack or 0) + event.amount
            return _change(state, event.seat, stack=stack)
        case _:
            raise ValueError(f"{type(event).__name__} without a hand")


def _with_seat(state: TableState, seat: int, at: SeatAtTable) -> TableState:
    return state.but(seats=state.seats | {seat: at})


def _without_seat(state: TableState, left: int) -> TableState:
    return state.but(
        seats={seat: at for seat, at in state.seats.items() if seat != left},
        drawn={seat: card for seat, card in state.drawn.items() if seat != left},
        killer=None if state.killer == left else state.killer,
    )


def _change(state: TableState, seat: int, **changes: Any) -> TableState:
    return _with_seat(state, seat, replace(state.seats[seat], **changes))


def _start_hand(state: TableState, event: HandStarted) -> TableState:
    """Whoever is in the hand, or sits it out by rule, has paid or owes nothing more."""
    paid = {*event.dealt, *event.no_hand}
    seats = {
        seat: SeatAtTable(at.name, at.stack, at.away) if seat in paid else at
        for seat, at in state.seats.items()
    }
    return state.but(
        hand=start(state.profile, state.limit, event),
        hands=event.number,
        seats=seats,
        button=event.button,
        drawn={},
        last=LastHand(event.button, event.small_blind_chair, event.big_blind),
        passed=passed_by_the_big_blind(state, event),
    )


def _end_hand(state: TableState, event: HandEnded) -> TableState:
    """Stacks are brought up to date, the drop is in the box, the button moves on."""
    seats = {
        seat: replace(at, stack=event.stacks[seat]) if seat in event.stacks else at
        for seat, at in state.seats.items()
    }
    box, down = state.box, state.down
    after = state.but(
        hand=None,
        seats=seats,
        killer=event.kill,
        deck="unknown" if state.deck != "bad" else "bad",
        box=replace(box, fees=box.fees + event.fee, jackpots=box.jackpots + event.jackpot),
        down=down
        and replace(
            down,
            hands=down.hands + 1,
            fees=down.fees + event.fee,
            jackpots=down.jackpots + event.jackpot,
        ),
    )
    places = find_positions(after)
    return after.but(button=places.button) if places is not None else after
