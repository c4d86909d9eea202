"""What an incoming dealer must know and no other screen says at a glance, on one page."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.alarms import floor_call_text, still_wrong
from omaha_table.dealer.change import become, leave_all
from omaha_table.dealer.event_text import chips, wanted
from omaha_table.dealer.model import Mode
from omaha_table.dealer.table_view import Page
from omaha_table.hand.fees import unpaid
from omaha_table.hand.frozen import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.table import SeatAtTable, TableState

_LINE: Final = 62
_LABEL: Final = 15
_ON_PAGE: Final = 9


@dataclass(frozen=True, slots=True)
class Handover(Mode):
    """Read in five seconds and passed with a key that does nothing at the table by itself."""

    dealer: str
    lines: tuple[str, ...]
    at: int = 0

    def show(self, model: Model, strip: Strip) -> Prompt:
        shown = self.lines[self.at : self.at + _ON_PAGE]
        more = self.at + _ON_PAGE < len(self.lines)
        if more:
            strip.add("+", "NEXT PAGE", become(replace(self, at=self.at + _ON_PAGE)))
        strip.add(".", "READ, GO ON", leave_all, strong=not more)
        strip.floor()
        why = "Read what is passed on, then press . to go on."
        for cap in ("ENTER", *("0" if more else "0+")):
            strip.when_pressed(cap, why)
        page = Page(f"{self.dealer} IS IN: PASSED ON TO YOU", shown)
        return strip.prompt("DEALER", "PUSH: READ THIS", why, page=page)


def passed_on(model: Model) -> tuple[str, ...]:
    """What is passed on at the push; empty: nothing."""
    lines: list[str] = []
    for label, text in _open_matters(model):
        if text:
            lines += wrap(f"{label:<{_LABEL}}{text}", _LINE, subsequent_indent=" " * _LABEL)
    return tuple(lines)


def _open_matters(model: Model) -> Iterator[tuple[str, str]]:
    state = model.state
    yield "Floor", floor_call_text(state, model.wall).removeprefix("FLOOR ").lower()
    yield from _kill(state)
    yield from _seats(state, model)
    hand = state.hand
    if hand is not None:
        yield "Fee not paid", _list(unpaid(hand))
        changes = [asked.change for asked in state.asked]
        yield "After the hand", ", ".join(f"seat {one.seat} {wanted(one)}" for one in changes)
    if state.again is not None:
        yield "Redeal", f"hand {state.hands} was called off: same button, same players"
    if state.no_hand_seat is not None:
        yield "No hand", f"seat {state.no_hand_seat} sits the next hand out"
    yield "Decks out", ", ".join(sorted(state.decks_out))
    yield "Out of use", ", ".join(sorted(state.devices_out))
    yield "Devices", ", ".join(still_wrong(model.facts))
    held = (
        f"{chips(sum(seats.values()))} of hand {number}"
        for number, seats in state.impounded.items()
    )
    yield "Chips held", ", ".join(held)


def _kill(state: TableState) -> Iterator[tuple[str, str]]:
    hand, kill = state.hand, state.limit.kill
    if hand is not None:
        started = hand.setup.started
        posted = sum(post.amount for post in started.posts if post.kind == "kill")
        if started.killer is not None:
            yield "Kill pot", f"seat {started.killer} posted {chips(posted)}"
    elif kill is not None and state.killer is not None:
        yield "Kill", f"seat {state.killer} posts {chips(kill.blind)} in the next hand"
    elif kill is not None and state.kill_left:
        yield "Kill", f"the next hand is a kill pot; {state.kill_left} has left"


def _seats(state: TableState, model: Model) -> Iterator[tuple[str, str]]:
    seats = sorted(state.seats.items())
    owing = [f"seat {seat} {_owed(at)}" for seat, at in seats if _owed(at)]
    yield "Owes blinds", ", ".join(owing)
    yield "Waits for BB", _list(seat for seat, at in seats if at.new and not at.posting)
    yield "Will post", _list(seat for seat, at in seats if at.posting)
    debts = [_list(seat for seat, at in seats if at.owes_kill), *sorted(state.kill_debts)]
    yield "Owes a kill", ", ".join(filter(None, debts))
    away = [f"seat {seat}{_minutes(at, model.wall)}" for seat, at in seats if at.away]
    yield "Away", ", ".join(away)
    yield "Away too long", _list(state.to_pick_up(model.wall))
    in_hand = () if state.hand is None else state.hand.seats
    broke = (seat for seat, at in seats if at.stack == 0 and not at.away and seat not in in_hand)
    yield "No chips", _list(broke)


def _owed(at: SeatAtTable) -> str:
    return "+".join(word for word, owes in (("SB", at.owes_small), ("BB", at.owes_big)) if owes)


def _minutes(at: SeatAtTable, wall: float) -> str:
    return f": {max(int(wall - at.away_since) // 60, 0)} min" if at.away_since else ""


def _list(seats: Iterable[int]) -> str:
    found = [str(seat) for seat in seats]
    return f"seat{'s' if len(found) > 1 else ''} {', '.join(found)}" if found else ""
