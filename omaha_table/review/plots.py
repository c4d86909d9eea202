"""Plots in letters: columns and bars of blocks, in half steps. ASCII where there is no Unicode."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from omaha_table.dealer.screen.canvas import Canvas

Points = tuple[tuple[str, float, str], ...]
"""A label, a value, and how the value is written."""


def columns(canvas: Canvas, x: int, y: int, width: int, height: int, points: Points) -> None:
    """Upright columns with their values on top and their labels below; the last ones that fit."""
    points = points[-width:]
    if not points or height < 3:
        return
    pitch = max(1, min(7, width // len(points)))
    wide = max(1, pitch - 1)
    tall = height - 2
    most = max(value for _, value, _ in points) or 1.0
    every = -(-3 // pitch)
    for at, (label, value, text) in enumerate(points):
        left = x + at * pitch
        halves = max(round(2 * tall * value / most), 0)
        for row in range((halves + 1) // 2):
            block = "█" if 2 * row + 1 < halves else "▄"
            canvas.put(left, y + tall - row, block * wide, "plot")
        if len(text) <= wide:
            canvas.put(left, y + tall - (halves + 1) // 2, text, "log")
        if at % every == 0 and left + len(label) <= x + width:
            canvas.put(left, y + height - 1, label, "log.dim")


def bars(canvas: Canvas, x: int, y: int, width: int, height: int, points: Points) -> None:
    """Bars to the right, one a line, with label and value; as many as fit."""
    shown = points[:height]
    if not shown:
        return
    names = min(max(len(label) for label, _, _ in shown), 12)
    texts = max(len(text) for _, _, text in shown)
    room = max(width - names - texts - 2, 1)
    most = max(value for _, value, _ in shown) or 1.0
    for row, (label, value, text) in enumerate(shown):
        canvas.put(x, y + row, label, "log", names)
        halves = max(round(2 * room * value / most), 0)
        bar = "█" * (halves // 2) + "▌" * (halves % 2)
        end = canvas.put(x + names + 1, y + row, bar, "plot")
        canvas.put(end + 1, y + row, text, "log.dim", max(x + width - end - 1, 0))
