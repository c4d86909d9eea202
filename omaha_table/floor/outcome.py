"""What a ruling changes in chips: the stacks and the pot before it and after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from omaha_table.floor.spec import tracked
from omaha_table.table.decisions import decided, with_what_follows

if TYPE_CHECKING:
    from omaha_table.floor.spec import Effect
    from omaha_table.money import Cents
    from omaha_table.table import TableState


class Moved(NamedTuple):
    """Chips of a seat, or of the pot, before a ruling and after it."""

    seat: int | None
    """None: the pot."""
    before: Cents
    after: Cents


def table_after(state: TableState, effect: Effect) -> TableState:
    """The table as a ruling would leave it; raises Refused.

    If it ends the hand, with what waited for its end.
    """
    return with_what_follows(decided(state, effect.events)).state


def moved(before: TableState, after: TableState) -> tuple[Moved, ...]:
    """The pot first, then the seats whose tracked stacks are not the same."""
    made = [Moved(None, _pot(before), _pot(after))]
    for seat in sorted({*before.seats} & {*after.seats}):
        was, is_now = tracked(before, seat), tracked(after, seat)
        if was is not None and is_now is not None:
            made.append(Moved(seat, was, is_now))
    return tuple(one for one in made if one.before != one.after)


def _pot(state: TableState) -> Cents:
    return 0 if state.hand is None else state.hand.pot_total
