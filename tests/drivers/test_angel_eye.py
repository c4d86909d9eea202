from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from omaha_drivers import events as e
from omaha_drivers.angel_eye import CONFIRM, AngelEye, AngelEyeStx
from omaha_drivers.emulate.angel_eye import AngelShoeModel
from omaha_drivers.framing import ENQ, block
from omaha_drivers.sealed import reveal
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.tdp_codec import CARDS

from tests.drivers.bench import Bench

SETTINGS = DeviceSettings("shoe", "shoe", "angel_eye", "")


def bench(kind: type[AngelEye] = AngelEye, span: bool = False, **changes: Any) -> Bench:
    made = Bench(kind(replace(SETTINGS, **changes)), AngelShoeModel(check_start=span)).open()
    made.model.load(CARDS)
    made.exchange()
    return made


def test_the_shoe_is_live_once_it_speaks_and_says_that_it_is_to_be_confirmed() -> None:
    assert bench().events == [
        e.Identified("Angel", "Angel Eye II-EX", "", "", e.Trust.UNPINNED),
        e.DeviceWarning(CONFIRM),
        e.LinkChanged(e.Link.LIVE, "The shoe is connected."),
        e.ShoeLoaded(0),
    ]


def test_every_card_is_the_one_drawn() -> None:
    made = bench()
    for _ in CARDS:
        made.model.draw()
    made.exchange()
    drawn = [event for event in made.events if isinstance(event, e.CardDrawn)]
    assert [reveal(event.card) for event in drawn if event.card] == list(CARDS)
    assert [event.number for event in drawn] == list(range(1, 53))


@pytest.mark.parametrize(
    ("code", "event"),
    [
        (1, e.CardUnreadable(3)),
        (2, e.CardUnexpected(3)),
        (3, e.DeviceWarning("button")),
        (4, e.CardReturned(2)),
        (5, e.CardReturned(2)),
        (6, e.CardForeign(3)),
        (7, e.CardStuck(3)),
        (9, e.Fault("9")),
    ],
)
def test_errors_in_the_words_of_every_shoe(code: int, event: e.DeviceEvent) -> None:
    made = bench()
    made.model.draw()
    made.model.draw()
    made.model.fail(code)
    made.exchange()
    assert made.events[-1] == event


def last_drawn(made: Bench) -> int:
    last = made.events[-1]
    assert isinstance(last, e.CardDrawn)
    return last.number


def test_a_card_put_back_may_come_again() -> None:
    made = bench()
    made.model.draw()
    made.model.put_back()
    made.model.draw()
    made.exchange()
    assert [type(event).__name__ for event in made.events[-3:]] == [
        "CardDrawn",
        "CardReturned",
        "CardDrawn",
    ]
    assert last_drawn(made) == 1


def test_a_card_that_comes_twice_is_told() -> None:
    made = bench()
    made.model.load([CARDS[0], CARDS[0]])
    made.model.draw()
    made.model.draw()
    made.exchange()
    assert made.events[-1] == e.CardDuplicate(2)


@pytest.mark.parametrize("data", [b"\x81\xd1", b"\x81\x9e", b"\x81\x80", b"\x80\x91"])
def test_a_card_that_cannot_be_is_unreadable(data: bytes) -> None:
    made = bench()
    made.feed(block(ENQ, b"1D" + data))
    assert e.CardUnreadable(1) in made.events


@pytest.mark.parametrize("payload", [b"\x811D\x81\x91", b"1X", b"1D\x81A", b"D1\x81\x91"])
def test_what_the_weak_check_lets_through_is_not_believed(payload: bytes) -> None:
    made = bench()
    before = list(made.events)
    made.feed(block(ENQ, payload))
    assert made.events == before
    assert made.adapter.counters()["rejected"] == 1


def test_cards_missed_keep_their_numbers() -> None:
    made = bench()
    made.model.draw()
    made.exchange()
    made.model.draw()
    made.model.draw()
    made.model.out.clear()
    made.model.draw()
    made.exchange()
    assert made.events[-2] == e.EventsLost(None)
    assert last_drawn(made) == 4


def test_a_card_sent_again_is_not_drawn_again() -> None:
    made = bench()
    made.model.draw()
    made.exchange()
    before = len(made.events)
    made.model.send_event(b"R", 1, 0x11)
    made.exchange()
    assert len(made.events) == before


@pytest.mark.parametrize("span", [True, False])
def test_commands_in_both_readings_of_the_check(span: bool) -> None:
    made = bench(AngelEyeStx if span else AngelEye, span, allow_commands=True)
    made.command("LOCK")
    assert made.events[-1] == e.LockChanged(locked=True)
    made.command("UNLOCK")
    assert made.events[-1] == e.LockChanged(locked=False)
    wrong = bench(AngelEye if span else AngelEyeStx, span, allow_commands=True)
    wrong.command("LOCK")
    wrong.run(3)
    assert wrong.events[-1] == e.DeviceWarning("no answer to LOCK")


def test_a_refused_command_is_told() -> None:
    made = bench(allow_commands=True)
    made.hears = False
    made.command("CLEAR")
    made.feed(b"\x15\x31")
    assert made.events[-1] == e.DeviceWarning("CLEAR refused: 31")


def test_other_events() -> None:
    made = bench()
    for code in (b"C", b"M", b"e", b"G"):
        made.model.send_event(code, 3)
    made.exchange()
    assert made.events[-3:] == [
        e.CutCard(0),
        e.SettingsChanged("setting"),
        e.FaultCleared("3"),
    ]


def test_one_command_is_under_way_at_a_time() -> None:
    made = bench(allow_commands=True)
    made.hears = False
    made.command("LOCK")
    sent = len(made.sent)
    made.command("UNLOCK")
    assert made.events[-1] == e.DeviceWarning("UNLOCK not sent: another command is pending")
    assert len(made.sent) == sent


def test_a_card_message_that_is_too_short_is_lost_and_no_card() -> None:
    made = bench()
    made.feed(block(ENQ, b"1D\x81"))
    assert made.events[-1] == e.EventsLost(None)
