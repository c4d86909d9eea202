"""A whole hand from an Angel Eye shoe: emulated on a pty, in the form the public decoders read."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from omaha_drivers.angel_eye_options import AngelEyeOptions
from omaha_drivers.emulate import EmulatedAngelShoe, Faults
from omaha_drivers.events import Link
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.tdp_codec import CARDS

from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.device_loop import DeviceLoop
from tests.evenings import draw_lines
from tests.journal.days import say

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from omaha_table.session.device_status import Device

DEAL_STEPS = ("deal", "flop", "turn", "river")
DECK = CARDS[::-1]


def dealt(session: Session) -> int:
    return 0 if session.state.hand is None else session.state.hand.cards_out


def wait_for(loop: DeviceLoop, condition: Callable[[Device], bool]) -> None:
    end = time.monotonic() + 20
    while not (device := loop.devices.of("shoe")) or not condition(device):
        assert time.monotonic() < end, device
        list(loop.process(0.0))
        time.sleep(0.01)


def one_card(loop: DeviceLoop, session: Session, shoe: EmulatedAngelShoe) -> None:
    before = dealt(session)
    shoe.draw()
    for _ in loop.process(20.0):
        if dealt(session) == before + 1:
            return
    raise AssertionError(f"card {before + 1} did not come: {loop.devices.of('shoe')}")


@pytest.mark.parametrize(
    ("options", "given", "faults"),
    [
        (AngelEyeOptions(), {}, ()),
        (AngelEyeOptions(), {}, ("garbage", "split")),
        (
            AngelEyeOptions(copies=1, draw_index="per_deck", check_covers_enq=True),
            {"copies": 1, "draw_index": "per_deck", "check_covers_enq": True},
            (),
        ),
    ],
    ids=["as the decoders read it", "on a noisy line", "another reading"],
)
def test_a_hand_is_dealt_to_the_river(
    tmp_path: Path, options: AngelEyeOptions, given: dict[str, object], faults: tuple[str, ...]
) -> None:
    profile = load_profile("ca_big_o")
    session = Session(profile, profile.limits[0])
    players = range(1, 5)
    say(session, *(f"seat {seat} P{seat} 200" for seat in players))
    say(session, *draw_lines(4, players), "hand")
    shoe = EmulatedAngelShoe(
        tmp_path / "shoe", options=options, faults=Faults(faults, seed=2, rate=0.1)
    )
    shoe.start()
    settings = DeviceSettings("shoe", "shoe", "angel_eye", str(tmp_path / "shoe"), options=given)
    try:
        with DeviceLoop(session, [settings]) as loop:
            wait_for(loop, lambda device: device.link is Link.OPENING)
            shoe.load(DECK)
            wait_for(loop, lambda device: device.usable)
            while session.step.what in (*DEAL_STEPS, "act"):
                hand = session.state.hand
                assert hand is not None
                assert hand.trouble is None
                if session.step.what in DEAL_STEPS:
                    one_card(loop, session, shoe)
                else:
                    words = [choice.word for choice in session.step.choices]
                    say(session, "check" if "check" in words else "call")
    finally:
        shoe.stop()
    hand = session.state.hand
    assert hand is not None
    # 20 hole cards from the ace of spades down; then a burn before each street.
    assert [card.text for card in hand.board] == ["9h", "9d", "9c", "8h", "8c"]
    assert hand.cards_out == 28
    assert session.step.what == "show"
