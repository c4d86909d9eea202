"""What a damaged row may hold, and the words of a head."""

from __future__ import annotations

from typing import Any

import pytest

from omaha_table.journal.chain import START, Row, canonical, follows, head_words, link, well_typed

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


def test_a_head_is_read_aloud_as_the_proquints_of_its_first_eight_bytes() -> None:
    """The words are those that arXiv:0901.4016 has for 127.0.0.1 and 63.84.220.193."""
    head = bytes([127, 0, 0, 1, 63, 84, 220, 193]) + bytes(24)
    assert head_words(head) == "lusab-babad-gutih-tugad"
