"""Folds events of a table, in a hand or between hands, into its state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, get_args

from omaha_table.hand import apply as apply_to_hand
from omaha_table.hand import start
from omaha_table.hand.events import HandEnded, HandStarted, Posted
from omaha_table.hand.fees import waived_of
from omaha_table.hand.folding import adjust_stack
from omaha_table.hand.frozen import replace
from omaha_table.hand.state import OnClock
from omaha_table.rules import Profile
from omaha_table.table import events
from omaha_table.table.deck_folding import readmit, report_deck, take_out
from omaha_table.table.device_folding import fold_device, restored
from omaha_table.table.positions import find_positions, passed_by_the_big_blind
from omaha_table.table.seat_changes import fold_asked
from omaha_table.table.state import (
    BeforeHand,
    Box,
    Down,
    FloorCall,
    LastHand,
    OfHand,
    PinCount,
    Result,
    SeatAtTable,
    TableState,
    Tally,
    same_name,
)
from omaha_table.table.taking_back import take_back, undoable_after, undoable_in_hand

if TYPE_CHECKING:
    from omaha_table.hand import HandState
    from omaha_table.money import Cents
    from omaha_table.rules import Limit
    from omaha_table.table.events import TableEvent


RESULTS_KEPT: Final = 3
"""Hands whose results a ruling can still correct."""


def open_table(event: events.TableOpened, seq: int = 1) -> TableState:
    """A table after its opening."""
    profile, limit = rules_of(event)
    return TableState(profile, limit, deck_required=event.deck_required, seq=seq)


def rules_of(event: events.TableOpened | events.RulesChanged) -> tuple[Profile, Limit]:
    profile = Profile.model_validate(event.profile)
    limit = profile.limit(event.limit)
    if limit is None:
        raise ValueError(f"{profile.id} has no limit {event.limit}")
    return profile, limit


def apply(state: TableState, event: TableEvent) -> TableState:
    """The state after an event; events are numbered from 1 in the order they are folded in."""
    seq = state.seq + 1
    if state.hand is not None and type(event) not in _OF_THE_TABLE:
        hand = apply_to_hand(state.hand, event, seq)  # type: ignore[arg-type]
        undoable = undoable_in_hand(state, (event,))
        if type(event) is Posted:
            undoable = undoable_after(state, event, seq, _fold)
        return replace(state, seq=seq, hand=hand, undoable=undoable)
    undoable = undoable_after(state, event, seq, _fold)
    return replace(_fold(state, event), seq=seq, undoable=undoable)


_OF_THE_TABLE: Final = frozenset(
    (
        HandStarted,
        HandEnded,
        events.DeckReported,
        events.MachineDeckChanged,
        events.DeckReadmitted,
        events.DeckCut,
        events.DealerIn,
        events.DealerOut,
        events.Ruled,
        events.AuthorityRefused,
        events.ChipsTransferred,
        events.StackAdjusted,
        events.PotImpounded,
        events.ImpoundReleased,
        events.FeeReturned,
        events.DeviceTakenOut,
        events.DeviceRestored,
        events.ClockCalled,
        events.ClockCancelled,
        events.DeviceNoted,
        *get_args(events.DeviceEvent),
        events.FloorCalled,
        events.FloorArrived,
        events.FloorCallEnded,
        events.SeatChangeAsked,
        events.SeatChangeCancelled,
        events.TakenBack,
        events.HandTakenBack,
    )
)
"""Events that concern more than the hand, also while one is played."""


def _fold(state: TableState, event: TableEvent) -> TableState:
    match event:
        case HandStarted():
            return _start_hand(state, event)
        case HandEnded():
            return _end_hand(state, event)
        case events.ButtonCardDrawn():
            return replace(state, drawn=state.drawn | {event.seat: event.card})
        case events.ButtonPlaced():
            # From here the places are counted from this button, not from those of the last hand.
            return replace(state, button=event.seat, last=None, again=None, drawn={})
        case events.LimitChanged():
            limit = state.profile.limit(event.limit)
            if limit is None:
                raise ValueError(f"{state.profile.id} has no limit {event.limit}")
            if limit == state.limit:
                return state
            # A kill is an amount of its limit and means nothing under another.
            return replace(state, limit=limit, killer=None, kill_left="")
        case events.RulesChanged():
            profile, limit = rules_of(event)
            return replace(
                state, profile=profile, limit=limit, killer=None, kill_left="", again=None
            )
        case events.DeckReported():
            return report_deck(state, event)
        case events.MachineDeckChanged():
            return replace(state, machine=event.deck)
        case events.DeckReadmitted():
            return readmit(state, event.back)
        case events.DeckCut():
            return replace(state, deck_cut=True)
        case events.DealerIn():
            counts = state.pin_counts
            if event.checked == "pin":
                counts = {who: one for who, one in counts.items() if who != event.dealer}
            down = Down(event.dealer, checked=event.checked)
            return replace(state, down=down, pin_counts=counts)
        case events.DealerOut():
            return replace(state, down=None)
        case events.ShiftOpened():
            meters = {name: one.meters for name, one in state.device_records.items()}
            tally = Tally(event.at, after=state.hands, devices=meters)
            box = Box(event.box, event.jackpot_box, tally=tally)
            return replace(state, shift=event.shift, box=box)
        case events.ShiftClosed():
            return replace(state, shift=None, box=Box())
        case events.TableOpened():
            raise ValueError("a table is opened once")
        case events.ClockCalled():
            return _set_clock(state, OnClock(event.seat, event.at, event.seconds))
        case events.ClockCancelled():
            return _set_clock(state, None)
        case events.DeviceNoted():
            return state
        case event if isinstance(event, events.DeviceEvent):
            return fold_device(state, event)
        case events.Ruled():
            ruled = state.seq + 1 + event.does
            counts = {who: one for who, one in state.pin_counts.items() if who not in event.by}
            return replace(state, pin_failures=0, pin_counts=counts, floor_call=None, ruled=ruled)
        case events.FloorCalled():
            return replace(state, floor_call=FloorCall(event.at, event.of_hand))
        case events.FloorArrived():
            call = state.floor_call
            came = call and replace(call, arrived=event.by, waited=event.waited)
            return replace(state, floor_call=came)
        case events.FloorCallEnded():
            return replace(state, floor_call=None)
        case events.TakenBack() | events.HandTakenBack():
            return take_back(state, event)
        case events.AuthorityRefused():
            return _refuse_authority(state, event)
        case events.NoHandSeatNamed():
            return replace(state, no_hand_seat=event.seat)
        case events.DeviceTakenOut():
            return take_out(state, event.device)
        case events.DeviceRestored():
            back = restored(state, event.device)
            return replace(back, devices_out=state.devices_out - {event.device})
        case events.TableClosed():
            return replace(state, closed=True)
        case events.ChipsTransferred():
            return state if event.adjusting else _transfer(state, event)
        case events.StackAdjusted():
            paid = _pay(state, event.seat, event.amount)
            return replace(paid, adjusted=state.adjusted + abs(event.amount))
        case events.TableReopened():
            return replace(state, reopened=event.how)
        case events.PotImpounded():
            held = dict(state.impounded.get(event.of_hand, {}))
            held[event.seat] = held.get(event.seat, 0) + event.amount
            paid = _pay(state, event.seat, -event.amount)
            return replace(paid, impounded=state.impounded | {event.of_hand: held})
        case events.ImpoundReleased():
            return _release(state, event)
        case events.FeeReturned():
            box = _given_back(state.box, event)
            results = tuple(
                replace(r, fee=r.fee - event.amount) if r.number == event.of_hand else r
                for r in state.results
            )
            paid = _pay(state, event.seat, event.amount)
            return replace(paid, box=box, results=results)
        case _:
            return _fold_seat(state, event)


def _given_back(box: Box, event: events.FeeReturned) -> Box:
    tally = box.tally
    if tally is not None:
        back = OfHand(event.of_hand, event.amount)
        tally = replace(tally, returned=(*tally.returned, back))
    return replace(box, fees=box.fees - event.amount, tally=tally)


def _counted(tally: Tally, number: int, hand: HandState, ended: HandEnded) -> Tally:
    """A hand on the slip of its shift."""
    if ended.outcome in ("misdeal", "void"):
        return replace(tally, called_off=tally.called_off + 1)
    tally = replace(tally, hands=tally.hands + 1)
    missing = waived_of(hand, ended)
    if not missing:
        return tally
    of_hand = OfHand(number, missing, by_floor=hand.fee_waived)
    return replace(tally, waived=(*tally.waived, of_hand))


def _set_clock(state: TableState, clock: OnClock | None) -> TableState:
    hand = state.hand
    return state if hand is None else replace(state, hand=replace(hand, clock=clock))


def _transfer(state: TableState, event: events.ChipsTransferred) -> TableState:
    """Chips from one seat to another; a scoop that is split after all sets no kill."""
    paid = _pay(_pay(state, event.seat, -event.amount), event.to, event.amount)
    result = next((r for r in state.results if r.number == event.of_hand), None)
    if result is None or state.hand is not None or state.killer != event.seat:
        return paid
    whole = event.amount == result.awards.get(event.seat)
    return replace(paid, killer=event.to if whole else None)


def _release(state: TableState, event: events.ImpoundReleased) -> TableState:
    """Pays out of what is held of a hand, one seat's share after another."""
    left, held = event.amount, dict(state.impounded[event.of_hand])
    for seat in list(held):
        part = min(left, held[seat])
        held[seat] -= part
        left -= part
        if not held[seat]:
            del held[seat]
    impounded = state.impounded | {event.of_hand: held}
    if not held:
        del impounded[event.of_hand]
    return replace(_pay(state, event.seat, event.amount), impounded=impounded)


def _refuse_authority(state: TableState, event: events.AuthorityRefused) -> TableState:
    # An attempt during a lock neither counts nor makes the lock longer.
    if event.why == "locked":
        return state
    before = state.pin_count(event.number)
    locked = event.locked_until > event.at
    failures, lockouts = 0 if locked else before.failures + 1, before.lockouts + locked
    if event.number:
        count = PinCount(failures, lockouts, event.locked_until)
        return replace(state, pin_counts=state.pin_counts | {event.number: count})
    return replace(state, pin_failures=failures, lockouts=lockouts, locked_until=event.locked_until)


def _pay(state: TableState, seat: int, amount: Cents) -> TableState:
    """Changes what a seat has behind, in the hand too if one is played."""
    hand = state.hand
    if hand is not None and seat in hand.seats:
        return replace(state, hand=adjust_stack(hand, seat, amount))
    at = state.seats[seat]
    if at.stack is None:
        return state
    return _with_seat(state, seat, replace(at, stack=at.stack + amount))


def _fold_seat(state: TableState, event: TableEvent) -> TableState:
    """What happens to one seat."""
    state = fold_asked(state, event)
    match event:
        case events.PlayerSeated():
            return _seat(state, event)
        case events.PlayerLeft():
            return _leave(state, event)
        case events.PlayerRenamed():
            renamed = replace(state.seats[event.seat], name=event.name)
            return _with_kill(_with_seat(state, event.seat, renamed), event)
        case events.PlayerMoved():
            at = replace(state.seats[event.seat], new=event.new, posting=False)
            return _move(state, event, at)
        case events.PlayerAway():
            at = replace(state.seats[event.seat], away=True, away_since=event.at, posting=False)
            return _with_seat(state, event.seat, at)
        case events.PlayerBack():
            return _with_seat(state, event.seat, replace(state.seats[event.seat], away=False))
        case events.PostAgreed():
            return _with_seat(state, event.seat, replace(state.seats[event.seat], posting=True))
        case events.BlindsMissed():
            at = state.seats[event.seat]
            at = replace(
                at,
                owes_small=at.owes_small or event.small,
                owes_big=at.owes_big or event.big,
                missed=at.missed + event.big,
            )
            return _with_seat(state, event.seat, at)
        case events.KillMissed():
            at = replace(state.seats[event.seat], owes_kill=True)
            return _with_seat(replace(state, killer=None), event.seat, at)
        case events.KillWaived():
            return _with_seat(state, event.seat, replace(state.seats[event.seat], owes_kill=False))
        case events.ChipsBought():
            return _pay(state, event.seat, event.amount)
        case events.SeatChangeAsked() | events.SeatChangeCancelled() | events.SeatChangeDropped():
            return state
        case events.StackSet():
            return _with_seat(
                state, event.seat, replace(state.seats[event.seat], stack=event.stack)
            )
        case _:
            raise ValueError(f"{type(event).__name__} without a hand")


def _seat(state: TableState, event: events.PlayerSeated) -> TableState:
    """A player sits down."""
    at = SeatAtTable(
        event.name, event.stack, new=event.new, fresh=event.fresh, sitting=state.seq + 1
    )
    return _with_kill(_with_seat(state, event.seat, at), event)


def _with_kill(state: TableState, event: events.PlayerSeated | events.PlayerRenamed) -> TableState:
    """A kill, or a kill that is owed, comes back with the person."""
    if event.kills:
        state = replace(state, killer=event.seat, kill_left="")
    if event.owes_kill:
        others = {name for name in state.kill_debts if not same_name(name, event.name)}
        state = replace(state, kill_debts=frozenset(others))
        at = replace(state.seats[event.seat], owes_kill=True)
        state = _with_seat(state, event.seat, at)
    return state


def _leave(state: TableState, event: events.PlayerLeft) -> TableState:
    """A player leaves; a kill stands without its killer, and a debt stays with the person."""
    at = state.seats[event.seat]
    left = _without_seat(state, event.seat)
    if state.kill_stands and state.killer == event.seat:
        left = replace(left, kill_left=at.name)
    if state.kill_stands and at.owes_kill:
        left = replace(left, kill_debts=state.kill_debts | {at.name})
    if left.seats:
        return left
    # The game has broken up: whoever sits down next begins another, and owes nothing. There is no
    # succeeding hand, so no kill is due in it.
    return replace(
        left, passed=frozenset(), button=None, last=None, drawn={}, killer=None, kill_left=""
    )


def _move(state: TableState, event: events.PlayerMoved, at: SeatAtTable) -> TableState:
    """The kill goes with the player; between two players so does the turn of the big blind."""
    killer = event.to if state.killer == event.seat else state.killer
    last = state.last
    # Two players are told apart by their chairs: without this, whoever moves right after the big
    # blind could be given it again.
    if last is not None and last.big_blind == event.seat and len(state.present) == 2:
        last = replace(last, big_blind=event.to)
    moved = _with_seat(_without_seat(state, event.seat), event.to, at)
    return replace(moved, killer=killer, last=last)


def _with_seat(state: TableState, seat: int, at: SeatAtTable) -> TableState:
    return replace(state, seats=state.seats | {seat: at})


def _without_seat(state: TableState, left: int) -> TableState:
    again = state.again
    if again is not None and left in (*again.dealt, *again.no_hand, again.killer):
        again = None  # a hand is dealt again to the same players, or not at all
    return replace(
        state,
        again=again,
        seats={seat: at for seat, at in state.seats.items() if seat != left},
        drawn={seat: card for seat, card in state.drawn.items() if seat != left},
        killer=None if state.killer == left else state.killer,
    )


def _start_hand(state: TableState, event: HandStarted) -> TableState:
    """A seat that is dealt in has paid its debts; one that gets no hand by rule keeps them."""
    if state.asked:
        raise ValueError(f"what waited for the end of hand {state.hands} was not carried out")
    seats = {
        # Made new rather than changed: every debt and mark of a seat that is dealt in is cleared.
        seat: SeatAtTable(at.name, at.stack, owes_kill=_still_owes(state, at), sitting=at.sitting)
        if seat in event.dealt
        else at
        for seat, at in state.seats.items()
    }
    posting = {post.seat for post in event.posts}
    if state.kill_stands and event.killer is not None and event.killer not in posting:
        seats[event.killer] = replace(seats[event.killer], owes_kill=True)
    debts = state.kill_debts | ({state.kill_left} if event.kill_stands else set())
    return replace(
        state,
        hand=start(state.profile, state.limit, event),
        hands=event.number,
        seats=seats,
        button=event.button,
        drawn={},
        again=None,
        before_hand=BeforeHand(
            state.last, state.passed, state.seats, state.kill_left, state.kill_debts
        ),
        kill_left="",
        kill_debts=debts,
        no_hand_seat=None,
        # The deck is in play now. The next hand needs a report and a cut of its own.
        deck=state.deck if state.deck == "bad" else "unknown",
        deck_back="",
        deck_cut=False,
        last=LastHand(event.button, event.small_blind_chair, event.big_blind),
        passed=passed_by_the_big_blind(state, event),
    )


def _still_owes(state: TableState, at: SeatAtTable) -> bool:
    """A kill that is owed waits where the limit has none."""
    return at.owes_kill and state.kill_stands and state.limit.kill is None


def _end_hand(state: TableState, event: HandEnded) -> TableState:
    """Stacks are brought up to date, the drop is in the box, the button moves on."""
    seats = {
        seat: replace(at, stack=event.stacks[seat]) if seat in event.stacks else at
        for seat, at in state.seats.items()
    }
    box, down = state.box, state.down
    if box.tally is not None and state.hand is not None:
        box = replace(box, tally=_counted(box.tally, state.hands, state.hand, event))
    called_off = event.outcome in ("misdeal", "void")
    sittings = {seat: at.sitting for seat, at in state.seats.items()}
    fee = event.fee
    if state.hand is not None and not called_off:
        # What players have paid goes into the box with the drop of the pot; of a hand that is
        # called off it goes back.
        fee += sum(state.hand.paid.values())
    result = Result(state.hands, fee, event.invested, event.awards, sittings, state.box.name)
    after = replace(
        state,
        hand=None,
        again=state.hand.setup.started if called_off and state.hand is not None else None,
        before_hand=None,
        results=state.results if called_off else (*state.results[1 - RESULTS_KEPT :], result),
        seats=seats,
        adjusted=0,
        killer=event.kill,
        box=replace(box, fees=box.fees + fee, jackpots=box.jackpots + event.jackpot),
        down=down
        and replace(
            down,
            hands=down.hands + 1,
            fees=down.fees + fee,
            jackpots=down.jackpots + event.jackpot,
        ),
    )
    if called_off:
        return _as_before(replace(after, button=event.button), state.before_hand)
    # The button moves now, so that everybody sees where it goes. The next hand works the places out
    # again: players may come and go before it.
    places = find_positions(after)
    return replace(after, button=places.button) if places is not None else after


def _as_before(state: TableState, before: BeforeHand | None) -> TableState:
    """After a hand that was called off: the places and debts from before it."""
    if before is None:
        return state
    seats = {
        seat: replace(before.seats[seat], stack=at.stack, away=at.away, away_since=at.away_since)
        if seat in before.seats
        else at
        for seat, at in state.seats.items()
    }
    return replace(
        state,
        last=before.last,
        passed=before.passed,
        seats=seats,
        kill_left=before.kill_left,
        kill_debts=before.kill_debts,
    )
