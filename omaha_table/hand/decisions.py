"""What a command makes happen in a hand, or why the rules forbid it. Nothing is changed here.

A decision carries the hand after its events, so that the caller need not work it out again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Literal, NamedTuple, TypeVar

from omaha_table.cards import format_cards
from omaha_table.hand import commands, events
from omaha_table.hand.actions import check_bound, fold_out_of_turn, resolve, time_is_up
from omaha_table.hand.betting import to_return
from omaha_table.hand.face_up import where_face_up
from omaha_table.hand.fees import pay
from omaha_table.hand.folding import apply
from omaha_table.hand.opening import may_post_short
from omaha_table.hand.phases import COMMANDS, Phase, Street
from omaha_table.hand.showdown import (
    assign_read,
    end_hand,
    fee_is_due,
    low_possible,
    read_tabled,
    require_winners,
    unread,
)
from omaha_table.hand.state import refused
from omaha_table.money import format_dollars

if TYPE_CHECKING:
    from omaha_table.cards import Card
    from omaha_table.hand.commands import HandCommand, SingleCommand
    from omaha_table.hand.events import HandEvent, Place, Side
    from omaha_table.hand.refusal import Refused
    from omaha_table.hand.state import HandState


Event = TypeVar("Event", covariant=True)
State = TypeVar("State", covariant=True)


class Decision(NamedTuple, Generic[Event, State]):
    """The events of one command and the state after them, for a hand or for a table."""

    events: tuple[Event, ...]
    state: State


def decide(state: HandState, command: HandCommand, seq: int = 0) -> Decision[HandEvent, HandState]:
    """One entry, and the hand after it; raises Refused if the rules forbid the command.

    `seq` is the number of the last event in the log, after which the new ones are numbered.
    """
    if not isinstance(command, commands.ActUntil):
        return with_consequences(state, entered(state, command), seq)
    _check_phase(state, command)
    entry = _Entry(state, seq)
    # Several actions, one entry: one undo takes all of them back.
    _act_until(entry, command)
    return entry.completed()


def entered(state: HandState, command: SingleCommand) -> list[HandEvent]:
    """What a command enters, without what follows from it; raises Refused."""
    _check_phase(state, command)
    match command:
        case commands.Act():
            if state.phase is Phase.DEAL:
                return [_post_short(state, command)]
            return [_act(state, command, state.entry + 1)]
        case commands.DealCard():
            return _deal_card(state, command)
        case commands.TimeIsUp():
            return [*time_is_up(state, command.at)]
        case commands.FoldOutOfTurn():
            return [fold_out_of_turn(state, command.seat)]
        case commands.Deal():
            return [events.HoleCardsOut(state.entry + 1)]
        case commands.PayFee():
            return [*pay(state, command)]
        case commands.Burn():
            return _burn(state)
        case commands.Board():
            return _board(state, command)
        case commands.Show():
            return [_show(state, command)]
        case commands.Muck():
            return [_muck(state, command)]
        case commands.Read():
            return [_read(state, command)]
        case commands.Push():
            # Once it is pushed, the pot is in somebody's stack and hard to take apart again.
            _nothing_waits_for_the_floor(state)
            return [end_hand(state, state.entry + 1)]
        case commands.ReportTrouble():
            return [
                events.Irregularity(
                    command.kind, state.street, state.entry + 1, command.cards, command.seat
                )
            ]
        case commands.Settle():
            return [_settle(state)]
        case commands.Undo():
            return [_undo(state)]


class _Entry:
    """One entry in the making: its events so far, and the hand after them."""

    def __init__(self, state: HandState, seq: int) -> None:
        self.state = state
        self.events: list[HandEvent] = []
        self._seq = seq

    def add(self, event: HandEvent) -> None:
        self._seq += 1
        self.state = apply(self.state, event, self._seq)
        self.events.append(event)

    def completed(self) -> Decision[HandEvent, HandState]:
        """With what follows by itself: the fee falls due, the street closes."""
        last = self.events[-1]
        if isinstance(last, events.BoardDealt) and fee_is_due(self.state, last.street):
            # The bracket goes by the hands dealt, whoever has folded or left since: a California
            # fee must be fixed before the hand begins.
            hands = len(self.state.setup.dealt)
            due = self.state.setup.limit.bracket(hands)
            if due is not None and (due.fee or due.jackpot):
                self.add(events.FeeDue(due.fee, due.jackpot, hands, last.entry))
        state = self.state
        # Also right after a board on which nobody can act: the street opens and closes in one
        # entry, and one undo takes back both.
        if state.phase is Phase.BETTING and state.actor is None:
            returned = to_return(state)
            pot = state.pot_total - sum(returned.values())
            self.add(events.StreetClosed(state.street, returned, pot, last.entry))
        return Decision(tuple(self.events), self.state)


def with_consequences(
    state: HandState, made: list[HandEvent], seq: int = 0
) -> Decision[HandEvent, HandState]:
    """Events of one entry and what follows by itself."""
    entry = _Entry(state, seq)
    for event in made:
        entry.add(event)
    return entry.completed()


def _check_phase(state: HandState, command: HandCommand) -> None:
    if command.name not in COMMANDS[state.phase]:
        raise _wrong_phase(state, command)


def _act(state: HandState, command: commands.Act, entry: int) -> events.Acted:
    seat = state.actor
    if seat is None:
        raise ValueError("betting is open and nobody is to act")
    if command.seat is not None and command.seat != seat:
        known = command.seat in state.setup.dealt
        early = f". If it has folded: 'outofturn {command.seat} fold'"
        raise refused(
            state,
            "out_of_turn" if known else "no_such_seat",
            f"seat {command.seat} {'is out of turn' if known else 'has no hand'}: "
            f"the action is on seat {seat}{early if known and command.verb == 'fold' else ''}",
        )
    action, to, all_in = resolve(state, command)
    check_bound(state, seat, action)
    return events.Acted(seat, action, to - state.seats[seat].bet, to, all_in, entry)


def _post_short(state: HandState, command: commands.Act) -> events.PostedShort:
    """A seat that is not tracked is all in with what it must post, or with less."""
    if command.verb != "allin":
        raise _wrong_phase(state, command)
    if state.cards_dealt:
        raise refused(state, "wrong_phase", "the first card is out: the posts stand")
    seat, amount = command.seat, command.amount
    if seat is None or amount is None:
        raise refused(
            state,
            "bet_size",
            "say which seat cannot post in full, and what it has: 'N allin AMOUNT'",
        )
    if seat not in state.seats:
        raise refused(state, "no_such_seat", f"seat {seat} has no hand")
    if state.setup.started.stacks[seat] is not None:
        raise refused(
            state, "bet_size", f"seat {seat}'s stack is tracked: it has posted what it has"
        )
    if state.corrected:
        # Posts and correction could no longer be told apart in what the seat has put in.
        raise refused(
            state,
            "wrong_phase",
            "the floor has corrected this pot: ask the floor to correct this post too",
        )
    due = may_post_short(state).get(seat, 0)
    if not amount:
        raise refused(state, "bet_size", "an all-in is more than $0")
    if amount > due:
        posts = f"must post only {format_dollars(due)}" if due else "has nothing to post"
        raise refused(state, "bet_size", f"seat {seat} {posts}: it can go all in on its turn")
    return events.PostedShort(seat, amount, state.entry + 1)


def _act_until(entry: _Entry, command: commands.ActUntil) -> None:
    """Everyone's action by itself, each checked, all in one entry."""
    state = entry.state
    order, first, until = state.setup.dealt, state.actor, command.seat
    if first is None or until == first or (until is not None and until not in order):
        raise refused(
            state,
            "no_such_seat",
            f"the action is on seat {first}: name another seat that was dealt in",
            rule="order_of_action",
        )
    at = order.index(first)
    turn = order[at:] + order[:at]
    among = turn if until is None else turn[: turn.index(until)]
    for seat in among:
        if entry.state.actor == seat:
            entry.add(_act(entry.state, commands.Act(command.verb), state.entry + 1))


def _deal_card(state: HandState, command: commands.DealCard) -> list[HandEvent]:
    entry = state.entry + 1
    at, place = state.open_slot(command.place), command.place
    if at is None and place is not None:
        return [_misplaced(state, place)]
    if at is None:
        # The card has left the shoe. That can be recorded but not refused.
        kind: Literal["premature_card", "card_too_many"] = "card_too_many"
        if state.phase is Phase.BETTING and state.street is not Street.RIVER:
            kind = "premature_card"
        return [events.Irregularity(kind, state.street, entry)]
    slot = state.setup.slots[at]
    if slot.kind in ("hole", "burn"):
        # Never the card itself, even if the command has it: this one lies face down.
        return [events.CardDealt(at, slot.kind, slot.seat, None, entry, place is not None)]
    if command.card is None:
        raise refused(
            state,
            "unknown_card",
            f"the {slot.kind} is dealt face up, so its cards must be known: "
            f"key it with '{slot.kind}'",
        )
    _check_new_cards(state, (*state.turned, command.card))
    street = state.street.following
    turned = (*state.turned, command.card)
    made: list[HandEvent] = [
        events.CardDealt(at, slot.kind, None, command.card, entry, place is not None)
    ]
    if len(turned) == street.board_cards:
        made.append(events.BoardDealt(street, turned, entry))
    return made


def _misplaced(state: HandState, place: Place) -> events.Irregularity:
    """A card lies where none is due; it is never forced elsewhere."""
    entry = state.entry + 1
    if place == "board":
        return events.Irregularity("card_at_board", state.street, entry)
    if place == "muck":
        return events.Irregularity("card_at_muck", state.street, entry)
    return events.Irregularity("card_at_seat", state.street, entry, seat=place)


def _burn(state: HandState) -> list[HandEvent]:
    due = state.street.following
    if state.burned or due in state.no_burn:
        raise refused(state, "wrong_phase", f"no burn is due: now the {due.word}")
    return [events.Burned(due, state.entry + 1)]


def _board(state: HandState, command: commands.Board) -> list[HandEvent]:
    due = state.street.following
    if command.street is not due:
        raise refused(
            state, "wrong_phase", f"the {due.word} comes next, not the {command.street.word}"
        )
    if len(command.cards) != due.board_cards:
        cards = "1 card" if due.board_cards == 1 else f"{due.board_cards} cards"
        raise refused(state, "card_count", f"the {due.word} is {cards}, not {len(command.cards)}")
    # The dealer may finish by hand a street that the shoe began; what it has turned lies on the
    # felt.
    if command.cards[: len(state.turned)] != state.turned:
        raise refused(
            state, "duplicate_card", f"the shoe has already turned {format_cards(state.turned)}"
        )
    _check_new_cards(state, command.cards)
    entry = state.entry + 1
    no_burn = state.burned or due in state.no_burn
    # A dealer who keys the board at once has burned all the same: one burn a street, never two.
    burn: list[HandEvent] = [] if no_burn else [events.Burned(due, entry)]
    return [*burn, events.BoardDealt(due, command.cards, entry)]


def _show(state: HandState, command: commands.Show) -> events.Tabled:
    seat = _claimant(state, command.seat)
    hole = state.setup.profile.game.hole_cards
    if seat in state.tabled:
        raise refused(state, "wrong_phase", f"seat {seat} has already tabled its hand")
    # All hole cards must be face up to win any part of a pot (TDA rule 13).
    if len(command.cards) != hole:
        raise refused(
            state,
            "card_count",
            f"seat {seat} must table all {hole} cards to claim a pot, not {len(command.cards)}",
        )
    _check_new_cards(state, command.cards)
    return events.Tabled(seat, command.cards, state.entry + 1)


def _muck(state: HandState, command: commands.Muck) -> events.Mucked:
    seat = _claimant(state, command.seat)
    if state.setup.profile.showdown.must_table == "all":
        raise refused(state, "must_table", f"every live hand is tabled here: show seat {seat}")
    if seat in state.tabled:
        raise refused(state, "cards_speak", f"seat {seat} has tabled its hand: cards speak")
    read = {*state.read_high.values(), *state.read_low.values()}
    if any(seat in seats for seats in read):
        raise refused(state, "cards_speak", f"seat {seat} was named a winner: undo that first")
    if len(state.contenders) - len(state.mucked) == 1:
        raise refused(state, "wrong_phase", f"seat {seat} has the last live hand: push the pot")
    return events.Mucked(seat, state.entry + 1)


def _read(state: HandState, command: commands.Read) -> events.DealerRead:
    side, seats = command.side, command.seats
    if side == "low" and not state.setup.profile.splits:
        raise refused(state, "wrong_phase", "this game has no low", rule="game.split")
    for seat in seats:
        _claimant(state, seat)
    if side == "high" and not seats:
        raise refused(state, "no_such_seat", "name the seat that wins the high")
    if seats and side == "low" and not low_possible(state):
        raise refused(
            state, "cards_speak", "no low is possible on this board", rule="game.low_qualifier"
        )
    if len(set(seats)) != len(seats):
        raise refused(state, "no_such_seat", "name each seat once")
    if command.pot is not None:
        require_winners(state, side, seats, command.pot)
    if assign_read(state, side, seats, command.pot) is None:
        raise refused(state, "cards_speak", _better_hand(state, side, seats))
    return events.DealerRead(side, seats, state.entry + 1, command.pot)


def _better_hand(state: HandState, side: Side, seats: tuple[int, ...]) -> str:
    """Whose tabled cards contradict a reading; they lie face up."""
    values = read_tabled(state)[0 if side == "high" else 1]
    nothing = [seat for seat in seats if values.get(seat) == 0]
    if nothing:
        return f"seat {nothing[0]}'s tabled cards make no {side}"
    best = max(values, key=values.__getitem__)
    return f"seat {best}'s tabled cards make a {'better ' if seats else ''}{side}"


def _nothing_waits_for_the_floor(state: HandState) -> None:
    trouble = state.trouble
    if trouble is not None and trouble not in events.DEALER_SETTLES:
        what = trouble.replace("_", " ")
        raise refused(
            state, "not_authorised", f"the floor rules on a {what}: a remedy, or 'playon'", "floor"
        )


def _settle(state: HandState) -> events.Settled:
    trouble = state.trouble
    if trouble is None:
        raise refused(state, "wrong_phase", "nothing is waiting to be checked")
    _nothing_waits_for_the_floor(state)
    return events.Settled(trouble, state.entry + 1)


def _undo(state: HandState) -> events.Undone:
    if state.before is None or not state.undoable:
        raise refused(
            state,
            "wrong_phase",
            "nothing on this street can be taken back: going back further takes a ruling",
        )
    return events.Undone(state.standing, state.standing_seqs, state.entry + 1)


def _claimant(state: HandState, seat: int) -> int:
    """A seat that still has a live hand at the showdown."""
    if len(state.contenders) == 1:
        winner = state.contenders[0]
        raise refused(
            state, "wrong_phase", f"seat {winner} has won without a showdown: push the pot"
        )
    if seat not in state.setup.dealt:
        raise refused(state, "no_such_seat", f"seat {seat} has no hand")
    if state.seats[seat].folded or seat in state.mucked:
        raise refused(state, "no_such_seat", f"seat {seat} has given up its hand")
    return seat


def _check_new_cards(state: HandState, cards: tuple[Card, ...]) -> None:
    """Face-up cards must all be different from each other."""
    # Only face-up cards are known here. The session finds a second copy of a face-down card, and
    # reports trouble without saying which card it is.
    for at, card in enumerate(cards):
        where = "" if state.turned[at : at + 1] == (card,) else where_face_up(state, card)
        if not where and card in cards[:at]:
            where = f"the {card} is in this entry twice"
        if where:
            raise refused(state, "duplicate_card", where)


def _said(command: HandCommand) -> str:
    """The word a command begins with."""
    match command:
        case commands.Act() | commands.ActUntil():
            return command.verb
        case commands.Board():
            return command.street.word
        case commands.Read():
            return command.side
        case _:
            return command.name


def _wrong_phase(state: HandState, command: HandCommand) -> Refused:
    what = f"'{_said(command)}' does not fit now"
    match state.phase:
        case Phase.BETTING:
            return refused(state, "betting_open", f"betting is open: seat {state.actor} is to act")
        case Phase.DEAL:
            return refused(state, "wrong_phase", f"{what}: deal the hole cards first")
        case Phase.BOARD:
            burn = "" if state.burned else "burn and "
            due = f"{burn}turn the {state.street.following.word}"
            return refused(state, "wrong_phase", f"{what}: betting is over, {due}")
        case Phase.SHOWDOWN:
            waiting = unread(state)
            need = f"seat {waiting[0]} must show or muck" if waiting else "say who has the low"
            return refused(state, "wrong_phase", f"{what}: {need}")
        case Phase.PUSH:
            return refused(state, "wrong_phase", f"{what}: the hand is over, push the pot")
        case Phase.ENDED:
            return refused(state, "wrong_phase", f"{what}: the hand has ended")
