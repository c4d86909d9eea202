"""The soak's dealer, floor and players: from how the table stands to the next keys.

The dealer does what the screen asks for and never more; what is keyed is what truly lies on the
felt, which the soak knows by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from omaha_table.dealer.pad import RANKS, SUITS

if TYPE_CHECKING:
    import random

    from scripts.campaigns.soak.process import Standing

PIN, SECOND_PIN = "4711", "4712"
_KEY_OF_RANK = {rank: typed for typed, rank in RANKS.items()}
_KEY_OF_SUIT = {suit: key for key, suit in SUITS.items()}


def card_keys(card: str) -> list[str]:
    return [*_KEY_OF_RANK[card[0]], _KEY_OF_SUIT[card[1]]]


def line_with(said: Standing, text: str) -> str | None:
    """The number before a line of a page that holds a text."""
    return next((line[0] for line in said["page"] if text in line and line[:1].isdigit()), None)


class Temper:
    """How a player plays: some are tight, some call everything, some push it all in."""

    def __init__(self, rng: random.Random) -> None:
        self.folds = rng.choice((0.1, 0.3, 0.6))
        self.raises = rng.choice((0.05, 0.2, 0.4))
        self.shoves = rng.choice((0.0, 0.0, 0.02, 0.1))
        self.mucks = rng.choice((0.05, 0.3))

    def choose(
        self, choices: dict[str, list[int | None]], rng: random.Random
    ) -> tuple[str, int | None]:
        """A word and, where it is the player's to say, the total in front."""
        roll = rng.random()
        sized = choices.get("raise") or choices.get("bet")
        word = "raise" if "raise" in choices else "bet"
        if "allin" in choices and choices["allin"][0] is not None and roll < self.shoves:
            return "allin", choices["allin"][0]
        if sized is not None and roll < self.shoves + self.raises:
            least, most = sized[0] or 0, sized[1] if sized[1] is not None else 4 * (sized[0] or 0)
            if least == most:
                return word, least
            asked = least + int((most - least) * rng.random() ** 3) // 100 * 100
            # Amounts are typed in whole dollars; what is not a whole one is left to `*`.
            return (word, asked) if asked % 100 == 0 else ("call", None)
        if "check" in choices:
            return "check", None
        return ("fold", None) if rng.random() < self.folds else ("call", None)


def action_keys(word: str, to: int | None, sized: Any, *, filled: bool) -> list[str]:
    match word:
        case "fold" | "muck":
            return ["-"]
        case "raise" | "bet":
            fixed = sized is not None and sized[0] == sized[1]
            return ["+"] if fixed else [*str((to or 0) // 100), "enter"]
        case "allin":
            return ["*", "enter"] if filled else ["+"]
        case _:
            return ["enter"]
