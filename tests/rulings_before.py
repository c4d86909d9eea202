"""A table's folder with rulings of earlier gaming days, for the tests of several packages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.floor.files import demo_staff
from omaha_table.journal.writer import Clock
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evenings import PLACED_BIG_O

if TYPE_CHECKING:
    from pathlib import Path

DAY = 86400.0
SEATS = (*(f"seat {seat} P{seat} 200" for seat in (1, 2, 3)), "button 3")
CLOSED = 'floor 4711 close "end of the day"'
VOID = 'floor 4711 void "emergency"'


def open_day(folder: Path, wall: float, table: str = "t7") -> Session:
    """The table's log as a console opens it at a time."""
    clock = Clock(lambda: wall, lambda: wall)
    profile = PLACED_BIG_O
    return Session.on_journal(folder, table, profile, profile.limits[0], demo_staff(), clock=clock)


def say(session: Session, *lines: str) -> list[dict[str, object]]:
    answers = [answer for line in lines for answer in run_line(session, 1, line)]
    assert not [one for one in answers if one["type"] == "refused"], answers[-1]
    return answers


def play_day(folder: Path, wall: float, *hands: tuple[str, ...], table: str = "t7") -> None:
    """Hands of three players, each void after its lines; then the table is closed."""
    session = open_day(folder, wall, table)
    if not session.state.seats:
        say(session, *SEATS)
    for lines in hands:
        say(session, "deal", *lines)
        say(session, VOID)
    say(session, CLOSED)
    session.close()


def dead(seat: int, reason: str) -> tuple[str, ...]:
    return (f'floor 4711 dead {seat} "{reason}"',)


def bound(action: str, reason: str) -> tuple[str, ...]:
    """Seat 1 on the small blind acts before seat 3, whose turn it is."""
    return (f'floor 4711 binding 1 {action} "{reason}"',)
