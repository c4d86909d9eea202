"""The drop and the awards of a hand by the rules, from the rows of its journal alone.

The summary that the program wrote at the end of the hand is compared with it and never used for
it; a hand is left out only for a cause that the rows show.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from omaha_table.rules import examine
from scripts.campaigns.truth import Felt, high, low

if TYPE_CHECKING:
    from omaha_table.rules import Profile
    from scripts.campaigns.night.ledger import Sum

FLOOR = {
    "hand_declared": "a hand declared dead or live",
    "pot_corrected": "a pot corrected",
    "board_corrected": "a board corrected",
    "remedy_ordered": "a board dealt again",
}
"""What the floor does in a hand that decides who wins what."""
ENDS = ("misdeal", "void", "fouled", "award")
"""Rulings that end a hand."""


def profile_of(others: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """The rules as the journal has them; they hold for all of its hands."""
    [opened] = others["table_opened"]
    assert "rules_changed" not in others
    found: dict[str, Any] = opened["profile"]
    return found


class Ruled:
    """A hand as the rules have it."""

    def __init__(self, hand: Sum, rules: dict[str, Any]) -> None:
        self.hand = hand
        profile, faults = examine(rules)
        assert profile is not None, faults
        self.profile: Profile = profile
        self.rules = rules
        none = dict.fromkeys(hand.dealt, 0)
        self.felt = Felt(hand.button, hand.dealt, dict(none), dict(none), dict(none), {})
        self.shown: dict[int, list[str]] = {}
        self.board: list[str] = []
        self.flop = False
        for _, kind, body in hand.rows:
            self._add(kind, body)
        self.left_out = self._left_out()

    def _add(self, kind: str, body: dict[str, Any]) -> None:
        felt, seat = self.felt, int(body.get("seat") or 0)
        if kind == "posted":
            (felt.dead if body["kind"] in ("ante", "dead") else felt.put)[seat] += body["amount"]
        elif kind == "acted":
            felt.put[seat] += body["amount"]
            if body["action"] == "fold":
                felt.folded.add(seat)
        elif kind == "board_dealt":
            self.board += body["cards"]
            self.flop |= body["street"] == "flop"
        elif kind == "fee_waived":
            felt.waived = True
        elif kind == "tabled":
            self.shown[seat] = body["cards"]
            if seat in felt.mucked:
                felt.mucked.remove(seat)
        elif kind == "mucked":
            self.shown.pop(seat, None)
            felt.mucked.append(seat)

    def _left_out(self) -> str:
        """Why the rules do not say what was to be paid; empty: they do."""
        kinds = {kind for _, kind, _ in self.hand.rows}
        rulings = [body["ruling"] for _, kind, body in self.hand.rows if kind == "ruled"]
        ended = self.hand.ended
        if ended["by_ruling"] or ended["outcome"] in ("misdeal", "void"):
            given = rulings[-1] if rulings else "none"
            assert given in ENDS, f"hand {self.hand.number} ended by ruling, which was {given}"
            return "called off or paid by a ruling"
        for kind, why in FLOOR.items():
            if kind in kinds:
                return why
        if "dealer_read" in kinds:
            return "read by the dealer"
        return ""

    def drop(self) -> tuple[int, int]:
        """The fee and the jackpot: by the hands dealt, once there is a flop, from the main pot or
        from the first that keeps something to win."""
        if not self.flop or self.felt.waived:
            return 0, 0
        [limit] = [limit for limit in self.rules["limits"] if limit["id"] == self.hand.limit]
        [due] = [row for row in limit["fees"] if _covers(row["players"], len(self.hand.dealt))]
        pots = [amount for amount, _ in self.felt.pots()]
        fee, jackpot = _cents(due["fee"]), _cents(due.get("jackpot", "0.00"))
        if self.rules["fee"].get("from", "main") == "main":
            pots = pots[:1]
        if fee >= max(pots):
            return 0, 0
        return fee, (jackpot if jackpot < max(pots) - fee else 0)

    def check(self) -> None:
        hand, felt = self.hand, self.felt
        felt.give_back_uncalled()
        put = {seat: felt.put[seat] + felt.dead[seat] for seat in hand.dealt}
        invested = hand.of("invested")
        assert invested == put, f"hand {hand.number}: put in {invested}, by the rules {put}"
        taken, due = (hand.ended["fee"], hand.ended["jackpot"]), self.drop()
        assert taken == due, f"hand {hand.number}: drop {taken}, by the rules {due}"
        awards = felt.awards(self.profile, sum(due), self.board, self.shown)
        pushed = hand.of("awards")
        assert pushed == awards, f"hand {hand.number}: pushed {pushed}, by the rules {awards}"

    def pokerkit_agrees(self) -> bool:
        """PokerKit has no floor and its own way with odd chips, with a low in side pots, with a
        drop from one of several pots, and with a winner who shows nothing."""
        felt, pots = self.felt, self.felt.pots()
        live = [seat for seat in felt.live() if seat not in felt.mucked]
        if self.left_out or len(pots) > 1:
            return False
        if len(felt.live()) == 1:
            return True
        if not set(live) <= set(self.shown):
            return False
        unit, left = self.profile.odd_chip.unit, pots[0][0] - sum(self.drop())
        highs = {seat: high(self.board, self.shown[seat]) for seat in live}
        tops = sum(value == min(highs.values()) for value in highs.values())
        lows = [low(self.board, self.shown[seat]) for seat in live]
        made = [value for value in lows if value is not None]
        if self.profile.game.split != "high_low" or not made:
            return left % (tops * unit) == 0
        return (
            left % (2 * unit)
            == left // 2 % (tops * unit)
            == left // 2 % (made.count(min(made)) * unit)
            == 0
        )


def _cents(text: str) -> int:
    dollars, _, cents = text.partition(".")
    return int(dollars) * 100 + int(cents)


def _covers(players: str, dealt: int) -> bool:
    least, _, most = players.removesuffix("+").partition("-")
    if players.endswith("+"):
        return dealt >= int(least)
    return int(least) <= dealt <= int(most or least)
