"""The records of several offices taken together."""

from __future__ import annotations

from collections import defaultdict
from heapq import merge
from typing import TYPE_CHECKING, TypeVar

from omaha_table.office.state import Records

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from omaha_table.office.state import Counted, CountKey, Noted, Review

T = TypeVar("T", "Counted", "Noted")


def in_time(lists: Iterable[tuple[T, ...]]) -> tuple[T, ...]:
    """Entries of several offices by time; those of one stay in their order."""
    return tuple(merge(*lists, key=lambda entry: entry.at_us))


def merged(offices: Mapping[str, Records], *, alone: bool = True) -> Records:
    """All that some offices recorded. The years of each are named after it, because each counts its
    entries by itself; one that is `alone` stays as it is."""
    if alone and len(offices) == 1:
        [records] = offices.values()
        return records
    counts: defaultdict[CountKey, list[tuple[Counted, ...]]] = defaultdict(list)
    notes: defaultdict[str, list[tuple[Noted, ...]]] = defaultdict(list)
    tags: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    reviews: dict[tuple[str, int], Review] = {}
    for name, records in offices.items():
        for key, found in records.counts.items():
            counts[key].append(tuple(one._replace(year=f"{name}:{one.year}") for one in found))
        for (year, seq), review in records.reviews.items():
            reviews[f"{name}:{year}", seq] = review
        for about, noted in records.notes.items():
            notes[about].append(noted)
        for about, set_ in records.tags.items():
            tags[about] |= set_
    return Records(
        counts={key: in_time(lists) for key, lists in counts.items()},
        reviews=reviews,
        notes={about: in_time(lists) for about, lists in notes.items()},
        tags=dict(tags),
        damaged=tuple(file for records in offices.values() for file in records.damaged),
    )
