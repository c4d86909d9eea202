"""Plots as SVG, in greys: they print, and say their values in numbers."""

from __future__ import annotations

import html
import math
import time
from typing import Final

WIDE: Final = 300
TALL: Final = 150
LEFT: Final = 34
RIGHT: Final = 6
TOP: Final = 12
BOTTOM: Final = 18


def bar_plot(bars: tuple[tuple[str, float], ...]) -> str:
    """Bars with their values over them; of many only some labels are written."""
    most, step = _scale(max(value for _, value in bars))
    room = WIDE - LEFT - RIGHT
    pitch = room / max(len(bars), 4)
    every = math.ceil(5.4 * max(len(label) for label, _ in bars) / pitch)
    drawn = _grid(most, step)
    for at, (label, value) in enumerate(bars):
        x, y = LEFT + at * pitch, _y(value, most)
        middle = x + pitch / 2
        drawn += (
            f'<rect x="{x + pitch * 0.12:.1f}" y="{y:.1f}" width="{pitch * 0.76:.1f}" '
            f'height="{TALL - BOTTOM - y:.1f}" fill="#555"/>'
        )
        if pitch > 13 and value:
            drawn += _text(middle, y - 3, f"{value:g}")
        if at % every == 0:
            drawn += _text(middle, TALL - 6, label)
    return _svg(drawn, ", ".join(f"{label}: {value:g}" for label, value in bars))


def line_plot(points: tuple[tuple[int, float], ...]) -> str:
    """Steps that rise with time, with the last value written."""
    most, step = _scale(points[-1][1])
    first, last = points[0][0], max(points[-1][0], points[0][0] + 1)
    room = WIDE - LEFT - RIGHT

    def x(at: float) -> float:
        return LEFT + room * (at - first) / (last - first)

    path = f"M{LEFT} {_y(0, most):.1f}"
    for at, value in points:
        path += f"H{x(at):.1f}V{_y(value, most):.1f}"
    ground = _y(0, most)
    drawn = _grid(most, step)
    drawn += f'<path d="{path}V{ground:.1f}H{LEFT}Z" fill="#e4e4e4"/>'
    drawn += f'<path d="{path}" fill="none" stroke="#111" stroke-width="1.5"/>'
    for moment, anchor in ((first, "start"), ((first + last) / 2, "middle"), (last, "end")):
        said = time.strftime("%H:%M", time.localtime(moment / 1e6))
        drawn += _text(x(moment), TALL - 6, said, anchor)
    drawn += _text(WIDE - RIGHT, _y(points[-1][1], most) - 4, f"{points[-1][1]:,.0f}", "end")
    return _svg(drawn, f"{points[-1][1]:,.2f} at the end")


def _scale(value: float) -> tuple[float, float]:
    """A round number that is not less, and a round step towards it."""
    value = max(value, 1.0)
    size = 10.0 ** math.floor(math.log10(value))
    step = next(size * part for part in (0.25, 0.5, 1, 2, 5) if value / (size * part) <= 4.0001)
    step = max(step, 1.0)
    return step * math.ceil(value / step - 1e-9), step


def _y(value: float, most: float) -> float:
    return TOP + (TALL - TOP - BOTTOM) * (1 - value / most)


def _grid(most: float, step: float) -> str:
    drawn = ""
    for number in range(round(most / step) + 1):
        y = _y(number * step, most)
        color = "#111" if number == 0 else "#ccc"
        drawn += f'<path d="M{LEFT} {y:.1f}H{WIDE - RIGHT}" stroke="{color}" stroke-width=".7"/>'
        drawn += _text(LEFT - 5, y + 3, f"{number * step:,g}", "end")
    return drawn


def _text(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(text)}</text>'


def _svg(drawn: str, said: str) -> str:
    return (
        f'<svg role="img" aria-label="{html.escape(said)}" viewBox="0 0 {WIDE} {TALL}">'
        f"{drawn}</svg>"
    )
