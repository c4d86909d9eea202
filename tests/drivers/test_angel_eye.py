from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from omaha_drivers import events as e
from omaha_drivers.angel_eye import CONFIRM, AngelEye, AngelEyeStx
from omaha_drivers.angel_eye_options import AngelEyeOptions
from omaha_drivers.conformance.bench import Bench
from omaha_drivers.emulate.angel_eye import AngelShoeModel
from omaha_drivers.framing import ENQ, block
from omaha_drivers.options import OptionError
from omaha_drivers.sealed import reveal
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.tdp_codec import CARDS

SETTINGS = DeviceSettings("shoe", "shoe", "angel_eye", "")


def bench(kind: type[AngelEye] = AngelEye, span: bool = False, **changes: Any) -> Bench:
    made = Bench(
        kind(replace(SETTINGS, **changes)),
        AngelShoeModel(options=AngelEyeOptions(check_covers_stx=span)),
    ).open()
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
        (17, e.Fault("17")),
        (0x40 | 1, e.CardUnreadable(3)),
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
    made.model.send_event(b"C", 3)
    made.model.change_setting("12", "0034")
    for code in (b"e", b"G"):
        made.model.send_event(code, 3)
    made.exchange()
    assert made.events[-3:] == [
        e.CutCard(0),
        e.SettingsChanged("12=0034"),
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


def test_a_first_message_in_the_middle_of_a_deck_shows_a_loss() -> None:
    made = Bench(AngelEye(SETTINGS), AngelShoeModel())
    made.model.load(CARDS)
    made.model.draw()
    made.model.out.clear()
    made.open()
    made.model.draw()
    made.exchange()
    assert made.events[-2] == e.EventsLost(None)


# What the public decoders read, and where they leave a doubt


def in_reading(**options: Any) -> Bench:
    """Adapter and shoe with the same reading of the protocol."""
    model = AngelShoeModel(options=AngelEyeOptions(**options))
    made = Bench(AngelEye(replace(SETTINGS, options=options)), model).open()
    model.load(CARDS)
    made.exchange()
    return made


@pytest.mark.parametrize(
    "options",
    [
        {"check_covers_enq": True},
        {"check_covers_stx": True},
        {"draw_index": "per_deck"},
        {"copies": 1},
        {"sequence": "123456789"},
        {"setting_message": "binary"},
        {"lock_data": "01", "unlock_data": "00"},
    ],
)
def test_each_reading_deals_a_deck_and_locks(options: dict[str, object]) -> None:
    made = in_reading(**options)
    for _ in CARDS:
        made.model.draw()
        made.exchange()
    made.model.change_setting("10", "0050")
    made.exchange()
    drawn = [event for event in made.events if isinstance(event, e.CardDrawn)]
    assert [reveal(event.card) for event in drawn if event.card] == list(CARDS)
    assert e.EventsLost(None) not in made.events
    assert isinstance(made.events[-1], e.SettingsChanged)
    made.adapter = AngelEye(replace(SETTINGS, allow_commands=True, options=options))
    made.open().command("LOCK")
    assert made.events[-1:] == [e.LockChanged(locked=True)]


def test_a_lock_command_is_the_one_of_the_documented_example() -> None:
    """02 4F 50 4C 4B 30 32 03 with the check 1B, which covers STX."""
    settings = replace(SETTINGS, allow_commands=True, options={"check_covers_stx": True})
    shoe = AngelEye(settings)
    shoe.opened(0.0)
    assert shoe.command("LOCK", 0.0).send == bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42")


def test_a_draw_index_that_counts_per_side_repeats_without_a_loss() -> None:
    """Player 1, banker 1, player 2, banker 2, player 3, banker 3, and the next game."""
    made = bench()
    indexes = [(0, 1), (1, 1), (0, 2), (1, 2), (0, 3), (1, 3), (0, 1), (1, 1)]
    for at, (target, index) in enumerate(indexes):
        card = CARDS[at]
        suit = {"d": 1, "c": 2, "s": 3, "h": 4}[card[1]]
        rank = "A23456789TJQK".index(card[0]) + 1
        made.model.send_event(b"D", target << 4 | index, suit << 4 | rank)
    made.exchange()
    assert last_drawn(made) == 8
    assert e.EventsLost(None) not in made.events


def test_two_copies_of_each_message_may_be_lost() -> None:
    made = bench()
    made.line = lambda frames: frames[2::3]
    for _ in range(9):
        made.model.draw()
        made.exchange()
    assert last_drawn(made) == 9
    assert e.EventsLost(None) not in made.events
    assert made.adapter.counters()["copies lost"] == 16


@pytest.mark.parametrize(("target", "mode"), [(0, "lock"), (1, "error"), (2, "setting"), (3, "3")])
def test_a_card_outside_a_game_says_in_which_mode(target: int, mode: str) -> None:
    made = bench()
    made.model.draw_outside(target)
    made.exchange()
    assert made.events[-2] == e.DeviceWarning(f"card drawn in {mode} mode")
    drawn = made.events[-1]
    assert isinstance(drawn, e.CardDrawn)
    assert not drawn.in_game


def test_the_count_of_burn_cards_is_no_card() -> None:
    made = bench()
    before = len(made.events)
    made.model.send_event(b"D", 5 << 4 | 1, 0x13)
    made.exchange()
    assert len(made.events) == before


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"draw_index": "both"}, "draw_index: expected 'per_side' or 'per_deck'"),
        ({"sequence": "11"}, "sequence: expected at least two characters"),
        ({"sequence": "\x02\x03"}, "sequence: expected letters and digits"),
        ({"lock_data": "1"}, "expected two digits"),
        ({"copies": 0}, "copies: expected 1 to 9"),
    ],
)
def test_a_reading_that_cannot_be_is_a_sentence(options: dict[str, object], why: str) -> None:
    with pytest.raises(OptionError, match=why):
        AngelEye(replace(SETTINGS, options=options))
