"""A grid of characters with styles, painted by plain code and handed to the terminal by rows."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator

Cell = tuple[str, str]

STYLES: Final[dict[str, str]] = {
    "room": "#c8d0d8 on #0e1116",
    "status": "#e8ecf1 on #1d242c",
    "status.dim": "#8b97a3 on #1d242c",
    "badge": "bold #0e1116 on #c8d0d8",
    "seat": "#e8ecf1 on #171b22",
    "seat.name": "bold #e8ecf1 on #171b22",
    "seat.dim": "#6d7884 on #1b2229",
    "seat.act": "#000000 on #ffb000",
    "seat.act.name": "bold #000000 on #ffb000",
    "seat.allin": "#f4e8cf on #3a2e14",
    "seat.allin.name": "bold #f4e8cf on #3a2e14",
    "mark": "bold #000000 on #ffffff",
    "mark.blind": "bold #0e1116 on #9fb1c4",
    "mark.kill": "bold #000000 on #ffb000",
    "felt": "#c8d0d8 on #0b281c",
    "felt.title": "bold #ffffff on #0b281c",
    "felt.strong": "bold #ffb000 on #0b281c",
    "felt.dim": "#7f9489 on #0b281c",
    "spade": "bold #000000 on #f5f5f0",
    "heart": "bold #c00018 on #f5f5f0",
    "diamond": "bold #ffffff on #0a4fb5",
    "club": "bold #000000 on #62c26a",
    "alarm.none": "#6d7884 on #0e1116",
    "alarm.hint": "bold #9fe0b4 on #0e1116",
    "alarm.info": "bold #80d0ff on #0e1116",
    "alarm.refused": "bold #000000 on #ffd24d",
    "alarm.warn": "bold #000000 on #ffd24d",
    "alarm.fault": "bold #b3261e on #ffffff",
    "ok": "#6fd08c on #1d242c",
    "warn": "bold #ffd24d on #1d242c",
    "fault": "bold #ffffff on #b3261e",
    "off": "#6d7884 on #1d242c",
    "PLAYER": "bold #000000 on #ffb000",
    "DEALER": "bold #000000 on #80d0ff",
    "STOP": "bold #ffffff on #b3261e",
    "SURE": "bold #000000 on #ffffff",
    "READY": "bold #ffffff on #47525e",
    "FLOOR": "bold #ffffff on #5b2a86",
    "cap": "bold #0e1116 on #c8d0d8",
    "cap.strong": "bold #000000 on #ffffff",
    "cap.grey": "#6d7884 on #2a313a",
    "label": "bold #e8ecf1 on #0e1116",
    "label.grey": "#6d7884 on #0e1116",
    "log": "#c8d0d8 on #0e1116",
    "log.dim": "#7c8894 on #0e1116",
    "odd": "bold #ffb000 on #0e1116",
    "plot": "#80d0ff on #0e1116",
    "bar": "bold #e8ecf1 on #47525e",
    "page": "#e8ecf1 on #171b22",
    "page.strong": "bold #ffffff on #171b22",
    "page.edge": "#a070d0 on #171b22",
    "page.title": "bold #ffffff on #5b2a86",
}
"""Every style has a word or a shape beside it: color is never the only sign."""


@cache
def style(name: str) -> Style:
    return Style.parse(STYLES[name])


class Canvas:
    """What is put outside it is cut off, and counted: a test says that nothing ever is."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._rows: list[list[Cell]] = [[(" ", "room")] * width for _ in range(height)]
        self.clipped: list[str] = []

    def put(self, x: int, y: int, text: str, name: str, most: int | None = None) -> int:
        """Writes text and says where it ends; longer than `most` it is cut with an ellipsis."""
        letters = _letters(text)
        if most is not None and len(letters) > most:
            letters = [*_cut(letters, max(most - 1, 0)), "…"] if most > 0 else []
        if not 0 <= y < self.height or x < 0 or x + len(letters) > self.width:
            self.clipped.append(text)
            if not 0 <= y < self.height:
                return x
            letters = _cut(letters, max(self.width - x, 0))[max(-x, 0) :]
            x = max(x, 0)
        self._rows[y][x : x + len(letters)] = [(letter, name) for letter in letters]
        return x + len(letters)

    def right(self, x: int, y: int, text: str, name: str) -> None:
        """Writes text that ends before `x`."""
        self.put(x - len(_letters(text)), y, text, name)

    def fill(self, x: int, y: int, width: int, height: int, name: str) -> None:
        for row in self._rows[y : y + height]:
            row[x : x + width] = [(" ", name)] * len(row[x : x + width])

    def rows(self) -> list[tuple[Segment, ...]]:
        return [tuple(_segments(row)) for row in self._rows]

    def text(self) -> str:
        return "\n".join("".join(letter for letter, _ in row).rstrip() for row in self._rows)


def _letters(text: str) -> list[str]:
    """What stands in each cell; after a wide letter comes an empty one."""
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


def _cut(letters: list[str], most: int) -> list[str]:
    """The first cells; half a wide letter is a blank."""
    kept = letters[:most]
    if most < len(letters) and not letters[most] and kept:
        kept[-1] = " "
    return kept


def _segments(row: list[Cell]) -> Iterator[Segment]:
    start = 0
    for at in range(1, len(row) + 1):
        if at == len(row) or row[at][1] != row[start][1]:
            letters = "".join([letter for letter, _ in row[start:at]])
            yield Segment(letters, style(row[start][1]))
            start = at
