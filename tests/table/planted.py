"""A planted bug at the table, for campaigns that must find it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from omaha_table.hand.frozen import replace
from omaha_table.table import folding

if TYPE_CHECKING:
    from collections.abc import Callable


def box_forgets_a_dollar(put: Callable[[object, str, Callable[..., object]], None]) -> None:
    """The box forgets a dollar of every fee; `put` sets an attribute, as setattr does."""
    right = folding._end_hand

    def wrong(state: Any, event: Any) -> Any:
        return right(state, replace(event, fee=max(event.fee - 100, 0)))

    put(folding, "_end_hand", wrong)
