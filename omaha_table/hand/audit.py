"""Checks a logged event against the rules: would the hand have made just this event here?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from omaha_table.hand import commands, events
from omaha_table.hand.actions import resolve
from omaha_table.hand.betting import to_return
from omaha_table.hand.decisions import entered
from omaha_table.hand.opening import post
from omaha_table.hand.phases import Phase
from omaha_table.hand.refusal import Refused
from omaha_table.hand.showdown import end_hand

if TYPE_CHECKING:
    from omaha_table.hand.events import HandEvent
    from omaha_table.hand.state import HandState


def fault_in(state: HandState, event: HandEvent) -> str:
    """What is wrong with an event in a hand, or nothing."""
    try:
        return _fault(state, event)
    except Refused as refusal:
        return f"the rules forbid it: {refusal.message}"
    # A forged event can be wrong in any way: a seat that is not there, a card that is no card.
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        return "it does not fit the hand"


def _fault(state: HandState, event: HandEvent) -> str:
    match event:  # cards and actions first: most events are these
        case events.CardDealt():
            if state.phase is Phase.DEAL and not state.cards_dealt and _still_to_post(state):
                return "not everything was posted"
            made = entered(state, commands.DealCard(event.card, event.place))
            return "" if made[0] == event else "a different card was due"
        case events.Acted():
            return _fault_in_action(state, event)
        case events.ClockRanOut():
            made = entered(state, commands.TimeIsUp(event.at))
            return "" if made[0] == event else "this seat was not on the clock"
        case events.FoldedOutOfTurn():
            entered(state, commands.FoldOutOfTurn(event.seat))
        case events.StreetClosed():
            returned = to_return(state)
            pot = state.pot_total - sum(returned.values())
            right = replace(event, street=state.street, returned=returned, pot=pot)
            closes = state.phase is Phase.BETTING and state.actor is None
            return "" if closes and event == right else "the street did not close like this"
        # No rule gives awards that the floor has set; the ruling before them says who and why.
        case events.HandEnded() if not event.by_ruling:
            return _fault_in_end(state, event)
        case events.Posted():
            left = _still_to_post(state)
            return "" if left and event == left[0] else "nobody owed this post"
        case events.PostedShort():
            if _still_to_post(state):
                return "not everything was posted"
            entered(state, commands.Act("allin", event.amount, event.seat))
        case events.FeeDue():
            bracket = state.setup.limit.bracket(len(state.setup.dealt))
            owed = None if bracket is None else (bracket.fee, bracket.jackpot)
            if state.setup.profile.fee.by != "pot":
                return "each player pays the fee"
            return "" if owed == (event.fee, event.jackpot) else "a different fee was due"
        case events.FeePaid():
            made = entered(state, commands.PayFee((event.seat,)))
            # Several seats can pay in one entry, which then has its number already.
            paid = replace(event, entry=state.entry + 1)
            return "" if made[0] == paid else "a different fee was due"
        case events.Burned():
            entered(state, commands.Burn())
        case events.BoardDealt():
            return _fault_in_board(state, event)
        case events.Tabled():
            entered(state, commands.Show(event.seat, event.cards))
        case events.Mucked():
            entered(state, commands.Muck(event.seat))
        case events.DealerRead():
            entered(state, commands.Read(event.side, event.seats, event.pot))
        case events.Settled():
            return "" if state.trouble == event.kind else "nothing was waiting to be settled"
        case events.HoleCardsOut():
            if _still_to_post(state):
                return "not everything was posted"
            entered(state, commands.Deal())
    return ""


def _still_to_post(state: HandState) -> list[events.Posted]:
    """What is due and not posted yet, in order. Every post adds to what its seat has put in, so
    the totals tell how many there were."""
    due = post(state)
    if state.corrected:  # a ruling has changed the totals: it is on record with its reason
        return []
    have = {seat: hand.put_in + hand.dead for seat, hand in state.seats.items()}
    posted = dict.fromkeys(state.seats, 0)
    for count, one in enumerate(due):
        if posted == have:
            return due[count:]
        posted[one.seat] += one.amount
    return []


def _fault_in_action(state: HandState, event: events.Acted) -> str:
    if state.phase is not Phase.BETTING or state.actor != event.seat:
        return "it was not this seat's turn"
    hand = state.seats[event.seat]
    # Most actions are folds, checks and calls. Checking them here spares the sizes of a raise,
    # which `resolve` works out for any action.
    if event.action in ("fold", "check"):
        free = event.action == "fold" or state.price <= hand.bet
        still = (event.to, event.amount, event.all_in) == (hand.bet, 0, False)
        return "" if free and still else "this action puts no chips in"
    if event.action == "call" and hand.stack is not None:
        to = min(state.price, hand.bet + hand.stack)
        right = (to, to - hand.bet, to == hand.bet + hand.stack)
        called = (event.to, event.amount, event.all_in)
        return "" if called == right and to > hand.bet else "a call costs a different amount"
    if event.all_in:
        command = commands.Act("allin", event.to)
    elif event.action in ("bet", "raise"):
        command = commands.Act(event.action, event.to)
    else:
        command = commands.Act(event.action)
    action, to, all_in = resolve(state, command)
    amount = to - hand.bet
    made = (event.action, event.to, event.all_in, event.amount)
    return "" if made == (action, to, all_in, amount) else "the rules give a different amount"


def _fault_in_board(state: HandState, event: events.BoardDealt) -> str:
    made = entered(state, commands.Board(event.street, event.cards))
    board = next(e for e in made if isinstance(e, events.BoardDealt))
    return "" if board.cards == event.cards else "the board was different"


def _fault_in_end(state: HandState, event: events.HandEnded) -> str:
    if state.phase is not Phase.PUSH:
        return "the hand was not over"
    right = end_hand(state, event.entry)
    # The table adds the stacks of seats that were not in the hand.
    mine = {seat: stack for seat, stack in event.stacks.items() if seat in state.seats}
    return "" if replace(event, stacks=mine) == right else "the awards are not what the rules give"
