"""Decides what a command does at a table, or why it is refused.

As in a hand, a decision carries the table after its events, so that nobody folds them again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from omaha_table.cards import quote
from omaha_table.hand import Decision, Refused, post
from omaha_table.hand import decide as decide_in_hand
from omaha_table.hand.commands import Deal, DealCard, HandCommand
from omaha_table.hand.events import HandEnded
from omaha_table.hand.frozen import replace
from omaha_table.hand.refusal import sentence
from omaha_table.hand.split import clockwise
from omaha_table.money import format_dollars
from omaha_table.table import commands, events
from omaha_table.table.folding import apply
from omaha_table.table.positions import (
    find_positions,
    kill_post,
    missed_blinds,
    next_hand,
)
from omaha_table.table.state import same_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omaha_table.hand import HandState
    from omaha_table.hand.events import HandStarted
    from omaha_table.table.commands import TableCommand
    from omaha_table.table.events import TableEvent
    from omaha_table.table.positions import Positions
    from omaha_table.table.state import LastHand, SeatAtTable, TableState

_BETWEEN_HANDS = (
    commands.SeatPlayer,
    commands.Leave,
    commands.Away,
    commands.Back,
    commands.Buy,
    commands.MoveSeat,
    commands.PostOwed,
    commands.OpenShift,
    commands.CloseShift,
    commands.Draw,
    commands.PlaceButton,
    commands.ImportButton,
    commands.ChangeLimit,
    commands.ChangeRules,
    commands.StartHand,
)
_IN_A_HAND = frozenset(get_args(HandCommand))
# People and boxes must still be able to leave a closed table.
_AFTER_CLOSING = (commands.Leave, commands.PushOut, commands.CloseShift)
MOST_BOUGHT = 10**11
"""Cents; more is a slip of the fingers."""


def decide(state: TableState, command: TableCommand) -> Decision[TableEvent, TableState]:
    """The events a command makes, all of them or none; raises Refused."""
    # The draw for the button may have been waiting for one seat alone, which has now drawn, left,
    # gone away, or come back with its card.
    return end_draw(_decide(state, command))


def _decide(state: TableState, command: TableCommand) -> Decision[TableEvent, TableState]:
    if state.closed and not isinstance(command, _AFTER_CLOSING):
        raise _refused(state, "wrong_phase", "the table is closed", "closing")
    if isinstance(command, DealCard) and "shoe" in state.devices_out:
        raise _refused(state, "wrong_phase", "the shoe is out of use: deal by hand", "devices")
    if state.hand is not None and type(command) in _IN_A_HAND:
        return _decide_in_hand(state, state.hand, command)  # type: ignore[arg-type]
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
    return Decision(made.events, replace(state, hand=made.state, seq=state.seq + len(made.events)))


def _single(state: TableState, command: TableCommand) -> list[TableEvent]:
    match command:
        case commands.SeatPlayer():
            return _seat(state, command)
        case commands.Leave():
            return [events.PlayerLeft(command.seat, _known(state, command.seat).stack)]
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
        case commands.MoveSeat():
            return _move(state, command)
        case commands.PostOwed():
            return _post_owed(state, command)
        case commands.PushIn():
            return [*_dealer_out(state), events.DealerIn(command.dealer)]
        case commands.PushOut():
            if state.down is None:
                raise _refused(state, "wrong_phase", "no dealer is at the table", "downs")
            return _dealer_out(state)
        case commands.OpenShift():
            opened = events.ShiftOpened(command.shift, command.box, command.jackpot_box)
            return [*_close_shift(state), opened]
        case commands.CloseShift():
            if state.shift is None:
                raise _refused(state, "wrong_phase", "no shift is open", "boxes")
            return _close_shift(state)
        case commands.Draw():
            return _draw(state, command)
        case commands.PlaceButton():
            return _place_button(state, command)
        case commands.ImportButton():
            return _import_button(state, command)
        case commands.ChangeLimit():
            return _change_limit(state, command)
        case commands.ChangeRules():
            return _change_rules(state, command)
        case commands.ReportDeck():
            return _report_deck(state, command)
        case commands.NoteDevice():
            return [events.DeviceNoted(command.device, command.what, command.detail)]
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


def end_of_duty(state: TableState) -> list[TableEvent]:
    """The dealer and the boxes leave with the table."""
    return [*_dealer_out(state), *_close_shift(state)]


def _dealer_out(state: TableState) -> list[TableEvent]:
    down = state.down
    if down is None:
        return []
    return [events.DealerOut(down.dealer, down.hands, down.fees, down.jackpots)]


def _close_shift(state: TableState) -> list[TableEvent]:
    box = state.box
    if state.shift is None or box.name is None or box.jackpot_name is None:
        return []
    return [events.ShiftClosed(state.shift, box.name, box.jackpot_name, box.fees, box.jackpots)]


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
    new = _owes_on_arrival(state, command.seat)
    # Names are all the table knows of people; the dealer confirms that it is the same person.
    kills = bool(state.kill_left) and same_name(command.name, state.kill_left)
    owes = any(same_name(command.name, owing) for owing in state.kill_debts)
    return [
        events.PlayerSeated(command.seat, command.name, command.stack, new, kills, owes_kill=owes)
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
    _known(state, command.seat)
    _check_amount(state, command.amount)
    return [events.ChipsBought(command.seat, command.amount)]


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
    if command.card in state.drawn.values():
        raise _refused(state, "duplicate_card", f"the {command.card} is already on the table")
    return [events.ButtonCardDrawn(command.seat, command.card)]


def end_draw(made: Decision[TableEvent, TableState]) -> Decision[TableEvent, TableState]:
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


def _change_limit(state: TableState, command: commands.ChangeLimit) -> list[TableEvent]:
    if state.profile.limit(command.limit) is None:
        known = ", ".join(limit.id for limit in state.profile.limits)
        raise _refused(
            state,
            "no_such_limit",
            f"{quote(command.limit)} is not posted here: the limits are {known}",
            "limits",
        )
    return [events.LimitChanged(command.limit)]


def _change_rules(state: TableState, command: commands.ChangeRules) -> list[TableEvent]:
    profile = command.profile
    limit = profile.limits[0] if command.limit is None else profile.limit(command.limit)
    if limit is None:
        known = ", ".join(limit.id for limit in profile.limits)
        raise _refused(
            state,
            "no_such_limit",
            f"{profile.id} has no such limit: its limits are {known}",
            "limits",
        )
    far = [seat for seat in state.seats if seat > profile.seats.max]
    if far:
        raise _refused(
            state, "no_such_seat", f"{profile.id} has {profile.seats.max} seats: move seat {far[0]}"
        )
    return [events.RulesChanged(profile.id, profile.profile.version, limit.id, profile.as_data())]


def _report_deck(state: TableState, command: commands.ReportDeck) -> list[TableEvent]:
    if command.state != "manual" and "shuffler" in state.devices_out:
        raise _refused(state, "deck_not_ready", "the shuffler is out of use: shuffle by hand")
    # A deck that was found bad comes back by a ruling alone, however often it is shuffled.
    if command.state != "bad" and command.back in state.decks_out:
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
    return [events.DeckReported(command.state, command.count, command.back)]


def _known(state: TableState, seat: int) -> SeatAtTable:
    at = state.seats.get(seat)
    if at is None:
        raise _refused(state, "no_such_seat", f"nobody is in seat {seat}")
    return at


def _refused(state: TableState, code: str, message: str, rule: str = "") -> Refused:
    return Refused(code, sentence(message), state.profile, rule)
