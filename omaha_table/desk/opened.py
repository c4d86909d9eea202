"""Whether a hand that was tabled is the hand that was dealt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.journal.sealed import SealError, open_with_key

if TYPE_CHECKING:
    from omaha_table.hand.events import Tabled
    from omaha_table.table.events import SealedSeat, SeatOpened


def not_as_dealt(
    opened: SeatOpened,
    sealed: SealedSeat | None,
    tabled: Tabled | None,
    table: str,
    day: str,
    hand: int,
) -> str:
    """What is wrong with a seat whose key was published; empty: what it tabled was dealt to it.

    Cards are not named: those that were dealt and not tabled have never been face up.
    """
    if sealed is None or tabled is None:
        return "a seat was opened that was not sealed and tabled"
    try:
        cards = open_with_key(sealed, bytes.fromhex(opened.key), table, day, hand)
    except (SealError, ValueError) as error:
        return f"seat {opened.seat}: {error}"
    if set(cards) != set(tabled.cards):
        return f"seat {opened.seat} tabled other cards than it was dealt"
    return ""
