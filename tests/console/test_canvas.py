"""Rows of cells: what is put there stands where it was put, whatever its letters are."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from omaha_table.dealer.screen.canvas import Canvas


@pytest.mark.parametrize("name", ["Ada", "李雷", "Zoë", "é́lan", "李", "a李b"])
def test_a_name_in_any_letters_moves_nothing_beside_it(name: str) -> None:
    canvas = Canvas(20, 1)
    canvas.put(2, 0, name, "seat")
    canvas.put(10, 0, "|", "seat")
    canvas.right(19, 0, name, "seat")
    canvas.put(19, 0, "!", "seat")
    row = canvas.text()
    assert cell_len(row[: row.index("|")]) == 10
    assert cell_len(row) == 20
    assert not canvas.clipped


def test_half_a_wide_letter_is_a_blank() -> None:
    canvas = Canvas(8, 1)
    assert canvas.put(0, 0, "李雷李雷", "seat", most=4) == 4
    assert canvas.text() == "李 …"
