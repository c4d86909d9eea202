"""The posted-rules card: a profile in words, with what is behind each rule.

A line can hold several rules, and each of them has a source of its own: what two documents say must
not be credited to one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.money import format_dollars

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.rules.profile import FeeBracket, Kill, Limit, Profile

_STRUCTURES: Final = {
    "limit": "fixed limit",
    "spread": "spread limit",
    "pot_limit": "pot limit",
    "no_limit": "no limit",
}
_HEIGHTS: Final = {
    0: "five different ranks of any height",
    7: "five different ranks, none above a seven",
    8: "five different ranks, none above an eight",
    9: "five different ranks, none above a nine",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the card: what holds, the setting that says so, and where that comes from."""

    text: str
    setting: str
    source: str
    joined_by: str
    """What stands between this rule and the one before it on the line."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the card: a heading, empty where it goes on, and its rules."""

    topic: str
    rules: tuple[Rule, ...]

    @property
    def text(self) -> str:
        first, *rest = self.rules
        return first.text + "".join(rule.joined_by + rule.text for rule in rest)

    @property
    def sources(self) -> tuple[str, ...]:
        """One for each rule, in their order; only one where all rules have the same."""
        found = tuple(rule.source for rule in self.rules)
        return found[:1] if len({*found}) == 1 else found

    @property
    def source(self) -> str:
        return "; ".join(dict.fromkeys(self.sources))


_Row = tuple[str, "list[tuple[str, ...]]"]
"""A topic, and for each rule its words, its setting, and what joins it to the rule before."""


def card(profile: Profile) -> Iterator[Line]:
    """Every line of the card, limits last."""
    for topic, parts in _rows(profile):
        yield Line(topic, tuple(_rule(profile, *part) for part in parts))


def limit_texts(limit: Limit) -> list[str]:
    """A limit in words: bets, blinds, fee and kill, a line each."""
    lines = []
    for _, ((text, *_), *rest) in _limit_rows(limit):
        lines.append(text + "".join(_joined(*part) for part in rest))
    return lines


def _joined(text: str, setting: str, joined_by: str = "; ") -> str:
    return joined_by + text


def _rule(profile: Profile, text: str, setting: str, joined_by: str = "; ") -> Rule:
    return Rule(text, setting, profile.source_of(setting), joined_by)


def _rows(profile: Profile) -> Iterator[_Row]:
    yield from _game_rows(profile)
    yield from _table_rows(profile)
    yield from _betting_rows(profile)
    yield from _showdown_rows(profile)
    yield "Fee", _fee(profile)
    for limit in profile.limits:
        yield from _limit_rows(limit)
    if any(limit.kill for limit in profile.limits):
        yield "Kill", [(_ABSENT_KILLER[profile.kill.absent], "kill.absent")]


_ABSENT_KILLER: Final = {
    "stands": "a killer who is away posts it from the chips on the table; one who has left owes "
    "it, and the next hand is a kill hand all the same",
    "owed": "a killer who is not dealt in owes it, and the next hand is not a kill hand",
}


def _game_rows(profile: Profile) -> Iterator[_Row]:
    game = profile.game
    cards = [
        (f"{game.hole_cards} cards", "game.hole_cards"),
        ("two of them and three of the board", "game", ", "),
    ]
    if not profile.splits:
        yield "Game", [("High", "game.split"), *cards]
        return
    better = f"{game.low_qualifier} or better" if game.low_qualifier else "no qualifier"
    split = [("High/Low split", "game.split"), (better, "game.low_qualifier", ", ")]
    yield "Game", [*split, *cards]
    low = "game.low_qualifier"
    yield (
        "Low",
        [(_HEIGHTS[game.low_qualifier], low), ("straights and flushes do not count", low)],
    )


def _table_rows(profile: Profile) -> Iterator[_Row]:
    seats, button = profile.seats, profile.button
    parts: list[tuple[str, ...]] = [(f"{seats.max}", "seats.max")]
    if seats.hands < seats.max:
        who = {
            "button": "the button gets none",
            "under_the_gun": "the seat left of the big blind gets none",
            "floor": "the floor says who gets none",
        }[seats.no_hand_seat]
        parts += [
            (f"at most {seats.hands} hands", "seats.max_hands"),
            (f"{who} when more are seated", "seats.no_hand_seat", ", "),
        ]
    yield "Seats", parts
    methods = {"machine": "by machine", "manual": "by hand"}
    shuffles = " or ".join(methods[method] for method in profile.shuffle.allowed)
    shuffled: list[tuple[str, ...]] = [(shuffles, "shuffle.allowed")]
    if "manual" not in profile.shuffle.allowed:
        shuffled.append(("by hand while the floor has the machine out of use", "shuffle"))
    yield "Shuffle", shuffled
    first = "highest card drawn, suit breaks ties" if button.initial == "high_card" else "placed"
    move = "from player to player" if button.method == "moving" else "dead button"
    yield "Button", [(first, "button.initial"), (f"moves {move}", "button.method")]
    if button.heads_up_small_blind_on_button:
        on_button = "button.heads_up_small_blind_on_button"
        yield "Two players", [("the small blind is on the button", on_button)]


def _betting_rows(profile: Profile) -> Iterator[_Row]:
    betting = profile.betting
    if betting.max_raises:
        lifted = {
            "before_cap": "no cap once two players are left, unless it was already reached",
            "street_start": "no cap with two players at the start of a street",
            "never": "also with two players",
        }[betting.heads_up_uncapped]
        yield (
            "Raises",
            [
                (f"a bet and {betting.max_raises} raises", "betting.max_raises"),
                (lifted, "betting.heads_up_uncapped"),
            ],
        )
    else:
        yield "Raises", [("no cap", "betting.max_raises")]
    bet = "half a bet" if betting.short_all_in_reopens == "half_bet" else "a full bet"
    reopens = f"reopens fixed-limit betting at {bet}; otherwise at a full raise"
    yield "Short all-in", [(reopens, "betting.short_all_in_reopens")]
    window = {
        "rrop_two_acted": "until two seats have acted",
        "tda_substantial": "until substantial action",
    }[profile.misdeal.window]
    yield "Misdeal", [(f"can be called {window}", "misdeal.window")]


def _showdown_rows(profile: Profile) -> Iterator[_Row]:
    showdown, odd = profile.showdown, profile.odd_chip
    first = {
        "last_aggressor": "the last to bet or raise",
        "first_bettor": "the first to bet or raise, or to check if nobody bet,",
        "first_actor": "the first to act",
    }[showdown.first]
    tables = (
        "all live hands are tabled" if showdown.must_table == "all" else "winners table their hands"
    )
    yield (
        "Showdown",
        [(f"{first} shows first", "showdown.first"), (tables, "showdown.must_table")],
    )
    unit = (format_dollars(odd.unit), "odd_chip.unit")
    ties = {"all_to_first": "all to the first", "one_each": "one to each"}[odd.tie]
    tied = (f"{ties} left of the button", "odd_chip.tie")
    most: list[tuple[str, ...]] = []
    if odd.most is not None:
        most = [(f"nobody gets more than {format_dollars(odd.most)} of it", "odd_chip.most")]
    if not profile.splits:
        yield "Odd chip", [unit, tied, *most]
        return
    side = {"high": "to the high half", "left_of_button": "to the winner left of the button"}
    between = (f"between high and low {side[odd.side]}", "odd_chip.side")
    yield "Odd chip", [unit, between]
    yield "", [(f"between ties; {tied[0]}", tied[1]), *most]


def _fee(profile: Profile) -> list[tuple[str, ...]]:
    fee = profile.fee
    if fee.by == "player":
        return [("each player who is dealt in pays before the deal", "fee.by")]
    parts: list[tuple[str, ...]] = [
        ("from the pot", "fee.by"),
        (f"once the {fee.trigger} is dealt", "fee.trigger", " "),
    ]
    if fee.taken_from == "first_able":
        side = "from the first side pot that is large enough if the main pot is not"
        parts.append((side, "fee.from"))
    short = "waived" if fee.short_pot == "waive" else "at most the main pot"
    return [*parts, (f"if no pot is large enough: {short}", "fee.short_pot")]


def _limit_rows(limit: Limit) -> Iterator[_Row]:
    bets = format_dollars(limit.small_bet)
    if limit.big_bet is not None:
        bets += f"-{format_dollars(limit.big_bet)}"
    structure = (_STRUCTURES[limit.structure], "limits.structure", " ")
    yield f"Limit {limit.id}", [(bets, "limits.small_bet"), structure]
    posts: list[tuple[str, ...]] = [
        (f"blinds {format_dollars(limit.small_blind)}", "limits.small_blind"),
        (format_dollars(limit.big_blind), "limits.big_blind", " and "),
    ]
    if limit.ante:
        by = " by the big blind for all" if limit.ante_by == "big_blind" else ""
        posts.append((f"ante {format_dollars(limit.ante)}{by}", "limits.ante", ", "))
    yield "", posts
    yield "", [("fee " + "; ".join(map(_bracket, limit.fees)), "limits.fees")]
    if limit.kill is not None:
        yield "", _kill(limit, limit.kill)


def _kill(limit: Limit, kill: Kill) -> list[tuple[str, ...]]:
    bets = f"{format_dollars(kill.small_bet)}-{format_dollars(kill.big_bet)}"
    size = "threshold" if kill.threshold_multiple is None else "threshold_multiple"
    return [
        (f"{kill.kind} kill: {bets}", "limits.kill.small_bet"),
        (f"blind {format_dollars(kill.blind)}", "limits.kill.blind", ", "),
        ("after one player wins a whole pot", "limits.kill", ", "),
        (f"of {_kill_pot(limit, kill)} or more", f"limits.kill.{size}", " "),
    ]


def _kill_pot(limit: Limit, kill: Kill) -> str:
    """The size of pot that sets a kill; as a multiple it is larger in a kill hand."""
    usual, raised = kill.least_pot(limit.small_bet) or 0, kill.least_pot(kill.small_bet) or 0
    if kill.threshold_multiple is None:
        return format_dollars(usual)
    return (
        f"{kill.threshold_multiple} times the small bet of the hand, {format_dollars(usual)} "
        f"and in a kill hand {format_dollars(raised)},"
    )


def _bracket(bracket: FeeBracket) -> str:
    first, last = bracket.players
    if last is None:
        hands = f"{first} or more hands"
    else:
        joined = "or" if last == first + 1 else "to"
        hands = f"{first} hands" if first == last else f"{first} {joined} {last} hands"
    jackpot = f" and {format_dollars(bracket.jackpot)} jackpot" if bracket.jackpot else ""
    return f"{format_dollars(bracket.fee)}{jackpot} for {hands}"
