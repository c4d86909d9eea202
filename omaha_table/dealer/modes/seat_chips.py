"""The chips of a seat between hands: a buy-in, or a count of the whole stack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import Change, do, stay
from omaha_table.dealer.event_text import chips
from omaha_table.floor import BY_NAME
from omaha_table.table import commands as table
from omaha_table.table.events import ChipsBought
from omaha_table.table.seating import may_set_stack

if TYPE_CHECKING:
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.money import Cents
    from omaha_table.session.answer import Answer
    from omaha_table.table import SeatAtTable

_ADJUST: Final = BY_NAME["adjust"].number
_UNTRACK: Final = BY_NAME["untrack"].number


def chips_detail(at: SeatAtTable) -> str:
    """What is known of the chips, and what a typed amount is."""
    if at.stack is None:
        return "chips not tracked.   Count them all, then *."
    if at.fresh:
        return f"{chips(at.stack)} in chips.   Adds: amount, +.  All: amount, *."
    return f"{chips(at.stack)} in chips.   Chips: amount, then +."


def chip_keys(strip: Strip, seat: int, at: SeatAtTable, amount: Cents) -> None:
    """The keys once an amount is typed: `+` adds it, `*` says that it is all there is."""
    if not amount:
        _untrack_key(strip, seat, at)
        return
    tracked, typed = at.stack is not None, chips(amount)
    adds = f"ADDS {typed}" if tracked else f"ADDS {typed}, ONLY NOTED"
    short = "" if tracked else f"NOTES {typed}"
    strip.add("+", adds, do(table.Buy(seat, amount), _bought), strong=tracked, short=short)
    if may_set_stack(at):
        counted = do(table.SetStack(seat, amount))
        strip.add("*", f"HAS {typed} IN ALL", counted, strong=not tracked, short=f"HAS {typed}")
        strip.when_pressed("ENTER", f"Press + to add {typed}, or * if {typed} is the whole stack.")
    else:
        why = f"Seat {seat} has played: the floor corrects its stack with / and {_ADJUST}."
        strip.when_pressed("*", why)
        strip.when_pressed("ENTER", f"Press + to add {typed} to the stack.")


def _untrack_key(strip: Strip, seat: int, at: SeatAtTable) -> None:
    """`0` and `*`: nobody counts these chips any more."""
    if at.stack is None:
        strip.when_pressed("*", "The chips of this seat are not tracked.")
    elif may_set_stack(at):
        strip.add("*", "CHIPS NOT TRACKED", do(table.SetStack(seat, None)), strong=True)
    else:
        why = f"Seat {seat} has played: the floor stops tracking it with / and {_UNTRACK}."
        strip.when_pressed("*", why)


def _bought(model: Model, answer: Answer) -> Change:
    """Chips that are added to an unknown stack change nothing on the screen."""
    for record in answer.records:
        event = record.event
        if isinstance(event, ChipsBought) and not event.tracked:
            noted = f"Noted: seat {event.seat} adds {chips(event.amount)}."
            return Change(model.inform(f"{noted} Its stack is not tracked: count it, then *."))
    return stay(model, answer)
