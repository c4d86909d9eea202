"""The review painted row by row; only what is seen was ever asked for."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.screen.canvas import Canvas
from omaha_table.dealer.screen.drawing import LEAST, draw
from omaha_table.review.plots import bars, columns
from omaha_table.review.views import ChartsView, ListView, SheetView

if TYPE_CHECKING:
    from omaha_table.review.front import ReviewFront
    from omaha_table.review.views import Bar, Cells, Line

_HEAD: Final = 3
_FOOT: Final = 3
"""What was said, and two rows of keys."""


def list_rows(height: int) -> int:
    return max(height - _HEAD - _FOOT, 1)


def paint(front: ReviewFront, width: int, height: int, *, letters: bool = False) -> Canvas:
    view = front.view(list_rows(height))
    canvas = Canvas(width, height)
    if width < LEAST[0] or height < LEAST[1]:
        canvas.fill(0, 0, width, height, "STOP")
        canvas.put(0, height // 2, "MAKE THE WINDOW BIGGER"[:width], "STOP")
        return canvas
    match view:
        case ListView():
            _list(canvas, view)
        case SheetView():
            _sheet(canvas, view)
        case ChartsView():
            _charts(canvas, view)
        case _:
            return draw(view, width, height, letters=letters)
    _edges(canvas, view.bar)
    return canvas


# The edges


def _edges(canvas: Canvas, bar: Bar) -> None:
    width = canvas.width
    canvas.fill(0, 0, width, 1, "status")
    end = canvas.put(0, 0, f" {bar.title} ", "badge")
    end = canvas.put(end + 1, 0, bar.about, "status", width - end - 2)
    if bar.level == "none":
        canvas.right(width - 1, 0, bar.said[: max(width - end - 3, 0)], "status.dim")
    canvas.fill(0, 1, width, 1, "seat.act" if bar.typing else "room")
    canvas.put(1, 1, bar.line, "seat.act.name" if bar.typing else "log", width - 2)
    if bar.level != "none":
        sign, name = ("●", "alarm.info") if bar.level == "info" else ("▲", "alarm.warn")
        # What stands may not cover a line for hours.
        rows = 3 if bar.level == "refused" else 1
        said = textwrap.wrap(f"{sign} {bar.said}", width - 2, max_lines=rows, placeholder="…")
        top = canvas.height - _FOOT - len(said) + 1
        canvas.fill(0, top, width, len(said), name)
        for row, text in enumerate(said):
            canvas.put(1, top + row, text, name)
    _keys(canvas, bar)


def _keys(canvas: Canvas, bar: Bar) -> None:
    x, y = 0, canvas.height - 2
    for key in bar.keys:
        if x + len(key.cap) + len(key.label) + 3 > canvas.width:
            x, y = 0, y + 1
        if y == canvas.height:
            break
        x = canvas.put(x, y, f" {key.cap} ", "cap.strong" if key.strong else "cap")
        x = canvas.put(x + 1, y, key.label, "label", canvas.width - x - 1) + 2


# The list of hands


def _list(canvas: Canvas, view: ListView) -> None:
    width, rows = canvas.width, list_rows(canvas.height)
    wide = width >= 100
    split = width - 48 if wide else 46
    day, table = wide, view.tables
    head = f" {'HAND':>6} {'DAY   ' if day else ''}{'TABLE   ' if table else ''} TIME     "
    canvas.put(0, 2, f"{head}{'POT':>8} WON    NOTE", "log.dim", split)
    for row, line in enumerate(view.lines):
        _hand(canvas, _HEAD + row, split, line, day=day, table=table,
              chosen=view.first + row == view.chosen)  # fmt: skip
    if not view.total:
        canvas.put(2, _HEAD + 1, "No hand fits. / and 0 shows all.", "log")
    room = width - split - 3
    left = split + 2
    canvas.fill(split, 2, width - split, rows + 1, "page")
    y = 2
    for at, text in enumerate(view.detail):
        for part in textwrap.wrap(text, room, subsequent_indent="  ") or [""]:
            if y < _HEAD + rows:
                canvas.put(left, y, part, "page.strong" if at == 0 else "page", room)
                y += 1
    y += 1
    shown = max(_HEAD + rows - y, 0)
    for text in view.steps[-shown:] if shown else ():
        canvas.put(left, y, text, "page", room)
        y += 1


def _hand(
    canvas: Canvas, y: int, split: int, line: Line, *, day: bool, table: bool, chosen: bool
) -> None:
    name = "seat.act" if chosen else "odd" if line.odd else "log"
    canvas.fill(0, y, split, 1, name)
    when = f"{line.day[5:10]} " if day else ""
    where = f"{line.table[:7]:<7} " if table else ""
    text = f"{'►' if chosen else ' '}{line.number:>6} {when}{where} {line.time} {line.pot:>8}"
    end = canvas.put(0, y, f"{text} {line.winners[:6]:<6} ", name, split)
    canvas.put(end, y, line.note, name, max(split - end - 1, 0))


# Sheets


def _sheet(canvas: Canvas, view: SheetView) -> None:
    width, rows = canvas.width, list_rows(canvas.height)
    titles = tuple(column.title for column in view.columns)
    _cells(canvas, 2, view, titles, "log.dim")
    for row, line in enumerate(view.lines):
        chosen = view.first + row == view.chosen
        canvas.fill(0, _HEAD + row, width, 1, _style(line, chosen=chosen))
        _cells(canvas, _HEAD + row, view, line.cells, _style(line, chosen=chosen))
        if chosen:
            canvas.put(0, _HEAD + row, "►", _style(line, chosen=True))
    if not view.lines:
        canvas.put(2, _HEAD + 1, view.empty, "log", width - 3)
    top = _HEAD + rows - view.foot_rows + 1
    canvas.fill(0, top, width, view.foot_rows - 1, "page")
    for row, text in enumerate(view.foot[: view.foot_rows - 1]):
        canvas.put(2, top + row, text, "page.strong" if row == 0 else "page", width - 3)


def _style(line: Cells, *, chosen: bool) -> str:
    return "seat.act" if chosen else "odd" if line.strong else "log.dim" if line.dim else "log"


def _cells(canvas: Canvas, y: int, view: SheetView, cells: tuple[str, ...], name: str) -> None:
    x = 1
    for column, text in zip(view.columns, cells, strict=True):
        wide = column.width or canvas.width - x - 1
        if column.narrow is not None and canvas.width < 100:
            wide, text = column.narrow, text[-column.narrow :]
        if column.right:
            canvas.right(x + wide, y, text[:wide], name)
        else:
            canvas.put(x, y, text, name, wide)
        x += wide + 1


# Plots


def _charts(canvas: Canvas, view: ChartsView) -> None:
    width = canvas.width
    across = 3 if width < 120 else 5
    room = (width - 2) // across
    for at, (name, value) in enumerate(view.facts):
        row, column = divmod(at, across)
        x = 1 + column * room
        end = canvas.put(x, 2 + row, f"{name} ", "log.dim", room - 1)
        canvas.put(end, 2 + row, value, "label", max(room - (end - x) - 1, 0))
    top = 2 + -(-len(view.facts) // across) + 1
    tall = (canvas.height - _FOOT - top) // 2
    half = width // 2
    for at, chart in enumerate(view.charts):
        row, column = divmod(at, 2)
        x, y = 1 + column * half, top + row * tall
        canvas.fill(x, y, half - 2, 1, "bar")
        canvas.put(x, y, f" {chart.title}", "bar", half - 2)
        plot = bars if chart.sideways else columns
        plot(canvas, x, y + 1, half - 3, tall - 2, chart.points)
