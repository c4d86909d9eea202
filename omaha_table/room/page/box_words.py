"""A box in an address, in a list and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

from omaha_table.money import format_dollars
from omaha_table.review.index.drop import over_or_short
from omaha_table.review.reports.count_text import amounts, variance_words

if TYPE_CHECKING:
    from omaha_table.money import Cents
    from omaha_table.review.index.box_openings import OpenedBox
    from omaha_table.review.index.drop import Suspect
    from omaha_table.room.page.office import BoxState

FIELDS = ("table", "day", "log", "shift", "box", "jackpot")


def fields_of(box: OpenedBox) -> dict[str, str]:
    """What names a box in an address and in a form."""
    key = box.key
    given = (box.table, box.day, key.log, key.shift, key.box, key.jackpot_box or "")
    return dict(zip(FIELDS, given, strict=True))


def path_of(box: OpenedBox) -> str:
    return f"/box?{urlencode(fields_of(box))}"


def sheet_path(day: str, shift: str) -> str:
    return f"/sheet?{urlencode({'day': day, 'shift': shift})}"


def state_words(state: BoxState) -> tuple[str, str]:
    """What is to be done with a box, or what came of it; and how loud to say it."""
    counted = state.counted
    if counted is None:
        return ("At the table", "") if state.opened.is_open else ("To be counted", "warn")
    words = f"{amounts(counted)}: {variance_words(counted)}"
    if state.offices > 1:
        return f"Counted in {state.offices} offices. {words}", "fault"
    if state.review in ("open", "explained"):
        todo = "to be explained" if state.review == "open" else "to be closed by a shift manager"
        return f"{words}, {todo}", "warn"
    return words, "ok" if not (counted.variance or counted.jackpot_variance) else ""


def shift_sums(states: list[BoxState]) -> dict[str, str]:
    """A shift in figures."""
    counted = [one for one in states if one.counted is not None]
    removed = sum(not one.opened.is_open for one in states)
    due = sum(one.sums.due for one in counted)
    total = sum(one.counted.event.counted for one in counted if one.counted is not None)
    return {
        "expected": str(len(states)),
        "removed": str(removed),
        "counted": str(len(counted)),
        "total": format_dollars(total),
        "difference": over_or_short(total - due) if counted else "",
    }


class Difference(NamedTuple):
    """What was typed or counted, beside what the log says."""

    counted: Cents
    jackpot: Cents | None
    words: str
    jackpot_words: str
    suspects: tuple[Suspect, ...]
