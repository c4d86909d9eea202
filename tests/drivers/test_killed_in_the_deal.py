"""A console that is killed in the deal, and a shoe that goes on dealing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from omaha_drivers.emulate import EmulatedShoe, Faults

from omaha_table.cards import DECK
from omaha_table.journal.keyring import Keyring
from omaha_table.journal.sealed import SealedCard
from tests.drivers.killed_console import (
    SEATS,
    ConsoleToKill,
    dealt,
    loop_at,
    take_until,
)
from tests.journal.days import check, open_session, say
from tests.session.inside import has_seen

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("meanwhile", [0, 3], ids=["nothing", "three cards"])
def test_no_card_comes_twice_and_none_is_lost(meanwhile: int, tmp_path: Path) -> None:
    """Seven cards are dealt and the console is killed; `meanwhile` more leave the shoe."""
    if not Keyring().put("omaha-table:test", b"x"):
        pytest.skip("this kernel offers no keyring")
    office, port, folder = X25519PrivateKey.generate(), tmp_path / "shoe", tmp_path / "data"
    shoe = EmulatedShoe(port, faults=Faults(["repeat", "garbage"], seed=2, rate=0.2))
    shoe.start()
    cards = [card.text for card in DECK]
    try:
        with ConsoleToKill(office.public_key(), folder, port, "tdp", 7):
            shoe.load(cards)
            for _ in range(7):
                shoe.draw()
        for _ in range(meanwhile):
            shoe.draw()
        session = open_session(folder, office=office.public_key())
        assert dealt(session) == 7
        assert [has_seen(session, SealedCard(card)) for card in DECK[:9]] == [True] * 7 + [
            False
        ] * 2
        with loop_at(session, port, "tdp") as loop:
            take_until(loop, session, 7 + meanwhile)
            for _ in range(13 - meanwhile):
                shoe.draw()
            take_until(loop, session, 20)
            hand = session.state.hand
            assert hand is not None
            assert hand.trouble is None
            say(session, "call", "call", "call", "check")
            for count in (4, 2, 2):
                for _ in range(count):
                    shoe.draw()
                take_until(loop, session, dealt(session) + count)
                say(session, "check around")
    finally:
        shoe.stop()
    assert session.state.hand is not None
    board = [card.text for card in session.state.hand.board]
    assert board == [*cards[21:24], cards[25], cards[27]]
    say(session, *(f"show {seat}" for seat in SEATS))
    for at, seat in enumerate(SEATS):
        tabled = session.state.hand.tabled[seat]
        assert [card.text for card in tabled] == cards[at:20:4]
    say(session, "push")
    session.close()
    verdict = check(folder)
    assert (verdict.damage, verdict.opened_seats) == ([], 4)
