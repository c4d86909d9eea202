"""One hand from posting to push: commands in, events out, the state folded from them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from omaha_table.hand.betting import misdeal_window_open
    from omaha_table.hand.decisions import Decision, decide
    from omaha_table.hand.fees import fee_per_player, unpaid
    from omaha_table.hand.folding import apply
    from omaha_table.hand.opening import post, start
    from omaha_table.hand.refusal import Refused
    from omaha_table.hand.state import HandState
    from omaha_table.hand.steps import Choice, Step, step

__all__ = [
    "Choice",
    "Decision",
    "HandState",
    "Refused",
    "Step",
    "apply",
    "decide",
    "fee_per_player",
    "misdeal_window_open",
    "post",
    "start",
    "step",
    "unpaid",
]
_MODULES: Final = {
    "Choice": "steps", "Decision": "decisions", "HandState": "state", "Refused": "refusal",
    "Step": "steps", "apply": "folding", "decide": "decisions", "fee_per_player": "fees",
    "misdeal_window_open": "betting", "post": "opening", "start": "opening", "step": "steps",
    "unpaid": "fees",
}  # fmt: skip


def __getattr__(name: str) -> object:
    # On first use: the calculator splits pots with `hand.split` and starts sooner without a table.
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = found
    return found
