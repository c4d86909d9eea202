"""Each thing that can be wrong with a card: its event, its sentence, and its first way on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from omaha_drivers import events as said
from omaha_drivers.sealed import Sealed

from omaha_table.cards import DECK
from tests.console.scenes import Table
from tests.session.inside import read_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.hand import HandState

LONGEST = 78
"""What the band of the smallest screen holds of a sentence."""


def in_the_pitch(cards: int) -> Table:
    """Eight seats get five cards each; the button is on seat 7, so seat 8 has the first."""
    return Table(devices=True).live().deck().keys("enter", "+").cards(cards)


def drawn(number: int, *, card: int = 30, in_game: bool = True) -> said.CardDrawn:
    """A card that was not dealt before."""
    return said.CardDrawn(number, Sealed(DECK[card].text), in_game)


def hand_of(made: Table) -> HandState:
    hand = made.session.state.hand
    assert hand is not None
    return hand


def keys(made: Table) -> list[tuple[str, str]]:
    return [(key.cap, key.label) for key in made.console.prompt.keys if key.label]


def asked(made: Table) -> tuple[str | None, str, tuple[str, str]]:
    """What went wrong, what the dealer is told, and the first key."""
    detail = made.console.prompt.detail
    assert len(detail) <= LONGEST, detail
    return hand_of(made).trouble, detail, keys(made)[0]


# Read twice


@pytest.mark.parametrize("card", [0, 17, 35])
def test_a_card_that_is_read_twice_is_dealt_once_and_the_dealer_goes_on(card: int) -> None:
    made = in_the_pitch(17).say("shoe", drawn(17, card=card))
    assert asked(made) == (
        "read_twice",
        "The shoe read the last card again. If one card left it, go on.",
        ("ENTER", "ONE CARD, GO ON"),
    )
    made.keys("enter").cards(23)
    assert (hand_of(made).cards_dealt, made.session.step.what) == (40, "act")


def test_the_shoe_itself_may_say_that_it_read_a_card_twice() -> None:
    made = in_the_pitch(17).say("shoe", said.CardDuplicate(17))
    assert asked(made)[0] == "read_twice"
    made.keys("enter").cards(1)
    assert hand_of(made).cards_dealt == 18


def test_two_cards_with_one_number_are_recorded_by_the_dealer() -> None:
    made = in_the_pitch(17).say("shoe", drawn(17))
    assert keys(made)[1] == ("+", "CARD 18 TO SEAT 9")
    made.keys("+", "enter")
    assert (hand_of(made).cards_dealt, hand_of(made).trouble) == (18, None)


@pytest.mark.parametrize("at", [40, 44])
def test_a_card_that_is_read_twice_while_betting_is_open_is_no_premature_card(at: int) -> None:
    made = in_the_pitch(40)
    if at == 44:
        made.around().cards(4)
    made.say("shoe", drawn(at))
    assert asked(made)[0] == "read_twice"
    made.keys("enter")
    assert made.session.step.what == "act"


def test_what_the_dealer_is_told_of_a_number_is_the_same_whichever_card_came() -> None:
    """The answer must not depend on whether a card lies face down, or before whom."""
    for number in (1, 5, 16, 17, 19, 40, 49):
        answers = set()
        for card in (*DECK[:17], DECK[20], DECK[45]):
            made = in_the_pitch(17)
            made.say("shoe", said.CardDrawn(number, Sealed(card.text), True))
            view = made.console.view()
            answers.add((asked(made), view.alarm.text, view.log))
            assert card.text not in repr(view)
        assert len(answers) == 1


def test_a_second_copy_of_a_card_is_answered_alike_wherever_the_first_one_lies() -> None:
    answers = set()
    for card in DECK[:17]:
        made = in_the_pitch(17)
        made.say("shoe", said.CardDrawn(18, Sealed(card.text), True))
        answers.add((asked(made), made.console.view().alarm.text))
    assert answers == {
        (
            (
                "duplicate_card",
                "The shoe read a card that is already out. Leave it; the floor rules.",
                ("ENTER", "CALL THE FLOOR"),
            ),
            "",
        )
    }


# Put back and drawn again


@pytest.mark.parametrize("before_enter", [True, False])
def test_a_card_that_is_put_back_and_drawn_again_is_dealt_once(before_enter: bool) -> None:
    made = in_the_pitch(17).say("shoe", said.CardReturned(17))
    seat = hand_of(made).setup.slots[16].seat
    assert asked(made) == (
        "put_back",
        f"The last card was put back. Draw it again for seat {seat}, then go on.",
        ("ENTER", "DRAWN AGAIN, GO ON"),
    )
    if before_enter:
        made.say("shoe", drawn(17)).keys("enter")
    else:
        made.keys("enter").say("shoe", drawn(17))
    assert (hand_of(made).cards_dealt, hand_of(made).trouble) == (17, None)
    made.cards(23)
    assert made.session.step.what == "act"
    assert all(made.session.can_read(seat) for seat in hand_of(made).contenders)


def test_two_cards_that_are_put_back_come_again_in_order() -> None:
    made = in_the_pitch(17).say("shoe", said.CardReturned(17)).keys("enter")
    made.say("shoe", said.CardReturned(16)).keys("enter")
    made.say("shoe", drawn(16)).say("shoe", drawn(17))
    assert (hand_of(made).cards_dealt, hand_of(made).trouble) == (17, None)
    made.cards(1)
    assert hand_of(made).cards_dealt == 18


def test_a_card_whose_second_drawing_was_lost_is_not_waited_for() -> None:
    made = in_the_pitch(17).say("shoe", said.CardReturned(17)).keys("enter")
    made.say("shoe", said.EventsLost(1)).say("shoe", said.CardUnreadable(18)).keys("enter")
    made.keys("+", "enter").say("shoe", drawn(19)).say("shoe", said.CardReturned(19))
    assert asked(made)[0] == "put_back"


def test_a_card_whose_drawing_was_lost_may_be_put_back() -> None:
    made = in_the_pitch(17).say("shoe", said.EventsLost(1)).say("shoe", said.CardReturned(18))
    assert asked(made)[:2] == (
        "put_back",
        "The last card was put back. Draw it again for seat 9, then go on.",
    )
    made.keys("enter").say("shoe", drawn(18))
    assert (hand_of(made).cards_dealt, hand_of(made).trouble) == (18, None)
    made.say("shoe", said.CardReturned(20))
    assert asked(made)[0] == "missed_card"
    made.keys("+", "enter")
    assert asked(made)[0] == "put_back"
    made.keys("enter").say("shoe", drawn(20, card=31))
    assert (hand_of(made).cards_dealt, hand_of(made).trouble) == (20, None)


def test_a_shoe_that_counts_every_reading_may_give_it_another_number() -> None:
    made = in_the_pitch(16)
    made.say("shoe", said.CardDrawn(17, Sealed(DECK[45].text), True))
    made.say("shoe", said.CardReturned(17)).keys("enter")
    made.say("shoe", said.CardDrawn(18, Sealed(DECK[45].text), True))
    assert (hand_of(made).cards_dealt, hand_of(made).trouble) == (17, None)
    made.say("shoe", drawn(19))
    assert (hand_of(made).cards_dealt, hand_of(made).trouble) == (18, None)


def test_a_card_that_is_put_back_from_an_earlier_deal_is_for_the_floor() -> None:
    made = in_the_pitch(17).say("shoe", said.CardReturned(12))
    trouble, sentence, _ = asked(made)
    assert (trouble, made.session.step.who) == ("returned_card", "floor")
    assert sentence == "A card of an earlier deal was put back into the shoe. The floor rules."


# Missed


@pytest.mark.parametrize("missed", [1, 3])
def test_cards_that_the_shoe_missed_are_recorded_and_the_one_that_told_of_it_is_dealt(
    missed: int,
) -> None:
    made = in_the_pitch(17).say("shoe", drawn(18 + missed))
    slots = hand_of(made).setup.slots
    cards = "1 card" if missed == 1 else f"{missed} cards"
    assert asked(made) == (
        "missed_card",
        f"The shoe missed {cards}. If dealt, press + for each.",
        ("+", f"CARD 18 TO SEAT {slots[17].seat}"),
    )
    for _ in range(missed):
        assert keys(made)[0][0] == "+"
        made.keys("+")
    assert keys(made)[0] == ("ENTER", "CHECKED, GO ON")
    made.keys("enter")
    assert (hand_of(made).cards_dealt, hand_of(made).trouble) == (18 + missed, None)
    for number in range(19 + missed, 41):
        made.say("shoe", drawn(number, card=number + 12 - missed))
    unread = {slots[at].seat for at in range(17, 17 + missed)}
    contenders = hand_of(made).contenders
    assert {seat for seat in contenders if not made.session.can_read(seat)} == unread


def test_a_number_that_was_left_out_and_no_card_is_not_asked_about_again() -> None:
    made = in_the_pitch(17).say("shoe", drawn(19)).keys("enter")
    assert (hand_of(made).cards_dealt, hand_of(made).trouble) == (18, None)
    made.say("shoe", drawn(20, card=31))
    assert (hand_of(made).cards_dealt, hand_of(made).trouble) == (19, None)


def test_the_late_report_of_a_missed_card_is_not_dealt_again() -> None:
    made = in_the_pitch(17).say("shoe", drawn(19)).keys("+", "enter").say("shoe", drawn(18))
    assert (hand_of(made).cards_dealt, hand_of(made).trouble) == (19, None)


def test_the_first_card_of_a_hand_may_be_missed() -> None:
    made = in_the_pitch(0).say("shoe", drawn(2))
    assert asked(made)[0] == "missed_card"
    made.keys("+", "enter")
    assert hand_of(made).cards_dealt == 2


def test_a_missed_burn_is_recorded_and_the_board_goes_on() -> None:
    made = in_the_pitch(40).around().say("shoe", drawn(42, card=45))
    assert asked(made)[2] == ("+", "CARD 41 TO BURN")
    made.keys("+", "enter")
    assert len(hand_of(made).turned) == 1


@pytest.mark.parametrize(
    "event",
    [drawn(43), said.CardUnreadable(42), said.CardDrawn(42, None, True),
     said.CardDrawn(42, Sealed("Zz"), True)],
    ids=["missed", "unreadable", "no card", "no text of a card"],
)  # fmt: skip
def test_a_board_card_that_was_not_read_is_keyed_and_nothing_takes_its_place(
    event: said.DeviceEvent,
) -> None:
    made = in_the_pitch(40).around().cards(1).say("shoe", event)
    assert asked(made) == (
        "unread_board",
        "The shoe did not read a card of the board. Key the cards of this street.",
        ("ENTER", "KEY THE CARDS"),
    )
    made.keys("enter").say("shoe", drawn(44))
    assert hand_of(made).turned == ()
    made.keys(*"7+5*2/", "0")
    assert [card.text for card in hand_of(made).board] == ["7c", "5h", "2s"]


def test_one_unread_card_loses_no_other_card_of_its_seat() -> None:
    made = in_the_pitch(17).unreadable()
    assert asked(made)[1:] == (
        "The shoe could not read a card. If it is good and dealt, press +.",
        ("+", "CARD 18 TO SEAT 9"),
    )
    made.keys("+", "enter").cards(22)
    unread = hand_of(made).setup.slots[17].seat
    assert unread is not None
    for seat in hand_of(made).contenders:
        held = read_of(made.session, seat)
        assert held == (4 if seat == unread else 5)


# Lost reports


def test_lost_reports_that_were_no_card_are_settled_by_the_number_of_the_next_card() -> None:
    made = in_the_pitch(17).say("shoe", said.EventsLost(2))
    assert asked(made) == (
        "events_lost",
        "The shoe missed cards. Count those dealt; press + for each one missed.",
        ("ENTER", "CHECKED, GO ON"),
    )
    made.cards(1)
    assert (hand_of(made).cards_dealt, hand_of(made).trouble) == (18, None)


def test_the_next_card_tells_how_many_were_among_the_lost_reports() -> None:
    made = in_the_pitch(17).say("shoe", said.EventsLost(3)).say("shoe", drawn(20))
    made.say("shoe", drawn(21, card=31))
    assert asked(made)[:2] == (
        "missed_card",
        "The shoe missed 2 cards. If dealt, press + for each.",
    )
    made.keys("+", "+", "enter")
    assert (hand_of(made).cards_dealt, hand_of(made).trouble) == (21, None)


def test_a_card_whose_putting_back_was_lost_is_asked_about_once() -> None:
    made = in_the_pitch(17).say("shoe", said.EventsLost(1)).say("shoe", drawn(17))
    made.say("shoe", drawn(18, card=31))
    assert asked(made)[0] == "read_twice"
    made.keys("enter")
    assert (hand_of(made).cards_dealt, hand_of(made).trouble) == (18, None)


def test_cards_that_the_dealer_has_recorded_are_not_asked_about_again() -> None:
    made = in_the_pitch(7).say("shoe", said.EventsLost(1)).keys("+")
    made.say("shoe", drawn(8))
    assert (hand_of(made).cards_dealt, hand_of(made).trouble) == (8, "events_lost")
    made.keys("enter").say("shoe", drawn(9, card=31))
    assert (hand_of(made).cards_dealt, hand_of(made).trouble) == (9, None)


@pytest.mark.parametrize(
    "before", [said.Restarted(), said.CardDrawn(3, Sealed("As"), True)], ids=["restart", "number"]
)
def test_only_lost_reports_are_settled_by_a_number(before: said.DeviceEvent) -> None:
    made = in_the_pitch(17).say("shoe", before)
    assert asked(made)[0] == "events_lost"
    made.cards(1)
    assert (hand_of(made).cards_dealt, hand_of(made).trouble) == (17, "events_lost")
    made.keys("enter")
    assert (hand_of(made).cards_dealt, hand_of(made).trouble) == (18, None)


# Out of the game


def test_a_card_out_of_game_mode_is_recorded_if_it_was_dealt() -> None:
    made = in_the_pitch(17).say("shoe", drawn(18, in_game=False))
    assert asked(made) == (
        "out_of_game",
        "A card left the shoe outside its game mode. If it was dealt, press +.",
        ("+", "CARD 18 TO SEAT 9"),
    )
    assert keys(made)[1] == ("ENTER", "NOT DEALT, GO ON")
    made.keys("+", "enter").say("shoe", drawn(19))
    assert (hand_of(made).cards_dealt, hand_of(made).trouble) == (19, None)


# Before the hand


def early(cards: int) -> Table:
    made = Table(devices=True).live().deck().keys("enter").cards(cards)
    assert made.session.state.hand is None
    return made


def test_cards_that_were_dealt_before_the_hand_was_started_are_dealt_when_it_is() -> None:
    made = early(3)
    assert made.console.view().alarm.text == (
        "SHOE  A card was drawn before the hand: start the hand, or put it back."
    )
    made.keys("+")
    assert asked(made) == (
        "early_card",
        "3 cards left the shoe before the hand was started. Dealt, or put back?",
        ("ENTER", "DEALT, GO ON"),
    )
    assert made.console.view().alarm.level == "none"
    made.keys("enter")
    assert (hand_of(made).cards_dealt, hand_of(made).trouble) == (3, None)
    made.cards(37)
    assert all(made.session.can_read(seat) for seat in hand_of(made).contenders)


@pytest.mark.parametrize("first", [1, 4], ids=["counts down", "counts on"])
def test_early_cards_that_were_put_back_are_dealt_when_they_come_again(first: int) -> None:
    made = early(3).keys("+")
    assert keys(made)[1] == ("-", "PUT BACK")
    made.keys("-")
    assert (hand_of(made).cards_dealt, hand_of(made).trouble) == (0, None)
    for number in range(40):
        made.say("shoe", said.CardDrawn(first + number, Sealed(DECK[number].text), True))
    assert (made.session.step.what, hand_of(made).trouble) == ("act", None)


@pytest.mark.parametrize("back", [said.CardReturned(1), said.ShoeLoaded(52)])
def test_an_early_card_that_is_seen_to_go_back_is_forgotten(back: said.DeviceEvent) -> None:
    made = early(1).say("shoe", back)
    assert made.console.view().alarm.level == "none"
    made.keys("+")
    assert hand_of(made).trouble is None
    made.say("shoe", drawn(1))
    assert hand_of(made).cards_dealt == 1


# A deck in mid-hand


@pytest.mark.parametrize("count", [35, 0], ids=["35 cards", "not counted"])
@pytest.mark.parametrize("first", [1, 18], ids=["counts from 1", "counts on"])
def test_the_stub_that_is_loaded_again_goes_on_where_it_was(count: int, first: int) -> None:
    made = in_the_pitch(17).say("shoe", said.ShoeLoaded(count))
    assert asked(made) == (
        "stub_reloaded",
        "A deck was loaded in mid-hand. If it is this hand's stub, go on.",
        ("ENTER", "SAME STUB, GO ON"),
    )
    made.keys("enter")
    for at in range(23):
        made.say("shoe", drawn(first + at, card=17 + at))
    assert (made.session.step.what, hand_of(made).trouble) == ("act", None)


@pytest.mark.parametrize("count", [52, 51, 34])
def test_another_deck_in_mid_hand_is_for_the_floor_and_none_of_it_is_dealt(count: int) -> None:
    made = in_the_pitch(17).say("shoe", said.ShoeLoaded(count))
    assert asked(made)[:2] == (
        "new_deck",
        "Another deck was loaded in mid-hand. Deal none of it; the floor rules.",
    )
    assert made.session.step.who == "floor"
    made.say("shoe", drawn(1)).say("shoe", drawn(18))
    made.run('floor 4711 playon "the old stub is dealt by hand"').say("shoe", drawn(19))
    assert hand_of(made).cards_dealt == 17
    assert keys(made)[0] == ("0", "CARDS ARE OUT")


# Every kind


def test_every_trouble_has_a_sentence_that_fits_and_a_key() -> None:
    makers: dict[str, Callable[[], Table]] = {
        "stuck_card": lambda: in_the_pitch(17).say("shoe", said.CardStuck(18)),
        "lid_opened": lambda: in_the_pitch(17).say("shoe", said.DoorChanged(True)),
        "events_lost": lambda: in_the_pitch(17).say("shoe", said.EventsLost(2)),
        "foreign_card": lambda: in_the_pitch(17).say("shoe", said.CardForeign(18)),
        "card_too_many": lambda: in_the_pitch(17).say("shoe", said.CardUnexpected(18)),
        "premature_card": lambda: in_the_pitch(41),
    }
    told = set()
    for kind, make in makers.items():
        made = make()
        trouble, sentence, first = asked(made)
        told.add(sentence)
        assert trouble == kind
        assert first[0] == "ENTER"
        assert len(made.console.prompt.keys) <= 6
    assert len(told) == len(makers)
