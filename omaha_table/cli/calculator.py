"""The floor's calculator: a showdown as a JSON object in, the hands and the split out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from omaha_table.cards import Card, CardError, parse_cards, quote, require_distinct
from omaha_table.cli.lines import MAX_LINE
from omaha_table.evaluate import describe_high, describe_low, high_cards, low_cards, read_hands
from omaha_table.hand.pots import Pot
from omaha_table.hand.split import Award, award_pots, total_awards
from omaha_table.rules import Profile, ProfileError, load_profile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from omaha_table.money import Cents

MOST_CENTS: Final = 10**15


class ShowdownError(ValueError):
    """A showdown that cannot be read. The code is stable, the message is for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Showdown:
    profile: Profile
    board: tuple[Card, ...]
    hands: dict[int, tuple[Card, ...]]
    pots: list[Pot]
    button: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What each seat has, as values of `evaluate`, and what each pot pays."""

    highs: dict[int, int]
    lows: dict[int, int]
    awards: list[Award]


def read(showdown: Showdown) -> Reading:
    seats = list(showdown.hands)
    high_values, low_values = read_hands(
        [card.code for card in showdown.board],
        [[card.code for card in hand] for hand in showdown.hands.values()],
        showdown.profile.game.low_qualifier,
    )
    highs = dict(zip(seats, high_values, strict=True))
    lows = dict(zip(seats, low_values, strict=True)) if showdown.profile.splits else {}
    return Reading(
        highs,
        lows,
        award_pots(showdown.pots, highs, lows, showdown.button, showdown.profile.odd_chip),
    )


def make_showdown(
    profile: Profile,
    board: tuple[Card, ...],
    hands: dict[int, tuple[Card, ...]],
    pots: Iterable[tuple[Cents, list[int]]],
    button: int | None,
) -> Showdown:
    """A showdown whose parts fit together; raises ShowdownError."""
    if len(board) != 5:
        raise ShowdownError("card_count", f"the board has {len(board)} cards; it must have 5.")
    if not hands:
        raise ShowdownError("bad_shape", "'hands' is empty; give at least one.")
    hole = profile.game.hole_cards
    for seat, hand in hands.items():
        _check_seat(seat, profile)
        if len(hand) != hole:
            raise ShowdownError(
                "card_count", f"seat {seat} has {len(hand)} cards; {profile.id} deals {hole}."
            )
    require_distinct([*board, *(card for hand in hands.values() for card in hand)])
    checked = [_check_pot(amount, eligible, hands) for amount, eligible in pots]
    if button is None:
        if checked:
            raise ShowdownError(
                "bad_shape", "'button' is missing; it decides who gets the odd chip."
            )
        button = 1
    _check_seat(button, profile)
    return Showdown(profile, board, hands, checked, button)


def _check_seat(seat: int, profile: Profile) -> None:
    if not 1 <= seat <= profile.seats.max:
        raise ShowdownError(
            "no_such_seat", f"no seat {seat}: {profile.id} has seats 1 to {profile.seats.max}."
        )


def _check_pot(amount: Cents, eligible: list[int], hands: dict[int, tuple[Card, ...]]) -> Pot:
    if not 0 <= amount <= MOST_CENTS:
        raise ShowdownError("bad_amount", f"{amount} cents is not a possible pot.")
    if not eligible:
        raise ShowdownError("no_such_seat", "a pot has no eligible seat; name at least one.")
    for seat in eligible:
        if seat not in hands:
            raise ShowdownError(
                "no_such_seat",
                f"seat {seat} is eligible for a pot but has no hand; "
                f"the seats with hands are {', '.join(map(str, hands))}.",
            )
    if len(set(eligible)) != len(eligible):
        raise ShowdownError("bad_shape", "a pot names an eligible seat twice; name it once.")
    return Pot(amount, tuple(sorted(eligible)))


def from_line(line: bytes, default_rules: str | None = None) -> Showdown:
    """The showdown on one line of JSON."""
    if len(line) > MAX_LINE:
        raise ShowdownError("line_too_long", f"the line is longer than {MAX_LINE:,} bytes.")
    try:
        text = line.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        raise ShowdownError("not_utf8", f"byte {error.start + 1} is not UTF-8.") from None
    if not text:
        raise ShowdownError("empty_line", "the line is empty; give one JSON object per line.")
    try:
        data = json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise ShowdownError(
            "bad_json", f"not JSON at character {error.pos + 1}: {error.msg}."
        ) from None
    except RecursionError:
        raise ShowdownError("bad_json", "not a showdown: nested too deeply.") from None
    except ShowdownError:
        raise
    except ValueError as error:
        raise ShowdownError("bad_json", f"not a showdown: {error}.") from None
    return _from_data(data, default_rules)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ShowdownError("bad_shape", f"{quote(twice)} appears twice; give it once.")
    return data


_KEYS: Final = {"rules", "button", "board", "hands", "pots"}


def _from_data(data: Any, default_rules: str | None) -> Showdown:
    if type(data) is not dict:
        raise ShowdownError("bad_shape", f"a showdown is a JSON object, not {_kind(data)}.")
    unknown = data.keys() - _KEYS
    if unknown:
        raise ShowdownError(
            "bad_shape",
            f"unknown key {quote(min(unknown))}; the keys are {', '.join(sorted(_KEYS))}.",
        )
    rules = data.get("rules", default_rules)
    if rules is None:
        raise ShowdownError("bad_shape", "'rules' is missing; name a profile or a file.")
    try:
        profile = load_profile(_typed(rules, str, "'rules'"))
    except ProfileError as error:
        raise ShowdownError("unknown_rules", str(error)) from None
    if "board" not in data or "hands" not in data:
        missing = "board" if "board" not in data else "hands"
        raise ShowdownError("bad_shape", f"'{missing}' is missing.")
    hands = {
        _seat_key(key): _cards(value, f"the hand of seat {key}")
        for key, value in _typed(data["hands"], dict, "'hands'").items()
    }
    button = data.get("button")
    return make_showdown(
        profile,
        _cards(data["board"], "the board"),
        dict(sorted(hands.items())),
        _pots(data.get("pots", [])),
        None if button is None else _typed(button, int, "'button'"),
    )


def _pots(data: Any) -> Iterator[tuple[Cents, list[int]]]:
    for pot in _typed(data, list, "'pots'"):
        _typed(pot, dict, "a pot")
        if pot.keys() != {"amount", "eligible"}:
            raise ShowdownError(
                "bad_shape", "a pot must have 'amount' and 'eligible' and nothing else."
            )
        amount = pot["amount"]
        if type(amount) is not int:
            raise ShowdownError(
                "bad_amount", f"'amount' must be whole cents, not {quote(json.dumps(amount))}."
            )
        eligible = _typed(pot["eligible"], list, "'eligible'")
        yield amount, [_typed(seat, int, "a seat in 'eligible'") for seat in eligible]


def _cards(value: Any, what: str) -> tuple[Card, ...]:
    if type(value) is list and all(type(card) is str for card in value):
        value = " ".join(value)
    cards = parse_cards(_typed(value, str, what))
    if len(cards) > 52:
        raise ShowdownError("card_count", f"{what} has {len(cards)} cards; a deck has 52.")
    return cards


def _seat_key(key: str) -> int:
    if not (key.isascii() and key.isdecimal() and len(key) <= 3 and str(int(key)) == key):
        raise ShowdownError("no_such_seat", f"{quote(key)} is not a seat number.")
    return int(key)


_KINDS: Final = {
    dict: "an object",
    list: "a list",
    str: "text",
    int: "a whole number",
    float: "a number with a fraction",
    bool: "true or false",
    type(None): "null",
}


def _kind(value: object) -> str:
    return _KINDS[type(value)]


def _typed(value: Any, wanted: type, what: str) -> Any:
    if type(value) is not wanted:
        raise ShowdownError("bad_shape", f"{what} must be {_KINDS[wanted]}, not {_kind(value)}.")
    return value


_encode: Final = json.JSONEncoder(separators=(",", ":")).encode


def answer_line(line: bytes, number: int, default_rules: str | None = None) -> tuple[str, bool]:
    """The JSON answer to one line, and whether the line was valid."""
    try:
        showdown = from_line(line, default_rules)
    except (ShowdownError, CardError) as error:
        return _encode(
            {"error": {"code": error.code, "message": str(error), "line": number}}
        ), False
    return _encode(as_json(showdown, read(showdown))), True


def as_json(showdown: Showdown, reading: Reading) -> dict[str, Any]:
    board = showdown.board
    hands = showdown.hands
    return {
        "high": {
            str(seat): {
                "text": describe_high(value),
                "cards": [card.text for card in high_cards(value, board, hands[seat])],
            }
            for seat, value in reading.highs.items()
        },
        "low": {
            str(seat): {
                "text": describe_low(value),
                "cards": [card.text for card in low_cards(value, board, hands[seat])],
            }
            if value
            else None
            for seat, value in reading.lows.items()
        },
        "pots": [
            {"amount": award.amount, "high": award.high, "low": award.low}
            for award in reading.awards
        ],
        "awards": total_awards(reading.awards),
    }
