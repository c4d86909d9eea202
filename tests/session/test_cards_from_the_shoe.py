"""What a shoe's card becomes when it cannot be read, comes too late, or at the draw."""

from __future__ import annotations

import pytest
from omaha_drivers import events as said
from omaha_drivers.sealed import Sealed

from tests.console.scenes import Table, choose


def in_the_pitch(cards: int) -> Table:
    return Table(devices=True).live().deck().keys("enter", "+").cards(cards)


def at_the_draw() -> Table:
    made = Table(devices=True, button=None, players=3).live().keys("enter")
    assert made.session.step.what == "draw"
    return made.say("shoe", said.CardDrawn(1, Sealed("9h"), True))


def test_a_card_without_a_face_is_not_turned_on_the_board() -> None:
    made = in_the_pitch(40).around().cards(1)
    made.say("shoe", said.CardDrawn(42, None, True))
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.trouble, hand.turned) == ("unread_board", ())


def test_a_text_that_is_no_card_is_an_unreadable_card() -> None:
    made = in_the_pitch(17)
    made.say("shoe", said.CardDrawn(18, Sealed("Zz"), True))
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.trouble, hand.cards_out) == ("unreadable_card", 17)


@pytest.mark.parametrize(
    "unread",
    [said.CardUnreadable(2), said.CardDrawn(2, Sealed("Zz"), True)],
    ids=["unreadable", "no card"],
)
def test_after_an_unread_card_of_the_draw_the_dealer_keys_the_rest(
    unread: said.DeviceEvent,
) -> None:
    made = at_the_draw()
    assert len(made.session.state.drawn) == 1
    made.say("shoe", unread)
    assert made.console.view().alarm.level == "fault"
    made.say("shoe", said.CardDrawn(3, Sealed("As"), True))
    assert len(made.session.state.drawn) == 1, "which seat it went to is not known"
    made.keys("1", "3", "*", "2", "/")
    assert made.session.step.what != "draw"


def test_a_deck_loaded_inside_a_hand_is_looked_at_and_begins_no_new_count() -> None:
    made = in_the_pitch(17).say("shoe", said.ShoeLoaded(35))
    assert made.session.step.what == "check_cards"
    made.keys("enter").cards(1)
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.cards_out, hand.trouble) == (18, None)


def test_a_card_that_was_missed_and_is_told_late_is_not_dealt_again() -> None:
    made = in_the_pitch(7).say("shoe", said.EventsLost(1)).keys("+", "enter").cards(1)
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.cards_out, hand.trouble) == (8, None)


def test_a_card_freed_from_the_shoe_and_recorded_by_the_dealer_is_counted() -> None:
    made = in_the_pitch(17).say("shoe", said.CardStuck(18)).keys("+", "enter")
    made.say("shoe", said.CardDrawn(19, Sealed("9h"), True))
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.cards_out, hand.trouble) == (19, None)


def test_the_card_after_one_that_was_unreadable_and_replaced_is_the_next() -> None:
    made = in_the_pitch(17).unreadable().keys("enter").cards(1)
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.cards_out, hand.trouble) == (18, None)


def test_a_board_that_was_keyed_stops_the_shoe_for_its_own_hand_only() -> None:
    made = in_the_pitch(40).around().keys("0", *"7+5*2/0")
    while made.session.step.what == "act":
        made.keys("-")
    made.keys("0").deck("blue", 2).keys("enter", "+").cards(1)
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.cards_out, hand.trouble) == (1, None)


def test_the_link_of_a_device_out_of_use_is_still_on_record() -> None:
    made = in_the_pitch(17).keys("/", *"4711", "enter")
    choose(made, "device").keys("2", "1", "enter")
    seq = made.session.state.seq
    made.say("shoe", said.Fault("E7"))
    assert made.session.state.seq == seq
    made.say("shoe", said.LinkChanged(said.Link.DOWN, "the cable is out"))
    assert made.session.state.seq == seq + 1


def test_a_shoe_whose_lid_is_still_open_deals_no_card() -> None:
    made = in_the_pitch(17).say("shoe", said.DoorChanged(True)).keys("enter").cards(1)
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.cards_out, hand.trouble) == (17, "events_lost")


def test_a_shoe_out_of_use_is_not_waited_for() -> None:
    made = in_the_pitch(17).keys("/", *"4711", "enter")
    choose(made, "device").keys("2", "1", "enter")
    assert "CARDS ARE OUT" in [key.label for key in made.console.prompt.keys], (
        "the dealer deals by hand"
    )


def test_alarms_end_with_their_cause() -> None:
    made = Table(devices=True).live()
    for begins, ends in (
        (said.Jammed("exit"), said.JamCleared("exit")),
        (said.DoorChanged(True), said.DoorChanged(False)),
        (said.Fault("E7"), said.FaultCleared("E7")),
    ):
        made.say("shuffler", begins)
        assert made.console.view().alarm.level == "fault"
        made.say("shuffler", ends)
        assert made.console.view().alarm.level == "none"
    made.say("shoe", said.CardDrawn(1, Sealed("As"), True))
    assert "drawn before the hand" in made.console.view().alarm.text
    made.say("shoe", said.ShoeLoaded(52))
    assert made.console.view().alarm.level == "none"
