"""The objects of the Open Hand History specification 1.4.7, as strict models written from it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

CardText = Annotated[str, Field(pattern=r"^[2-9TJQKA][cdhs]$")]
Amount = Annotated[float, Field(ge=0)]


class _Object(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class BetLimit(_Object):
    bet_type: Literal["NL", "PL", "FL"]
    bet_cap: Amount


class Player(_Object):
    id: int
    seat: Annotated[int, Field(ge=1)]
    name: Annotated[str, Field(min_length=1)]
    display: str | None = None
    starting_stack: Amount
    player_bounty: Amount = 0
    is_sitting_out: bool = False


class Action(_Object):
    action_number: Annotated[int, Field(ge=1)]
    player_id: int
    action: Literal[
        "Dealt Cards", "Mucks Cards", "Shows Cards", "Post Ante", "Post SB", "Post BB", "Straddle",
        "Post Dead", "Post Extra Blind", "Fold", "Check", "Bet", "Raise", "Call", "Added Chips",
        "Sits Down", "Stands Up",
    ]  # fmt: skip
    amount: Amount | None = None
    is_allin: bool = False
    cards: list[CardText] = []


class Round(_Object):
    id: int
    street: Literal["Preflop", "Flop", "Turn", "River", "Showdown"]
    cards: list[CardText]
    actions: list[Action]


class PlayerWin(_Object):
    player_id: int
    win_amount: Amount
    cashout_amount: Amount | None = None
    cashout_fee: Amount | None = None
    bonus_amount: Amount | None = None


class Pot(_Object):
    number: int
    amount: Amount
    rake: Amount
    jackpot: Amount
    player_wins: list[PlayerWin]


class Hand(_Object):
    spec_version: Literal["1.4.7"]
    site_name: str
    network_name: str
    internal_version: str
    tournament: Literal[False]
    game_number: str
    start_date_utc: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
    table_name: str
    table_handle: str | None = None
    table_skin: str | None = None
    game_type: Literal["Holdem", "Omaha", "OmahaHiLo", "Stud", "StudHiLo", "Draw"]
    bet_limit: BetLimit
    table_size: int
    currency: Annotated[str, Field(pattern="^[A-Z]{3}$")]
    dealer_seat: int
    small_blind_amount: Amount
    big_blind_amount: Amount
    ante_amount: Amount
    hero_player_id: int | None = None
    flags: list[Literal["Run_It_Twice", "Anonymous", "Observed", "Fast", "Cap"]]
    players: list[Player]
    rounds: list[Round]
    pots: list[Pot]
