"""The figures of a shift, a dealer or a day for programs: the JSON of a report, in whole cents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from omaha_table.table.events import Ruled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from omaha_table.review.index.drop import Drop, Reconciled
    from omaha_table.review.index.hands import Played
    from omaha_table.review.index.moments import Moment
    from omaha_table.review.reports.pace import Happened
    from omaha_table.table.events import DealerIn


_NOBODY: Final = "nobody pushed in"
"""The dealer of hands that nobody had signed in for, under the name that programs know."""


def sums_data(
    kept: list[Played],
    drop: Drop,
    happened: Happened,
    pushes: list[float],
    dealers: dict[str, Drop],
    checked: Reconciled | None,
) -> dict[str, Any]:
    data: dict[str, Any] = {
        "tables": sorted({hand.table for hand in kept}),
        "days": sorted({hand.day for hand in kept}),
        "boxes": sorted({hand.box for hand in kept if hand.box}),
        "hands": drop.hands,
        "called_off": drop.called_off,
        "no_flop": drop.no_flop,
        "fees": drop.fees,
        "fees_returned": drop.refunded,
        "due": drop.due,
        "jackpots": drop.jackpots,
        "waived": drop.waived,
        "hands_an_hour": round(drop.hands_an_hour, 2),
        "entries_taken_back": happened.undos,
        "kills": happened.kills,
        "restarts": happened.restarts,
        "clock_moved": happened.clock_changes,
        "seconds_river_to_push": round(sum(pushes) / len(pushes), 1) if pushes else None,
        "brackets": [
            {"dealt": dealt, "fee": fee, "hands": count, "sum": fee * count}
            for (dealt, fee), count in sorted(drop.brackets.items(), reverse=True)
        ],
        "dealers": {
            name or _NOBODY: {"hands": own.hands, "fees": own.fees, "jackpots": own.jackpots}
            for name, own in sorted(dealers.items(), key=lambda item: item[0] or _NOBODY)
        },
    }
    if checked is not None:
        data |= {
            "counted": checked.counted,
            "variance": checked.variance,
            "suspects": [
                {"hand": s.number, "day": s.day, "at_us": s.started_us, "fee": s.fee, "why": s.why}
                for s in checked.suspects
            ],
        }
    return data


def rulings_data(given: Iterable[tuple[int | None, Moment]]) -> list[dict[str, Any]]:
    return [
        {
            "hand": number,
            "at_us": m.at_us,
            "event": m.seq,
            "ruling": m.event.ruling,
            "by": list(m.event.by),
            "reason": m.event.reason,
        }
        for number, m in given
        if isinstance(m.event, Ruled)
    ]


def sign_ins_data(signed: Iterable[tuple[Moment, DealerIn]]) -> list[dict[str, Any]]:
    return [
        {"at_us": m.at_us, "event": m.seq, "dealer": came.dealer, "checked": came.checked}
        for m, came in signed
    ]
