"""What the dealer's console keeps to itself, for tests of other packages to compare with."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from omaha_table.dealer.console import Console


def keyed(console: Console) -> tuple[str, ...]:
    """The cards of a board or a hand that the dealer has keyed so far: they lie face up."""
    return console.model.half.cards
