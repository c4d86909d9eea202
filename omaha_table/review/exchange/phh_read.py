"""PHH files as they come from outside: read strictly, every fault with its file, hand and line."""

from __future__ import annotations

import re
import zoneinfo
from dataclasses import dataclass, field
from datetime import UTC, datetime
from datetime import time as clock_time
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, Final

from omaha_table.cards import quote
from omaha_table.files import FileError, read_bounded
from omaha_table.review.exchange.phh import EARLY, game_of
from omaha_table.toml_files import TomlError, parse_toml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omaha_table.money import Cents
    from omaha_table.rules.profile import Structure

MOST_BYTES: Final = 64 << 20
_ENDLESS: Final = Decimal("inf")
_ACTIONS: Final = re.compile(
    r"^[ \t]*(?:actions|\"actions\"|'actions')[ \t]*=[ \t]*\[", re.MULTILINE
)
_TOKEN: Final = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|#[^\n]*|\]")


class PhhError(Exception):
    """What is wrong with a file or a hand in it; the rest of the files can still be read."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}")
        self.where, self.reason = where, reason


@dataclass(frozen=True, slots=True)
class Action:
    """One entry of `actions` and how it is named in a refusal."""

    where: str
    words: tuple[str, ...]
    early: bool = False
    """Said to be out of turn."""


@dataclass(slots=True)
class PhhHand:
    """A hand of a file. Lists go by player; the lists of two players are turned round already."""

    where: str
    structure: Structure
    hole_cards: int
    splits: bool
    antes: list[Cents]
    blinds: list[Cents]
    small_bet: Cents
    big_bet: Cents | None
    stacks: list[Cents | None]
    seats: list[int]
    names: list[str]
    button: int
    actions: list[Action] = field(default_factory=list)
    no_hand: list[int] = field(default_factory=list)
    readings: list[str] = field(default_factory=list)
    rules: str = ""
    low_qualifier: int = 8
    fee: Cents = 0
    jackpot: Cents = 0
    finishing: list[Cents] | None = None
    winnings: list[Cents] | None = None
    """How the file says that the hand ended, where it does."""
    played: str = ""
    """When, in ISO 8601, as far as the file says: in UTC where it names a zone that is known."""

    @property
    def players(self) -> dict[str, int]:
        """The seats by what the players are called in actions."""
        return {f"p{n}": seat for n, seat in enumerate(self.seats, start=1)}


def files_of(path: Path) -> list[Path]:
    """The PHH files in a folder and those below it, or the file itself."""
    if not path.is_dir():
        return [path]
    return sorted(p for p in path.rglob("*") if p.suffix in (".phh", ".phhs") and p.is_file())


def read_phh(path: Path) -> Iterator[PhhHand | PhhError]:
    """The hands of a `.phh` file, or of a `.phhs` file with one table a hand."""
    try:
        text = read_bounded(path, MOST_BYTES).decode("utf-8-sig")
        data = parse_toml(text, parse_float=Decimal)
    except OSError as error:
        yield PhhError(str(path), f"cannot be read: {error.strerror}")
        return
    except UnicodeDecodeError:
        yield PhhError(str(path), "is not UTF-8 text")
        return
    except FileError:
        yield PhhError(str(path), "the file is larger than 64 MiB")
        return
    except (TomlError, InvalidOperation) as error:
        yield PhhError(str(path), f"is not PHH: {error or 'it cannot be read as TOML'}")
        return
    many = data and "variant" not in data and all(isinstance(v, dict) for v in data.values())
    hands = data if many else {"": data}
    lines = _action_lines(text)
    for number, (name, fields) in enumerate(hands.items()):
        where = f"{path}, hand {name}" if many else str(path)
        placed = lines[number] if len(lines) == len(hands) else []
        try:
            yield _hand(_Fields(where, fields), placed)
        except PhhError as error:
            yield error


def _action_lines(text: str) -> list[list[int]]:
    """The line of every action, for each `actions` in a file."""
    found = []
    for start in _ACTIONS.finditer(text):
        line, at, lines = text.count("\n", 0, start.end()) + 1, start.end(), []
        for token in _TOKEN.finditer(text, start.end()):
            line, at = line + text.count("\n", at, token.start()), token.start()
            if token[0] == "]":
                break
            if not token[0].startswith("#"):
                lines.append(line)
        found.append(lines)
    return found


class _Fields:
    """The fields of one hand, with their types checked."""

    def __init__(self, where: str, data: dict[str, Any]) -> None:
        self.where, self.data = where, data

    def fault(self, reason: str) -> PhhError:
        return PhhError(self.where, reason)

    def get(self, key: str, kind: type[Any] | tuple[type[Any], ...], default: Any = None) -> Any:
        value = self.data.get(key, default)
        if key not in self.data and default is None:
            raise self.fault(f"{key} is missing")
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.fault(f"{key} has a value of the wrong kind")
        return value

    def listed(self, key: str, kind: type[Any], default: list[Any] | None = None) -> list[Any]:
        items: list[Any] = self.get(key, list, default)
        if not all(isinstance(item, kind) and not isinstance(item, bool) for item in items):
            raise self.fault(f"{key} has a value of the wrong kind")
        return items

    def money(self, key: str, default: int | None = None) -> Cents:
        return self._cents(key, self.get(key, (int, Decimal), default))

    def moneys(self, key: str, players: int, *, signed: bool = False) -> list[Cents]:
        """An amount a player; a sign says how a blind is posted, not how much."""
        items = self.get(key, list)
        if len(items) != players:
            raise self.fault(f"{key} has {len(items)} amounts for {players} players")
        if signed:
            items = [abs(item) if isinstance(item, int | Decimal) else item for item in items]
        return [self._cents(key, item) for item in items]

    def _cents(self, key: str, value: Any) -> Cents:
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            raise self.fault(f"{key}: {quote(str(value))} is not an amount")
        if isinstance(value, Decimal) and not value.is_finite():
            raise self.fault(f"{key}: {value} is not an amount of chips")
        if not 0 <= value < 10**12:
            shown = quote(str(value)) if -(10**30) < value < 10**30 else "that"
            raise self.fault(f"{key}: {shown} is not an amount of chips")
        cents = value * 100
        if cents != int(cents):
            raise self.fault(f"{key}: {quote(str(value))} has a fraction of a cent")
        return int(cents)

    def told(self, key: str, players: int) -> list[Cents] | None:
        """Amounts that a file need not have; what is wrong here spoils no hand."""
        try:
            return self.moneys(key, players)
        except PhhError:
            return None

    def stacks(self) -> list[Cents | None]:
        """A stack without end is one that nobody knows."""
        items = self.get("starting_stacks", list)
        untracked = self.listed("_untracked", str, [])
        return [
            None
            if f"p{n}" in untracked or (isinstance(item, Decimal) and item == _ENDLESS)
            else self._cents("starting_stacks", item)
            for n, item in enumerate(items, start=1)
        ]


def _hand(fields: _Fields, lines: list[int]) -> PhhHand:
    code = fields.get("variant", str)
    game = game_of(code)
    if game is None:
        raise fields.fault(
            f"unsupported game {quote(code)}: use PO, FO/8, or a code such as _F5O/8"
        )
    outcome = fields.get("_outcome", str, "showdown")
    if outcome in ("misdeal", "void"):
        raise fields.fault(f"the hand was called off ({outcome}): there is nothing to play")
    if fields.get("_by_floor", bool, False):
        raise fields.fault("the floor ruled on the awards, which the rules alone do not give")
    if fields.listed("_away_posts", str, []):
        raise fields.fault("the pot has chips of a player who was away, which cannot be imported")
    structure, hole_cards, splits = game
    stacks = fields.stacks()
    count = len(stacks)
    if not 2 <= count <= 11:
        raise fields.fault(f"{count} players: a hand has 2 to 11")
    antes = fields.moneys("antes", count)
    blinds = fields.moneys("blinds_or_straddles", count, signed=True)
    if count == 2:
        antes, blinds = antes[::-1], blinds[::-1]
    limit = structure == "limit"
    big_bet = fields.money("big_bet") if limit else None
    if structure == "spread":
        big_bet = fields.money("_max_bet")
    seats = _seats(fields, count)
    return PhhHand(
        where=fields.where,
        structure=structure,
        hole_cards=hole_cards,
        splits=splits,
        antes=antes,
        blinds=blinds,
        small_bet=fields.money("small_bet" if limit else "min_bet"),
        big_bet=big_bet,
        stacks=stacks,
        seats=seats,
        names=_names(fields, count),
        button=fields.get("_button", int, seats[-1]),
        actions=_actions(fields, lines),
        no_hand=fields.listed("_no_hand", int, []),
        readings=fields.listed("_readings", str, []),
        rules=fields.get("_rules", str, ""),
        low_qualifier=fields.get("_low_qualifier", int, 8),
        fee=fields.money("_fee", 0),
        jackpot=fields.money("_jackpot", 0),
        finishing=fields.told("finishing_stacks", count),
        winnings=fields.told("winnings", count),
        played=_played(fields),
    )


def _played(fields: _Fields) -> str:
    """When the hand was played; empty without a date. What is wrong here spoils no hand."""
    day, month, year = (fields.data.get(key) for key in ("day", "month", "year"))
    at = fields.data.get("time", clock_time())
    zone = fields.data.get("time_zone")
    if not isinstance(at, clock_time):
        at = clock_time()
    try:
        when = datetime.combine(datetime(year, month, day), at)  # type: ignore[arg-type]
        if isinstance(zone, str):
            named = UTC if zone.upper() == "UTC" else zoneinfo.ZoneInfo(zone)
            when = when.replace(tzinfo=named).astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        return ""
    except (zoneinfo.ZoneInfoNotFoundError, OSError):
        return when.isoformat()
    return when.isoformat()


def _seats(fields: _Fields, count: int) -> list[int]:
    """The chairs in the order of play, which is clockwise from the left of the button."""
    seats = fields.listed("seats", int, list(range(1, count + 1)))
    if len(seats) != count or len(set(seats)) != count:
        raise fields.fault(f"seats does not name {count} different seats")
    lowest = seats.index(min(seats))
    if seats[lowest:] + seats[:lowest] != sorted(seats):
        raise fields.fault("seats does not go clockwise from the left of the button")
    return seats


def _names(fields: _Fields, count: int) -> list[str]:
    names = fields.listed("players", str, [f"p{n}" for n in range(1, count + 1)])
    if len(names) != count:
        raise fields.fault(f"players has {len(names)} names for {count} players")
    return [
        name if name.isprintable() and 0 < len(name) <= 40 else f"p{n}"
        for n, name in enumerate(names, start=1)
    ]


def _actions(fields: _Fields, lines: list[int]) -> list[Action]:
    texts = fields.listed("actions", str)
    actions = []
    for number, text in enumerate(texts, start=1):
        line = f", line {lines[number - 1]}" if len(lines) == len(texts) else ""
        where = f"{fields.where}{line}, action {number} ({quote(text)[1:-1]})"
        words = tuple(text.partition("#")[0].split())
        if words:
            actions.append(Action(where, words, text.endswith(EARLY)))
    return actions
