"""The queue of what was unusual: every kind, in hands and between them, marked as it is seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from omaha_table.cards import DECK
from omaha_table.dealer.table_view import TableView
from omaha_table.journal.faults import Tampered
from omaha_table.journal.verification import verify
from omaha_table.review.anomalies import Anomalies
from omaha_table.review.counts import Counts
from omaha_table.review.filters import parse_filter
from omaha_table.review.front import ReviewFront
from omaha_table.review.incidents import KINDS, kind_of
from omaha_table.review.notes import Notes
from omaha_table.review.projection import Projection
from omaha_table.review.views import SheetView
from omaha_table.session.vault import SealedVault
from omaha_table.table.events import DeckReported, DeviceNoted, DeviceTakenOut
from tests.review.nights import Night
from tests.review.swing import (
    DEVICE_IN,
    MISDEALT,
    READ,
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
    ("dealer_read", READ, "won by 1 2"),
]
"""What the swing shift was made with, kind by kind, the latest of a kind first."""


@pytest.fixture
def front(swing: Path, tmp_path: Path) -> Iterator[ReviewFront]:
    projection = Projection()
    projection.refresh(swing.glob("*.journal"))
    made = ReviewFront(projection, Notes(tmp_path / "notes"), Counts(tmp_path / "counts"))
    made.press("-")
    assert isinstance(made.room, Anomalies)
    yield made
    projection.close()


def sheet(front: ReviewFront, rows: int = 40) -> SheetView:
    view = front.view(rows)
    assert isinstance(view, SheetView)
    return view


def test_everything_unusual_is_one_line_by_kind(front: ReviewFront) -> None:
    found = front.projection.incidents(front.filter, 0, 100, by_time=False)
    assert [(row["kind"], row["number"]) for row in found] == [
        (kind, number) for kind, number, _ in EXPECTED
    ]
    for row, (_, _, says) in zip(found, EXPECTED, strict=True):
        assert says in row["says"]
    assert [line.cells[4] for line in sheet(front).lines] == [KINDS[kind] for kind, *_ in EXPECTED]


def test_only_the_lines_that_are_seen_are_asked_for(front: ReviewFront) -> None:
    assert len(sheet(front, 9).lines) == 3
    front.press("1")
    view = sheet(front, 9)
    assert view.lines[-1].cells[4] == "DEALER READ"


def test_by_time_the_latest_comes_first(front: ReviewFront) -> None:
    front.press("/")
    times = [line.cells[1] for line in sheet(front).lines]
    assert times == sorted(times, reverse=True)


def test_a_line_opens_the_hand_at_the_very_step(front: ReviewFront) -> None:
    for at, (kind, number, says) in enumerate(EXPECTED):
        front.press("7")
        for _ in range(at):
            front.press("2")
        row = front.projection.incidents(front.filter, at, 1, by_time=False)[0]
        front.press("5")
        if number is None:
            assert "not in a hand" in front.said
            continue
        view = front.view(20)
        assert isinstance(view, TableView)
        assert view.hand == f"HAND #{number}"
        assert f"event {row['seq']} " in view.prompt.detail
        if kind == "refusal":
            assert view.prompt.page is not None
            assert says in " ".join(view.prompt.page.lines)
        front.press(".")


def test_from_incident_to_incident_without_going_back(front: ReviewFront) -> None:
    front.press("5")
    for number in (MISDEALT, DEVICE_IN, UNDONE_IN, REFUSED_IN, REFUSED_IN, RESTART_IN, SLOW, READ):
        front.press("2")
        view = front.view(20)
        assert isinstance(view, TableView)
        assert view.hand == f"HAND #{number}"
    front.press("2")
    assert "No more hands" in front.said


def test_what_was_seen_is_kept_and_can_be_left_out(front: ReviewFront, tmp_path: Path) -> None:
    front.press("*")
    front.press("*")
    view = sheet(front)
    assert view.chosen == 2
    assert [line.dim for line in view.lines][:3] == [True, True, False]
    assert "10 of 12" in view.bar.about
    front.press("0")
    assert len(sheet(front).lines) == 10
    assert len(Notes(tmp_path / "notes").tagged("seen")) == 2
    for _ in range(10):
        front.press("*")
    assert "Everything was looked at" in sheet(front).empty
    front.press("*")
    assert "nothing to mark" in front.said


def test_a_mark_is_taken_off_again(front: ReviewFront) -> None:
    front.press("*")
    front.press("8")
    front.press("*")
    assert "12 of 12" in sheet(front).bar.about


def test_the_queue_is_of_the_hands_that_the_filter_lets_through(front: ReviewFront) -> None:
    front.press(".")
    front.press("/")
    for key in ("5", ".", "-"):
        front.press(key)
    assert [line.cells[4] for line in sheet(front).lines] == ["TAKEN BACK"]


def test_a_note_goes_to_the_hand_or_to_the_moment_between_hands(front: ReviewFront) -> None:
    for key in ("+", "1", "2", "2", "+", "8"):
        front.press(key)
    assert any("device: tell service" in line for line in sheet(front).foot)
    front.press("7")
    assert any("pull the tape" in line for line in sheet(front).foot)
    front.press(".")
    front.press("2")
    assert "note: pull the tape" in str(front.view(20))


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
    projection = Projection()
    projection.refresh([*swing.glob("*.journal"), broken])
    front = ReviewFront(projection, Notes(tmp_path / "notes"), Counts(tmp_path / "counts"))
    front.press("-")
    first = sheet(front).lines[0]
    assert (first.cells[3], first.cells[4]) == ("t8", "NOT READ")
    assert str(Tampered("The journal file is damaged.").message) in first.cells[5]
    assert "t8-2025-11-16.journal" in front.warning
    projection.close()


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


def test_without_what_was_seen_the_last_line_is_the_last_that_is_left(front: ReviewFront) -> None:
    front.press("*")
    front.press("*")
    front.press("0")
    for _ in range(15):
        front.press("2")
    assert sheet(front).chosen == 9
    front.press("*")
    assert front.said == ""
    assert len(sheet(front).lines) == 9
