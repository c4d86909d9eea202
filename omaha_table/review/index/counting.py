"""Whether a box can be counted, asked before anybody types a PIN: by commands and by the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

    from omaha_table.money import Cents
    from omaha_table.office.state import CountKey
    from omaha_table.review.index.box_openings import OpenedBox
    from omaha_table.review.index.ledger import Ledger

NO_BOX: Final = ("", "none")
"""How a shift without a jackpot box names it."""
Obstacle: TypeAlias = Literal[
    "", "fault", "still_open", "no_jackpot_box", "elsewhere", "counted_before", "not_counted"
]


def obstacle(
    ledger: Ledger,
    opened: Iterable[OpenedBox],
    key: CountKey,
    jackpot: Cents | None,
    reason: str,
) -> Obstacle:
    """What speaks against recording a count as it was given; empty: nothing."""
    if ledger.fault:
        return "fault"
    if any(box.is_open and box.key == key for box in opened):
        return "still_open"
    if jackpot is not None and key.jackpot_box in NO_BOX:
        return "no_jackpot_box"
    before = ledger.count_of(key)
    if before is not None and not ledger.is_own(before):
        return "elsewhere"
    if before is not None and not reason.strip():
        return "counted_before"
    if before is None and reason.strip():
        return "not_counted"
    return ""


def still_open(table: str, key: CountKey) -> str:
    """What to say of a box that is at its table."""
    return (
        f"Shift {key.shift} is still open at {table}, so its box is still being filled. Close "
        "the shift at the table, then count."
    )
