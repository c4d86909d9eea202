"""A whole hand from antennas at the seats, and a console that is killed in its deal."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from omaha_drivers.emulate import Faults
from omaha_drivers.emulate.host import PtyHost
from omaha_drivers.tdp_codec import CARDS

from omaha_table.journal.keyring import Keyring
from tests.drivers.killed_console import (
    RFID,
    SEATS,
    ConsoleToKill,
    dealt,
    loop_at,
    start,
    take_until,
)
from tests.drivers.plug_ins.rfid_table import RfidModel
from tests.journal.days import check, open_session, say

if TYPE_CHECKING:
    from pathlib import Path

ANTENNAS = {1: "S1", 2: "S2", 3: "S3", 9: "S9"}


@pytest.mark.parametrize("kill_after", [0, 9], ids=["not killed", "killed in the deal"])
def test_a_hand_is_dealt_by_antennas_to_the_showdown(kill_after: int, tmp_path: Path) -> None:
    if kill_after and not Keyring().put("omaha-table:test", b"x"):
        pytest.skip("this kernel offers no keyring")
    office, port = X25519PrivateKey.generate().public_key(), tmp_path / "table"
    deck = random.Random(5).sample(CARDS, 52)
    held = {seat: deck[5 * at : 5 * at + 5] for at, seat in enumerate(SEATS)}
    deal = [(card, ANTENNAS[seat]) for seat in SEATS for card in held[seat]]
    random.Random(6).shuffle(deal)
    model = RfidModel()
    device = PtyHost(port, model, 57600, Faults(["lose", "split"], seed=3, rate=0.2))
    device.start()
    folder = tmp_path / "data"
    try:
        device.do(lambda: lay(model, deal[:kill_after]))
        if kill_after:
            with ConsoleToKill(office, folder, port, RFID, kill_after):
                pass
            session = open_session(folder, office=office)
            assert dealt(session) == kill_after
        else:
            session = start(office, folder)
        with loop_at(session, port, RFID) as loop:
            device.do(lambda: lay(model, deal[kill_after:]))
            take_until(loop, session, 20)
            hand = session.state.hand
            assert hand is not None
            assert (hand.cards_dealt, hand.trouble) == (20, None)
            say(session, "call", "call", "call", "check")
            for cards in (deck[20:24], deck[24:26], deck[26:28]):
                device.do(lambda c=cards: lay(model, [(c[0], "M")]))  # type: ignore[misc]
                take_until(loop, session, dealt(session) + 1)
                device.do(lambda c=cards: lay(model, [(one, "B") for one in c[1:]]))  # type: ignore[misc]
                take_until(loop, session, dealt(session) + len(cards) - 1)
                say(session, "check around")
    finally:
        device.stop()
    hand = session.state.hand
    assert hand is not None
    assert hand.trouble is None
    assert sorted(card.text for card in hand.board) == sorted([*deck[21:24], deck[25], deck[27]])
    say(session, *(f"show {seat}" for seat in SEATS))
    hand = session.state.hand
    assert hand is not None
    assert {seat: {card.text for card in cards} for seat, cards in hand.tabled.items()} == {
        seat: set(cards) for seat, cards in held.items()
    }
    say(session, "push")
    session.close()
    verdict = check(folder)
    assert (verdict.damage, verdict.opened_seats) == ([], 4)


def lay(model: RfidModel, cards: list[tuple[str, str]]) -> None:
    for card, antenna in cards:
        model.lay(card, antenna)
