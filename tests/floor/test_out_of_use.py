"""Devices and decks that are out of use: taken out once, and back only if they were out."""

from __future__ import annotations

import pytest

from omaha_table.floor.files import demo_staff
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evenings import PLACED_BIG_O, PLACED_HILO, codes, of_type, placed, run
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
    assert "these are: none" in of_type(answers, "refused")[0]["message"]


def test_a_device_that_is_out_of_use_is_not_heard() -> None:
    script = S4 + f'hand\ncard 2c\ncard 3c\n{F} device shoe "jammed"\ncard 4c\ndeal\n4 call'
    assert codes(play(script)) == ["wrong_phase"]
    big = S4 + f'{F} device shuffler "jammed"\ndeck ok\ndeck manual'
    assert codes(play(big, PLACED_BIG_O)) == ["deck_not_ready"]


def test_where_a_machine_is_demanded_only_the_floor_allows_a_shuffle_by_hand() -> None:
    """California Big O: cards are dealt from a single-deck automatic shuffling device."""
    [refusal] = of_type(play(S4 + "deck manual", PLACED_BIG_O), "refused")
    assert (refusal["code"], refusal["rule"]) == ("not_authorised", "shuffle.allowed")
    assert refusal["source"].startswith("004_62e76539aeb21045")
    out, back = f'{F} device shuffler "jammed"\n', f'{F} restore shuffler "cleared"\n'
    hand = "deck manual\ndeal\nfold\nfold\nfold\npush\n"
    answers = play(S4 + out + hand * 2 + back + "deck manual\ndeck ok 52", PLACED_BIG_O)
    assert codes(answers) == ["not_authorised"], "it lasts until the machine is back"
    reported = [event["state"] for event in of_type(answers, "deck_reported")]
    assert reported == ["manual", "manual", "ok"]
    other = f'{F} device shoe "jammed"\ndeck manual'
    assert codes(play(S4 + other, PLACED_BIG_O)) == ["not_authorised"], "the shoe does not shuffle"


def test_where_the_deck_is_shuffled_by_hand_a_machines_deck_is_not_taken() -> None:
    assert codes(play(S4 + "deck ok 52\ndeck manual", PLACED_HILO)) == ["deck_not_ready"]


@pytest.mark.parametrize("rules", ["ca_big_o", "ca_omaha_hilo", "house_omaha_hilo"])
def test_a_deck_that_is_required_is_cut_before_every_hand(rules: str) -> None:
    """However it was shuffled, also after a misdeal, and for a deck reported during a hand."""
    profile = placed(rules)
    session = Session(
        profile, profile.limits[0], demo_staff(), lambda: 1_800_000_000.0, deck_required=True
    )

    def say(line: str) -> list[str]:
        return codes(list(run_line(session, 1, line)))

    for line in S4.splitlines():
        assert say(line) == []
    report = "deck ok 52" if profile.shuffle.allowed[0] == "machine" else "deck manual"
    misdeal = f'{F} misdeal "boxed"'
    for end in ("fold\nfold\nfold\npush", misdeal, "fold\nfold\nfold\npush"):
        if session.state.deck == "unknown":
            assert session.step.what == "deck"
            assert say("hand") == ["deck_not_ready"]
            assert say(report) == []
        assert session.step.what == "cut"
        assert say("hand") == ["deck_not_ready"]
        assert say("cut") == []
        assert session.step.what == "hand"
        assert [say(line) for line in ("hand", "deal", report)] == [[], [], []]
        for line in end.splitlines():
            assert say(line) == []


def test_a_deck_reported_during_a_hand_is_for_the_next() -> None:
    profile = placed("ca_big_o")
    assert profile.shuffle.allowed
    answers = play(S4 + "deal\ndeck bad 51\nfold\nfold\nfold\npush\nhand", PLACED_BIG_O)
    assert codes(answers) == ["deck_not_ready"]
