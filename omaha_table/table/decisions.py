"""Decides what a command does at a table, or why it is refused.

As in a hand, a decision carries the table after its events, so that nobody folds them again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from omaha_table.cards import quote
from omaha_table.hand import Decision, Refused, post
from omaha_table.hand import decide as decide_in_hand
from omaha_table.hand.commands import Deal, DealCard, HandCommand, Undo
from omaha_table.hand.events import HandEnded
from omaha_table.hand.frozen import replace
from omaha_table.hand.refusal import sentence
from omaha_table.hand.split import clockwise
from omaha_table.money import format_dollars
from omaha_table.table import commands, events, seating, stakes
from omaha_table.table.device_records import Meters
from omaha_table.table.folding import apply
from omaha_table.table.positions import (
    find_positions,
    kill_post,
    missed_blinds,
    next_hand,
)
from omaha_table.table.seat_changes import ChangeCommand, ask, cancel, change_to_undo, due_now
from omaha_table.table.taking_back import entry_to_undo, undoable_in_hand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omaha_table.hand import HandState
    from omaha_table.hand.events import HandStarted
    from omaha_table.table.commands import TableCommand
    from omaha_table.table.events import TableEvent
    from omaha_table.table.positions import Positions
    from omaha_table.table.state import LastHand, SeatAtTable, TableState, Tally

_BETWEEN_HANDS = (
    commands.PickUp,
    commands.RenamePlayer,
    commands.SetStack,
    commands.ReopenTable,
    commands.MoveSeat,
    commands.PostOwed,
    commands.OpenShift,
    commands.CloseShift,
    commands.Draw,
    commands.PlaceButton,
    commands.ImportButton,
    commands.ChangeLimit,
    commands.ChangeRules,
    commands.ImportRules,
    commands.StartHand,
)
_IN_A_HAND = frozenset(get_args(HandCommand))
# People and boxes must still be able to leave a closed table.
_AFTER_CLOSING = (commands.Leave, commands.PushOut, commands.CloseShift)
MOST_BOUGHT = 10**11
"""Cents; more is a slip of the fingers."""


def decide(state: TableState, command: TableCommand) -> Decision[TableEvent, TableState]:
    """The events a command makes, all of them or none; raises Refused."""
    return with_what_follows(_decide(state, command))


def with_what_follows(
    made: Decision[TableEvent, TableState],
) -> Decision[TableEvent, TableState]:
    """A decision with what waited for the end of the hand, if it ends one; then with the button.

    The draw for the button may have been waiting for one seat alone, which has now drawn, left,
    gone away, or come back with its card.
    """
    while made.state.hand is None and made.state.asked:
        due = decided(made.state, [due_now(made.state, _single)])
        made = Decision(made.events + due.events, due.state)
    return _end_draw(made)


def _decide(state: TableState, command: TableCommand) -> Decision[TableEvent, TableState]:
    if state.closed and not isinstance(command, _AFTER_CLOSING):
        raise _refused(state, "wrong_phase", "the table is closed", "closing")
    if isinstance(command, DealCard) and "shoe" in state.devices_out:
        raise _refused(state, "wrong_phase", "the shoe is out of use: deal by hand", "devices")
    if isinstance(command, Undo):
        return _undo(state)
    if state.hand is not None and type(command) in _IN_A_HAND:
        return _decide_in_hand(state, state.hand, command)  # type: ignore[arg-type]
    if state.hand is not None and isinstance(command, ChangeCommand):
        return decided(state, [ask(state, command, _single)])
    if isinstance(command, _BETWEEN_HANDS) and state.hand is not None:
        raise _refused(
            state, "wrong_phase", f"hand {state.hands} is being played: wait for its end"
        )
    match command:
        case commands.StartHand():
            return _start_hand(state)
        case Deal():
            # Without a shoe a dealer says "deal" and means both: start the hand, the cards are out.
            started = _start_hand(state)
            assert started.state.hand is not None
            dealt = _decide_in_hand(started.state, started.state.hand, command)
            return Decision(started.events + dealt.events, dealt.state)
        case _:
            return decided(state, _single(state, command))


def decided(state: TableState, made: Sequence[TableEvent]) -> Decision[TableEvent, TableState]:
    """Events with the table after them; the summary of a hand names every stack at the table."""
    whole = tuple(_with_all_stacks(state, made))
    for event in whole:
        state = apply(state, event)
    return Decision(whole, state)


def _decide_in_hand(
    state: TableState, hand: HandState, command: HandCommand
) -> Decision[TableEvent, TableState]:
    made = decide_in_hand(hand, command, state.seq)
    if isinstance(made.events[-1], HandEnded):  # the table has more to do than the hand
        return decided(state, made.events)
    # The hand has folded its events already; at the table only their number counts.
    seq, undoable = state.seq + len(made.events), undoable_in_hand(state, made.events)
    return Decision(made.events, replace(state, hand=made.state, seq=seq, undoable=undoable))


def _undo(state: TableState) -> Decision[TableEvent, TableState]:
    """Takes back the last entry of the hand, or the last one at the table before its first card.

    During a hand also a seat change that waits for its end, if nothing was entered after it.
    """
    change = change_to_undo(state)
    if change is not None:
        return decided(state, [events.SeatChangeCancelled(change.seq, change.change)])
    entry = entry_to_undo(state)
    if entry is None and state.hand is not None:
        return _decide_in_hand(state, state.hand, Undo())
    if entry is None:
        raise _refused(
            state,
            "wrong_phase",
            "nothing has been entered since the last pot that can be taken back: ask the floor",
        )
    if entry.starts_hand:
        return decided(state, [events.HandTakenBack(state.hands, entry.seqs)])
    return decided(state, [events.TakenBack(entry.seqs)])


def _single(state: TableState, command: TableCommand) -> list[TableEvent]:
    match command:
        case commands.SeatPlayer():
            return _seat(state, command)
        case commands.Leave():
            return [events.PlayerLeft(command.seat, _known(state, command.seat).stack)]
        case commands.PickUp():
            return [seating.pick_up(state, command, _known(state, command.seat))]
        case commands.RenamePlayer():
            return [seating.rename(state, command, _known(state, command.seat))]
        case commands.SetStack():
            at = _known(state, command.seat)
            if command.stack is not None:
                _check_amount(state, command.stack)
            return [seating.set_stack(state, command, at)]
        case commands.ReopenTable():
            return seating.reopen(state, command)
        case commands.Away():
            if _known(state, command.seat).away:
                raise _refused(state, "wrong_phase", f"seat {command.seat} is already away")
            return [events.PlayerAway(command.seat, command.at)]
        case commands.Back():
            if not _known(state, command.seat).away:
                raise _refused(state, "wrong_phase", f"seat {command.seat} is not away")
            return [events.PlayerBack(command.seat)]
        case commands.Buy():
            return _buy(state, command)
        case commands.CancelSeatChange():
            return [cancel(state, command.seat)]
        case commands.MoveSeat():
            return _move(state, command)
        case commands.PostOwed():
            return _post_owed(state, command)
        case commands.PushIn():
            return [*_dealer_out(state), events.DealerIn(command.dealer, command.checked)]
        case commands.PushOut():
            if state.down is None:
                raise _refused(state, "wrong_phase", "no dealer is at the table", "downs")
            return _dealer_out(state)
        case commands.OpenShift():
            boxes = command.box, command.jackpot_box
            opened = events.ShiftOpened(command.shift, *boxes, by=command.by, at=command.at)
            return [*_close_shift(state, command), opened]
        case commands.CloseShift():
            if state.shift is None:
                raise _refused(state, "wrong_phase", "no shift is open", "boxes")
            return _close_shift(state, command)
        case commands.CallFloor():
            if state.floor_call is not None:
                raise _refused(state, "wrong_phase", "the floor is called already")
            return [events.FloorCalled(command.at, state.hands)]
        case commands.EndFloorCall():
            call = state.floor_call
            if call is None:
                raise _refused(state, "wrong_phase", "the floor is not called")
            return [events.FloorCallEnded(command.at, max(command.at - call.at, 0))]
        case commands.Draw():
            return _draw(state, command)
        case commands.PlaceButton():
            return _place_button(state, command)
        case commands.ImportButton():
            return _import_button(state, command)
        case commands.CancelClock():
            clock = None if state.hand is None else state.hand.clock
            if clock is None:
                raise _refused(state, "wrong_phase", "no clock is running", "clock")
            return [events.ClockCancelled(clock.seat)]
        case commands.ChangeLimit():
            stakes.check_before_first_hand(state, "limit")
            return [stakes.limit_changed(state, command.limit)]
        case commands.ChangeRules():
            stakes.check_before_first_hand(state, "rules")
            return [stakes.rules_changed(state, command.profile, command.limit)]
        case commands.ImportRules():
            return [stakes.rules_changed(state, command.profile)]
        case commands.ReportDeck():
            return _report_deck(state, command)
        case commands.NoteMachineDeck():
            return [events.MachineDeckChanged(command.deck)]
        case commands.NoteDevice():
            return [events.DeviceNoted(command.device, command.what, command.detail)]
        case commands.IdentifyDevice():
            return [events.DeviceIdentified(command.device, command.identity)]
        case commands.NoteDeviceChange():
            return [events.DeviceChanged(command.device, command.what, command.setting)]
        case commands.MeterDevice():
            return [events.DeviceMetered(command.device, command.counted)]
        case commands.CutDeck():
            if state.deck not in ("ok", "manual"):
                raise _refused(state, "deck_not_ready", "no deck is ready to be cut")
            return [events.DeckCut()]
        case _:
            raise _refused(
                state, "wrong_phase", "no hand is being played: start one with 'hand' or 'deal'"
            )


def _with_all_stacks(state: TableState, made: Sequence[TableEvent]) -> list[TableEvent]:
    """Adds to the summary of a hand the stacks of seats that were not in it."""
    return [_add_stacks(state, event) if isinstance(event, HandEnded) else event for event in made]


def _add_stacks(state: TableState, ended: HandEnded) -> HandEnded:
    others = {seat: at.stack for seat, at in state.seats.items() if at.stack is not None}
    return replace(ended, stacks=dict(sorted((others | ended.stacks).items())))


def _start_hand(state: TableState) -> Decision[TableEvent, TableState]:
    present = state.present
    if len(present) < 2:
        raise _refused(state, "wrong_phase", f"a hand needs two players: {len(present)} ready")
    at = find_positions(state)
    if at is None:
        drawn = state.profile.button.initial == "high_card"
        how = "draw a card for each seat with 'draw'" if drawn else "place it with 'button'"
        raise _refused(state, "wrong_phase", f"nobody has the button yet: {how}", "button.initial")
    if state.deck == "bad":
        raise _refused(
            state,
            "deck_not_ready",
            "the deck is out of play: use another one, or shuffle by hand ('deck manual')",
        )
    if state.deck == "unverified":
        raise _refused(
            state,
            "deck_not_ready",
            "the deck was not counted: put it back into the shuffler for a full cycle",
        )
    if state.deck_required and not (state.deck in ("ok", "manual") and state.deck_cut):
        need = "cut it" if state.deck in ("ok", "manual") else "it must be shuffled and cut"
        raise _refused(state, "deck_not_ready", f"the deck is not ready: {need}")
    # A misdeal is dealt again exactly as it was: button, players, posts and stakes (TDA rule 35).
    # Missed blinds were counted when it was started the first time.
    if state.again is not None and _can_repeat(state, state.again):
        return _post(decided(state, [_repeated(state, state.again)]))
    _check_no_hand_seat(state, at)
    made: list[TableEvent] = []
    limit = state.profile.absent.max_missed_big_blinds
    started = next_hand(state, at)
    for seat, (small, big) in missed_blinds(state, at).items():
        if seat == started.killer:
            continue  # posts the kill from the rail, and so owes no blind of this hand
        times = state.seats[seat].missed + big
        pick_up = bool(limit) and times >= limit and big
        # Only noted: the floor decides whether the seat is picked up.
        made.append(events.BlindsMissed(seat, small, big, pick_up))
    # A killer who is away cannot sit the kill out. Where the kill does not stand, it is a debt.
    if state.killer is not None and state.killer in state.seats and started.killer is None:
        made.append(events.KillMissed(state.killer))
    return _post(decided(state, [*made, started]))


def _post(started: Decision[TableEvent, TableState]) -> Decision[TableEvent, TableState]:
    """A hand that has begun, with what is posted."""
    assert started.state.hand is not None
    posted = decided(started.state, post(started.state.hand))
    return Decision(started.events + posted.events, posted.state)


def _can_repeat(state: TableState, called_off: HandStarted) -> bool:
    """Whether a hand that was called off can be dealt again to the same players and limit."""
    in_it = (*called_off.dealt, *called_off.no_hand)
    return called_off.limit == state.limit.id and all(seat in state.present for seat in in_it)


def _repeated(state: TableState, called_off: HandStarted) -> HandStarted:
    """The start of a hand that is dealt again."""
    stacks = {seat: at.stack for seat, at in sorted(state.seats.items())}
    started = replace(called_off, number=state.hands + 1, stacks=stacks, deck=state.deck_back)
    killer = state.killer
    if killer is None or not started.kill_stands:
        return started
    # The killer had left and is back before the cards are dealt again: that changes who posts the
    # kill, and nothing else.
    posts = (*started.posts, *kill_post(state, killer))
    return replace(started, killer=killer, kill_stands=False, posts=posts)


def _check_no_hand_seat(state: TableState, at: Positions) -> None:
    """Where the floor names the seat that sits out, it must have named one for this hand."""
    seats = state.profile.seats
    if seats.no_hand_seat != "floor" or len(at.order) <= seats.hands:
        return
    if state.no_hand_seat in (at.small, at.big, *at.also_big):
        raise _refused(
            state,
            "wrong_phase",
            f"seat {state.no_hand_seat} must post a blind: ask the floor to name another",
            "seats.no_hand_seat",
        )
    if state.no_hand_seat not in at.order:
        raise _refused(
            state,
            "wrong_phase",
            f"{len(at.order)} are ready, but only {seats.hands} get a hand: "
            "ask the floor who sits out",
            "seats.no_hand_seat",
        )


def end_of_duty(state: TableState, at: int) -> list[TableEvent]:
    """The dealer and the boxes leave with the table."""
    return [*_dealer_out(state), *_close_shift(state, commands.CloseShift(at=at))]


def _dealer_out(state: TableState) -> list[TableEvent]:
    down = state.down
    if down is None:
        return []
    return [events.DealerOut(down.dealer, down.hands, down.fees, down.jackpots)]


def _close_shift(
    state: TableState, command: commands.OpenShift | commands.CloseShift
) -> list[TableEvent]:
    closed = shift_closed(state, command.at, command.by)
    return [] if closed is None else [closed]


def shift_closed(state: TableState, at: int = 0, by: str = "") -> events.ShiftClosed | None:
    """What closing the shift would record: the slip so far. None: no shift is open."""
    box = state.box
    if state.shift is None or box.name is None or box.jackpot_name is None:
        return None
    names = state.shift, box.name, box.jackpot_name
    tally = box.tally and replace(box.tally, devices=_counted_since(state, box.tally))
    return events.ShiftClosed(*names, box.fees, box.jackpots, by=by, tally=tally, at=at)


def _counted_since(state: TableState, opened: Tally) -> dict[str, Meters]:
    """What the devices counted since a shift was opened."""
    nothing = Meters()
    return {
        name: record.meters.since(opened.devices.get(name, nothing))
        for name, record in state.device_records.items()
        if record.meters != opened.devices.get(name, nothing)
    }


def _seat(state: TableState, command: commands.SeatPlayer) -> list[TableEvent]:
    most = state.profile.seats.max
    if not 1 <= command.seat <= most:
        raise _refused(
            state, "no_such_seat", f"there is no seat {command.seat}: seats are 1 to {most}"
        )
    if command.seat in state.seats:
        name = quote(state.seats[command.seat].name)
        raise _refused(state, "seat_taken", f"seat {command.seat} is taken by {name}", "seats.max")
    if command.stack is not None:
        _check_amount(state, command.stack)
    seating.check_name(state, command.name, command.seat)
    new = _owes_on_arrival(state, command.seat)
    kills, owes = seating.kill_of(state, command.name)
    return [
        events.PlayerSeated(
            command.seat, command.name, command.stack, new, kills, owes_kill=owes, fresh=True
        )
    ]


def _owes_on_arrival(state: TableState, seat: int) -> bool:
    """Whether a newcomer must wait for the big blind or post one: only in a chair it has passed."""
    return state.hands > 0 and seat in state.passed


def _move(state: TableState, command: commands.MoveSeat) -> list[TableEvent]:
    _known(state, command.seat)
    most = state.profile.seats.max
    if not 1 <= command.to <= most or command.to in state.seats:
        raise _refused(
            state,
            "seat_taken",
            f"seat {command.to} is not free: seats are 1 to {most}",
            "seats.max",
        )
    at = state.seats[command.seat]
    # Toward the big blind costs nothing; away from it waits, or posts.
    new = at.new or (state.last is not None and _moves_away(state.last, command))
    return [events.PlayerMoved(command.seat, command.to, new)]


def _moves_away(last: LastHand, command: commands.MoveSeat) -> bool:
    """Whether the big blind comes later to the new chair than to the old one."""
    order = clockwise({command.seat, command.to}, last.big_blind)
    return order[0] == command.seat


def _post_owed(state: TableState, command: commands.PostOwed) -> list[TableEvent]:
    at = _known(state, command.seat)
    if state.settled(command.seat):
        raise _refused(state, "wrong_phase", f"seat {command.seat} owes nothing", "blinds_owed")
    if not at.present:
        raise _refused(
            state, "wrong_phase", f"seat {command.seat} is away or has no chips", "blinds_owed"
        )
    if at.posting:
        raise _refused(
            state, "wrong_phase", f"seat {command.seat} is already posting", "blinds_owed"
        )
    return [events.PostAgreed(command.seat)]


def _buy(state: TableState, command: commands.Buy) -> list[TableEvent]:
    tracked = _known(state, command.seat).stack is not None
    _check_amount(state, command.amount)
    return [events.ChipsBought(command.seat, command.amount, tracked)]


def _check_amount(state: TableState, cents: int) -> None:
    if not 0 < cents <= MOST_BOUGHT:
        raise _refused(
            state,
            "bet_size",
            f"{format_dollars(cents)} in chips is not possible: it must be more than $0 "
            f"and at most {format_dollars(MOST_BOUGHT)}",
            "seats",
        )


def _draw(state: TableState, command: commands.Draw) -> list[TableEvent]:
    at = _known(state, command.seat)
    if state.profile.button.initial != "high_card":
        raise _refused(
            state, "wrong_phase", "the button is placed here, not drawn", "button.initial"
        )
    if state.button is not None:
        raise _refused(
            state, "wrong_phase", f"seat {state.button} already has the button", "button.initial"
        )
    if command.seat in state.drawn:
        raise _refused(
            state, "wrong_phase", f"seat {command.seat} has already drawn", "button.initial"
        )
    due = state.next_to_draw
    if command.seat != due:
        turn = f"seat {due} gets the next card"
        why = "is out of turn" if at.present else "is away or has no chips"
        raise _refused(
            state,
            "out_of_turn",
            f"seat {command.seat} {why}: {turn if due is not None else 'it gets no card'}",
            "button.initial",
        )
    by = next((seat for seat, card in state.drawn.items() if card == command.card), None)
    if by is not None:
        raise _refused(state, "duplicate_card", f"seat {by} has drawn the {command.card}")
    return [events.ButtonCardDrawn(command.seat, command.card)]


def _end_draw(made: Decision[TableEvent, TableState]) -> Decision[TableEvent, TableState]:
    """When every seat has a card of the draw, the highest takes the button.

    Suits rank only here: spades, hearts, diamonds, clubs.
    """
    state = made.state
    if state.button is not None or not state.drawn:
        return made
    drawn = {seat: card for seat, card in state.drawn.items() if seat in state.present}
    # The rules may have changed in the middle of the draw, to a game whose button is placed.
    by_card = state.profile.button.initial == "high_card"
    if not by_card or len(drawn) < 2 or state.next_to_draw is not None:
        return made
    best = max(drawn, key=lambda seat: (drawn[seat].rank, drawn[seat].suit))
    placed = decided(state, [events.ButtonPlaced(best, "drawn")])
    return Decision(made.events + placed.events, placed.state)


def _place_button(state: TableState, command: commands.PlaceButton) -> list[TableEvent]:
    """The dealer places the button only to open a game; any other time it is for the floor.

    A game that has broken up has no button, and is opened again.
    """
    _known(state, command.seat)
    drawn = state.profile.button.initial == "high_card"
    if state.button is not None and (drawn or state.hands > 0):
        raise _refused(
            state,
            "not_authorised",
            f"seat {state.button} has the button: only the floor moves it, with the ruling "
            "'button'",
            "button.initial",
        )
    if drawn:
        raise _refused(
            state,
            "not_authorised",
            "the button is drawn for, not placed: use 'draw', or call the floor for the ruling "
            "'button'",
            "button.initial",
        )
    return [events.ButtonPlaced(command.seat, "placed")]


def _import_button(state: TableState, command: commands.ImportButton) -> list[TableEvent]:
    _known(state, command.seat)
    if state.button is not None:
        raise _refused(
            state, "wrong_phase", f"seat {state.button} already has the button", "button.initial"
        )
    return [events.ButtonPlaced(command.seat, "imported")]


def _report_deck(state: TableState, command: commands.ReportDeck) -> list[TableEvent]:
    if command.state != "manual" and "shuffler" in state.devices_out:
        raise _refused(state, "deck_not_ready", "the shuffler is out of use: shuffle by hand")
    # A deck that was found bad comes back by a ruling alone, however often it is shuffled.
    if command.state in ("ok", "manual") and command.back in state.decks_out:
        raise _refused(
            state,
            "deck_not_ready",
            f"the {command.back} deck is out of play until the floor lets it back",
        )
    if command.state == "ok" and command.count not in (None, 52):
        raise _refused(
            state,
            "deck_not_ready",
            f"a deck of {command.count} cards is not ready: it must have 52",
        )
    if command.state == "manual" and not state.may_shuffle_by_hand:
        raise _refused(
            state,
            "not_authorised",
            "this game needs a machine shuffle: shuffle by hand only while the floor has the "
            "shuffler out of use",
            "shuffle.allowed",
        )
    if command.state == "ok" and "machine" not in state.profile.shuffle.allowed:
        raise _refused(state, "deck_not_ready", "this game needs a shuffle by hand, not by machine")
    return [events.DeckReported(command.state, command.count, command.back, command.taken)]


def _known(state: TableState, seat: int) -> SeatAtTable:
    at = state.seats.get(seat)
    if at is None:
        raise _refused(state, "no_such_seat", f"nobody is in seat {seat}")
    return at


def _refused(state: TableState, code: str, message: str, rule: str = "") -> Refused:
    return Refused(code, sentence(message), state.profile, rule)
