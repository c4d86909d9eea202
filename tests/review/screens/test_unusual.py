"""The queue of what was unusual: every kind, in hands and between them, marked as it is seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from omaha_table.cards import DECK
from omaha_table.journal.faults import Tampered
from omaha_table.journal.office_book import read_office
from omaha_table.journal.verification import verify
from omaha_table.review.index.filters import parse_filter
from omaha_table.review.index.incidents import KINDS, kind_of
from omaha_table.review.index.ledger import SEEN
from omaha_table.review.index.projection import Projection
from omaha_table.review.screens.replay import Replay
from omaha_table.review.screens.unusual import Unusual
from omaha_table.session.vault import SealedVault
from omaha_table.table.events import DeckReported, DeviceNoted, DeviceTakenOut
from tests.counters import ledger, signature, signs
from tests.review.driving import Driver, desk_of
from tests.review.nights import Night
from tests.review.swing import (
    DEVICE_IN,
    MISDEALT,
    REFUSED_IN,
    RESTART_IN,
    SLOW,
    UNDONE_IN,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EXPECTED = [
    ("override", MISDEALT, "misdeal: two cards of seat 4 exposed"),
    ("misdeal", MISDEALT, "8 dealt in, all bets back"),
    ("device", None, "shoe: down: the cable is out"),
    ("device", DEVICE_IN, "shuffler: fault E21 belt"),
    ("undo", UNDONE_IN, " CALL "),
    ("refusal", None, "No hand is being played"),
    ("refusal", REFUSED_IN, "is being played: wait"),
    ("refusal", REFUSED_IN, "cannot raise to $500"),
    ("recovered", RESTART_IN, f"hand {RESTART_IN}, "),
    ("clock", None, "+35 s"),
    ("slow", SLOW, " seconds, pot $"),
]
"""What the swing shift was made with, kind by kind, the latest of a kind first."""


@pytest.fixture
def review(swing: Path, tmp_path: Path) -> Iterator[Driver]:
    with Driver(desk_of(swing.glob("*.journal"), tmp_path), (110, 34)) as review:
        review.press("-")
        review.page(Unusual)
        yield review


def kinds(review: Driver) -> list[str]:
    return [cells[5] for cells in review.lines]


def test_everything_unusual_is_one_line_by_kind(review: Driver) -> None:
    desk = review.desk
    found = desk.projection.incidents(desk.filter, 0, 100, by_time=False)
    assert [(row["kind"], row["number"]) for row in found] == [
        (kind, number) for kind, number, _ in EXPECTED
    ]
    for row, (_, _, says) in zip(found, EXPECTED, strict=True):
        assert says in row["says"]
    assert kinds(review) == [KINDS[kind] for kind, *_ in EXPECTED]
    review.press("4")
    times = [cells[1:3] for cells in review.lines]
    assert times == sorted(times, reverse=True)


def test_the_chosen_line_stays_chosen_while_somebody_else_marks_others(
    review: Driver, tmp_path: Path
) -> None:
    review.press("0", "2", "2")
    chosen, desk = review.chosen, review.desk
    [first] = desk.projection.incidents(desk.filter, 0, 1, by_time=False)
    ledger(tmp_path).tag(first["key"], SEEN, signature("F1"))
    review.keep_up()
    assert len(review.lines) == len(EXPECTED) - 1
    assert review.listed.at == 1
    assert review.chosen == chosen


def test_a_line_opens_the_hand_at_the_very_step(review: Driver) -> None:
    desk = review.desk
    rows = desk.projection.incidents(desk.filter, 0, 100, by_time=False)
    for row, (kind, number, says) in zip(rows, EXPECTED, strict=True):
        review.press("5")
        if number is None:
            assert "did not happen in a hand" in review.said
        else:
            page = review.page(Replay)
            assert page.about().startswith(f"{number} ")
            assert f"event {row['seq']} " in review.words("#about")
            assert kind != "refusal" or says in review.words("#about")
            review.press(".")
        review.press("2")


def test_from_line_to_line_without_going_back(review: Driver) -> None:
    review.press("5")
    for number in (MISDEALT, DEVICE_IN, UNDONE_IN, REFUSED_IN, REFUSED_IN, RESTART_IN, SLOW):
        review.press("2")
        assert review.page(Replay).about().startswith(f"{number} ")
    review.press("2")
    assert "No more hands" in review.said


def test_what_was_seen_is_kept_and_can_be_left_out(review: Driver, tmp_path: Path) -> None:
    review.press("*", *signs("F1"), "*")
    assert review.listed.at == 2
    assert [cells[0] for cells in review.lines][:3] == ["√", "√", ""]
    assert "9 of 11" in review.text
    assert len([t for t in read_office(tmp_path).tags.values() if t == {"seen"}]) == 2
    review.press("0")
    assert len(review.lines) == 9
    review.press("1", "*")
    assert len(review.lines) == 8
    assert review.listed.at == 7
    review.burst(*"********")
    assert "Everything was looked at" in review.text
    review.press("*")
    assert "nothing to mark" in review.said


def test_a_mark_is_taken_off_again(review: Driver) -> None:
    review.press("*", *signs("F1"), "8", "*")
    assert "11 of 11" in review.text


def test_the_queue_is_of_the_hands_that_the_filter_lets_through(review: Driver) -> None:
    review.press("/", "5", "enter")
    assert kinds(review) == ["TAKEN BACK"]


def test_a_note_goes_to_the_hand_or_to_the_moment_between_hands(review: Driver) -> None:
    review.press("+", "1", *signs("F1"), "2", "2", "+", "8")
    assert "device: tell service" in review.words("#about")
    review.press("7")
    assert "pull the tape" in review.words("#about")
    review.press(".", "2")
    assert "note: pull the tape" in review.words("#about")


def test_a_second_look_adds_what_is_new_and_nothing_twice(swing: Path) -> None:
    projection = Projection()
    [path] = swing.glob("*.journal")
    for _ in range(2):
        projection._connection.execute("UPDATE source SET state = ''")
        projection.refresh([path])
    assert projection.count_incidents(parse_filter("")) == len(EXPECTED)
    projection.close()


def test_other_cards_than_were_dealt_are_found_and_not_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A session that lets them pass: the log itself must tell."""
    monkeypatch.setattr(SealedVault, "lacks", lambda *_: False)
    office = X25519PrivateKey.generate().public_key()
    night = Night(tmp_path, "ca_big_o", office=office).seat(4)
    night.say("hand")
    deck = [card.text for card in DECK]
    dealt: dict[int, list[str]] = {}
    while night.session.step.what == "deal":
        seat = night.session.step.seat
        assert seat is not None
        dealt.setdefault(seat, []).append(deck[-1])
        night.say(f"card {deck.pop()}")
    tabled = deck[:5]
    while (step := night.session.step).what != "show":
        if step.what == "act":
            words = {choice.word for choice in step.choices}
            night.say("call" if "call" in words else "check")
        else:
            night.say(f"card {deck.pop()}")
    seat = night.session.step.seat
    assert seat is not None
    night.say(f"show {seat} {' '.join(tabled)}")
    while night.session.step.what == "show":
        night.say(f"muck {night.session.step.seat}")
    night.say("push")
    path = night.close()
    assert not verify([path]).sound
    projection = Projection()
    projection.refresh([path])
    [found] = projection.incidents(parse_filter("flag:not_dealt"), 0, 9, by_time=False)
    assert (found["kind"], found["number"]) == ("not_dealt", 1)
    assert found["says"] == f"seat {seat} tabled its hand, but its sealed cards were not opened"
    dump = "\n".join(projection._connection.iterdump())
    for cards in dealt.values():
        for card in cards:
            assert f"{card} " not in dump
    projection.close()


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        (DeviceNoted("shoe", "link_changed", "down: the cable is out"), "device"),
        (DeviceNoted("shoe", "link_changed", "live: ready"), ""),
        (DeviceNoted("shoe", "link_changed", "opening: "), ""),
        (DeviceNoted("shoe", "link_changed", "wrong: another serial number"), "device"),
        (DeviceNoted("shuffler", "fault_cleared", "E21"), ""),
        (DeviceNoted("shuffler", "door_changed", "open"), "device"),
        (DeviceNoted("shuffler", "door_changed", "closed"), ""),
        (DeckReported("bad", 51, "red"), "device"),
        (DeckReported("ok", 52, "red"), ""),
        (DeviceTakenOut("shoe"), "device"),
    ],
)
def test_a_device_is_worth_a_look_when_it_fails_and_not_when_it_works(
    event: DeviceNoted | DeckReported | DeviceTakenOut, kind: str
) -> None:
    assert kind_of(event) == kind


def test_a_journal_that_cannot_be_read_is_a_line_of_its_own(swing: Path, tmp_path: Path) -> None:
    broken = tmp_path / "t8-2025-11-16.journal"
    broken.write_bytes(b"no journal at all")
    with Driver(desk_of([*swing.glob("*.journal"), broken], tmp_path)) as review:
        review.press("-")
        first = review.lines[0]
        assert (first[4], first[5]) == ("t8", "NOT READ")
        assert str(Tampered("The journal file is damaged.").message) in first[6]
        assert "t8-2025-11-16.journal" in review.text.splitlines()[-2]


def test_a_deal_that_the_shoe_began_and_a_hand_ended_is_worth_a_look(tmp_path: Path) -> None:
    office = X25519PrivateKey.generate().public_key()
    night = Night(tmp_path, "ca_big_o", office=office).seat(2)
    night.say("hand", *(f"card {card.text}" for card in DECK[:7]), "deal", "fold", "push")
    night.session.close()
    projection = Projection()
    projection.refresh(sorted(tmp_path.glob("*.journal")))
    [told] = projection.incidents(parse_filter(""), 0, 9, by_time=True)
    assert told["says"].startswith("the shoe was read to card 7")
    assert projection.count(parse_filter("flag:device")) == 1


def test_nothing_is_marked_opened_or_noted_where_nothing_is_unusual(tmp_path: Path) -> None:
    with Driver(desk_of([], tmp_path)) as review:
        review.press("-")
        assert "Nothing unusual." in review.text
        review.press("*", "5", "+")
        review.page(Unusual)


@pytest.mark.parametrize(
    ("lines", "unusual"),
    [(("high 1", "low none"), False), (("show 1 AsAdKsKdQc", "high 1", "low none"), True)],
)
def test_hands_read_by_the_dealer_are_unusual_where_somebody_tabled(
    lines: tuple[str, ...], unusual: bool, tmp_path: Path
) -> None:
    night = Night(tmp_path, "ca_big_o").seat(2)
    night.say("deal", "call", "check", "flop 7h 8h 9h", "check around", "turn Jc", "check around")
    night.say("river 2c", "check around", *lines, "push")
    projection = Projection()
    projection.refresh([night.close()])
    found = projection.incidents(parse_filter(""), 0, 9, by_time=True)
    assert [row["kind"] for row in found] == (["dealer_read"] if unusual else [])
    assert projection.count(parse_filter("flag:dealer_read")) == 1
    projection.close()
