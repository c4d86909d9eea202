"""A remedy leaves the screen when its last step is done, or when its hand is over."""

from __future__ import annotations

import pytest
from omaha_drivers import events as said
from omaha_drivers.sealed import Sealed

from omaha_table.dealer.modes.remedy import RemedySteps
from tests.console.scenes import SCENES, Table, choose
from tests.evenings import profile_with

FLOOR = ("/", *"4711", "enter")


def ruled(made: Table, ruling: str, *fields: str) -> Table:
    return choose(made.keys(*FLOOR), ruling).keys(*fields)


def alarm(made: Table) -> str:
    return made.console.view().alarm.text


def stands(made: Table) -> bool:
    """Whether a remedy is on the screen or in the menu."""
    shown = alarm(made).startswith("Remedy: ") or isinstance(made.console.model.mode, RemedySteps)
    assert bool(made.console.model.story.remedy) == shown
    return shown


def exposed() -> Table:
    return SCENES["remedy"]().keys("enter")


# Remedies of the floor


def test_the_exposed_card_is_used_up_with_the_flop() -> None:
    made = exposed()
    assert stands(made.around())
    assert not stands(made.keys(*"7+5*2/", "0"))
    made.keys("/", "*", "8")
    assert alarm(made) == "No remedy of the floor is left to do."


def test_a_flop_that_is_taken_back_brings_it_back() -> None:
    made = exposed().around().keys(*"7+5*2/", "0")
    assert not stands(made)
    assert stands(made.keys(".", "+"))
    assert not stands(made.keys(*"7+5*2/", "0"))


def test_a_missing_card_is_dealt_before_the_flop() -> None:
    made = Table(players=4, button=1).keys("+", "0")
    ruled(made, "missing", "1", "enter").keys("enter")
    assert stands(made.around())
    assert not stands(made.keys(*"7+5*2/", "0"))


@pytest.mark.parametrize(("way", "streets"), [("rrop", 2), ("tda", 1)])
def test_a_premature_turn_is_done_with_the_street_that_it_is_about(way: str, streets: int) -> None:
    """By RROP the river comes from the stub that was shuffled again; by TDA the turn does."""
    rules = profile_with("ca_big_o", remedy={"premature_turn": way})
    made = Table(rules, players=4, button=1).to_flop()
    ruled(made, "premature", "2", "1", "enter").keys("enter")
    for keys in (("1", "3", "+"), ("9", "-"))[:streets]:
        assert stands(made.around()), keys
        made.keys(*keys, "0")
    assert not stands(made)


@pytest.mark.parametrize("way", ["scramble", "redeal"])
def test_a_flop_of_four_cards_is_done_with_the_new_flop(way: str) -> None:
    rules = profile_with("ca_big_o", remedy={"four_card_flop": way})
    made = Table(rules, players=4, button=1).to_flop()
    ruled(made, "fourcards", "1", "enter")
    assert stands(made)
    assert stands(made.keys("enter"))
    assert not stands(made.keys(*"7+5*2/", "0"))


def test_play_on_is_done_when_somebody_does() -> None:
    made = Table(players=4, button=1).to_flop().keys("enter")
    ruled(made, "noburn", "1", "enter").keys("enter")
    assert stands(made)
    assert not stands(made.keys("enter"))


def test_the_latest_remedy_is_shown_and_the_flop_is_the_end_of_both() -> None:
    """An exposed card, and the card that the button lacks."""
    made = Table(players=4, button=1).keys("+", "0")
    ruled(made, "exposed", "3", "enter", "1", "enter").keys("enter")
    first = made.console.model.story.remedy
    ruled(made, "missing", "1", "enter").keys("enter")
    assert made.console.model.story.remedy != first
    assert not stands(made.around().keys(*"7+5*2/", "0"))


@pytest.mark.parametrize(("ruling", "keys"), [("void", "1 enter +"), ("misdeal", "1 enter")])
def test_a_hand_that_is_called_off_takes_it_along(ruling: str, keys: str) -> None:
    made = ruled(exposed(), ruling, *keys.split())
    assert made.session.state.hand is None
    assert not stands(made)


def test_a_hand_that_everybody_folds_takes_it_along() -> None:
    made = exposed()
    while made.session.step.what == "act":
        made.keys("-")
    assert stands(made)
    assert not stands(made.keys("0"))
    assert not stands(made.keys("+"))


def test_the_page_of_steps_leaves_when_the_shoe_has_dealt_the_flop() -> None:
    made = Table(devices=True).live().deck().keys("enter", "+").cards(40)
    ruled(made, "exposed", "4", "enter", "1", "enter").keys("enter")
    made.around().keys("/", "*", "8")
    assert isinstance(made.console.model.mode, RemedySteps)
    made.cards(3)
    hand = made.session.state.hand
    assert hand is not None
    assert len(hand.board) == 3
    assert not stands(made)


# Alarms of the devices


def alarmed(made: Table) -> bool:
    return made.console.view().alarm.level == "fault"


def devices() -> Table:
    return Table(devices=True).live()


def a_hand(made: Table) -> Table:
    """Dealt by hand and folded."""
    made.keys("+").keys("0", "+")
    while made.session.step.what == "act":
        made.keys("-")
    return made.keys("0")


def test_another_deck_in_the_shoe_is_over_when_the_right_one_is_loaded() -> None:
    made = devices().deck().keys("enter", "+")
    made.say("shoe", said.CardDrawn(7, Sealed("As"), True))
    assert "another deck" in alarm(made)
    made.say("shoe", said.ShoeLoaded(52))
    assert not alarmed(made)


def test_another_deck_in_the_shoe_is_over_with_the_hand_that_it_was_not_used_for() -> None:
    made = devices().deck().keys("enter", "+")
    made.say("shoe", said.CardDrawn(7, Sealed("As"), True)).keys("0", "+")
    while made.session.step.what == "act":
        assert alarmed(made)
        made.keys("-")
    assert not alarmed(made.keys("0"))


def test_a_card_before_the_hand_is_over_when_the_hand_has_begun_and_asks_about_it() -> None:
    made = devices().deck().keys("enter").say("shoe", said.CardDrawn(1, Sealed("As"), True))
    assert "drawn before the hand" in alarm(made)
    assert not alarmed(made.keys("+"))
    assert made.session.step.what == "check_cards"


def test_an_unread_card_of_the_draw_is_over_with_the_draw() -> None:
    made = Table(players=2, button=None, devices=True).live().keys("enter")
    made.say("shoe", said.CardUnreadable(1))
    assert "key the cards" in alarm(made)
    made.keys("1", "3", "/")
    assert alarmed(made)
    made.keys("4", "*")
    assert made.session.state.button is not None
    assert not alarmed(made)


def test_a_short_deck_is_over_when_the_floor_lets_it_back() -> None:
    made = SCENES["deck_short"]()
    assert alarmed(made)
    ruled(made, "deck", "1", "1", "enter")
    assert not made.session.state.decks_out
    assert not alarmed(made.keys("enter"))


def test_a_device_that_the_floor_takes_out_of_use_rings_no_more() -> None:
    made = SCENES["jam"]()
    assert "Jam" in alarm(made)
    ruled(made, "device", "1", "1", "enter")
    assert made.session.state.devices_out == {"shuffler"}
    assert not alarmed(made.keys("enter"))


def test_a_jam_is_over_when_the_machine_was_switched_off_and_on() -> None:
    made = devices().say("shuffler", said.DeckIn("red")).say("shuffler", said.Jammed("exit"))
    assert "Jam" in alarm(made)
    made.say("shuffler", said.Restarted())
    assert "Run the red deck through a full cycle" in alarm(made)
    made.say("shuffler", said.DeckIn("red"))
    assert not alarmed(made)
