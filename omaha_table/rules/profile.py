"""The rule profile: everything that differs between jurisdictions, houses and limits.

A profile is immutable. The model says what may be written in the file and what it means;
what must hold between settings is in `checks`, reading the file in `load`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer

from omaha_table.money import Cents, parse_dollars


def _dollars(value: object) -> Cents:
    if not isinstance(value, str):
        raise ValueError('dollars with two decimals in quotation marks, such as "4.00"')
    return parse_dollars(value)


def _bracket(value: object) -> object:
    """'7+' is 7 or more, '5-6' both, '4' just that."""
    if not isinstance(value, str):
        raise ValueError('a number of hands in quotation marks, such as "7+", "5-6" or "4"')
    first, dash, last = value.partition("-")
    if value.endswith("+") and value[:-1].isdecimal():
        return int(value[:-1]), None
    if first.isdecimal() and last.isdecimal() and int(first) <= int(last):
        return int(first), int(last)
    if first.isdecimal() and not dash:
        return int(first), int(first)
    raise ValueError('a number of hands such as "7+", "5-6" or "4"')


def _qualifier(value: object) -> object:
    if value == "none":
        return 0
    if type(value) is not int or value not in (0, 7, 8, 9):
        raise ValueError('7, 8, 9 or "none"')
    return value


def _write_dollars(cents: Cents | None) -> str | None:
    return None if cents is None else f"{cents // 100}.{cents % 100:02}"


def _write_bracket(bracket: tuple[int, int | None]) -> str:
    first, last = bracket
    return f"{first}+" if last is None else f"{first}-{last}"


Dollars = Annotated[Cents, BeforeValidator(_dollars), PlainSerializer(_write_dollars)]
Positive = Annotated[Dollars, Field(gt=0)]
Bracket = Annotated[
    tuple[int, int | None], BeforeValidator(_bracket), PlainSerializer(_write_bracket)
]
Qualifier = Annotated[Literal[0, 7, 8, 9], BeforeValidator(_qualifier)]
Shuffle = Literal["machine", "manual"]
Structure = Literal["limit", "spread", "pot_limit", "no_limit"]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Head(_Section):
    id: Annotated[str, Field(pattern=r"^[a-z0-9_]+$")]
    version: Annotated[int, Field(ge=1)] = 1
    title: str
    source: str = "the room"


class Game(_Section):
    hole_cards: Literal[4, 5]
    split: Literal["high", "high_low"]
    low_qualifier: Qualifier = 8
    """The highest card of a low, 7, 8 or 9; 0, in a file also "none": five different ranks of any
    height, and a pair is still no low."""


class Seats(_Section):
    max: Annotated[int, Field(ge=2, le=11)]
    max_hands: Annotated[int, Field(ge=2, le=11)] | None = None
    no_hand_seat: Literal["button", "under_the_gun", "floor"] = "button"

    @property
    def hands(self) -> int:
        """The most hands dealt at once."""
        return self.max if self.max_hands is None else self.max_hands


class ShuffleRules(_Section):
    allowed: Annotated[list[Shuffle], Field(min_length=1)] = ["manual"]


class Button(_Section):
    initial: Literal["high_card", "placed"] = "high_card"
    method: Literal["moving", "dead"] = "moving"
    heads_up_small_blind_on_button: bool = True


class Betting(_Section):
    max_raises: Annotated[int, Field(ge=0, le=99)] = 3
    heads_up_uncapped: Literal["before_cap", "street_start", "never"] = "before_cap"
    short_all_in_reopens: Literal["half_bet", "full_bet"] = "half_bet"


class Misdeal(_Section):
    window: Literal["rrop_two_acted", "tda_substantial"] = "rrop_two_acted"
    """Until when a misdeal can be called: two seats have acted, or substantial action."""


class Remedy(_Section):
    four_card_flop: Literal["redeal", "scramble"] = "redeal"
    """Deal the flop again, or let the floor pick one of the four as the next burn."""
    premature_turn: Literal["rrop", "tda"] = "rrop"
    """Set the card aside until the river, or shuffle it back at once."""


class FloorRules(_Section):
    two_persons_above: Dollars = 10000
    """A correction of the pot above this needs two supervisors."""


class Absent(_Section):
    max_minutes: Annotated[int, Field(ge=0, le=600)] = 30
    """The chips of an absent player may be picked up after so long; 0 is never."""
    max_missed_big_blinds: Annotated[int, Field(ge=0, le=99)] = 3
    """The chips of an absent player may be picked up after so many; 0 is never."""


class Showdown(_Section):
    first: Literal["last_aggressor", "first_bettor", "first_actor"] = "last_aggressor"
    """Who shows first: the last to bet or raise on the river; the first, or the first to check if
    nobody bet; or whoever acted first there."""
    must_table: Literal["winners", "all"] = "winners"
    """Who must table: whoever claims a pot, or every live hand."""


class OddChip(_Section):
    side: Literal["high", "left_of_button"] = "left_of_button"
    tie: Literal["all_to_first", "one_each"] = "all_to_first"
    unit: Positive = 100
    most: Positive | None = None
    """The most that one player may get of what cannot be divided; then smaller chips are used."""


class FeeRules(_Section):
    by: Literal["pot", "player"] = "pot"
    """Out of the pot once it is due, or from each player who is dealt in, before the deal."""
    trigger: Literal["flop", "turn"] = "flop"
    taken_from: Annotated[Literal["main", "first_able"], Field(alias="from")] = "main"
    """The main pot alone, or the first pot that keeps something to win after the whole drop."""
    short_pot: Literal["waive", "cap"] = "waive"


class FeeBracket(_Section):
    players: Bracket
    fee: Dollars
    jackpot: Dollars = 0

    def covers(self, hands: int) -> bool:
        first, last = self.players
        return first <= hands and (last is None or hands <= last)


class Kill(_Section):
    kind: Literal["half", "full"]
    small_bet: Positive
    big_bet: Positive
    blind: Positive
    threshold: Positive | None = None
    threshold_multiple: Annotated[int, Field(ge=1, le=999)] | None = None
    """Instead of an amount: so many times the small bet of the hand, which a kill raises."""
    basis: Literal["gross", "net"] = "gross"

    def least_pot(self, small_bet: Cents) -> Cents | None:
        """The smallest pot that sets a kill, in a hand with this small bet."""
        if self.threshold_multiple is not None:
            return self.threshold_multiple * small_bet
        return self.threshold


class KillRules(_Section):
    absent: Literal["owed", "stands"] = "owed"
    """Of a killer who is not dealt in: the next hand is no kill hand and the kill is owed, or it is
    one all the same, posted from the killer's chips if they are on the table."""


class Limit(_Section):
    id: Annotated[str, Field(min_length=1, max_length=16)]
    structure: Structure
    small_bet: Positive
    big_bet: Positive | None = None
    small_blind: Dollars
    big_blind: Positive
    ante: Dollars = 0
    ante_by: Literal["all", "big_blind"] = "all"
    """Who posts it: everybody dealt in, or the big blind once for all."""
    fees: Annotated[list[FeeBracket], Field(min_length=1)]
    kill: Kill | None = None

    def bracket(self, hands: int) -> FeeBracket | None:
        """The fee and jackpot due for this number of hands dealt."""
        return next((bracket for bracket in self.fees if bracket.covers(hands)), None)


_IN_EVERY_DOCUMENT = ("order_of_action", "order_of_the_hand", "one_deck")
_NO_SETTINGS = {"blinds_owed": "Robert's Rules of Poker, the button and blinds"}
"""Rules that no profile can change and no filed document has."""


class Profile(_Section):
    profile: Head
    game: Game
    seats: Seats
    shuffle: ShuffleRules = ShuffleRules()
    button: Button = Button()
    betting: Betting = Betting()
    misdeal: Misdeal = Misdeal()
    remedy: Remedy = Remedy()
    floor: FloorRules = FloorRules()
    absent: Absent = Absent()
    showdown: Showdown = Showdown()
    odd_chip: OddChip = OddChip()
    fee: FeeRules = FeeRules()
    kill: KillRules = KillRules()
    limits: Annotated[list[Limit], Field(min_length=1)]
    sources: dict[str, str] = {}
    """The document or custom behind a setting, where it is not the profile's own document."""

    @property
    def id(self) -> str:
        return self.profile.id

    @property
    def splits(self) -> bool:
        return self.game.split == "high_low"

    def as_data(self) -> dict[str, Any]:
        """The profile as it would be in a file, for the log."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)

    def limit(self, limit_id: str) -> Limit | None:
        return next((limit for limit in self.limits if limit.id == limit_id), None)

    @property
    def has_cents(self) -> bool:
        """Whether amounts of less than a dollar are in play."""
        return bool(self.odd_chip.unit % 100) or self.odd_chip.most is not None

    def source_of(self, setting: str) -> str:
        """Where a rule comes from: its own source, its section's, or the profile's.

        A refusal may name a rule that is not a setting; it comes from the documents or the program.
        """
        at = setting
        while at:
            if at in self.sources:
                return self.sources[at]
            at = at.rpartition(".")[0]
        section = setting.partition(".")[0]
        if section in type(self).model_fields or section in _IN_EVERY_DOCUMENT:
            return self.profile.source
        return _NO_SETTINGS.get(section, "the console")
