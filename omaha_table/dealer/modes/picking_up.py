"""A player has been away too long: the dealer picks the chips up, and the seat is free."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.dealer.change import enter, leave_if_done
from omaha_table.dealer.event_text import chips
from omaha_table.dealer.modes.sure import Sure
from omaha_table.table import commands as table

if TYPE_CHECKING:
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip


def away_too_long(model: Model) -> int | None:
    """The first seat whose chips may be picked up now."""
    return next(iter(model.state.to_pick_up(model.wall)), None)


def pick_up_key(model: Model, strip: Strip, seat: int | None, cap: str) -> int | None:
    """The key that picks up the chips of a seat, if that is due; the seat."""
    if seat is None or seat not in model.state.to_pick_up(model.wall):
        return None
    what = "PICK UP" if model.state.seats[seat].stack != 0 else "FREE"
    strip.add(cap, f"{what} SEAT {seat}", enter(_sure(model, seat)), short=f"{what} {seat}")
    return seat


def away_detail(model: Model, seat: int) -> str:
    """A player who lost all the chips and bought no more may well be sitting there."""
    if model.state.seats[seat].stack == 0:
        return f"Seat {seat} has had no chips for too long: * frees the seat."
    return f"Seat {seat} is away too long: * picks the chips up."


def _sure(model: Model, seat: int) -> Sure:
    at = model.state.seats[seat]
    since = max(int(model.wall - at.away_since) // 60, 0) if at.away and at.away_since else 0
    gone = f"away {since} min" if since else f"missed {at.missed} big blinds"
    if at.stack == 0:
        return Sure(
            f"FREE SEAT {seat}?",
            f"{at.name}, {gone}. No chips: ask for a buy-in first."[:78],
            "YES, THE SEAT IS FREE",
            table.PickUp(seat),
            leave_if_done,
        )
    count = "Chips not tracked" if at.stack is None else f"{chips(at.stack)} in chips"
    return Sure(
        f"PICK UP SEAT {seat}?",
        f"{at.name}, {gone}. {count}: count, bag and call the floor."[:78],
        "YES, THE SEAT IS FREE",
        table.PickUp(seat),
        leave_if_done,
    )
