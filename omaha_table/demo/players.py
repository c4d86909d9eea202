"""Simulated players. They see what everybody sees, announce what they do, and never see a card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from omaha_table.hand import Choice, Step
    from omaha_table.money import Cents


@dataclass(frozen=True, slots=True)
class Intent:
    """What a player wants to do; `word` is the script command for it."""

    word: str
    amount: Cents | None = None
    """The total in front of the seat, if the player chooses it."""

    def announcement(self) -> str:
        """What the player says at the table."""
        match self.word:
            case "raise" | "bet" if self.amount is not None:
                to = "raise to" if self.word == "raise" else "bet"
                return f"{to} {self.amount // 100:,}"
            case "allin":
                return "all in"
            case "show":
                return "tables the hand"
            case "muck":
                return "mucks"
            case _:
                return self.word


def choose(step: Step, rng: random.Random, boldness: float = 0.16) -> Intent:
    """What the seat to act does: often a call, sometimes a fold or a raise."""
    choices = {choice.word: choice for choice in step.choices}
    roll = rng.random()
    if step.what == "show":
        mucks = "muck" in choices and roll < 0.25
        return Intent("muck" if mucks else "show")
    sized = choices.get("raise") or choices.get("bet")
    if sized is not None and roll < boldness:
        amount = _size(sized, rng)
        all_in = choices.get("allin")
        if all_in is not None and all_in.least == (amount or sized.least):
            return Intent("allin")
        return Intent(sized.word, amount)
    if "check" in choices:
        return Intent("check")
    if roll > 1 - 0.22:
        return Intent("fold")
    return Intent("call")


def least_of(step: Step, word: str) -> Intent:
    """The least bet or raise; without an amount where it is fixed, and with all chips all in."""
    choice = next(choice for choice in step.choices if choice.word == word)
    return Intent(word, None if choice.least == choice.most else choice.least)


def _size(choice: Choice, rng: random.Random) -> Cents | None:
    if choice.least == choice.most:
        return None
    least = choice.least or 0
    most = choice.most if choice.most is not None else 4 * least
    wanted = least + int((most - least) * rng.random() ** 3) // 100 * 100
    return min(max(wanted, least), most)


def keys(intent: Intent) -> list[str]:
    """The keys with which a dealer records it."""
    match intent.word:
        case "fold" | "muck":
            return ["-"]
        case "raise" | "bet":
            if intent.amount is None:
                return ["+"]
            return [*str(intent.amount // 100), "enter"]
        case "allin":
            return ["*", "enter"]
        case _:
            return ["enter"]


def single_keys(strokes: Sequence[str]) -> list[str]:
    """Key by key: a card is written as one word."""
    return [key for stroke in strokes for key in ((stroke,) if stroke == "enter" else stroke)]
