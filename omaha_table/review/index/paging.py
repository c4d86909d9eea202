"""Rows around a place in a long list, a page at a time, and what a filter could go on with."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from omaha_table.review.index.filters import completions

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.review.index.projection import Projection

T = TypeVar("T")
PAGE: Final = 100
_PAGES_KEPT: Final = 32
_OFFERED: Final = 50


class Pages(Generic[T]):
    """Rows of a list by their place. Only pages that are looked at are fetched, and few are kept:
    a screen that goes through ten million hands holds some thousand of them."""

    def __init__(self, fetch: Callable[[int, int], list[T]], total: int) -> None:
        self._fetch, self.total = fetch, total
        self._pages: OrderedDict[int, list[T]] = OrderedDict()

    def row(self, at: int) -> T | None:
        if not 0 <= at < self.total:
            return None
        rows = self._page(at // PAGE)
        # A table that deals on may have made the list shorter meanwhile: a hand was taken back.
        return rows[at % PAGE] if at % PAGE < len(rows) else None

    def _page(self, number: int) -> list[T]:
        if number in self._pages:
            self._pages.move_to_end(number)
        else:
            first = number * PAGE
            self._pages[number] = self._fetch(first, min(PAGE, self.total - first))
            if len(self._pages) > _PAGES_KEPT:
                self._pages.popitem(last=False)
        return self._pages[number]


def suggestions(projection: Projection, typed: str) -> list[str]:
    """What the word at the end could become: names of filters, or their values."""
    word = typed.rpartition(" ")[2]
    name, colon, value = word.partition(":")
    begun = value.rpartition(",")[2]
    known = {"dealer": projection.dealers, "table": projection.tables, "day": projection.days}
    if not colon or name not in (*known, "flag", "ruling"):
        return completions(word)
    if name in known:
        found = [one for one in known[name]() if one.casefold().startswith(begun.casefold())]
        # What cannot be printed cannot be typed, and may command a terminal.
        found = [f'"{one}"' if " " in one else one for one in found if one.isprintable()]
    else:
        found = completions(word)
    return [f"{word[: len(word) - len(begun)]}{one}" for one in found[:_OFFERED]]
