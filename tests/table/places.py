"""Hands in which everybody folds, and who posted what in them."""

from __future__ import annotations

from typing import Any

from tests.evenings import PLACED_HILO, codes, of_type, run


def seats(*numbers: int) -> str:
    return "".join(f"seat {n} P{n}\n" for n in numbers)


def folded(big: int) -> str:
    """A hand in which everybody folds to the big blind."""
    return f"deal\nfold to {big}\npush\n"


def started(script: str, rules: Any = PLACED_HILO) -> list[dict[str, Any]]:
    answers = run(script, rules)
    assert not codes(answers), of_type(answers, "refused")
    return of_type(answers, "hand_started")


def posts(hand: dict[str, Any]) -> list[tuple[int, str, int]]:
    return [(post["seat"], post["kind"], post["amount"]) for post in hand["posts"]]
