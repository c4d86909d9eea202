"""Boxes as they were counted, kept beside the notes: a file of its own, never the journal.

The last count of a box stands; those before it stay in the file.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

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
    """Of which journal, whatever its file is called."""
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

    @property
    def key(self) -> tuple[str, str, str]:
        return self.log, self.shift, self.box


class Counts:
    """One JSON line a count, appended."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._counts: dict[tuple[str, str, str], Count] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                try:
                    given = json.loads(line)
                    count = Count(**given | {"signed": tuple(given["signed"])})
                    hash(count.key)
                    _ = count.counted - count.due
                except (ValueError, KeyError, TypeError):
                    continue
                self._counts[count.key] = count

    def of(self, log: str, shift: str, box: str) -> Count | None:
        return self._counts.get((log, shift, box))

    def add(self, count: Count) -> None:
        """Writes a count, then knows it; raises OSError."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(count)) + "\n")
        self._counts[count.key] = count

    def of_hands(self, hands: Iterable[Played]) -> tuple[list[Count], int]:
        """The counts of all boxes that hands went into, and how many boxes those are."""
        boxes = {(hand.log, hand.shift, hand.box) for hand in hands}
        return [self._counts[key] for key in sorted(boxes) if key in self._counts], len(boxes)


def same_person(one: str, other: str) -> bool:
    """Whether two signatures are one."""
    return one.strip().casefold() == other.strip().casefold()


def counts_beside(folder: Path) -> Path:
    return folder / "review-counts.jsonl"
