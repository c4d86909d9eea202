"""A dealer beside the room: pace, entries taken back and refusals, against the median of all
dealers who dealt in the same days.

Few hands say little, so a dealer counts towards the median from `LEAST_HANDS` on, and below
`LEAST_DEALERS` such dealers there is no median. The refusal log is not covered by a seal.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from omaha_table.hand.events import Undone
from omaha_table.review.index.drop import Drop
from omaha_table.review.reports.pace import seconds_to_push
from omaha_table.review.reports.page import Row, Table, numbers, texts
from omaha_table.review.reports.wording import quantity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from omaha_table.review.index.hands import Played

LEAST_HANDS: Final = 20
LEAST_DEALERS: Final = 3
_MOST_RULES: Final = 8
_WAITED: Final = "two_persons"
"""The code of a ruling that only waited for its second person."""


@dataclass(slots=True)
class DealerTally:
    """What one dealer's hands come to, hand by hand."""

    drop: Drop = field(default_factory=Drop)
    dealt: int = 0
    """With those that were called off."""
    undos: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    """By the rule, or where none is named by the code."""
    push_seconds: list[float] = field(default_factory=list)

    def add(self, hand: Played) -> None:
        self.drop.add(hand)
        self.dealt += 1
        self.undos += sum(isinstance(moment.event, Undone) for moment in hand.moments)
        self.refusals.update(r.rule or r.code for r in hand.refusals if r.code != _WAITED)
        self.push_seconds += seconds_to_push([hand])

    def figures(self) -> DealerFigures:
        pushes = self.push_seconds
        return DealerFigures(
            self.dealt,
            self.drop.hands_an_hour,
            self.drop.pace,
            sum(pushes) / len(pushes) if pushes else None,
            _per_hundred(self.undos, self.dealt),
            {rule: _per_hundred(count, self.dealt) for rule, count in self.refusals.items()},
        )


@dataclass(frozen=True, slots=True)
class DealerFigures:
    hands: int
    hands_per_hour: float
    seconds_per_hand: float
    river_to_push: float | None
    """Seconds; None: no hand came to the river."""
    undos: float
    """Per 100 hands, like the refusals."""
    refusals: Mapping[str, float]

    @property
    def refused(self) -> float:
        return sum(self.refusals.values())


@dataclass(frozen=True, slots=True)
class Measure:
    name: str
    key: str
    """Its name in JSON."""
    own: float | None
    room: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """`measures` is empty where there is nobody to compare with."""

    dealers: int
    """How many the median is of."""
    measures: tuple[Measure, ...]

    @property
    def table(self) -> Table:
        if not self.measures:
            many = quantity(self.dealers, "dealer", "dealers") if self.dealers else "no dealer"
            empty = (
                f"Not compared: {many} dealt {LEAST_HANDS} hands or more in these days, and a "
                f"median takes {LEAST_DEALERS}."
            )
            return Table("Compared with the room", texts("Measure"), (), narrow=True, empty=empty)
        note = (
            f"The room's median is of the {self.dealers} dealers who dealt {LEAST_HANDS} hands or "
            "more in these days. Refusals come from the refusal log, which no seal covers."
        )
        lines = [Row((m.name, _figure(m.own), _figure(m.room))) for m in self.measures]
        columns = (*texts("Measure"), *numbers("This dealer", "Room's median"))
        return Table("Compared with the room", columns, tuple(lines), note=note)

    @property
    def data(self) -> dict[str, Any]:
        return {
            "dealers": self.dealers,
            "least_hands": LEAST_HANDS,
            "measures": [
                {"measure": m.key, "own": _rounded(m.own), "median": _rounded(m.room)}
                for m in self.measures
            ],
        }


def compare(own: DealerFigures, everybody: Iterable[DealerFigures]) -> Comparison:
    """`everybody` are all dealers of the room, this one among them."""
    room = [figures for figures in everybody if figures.hands >= LEAST_HANDS]
    if len(room) < LEAST_DEALERS:
        return Comparison(len(room), ())
    found = [f.river_to_push for f in room if f.river_to_push is not None]
    measures = [
        Measure("Hands per hour", "hands_per_hour", own.hands_per_hour,
                median(f.hands_per_hour for f in room)),
        Measure("Seconds per hand", "seconds_per_hand", own.seconds_per_hand,
                median(f.seconds_per_hand for f in room)),
        Measure("River to push, seconds", "river_to_push", own.river_to_push,
                median(found) if found else None),
        Measure("Entries taken back per 100 hands", "undos", own.undos,
                median(f.undos for f in room)),
        Measure("Refused entries per 100 hands", "refused", own.refused,
                median(f.refused for f in room)),
    ]  # fmt: skip
    rates = {
        rule: (own.refusals.get(rule, 0.0), median(f.refusals.get(rule, 0.0) for f in room))
        for rule in {*own.refusals, *(rule for f in room for rule in f.refusals)}
    }
    likeliest = sorted(rates, key=lambda rule: (-rates[rule][0], -rates[rule][1], rule))
    measures += [
        Measure(f"Refused by rule {rule}", f"refused:{rule}", *rates[rule])
        for rule in likeliest
        if any(rates[rule])
    ][:_MOST_RULES]
    return Comparison(len(room), tuple(measures))


def _per_hundred(count: int, hands: int) -> float:
    return 100 * count / hands if hands else 0.0


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:,.1f}"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)
