"""A kill at any card of the deal: nobody reads a card, nobody loses one, and the hand goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cards import DECK
from omaha_table.cli.keyfiles import make_pair, read_office_key
from omaha_table.cli.unseal import unseal
from omaha_table.journal.keyring import Keyring
from omaha_table.journal.sealed import SealedCard
from tests.evenings import draw_lines
from tests.journal.days import check, journal_file, open_session, say
from tests.journal.killed_dealer import deal_and_be_killed
from tests.office.people import make_staff, pins
from tests.session.inside import has_seen

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.session import Session

SEATS = range(1, 9)
START = (*(f"seat {seat} P{seat}" for seat in SEATS), *draw_lines(8, SEATS), "hand")
CARDS = [card.text for card in DECK[::-1]]
"""With the button on seat 8 the first card of each round goes to seat 1."""
DEALT = {seat: CARDS[seat - 1 : 40 : 8] for seat in SEATS}


@pytest.fixture
def office(tmp_path: Path) -> Path:
    make_pair(tmp_path / "safe")
    return tmp_path / "safe"


@pytest.fixture
def _keyring() -> None:
    if not Keyring().put("omaha-table:test", b"x"):
        pytest.skip("this kernel offers no keyring")


def killed_after(cards: int, folder: Path, office: Path) -> Session:
    """The table, opened again after a kill."""
    key = read_office_key(office / "surveillance.public")
    lines = [*START, *(f"card {card}" for card in CARDS[:cards])]
    deal_and_be_killed(key, folder, lines)
    return open_session(folder, office=key)


def opened_by_office(folder: Path, office: Path, seat: int) -> list[str]:
    options = {"--hand": "1", "--seat": str(seat), "--case": "26-117", "--reason": "a test"}
    options["--key"] = str(office / "surveillance.private")
    options["--office"] = str(make_staff(office.parent / "office"))
    given = [part for option in options.items() for part in option]
    signed = ["--signed", "F1", "--signed", "S1", "--force"]
    journal = str(journal_file(folder))
    done = CliRunner().invoke(unseal, [journal, *given, *signed], input=pins("F1", "S1"))
    assert done.exit_code == 0, done.output
    return done.stdout.split()


BETTING = (*["call"] * 7, "check")


def play_to_the_showdown(session: Session) -> None:
    board = [f"card {card}" for card in CARDS[40:48]]
    say(session, *board[:4], "check around", *board[4:6])
    say(session, "check around", *board[6:8], "check around")


def check_kill_after(cards: int, folder: Path, office: Path) -> None:
    session = killed_after(cards, folder, office)
    assert "IdentitiesLost" not in [type(record.event).__name__ for record in session.opening]
    for seat in SEATS:
        if so_far := CARDS[seat - 1 : cards : 8]:
            assert opened_by_office(folder, office, seat) == so_far
    for at, card in enumerate(DECK[::-1]):
        assert has_seen(session, SealedCard(card)) is (at < cards)
    if cards == 40:
        say(session, *BETTING)  # no slot is open before the burn
    answers = say(session, f"card {CARDS[cards - 1]}")
    assert [answer.get("kind") for answer in answers] == ["duplicate_card"]
    say(session, 'floor 4711 playon "put aside"')
    if cards < 40:
        say(session, *(f"card {card}" for card in CARDS[cards:40]), *BETTING)
    play_to_the_showdown(session)
    say(session, *(f"show {seat}" for seat in SEATS), "push")
    session.close()
    verdict = check(folder)
    assert (verdict.damage, verdict.opened_seats) == ([], 8)
    for seat in SEATS:
        assert opened_by_office(folder, office, seat) == DEALT[seat]


@pytest.mark.usefixtures("_keyring")
@pytest.mark.parametrize("cards", [1, 13, 40])
def test_a_kill_in_the_deal_loses_nothing(tmp_path: Path, office: Path, cards: int) -> None:
    check_kill_after(cards, tmp_path / "data", office)


@pytest.mark.campaign
@pytest.mark.usefixtures("_keyring")
@pytest.mark.parametrize("cards", range(1, 41))
def test_a_kill_at_any_card_of_the_deal_loses_nothing(
    tmp_path: Path, office: Path, cards: int
) -> None:
    check_kill_after(cards, tmp_path / "data", office)


@pytest.mark.parametrize("cards", [1, 13, 40])
def test_without_a_keyring_the_office_still_opens_what_was_dealt(
    tmp_path: Path, office: Path, cards: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the kill and after it: the cards of one hand are then sealed under two keys."""
    monkeypatch.setattr(Keyring, "get", lambda *_: None)
    session = killed_after(cards, tmp_path / "data", office)
    assert "IdentitiesLost" in [type(record.event).__name__ for record in session.opening]
    for seat in SEATS:
        if so_far := CARDS[seat - 1 : cards : 8]:
            assert opened_by_office(tmp_path / "data", office, seat) == so_far
    say(session, *(f"card {card}" for card in CARDS[cards:40]), *BETTING)
    play_to_the_showdown(session)
    for seat in SEATS:
        assert session.can_read(seat) is (seat > cards)
        say(session, f"show {seat} {' '.join(DEALT[seat])}")
    say(session, "push")
    session.close()
    assert check(tmp_path / "data").damage == []
    for seat in SEATS:
        assert opened_by_office(tmp_path / "data", office, seat) == DEALT[seat]
    assert opened_by_office(tmp_path / "data", office, 0) == [CARDS[40], CARDS[44], CARDS[46]]
