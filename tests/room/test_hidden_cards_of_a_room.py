"""A card that was not turned face up is nowhere in the room, nor in anything read from it."""

from __future__ import annotations

import json
import re
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from omaha_table.review.index.filters import parse_filter
from omaha_table.review.index.projection import Projection
from omaha_table.review.index.replay import frames, steps_of
from tests.review.nights import Night
from tests.review.nights import read as hands_of

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.review.index.hands import Played
    from tests.room.reading import ReadRoom

SUITS = str.maketrans("♣♦♥♠", "cdhs")


def cards_in(text: str) -> set[str]:
    return set(re.findall(r"\b[2-9TJQKA][cdhs]\b", text.translate(SUITS)))


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Night:
    """Hands that a shoe dealt, so that every face-down card is known here and sealed in the log."""
    office = X25519PrivateKey.generate().public_key()
    night = Night(tmp_path_factory.mktemp("shoe"), "ca_big_o", seed=11, office=office)
    night.seat(8).play(4).close()
    return night


def hidden(night: Night, hand: Played) -> tuple[set[str], set[str]]:
    """The cards of a hand that stayed face down, and those that were shown."""
    assert hand.ended is not None
    shown = {card.text for cards in hand.tabled.values() for card in cards}
    shown |= {card.text for card in hand.ended.board}
    return set().union(*night.face_down[hand.number].values()) - shown, shown


def test_a_reader_finds_no_card_that_stayed_face_down(read: ReadRoom, dealt: Night) -> None:
    [path] = dealt.folder.glob("t7-*.journal")
    read.ship(dealt.folder)
    read.witness()
    reader = read.room.connect(read.given.url)
    names = reader.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'room'::regnamespace "
        "AND relkind IN ('r', 'p', 'v') AND has_table_privilege(oid, 'SELECT')"
    ).fetchall()
    assert {("event",), ("refusal",), ("heartbeat",)} <= set(names)
    rows: dict[int, list[str]] = {}
    for (name,) in names:
        for (row,) in reader.execute(
            f'SELECT to_jsonb(r) FROM room."{name}" r'.encode()
        ).fetchall():
            rows.setdefault(row.get("hand") or 0, []).append(json.dumps(row))
    found = 0
    for hand in hands_of(path):
        secret, shown = hidden(dealt, hand)
        text = " ".join(rows[hand.number])
        assert shown <= cards_in(text)
        assert not secret & cards_in(text)
        found += len(secret)
    assert found > 50


def test_nothing_that_is_made_of_a_room_has_one(
    read: ReadRoom, dealt: Night, tmp_path: Path
) -> None:
    [path] = dealt.folder.glob("t7-*.journal")
    read.ship(dealt.folder)
    read.witness()
    assert read.run("room", "fetch", "t7", "--out", tmp_path / "again").exit_code == 0
    hands = list(hands_of(path))
    drawn = {f"{rank}s" for rank in "23456789TJQKA"}  # face up for the button, kept by the table
    checked = read.run("verify").output
    with read.store() as store, closing(Projection()) as index:
        index.refresh(store.journals())
        for hand in hands[:2]:
            number = str(hand.number)
            secret, shown = hidden(dealt, hand)
            [row] = index.page(parse_filter(f"#{number}"), 0, 9)
            journal = store.journal(row["file"])
            texts = {
                "report": read.run("report", "hand", number, "--format", "html").output,
                "export": read.run("export", "--format", "json", "--hand", number).output,
                "replay": repr(frames(journal, row["seq"])),
                "steps": repr(steps_of(journal, row["seq"], row["last_seq"])),
                "repr": repr((journal, store, tuple(row), checked)),
            }
            for what, text in texts.items():
                known = drawn if what == "replay" else set()
                assert not (secret - known) & cards_in(text), what
            assert shown <= cards_in(texts["report"])
    assert [hand.ended for hand in hands_of(next((tmp_path / "again").glob("*.journal")))] == [
        hand.ended for hand in hands
    ]
