"""A ruling that is being put together, and the page on which that is shown."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.event_text import chips
from omaha_table.dealer.table_view import Page
from omaha_table.floor import Give, propose
from omaha_table.floor.outcome import moved, table_after

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omaha_table.floor import Identity
    from omaha_table.floor.outcome import Moved
    from omaha_table.floor.spec import Effect, Ruling
    from omaha_table.table import TableState

WIDE: Final = 74
"""Letters in a line of the page, at 80 columns."""
ROWS: Final = 10
"""Lines of the page, at 24 rows: the pot and the board are above them."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A ruling that is being put together."""

    by: tuple[Identity, ...]
    ruling: Ruling
    words: tuple[str, ...] = ()
    reason: str = ""

    @property
    def give(self) -> Give:
        return Give(self.by, self.ruling.name, (*self.words, self.reason))

    def effect(self, state: TableState) -> Effect:
        """What it would do; raises Refused."""
        return propose(state, Give((), self.ruling.name, self.words)).effect

    @property
    def so_far(self) -> str:
        """What is chosen, each word with what it is: 'Seat 1   Amount 10'."""
        return "   ".join(self.ruling.told(self.words))

    def page(self, lines: Sequence[str]) -> Page:
        title = f"{self.ruling.number}  {self.ruling.title.upper()}"
        return Page(title, tuple(lines), over_table=True)


def effect_lines(state: TableState, draft: Draft) -> list[str]:
    """What the ruling does, and the stacks and the pot before it and after it; raises Refused."""
    effect = draft.effect(state)
    return [*wrap(effect.text, WIDE), *chip_lines(moved(state, table_after(state, effect)), WIDE)]


def chip_lines(changed: Sequence[Moved], wide: int) -> list[str]:
    """'pot 36 → 46   seat 3 100 → 90' in one line, with as much as fits whole."""
    parts: list[str] = []
    for number, (seat, before, after) in enumerate(changed):
        name = "pot" if seat is None else f"seat {seat}"
        part = f"{name} {chips(before)} → {chips(after)}"
        left = len(changed) - number
        more = f"and {left} more seats"
        if len("   ".join([*parts, part])) > wide - (len(more) + 3 if left > 1 else 0):
            parts.append(more)
            break
        parts.append(part)
    return ["   ".join(parts)] if parts else []
