"""The table as a screen may show it, from the state and what the console has seen."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from omaha_table.dealer.event_text import chips
from omaha_table.dealer.view import (
    Alarm,
    DeviceView,
    FeltView,
    PotView,
    SeatView,
    TableView,
)
from omaha_table.evaluate.words import brief_high, brief_low
from omaha_table.hand import misdeal_window_open
from omaha_table.hand.phases import Phase, Street
from omaha_table.hand.pots import build_pots
from omaha_table.hand.showdown import (
    claims,
    low_possible,
    read_tabled,
    showdown_order,
    state_drop,
    unread,
    winners,
)
from omaha_table.table.positions import find_positions

if TYPE_CHECKING:
    from omaha_table.dealer.view import Prompt
    from omaha_table.hand import HandState
    from omaha_table.hand.pots import Pot
    from omaha_table.session.devices import Device, Devices
    from omaha_table.table import SeatAtTable, TableState


@dataclass(frozen=True, slots=True)
class Seen:
    """What the console remembers beside the table's state."""

    title: str
    last: dict[int, str]
    log: tuple[str, ...]
    alarm: Alarm
    hand_began: float


def project(
    state: TableState, devices: Devices | None, prompt: Prompt, seen: Seen, now: float
) -> TableView:
    hand = state.hand
    return TableView(
        table=seen.title or "TABLE",
        game=_game(state),
        hand=f"HAND #{state.hands}" if state.hands else "NO HAND",
        clock=time.strftime("%H:%M", time.localtime(now)),
        drop=_drop(hand),
        seats=tuple(
            _seat(state, seat, seen, now) for seat in range(1, state.profile.seats.max + 1)
        ),
        felt=_idle_felt(state) if hand is None else _felt(state, hand),
        devices=_devices(devices, state),
        collection=_collection(state, hand),
        alarm=seen.alarm,
        prompt=prompt,
        log=seen.log,
    )


def _game(state: TableState) -> str:
    name = "BIG O" if state.profile.game.hole_cards == 5 else "OMAHA"
    split = " 8/B" if state.profile.splits and name != "BIG O" else ""
    kind = {"pot_limit": " PL", "no_limit": " NL", "spread": " SPREAD"}
    structure = kind.get(state.limit.structure, "")
    hand = state.hand
    kill = hand is not None and hand.setup.started.killer is not None
    return f"{name}{split} {state.limit.id}{structure}{'  KILL' if kill else ''}"


def _drop(hand: HandState | None) -> str:
    if hand is None or not hand.fee_due:
        return "DROP 0"
    if hand.fee_waived:
        return "DROP WAIVED"
    due = hand.setup.limit.bracket(len(hand.setup.dealt))
    return "DROP 0" if due is None else f"DROP {chips(due.fee)}+{chips(due.jackpot)}"


def _seat(state: TableState, number: int, seen: Seen, now: float) -> SeatView:
    at = state.seats.get(number)
    if at is None:
        return SeatView(number, "open", dim=True)
    hand = state.hand
    if hand is not None and number in hand.seats:
        return _in_hand(state, hand, number, at, seen)
    drawn = state.drawn.get(number)
    waiting = not at.present
    return SeatView(
        number,
        at.name.upper(),
        _stack(at.stack),
        shown=() if drawn is None else (drawn.text,),
        marks=_marks(state, number),
        note="NO HAND" if _sits_out(hand, number) else _note(at, now),
        acting=hand is None and _drawing(state) == number,
        dim=waiting or hand is not None,
    )


def _sits_out(hand: HandState | None, number: int) -> bool:
    return hand is not None and number in hand.setup.started.no_hand


def _drawing(state: TableState) -> int | None:
    if state.button is not None or state.profile.button.initial != "high_card":
        return None
    if len(state.present) < 2:
        return None
    return next((seat for seat in state.present if seat not in state.drawn), None)


def _in_hand(
    state: TableState, hand: HandState, number: int, at: SeatAtTable, seen: Seen
) -> SeatView:
    mine = hand.seats[number]
    tabled = hand.tabled.get(number, ())
    gone = mine.folded or number in hand.mucked
    showing = hand.phase in (Phase.SHOWDOWN, Phase.PUSH) and not gone and not tabled
    last = "MUCK" if number in hand.mucked else seen.last.get(number, "")
    if showing and len(hand.contenders) > 1 and hand.phase is Phase.SHOWDOWN:
        last = "TO SHOW"
    return SeatView(
        number,
        at.name.upper(),
        "ALL IN" if mine.all_in and not mine.stack else _stack(mine.stack),
        bet=chips(mine.bet) if mine.bet else "",
        last=last,
        backs=0 if gone or tabled else _cards_before(hand, number),
        shown=tuple(card.text for card in tabled),
        reading=_reading(hand, number),
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
    return sum(slot.seat == number for slot in hand.setup.slots[: hand.cards_out])


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


def _idle_felt(state: TableState) -> FeltView:
    if len(state.present) < 2 and not state.closed:
        return FeltView("WAITING FOR PLAYERS", strong=f"{len(state.seats)} SEATED")
    if state.button is None and state.profile.button.initial == "high_card":
        return FeltView(
            "BUTTON DRAW",
            strong="HIGH CARD WINS THE BUTTON",
            lines=("tie broken by suit  s > h > d > c",),
        )
    at = find_positions(state) if state.button is not None else None
    dealt = len(at.order[: state.profile.seats.hands]) if at is not None else len(state.present)
    lines = []
    if state.button is not None:
        kill = "" if state.killer is None else f" · kill seat {state.killer}"
        lines.append(f"next button seat {state.button}{kill}")
    if state.decks_out:
        lines.append(f"out of play: {', '.join(sorted(state.decks_out))} deck")
    if state.impounded:
        lines.append(f"chips held of hand {', '.join(map(str, state.impounded))}")
    if state.closed:
        return FeltView("TABLE CLOSED")
    return FeltView(
        "BETWEEN HANDS",
        strong=f"{len(state.seats)} SEATED   {dealt} DEALT IN",
        lines=tuple(lines),
    )


def _felt(state: TableState, hand: HandState) -> FeltView:
    showdown = hand.phase in (Phase.SHOWDOWN, Phase.PUSH) and len(hand.contenders) > 1
    title = "SHOWDOWN" if showdown else hand.street.name
    if hand.phase is Phase.DEAL:
        title = "THE DEAL"
    board = tuple(card.text for card in (*hand.board, *hand.turned))
    lamps = []
    if misdeal_window_open(hand):
        lamps.append("MISDEAL WINDOW OPEN")
    if hand.setup.started.killer is not None:
        lamps.append("KILL POT")
    if hand.uncapped and hand.setup.profile.betting.max_raises:
        lamps.append("NO RAISE CAP")
    strong, lines = _betting_lines(hand)
    if hand.phase in (Phase.SHOWDOWN, Phase.PUSH):
        lines = _drop_lines(hand)
    if hand.phase is Phase.BOARD:
        strong = "BETTING CLOSED"
    return FeltView(
        title,
        f"TOTAL {chips(hand.pot_total)}",
        board,
        5 if board or hand.street is not Street.PREFLOP else 0,
        _pots(hand, showdown=showdown),
        lines,
        strong,
        tuple(lamps),
    )


def _drop_lines(hand: HandState) -> tuple[str, ...]:
    """What goes into the boxes before anything is pushed."""
    drop = state_drop(hand)
    if not drop.fee + drop.jackpot:
        return ()
    rest = sum(pot.amount for pot in drop.pots)
    return (f"drop {chips(drop.fee)}+{chips(drop.jackpot)} first, {chips(rest)} to push",)


def _betting_lines(hand: HandState) -> tuple[str, tuple[str, ...]]:
    if hand.phase is not Phase.BETTING or hand.actor is None:
        return "", ()
    to_call = max(hand.price - hand.seats[hand.actor].bet, 0)
    if not hand.price:
        return "NO BET YET", ()
    by = "" if hand.aggressor is None else f" by seat {hand.aggressor}"
    cap = hand.setup.profile.betting.max_raises
    raises = f" · {hand.raises} of {cap} raises" if cap and not hand.uncapped else ""
    return f"TO CALL {chips(to_call)}", (f"bet {chips(hand.price)}{by}{raises}",)


def _pots(hand: HandState, *, showdown: bool) -> tuple[PotView, ...]:
    """What lies in the middle; what is in front of the seats is not in it yet."""
    in_front = sum(at.bet for at in hand.seats.values())
    pots = hand.pots()
    if in_front:
        pots, _ = build_pots(
            {seat: at.put_in - at.bet for seat, at in hand.seats.items()},
            {seat for seat, at in hand.seats.items() if at.folded},
            sum(at.dead for at in hand.seats.values()),
        )
    made = []
    for number, pot in enumerate(pots):
        name = "POT" if len(pots) == 1 else "MAIN" if number == 0 else f"SIDE {number}"
        high, low = _claims(hand, number, pot) if showdown else ("", "")
        seats = " ".join(map(str, pot.eligible))
        made.append(PotView(name, chips(pot.amount), seats, high, low))
    if in_front and not showdown:
        betting = [str(seat) for seat, at in sorted(hand.seats.items()) if at.bet]
        made.append(PotView("IN FRONT", chips(in_front), " ".join(betting)))
    return tuple(made)


def _claims(hand: HandState, number: int, pot: Pot) -> tuple[str, str]:
    """Who has the high and the low of a pot as far as the tabled cards say."""
    live = claims(hand, pot)
    unseen = len(live) > 1 and not any(seat in hand.tabled for seat in live)
    if unseen and number not in hand.read_high:
        return "", ""
    high, low, _ = winners(hand, number, pot)
    none = "" if not hand.setup.profile.splits else "-" if low_possible(hand) else "no low"
    return " ".join(map(str, high)), " ".join(map(str, low)) or none


def _devices(devices: Devices | None, state: TableState) -> tuple[DeviceView, ...]:
    if devices is None:
        return ()
    by_hand = devices.by_hand
    return tuple(_device(device, state, by_hand=by_hand) for device in devices.devices.values())


def _device(device: Device, state: TableState, *, by_hand: bool) -> DeviceView:
    name = "SHUF" if device.kind == "shuffler" else "SHOE"
    if device.kind in state.devices_out:
        return DeviceView(name, "off", "out of use")
    if device.alarm or device.link in ("wrong",):
        return DeviceView(name, "fault", device.doing)
    if device.link != "live":
        return DeviceView(name, "warn", device.doing or str(device.link))
    if by_hand and device.kind == "shoe":
        return DeviceView(name, "warn", "by hand this hand")
    pinned = "" if device.trust != "unpinned" else ", identity not checked"
    return DeviceView(name, "ok", f"{device.doing}{pinned}")


def _collection(state: TableState, hand: HandState | None) -> tuple[str, ...]:
    lines = [f"this hand   {_drop(hand).removeprefix('DROP ')}"]
    if state.down is not None:
        down = state.down
        lines.append(f"this down   {chips(down.fees)}+{chips(down.jackpots)}   {down.hands} hands")
        lines.append(f"dealer      {down.dealer}")
    lines.append(f"in the box  {chips(state.box.fees)}+{chips(state.box.jackpots)}")
    return tuple(lines)
