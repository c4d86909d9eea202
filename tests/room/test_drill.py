"""The drill of scripts/room_drill in short, and that it sees what it is there to see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omaha_table.room.shipper import Shipper
from scripts.campaigns.room.drill import Tally, compare, drill

if TYPE_CHECKING:
    from pathlib import Path

    from tests.room.conftest import Room


@pytest.mark.campaign
def test_kills_of_every_process_lose_and_double_nothing() -> None:
    tally = drill(60.0, 20261119, 3, 0.1, lambda text: None)
    assert tally.wrong() == [], str(tally)
    assert set(tally.kills) == {"tables", "shippers", "witness", "postmaster"}


def shipped(room: Room, folder: Path) -> None:
    shipper = Shipper(folder, "t7", "table")
    shipper.start(table := room.table())
    shipper.ship(table)


def test_the_drill_sees_an_event_that_is_lost(room: Room, evening: Path) -> None:
    shipped(room, evening)
    last = len(room.events())
    room.owner.execute("ALTER TABLE room.event DISABLE TRIGGER ALL")
    room.owner.execute("DELETE FROM room.event WHERE seq = %s", (last,))
    tally = Tally()
    compare(room.owner, evening, "t7", last, tally)
    assert (tally.lost, tally.different) == (1, ["t7"])


def test_the_drill_sees_an_event_that_is_changed(room: Room, evening: Path) -> None:
    shipped(room, evening)
    room.owner.execute("ALTER TABLE room.event DISABLE TRIGGER ALL")
    room.owner.execute("UPDATE room.event SET at_us = at_us + 1 WHERE seq = 7")
    tally = Tally()
    compare(room.owner, evening, "t7", 0, tally)
    assert tally.wrong()[0] == "journals that differ: ['t7']"


def test_a_drill_in_which_nothing_happened_shows_nothing() -> None:
    assert Tally().wrong() == ["nothing was shown: no events, or no kills"]
