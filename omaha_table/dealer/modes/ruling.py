"""The list of rulings: each under its number, which never moves, or with the reason why not now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import Change, become, leave
from omaha_table.dealer.model import Mode
from omaha_table.dealer.modes.draft import Draft
from omaha_table.dealer.modes.fields import ask_next
from omaha_table.dealer.table_view import Page
from omaha_table.floor import RULINGS
from omaha_table.floor.rulings import BY_NUMBER, GROUPS, why_not_now
from omaha_table.hand.frozen import replace

if TYPE_CHECKING:
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.floor import Identity

_TITLE: Final = 22


@dataclass(frozen=True, slots=True)
class ChooseRuling(Mode):
    by: Identity
    group: int | None = None
    """The first digit of the number, once it is typed."""

    def show(self, model: Model, strip: Strip) -> Prompt:
        group = self.group or 1
        strip.digits("NUMBER", self._digit)
        strip.add("+", "MORE RULINGS", self._more)
        if self.group is None:
            strip.when_pressed(".", "Press * to leave the floor: the PIN must then be typed again.")
        else:
            strip.add(".", "BACK", become(ChooseRuling(self.by)))
        # A key of its own: whoever goes back with . once too often has no PIN to type again. Twice,
        # it does nothing at the table.
        strip.add("*", "LEAVE", leave)
        strip.pin_again()
        strip.when_pressed("ENTER", "Type the two digits of a ruling.")
        lines = list[str]()
        grey = set[int]()
        for ruling in (one for one in RULINGS if one.number // 10 == group):
            problem = why_not_now(model.state, ruling)
            if problem is not None:
                grey.add(len(lines))
            says = ruling.does if problem is None else f"– {problem.message}"
            lines.append(f"{ruling.number}  {ruling.title:<{_TITLE}}{says}")
        lines += [""] * (9 - len(lines))
        lines.append("  ".join(f"{number}x {name}" for number, name in GROUPS.items()))
        who = "" if self.by.person is None else f"   {self.by.person.name}"
        page = Page(f"RULINGS{who}", tuple(lines), over_table=True, grey=frozenset(grey))
        typed = "" if self.group is None else f"{self.group}_"
        detail = f"{group}x, {GROUPS[group]}: type the second digit."
        if self.group is None:
            detail = "Two digits: the first one is the group, at the bottom of the list."
        return strip.prompt("FLOOR", "WHICH RULING?", detail, typed and str(self.group),
                            "RULING" if typed else "", page)  # fmt: skip

    def _digit(self, model: Model, digit: str) -> Change:
        if self.group is None:
            if int(digit) not in GROUPS:
                return Change(model.refuse(f"The first digit is 1 to {max(GROUPS)}."))
            return Change(model.become(replace(self, group=int(digit))))
        number = 10 * self.group + int(digit)
        ruling = BY_NUMBER.get(number)
        if ruling is None:
            return Change(model.refuse(f"There is no ruling {number}."))
        problem = why_not_now(model.state, ruling)
        if problem is not None:
            return Change(model.refuse(problem.message))
        # Coming back from the ruling, another number can be typed at once.
        return ask_next(model.become(ChooseRuling(self.by)), Draft((self.by,), ruling))

    def _more(self, model: Model) -> Change:
        following = (self.group or 1) % max(GROUPS) + 1
        return Change(model.become(replace(self, group=following)))
