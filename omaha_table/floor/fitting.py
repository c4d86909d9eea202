"""Which rulings fit the moment: those that could be given now, whoever is asked about."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

from omaha_table.floor.authority import Give, read
from omaha_table.floor.rulings import RULINGS
from omaha_table.hand import Refused
from omaha_table.hand.phases import Phase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.floor.ruling import Ruling
    from omaha_table.table import TableState

_AMOUNTS: Final = ("1", "2", "4")


def fitting(state: TableState) -> list[Ruling]:
    """The rulings that would not be refused with some words."""
    return [ruling for ruling in RULINGS if _fits(state, ruling)]


def _fits(state: TableState, ruling: Ruling) -> bool:
    words = [word for word in ruling.usage.split()[1:] if word not in ("[N", "AMOUNT…]")]
    if ruling.name == "award":
        return state.hand is not None and state.hand.phase in (Phase.SHOWDOWN, Phase.PUSH)
    for tried in product(*[_candidates(state, word) for word in words]):
        try:
            read(state, Give((), ruling.name, tried))
        except Refused:
            continue
        return True
    return False


def _candidates(state: TableState, word: str) -> Iterator[str] | tuple[str, ...]:
    seats = tuple(map(str, sorted(state.seats)))
    match word:
        case "N" | "FROM" | "TO":
            return seats
        case "AMOUNT":
            return _amounts(state)
        case "COUNT":
            return ("1",)
        case "HAND":
            held = tuple(map(str, state.impounded))
            return (*(str(result.number) for result in state.results), *held)
        case "PLACE":
            return ("1",)
        case "CARD":
            return ("2c", "Kd", "7h", "As", "9c", "3d")
        case "ACTION":
            return ("fold", "check", "call", "bet", "raise")
        case "COLOUR":
            return tuple(sorted(state.decks_out)) or ("red",)
        case _:
            return tuple(word.split("|"))


def _amounts(state: TableState) -> tuple[str, ...]:
    hand = state.hand
    if hand is None:
        return _AMOUNTS
    bets = {str(at.bet // 100 + more) for at in hand.seats.values() for more in (0, 1)}
    price = {str((hand.price + hand.setup.stakes.bet(hand.street)) // 100)}
    return tuple(sorted({*_AMOUNTS, *bets, *price} - {"0"}))
