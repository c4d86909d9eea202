from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omaha_table.money import MoneyError, format_dollars, parse_dollars


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("4", 400),
        ("4.00", 400),
        ("4.5", 450),
        ("$82.50", 8250),
        ("$1,240", 124000),
        ("1,240,000.01", 124000001),
        ("0", 0),
        (" 3 ", 300),
    ],
)
def test_dollars_are_read_exactly(text: str, cents: int) -> None:
    assert parse_dollars(text) == cents


@pytest.mark.parametrize(
    "text", ["", "-4", "4.005", "4.", ".5", "1,24", "1,2400", "10%", "4 5", "4e2", "٤", "9" * 99]
)
def test_what_is_no_exact_amount_is_refused(text: str) -> None:
    with pytest.raises(MoneyError, match="is not an amount"):
        parse_dollars(text)


@pytest.mark.parametrize(
    ("cents", "text"),
    [(124000, "$1,240"), (8250, "$82.50"), (5, "$0.05"), (0, "$0"), (-500, "-$5")],
)
def test_cents_are_shown_only_where_there_are_any(cents: int, text: str) -> None:
    assert format_dollars(cents) == text


@given(st.integers(0, 10**12))
def test_what_is_printed_can_be_read_back(cents: int) -> None:
    assert parse_dollars(format_dollars(cents)) == cents
