"""Whether the journals can be trusted, found out beside the review while it is being used."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from omaha_table.journal.verification import verify

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.review.index.store import Store

_TRIES: Final = 3


def trust(given: list[Path] | Store) -> tuple[bool, str]:
    """Whether chains, seals and replays of all journals are sound, and that in words."""
    if not (given if isinstance(given, list) else given.journals()):
        return False, "There is no journal any more"
    for _ in range(_TRIES):
        verdict = verify(given) if isinstance(given, list) else given.verdict()
        # A table that deals on can seal a hand between its rows and its witness being read.
        if verdict.sound or not verdict.open_days:
            break
    wrong = [damage.file for damage in verdict.damage]
    if wrong:
        more = f" and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        return False, f"Do not trust {wrong[0]}{more}: 'omaha-table verify' says why"
    at = time.strftime("%H:%M")
    if verdict.demo:
        return True, f"DEMO, its PINs are known: chain of {verdict.events:,} events verified {at}"
    return True, f"√ chain of {verdict.events:,} events verified {at}, not anchored"
