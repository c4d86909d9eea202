"""Who deals and which boxes are on the table: the dealer push, the change of shift."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import (
    Change,
    Do,
    LookUpPin,
    SignDealerIn,
    SignShiftChange,
    clear,
    do,
    enter,
    instead,
    leave,
    leave_if_done,
    stay,
    type_figure,
)
from omaha_table.dealer.event_text import chips, drop, hands_text
from omaha_table.dealer.model import Mode
from omaha_table.dealer.modes.handover import Handover, passed_on
from omaha_table.dealer.modes.lists import no_such_line
from omaha_table.dealer.modes.pin_entry import LONGEST_PIN, SHORT_PIN, PinEntry
from omaha_table.dealer.modes.sure import Sure
from omaha_table.dealer.table_view import Page
from omaha_table.floor.staff import LEAST_PIN
from omaha_table.hand.frozen import replace
from omaha_table.table import commands as table
from omaha_table.table.events import DealerIn

if TYPE_CHECKING:
    from omaha_table.dealer.change import Action
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.floor import Identity
    from omaha_table.session.answer import Answer
    from omaha_table.table.state import Box

SHIFTS: Final = ("day", "swing", "graveyard")


@dataclass(frozen=True, slots=True)
class DealerPush(Mode):
    """The next dealer sits down and types the house number."""

    def show(self, model: Model, strip: Strip) -> Prompt:
        down = model.state.down
        if model.typed:
            name = f"D{model.typed}"
            strip.add("ENTER", f"DEALER {name} IN", _sign_in(model, name), strong=True)
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
        strip.floor()
        detail = f"{_now(model)}The next dealer types the house number."
        number = "NUMBER" if model.typed else ""
        return strip.prompt("DEALER", "DEALER PUSH", detail, model.typed, number)


def _now(model: Model) -> str:
    down = model.state.down
    if down is None:
        return ""
    return f"{down.dealer}: {hands_text(down.hands)}, drop {chips(down.fees)}.  "


def _sign_in(model: Model, name: str) -> Action:
    if model.facts.dealer_pins and name in model.facts.dealers:
        return enter(DealerPin(name))
    return do(table.PushIn(name), _seated)


def _seated(model: Model, answer: Answer) -> Change:
    """Who deals is recorded, and told what the dealer before would say."""
    if answer.refusal is not None:
        return stay(model, answer)
    [came] = [record.event for record in answer.records if isinstance(record.event, DealerIn)]
    model = model.leave_all().inform(_welcome(came))
    lines = passed_on(model)
    return Change(model.enter(Handover(came.dealer, lines)) if lines else model)


def _welcome(came: DealerIn) -> str:
    match came.checked:
        case "no":
            return f"{came.dealer} is in. Identity not checked: no dealer is on the staff list."
        case "pin":
            return f"{came.dealer} is in, PIN checked."
    return f"{came.dealer} is in."


@dataclass(frozen=True, slots=True)
class DealerPin(Mode):
    """Where the table asks for it: the PIN of the dealer whose number was typed."""

    dealer: str
    pin: str = field(default="", repr=False)
    checking: bool = False

    def show(self, model: Model, strip: Strip) -> Prompt:
        title = f"DEALER {self.dealer}"
        if self.checking:
            page = Page(title, ("", "Checking the PIN …", "Keys typed now are used after it."))
            return strip.prompt("DEALER", "CHECKING PIN", "One moment.", page=page)
        strip.digits("PIN", self._digit)
        if len(self.pin) >= LEAST_PIN:
            strip.add("ENTER", "ACCEPT PIN", self._accept, strong=True)
        elif self.pin:
            strip.when_pressed("ENTER", SHORT_PIN)
        strip.add(".", "ERASE" if self.pin else "BACK", self._back)
        lines = ("", f"{self.dealer}: type your PIN, then ENTER.", "The hand stays as it is.")
        page = Page(title, lines, dots=len(self.pin))
        return strip.prompt("DEALER", "DEALER PIN", "The PIN is not shown.", page=page)

    def _digit(self, model: Model, digit: str) -> Change:
        return Change(model.become(replace(self, pin=(self.pin + digit)[:LONGEST_PIN])))

    def _back(self, model: Model) -> Change:
        if self.pin:
            return Change(model.become(replace(self, pin="")))
        return Change(model.leave())

    def _accept(self, model: Model) -> Change:
        waiting = model.become(DealerPin(self.dealer, checking=True))
        return Change(waiting, (LookUpPin(self.pin, self._looked_up, self.dealer, "sign_in"),))

    def _looked_up(self, model: Model, who: Identity) -> Change:
        asked = model.become(DealerPin(self.dealer))
        return Change(asked, (SignDealerIn(self.dealer, who, _seated),))


@dataclass(frozen=True, slots=True)
class ShiftChange(Mode):
    """New boxes are locked on, with their numbers; what the old ones must hold is on the slip."""

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
            now = f"{state.shift.capitalize()} shift, {_holds(state.box)}."
            close = ShiftPin(table.CloseShift()) if model.facts.shift_signed else _CLOSE
            strip.add("-", f"CLOSE SHIFT {state.shift.upper()}", instead(close))
        strip.add(".", "BACK", leave)
        strip.floor()
        page = Page("SHIFT AND BOXES", (now, "", "Which shift begins?", *lines))
        return strip.prompt("DEALER", "WHICH SHIFT?", now, page=page)

    def _boxes(self, model: Model, strip: Strip) -> Prompt:
        what = "drop box" if len(self.chosen) == 1 else "jackpot box"
        if model.typed:
            strip.add("ENTER", f"{what.upper()} {model.typed}", self._box, strong=True)
        strip.digits(f"{what.upper()} NUMBER", type_figure)
        strip.add(".", "CLEAR" if model.typed else "BACK", clear if model.typed else self._back)
        strip.floor()
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
        command = table.OpenShift(shift, box, jackpot)
        if model.facts.shift_signed:
            return Change(model.leave().enter(ShiftPin(command)))
        return Change(model.clear(), (Do(command, self._opened),))

    def _opened(self, model: Model, answer: Answer) -> Change:
        if answer.refusal is None:
            box = _names(model.state.box)
            return Change(model.leave().inform(f"{self.chosen[0].capitalize()} shift open: {box}."))
        return stay(model.become(ShiftChange()), answer)

    def _back(self, model: Model) -> Change:
        return Change(model.become(replace(self, chosen=self.chosen[:-1])))


def _names(box: Box) -> str:
    jackpot = box.jackpot_name
    return f"box {box.name}" + (f", jackpot box {jackpot}" if jackpot not in ("", "none") else "")


def _holds(box: Box) -> str:
    hands = "" if box.tally is None else f"{hands_text(box.tally.hands)}, "
    return f"{_names(box)}: {hands}drop {drop(box.fees, box.jackpots)}"


_CLOSE: Final = Sure(
    "CLOSE THE SHIFT?",
    "Its boxes come off the table. Then drops go into no box until a shift opens.",
    "YES, CLOSE IT",
    table.CloseShift(),
)


@dataclass(frozen=True, slots=True)
class ShiftPin(Mode):
    """Where the table asks for it: the PIN of whoever opens or closes a shift."""

    command: table.OpenShift | table.CloseShift
    entry: PinEntry = field(default_factory=PinEntry)
    checking: bool = False

    def show(self, model: Model, strip: Strip) -> Prompt:
        if self.checking:
            page = Page("SHIFT", ("", "Checking the PIN …", "Keys typed now are used after it."))
            return strip.prompt("FLOOR", "CHECKING PIN", "One moment.", page=page)
        entry = self.entry
        entry.keys(strip, self._typed, "ACCEPT PIN", self._accept)
        if not entry.begun:
            strip.add(".", "BACK", leave)
        lines = ("", self._says(model), *entry.lines("Supervisor: type your PIN, then ENTER."))
        page = Page("SHIFT AND BOXES", lines, dots=len(entry.pin))
        return strip.prompt("FLOOR", "SHIFT: PIN", entry.detail, page=page)

    def _says(self, model: Model) -> str:
        command = self.command
        if isinstance(command, table.CloseShift):
            return f"The {model.state.shift} shift is closed; its boxes come off the table."
        jackpot = "" if command.jackpot_box == "none" else f", jackpot box {command.jackpot_box}"
        return f"The {command.shift} shift begins: drop box {command.box}{jackpot}."

    def _typed(self, model: Model, entry: PinEntry) -> Change:
        return Change(model.become(ShiftPin(self.command, entry)))

    def _accept(self, model: Model) -> Change:
        waiting = model.become(ShiftPin(self.command, checking=True))
        look = LookUpPin(self.entry.pin, self._looked_up, self.entry.number, "shift")
        return Change(waiting, (look,))

    def _looked_up(self, model: Model, who: Identity) -> Change:
        asked = model.become(ShiftPin(self.command, PinEntry(self.entry.number)))
        return Change(asked, (SignShiftChange(self.command, who, leave_if_done),))
