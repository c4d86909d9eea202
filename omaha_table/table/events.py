"""What can happen at a table between hands, as facts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from omaha_table.cards import Card
from omaha_table.hand.events import HandEvent
from omaha_table.money import Cents


@dataclass(frozen=True, slots=True)
class TableOpened:
    """The first event of a table: the rules and the limit it runs on."""

    rules: str
    rules_version: int
    limit: str


@dataclass(frozen=True, slots=True)
class PlayerSeated:
    seat: int
    name: str
    stack: Cents | None


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    seat: int
    stack: Cents | None


@dataclass(frozen=True, slots=True)
class PlayerAway:
    seat: int


@dataclass(frozen=True, slots=True)
class PlayerBack:
    seat: int


@dataclass(frozen=True, slots=True)
class ChipsBought:
    seat: int
    amount: Cents


@dataclass(frozen=True, slots=True)
class ButtonCardDrawn:
    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class ButtonPlaced:
    seat: int
    how: Literal["drawn", "placed"]


@dataclass(frozen=True, slots=True)
class LimitChanged:
    limit: str


@dataclass(frozen=True, slots=True)
class DeckReported:
    state: Literal["ok", "bad", "manual"]
    count: int | None


TableEvent: TypeAlias = (
    TableOpened
    | PlayerSeated
    | PlayerLeft
    | PlayerAway
    | PlayerBack
    | ChipsBought
    | ButtonCardDrawn
    | ButtonPlaced
    | LimitChanged
    | DeckReported
    | HandEvent
)
