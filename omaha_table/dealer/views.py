"""What a model shows: the table as the dealer sees it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.alarms import alarm_line, device_alarms, floor_call_text
from omaha_table.dealer.event_text import chips, drop
from omaha_table.dealer.felt import felt_view
from omaha_table.dealer.room_status import room_lamp
from omaha_table.dealer.seat_waits import waiting_at
from omaha_table.dealer.strip import Strip
from omaha_table.dealer.table_view import DeviceView, SeatView, Staging, TableView
from omaha_table.evaluate.words import brief_high, brief_low
from omaha_table.hand.fees import fee_per_player, unpaid
from omaha_table.hand.frozen import replace
from omaha_table.hand.phases import Phase
from omaha_table.hand.showdown import read_tabled, showdown_order, unread
from omaha_table.table.positions import find_positions, next_without_hand

if TYPE_CHECKING:
    from omaha_table.dealer.model import Facts, Model
    from omaha_table.dealer.story import Story
    from omaha_table.dealer.table_view import Alarm, Prompt
    from omaha_table.hand import HandState
    from omaha_table.session.device_status import Device
    from omaha_table.table import SeatAtTable, TableState

_REAL: Final = Staging()


def view(model: Model) -> TableView:
    """Pure: the same model always shows the same."""
    facts = model.facts
    alarm, prompt = alarm_line(model), model.mode.show(model, Strip())
    if model.hint and alarm.level in ("call", "warn", "fault"):
        # The alarm line is taken for longer than a moment; what a player says must still be read.
        prompt = replace(prompt, detail=model.hint)
    return show_table(
        facts.state,
        model.story,
        prompt,
        alarm,
        title=model.title,
        wall=model.wall,
        keyed=model.half.cards if facts.step.what in ("flop", "turn", "river") else (),
        devices=_lamps(facts),
        staging=model.staging,
    )


def show_table(
    state: TableState,
    story: Story,
    prompt: Prompt,
    alarm: Alarm,
    *,
    title: str,
    wall: float,
    keyed: tuple[str, ...] = (),
    devices: tuple[DeviceView, ...] = (),
    staging: Staging = _REAL,
) -> TableView:
    """The table at a moment, live or looked back at."""
    hand = state.hand
    last = {} if hand is None else story.last_actions(hand.street)
    out = _sitting_out(state)
    return TableView(
        table=title or "TABLE",
        game=_game(state),
        hand=f"HAND #{state.hands}" if state.hands else "NO HAND",
        clock=time.strftime("%H:%M", time.localtime(wall)),
        drop=" ".join(_drop(hand)),
        held=_held(state),
        seats=tuple(
            _seat(state, seat, last.get(seat, ()), wall, staging, sits_out=seat in out)
            for seat in range(1, state.profile.seats.max + 1)
        ),
        felt=felt_view(state, story, keyed, readings=staging.readings),
        devices=devices,
        collection=_collection(state, hand),
        alarm=alarm,
        prompt=prompt,
        log=story.log,
        called=floor_call_text(state, wall),
    )


def _game(state: TableState) -> str:
    name = "BIG O" if state.profile.game.hole_cards == 5 else "OMAHA"
    split = " 8/B" if state.profile.splits and name != "BIG O" else ""
    kind = {"pot_limit": " PL", "no_limit": " NL", "spread": " SPREAD"}
    structure = kind.get(state.limit.structure, "")
    hand = state.hand
    kill = hand is not None and hand.setup.started.killer is not None
    return f"{name}{split} {state.limit.id}{structure}{'  KILL' if kill else ''}"


def _drop(hand: HandState | None) -> tuple[str, str]:
    """What the house takes from this hand: its name, and how much."""
    if hand is None:
        return "DROP", "0"
    by_player = fee_per_player(hand)
    if hand.fee_waived:
        return "FEES" if by_player else "DROP", "WAIVED"
    if by_player:
        return "FEES", chips(sum(hand.paid.values()))
    if not hand.fee_due:
        return "DROP", "0"
    due = hand.setup.limit.bracket(len(hand.setup.dealt))
    return "DROP", "0" if due is None else drop(due.fee, due.jackpot)


def _held(state: TableState) -> str:
    """What the floor holds of pots that were pushed; empty: nothing."""
    held = sum(cents for seats in state.impounded.values() for cents in seats.values())
    return f"HELD {chips(held)}" if held else ""


def _seat(
    state: TableState,
    number: int,
    last: tuple[str, ...],
    now: float,
    staging: Staging,
    *,
    sits_out: bool,
) -> SeatView:
    at = state.seats.get(number)
    waits = waiting_at(state, number)
    if at is None:
        return SeatView(number, "" if waits else "open", waits=waits, dim=True)
    hand = state.hand
    if hand is not None and number in hand.seats:
        return replace(_in_hand(state, hand, number, at, last, staging), waits=waits)
    drawn = state.drawn.get(number)
    waiting = not at.present
    return SeatView(
        number,
        at.name.upper(),
        _stack(at.stack),
        shown=() if drawn is None else (drawn.text,),
        marks=_marks(state, number),
        note="NOT DEALT IN" if sits_out else _note(at, now),
        waits=waits,
        acting=hand is None and _drawing(state) == number,
        dim=waiting or hand is not None,
    )


def _sitting_out(state: TableState) -> tuple[int, ...]:
    """Where there are more players than hands, the seats that get none: now or in the next."""
    if state.hand is not None:
        return state.hand.setup.started.no_hand
    return next_without_hand(state)


def _drawing(state: TableState) -> int | None:
    if state.button is not None or state.profile.button.initial != "high_card":
        return None
    if len(state.present) < 2:
        return None
    return state.next_to_draw


def _in_hand(
    state: TableState,
    hand: HandState,
    number: int,
    at: SeatAtTable,
    last: tuple[str, ...],
    staging: Staging,
) -> SeatView:
    mine = hand.seats[number]
    tabled = tuple(card.text for card in hand.tabled.get(number, ()))
    tabled = tabled or staging.face_up.get(number, ())
    gone = mine.folded or number in hand.mucked
    showing = hand.phase in (Phase.SHOWDOWN, Phase.PUSH) and not gone and not tabled
    if tabled and not staging.readings:
        # They have the place of the reading, and its width.
        last = ()
    if number in hand.mucked:
        last = ("MUCK",)
    if showing and len(hand.contenders) > 1 and hand.phase is Phase.SHOWDOWN:
        last = ("TO SHOW",)
    # A seat that has folded is dim and without cards anyway: that it owes its fee is the news.
    if (not last or mine.folded) and number in unpaid(hand):
        last = ("FEE NOT PAID", "FEE")
    return SeatView(
        number,
        at.name.upper(),
        "ALL IN" if mine.all_in and not mine.stack else _stack(mine.stack),
        bet=chips(mine.bet) if mine.bet else "",
        last=last,
        backs=0 if gone or tabled else _cards_before(hand, number),
        shown=tabled,
        reading=_reading(hand, number) if staging.readings else "",
        marks=_marks(state, number),
        acting=hand.actor == number or _asked_to_show(hand) == number,
        dim=gone,
        all_in=mine.all_in,
    )


def _asked_to_show(hand: HandState) -> int | None:
    if hand.phase is not Phase.SHOWDOWN:
        return None
    waiting = unread(hand)
    return next((seat for seat in showdown_order(hand) if seat in waiting), None)


def _cards_before(hand: HandState, number: int) -> int:
    """How many cards lie face down before a seat: a count, nothing more."""
    if hand.phase is not Phase.DEAL:
        return hand.setup.profile.game.hole_cards
    slots = enumerate(hand.setup.slots)
    out = (slot for at, slot in slots if at < hand.cards_out or at in hand.ahead)
    return sum(slot.seat == number for slot in out)


def _reading(hand: HandState, number: int) -> str:
    if number not in hand.tabled or len(hand.board) != 5:
        return ""
    highs, lows = read_tabled(hand)
    low = f" LO{brief_low(lows[number])}" if lows.get(number) else ""
    return f"{brief_high(highs[number])}{low}"


def _stack(stack: int | None) -> str:
    return "–" if stack is None else chips(stack)


def _marks(state: TableState, number: int) -> tuple[str, ...]:
    hand = state.hand
    marks = []
    if hand is not None:
        started = hand.setup.started
        places = {"D": started.button, "SB": started.small_blind, "BB": started.big_blind}
        killer = started.killer
    else:
        at = find_positions(state) if state.button is not None else None
        places = {"D": state.button}
        if at is not None:
            places |= {"SB": at.small, "BB": at.big}
        killer = state.killer
    marks += [mark for mark, seat in places.items() if seat == number]
    if killer == number:
        marks.append("K")
    return tuple(marks)


def _note(at: SeatAtTable, now: float) -> str:
    if at.away:
        minutes = max(int(now - at.away_since) // 60, 0) if at.away_since else 0
        return f"AWAY {minutes}m"
    if at.stack == 0:
        return "NO CHIPS"
    if at.posting:
        return "WILL POST"
    owed = [word for word, owes in (("SB", at.owes_small), ("BB", at.owes_big)) if owes]
    if owed:
        return f"OWES {'+'.join(owed)}"
    return "WAITS BB" if at.new else "OWES KILL" if at.owes_kill else ""


def _lamps(facts: Facts) -> tuple[DeviceView, ...]:
    """The devices, and the room where the table's file names one."""
    lamps = [device_view(one, facts) for one in facts.devices]
    if facts.room is not None:
        lamps.append(room_lamp(facts.room.status))
    return tuple(lamps)


def device_view(device: Device, facts: Facts) -> DeviceView:
    name = "SHUF" if device.kind == "shuffler" else "SHOE"
    if device.kind in facts.state.devices_out:
        return DeviceView(name, "off", "out of use")
    levels = {alarm.level for alarm in device_alarms(facts, device)}
    if "fault" in levels or device.link == "wrong":
        return DeviceView(name, "fault", device.doing)
    if device.link != "live" or "warn" in levels:
        return DeviceView(name, "warn", device.doing or str(device.link))
    if facts.by_hand and device.kind == "shoe":
        return DeviceView(name, "warn", "by hand this hand")
    pinned = "" if device.trust != "unpinned" else ", identity not checked"
    return DeviceView(name, "ok", f"{device.doing}{pinned}")


def _collection(state: TableState, hand: HandState | None) -> tuple[str, ...]:
    _, amount = _drop(hand)
    lines = [f"this hand   {amount}"]
    if state.down is not None:
        down = state.down
        count, noun = down.hands, "hand" if down.hands == 1 else "hands"
        lines.append(f"this down   {drop(down.fees, down.jackpots)}   {count} {noun}")
        unchecked = ", not checked" if down.checked in ("no", "unknown") else ""
        lines.append(f"dealer      {down.dealer}{unchecked}")
    lines.append(f"in the box  {drop(state.box.fees, state.box.jackpots)}")
    return tuple(lines)
