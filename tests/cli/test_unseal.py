"""The surveillance office: its key pair, and which cards it opens.

Who may open them, and what is recorded, is in `test_unsealing.py`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from dataclasses import asdict
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

from omaha_table.cards import DECK, format_cards, parse_cards
from omaha_table.cli.keyfiles import read_office_key
from omaha_table.cli.keys import keys
from omaha_table.cli.unseal import unseal
from omaha_table.hand.events import Tabled
from omaha_table.journal.events import SealedSeat
from omaha_table.journal.reader import Reader, record_of
from omaha_table.session.script import run_line
from tests.evening_text import evening
from tests.evenings import draw_lines
from tests.journal.days import Line, forge, journal_file, open_session
from tests.office.people import make_staff, pins, recorded
from tests.released.views import RELEASED

if TYPE_CHECKING:
    from pathlib import Path

SAFE = "safe"


def make_keys(folder: Path) -> Result:
    return CliRunner().invoke(keys, ["new", str(folder)])


@pytest.fixture
def office(tmp_path: Path) -> Path:
    assert make_keys(tmp_path / SAFE).exit_code == 0
    make_staff(tmp_path / "office")
    return tmp_path


def play(folder: Path, *lines: str) -> None:
    session = open_session(
        folder / "data", office=read_office_key(folder / SAFE / "surveillance.public")
    )
    for line in lines:
        answers = list(run_line(session, 1, line))
        assert "refused" not in [answer["type"] for answer in answers], answers
    session.close()


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return list(evening(2, seed=2, shoe=True))


def opening(folder: Path, hand: int | str, seat: int | None = None) -> Result:
    """On a copy of the journal, as the office gets it."""
    copy = folder / "copy"
    copy.mkdir(exist_ok=True)
    journal = journal_file(folder / "data")
    for path in journal.parent.glob(f"{journal.name}*"):
        shutil.copy(path, copy)
    return open_file(copy / journal.name, folder, hand, seat)


def open_file(journal: Path, folder: Path, hand: int | str, seat: int | None) -> Result:
    return CliRunner().invoke(
        unseal,
        [
            str(journal),
            *("--hand", str(hand), *(() if seat is None else ("--seat", str(seat)))),
            *("--key", str(folder / SAFE / "surveillance.private")),
            *("--office", str(folder / "office"), "--signed", "F1", "--signed", "S1"),
            *("--case", "26-117", "--reason", "collusion report"),
        ],
        input=pins("F1", "S1"),
    )


def dealt(lines: list[str], hand: int, seat: int) -> str:
    """Eight seats, button on 8 and then on 1: one card at a time, from the left of the button."""
    start = [at for at, line in enumerate(lines) if line == "hand"][hand - 1]
    cards = [line.split()[1] for line in lines[start:] if line.startswith("card")]
    place = (seat - hand) % 8
    return format_cards(parse_cards(" ".join(cards[place:40:8])))


@pytest.mark.parametrize(("hand", "seat"), [(1, 1), (1, 3), (1, 8), (2, 2), (2, 3), (2, 1)])
def test_one_seat_of_one_hand_is_opened(
    office: Path, lines: list[str], hand: int, seat: int
) -> None:
    play(office, *lines)
    done = opening(office, hand, seat)
    assert (done.exit_code, done.stdout) == (0, dealt(lines, hand, seat) + "\n")


def test_a_whole_hand_or_several_are_opened_seat_by_seat(office: Path, lines: list[str]) -> None:
    play(office, *lines)
    seats = [f"hand 2, seat {seat}: {dealt(lines, 2, seat)}" for seat in range(1, 9)]
    *found, burns = opening(office, 2).stdout.splitlines()
    assert found == seats
    assert burns.startswith("hand 2, burn cards: ")
    both = opening(office, "1-2").stdout.splitlines()
    assert [line for line in both if line.startswith("hand 2")] == [*seats, burns]
    assert [line.split(":")[0] for line in both[:8]] == [f"hand 1, seat {n}" for n in range(1, 9)]
    one = opening(office, "1-2", 3).stdout.splitlines()
    assert one == [f"hand {hand}, seat 3: {dealt(lines, hand, 3)}" for hand in (1, 2)]


@pytest.mark.parametrize("hand", ["0", "2-1", "1-", "-1", "x", "1-2-3", ""])
def test_what_is_no_hand_is_refused(office: Path, lines: list[str], hand: str) -> None:
    play(office, *lines)
    done = opening(office, hand, 3)
    assert done.exit_code == 2
    assert "a range of them, as 110-118" in done.output


@pytest.mark.parametrize(("hand", "seat"), [(1, 9), (3, 3)])
def test_what_was_not_sealed_cannot_be_opened(
    office: Path, lines: list[str], hand: int, seat: int
) -> None:
    play(office, *lines)
    done = opening(office, hand, seat)
    assert done.exit_code == 2
    assert f"no sealed cards for seat {seat} in hand {hand}" in done.output
    assert recorded(office / "office") == []


def test_cards_that_were_dealt_again_are_those_that_are_opened(office: Path) -> None:
    """Two seats, ten cards, the last taken back by the floor and another dealt for it."""
    deck = [card.text for card in DECK[:11]]
    play(
        office,
        *("seat 1 A 200", "seat 2 B 200", *draw_lines(1, (1, 2)), "hand"),
        *(f"card {card}" for card in deck[:10]),
        'floor 4711 backup 1 "it flashed"',
        f"card {deck[10]}",
    )
    # The button has the second card of each round, and so the last.
    held = [*deck[1:9:2], deck[10]]
    done = opening(office, 1, 1)
    assert (done.exit_code, done.stdout) == (0, format_cards(parse_cards(" ".join(held))) + "\n")


DECKED = [card.text for card in DECK]
TWO_SEATS = ("seat 1 A 200", "seat 2 B 200", *draw_lines(1, (1, 2)), "hand")
HOLE = [f"card {card}" for card in DECKED[:10]]
"""The button, on seat 1, has the second card of each round."""


def test_cards_that_were_taken_back_are_not_the_seats_any_more(office: Path) -> None:
    """Between the backup and the new deal, and if the hand ends there."""
    play(office, *TWO_SEATS, *HOLE, 'floor 4711 backup 4 "it flashed"')
    assert opening(office, 1, 1).stdout.split() == DECKED[1:6:2]
    play(office, f"card {DECKED[20]}", 'floor 4711 misdeal "another flashed"')
    assert opening(office, 1, 2).stdout.split() == [*DECKED[0:6:2], DECKED[20]]
    assert opening(office, 1, 1).stdout.split() == DECKED[1:6:2]


def test_a_whole_new_deal_of_the_same_hand_is_what_is_opened(office: Path) -> None:
    again = [f"card {card}" for card in DECKED[20:30]]
    play(office, *TWO_SEATS, *HOLE, 'floor 4711 backup 10 "the wrong deck"', *again)
    assert opening(office, 1, 2).stdout.split() == DECKED[20:30:2]
    assert opening(office, 1, 1).stdout.split() == DECKED[21:30:2]
    play(office, "fold", "push")
    assert opening(office, 1, 2).stdout.split() == DECKED[20:30:2]


def test_a_replaced_card_is_opened_with_a_warning(office: Path) -> None:
    """Which of the cards was exposed is not on record, and the new one was not read."""
    play(office, *TWO_SEATS, *HOLE, 'floor 4711 exposed 2 "it flipped over"', "fold", "push")
    done = opening(office, 1, 2)
    assert done.stdout.split() == DECKED[0:10:2]
    assert "One of the first 5 was replaced by a card that was not read." in done.stderr
    assert opening(office, 1, 1).stderr == ""


def test_a_missing_card_is_not_said_to_replace_another(office: Path) -> None:
    play(office, *TWO_SEATS, *HOLE, 'floor 4711 missing "four cards"', "fold", "push")
    done = opening(office, 1, 1)
    assert done.stdout.split() == DECKED[1:10:2]
    assert "One more card came from the stub for a missing one" in done.stderr
    assert "replaced" not in done.stderr


def test_a_remedy_that_was_taken_back_is_not_told(office: Path) -> None:
    back = 'floor 4711 backup 10 "it was the other seat"'
    play(office, *TWO_SEATS, *HOLE, 'floor 4711 exposed 2 "it flipped over"', back)
    assert opening(office, 1, 2).stderr == ""


def test_an_unread_card_has_a_place_and_no_name(office: Path) -> None:
    play(office, *TWO_SEATS, *HOLE[:4], "card ??", *HOLE[5:])
    assert opening(office, 1, 2).stdout.split() == [DECKED[0], DECKED[2], "??", *DECKED[6:10:2]]


def test_the_burn_cards_are_for_the_office_too(office: Path) -> None:
    board = [f"card {card}" for card in DECKED[20:26]]
    play(office, *TWO_SEATS, *HOLE, "call", "check", *board[:4], "check around", *board[4:])
    assert opening(office, 1, 0).stdout.split() == [DECKED[20], DECKED[24]]


SEALED_BY_0_1_0 = RELEASED / "0.1.0" / "sealed"


@pytest.mark.parametrize("day", ["2026-11-18", "2026-11-18b"])
def test_hands_that_0_1_0_sealed_are_opened(tmp_path: Path, day: str) -> None:
    """Where they were tabled, the cards that were tabled come out."""
    journal = SEALED_BY_0_1_0 / "data" / f"shoe-{day}.journal"
    for path in journal.parent.glob(f"{journal.stem}.*"):
        shutil.copy(path, tmp_path)
    shutil.copytree(SEALED_BY_0_1_0 / "office", tmp_path / SAFE)
    make_staff(tmp_path / "office")
    with Reader(journal) as reader:
        events = [(row.hand, record_of(row).event) for row in reader.since()]
    tabled = [(hand, event) for hand, event in events if isinstance(event, Tabled)]
    assert len(tabled) > 1
    for hand, event in tabled:
        done = open_file(tmp_path / journal.name, tmp_path, hand or 0, event.seat)
        assert done.exit_code == 0, done.output
        assert set(done.stdout.split()) == {card.text for card in event.cards}


def seal_as_0_1_0(folder: Path, seat: int, cards: tuple[str, ...]) -> SealedSeat:
    """As its code did: all cards of a seat under one key, once the deal is complete."""
    day = journal_file(folder / "data").stem.removeprefix("t7-")
    about, key = "\0".join(("t7", day, "1", str(seat))).encode(), bytes(range(32))
    plain = bytes(card.index for card in parse_cards(" ".join(cards)))
    suite = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)
    public = read_office_key(folder / SAFE / "surveillance.public")
    return SealedSeat(
        seat,
        ChaCha20Poly1305(key).encrypt(bytes(12), plain, about).hex(),
        suite.encrypt(key, public, info=about).hex(),
        hashlib.sha256(key + about + plain).hexdigest(),
    )


def test_what_was_taken_back_after_0_1_0_sealed_it_is_not_opened(office: Path) -> None:
    """Two cards are dealt again, and the hand ends before the seal that would follow."""
    play(office, *TWO_SEATS, *HOLE, 'floor 4711 backup 4 "it flashed"', *HOLE[6:8])
    whole = seal_as_0_1_0(office, 1, tuple(DECKED[1:10:2]))

    def as_then(lines: list[Line]) -> None:
        sealed = [line for line in lines if line.kind == "card_sealed"]
        for line in sealed:
            line.kind, line.body = "clock_stepped", {"seconds": 2.0, "v": 1}
        sealed[9].kind, sealed[9].body = "hole_cards_sealed", {"v": 1, "seats": [asdict(whole)]}

    forge(journal_file(office / "data"), as_then)
    assert opening(office, 1, 1).stdout.split() == [*DECKED[1:6:2], "??"]


# The key pair


@pytest.mark.parametrize("umask", [0o000, 0o077])
def test_the_private_half_is_for_its_owner_and_the_public_half_for_all(
    tmp_path: Path, umask: int
) -> None:
    before = os.umask(umask)
    try:
        assert make_keys(tmp_path).exit_code == 0
    finally:
        os.umask(before)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert modes == {"surveillance.private": 0o600, "surveillance.public": 0o644}


@pytest.mark.parametrize("left", ["surveillance.private", "surveillance.public"])
def test_a_key_is_never_overwritten(tmp_path: Path, left: str) -> None:
    (tmp_path / left).write_text("a key")
    done = make_keys(tmp_path)
    assert done.exit_code == 2
    assert "already has a key pair" in done.output
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == {
        left: "a key"
    }


@pytest.mark.parametrize("content", ["public", "short", "bare", "empty"])
def test_what_is_no_private_key_is_named(office: Path, lines: list[str], content: str) -> None:
    play(office, *lines[:12])
    private = office / SAFE / "surveillance.private"
    whole = private.read_text(encoding="utf-8")
    public = (office / SAFE / "surveillance.public").read_text(encoding="utf-8")
    bare = whole.splitlines()[1]
    contents = {"public": public, "short": whole[:-3], "bare": bare, "empty": ""}
    private.write_text(contents[content])
    done = opening(office, 1, 3)
    assert done.exit_code == 2
    assert "is not a surveillance private key" in done.output
