"""Folds that are keyed by seat: everyone before a seat, or one seat that folded out of turn.

Both begin with the number of the seat. What was meant is asked, because the one folds hands that
the other leaves alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import Change, Do, clear, leave, leave_if_done, type_digit, type_seat
from omaha_table.dealer.model import Mode
from omaha_table.hand import Refused, decide
from omaha_table.hand import commands as hand
from omaha_table.hand.actions import why_no_early_fold
from omaha_table.hand.events import Acted
from omaha_table.hand.phases import COMMANDS
from omaha_table.hand.refusal import sentence

if TYPE_CHECKING:
    from omaha_table.dealer.change import Action
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.table.commands import TableCommand

_CAP: Final = 21
"""What fits on the label of a key at 80 columns."""


def _do(command: TableCommand) -> Action:
    return lambda model: Change(model, (Do(command, leave_if_done),))


@dataclass(frozen=True, slots=True)
class WhoFolds(Mode):
    """A seat was typed, and then `-`."""

    seat: int

    def show(self, model: Model, strip: Strip) -> Prompt:
        seat = self.seat
        try:
            before = _would_fold(model, seat)
        except Refused as refusal:
            before = []
            strip.when_pressed("ENTER", refusal.message)
        named = " ".join(map(str, before))
        if before:
            label = f"FOLD {named}" if len(named) <= _CAP - 5 else f"FOLD THESE {len(before)}"
            strip.add("ENTER", label, _do(hand.ActUntil("fold", seat)), strong=True)
        why = why_no_early_fold(model.hand, seat)
        if why:
            strip.when_pressed("+", sentence(why))
        else:
            strip.add("+", f"SEAT {seat} OUT OF TURN", _do(hand.FoldOutOfTurn(seat)))
        strip.when_pressed("-", f"ENTER: all before seat {seat} fold.  +: seat {seat} alone.")
        strip.digits("ANOTHER NUMBER", _retype)
        strip.add(".", "BACK", leave)
        strip.floor()
        detail = f"All before seat {seat} ({named}), or seat {seat} alone out of turn?"
        if not before:
            detail = f"Seat {seat} alone, out of turn?"
        return strip.prompt("PLAYER", "WHO FOLDS?", detail, str(seat), "SEAT")


def _would_fold(model: Model, seat: int) -> list[int]:
    """Who folds if everyone before a seat does, from the seat whose turn it is; may raise Refused.

    Decided and not counted: who has matched the bet is not asked again, so that the betting may
    close before it comes to the seat.
    """
    decision = decide(model.hand, hand.ActUntil("fold", seat))
    return [event.seat for event in decision.events if isinstance(event, Acted)]


def _retype(model: Model, digit: str) -> Change:
    """The digit belongs to what was being typed at the table, such as a card or an amount."""
    return type_digit(model.leave(), digit)


def can_fold_early(model: Model) -> bool:
    state = model.state.hand
    return state is not None and hand.FoldOutOfTurn.name in COMMANDS[state.phase]


@dataclass(frozen=True, slots=True)
class FoldedEarly(Mode):
    """From the menu, for steps at which digits are not seats: between streets."""

    def show(self, model: Model, strip: Strip) -> Prompt:
        seat = model.number
        if seat is not None and can_fold_early(model):
            why = why_no_early_fold(model.hand, seat)
            if why:
                strip.when_pressed("+", sentence(why))
            else:
                command = hand.FoldOutOfTurn(seat)
                strip.add("+", f"SEAT {seat} FOLDED", _do(command), strong=True)
        strip.digits("SEAT", type_seat)
        strip.add(".", "CLEAR" if model.typed else "BACK", clear if model.typed else leave)
        strip.floor()
        strip.when_pressed("ENTER", "Type the seat, then +.")
        detail = "The seat that threw its hand away before its turn, then +.  The turn stays."
        caption = "SEAT" if model.typed else ""
        return strip.prompt("PLAYER", "EARLY FOLD", detail, model.typed, caption)
