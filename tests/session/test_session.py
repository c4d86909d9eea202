"""What the session knows beside the table."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.floor import Give, Role, Staff
from omaha_table.floor.staff import Person, PinHash
from omaha_table.journal.faults import Busy
from omaha_table.journal.writer import JournalWriter
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.table.commands import ChangeRules, Leave
from omaha_table.table.events import DealerOut
from tests.evenings import draw_lines
from tests.journal.days import check, journal_file, open_session, say

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.journal.events import Record

PIN = PinHash(b"", b"")


def session_with(*people: Person) -> Session:
    profile = load_profile("ca_big_o")
    return Session(profile, profile.limits[0], Staff(people))


@pytest.mark.parametrize(("name", "known"), [("D1", True), ("D2", False), ("F1", False)])
def test_a_dealer_is_known_by_the_staff_list(name: str, known: bool) -> None:
    session = session_with(
        Person("F1", "Fern", Role.FLOOR, PIN), Person("D1", "Dana", Role.DEALER, PIN)
    )
    assert (name in session.signers.dealers) is known


def test_a_list_without_dealers_names_none() -> None:
    assert session_with(Person("F1", "Fern", Role.FLOOR, PIN)).signers.dealers == frozenset()


def test_rules_that_could_not_be_logged_are_not_named_by_the_next_seal(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    say(session, "seat 1 A", "seat 2 B", *draw_lines(1, (1, 2)))
    with contextlib.closing(sqlite3.connect(journal_file(tmp_path))) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy):
            session.do(ChangeRules(load_profile("ca_omaha_hilo")))
    say(session, "deal", "fold", "push")
    session.close()
    assert check(tmp_path).damage == []
    again = open_session(tmp_path)
    assert again.state.profile.id == "ca_big_o"
    again.close()


def test_a_day_whose_closing_was_interrupted_is_closed_by_the_next_entry(tmp_path: Path) -> None:
    """The table is closed on disk, and the dealer's leaving could not be written."""
    session = open_session(tmp_path)
    say(session, "seat 1 A", "down D1")
    written = JournalWriter.append

    def turned_away(journal: JournalWriter, records: list[Record], *rest: Any, **more: Any) -> None:
        if any(isinstance(record.event, DealerOut) for record in records):
            raise Busy("somebody else writes")
        written(journal, records, *rest, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(JournalWriter, "append", turned_away)
        with pytest.raises(Busy):
            session.rule(Give(("4711",), "close", ("end of the day",)))
    assert session.state.closed
    assert session.state.down is not None, "what is not written has not happened"
    done = session.do(Leave(1))
    assert done.refusal is None
    assert session.receipt is not None
    assert check(tmp_path).damage == []
