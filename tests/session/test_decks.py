"""Which decks of a shuffler are believed, and what a silenced alarm leaves as it was."""

from __future__ import annotations

import pytest
from omaha_drivers import events as said

from tests.console.scenes import Table

COUNTED: list[said.DeviceEvent] = [
    said.DeckIn("red"),
    said.ShuffleStarted(1),
    said.DeckVerified(1, 52, True, "ok"),
    said.ShuffleComplete(1, 52),
]


def shuffled(*events: said.DeviceEvent) -> Table:
    """A table whose shuffler says these, in order."""
    made = Table(devices=True).live()
    for event in events:
        made.say("shuffler", event)
    return made


@pytest.mark.parametrize(
    "trouble",
    [
        said.Fault("E7"),
        said.ServiceMode(True),
        said.LinkChanged(said.Link.DOWN, "the cable is out"),
        said.LinkChanged(said.Link.SILENT, "not heard"),
        said.LinkChanged(said.Link.WRONG, "another serial number"),
    ],
    ids=["fault", "service", "down", "silent", "wrong"],
)
def test_a_deck_taken_from_a_shuffler_that_is_not_usable_is_out(
    trouble: said.DeviceEvent,
) -> None:
    made = shuffled(*COUNTED, trouble, said.DeckTaken(1))
    assert made.session.state.deck == "bad"
    assert made.session.state.decks_out == {"red"}


@pytest.mark.parametrize(
    "between",
    [
        [said.DoorChanged(True), said.DoorChanged(False)],
        [said.EventsLost(2)],
        [said.Restarted()],
        [said.ShuffleStarted(1)],
        [said.DeckIn("red")],
    ],
    ids=["lid", "events lost", "restart", "shuffled again", "put in again"],
)
def test_what_can_have_changed_a_deck_after_its_count_ends_the_belief_in_it(
    between: list[said.DeviceEvent],
) -> None:
    made = shuffled(*COUNTED, *between, said.DeckTaken(1))
    assert made.session.state.deck == "bad"
    assert made.session.state.decks_out == {"red"}


@pytest.mark.parametrize(
    "count",
    [
        [said.DeckVerified(1, 51, True, "ok"), said.ShuffleComplete(1, 52)],
        [said.DeckVerified(1, 52, True, "ok"), said.ShuffleComplete(1, 51)],
    ],
    ids=["counted 51", "put out 51"],
)
def test_a_deck_is_counted_to_52_and_put_out_whole(count: list[said.DeviceEvent]) -> None:
    made = shuffled(said.DeckIn("red"), said.ShuffleStarted(1), *count, said.DeckTaken(1))
    assert made.session.state.decks_out == {"red"}


def test_a_cycle_without_a_number_proves_no_count() -> None:
    made = shuffled(said.DeckIn("red"), said.DeckTaken(0))
    assert made.session.state.decks_out == {"red"}


def test_a_deck_is_taken_once() -> None:
    made = shuffled(*COUNTED, said.DeckTaken(1), said.DeckTaken(1))
    assert made.session.state.decks_out == {"red"}


SILENCE = ("/", "*", "7")
"""The menu's line."""


def test_a_silenced_jam_still_stops_the_shuffler() -> None:
    made = shuffled(said.DeckIn("red"), said.Jammed("exit")).keys(*SILENCE)
    assert "Jam" in made.console.view().alarm.text
    assert made.console.prompt.title == "ANOTHER DECK", "no deck is waited for from it"
    for event in (said.DeckIn("blue"), *COUNTED[1:], said.DeckTaken(1)):
        made.say("shuffler", event)
    assert made.session.state.decks_out == {"red", "blue"}


@pytest.mark.parametrize(
    "trouble",
    [said.Fault("E7"), said.ServiceMode(True)],
    ids=["fault", "service"],
)
def test_a_silenced_shoe_that_is_not_usable_deals_no_card(trouble: said.DeviceEvent) -> None:
    made = Table(devices=True).live().deck().keys("enter", "enter").cards(17)
    made.say("shoe", trouble).keys(*SILENCE).cards(1)
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.cards_out, hand.trouble) == (17, "events_lost")


def test_a_silenced_loss_of_a_device_is_shown_again_when_it_is_lost_again() -> None:
    made = Table(devices=True).live().say("shoe", said.LinkChanged(said.Link.DOWN, "cable out"))
    assert made.console.view().alarm.level == "warn"
    made.keys(*SILENCE)
    assert made.console.view().alarm.level == "none"
    made.say("shoe", said.LinkChanged(said.Link.LIVE, "ready"))
    made.say("shoe", said.LinkChanged(said.Link.DOWN, "cable out"))
    assert "SHOE down" in made.console.view().alarm.text
