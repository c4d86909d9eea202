"""A command that the rules do not allow: what is wrong, what is allowed, which rule says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from omaha_table.rules import Profile

_RULES: Final = {
    "out_of_turn": "order_of_action",
    "cannot_check": "order_of_action",
    "cannot_bet": "order_of_action",
    "nobody_to_call": "order_of_action",
    "wrong_phase": "order_of_the_hand",
    "betting_open": "order_of_the_hand",
    "duplicate_card": "one_deck",
    "unknown_card": "one_deck",
    "card_count": "game.hole_cards",
    "no_such_seat": "seats.max",
    "no_such_pot": "showdown",
    "raise_cap": "betting.max_raises",
    "not_reopened": "betting.short_all_in_reopens",
    "bet_size": "limits.structure",
    "must_table": "showdown.must_table",
    "fee": "fee.by",
    "cards_speak": "showdown",
    "deck_not_ready": "shuffle.allowed",
    "misdeal_window": "misdeal.window",
    "not_authorised": "floor",
    "locked": "floor",
    "no_reason": "floor",
    "two_persons": "floor.two_persons_above",
    "chips": "floor",
}
"""The setting behind a refusal, or the name of a rule that no profile can change."""


def sentence(message: str) -> str:
    """A message with a capital letter and a period."""
    end = "" if message.endswith(("?", "!", ".")) else "."
    return f"{message[:1].upper()}{message[1:]}{end}"


class Refused(Exception):  # noqa: N818 - a refusal is an answer, not an error
    """Nothing has changed. `rule` is the profile's setting, `source` the document behind it."""

    def __init__(self, code: str, message: str, profile: Profile, rule: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.profile = profile
        self.rule = rule or _RULES.get(code, code)
        self.source = profile.source_of(self.rule)
