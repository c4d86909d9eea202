"""What an emulated device keeps to itself, for tests of other packages to compare with."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from omaha_drivers.emulate.tdp import ShoeModel


def next_card(model: ShoeModel) -> list[str]:
    """The card that leaves the shoe next, if there is one."""
    return model._cards[model.drawn : model.drawn + 1]
