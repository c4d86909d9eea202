"""Requests at any moment of a hand: the same table as if they had been made right after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from hypothesis import given, settings
from hypothesis import strategies as st

from omaha_table.floor import Give
from omaha_table.floor.files import demo_staff
from omaha_table.hand.frozen import replace
from omaha_table.session import Session
from omaha_table.session.language import parse
from omaha_table.session.script import run_line
from omaha_table.table.events import (
    ChipsBought,
    PlayerAway,
    PlayerBack,
    PlayerLeft,
    PlayerSeated,
    SeatChangeAsked,
    SeatChangeCancelled,
    SeatChangeDropped,
)
from tests.evenings import PLACED_HILO, codes
from tests.machine import Evening

if TYPE_CHECKING:
    from omaha_table.journal.events import Event
    from omaha_table.table import TableState
    from omaha_table.table.commands import TableCommand

SEATED = (
    "seat 1 Ada 200", "seat 2 Ben 200", "seat 3 Carmen 9", "seat 5 Eve 200", "away 5", "button 3",
)  # fmt: skip
HANDS = {
    "folded": ("hand", "deal", "fold", "fold", "push"),
    "shown": (
        *("hand", "deal", "call", "call", "check", "flop 7c 5h 2s", "check", "check", "bet"),
        *("fold", "call", "turn Kd", "check around", "river As", "check around"),
        *("high 2", "low none", "push"),
    ),
    "misdealt": ("hand", "deal", "fold", 'floor 4711 misdeal "two cards exposed"'),
    "void": ("hand", "deal", "call", 'floor 4711 9000 void "fouled deck"'),
}


class Request(NamedTuple):
    after: int
    """How many lines of the hand come before it, of those in which the hand is open."""
    line: str


def requests() -> st.SearchStrategy[list[Request]]:
    seats = st.integers(1, 7)
    lines = st.one_of(
        seats.map(lambda seat: f"leave {seat}"),
        seats.map(lambda seat: f"away {seat}"),
        seats.map(lambda seat: f"back {seat}"),
        seats.map(lambda seat: f"cancel {seat}"),
        st.just("undo"),
        st.tuples(seats, st.integers(1, 300)).map(lambda at: f"buy {at[0]} {at[1]}"),
        st.tuples(seats, st.sampled_from("XYZ")).map(lambda at: f"seat {at[0]} {at[1]} 80"),
    )
    return st.lists(st.builds(Request, st.integers(0, 20), lines), max_size=12)


def table() -> Session:
    session = Session(PLACED_HILO, PLACED_HILO.limits[0], demo_staff(), lambda: 1_800_000_000.0)
    for line in SEATED:
        assert not codes(list(run_line(session, 1, line)))
    return session


def plain(state: TableState) -> TableState:
    """Without the numbers of events, which differ."""
    seats = {seat: replace(at, sitting=0) for seat, at in sorted(state.seats.items())}
    results = tuple(replace(result, sittings={}) for result in state.results)
    return replace(state, seats=seats, results=results, seq=0, undoable=())


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(HANDS)), requests())
def test_what_is_asked_for_in_a_hand_is_as_if_it_were_asked_for_after_it(
    kind: str, wanted: list[Request]
) -> None:
    lines, session = HANDS[kind], table()
    standing: list[tuple[int, str]] = []
    for at, line in enumerate(lines):
        assert not codes(list(run_line(session, 1, line))), line
        if session.state.hand is None:
            break
        for request in wanted:
            if min(request.after, len(lines) - 2) != at:
                continue
            # An undo is for what was asked for; the hand itself is the same in both.
            if request.line == "undo" and not (
                session.state.asked and session.state.asked[-1].seq == session.state.seq
            ):
                continue
            hand = session.state.hand
            before = {asked.seq for asked in session.state.asked}
            list(run_line(session, 1, request.line))
            after = {asked.seq for asked in session.state.asked}
            assert session.state.hand is hand, "the hand is not touched"
            standing += [(seq, request.line) for seq in after - before]
            standing = [one for one in standing if one[0] in after]
    assert session.state.hand is None
    assert not session.state.asked
    later = table()
    for line in (*lines, *(line for _, line in standing)):
        assert not codes(list(run_line(later, 1, line))), line
    assert plain(session.state) == plain(later.state)


def fate(log: list[Event]) -> None:
    """Every request is taken back, carried out or dropped, once and in order."""
    waits: list[SeatChangeAsked] = []
    for event in log:
        match event:
            case SeatChangeAsked():
                waits.append(event)
            case SeatChangeCancelled():
                waits.remove(SeatChangeAsked(event.change))
            case SeatChangeDropped():
                assert waits.pop(0).change == event.change
            case PlayerSeated() | PlayerLeft() | PlayerAway() | PlayerBack() | ChipsBought():
                if event.asked_in:
                    assert waits.pop(0).change.seat == event.seat
    assert not waits


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(sorted(HANDS)), requests())
def test_no_chip_and_no_request_is_lost(kind: str, wanted: list[Request]) -> None:
    evening = Evening(PLACED_HILO, PLACED_HILO.limits[0].id)

    def say(line: str) -> None:
        command = parse(line)
        if isinstance(command, Give):
            assert evening.rule(command) is None
        else:
            evening.do(cast("TableCommand", command))

    lines = HANDS[kind]
    for line in SEATED:
        say(line)
    for at, line in enumerate(lines):
        say(line)
        for request in wanted:
            if request.after == at and evening.session.state.hand is not None:
                say(request.line)
    if evening.session.state.hand is None:
        fate([record.event for record in evening.log])
    evening.check_log()
