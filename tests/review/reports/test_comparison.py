"""A dealer beside the room's median."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.review.reports.comparison import (
    LEAST_HANDS,
    DealerFigures,
    DealerTally,
    compare,
)
from tests.review.nights import Night, read

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from omaha_table.review.reports.comparison import Comparison


def dealer(
    per_hour: float, undos: float = 0, hands: int = LEAST_HANDS, **refusals: float
) -> DealerFigures:
    return DealerFigures(hands, per_hour, 3600 / per_hour, None, undos, refusals)


def median_of(own: DealerFigures, room: Iterable[DealerFigures], key: str) -> tuple[object, object]:
    [measure] = [m for m in compare(own, room).measures if m.key == key]
    return measure.own, measure.room


def rows_of(compared: Comparison) -> list[tuple[object, ...]]:
    return [row.cells for row in compared.table.rows]


def test_the_median_is_of_all_dealers_with_enough_hands() -> None:
    own = dealer(20, undos=9)
    room = [own, dealer(30, undos=1), dealer(40, undos=2), dealer(999, hands=LEAST_HANDS - 1)]
    assert median_of(own, room, "hands_per_hour") == (20, 30)
    assert median_of(own, room, "seconds_per_hand") == (180, 120)
    assert median_of(own, room, "undos") == (9, 2)
    assert compare(own, room).dealers == 3
    assert median_of(own, [*room, dealer(50)], "hands_per_hour") == (20, 35)


def test_refusals_are_compared_in_all_and_by_rule() -> None:
    own = dealer(30, raise_cap=4.0, order=1.0)
    room = [own, dealer(30, order=3.0), dealer(30, order=2.0)]
    assert median_of(own, room, "refused") == (5, 3)
    assert rows_of(compare(own, room))[-2:] == [
        ("Refused by rule raise_cap", "4.0", "0.0"),
        ("Refused by rule order", "1.0", "2.0"),
    ]


def test_a_few_dealers_are_no_room() -> None:
    own = dealer(30)
    compared = compare(own, [own, dealer(40)])
    assert compared.measures == ()
    assert compared.table.empty == (
        "Not compared: 2 dealers dealt 20 hands or more in these days, and a median takes 3."
    )


def test_undos_and_refusals_are_counted_in_the_hands_of_their_dealer(tmp_path: Path) -> None:
    night = Night(tmp_path, "ca_omaha_hilo").seat(3)
    night.say("down D1", "deal", "call", "undo", "call", "call", "undo", "call", "check")
    night.say("flop 7c 5h 2s", "check around", "turn Kd", "check around", "river As")
    night.say("check around", "high 1", "low 2", "push", "down D2")
    night.fold_out()
    tally = DealerTally()
    for hand in read(night.close()):
        if hand.dealer == "D1":
            tally.add(hand)
    figures = tally.figures()
    assert (figures.hands, figures.undos) == (1, 200)
    assert figures.river_to_push is not None


def test_the_report_of_a_dealer_has_the_comparison_and_that_of_a_day_has_not(
    tmp_path: Path,
) -> None:
    night = Night(tmp_path, "ca_omaha_hilo").seat(3)
    for name in ("D1", "D2", "D3"):
        night.say(f"down {name}")
        for _ in range(LEAST_HANDS):
            night.fold_out()
        if name == "D2":
            night.say("deal", "undo", "deal")
            night.say("fold", "fold", "push")
    night.close()

    def report(kind: str, name: str, form: str) -> str:
        given = ["report", kind, name, "--data", str(tmp_path), "--format", form]
        done = CliRunner().invoke(omaha_table, given)
        assert done.exit_code == 0, done.output
        return done.stdout

    compared = json.loads(report("dealer", "D1", "json"))["compared"]
    assert compared["dealers"] == 3
    assert "| Measure | This dealer | Room's median |" in report("dealer", "D1", "md")
    [day] = {path.stem.removeprefix("t7-") for path in tmp_path.glob("*.journal")}
    assert "Compared with the room" not in report("day", day, "md")
