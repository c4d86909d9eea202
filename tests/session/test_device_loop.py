"""A script that listens to a shoe on a real pty."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from omaha_drivers.emulate import EmulatedShoe
from omaha_drivers.settings import DeviceSettings

from omaha_table.cards import DECK
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.device_loop import DeviceLoop
from tests.evenings import draw_lines
from tests.journal.days import open_session, say

if TYPE_CHECKING:
    from pathlib import Path


def dealt(session: Session) -> int:
    return 0 if session.state.hand is None else session.state.hand.cards_out


def listen_until(loop: DeviceLoop, session: Session, cards: int) -> None:
    for _ in loop.process(20.0):
        if dealt(session) == cards:
            return
    raise AssertionError(f"{dealt(session)} of {cards} cards")


def test_cards_drawn_between_two_scripts_are_heard_by_the_second(tmp_path: Path) -> None:
    settings = [DeviceSettings("shoe", "shoe", "tdp", str(tmp_path / "shoe"))]
    shoe = EmulatedShoe(tmp_path / "shoe")
    shoe.start()
    try:
        session = open_session(tmp_path / "data")
        say(
            session,
            *(f"seat {seat} P{seat} 200" for seat in range(1, 5)),
            *draw_lines(4, range(1, 5)),
            "hand",
        )
        with DeviceLoop(session, settings) as loop:
            while not (live := loop.devices.of("shoe")) or not live.usable:
                next(loop.process(20.0))
            shoe.load([card.text for card in DECK])
            for _ in range(3):
                shoe.draw()
            listen_until(loop, session, 3)
        session.close()
        shoe.draw()
        shoe.draw()
        session = open_session(tmp_path / "data")
        with DeviceLoop(session, settings) as loop:
            listen_until(loop, session, 5)
        assert session.state.hand is not None
        assert session.state.hand.trouble is None
        session.close()
    finally:
        shoe.stop()


def test_a_card_that_does_not_come_is_not_waited_for_without_end(tmp_path: Path) -> None:
    profile = load_profile("ca_big_o")
    session = Session(profile, profile.limits[0])
    say(
        session,
        *(f"seat {seat} P{seat} 200" for seat in range(1, 5)),
        *draw_lines(4, range(1, 5)),
        "hand",
    )
    settings = [DeviceSettings("shoe", "shoe", "tdp", str(tmp_path / "nothing"))]
    with DeviceLoop(session, settings) as loop:
        script = threading.Thread(target=lambda: list(loop.process(0.1)), daemon=True)
        script.start()
        script.join(20)
        assert not script.is_alive()
