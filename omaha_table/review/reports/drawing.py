"""Charts as shapes, worked out from their values; a template turns them into SVG.

A shape says what it is (bar, grid, label); the stylesheet gives it its color.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from omaha_table.review.reports.page import Bars

if TYPE_CHECKING:
    from omaha_table.review.reports.page import Curve

WIDE: Final = 300
TALL: Final = 150
LEFT: Final = 34
RIGHT: Final = 6
TOP: Final = 12
BOTTOM: Final = 18


@dataclass(frozen=True, slots=True)
class Box:
    x: float
    y: float
    wide: float
    tall: float


@dataclass(frozen=True, slots=True)
class Label:
    x: float
    y: float
    text: str
    anchor: Literal["start", "middle", "end"] = "middle"


@dataclass(frozen=True, slots=True)
class Line:
    """A path in SVG's own letters."""

    path: str
    kind: Literal["axis", "grid", "area", "curve"]


@dataclass(frozen=True, slots=True)
class Drawing:
    title: str
    summary: str
    """The values in words, for those who cannot see the chart."""
    lines: tuple[Line, ...]
    boxes: tuple[Box, ...]
    labels: tuple[Label, ...]
    wide: int = WIDE
    tall: int = TALL


def drawing_of(chart: Bars | Curve) -> Drawing:
    return _bars(chart) if isinstance(chart, Bars) else _curve(chart)


def _bars(chart: Bars) -> Drawing:
    """Each bar has its value over it; where there are many, only some have their label."""
    bars = chart.bars
    most, step = _scale(max((value for _, value in bars), default=0.0))
    pitch = (WIDE - LEFT - RIGHT) / max(len(bars), 4)
    every = math.ceil(5.4 * max((len(label) for label, _ in bars), default=1) / pitch)
    lines, labels = _grid(most, step)
    boxes = []
    for at, (label, value) in enumerate(bars):
        x, y = LEFT + at * pitch, _y(value, most)
        middle = x + pitch / 2
        boxes.append(Box(_r(x + pitch * 0.12), _r(y), _r(pitch * 0.76), _r(TALL - BOTTOM - y)))
        if pitch > 13 and value:
            labels.append(Label(_r(middle), _r(y - 3), f"{value:g}"))
        if at % every == 0:
            labels.append(Label(_r(middle), TALL - 6, label))
    summary = ", ".join(f"{label}: {value:g}" for label, value in bars)
    return Drawing(chart.title, summary, tuple(lines), tuple(boxes), tuple(labels))


def _curve(chart: Curve) -> Drawing:
    """Steps that rise with time, with the last value written at their end."""
    points = chart.points or ((0, 0.0),)
    most, step = _scale(points[-1][1])
    first, last = points[0][0], max(points[-1][0], points[0][0] + 1)

    def x(at: float) -> float:
        return LEFT + (WIDE - LEFT - RIGHT) * (at - first) / (last - first)

    ground = _y(0, most)
    path = f"M{LEFT} {ground:.1f}"
    path += "".join(f"H{x(at):.1f}V{_y(value, most):.1f}" for at, value in points)
    lines, labels = _grid(most, step)
    lines.append(Line(f"{path}V{ground:.1f}H{LEFT}Z", "area"))
    lines.append(Line(path, "curve"))
    moments: tuple[tuple[float, Literal["start", "middle", "end"]], ...] = (
        (first, "start"),
        ((first + last) / 2, "middle"),
        (last, "end"),
    )
    for moment, anchor in moments if chart.points else ():
        at = time.strftime("%H:%M", time.localtime(moment / 1e6))
        labels.append(Label(_r(x(moment)), TALL - 6, at, anchor))
    end = points[-1][1]
    labels.append(Label(WIDE - RIGHT, _r(_y(end, most) - 4), f"{end:,.0f}", "end"))
    return Drawing(chart.title, f"{end:,.2f} at the end", tuple(lines), (), tuple(labels))


def _scale(value: float) -> tuple[float, float]:
    """A round number that is not less, and a round step towards it."""
    value = max(value, 1.0)
    size = 10.0 ** math.floor(math.log10(value))
    step = next(size * part for part in (0.25, 0.5, 1, 2, 5) if value / (size * part) <= 4.0001)
    step = max(step, 1.0)
    return step * math.ceil(value / step - 1e-9), step


def _y(value: float, most: float) -> float:
    return TOP + (TALL - TOP - BOTTOM) * (1 - value / most)


def _r(value: float) -> float:
    return round(value, 1)


def _grid(most: float, step: float) -> tuple[list[Line], list[Label]]:
    lines, labels = [], []
    for number in range(round(most / step) + 1):
        y = _y(number * step, most)
        lines.append(Line(f"M{LEFT} {y:.1f}H{WIDE - RIGHT}", "grid" if number else "axis"))
        labels.append(Label(LEFT - 5, _r(y + 3), f"{number * step:,g}", "end"))
    return lines, labels
