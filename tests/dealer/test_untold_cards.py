"""Nobody at the console can ask, on the pad or after `:`, which cards lie face down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from omaha_drivers import events as said
from omaha_drivers.sealed import Sealed

from omaha_table.cards import DECK
from omaha_table.dealer.modes.pages import devices_page
from tests.console.scenes import Table

if TYPE_CHECKING:
    from collections.abc import Callable

DEALT = [card.text for card in DECK[:40]]
"""Eight hands of five from the shoe, from the top of the deck in its order."""


def in_the_pitch(cards: int = 40) -> Table:
    return Table(devices=True).live().deck().keys("enter", "+").cards(cards)


def after_the_burn() -> Table:
    return in_the_pitch().around().cards(1)


def on_the_flop() -> Table:
    return in_the_pitch().around().cards(4)


def typing_the_flop() -> Table:
    return in_the_pitch().around().keys("+")


MOMENTS: dict[str, Callable[[], Table]] = {
    "first card": lambda: in_the_pitch(0),
    "in the pitch": lambda: in_the_pitch(17),
    "betting": in_the_pitch,
    "burn due": lambda: in_the_pitch().around(),
    "flop due": after_the_burn,
    "betting on the flop": on_the_flop,
    "flop typed by hand": typing_the_flop,
}


def typed(table: Table, line: str) -> Table:
    names = {" ": "space", "?": "question_mark"}
    return table.keys("colon", *(names.get(letter, letter) for letter in line), "enter")


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_card_after_the_colon_is_answered_alike_for_every_card(moment: str) -> None:
    """Whether it lies face down, face up or in the stub."""
    made = MOMENTS[moment]()
    seq = made.session.state.seq
    answers = set()
    for card in DECK:
        typed(made, f"card {card.text}")
        answer = made.console.model.answer
        answers.add((answer.level, answer.text))
        assert made.session.state.seq == seq, "nothing is recorded"
        made.keys("escape")
    [(level, text)] = answers
    assert level == "refused"
    assert "Only the shoe reads cards" in text


def test_an_unread_card_may_be_recorded_after_the_colon() -> None:
    made = typed(in_the_pitch(17), "card ??")
    assert made.session.state.hand is not None
    assert made.session.state.hand.cards_out == 18
    seat = made.session.state.hand.setup.slots[17].seat
    assert seat is not None
    assert not made.session.can_read(seat)


@pytest.mark.parametrize("card", [DEALT[0], DEALT[39], DECK[40].text, DECK[51].text])
def test_a_board_that_is_typed_is_compared_with_no_hole_card(card: str) -> None:
    """A card of somebody's hand and a card of the stub are taken alike."""
    others = [DECK[45].text, DECK[47].text]
    made = typed(in_the_pitch().around(), f"flop {card} {' '.join(others)}")
    assert made.console.model.answer.level != "refused"
    assert made.session.state.hand is not None
    assert [board.text for board in made.session.state.hand.board] == [card, *others]


def test_a_card_typed_twice_in_one_entry_is_refused() -> None:
    made = typed(in_the_pitch().around(), "flop As As Kd")
    assert made.console.model.answer.level == "refused"
    assert made.session.state.hand is not None
    assert not made.session.state.hand.board


def test_alarms_the_device_page_and_the_log_are_the_same_for_every_card() -> None:
    """A shoe in trouble in the pitch: what is shown and recorded of it names no card."""
    told = set()
    for drawn in (DECK[16].text, DECK[30].text, DECK[51].text):
        made = in_the_pitch(16)
        records: list[str] = []
        made.console.listeners.append(
            lambda found, kept=records: kept.extend(str(one.event) for one in found)  # type: ignore[misc]
        )
        made.say("shoe", said.CardDrawn(17, Sealed(drawn), in_game=True))
        records.clear()
        for event in (
            said.DeviceWarning("LOW LIGHT"), said.CutCard(17), said.SettingsChanged("volume"),
            said.Identified("house", "emu", "shoe-1", "2", said.Trust.PINNED),
            said.LinkChanged(said.Link.SILENT, "No message for three seconds."),
            said.EventsLost(1), said.ShoeEmpty(17), said.CardUnreadable(18),
        ):  # fmt: skip
            made.say("shoe", event)
        view = made.console.view()
        page = devices_page(made.console.model).lines
        told.add((view.alarm, view.devices, view.log, page, tuple(records)))
    assert len(told) == 1
