"""How the hands went: pace, pots, dealers, as numbers and as plots."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from textual import on
from textual.color import Color
from textual.containers import Container
from textual.events import Click
from textual.widgets import Static
from textual_plotext import PlotextPlot

from omaha_table.money import format_dollars
from omaha_table.review.screens.actions import STATISTICS, bindings
from omaha_table.review.screens.filter_dialog import choose_filter
from omaha_table.review.screens.page import Page
from omaha_table.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.app import RenderResult
    from textual.widget import Widget

    from omaha_table.review.index.sums import Statistics as SumsFound

_DAY_BEGINS: Final = 6
_MARGIN: Final = 5
"""Rows and columns of a plot that go to its title and axes, about."""
_ROWS, _COLUMNS = 2, 9
"""How thick a bar may become where there are few."""
_ABOVE: Final = 1.25
"""How high a plot is, for a highest bar of 1: its value stands above it."""


@dataclass(frozen=True, slots=True)
class Chart:
    title: str
    points: tuple[tuple[str, float], ...]
    sideways: bool = False
    """Bars to the right instead of columns: for names."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The hands that a filter lets through, in numbers."""

    facts: tuple[tuple[str, str], ...]
    charts: tuple[Chart, ...]


def summarize(found: SumsFound) -> Summary:
    every, an_hour = found.total, found.hands_an_hour
    facts = (
        ("Hands", f"{every.hands:,}"),
        ("Hands an hour", f"{an_hour:.1f}"),
        ("Seconds a hand", f"{every.pace:.0f}"),
        ("Average pot", format_dollars(every.mean_pot)),
        ("Pots an hour", format_dollars(round(an_hour * every.mean_pot / 100) * 100)),
        ("Without a flop", f"{every.no_flop:,} ({every.no_flop_share:.0%})"),
        ("Fees", format_dollars(every.fees)),
        ("Jackpot", format_dollars(every.jackpots)),
        ("Called off", f"{every.called_off:,}"),
    )
    hours = sorted(found.by_hour, key=lambda one: (one[0] - _DAY_BEGINS) % 24)
    return Summary(
        facts,
        (
            # Of one table, on the mean of the days that had the hour.
            Chart("Hands by the hour", tuple((f"{at:02}", one.hands_a_day) for at, one in hours)),
            Chart("Average pot by the hour, $", tuple(
                (f"{at:02}", one.mean_pot / 100) for at, one in hours)),
            Chart("Without a flop by the hour, %", tuple(
                (f"{at:02}", one.no_flop_share * 100) for at, one in hours)),
            Chart("Dealers: seconds a hand", tuple(
                (name, one.pace) for name, one in found.by_dealer), sideways=True),
        ),
    )  # fmt: skip


class Plot(PlotextPlot):
    """One chart; redrawn for every size, since only so many bars can be told apart."""

    def __init__(self) -> None:
        super().__init__()
        self._chart: Chart | None = None
        self._drawn: tuple[Chart, str] | None = None
        """What is drawn, and in which theme."""

    def show(self, chart: Chart) -> None:
        self._chart = chart
        if self._drawn != (chart, self.app.theme):
            self._draw()

    def on_resize(self) -> None:
        self._draw()

    def render(self) -> RenderResult:
        # Before it has a size there is nothing to draw, and an empty figure takes as long.
        return super().render() if self._drawn else ""

    def _draw(self) -> None:
        if self._chart is None or not self.size.width:
            return
        chart, plt = self._chart, self.plt
        self._drawn = chart, self.app.theme
        # Textual does not tell pages that are not seen of a new theme, nor ever again.
        self._register_theme(self.app.theme)
        plt.clear_figure()
        plt.title(chart.title)
        width, height = self.size.width - _MARGIN, self.size.height - _MARGIN
        if chart.sideways:
            points = chart.points[: max(height, 1)][::-1]
        else:
            points = chart.points[-max(width // 3, 1) :]
        most = max((value for _, value in points), default=0.0)
        if most:
            labels = [f"{visible(name)} {value:.0f}" if chart.sideways else name
                      for name, value in points]  # fmt: skip
            room, thickest = (height, _ROWS) if chart.sideways else (width, _COLUMNS)
            plt.bar(
                labels,
                [value for _, value in points],
                width=min(0.6, thickest * len(points) / max(room, 1)),
                orientation="horizontal" if chart.sideways else "vertical",
                color=Color.parse(self.app.theme_variables["primary"]).rgb,
            )
            ticks = round_ticks(most, max((width // 12) if chart.sideways else height // 3, 2))
            named = [f"{tick:,g}" for tick in ticks]
            if chart.sideways:
                plt.xlim(0, most)
                plt.ylim(0.5, len(points) + 0.5)
                plt.xticks(ticks, named)
            else:
                plt.ylim(0, most * _ABOVE)
                plt.xlim(0.5, len(points) + 0.5)
                plt.yticks(ticks, named)
                self._write_values(points, width, most)
        self.refresh()

    def _write_values(self, points: tuple[tuple[str, float], ...], width: int, most: float) -> None:
        """Above the bars, where there is room beside each other."""
        values = [f"{value:,.0f}" for _, value in points]
        if max(map(len, values)) + 1 > width // len(points):
            return
        above = most * _ABOVE / max(self.size.height - _MARGIN, 1)
        colors = self.app.theme_variables
        for at, ((_, value), text) in enumerate(zip(points, values, strict=True), start=1):
            self.plt.text(
                text, at, value + above, alignment="center",
                color=Color.parse(colors["foreground"]).rgb,
                background=Color.parse(colors["surface"]).rgb,
            )  # fmt: skip


def round_ticks(most: float, many: int) -> list[float]:
    """Round values from 0 on for an axis, not more than so many steps apart."""
    step = 10.0 ** math.floor(math.log10(most / max(many, 1)))
    while most / step > max(many, 1):
        step *= 2 if f"{step:e}"[0] in "15" else 2.5
    return [step * at for at in range(int(most / step) + 1)]


class Statistics(Page):
    """Of the hands that the filter lets through."""

    TITLE = "STATISTICS"
    ACTIONS = STATISTICS
    BINDINGS = bindings(ACTIONS)
    AUTO_FOCUS = ""

    def body(self) -> Iterable[Widget]:
        yield Static(id="line", markup=False)
        yield Container(*(Static(markup=False) for _ in range(9)), classes="facts")
        yield Container(*(Plot() for _ in range(4)), classes="charts")

    def begin(self) -> None:
        self.refreshed()

    def refreshed(self) -> None:
        self.query_one("#line", Static).update(visible(self.desk.filter_words), layout=False)
        self._search = self.desk.projection.statistics(self.desk.filter)
        self._shown = self._search.result
        summary = summarize(self._shown)
        for place, (name, value) in zip(self.query(".facts Static"), summary.facts, strict=True):
            assert isinstance(place, Static)
            place.update(f"{name}: {value}", layout=False)
        for plot, chart in zip(self.query(Plot), summary.charts, strict=True):
            plot.show(chart)

    def about(self) -> str:
        return "" if self._search.is_all else f"adding up, {self._search.share:.0%}"

    def found_more(self) -> bool:
        """A large sum is added up beside the screen."""
        return self.desk.projection.statistics(self.desk.filter).result is not self._shown

    @on(Click, "#line")
    def action_filter(self) -> None:
        self.review.flow(choose_filter(self))

    def action_back(self) -> None:
        self.review.leave()
