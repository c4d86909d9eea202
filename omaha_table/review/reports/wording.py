"""Names of rulings, flags and outcomes as a report writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.floor import BY_NAME

if TYPE_CHECKING:
    from collections.abc import Iterable

_FLAGS: Final = {
    "not_dealt": "tabled cards that were not dealt",
    "adjusted": "stack corrected",
    "picked_up": "chips picked up",
    "override": "floor ruling",
    "misdeal": "misdeal",
    "void": "voided",
    "irregular": "dealing irregularity",
    "device": "device problem",
    "out_of_turn": "fold out of turn",
    "time_up": "time ran out",
    "undo": "entry taken back",
    "not_done": "seat change not made",
    "refusal": "entry refused",
    "pin": "PIN refused",
    "recovered": "restart",
    "clock": "clock changed",
    "slow": "slow hand",
    "waived": "fee waived",
    "rules": "rules changed",
    "dealer_read": "winners named by the dealer",
    "called": "floor called",
    "kill": "kill pot",
}
"""What makes a hand worth a look."""


def flags_text(flags: Iterable[str]) -> str:
    return ", ".join(_FLAGS.get(flag, flag.replace("_", " ")) for flag in sorted(flags))


def ruling_title(name: str) -> str:
    """'Back up the action'; a ruling of another version keeps the name it was recorded under."""
    known = BY_NAME.get(name)
    return known.title if known is not None else name.replace("_", " ")


def staff_text(numbers: Iterable[str]) -> str:
    return " and ".join(numbers)


def quantity(count: int, noun: str, plural: str = "") -> str:
    """'1 hand', '2 hands', '1 box', '2 boxes'."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"
