"""What must hold between the settings of a profile before a table may use it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

from pydantic import BaseModel

from omaha_table.cards import quote
from omaha_table.money import Cents, format_dollars

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from pydantic.fields import FieldInfo

    from omaha_table.rules.profile import Kill, Limit, Profile

DECK_CARDS = 52
BOARD_CARDS = 5
BURNS = 3
MAX_RATES = 5
"""Collection rates that California allows for one table limit."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a profile: where, what, and what is allowed there."""

    key: str
    problem: str
    allowed: str
    warning: bool = False
    """Unusual, but a table can be run with it."""

    def __str__(self) -> str:
        return f"{self.key}: {self.problem}. Allowed: {self.allowed}."


def most_hands(hole_cards: int, burns: int = BURNS) -> int:
    """How many hands one deck can serve, with the board and the burns."""
    return (DECK_CARDS - BOARD_CARDS - burns) // hole_cards


def check_profile(profile: Profile, faulty: Collection[str] = ()) -> Iterator[Fault]:
    """Every fault that the settings have between them.

    Settings named in `faulty` hold a stand-in for what could not be read, so nothing is
    concluded from them.
    """

    def sound(*keys: str) -> bool:
        return not any(bad.startswith(key) for key in keys for bad in faulty)

    yield from _check_texts(profile)
    if sound("game.hole_cards", "seats"):
        yield from _check_deck(profile)
    yield from _check_sources(profile)
    if sound("fee"):
        yield from _check_fee(profile)
    if sound("game"):
        yield from _check_low(profile)
    if sound("odd_chip", "seats"):
        yield from _check_odd_chip(profile)
    if profile.kill.absent == "stands" and sound("limits"):
        yield from _check_absent_killer(profile)
    seen: set[str] = set()
    for limit in profile.limits:
        where = f"limits[{limit.id}]"
        if limit.id in seen:
            yield Fault(f"{where}.id", "two limits have this id", "each limit id once")
        seen.add(limit.id)
        yield from _check_blinds(where, limit, sound)
        yield from _check_bets(where, limit, sound)
        if sound("seats", f"{where}.fees"):
            yield from _check_fees(where, limit, profile.seats.hands)
        if profile.fee.by == "player" and sound("fee", where):
            yield from _check_jackpots(where, limit)
        if sound("odd_chip.unit"):
            yield from _check_chips(where, limit, profile.odd_chip.unit, sound)
        if limit.kill is not None and sound(where):
            yield from _check_kill(f"{where}.kill", limit, limit.kill, splits=profile.splits)


def _check_texts(profile: Profile) -> Iterator[Fault]:
    """What ends up on screens and in reports passes the same checks as what is typed there."""
    texts = {
        "profile.id": (profile.id, 64),
        "profile.title": (profile.profile.title, 80),
        "profile.source": (profile.profile.source, 400),
    }
    texts |= {f"limits[{at}].id": (limit.id, 16) for at, limit in enumerate(profile.limits)}
    texts |= {f"sources.{at}": (key, 80) for at, key in enumerate(profile.sources)}
    texts |= {f"sources.{quote(key)}": (text, 400) for key, text in profile.sources.items()}
    for where, (text, most) in texts.items():
        if not text.isprintable() or len(text) > most:
            yield Fault(
                where,
                f"{quote(text)} is not possible",
                f"up to {most} characters that can be shown",
            )


def _check_deck(profile: Profile) -> Iterator[Fault]:
    hole = profile.game.hole_cards
    hands = profile.seats.hands
    needed = hands * hole + BOARD_CARDS + BURNS
    if needed > DECK_CARDS:
        yield Fault(
            "seats.max_hands" if profile.seats.max_hands is not None else "seats.max",
            f"{hands} hands of {hole} cards, the board and three burns need {needed} cards, "
            f"but a deck has {DECK_CARDS}",
            f"at most {most_hands(hole)} hands of {hole} cards",
        )
    if hands > profile.seats.max:
        yield Fault(
            "seats.max_hands",
            f"{hands} hands are more than the {profile.seats.max} seats",
            f"at most {profile.seats.max}",
        )


def _check_low(profile: Profile) -> Iterator[Fault]:
    qualifier = profile.game.low_qualifier
    if qualifier != 8 and not profile.splits:
        yield Fault(
            "game.low_qualifier",
            f"{qualifier or 'none'} is set, but the game has no low (game.split)",
            'leave low_qualifier out, or split = "high_low"',
        )


def _check_odd_chip(profile: Profile) -> Iterator[Fault]:
    odd = profile.odd_chip
    if odd.most is None:
        return
    # In cents, the smallest unit there is, all hands but one can leave a cent each.
    cents = profile.seats.hands - 1 if odd.tie == "all_to_first" else 1
    least = max(odd.unit, cents)
    if odd.most < least:
        yield Fault(
            "odd_chip.most",
            f"{format_dollars(odd.most)} is less than what can be left over",
            f"at least {format_dollars(least)}"
            + (", which is odd_chip.unit" if least == odd.unit else ""),
        )


def settings_of(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """The settings of a section by the names that a file has for them."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def model_in(annotation: Any) -> type[BaseModel] | None:
    """The section that a setting holds, be it one, a list of them, or optional."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(model_in, get_args(annotation))), None)


def _is_setting(key: str, model: type[BaseModel] | None) -> bool:
    name, _, rest = key.partition(".")
    found = None if model is None else settings_of(model).get(name)
    return found is not None and (not rest or _is_setting(rest, model_in(found.annotation)))


def _check_sources(profile: Profile) -> Iterator[Fault]:
    for key in profile.sources:
        if not _is_setting(key, type(profile)):
            yield Fault(
                f"sources.{key}",
                "there is no such setting",
                "a setting such as betting.max_raises, or a section",
            )


def _check_blinds(where: str, limit: Limit, sound: Callable[..., bool]) -> Iterator[Fault]:
    if not sound(f"{where}.small_blind", f"{where}.big_blind"):
        return
    if limit.small_blind > limit.big_blind:
        yield Fault(
            f"{where}.small_blind",
            f"{format_dollars(limit.small_blind)} is above the big blind",
            f"at most {format_dollars(limit.big_blind)}",
        )
    if limit.structure == "limit" and limit.big_blind != limit.small_bet and sound(where):
        yield Fault(
            f"{where}.big_blind",
            f"{format_dollars(limit.big_blind)} is unusual: it is not the small bet",
            f"any amount, but usually {format_dollars(limit.small_bet)}",
            warning=True,
        )


def _check_bets(where: str, limit: Limit, sound: Callable[..., bool]) -> Iterator[Fault]:
    key = f"{where}.big_bet"
    if not sound(key, f"{where}.small_bet", f"{where}.structure"):
        return
    if limit.structure in ("pot_limit", "no_limit"):
        if limit.big_bet is not None:
            yield Fault(key, f"a {limit.structure} game has no greatest bet", "leave big_bet out")
    elif limit.big_bet is None:
        yield Fault(key, f"a {limit.structure} game needs it", "an amount such as 8.00")
    elif limit.big_bet < limit.small_bet:
        yield Fault(
            key,
            f"{format_dollars(limit.big_bet)} is below the small bet",
            f"at least {format_dollars(limit.small_bet)}",
        )


def _check_fees(where: str, limit: Limit, hands: int) -> Iterator[Fault]:
    key = f"{where}.fees"
    for count in range(2, hands + 1):
        covering = sum(bracket.covers(count) for bracket in limit.fees)
        if covering != 1:
            how_many = "more than one bracket" if covering else "no bracket"
            yield Fault(
                key,
                f"{how_many} covers {count} hands",
                f"brackets that cover every number of hands from 2 to {hands} once",
            )
    for name in ("fee", "jackpot"):
        rates = {getattr(bracket, name) for bracket in limit.fees} - {0}
        if len(rates) > MAX_RATES:
            yield Fault(
                key,
                f"{len(rates)} different {name} rates",
                f"at most {MAX_RATES} for one limit, 0.00 not counted",
            )


def _check_fee(profile: Profile) -> Iterator[Fault]:
    fee = profile.fee
    if fee.by != "player":
        return
    # Each of these is about a fee out of the pot; what is left out has the first value.
    for setting, value, default, what in (
        ("from", fee.taken_from, "main", "names a pot"),
        ("trigger", fee.trigger, "flop", "waits for a street"),
        ("short_pot", fee.short_pot, "waive", "is about the pot"),
    ):
        if value != default:
            yield Fault(
                f"fee.{setting}",
                f"{value} {what}, but each player pays the fee before the deal (fee.by)",
                f"leave '{setting}' out, or by = \"pot\"",
            )


def _check_jackpots(where: str, limit: Limit) -> Iterator[Fault]:
    """A fee from each player leaves the pot alone, and a jackpot is fed by the pot."""
    for number, bracket in enumerate(limit.fees):
        if bracket.jackpot:
            yield Fault(
                f"{where}.fees[{number}].jackpot",
                f"{format_dollars(bracket.jackpot)} would come out of the pot, "
                "but each player pays the fee (fee.by)",
                '0.00, or by = "pot"',
            )


def _check_chips(
    where: str, limit: Limit, unit: Cents, sound: Callable[..., bool]
) -> Iterator[Fault]:
    amounts: dict[str, Cents | None] = {
        name: getattr(limit, name)
        for name in ("small_bet", "big_bet", "small_blind", "big_blind", "ante")
    }
    for number, bracket in enumerate(limit.fees):
        amounts |= {f"fees[{number}].{name}": getattr(bracket, name) for name in ("fee", "jackpot")}
    if limit.kill is not None:
        for name in ("small_bet", "big_bet", "blind"):
            amounts[f"kill.{name}"] = getattr(limit.kill, name)
    for name, cents in amounts.items():
        if cents is not None and cents % unit and sound(f"{where}.{name}"):
            yield Fault(
                f"{where}.{name}",
                f"{format_dollars(cents)} cannot be made with {format_dollars(unit)} chips",
                f"a multiple of odd_chip.unit, {format_dollars(unit)}",
            )


def _check_absent_killer(profile: Profile) -> Iterator[Fault]:
    if not any(limit.kill for limit in profile.limits):
        yield Fault(
            "kill.absent",
            "no limit of this profile has a kill",
            "leave kill.absent out",
            warning=True,
        )


def _check_kill(where: str, limit: Limit, kill: Kill, *, splits: bool) -> Iterator[Fault]:
    if not splits:
        yield Fault(where, "a kill belongs to a high/low game", "leave kill out")
    if limit.structure != "limit":
        yield Fault(where, f"a {limit.structure} game has no kill limits", "leave kill out")
    if kill.threshold is None and kill.threshold_multiple is None:
        yield Fault(
            f"{where}.threshold",
            "a kill needs the size of pot that sets it",
            "an amount such as 60.00, or threshold_multiple",
        )
    if kill.threshold is not None and kill.threshold_multiple is not None:
        yield Fault(
            f"{where}.threshold_multiple",
            "the size of pot that sets a kill is given twice, as an amount and as a multiple",
            "threshold or threshold_multiple, not both",
        )
    if kill.small_bet <= limit.small_bet or kill.big_bet < kill.small_bet:
        yield Fault(
            where,
            f"kill limits {format_dollars(kill.small_bet)}-{format_dollars(kill.big_bet)} "
            "are not above the limit",
            f"a small bet above {format_dollars(limit.small_bet)} and a big bet at least as large",
        )
    if kill.blind != kill.small_bet:
        yield Fault(
            f"{where}.blind",
            f"{format_dollars(kill.blind)} is not the kill's small bet",
            f"{format_dollars(kill.small_bet)}",
        )
