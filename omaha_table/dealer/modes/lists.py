"""Numbered lines, nine to a page; a digit chooses one."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import Change, leave
from omaha_table.dealer.model import Mode
from omaha_table.dealer.table_view import Page
from omaha_table.hand.frozen import replace

if TYPE_CHECKING:
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt

ON_PAGE: Final = 9


def no_such_line(last: int) -> str:
    return f"Type a number from 1 to {last}." if last > 1 else "There is only line 1."


def line_keys(last: int) -> str:
    """The cap of the digits that choose a line."""
    return f"1-{last}" if last > 1 else "1"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListMode(Mode):
    first: int = 0
    """Of the lines on this page."""

    @property
    @abstractmethod
    def title(self) -> str: ...

    @property
    @abstractmethod
    def items(self) -> tuple[str, ...]: ...

    @abstractmethod
    def chosen(self, model: Model, at: int) -> Change: ...

    @property
    def digits_commit(self) -> bool:
        return True

    def show(self, model: Model, strip: Strip) -> Prompt:
        shown = self.items[self.first : self.first + ON_PAGE]
        strip.digits("CHOOSE", self._digit, cap=line_keys(len(shown)))
        if len(self.items) > ON_PAGE:
            strip.add("+", "MORE", self._more)
        strip.add(".", "BACK", leave)
        strip.when_pressed("ENTER", no_such_line(len(shown)))
        strip.floor()
        lines = tuple(f"{number}  {text}" for number, text in enumerate(shown, start=1))
        count = -(-len(self.items) // ON_PAGE)
        which = f"   {self.first // ON_PAGE + 1} of {count}" if count > 1 else ""
        page = Page(f"{self.title}{which}", lines)
        return strip.prompt("FLOOR", "CHOOSE", "Type the number of the line.", page=page)

    def _more(self, model: Model) -> Change:
        following = self.first + ON_PAGE
        at = following if following < len(self.items) else 0
        return Change(model.become(replace(self, first=at)))

    def _digit(self, model: Model, digit: str) -> Change:
        last = min(len(self.items) - self.first, ON_PAGE)
        if not 1 <= int(digit) <= last:
            return Change(model.refuse(no_such_line(last)))
        return self.chosen(model, self.first + int(digit) - 1)
