"""Devices and decks that are out of use: taken out once, and back only if they were out."""

from __future__ import annotations

import pytest

from omaha_table.rules import load_profile
from tests.evenings import codes, of_type, run
from tests.floor.four_players import S4, F, play


@pytest.mark.parametrize("device", ["shuffler", "shoe"])
def test_a_device_is_taken_out_once_and_put_back_once(device: str) -> None:
    out, back = f'{F} device {device} "it jams"\n', f'{F} restore {device} "it is fixed"\n'
    assert codes(run(back)) == ["wrong_phase"]
    assert codes(run(out * 2)) == ["wrong_phase"]
    answers = run(out + back + back)
    assert codes(answers) == ["wrong_phase"]
    assert [event["device"] for event in of_type(answers, "device_restored")] == [device]
    other = "shoe" if device == "shuffler" else "shuffler"
    assert codes(run(out + back.replace(device, other))) == ["wrong_phase"]


def test_a_deck_that_is_not_out_of_play_is_not_let_back() -> None:
    answers = run(f'{F} deck red "counted again"\n')
    assert codes(answers) == ["wrong_phase"]
    assert "out: none" in of_type(answers, "refused")[0]["message"]


def test_a_device_that_is_out_of_use_is_not_heard() -> None:
    script = S4 + f'hand\ncard 2c\ncard 3c\n{F} device shoe "jammed"\ncard 4c\ndeal\n4 call'
    assert codes(play(script)) == ["wrong_phase"]
    big = S4 + f'{F} device shuffler "jammed"\ndeck ok\ndeck manual'
    assert codes(play(big, "ca_big_o")) == ["deck_not_ready"]


def test_a_deck_reported_during_a_hand_is_for_the_next() -> None:
    profile = load_profile("ca_big_o")
    assert profile.shuffle.allowed
    answers = play(S4 + "deal\ndeck bad 51\nfold\nfold\nfold\npush\nhand", "ca_big_o")
    assert codes(answers) == ["deck_not_ready"]
