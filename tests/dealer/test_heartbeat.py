"""What a table tells the room of itself: what anybody at the table can see, and no card at all."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.dealer.change import Do
from omaha_table.dealer.console import Console
from omaha_table.dealer.heartbeat import MOST_BYTES, Heartbeat
from omaha_table.dealer.room_status import ShipperReport
from omaha_table.floor import Staff
from omaha_table.journal.writer import Clock
from omaha_table.log import without_cards
from omaha_table.session import Session
from omaha_table.table.commands import PushIn
from tests.console.scenes import AT, SCENES, RoomLink, Table, with_room

if TYPE_CHECKING:
    from pathlib import Path

CARD = re.compile(r"(?<![A-Za-z0-9])(?:10|[2-9TJQKA])[cdhs♣♦♥♠](?![A-Za-z0-9])")


def beat_of(table: Table) -> dict[str, Any]:
    link = with_room(table, ShipperReport("away"))
    table.console.beat()
    return dict(link.beats[-1])


def test_it_says_where_the_hand_is_and_who_is_asked() -> None:
    table = Table(limit="4-8", players=5).keys("+", "0")
    beat = beat_of(table)
    state = table.session.state
    assert (beat["hand"], beat["street"], beat["limit"]) == (1, "preflop", "4-8")
    assert beat["step"] == {"who": "seat", "what": "act", "seat": table.session.step.seat}
    assert (beat["seats"], beat["dealt"], beat["open"]) == (5, 5, 4)
    assert (beat["hole_cards"], beat["high_low"]) == (5, True)
    assert (beat["seq"], beat["at"]) == (state.seq, int(AT))
    assert (beat["floor_called"], beat["dealer"]) == (None, None)


def test_it_says_since_when_the_floor_is_called_and_the_dealer_is_seated() -> None:
    table = Table(players=5)
    link = with_room(table, ShipperReport("away"))
    table.console.carry_out(Do(PushIn("D7")))
    table.wait(30).keys("/", "enter")
    table.console.beat()
    assert link.beats[-1]["dealer_since"] == int(AT)
    beat = beat_of(table)
    assert beat["floor_called"] == int(AT + 30)
    assert (beat["dealer"], beat["dealer_hands"]) == ("D7", 0)


def test_a_restart_does_not_forget_since_when_the_dealer_is_seated(tmp_path: Path) -> None:
    table = Table(players=2, button=None, folder=tmp_path)
    table.session.do(PushIn("D7"))
    table.session.close()
    profile = table.session.state.profile
    clock = Clock(lambda: AT, lambda: AT)
    session = Session.on_journal(tmp_path, "t7", profile, profile.limits[0], Staff(), clock=clock)
    link = RoomLink(ShipperReport())
    console = Console(session, wall=lambda: AT + 3600)
    console.link = link
    console.beat()
    session.close()
    assert (link.beats[-1]["dealer"], link.beats[-1]["dealer_since"]) == ("D7", int(AT))


@pytest.mark.parametrize(
    "name",
    ["flop_half_typed", "show", "quartered", "side_pots", "pitch_from_the_shoe", "draw_next"],
)
def test_cards_on_the_table_are_not_in_it(name: str) -> None:
    """The campaign of autoplay looks at many more."""
    table = SCENES[name]()
    line = json.dumps(beat_of(table), ensure_ascii=False)
    assert not CARD.search(line)
    assert without_cards(line) == line
    assert len(line) < MOST_BYTES / 2


def test_it_fits_into_a_pipe_with_the_longest_names() -> None:
    table = Table(devices=True).live()
    table.console.model = table.console.model.__class__(
        table.console.facts(), table.console.model.modes, "Ω" * 300
    )
    assert len(json.dumps(beat_of(table))) < MOST_BYTES


def test_hands_an_hour_are_counted_once_there_is_something_to_count() -> None:
    table = Table(players=5)
    heartbeat = Heartbeat(0.0)
    facts = table.console.facts()
    state = facts.state
    for number in range(61):
        now = number * 90.0
        at = facts.__class__(state.__class__(state.profile, state.limit, hands=number), facts.step)
        beat = heartbeat.beat(at, "T7", now, stopped=False)
        if now < 300:
            assert beat["hands_an_hour"] is None
    assert beat["hands_an_hour"] == 40
