"""The way out of the console: a hand that is played is asked about, with a key of its own."""

from __future__ import annotations

import pytest

from tests.console.scenes import SCENES, Table

MENU = ("/", "*", "9")


def test_between_hands_the_console_shuts_down_at_once() -> None:
    assert Table().keys(*MENU).console.model.quit


@pytest.mark.parametrize("scene", ["pitch_by_hand", "preflop", "burn_and_flop", "show", "push"])
def test_in_a_hand_it_asks_and_only_plus_confirms(scene: str) -> None:
    made = SCENES[scene]().keys(*MENU)
    assert not made.console.model.quit
    assert made.console.prompt.title == "SHUT DOWN?"
    assert made.console.prompt.detail.startswith("Hand 1 is being played.")
    for key in ("9", "0", "-", "*"):
        assert not made.keys(key).console.model.quit
    assert made.keys("+").console.model.quit


@pytest.mark.parametrize("key", ["enter", "."])
def test_no_goes_back_to_the_table(key: str) -> None:
    made = SCENES["preflop"]()
    title = made.console.prompt.title
    made.keys(*MENU, key)
    assert not made.console.model.quit
    assert made.console.prompt.title == title


def test_a_stopped_log_in_mid_hand_asks_too() -> None:
    made = SCENES["log_full"]()
    in_hand = made.session.state.hand is not None
    assert made.keys("-").console.model.quit is not in_hand
    assert made.keys("+").console.model.quit
