"""The hash of a row, calculated here a second time, what it ties, and the words of a head."""

from __future__ import annotations

import hashlib
import sqlite3
import struct
from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.journal.chain import START, Row, canonical, follows, head_words, link, well_typed
from tests.journal.days import journal_file

if TYPE_CHECKING:
    from pathlib import Path


def independent(previous: bytes, row: tuple[int, int | None, int, int, str, str, str]) -> bytes:
    """As the format says: a tag, the hash before, four numbers, three texts with their lengths."""
    seq, hand, at_us, mono_us, *texts = row
    digest = hashlib.sha256(b"omaha-table journal 1\0" + previous)
    for number in (seq, -1 if hand is None else hand, at_us, mono_us):
        digest.update(struct.pack(">q", number))
    for text in texts:
        assert isinstance(text, str)
        digest.update(struct.pack(">q", len(text.encode())) + text.encode())
    return digest.digest()


def test_every_row_is_tied_to_all_of_itself_and_to_the_row_before(closed: Path) -> None:
    with sqlite3.connect(journal_file(closed)) as db:
        rows = db.execute(
            "SELECT hash, seq, hand, at_us, mono_us, kind, actor, body FROM event ORDER BY seq"
        ).fetchall()
    db.close()
    head = bytes(32)
    for stored, *row in rows:
        head = independent(head, tuple(row))
        assert stored == head
    assert len(rows) > 100


ROW = (7, 3, 1_800_000_000_000_000, 50_000_000, "acted", "F1", '{"seat":4}')


@pytest.mark.parametrize("row", [ROW, (7, None, *ROW[2:]), (*ROW[:5], "é", "")])
def test_the_hash_is_the_one_of_the_format(
    row: tuple[int, int | None, int, int, str, str, str],
) -> None:
    assert link(bytes(range(32)), *row) == independent(bytes(range(32)), row)


@pytest.mark.parametrize(
    ("head", "words"),
    [
        # Two bytes a word: 4 bits for a consonant of bdfghjklmnprstvz, 2 for a vowel of aiou, in
        # turn. 0x1234 is 0001 00 1000 11 0100: d, a, m, u, h.
        ("0000" * 4 + "ff" * 24, "babab-babab-babab-babab"),
        ("ffff" * 4 + "00" * 24, "zuzuz-zuzuz-zuzuz-zuzuz"),
        ("1234" * 4 + "00" * 24, "damuh-damuh-damuh-damuh"),
        ("0001000200040008" + "00" * 24, "babad-babaf-babah-babam"),
        # The words that arXiv:0901.4016 has for 127.0.0.1 and 63.84.220.193.
        ("7f0000013f54dcc1" + "00" * 24, "lusab-babad-gutih-tugad"),
    ],
)
def test_the_words_of_a_head_are_those_that_were_printed_on_earlier_slips(
    head: str, words: str
) -> None:
    assert head_words(bytes.fromhex(head)) == words


FIELDS: dict[str, Any] = {
    "seq": 7,
    "hand": 3,
    "at_us": 1_800_000_000_000_000,
    "mono_us": 12,
    "kind": "noted",
    "actor": "dealer",
    "body": '{"a":1}',
}


def linked(previous: bytes = START, **changed: Any) -> Row:
    fields = FIELDS | changed
    return Row(**fields, hash=link(previous, **fields))


def damaged(row: Row, field: str, value: Any) -> Row:
    changed: dict[str, Any] = {field: value}
    return row._replace(**changed)


def test_a_letter_that_moves_from_one_text_to_the_next_is_another_row() -> None:
    assert linked(kind="ab", actor="c").hash != linked(kind="a", actor="bc").hash


@pytest.mark.parametrize(
    ("field", "value"),
    [("seq", "7"), ("at_us", 2**63), ("mono_us", None), ("kind", 5), ("body", b"{}"), ("hand", 4)],
)
def test_a_row_with_another_value_or_type_does_not_follow(field: str, value: object) -> None:
    row = linked()
    assert follows(row, START)
    assert not follows(row, bytes(31) + b"\1")
    assert not follows(damaged(row, field, value), START)


def test_a_row_has_texts_and_the_bytes_of_its_hash() -> None:
    row = linked()
    assert well_typed(row)
    for field in ("kind", "actor", "body"):
        assert not well_typed(damaged(row, field, b"bytes"))
    assert not well_typed(damaged(row, "hash", row.hash.hex()))


def test_a_body_is_written_in_one_way_only() -> None:
    assert canonical({"b": [1, 2], "a": "é"}) == '{"a":"\\u00e9","b":[1,2]}'
