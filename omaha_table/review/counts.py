"""Boxes as they were counted, kept beside the notes: a file of its own, never the journal.

The last count of a box stands; those before it stay in the file.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, TypeAlias

from omaha_table.files import append_line

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from omaha_table.money import Cents
    from omaha_table.review.hands import Played


@dataclass(frozen=True, slots=True)
class Count:
    table: str
    day: str
    log: str
    """The journal in which the box was opened, whatever its file is called."""
    shift: str
    box: str
    counted: Cents
    jackpot: Cents | None
    """What was in the jackpot's box; None: not counted."""
    due: Cents
    jackpot_due: Cents
    """What the log said when it was counted."""
    signed: tuple[str, ...]
    at: str
    jackpot_box: str | None = None
    """None in a file of 0.1.0, which did not keep it."""

    @property
    def key(self) -> tuple[str, str, str, str | None]:
        return self.log, self.shift, self.box, self.jackpot_box


Box: TypeAlias = tuple[str, str, str, str]
"""The journal in which the boxes were opened, the shift, the drop box and the jackpot box."""


def box_of(hand: Played) -> Box:
    return hand.box_log, hand.shift, hand.box, hand.jackpot_box


class Counts:
    """One JSON line a count, appended."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._counts: dict[tuple[str, str, str, str | None], Count] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                count = _read(line)
                if count is not None:
                    self._counts[count.key] = count

    def of(self, log: str, shift: str, box: str, jackpot_box: str) -> Count | None:
        found = self._counts.get((log, shift, box, jackpot_box))
        return found or self._counts.get((log, shift, box, None))

    def add(self, count: Count) -> None:
        """Writes a count, then knows it; raises OSError."""
        append_line(self._path, json.dumps(asdict(count)))
        self._counts[count.key] = count

    def of_hands(self, hands: Iterable[Played]) -> tuple[list[Count], int]:
        """The counts of all boxes that hands went into, and how many boxes those are."""
        boxes = {box_of(hand) for hand in hands}
        found = [self.of(*key) for key in sorted(boxes)]
        # An old count that could be of two boxes is one count.
        return [count for count in dict.fromkeys(found) if count is not None], len(boxes)


def _read(line: str) -> Count | None:
    """The count on a line; None for a broken one, such as a write that was cut short leaves."""
    try:
        given = json.loads(line)
        signed = given["signed"]
        count = Count(**given | {"signed": tuple(signed)})
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    texts = [count.table, count.day, count.log, count.shift, count.box, count.at, *signed]
    texts += [] if count.jackpot_box is None else [count.jackpot_box]
    amounts = [count.counted, count.due, count.jackpot_due]
    amounts += [] if count.jackpot is None else [count.jackpot]
    # A text of two letters would otherwise pass for two signatures, and true for a cent.
    sound = type(signed) is list and all(type(text) is str for text in texts)
    return count if sound and all(type(amount) is int for amount in amounts) else None


def same_person(one: str, other: str) -> bool:
    """Whether two signatures are one."""
    return one.strip().casefold() == other.strip().casefold()


def counts_beside(folder: Path) -> Path:
    return folder / "review-counts.jsonl"
