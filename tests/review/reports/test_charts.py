"""The charts of a report show what its figures say, and are drawn to scale."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from omaha_table.money import parse_dollars
from omaha_table.review.index.filters import parse_filter
from omaha_table.review.index.projection import Projection
from omaha_table.review.index.reading import hands_in
from omaha_table.review.reports.drawing import BOTTOM, LEFT, RIGHT, TALL, TOP, WIDE, drawing_of
from omaha_table.review.reports.pace import charts
from omaha_table.review.reports.page import Bars, Curve
from omaha_table.review.reports.summaries import summary
from tests.review.report_parts import facts_of

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.review.reports.page import Report


@pytest.fixture(scope="module")
def day(swing: Path) -> Report:
    """With a misdeal, hands without a flop, and a dealer's change."""
    return summary("Day", hands_in(next(swing.glob("*.journal"))))


def bars(report: Report, title: str) -> dict[str, float]:
    [chart] = [s for s in report.sections if isinstance(s, Bars) and s.title == title]
    return dict(chart.bars)


def test_the_charts_of_a_day_add_up_to_its_figures(day: Report) -> None:
    facts = facts_of(day)
    assert facts["Called off"] == "1 misdeal"
    assert str(int(sum(bars(day, "Hands by hour").values()))) == facts["Hands"]
    assert str(int(sum(bars(day, "Hands by length in seconds").values()))) == facts["Hands"]
    [curve] = [s for s in day.sections if isinstance(s, Curve)]
    fees = facts["Fees taken"]
    assert isinstance(fees, str)
    assert round(curve.points[-1][1] * 100) == parse_dollars(fees) == day.data["fees"]
    assert [at for at, _ in curve.points] == sorted(at for at, _ in curve.points)


def test_the_report_and_the_list_of_the_review_have_the_same_sums(day: Report, swing: Path) -> None:
    projection = Projection()
    assert projection.refresh(sorted(swing.glob("*.journal"))) == []
    found = projection.statistics(parse_filter("")).result
    listed = found.total
    projection.close()
    told = day.data
    assert (told["hands"], told["fees"], told["jackpots"], told["no_flop"], told["called_off"]) == (
        listed.hands, listed.fees, listed.jackpots, listed.no_flop, listed.called_off,
    )  # fmt: skip
    assert told["hands_an_hour"] == round(found.hands_an_hour, 2)


def test_more_hours_than_fit_are_shown_by_the_day(swing: Path) -> None:
    hand = next(iter(hands_in(next(swing.glob("*.journal")))))
    hour = 3_600_000_000

    def over_time(count: int) -> Bars:
        hands = [
            replace(hand, started_us=hand.started_us + n * hour, day=f"2025-11-{16 + n // 24}")
            for n in range(count)
        ]
        return charts(hands)[0]

    assert len(over_time(24).bars) == 24
    assert over_time(25) == Bars("Hands by day", (("2025-11-16", 24.0), ("2025-11-17", 1.0)))


def test_bars_are_as_high_as_their_values() -> None:
    drawn = drawing_of(Bars("Hands", (("a", 10.0), ("b", 5.0), ("c", 0.0))))
    full, half, none = (box.tall for box in drawn.boxes)
    assert full == TALL - TOP - BOTTOM
    assert (half, none) == (full / 2, 0)
    assert {box.y + box.tall for box in drawn.boxes} == {TALL - BOTTOM}
    assert all(box.x >= LEFT and box.x + box.wide <= WIDE - RIGHT for box in drawn.boxes)
    assert {"10", "5", "a", "b", "c"} <= {label.text for label in drawn.labels}
    assert drawn.summary == "a: 10, b: 5, c: 0"


def test_a_curve_rises_in_steps_to_its_last_value() -> None:
    drawn = drawing_of(Curve("Fees", ((0, 5.0), (3_600_000_000, 10.0))))
    [curve] = [line.path for line in drawn.lines if line.kind == "curve"]
    middle, top = (TALL - BOTTOM + TOP) / 2, TOP
    assert curve == f"M{LEFT} {TALL - BOTTOM}.0H{LEFT}.0V{middle:.1f}H{WIDE - RIGHT}.0V{top}.0"
    assert drawn.summary == "10.00 at the end"


def test_charts_of_nothing_are_drawn_empty() -> None:
    assert drawing_of(Bars("Hands", ())).boxes == ()
    assert drawing_of(Curve("Fees", ())).summary == "0.00 at the end"
