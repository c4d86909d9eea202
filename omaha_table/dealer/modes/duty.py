"""Who deals and which boxes are on the table: the dealer push, the change of shift."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import (
    Change,
    Do,
    clear,
    do,
    instead,
    leave,
    leave_if_done,
    stay,
    type_figure,
)
from omaha_table.dealer.event_text import chips
from omaha_table.dealer.model import Mode
from omaha_table.dealer.modes.lists import no_such_line
from omaha_table.dealer.modes.sure import Sure
from omaha_table.dealer.table_view import Page
from omaha_table.hand.frozen import replace
from omaha_table.table import commands as table

if TYPE_CHECKING:
    from omaha_table.dealer.change import Then
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.session.answer import Answer

SHIFTS: Final = ("day", "swing", "graveyard")


@dataclass(frozen=True, slots=True)
class DealerPush(Mode):
    """The next dealer sits down and types the house number."""

    def show(self, model: Model, strip: Strip) -> Prompt:
        down = model.state.down
        if model.typed:
            name = f"D{model.typed}"
            strip.add("ENTER", f"DEALER {name} IN", do(table.PushIn(name), _seated(name)),
                      strong=True)  # fmt: skip
            strip.digits("DEALER'S NUMBER", type_figure)
            strip.add(".", "CLEAR", clear)
        else:
            if down is not None:
                out = do(table.PushOut(), leave_if_done)
                strip.add("-", f"DEALER {down.dealer} OUT", out)
            if model.state.hand is None:
                strip.add("*", "SHIFT AND BOXES", instead(ShiftChange()))
            else:
                strip.when_pressed("*", "A shift opens and closes between hands.")
            strip.digits("DEALER'S NUMBER", type_figure)
            strip.add(".", "BACK", leave)
        reminder = "Pass on blinds owed, warnings and the kill."
        hands = 0 if down is None else down.hands
        dealt = "1 hand" if hands == 1 else f"{hands} hands"
        now = "" if down is None else f"{down.dealer}: {dealt}, drop {chips(down.fees)}.  "
        return strip.prompt("DEALER", "DEALER PUSH", f"{now}{reminder}", model.typed,
                            "NUMBER" if model.typed else "")  # fmt: skip


def _seated(name: str) -> Then:
    """Whoever deals is recorded; somebody unknown is pointed out, not sent away."""

    def then(model: Model, answer: Answer) -> Change:
        change = leave_if_done(model, answer)
        known = model.facts.dealers
        if answer.refusal is not None or not known or name in known:
            return change
        return Change(change.model.inform(f"{name} is recorded, but is not on the staff list."))

    return then


@dataclass(frozen=True, slots=True)
class ShiftChange(Mode):
    """New boxes are locked on, with their numbers; the count of the old ones is on the slip."""

    chosen: tuple[str, ...] = ()
    """The shift, then its drop box."""

    @property
    def digits_commit(self) -> bool:
        """A digit chooses the shift; of a box it is only a figure."""
        return not self.chosen

    def show(self, model: Model, strip: Strip) -> Prompt:
        return self._boxes(model, strip) if self.chosen else self._shifts(model, strip)

    def _shifts(self, model: Model, strip: Strip) -> Prompt:
        state = model.state
        lines = [f"{number}  {name}" for number, name in enumerate(SHIFTS, start=1)]
        strip.digits("SHIFT", self._choose, cap=f"1-{len(SHIFTS)}")
        now = "No shift is open."
        if state.shift is not None:
            now = (
                f"{state.shift.capitalize()} shift, box {state.box.name}: "
                f"drop {chips(state.box.fees)}, jackpot {chips(state.box.jackpots)}."
            )
            strip.add("-", f"CLOSE SHIFT {state.shift.upper()}", instead(_CLOSE))
        strip.add(".", "BACK", leave)
        page = Page("SHIFT AND BOXES", (now, "", "Which shift begins?", *lines))
        return strip.prompt("DEALER", "WHICH SHIFT?", now, page=page)

    def _boxes(self, model: Model, strip: Strip) -> Prompt:
        what = "drop box" if len(self.chosen) == 1 else "jackpot box"
        if model.typed:
            strip.add("ENTER", f"{what.upper()} {model.typed}", self._box, strong=True)
        strip.digits(f"{what.upper()} NUMBER", type_figure)
        strip.add(".", "CLEAR" if model.typed else "BACK", clear if model.typed else self._back)
        return strip.prompt(
            "DEALER",
            what.upper(),
            f"Type the number of the {self.chosen[0]} shift's {what}, then ENTER.",
            model.typed,
            "NUMBER" if model.typed else "",
        )

    def _choose(self, model: Model, digit: str) -> Change:
        if digit == "0" or int(digit) > len(SHIFTS):
            return Change(model.refuse(no_such_line(len(SHIFTS))))
        return Change(model.become(replace(self, chosen=(SHIFTS[int(digit) - 1],))))

    def _box(self, model: Model) -> Change:
        chosen = (*self.chosen, model.typed)
        if not any(bracket.jackpot for bracket in model.state.limit.fees):
            chosen = (*chosen, "none")
        if len(chosen) < 3:
            return Change(model.clear().become(replace(self, chosen=chosen)))
        shift, box, jackpot = chosen
        return Change(model.clear(), (Do(table.OpenShift(shift, box, jackpot), self._opened),))

    def _opened(self, model: Model, answer: Answer) -> Change:
        if answer.refusal is None:
            return Change(model.leave())
        return stay(model.become(ShiftChange()), answer)

    def _back(self, model: Model) -> Change:
        return Change(model.become(replace(self, chosen=self.chosen[:-1])))


_CLOSE: Final = Sure(
    "CLOSE THE SHIFT?",
    "Its boxes come off the table. Drops after this go into no box until a shift opens.",
    "YES, CLOSE IT",
    table.CloseShift(),
)
