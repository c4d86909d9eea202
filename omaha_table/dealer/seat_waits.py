"""What waits at a seat for the end of the hand, in the words of the felt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.dealer.event_text import chips
from omaha_table.table.seat_changes import seats_after_hand

if TYPE_CHECKING:
    from omaha_table.table import TableState


def waiting_at(state: TableState, seat: int) -> tuple[str, ...]:
    """What will have changed at a seat, in ever fewer words; empty: nothing waits."""
    changes = [asked.change for asked in state.asked if asked.change.seat == seat]
    if not changes:
        return ()
    now, then = state.seats.get(seat), seats_after_hand(state).get(seat)
    if then is None:
        return ("LEAVES",) if now is not None else ("STAYS OPEN",)
    sits = [at for at, change in enumerate(changes) if change.what == "seat"]
    bought = sum(
        change.amount or 0 for change in changes[sits[-1] if sits else 0 :] if change.amount
    )
    more = f"+{chips(bought)}" if bought else ""
    if sits:
        name = then.name.upper()
        whole = f"NEW: {name}{f' {chips(bought)}' if bought else ''}"
        return (whole, f"NEW: {name}", f"NEW: {name[:3]}")
    if now is not None and then.away != now.away:
        word, short = ("AWAY NEXT", "AWAY") if then.away else ("RETURNS", "BACK")
        forms = (f"{word} {more}", f"{short} {more}", f"{short}{more}", f"{len(changes)} WAIT")
        return forms if more else (word, short)
    return (more or "STAYS",)
