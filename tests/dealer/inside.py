"""What the dealer's front keeps to itself, for tests of other packages to compare with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.dealer.at_table import AtTable

if TYPE_CHECKING:
    from omaha_table.dealer.controller import Front


def keyed(front: Front) -> tuple[str, ...]:
    """The cards of a board or a hand that the dealer has keyed so far: they lie face up."""
    return tuple(front.mode._cards) if isinstance(front.mode, AtTable) else ()
