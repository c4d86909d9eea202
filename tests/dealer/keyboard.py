"""A line typed on a keyboard, letter by letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.console.scenes import Table


def typed(table: Table, line: str, *more: str) -> Table:
    names = {" ": "space", ".": "full_stop", '"': "quotation_mark"}
    for letter in line:
        table.keys(names.get(letter, letter))
    return table.keys(*more)
