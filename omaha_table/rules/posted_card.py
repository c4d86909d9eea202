"""The posted-rules card: a profile in words, with the document behind each line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.money import format_dollars

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.rules.profile import FeeBracket, Limit, Profile

_STRUCTURES: Final = {
    "limit": "fixed limit",
    "spread": "spread limit",
    "pot_limit": "pot limit",
    "no_limit": "no limit",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the card: a heading, what holds, and where it comes from."""

    topic: str
    text: str
    source: str


def card(profile: Profile) -> Iterator[Line]:
    """Every line of the card, limits last."""

    def line(topic: str, text: str, setting: str) -> Line:
        return Line(topic, text, profile.source_of(setting))

    game = profile.game
    kind = "High/Low split, 8 or better" if profile.splits else "High"
    yield line(
        "Game", f"{kind}; {game.hole_cards} cards, two of them and three of the board", "game"
    )
    if profile.splits:
        yield line("Low", _LOW, "game.low_qualifier")
    yield from (line(*row) for row in _table_rows(profile))
    yield from (line(*row) for row in _betting_rows(profile))
    for limit in profile.limits:
        yield from (line(*row) for row in _limit_rows(limit))


_LOW: Final = "five different ranks, none above an eight; straights and flushes do not count"


def _table_rows(profile: Profile) -> Iterator[tuple[str, str, str]]:
    seats, button = profile.seats, profile.button
    text = f"{seats.max}"
    if seats.hands < seats.max:
        who = {
            "button": "the button gets none",
            "under_the_gun": "the seat left of the big blind gets none",
            "floor": "the floor says who gets none",
        }[seats.no_hand_seat]
        text += f"; at most {seats.hands} hands, {who} when more are seated"
    yield "Seats", text, "seats.no_hand_seat"
    methods = {"machine": "by machine", "manual": "by hand"}
    yield "Shuffle", " or ".join(methods[m] for m in profile.shuffle.allowed), "shuffle"
    first = "highest card drawn, suit breaks ties" if button.initial == "high_card" else "placed"
    move = "from player to player" if button.method == "moving" else "dead button"
    yield "Button", f"{first}; moves {move}", "button"
    if button.heads_up_small_blind_on_button:
        yield (
            "Two players",
            "the small blind is on the button",
            "button.heads_up_small_blind_on_button",
        )


def _betting_rows(profile: Profile) -> Iterator[tuple[str, str, str]]:
    betting, showdown, odd = profile.betting, profile.showdown, profile.odd_chip
    if betting.max_raises:
        lifted = {
            "before_cap": "no cap once two are left before it is reached",
            "street_start": "no cap with two players at the start of a street",
            "never": "also with two players",
        }[betting.heads_up_uncapped]
        yield "Raises", f"a bet and {betting.max_raises} raises; {lifted}", "betting.max_raises"
    else:
        yield "Raises", "no cap", "betting.max_raises"
    half = betting.short_all_in_reopens == "half_bet"
    yield (
        "Short all-in",
        f"reopens fixed-limit betting at {'half a bet' if half else 'a full bet'}; "
        "otherwise at a full raise",
        "betting.short_all_in_reopens",
    )
    window = {
        "rrop_two_acted": "until two seats have acted",
        "tda_substantial": "until substantial action",
    }[profile.misdeal.window]
    yield "Misdeal", f"can be called {window}", "misdeal.window"
    first = {"last_aggressor": "the last to bet or raise", "first_actor": "the first to act"}
    tables = "all live hands are tabled" if showdown.must_table == "all" else "winners table"
    yield "Showdown", f"{first[showdown.first]} shows first; {tables}", "showdown"
    unit = format_dollars(odd.unit)
    if profile.splits:
        side = {"high": "to the high half", "left_of_button": "to the winner left of the button"}
        yield "Odd chip", f"{unit}; between high and low {side[odd.side]}", "odd_chip.side"
    ties = {"all_to_first": "all to the first", "one_each": "one each"}
    yield (
        "Odd chip" if not profile.splits else "",
        f"{unit if not profile.splits else 'between ties'}; {ties[odd.tie]} left of the button",
        "odd_chip.tie",
    )
    trigger = profile.fee.trigger
    short = "waived" if profile.fee.short_pot == "waive" else "the pot at most"
    yield "Fee", f"from the pot once the {trigger} is dealt; pot too small: {short}", "fee.trigger"


def _limit_rows(limit: Limit) -> Iterator[tuple[str, str, str]]:
    bets = format_dollars(limit.small_bet)
    if limit.big_bet is not None:
        bets += f"-{format_dollars(limit.big_bet)}"
    yield f"Limit {limit.id}", f"{bets} {_STRUCTURES[limit.structure]}", "limits.structure"
    blinds = f"blinds {format_dollars(limit.small_blind)} and {format_dollars(limit.big_blind)}"
    ante = f", ante {format_dollars(limit.ante)}" if limit.ante else ""
    if ante and limit.ante_by == "big_blind":
        ante += " by the big blind for all"
    yield "", blinds + ante, "limits.big_blind"
    yield "", "fee " + "; ".join(map(_fee, limit.fees)), "limits.fees"
    if limit.kill is not None:
        kill = limit.kill
        yield (
            "",
            f"{kill.kind} kill: {format_dollars(kill.small_bet)}-{format_dollars(kill.big_bet)}, "
            f"blind {format_dollars(kill.blind)}, after one player wins a whole pot of "
            f"{format_dollars(kill.threshold or 0)} or more",
            "limits.kill",
        )


def _fee(bracket: FeeBracket) -> str:
    first, last = bracket.players
    if last is None:
        hands = f"{first} or more hands"
    else:
        hands = f"{first} hands" if first == last else f"{first} to {last} hands"
    jackpot = f" and {format_dollars(bracket.jackpot)} jackpot" if bracket.jackpot else ""
    return f"{format_dollars(bracket.fee)}{jackpot} for {hands}"
