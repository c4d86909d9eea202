"""A shift that an older version opened: its log stays sound, and no slip invents its hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.journal.snapshot import agrees, take
from omaha_table.journal.verification import files_in, verify
from omaha_table.table import folding
from tests.review.found import Wall
from tests.session.night import BOARD, SCOOPED, SEATS, open_session, say

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

PLAYED = ("deal", "check", *["call"] * 4, *BOARD, "high 1", "low none", "push")


def test_a_shift_of_an_older_version_goes_on_and_its_slip_has_the_money_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wall = Wall(2026, 11, 14, 23, 0)
    with monkeypatch.context() as older:
        older.setattr(folding, "Tally", lambda *_, **__: None)
        session = open_session(tmp_path, wall)
        say(session, *SEATS, *SCOOPED)
        session.close()
    session = open_session(tmp_path, wall)
    say(session, *PLAYED, "shift day B8 J8")
    session.close()
    [slip] = session.slips
    assert slip.closed.tally is None
    assert (slip.closed.fees, slip.closed.jackpots) == (6_00, 2_00)
    assert verify(files_in(tmp_path)).damage == []


def test_a_seal_without_a_tally_still_fixes_the_money(tmp_path: Path) -> None:
    session = open_session(tmp_path, Wall(2026, 11, 14, 23, 0))
    say(session, *SEATS, *SCOOPED)
    kept = take(session.state)
    session.close()
    del kept["box"]["tally"]
    assert agrees(kept, session.state)
    kept["box"]["fees"] -= 1
    assert not agrees(kept, session.state)
