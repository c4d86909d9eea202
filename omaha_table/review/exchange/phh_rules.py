"""The rules an imported hand is played by: a profile, with the stakes of the file."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Final

from omaha_table.money import format_dollars
from omaha_table.review.exchange.phh_read import PhhError
from omaha_table.rules import load_profile, shipped_ids
from omaha_table.rules.load import examine

if TYPE_CHECKING:
    from omaha_table.money import Cents
    from omaha_table.review.exchange.phh_read import PhhHand
    from omaha_table.rules import Limit, Profile

_RULES: Final = {
    (4, False): "ca_omaha_high",
    (4, True): "ca_omaha_hilo",
    (5, False): "nj_big_omaha_high",
    (5, True): "ca_big_o",
}


def rules_for(hand: PhhHand, chosen: Profile | None) -> tuple[Profile, Limit]:
    """The rules to play a hand by, with the stakes of the file as their only limit."""
    named = hand.rules if hand.rules in shipped_ids() else ""
    base = chosen or load_profile(named or _RULES[hand.hole_cards, hand.splits])
    if (base.game.hole_cards, base.splits) != (hand.hole_cards, hand.splits):
        raise PhhError(hand.where, f"the rules {base.id} are for a different game")
    small, big = _blinds(hand)
    amounts = [hand.small_bet, hand.big_bet or 0, small, big, *hand.antes, hand.fee, hand.jackpot]
    stakes = {
        "id": _limit_id(hand),
        "structure": hand.structure,
        "small_bet": _dollars(hand.small_bet),
        "small_blind": _dollars(small),
        "big_blind": _dollars(big),
        "ante": _dollars(max(hand.antes)),
        "ante_by": _ante_by(hand),
        "fees": [{"players": "2+", "fee": _dollars(hand.fee), "jackpot": _dollars(hand.jackpot)}],
    }
    if hand.big_bet is not None:
        stakes["big_bet"] = _dollars(hand.big_bet)
    data = base.as_data()
    data["limits"] = [stakes]
    if chosen is None:
        data["game"]["low_qualifier"] = hand.low_qualifier
    # The file says who showed. A rule of the house about that would refuse a hand that was played.
    data["showdown"]["must_table"] = "winners"
    del data["kill"]  # no hand of a file begins with one
    data["odd_chip"]["unit"] = _dollars(gcd(base.odd_chip.unit, *amounts))
    data["sources"] = {key: text for key, text in base.sources.items() if "limits" not in key}
    profile, faults = examine(data)
    wrong = [str(fault) for fault in faults if not fault.warning]
    if profile is None or wrong:
        raise PhhError(hand.where, wrong[0] if wrong else "its stakes are not a valid limit")
    return profile, profile.limits[0]


def _limit_id(hand: PhhHand) -> str:
    high = hand.big_bet if hand.big_bet is not None else max(hand.blinds)
    return f"{hand.small_bet / 100:g}-{high / 100:g}"[:16]


def _dollars(cents: Cents) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def _ante_by(hand: PhhHand) -> str:
    """Everybody alike, or the big blind alone."""
    if len(set(hand.antes)) == 1:
        return "all"
    posted = [at for at, cents in enumerate(hand.antes) if cents]
    if posted == [0 if len(hand.antes) == 2 else 1]:
        return "big_blind"
    raise PhhError(
        hand.where,
        "antes: everybody posts the same ante, or only the big blind posts one",
    )


def _blinds(hand: PhhHand) -> tuple[Cents, Cents]:
    """Small and big blind: of the first two players, or of two the second and the first."""
    posted = hand.blinds[::-1] if len(hand.blinds) == 2 else hand.blinds
    small, big, *others = posted
    if any(others):
        n = next(n for n, cents in enumerate(posted, start=1) if n > 2 and cents)
        raise PhhError(
            hand.where,
            f"blinds_or_straddles: p{n} posts {format_dollars(posted[n - 1])}; straddles, "
            "kills and late posts cannot be imported",
        )
    if not big or (not small and len(hand.blinds) > 2 and hand.blinds[0] == 0):
        raise PhhError(hand.where, "blinds_or_straddles: a small and a big blind are needed")
    return small, big
