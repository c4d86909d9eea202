"""A hand as PHH, the poker hand history format: TOML, money in dollars, players from the left of
the button.

PHH has codes for two of our games, `PO` (pot-limit Omaha) and `FO/8` (fixed-limit Omaha high/low).
The others get a code of the same make behind an underscore, so that a reader sees at once that it
is an extension: `_` + structure (`F`ixed, `P`ot, `N`o limit, `S`pread) + `5` for five hole cards +
`O` + `/8` for high/low. `_F5O/8` is fixed-limit Big O.

A fold out of turn stands where it happened, with the comment `# out of turn`: a reader that knows
only folds in turn will not follow it.

PHH wants a stack for every player. One that the table does not track is written as
`UNTRACKED`, a million dollars, and its player is named in `_untracked`; one that went all in has
shown what it had. What PHH has no field for begins with an underscore: `_fee`, `_jackpot`,
`_button` (a seat), `_no_hand` (seats that got no hand), `_away_posts` (a seat and what was posted
from its chips while its player was away: a kill), `_outcome`, `_rules`, `_limit`, `_day`,
`_readings` (the dealer named the winners), `_by_floor` (the rules alone do not tell who won),
`_invested` and `_returned` (what every player lost to the pots, and got back uncalled),
`_waived` (due and not taken), `_fee_returned`, `_later` (what rulings moved after the push: what,
seat, other seat, amount), `_low_qualifier` (of a game whose low is not 8 or better; 0 is any),
`_fees_paid` (by every player, where the fee does not come out of the pot).
The time is when the hand was played, also of an imported one, if its file said so.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import UTC
from typing import TYPE_CHECKING, Any, Final

from omaha_table.hand.events import DealerRead
from omaha_table.review.exchange.hand_actions import (
    HandAction,
    actions_of,
    away_posts,
    corrections_of,
    decided_by_floor,
    known_stacks,
    name_of,
    stakes_of,
    when,
)
from omaha_table.text import escaped

if TYPE_CHECKING:
    from collections.abc import Iterable

    from omaha_table.cards import Card
    from omaha_table.money import Cents
    from omaha_table.review.index.hands import Played
    from omaha_table.rules.profile import Structure

UNTRACKED: Final[Cents] = 100_000_000
EARLY: Final = " # out of turn"
"""After a fold that PHH, which knows folds in turn alone, would not expect there."""
OFFICIAL: Final = frozenset({"PO", "FO/8"})
_LETTERS: Final[dict[Structure, str]] = {
    "limit": "F",
    "pot_limit": "P",
    "no_limit": "N",
    "spread": "S",
}
_CODE: Final = re.compile(r"(_?)([FPNS])(5?)O(/8)?")


class Money(int):
    """Cents that are written as dollars."""

    def __str__(self) -> str:
        whole, part = divmod(abs(int(self)), 100)
        sign = "-" if self < 0 else ""
        return f"{sign}{whole}.{part:02}" if part else f"{sign}{whole}"


def variant_of(structure: Structure, hole_cards: int, *, splits: bool) -> str:
    """The code of a game."""
    five = "5" if hole_cards == 5 else ""
    code = f"{_LETTERS[structure]}{five}O{'/8' if splits else ''}"
    return code if code in OFFICIAL else f"_{code}"


def game_of(code: str) -> tuple[Structure, int, bool] | None:
    """Structure, hole cards and whether it splits; None for a game that is not ours."""
    match = _CODE.fullmatch(code)
    if match is None or bool(match[1]) == (code.lstrip("_") in OFFICIAL):
        return None
    [structure] = [name for name, letter in _LETTERS.items() if letter == match[2]]
    return structure, 5 if match[3] else 4, bool(match[4])


def phh_of(hand: Played) -> str:
    """A finished hand as the text of a `.phh` file."""
    return "".join(
        f"{key} = {_lines(value) if key == 'actions' else _toml(value)}\n"
        for key, value in _fields(hand).items()
    )


def _fields(hand: Played) -> dict[str, Any]:
    ended = hand.ended
    if ended is None:
        raise ValueError("a hand that has not ended")
    profile, started, dealt = hand.profile, hand.started, hand.started.dealt
    stakes = stakes_of(hand)
    antes, blinds = _posts(hand)
    stacks = known_stacks(hand)
    at = when(hand)
    zone = {} if at.tzinfo is None else {"time_zone": "UTC"}
    at = at if at.tzinfo is None else at.astimezone(UTC)
    fields: dict[str, Any] = {
        "variant": variant_of(stakes.structure, profile.game.hole_cards, splits=profile.splits),
        "antes": antes,
        "blinds_or_straddles": blinds,
    }
    if stakes.structure == "limit":
        fields["small_bet"] = Money(stakes.small_bet)
        fields["big_bet"] = Money(stakes.big_bet or stakes.small_bet)
    else:
        fields["min_bet"] = Money(stakes.small_bet)
    if stakes.structure == "spread":
        fields["_max_bet"] = Money(stakes.big_bet or stakes.small_bet)
    fields |= {
        "starting_stacks": [Money(_or_untracked(stacks[seat])) for seat in dealt],
        "actions": _actions(hand),
        "time": at.time().replace(microsecond=0, tzinfo=None),
        **zone,
        "day": at.day,
        "month": at.month,
        "year": at.year,
        "hand": hand.number,
        "seats": list(dealt),
        "seat_count": profile.seats.max,
        "table": hand.table,
        "players": [name_of(hand, seat) for seat in dealt],
    }
    if all(seat in ended.stacks and ended.stacks[seat] == _after(hand, seat) for seat in dealt):
        # Left out where a ruling moved chips during the hand that are not of it.
        fields["finishing_stacks"] = [Money(ended.stacks[seat]) for seat in dealt]
    fields |= {
        "winnings": [Money(ended.awards.get(seat, 0)) for seat in dealt],
        "currency": "USD",
        "currency_symbol": "$",
        "_rules": profile.id,
        "_limit": hand.limit.id,
        "_day": hand.day,
        "_button": started.button,
        "_outcome": ended.outcome,
        "_fee": Money(ended.fee),
        "_jackpot": Money(ended.jackpot),
        "_invested": [Money(ended.invested.get(seat, 0)) for seat in dealt],
        "_returned": [Money(ended.returned.get(seat, 0)) for seat in dealt],
    }
    if hand.fees_paid:
        fields["_fees_paid"] = [Money(hand.fees_paid.get(seat, 0)) for seat in dealt]
    if profile.splits and profile.game.low_qualifier != 8:
        fields["_low_qualifier"] = profile.game.low_qualifier
    if hand.waived:
        fields["_waived"] = Money(hand.waived)
    if hand.refunded:
        fields["_fee_returned"] = Money(hand.refunded)
    if hand.later:
        fields["_later"] = [
            f"{moved.kind} {moved.seat}{'' if moved.to is None else f' {moved.to}'} "
            f"{Money(moved.amount)}{' adjusting' if moved.adjusting else ''}"
            for moved in corrections_of(hand)
        ]
    unknown = [f"p{n}" for n, seat in enumerate(dealt, start=1) if stacks[seat] is None]
    if unknown:
        fields["_untracked"] = unknown
    if started.no_hand:
        fields["_no_hand"] = list(started.no_hand)
    if away := away_posts(hand):
        fields["_away_posts"] = [f"{seat} {Money(cents)}" for seat, cents in away.items()]
    readings = _readings(hand)
    if readings:
        fields["_readings"] = readings
    if decided_by_floor(hand):
        fields["_by_floor"] = True
    return fields


def _after(hand: Played, seat: int) -> Cents | None:
    """The stack that the hand itself left the seat with."""
    ended, before = hand.ended, hand.started.stacks[seat]
    if ended is None or before is None:
        return None
    before -= hand.fees_paid.get(seat, 0)
    return before - ended.invested.get(seat, 0) + ended.awards.get(seat, 0)


def _or_untracked(stack: Cents | None) -> Cents:
    return UNTRACKED if stack is None else stack


def _posts(hand: Played) -> tuple[list[Money], list[Money]]:
    """What each player must post: dead money as antes, live money as blinds.

    A post that does not change who acts first, a kill or a late one, is negative. Between two
    players PHH lists the small blind first, though its player is the second; where both blinds are
    alike the sign tells who has the small one, and acts first.
    """
    dead: Counter[int] = Counter()
    live: Counter[int] = Counter()
    for post in hand.started.posts:
        (dead if post.kind in ("ante", "dead") else live)[post.seat] += post.amount
    for post in hand.started.posts:
        if post.kind in ("kill", "late") and post.seat != hand.started.big_blind:
            live[post.seat] = -live[post.seat]
    if len(hand.started.dealt) == 2 and len({*live.values()}) == 1:
        button = hand.started.dealt[1]
        live[button] = -live[button]
    order = hand.started.dealt if len(hand.started.dealt) > 2 else hand.started.dealt[::-1]
    return [Money(dead[seat]) for seat in order], [Money(live[seat]) for seat in order]


def _actions(hand: Played) -> list[str]:
    player = {seat: f"p{n}" for n, seat in enumerate(hand.started.dealt, start=1)}
    unseen = "??" * hand.profile.game.hole_cards
    actions = [f"d dh {name} {unseen}" for name in player.values()]
    for act in actions_of(hand):
        text = _action(act, "" if act.seat is None else player.get(act.seat, ""))
        if text:
            actions.append(text)
    return actions


def _action(act: HandAction, player: str) -> str:
    match act.kind:
        case "fold":
            return f"{player} f{EARLY if act.early else ''}"
        case "check" | "call":
            return f"{player} cc"
        case "bet" | "raise":
            return f"{player} cbr {Money(act.to)}"
        case "board":
            return f"d db {_together(act.cards)}"
        case "show":
            return f"{player} sm {_together(act.cards)}"
        case "muck":
            return f"{player} sm"
        case _:
            return ""


def _together(cards: Iterable[Card]) -> str:
    return "".join(card.text for card in cards)


def _readings(hand: Played) -> list[str]:
    """The dealer's readings that stand, such as 'high p1 p3', 'low none' or 'high p2 pot 1'."""
    player = {seat: f"p{n}" for n, seat in enumerate(hand.started.dealt, start=1)}
    return [
        " ".join(
            [
                event.side,
                *([player[seat] for seat in event.seats] or ["none"]),
                *([] if event.pot is None else ["pot", str(event.pot)]),
            ]
        )
        for moment in hand.standing
        if isinstance(event := moment.event, DealerRead)
    ]


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return escaped(json.dumps(value, ensure_ascii=False))
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return str(value)


def _lines(items: list[str]) -> str:
    """One a line, so that a refusal can name the line."""
    return "[\n" + "".join(f"  {_toml(item)},\n" for item in items) + "]"
