"""Who has only docs/journal.md can open what the office may open, and check what was tabled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.rules import load_profile
from tests.evening_text import evening
from tests.journal.days import journal_file, say
from tests.journal.sealing import DEALT, DECKED, HELD, OFFICE, START, sealing_session
from tests.journal.third_party_opener import events, with_private_key, with_published_keys

if TYPE_CHECKING:
    from pathlib import Path

PRIVATE = OFFICE.private_bytes_raw()
SLOTS = 10
"""Hole cards of two seats."""


def test_the_offices_key_opens_every_face_down_card_as_it_was_dealt(tmp_path: Path) -> None:
    """Three hands of eight, the cards as the script gave them: hole cards and burns."""
    lines = list(evening(3, seed=11, shoe=True))
    session = sealing_session(tmp_path)
    say(session, *lines)
    session.close()
    opened = with_private_key(journal_file(tmp_path), PRIVATE)
    hand, slot, expected = 0, 0, {}
    hole = 8 * load_profile("ca_big_o").game.hole_cards
    for line in lines:
        word, *rest = line.split()
        if word == "hand":
            hand, slot = hand + 1, 0
        if word == "card":
            if slot < hole or slot - hole in (0, 4, 6):
                expected[hand, slot, 1] = rest[0]
            slot += 1
    assert opened == expected
    assert len(expected) > 120


def test_a_card_that_is_dealt_again_is_sealed_again(tmp_path: Path) -> None:
    session = sealing_session(tmp_path)
    say(session, *START, *DEALT, 'floor 4711 backup 1 "it flashed"', f"card {DECKED[30]}")
    session.close()
    opened = with_private_key(journal_file(tmp_path), PRIVATE)
    dealt = {(1, slot, 1): card for slot, card in enumerate(DECKED[:SLOTS])}
    assert opened == {**dealt, (1, 9, 2): DECKED[30]}


def test_the_published_keys_open_the_tabled_cards_and_no_others(tmp_path: Path) -> None:
    session = sealing_session(tmp_path)
    board = [f"card {card}" for card in DECKED[20:28]]
    say(session, *START, *DEALT, "call", "check", *board[:4], "check around", *board[4:6])
    say(session, "check around", *board[6:8], "check around", "show 2", "muck 1", "push")
    session.close()
    path = journal_file(tmp_path)
    assert with_published_keys(path) == {(1, 2): HELD[2]}
    [keys] = [body["keys"] for kind, _, body in events(path) if kind == "cards_opened"]
    assert [card["slot"] for card in keys] == [0, 2, 4, 6, 8]
