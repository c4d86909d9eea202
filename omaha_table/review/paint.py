"""The list of hands, painted row by row; only what is seen was ever asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.console.canvas import Canvas
from omaha_table.console.draw import LEAST, draw
from omaha_table.review.front import ListView

if TYPE_CHECKING:
    from omaha_table.review.front import ReviewFront

_HEAD: Final = 3
_FOOT: Final = 2


def list_rows(height: int) -> int:
    return max(height - _HEAD - _FOOT, 1)


def paint(front: ReviewFront, width: int, height: int, *, letters: bool = False) -> Canvas:
    view = front.view(list_rows(height))
    if not isinstance(view, ListView) or width < LEAST[0] or height < LEAST[1]:
        return (
            _too_small(width, height)
            if isinstance(view, ListView)
            else draw(view, width, height, letters=letters)
        )
    canvas = Canvas(width, height)
    _head(canvas, view)
    split = max(width - 46, 40) if width >= 100 else 46
    for row, line in enumerate(view.lines):
        y = _HEAD + row
        chosen = view.first + row == view.chosen
        name = "seat.act" if chosen else "log"
        canvas.fill(0, y, split, 1, name)
        mark = "►" if chosen else " "
        text = (
            f"{mark}{line.number:>7} {line.day[5:10]} {line.time} {line.pot:>9}  {line.winners:<6}"
        )
        end = canvas.put(0, y, text, name)
        canvas.put(end + 1, y, line.note, name, split - end - 2)
    for row, text in enumerate(view.detail[: height - _HEAD - _FOOT]):
        canvas.put(split + 2, _HEAD + row, text, "page.strong" if row == 0 else "log",
                   width - split - 3)  # fmt: skip
    if not view.total:
        canvas.put(2, _HEAD + 1, "No hand fits: 0 shows all.", "log")
    _keys(canvas, view)
    return canvas


def _too_small(width: int, height: int) -> Canvas:
    canvas = Canvas(width, height)
    canvas.fill(0, 0, width, height, "STOP")
    canvas.put(0, height // 2, "MAKE THE WINDOW BIGGER"[:width], "STOP")
    return canvas


def _head(canvas: Canvas, view: ListView) -> None:
    width = canvas.width
    canvas.fill(0, 0, width, 1, "status")
    end = canvas.put(0, 0, f" {view.title} ", "badge")
    canvas.put(end + 1, 0, f"{view.total:,} hands", "status")
    canvas.right(width - 1, 0, view.said[: width - 30], "status")
    typing = view.typing == "FILTER"
    canvas.fill(0, 1, width, 1, "seat.act" if typing else "room")
    shown = f" FILTER  {view.filter}{'_' if typing else ''}"
    canvas.put(0, 1, shown, "seat.act.name" if typing else "log", width - 1)
    head = f" {'HAND':>7} {'DAY':<5} {'TIME':<5} {'POT':>9}  {'WON':<6} NOTE"
    canvas.put(0, 2, head, "log.dim", width)


def _keys(canvas: Canvas, view: ListView) -> None:
    y, x = canvas.height - 1, 0
    for key in view.keys:
        if x + len(key.cap) + len(key.label) + 4 > canvas.width:
            break
        x = canvas.put(x, y, f" {key.cap} ", "cap.strong" if key.strong else "cap")
        x = canvas.put(x + 1, y, key.label, "label") + 1
