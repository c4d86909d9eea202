"""A script that listens to a shoe on a real pty."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from drivers.emulate import EmulatedShoe
from drivers.settings import DeviceSettings
from omaha_table.cards import DECK
from omaha_table.desk.ears import Ears
from tests.journal.days import open_desk, say

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.desk import Desk


def dealt(desk: Desk) -> int:
    return 0 if desk.state.hand is None else desk.state.hand.cards_out


def listen_until(ears: Ears, desk: Desk, cards: int) -> None:
    for _ in ears.listen(20.0):
        if dealt(desk) == cards:
            return
    raise AssertionError(f"{dealt(desk)} of {cards} cards")


def test_cards_drawn_between_two_scripts_are_heard_by_the_second(tmp_path: Path) -> None:
    settings = [DeviceSettings("shoe", "shoe", "tdp", str(tmp_path / "shoe"))]
    shoe = EmulatedShoe(tmp_path / "shoe")
    shoe.start()
    try:
        desk = open_desk(tmp_path / "data")
        say(desk, *(f"seat {seat} P{seat} 200" for seat in range(1, 5)), "button 4", "hand")
        with Ears(desk, settings) as ears:
            while not (live := ears.devices.of("shoe")) or not live.usable:
                next(ears.listen(20.0))
            shoe.load([card.text for card in DECK])
            for _ in range(3):
                shoe.draw()
            listen_until(ears, desk, 3)
        desk.close()
        shoe.draw()
        shoe.draw()
        desk = open_desk(tmp_path / "data")
        with Ears(desk, settings) as ears:
            listen_until(ears, desk, 5)
        assert desk.state.hand is not None
        assert desk.state.hand.trouble is None
        desk.close()
    finally:
        shoe.stop()


def test_a_card_that_does_not_come_is_not_waited_for_without_end(tmp_path: Path) -> None:
    desk = open_desk(tmp_path / "data")
    say(desk, *(f"seat {seat} P{seat} 200" for seat in range(1, 5)), "button 4", "hand")
    settings = [DeviceSettings("shoe", "shoe", "tdp", str(tmp_path / "nothing"))]
    with Ears(desk, settings) as ears:
        script = threading.Thread(target=lambda: list(ears.listen(0.1)), daemon=True)
        script.start()
        script.join(20)
        assert not script.is_alive()
    desk.close()
