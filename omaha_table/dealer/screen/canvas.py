"""A grid of characters with styles, painted by plain code and handed to the terminal by rows."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.segment import Segment

from omaha_table.dealer.screen.colors import style
from omaha_table.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from omaha_table.dealer.screen.colors import Depth

Cell = tuple[str, str]


class Canvas:
    """What is put outside it is cut off, and counted: a test says that nothing ever is."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._rows: list[list[Cell]] = [[*_cells(" ", "room")] * width for _ in range(height)]
        self.clipped: list[str] = []

    def put(self, x: int, y: int, text: str, name: str, most: int | None = None) -> int:
        """Writes text and says where it ends; longer than `most` it is cut with an ellipsis."""
        cells: Sequence[Cell] = _cells(text, name)
        if most is not None and len(cells) > most:
            cells = [*_cut(cells, max(most - 1, 0)), ("…", name)] if most > 0 else []
        if not 0 <= y < self.height or x < 0 or x + len(cells) > self.width:
            self.clipped.append(text)
            if not 0 <= y < self.height:
                return x
            cells = _cut(cells, max(self.width - x, 0))[max(-x, 0) :]
            x = max(x, 0)
        self._rows[y][x : x + len(cells)] = cells
        return x + len(cells)

    def right(self, x: int, y: int, text: str, name: str) -> None:
        """Writes text that ends before `x`."""
        self.put(x - len(_cells(text, name)), y, text, name)

    def fill(self, x: int, y: int, width: int, height: int, name: str) -> None:
        for row in self._rows[y : y + height]:
            row[x : x + width] = [*_cells(" ", name)] * len(row[x : x + width])

    def rows(self, depth: Depth = "truecolor") -> list[tuple[Segment, ...]]:
        return [self.row(y, depth) for y in range(self.height)]

    def row(self, y: int, depth: Depth = "truecolor") -> tuple[Segment, ...]:
        return tuple(_segments(self._rows[y], depth))

    def same_row(self, other: Canvas, y: int) -> bool:
        """Whether a row is the same on both: it need not be painted again."""
        return self._rows[y] == other._rows[y]

    def text(self) -> str:
        return "\n".join("".join(letter for letter, _ in row).rstrip() for row in self._rows)


def _letters(text: str) -> list[str]:
    """What stands in each cell; after a wide letter comes an empty one.

    A log can be written by anybody, so nothing in a text may act on the terminal.
    """
    text = visible(text)
    if text.isascii() or cell_len(text) == len(text):
        return list(text)
    letters: list[str] = []
    for letter in text:
        wide = cell_len(letter)
        if wide or not letters:
            letters += [letter, ""][:wide] if wide else []
        else:
            letters[-1 if letters[-1] else -2] += letter
    return letters


@functools.lru_cache(maxsize=2048)
def _cells(text: str, name: str) -> tuple[Cell, ...]:
    """Kept: after a key most of a screen is as before, and rows of the same cells compare fast."""
    return tuple([(letter, name) for letter in _letters(text)])


def _cut(cells: Sequence[Cell], most: int) -> list[Cell]:
    """The first cells; half a wide letter is a blank."""
    kept = list(cells[:most])
    if most < len(cells) and not cells[most][0] and kept:
        kept[-1] = (" ", kept[-1][1])
    return kept


def _segments(row: list[Cell], depth: Depth) -> Iterator[Segment]:
    start = 0
    for at in range(1, len(row) + 1):
        if at == len(row) or row[at][1] != row[start][1]:
            letters = "".join([letter for letter, _ in row[start:at]])
            yield Segment(letters, style(row[start][1], depth))
            start = at
