"""All script commands in one table: usage, meaning and parser.

The script runner, the console's command line, `script help` and docs/commands.md derive from
`WORDS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar

from omaha_table.cards import parse_card, parse_cards
from omaha_table.floor import Give
from omaha_table.hand import commands as hand
from omaha_table.hand.phases import Street
from omaha_table.journal.sealed import SealedCard
from omaha_table.money import parse_dollars
from omaha_table.rules import load_profile
from omaha_table.session.commands import DealSealedCard
from omaha_table.table import commands as table

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.cards import Card
    from omaha_table.money import Cents
    from omaha_table.session.commands import SessionCommand
    from omaha_table.table.commands import TableCommand

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AskStep:
    """Show the next step."""


@dataclass(frozen=True, slots=True)
class AskHelp:
    """List the commands."""


@dataclass(frozen=True, slots=True)
class AskRulings:
    """List the rulings."""


@dataclass(frozen=True, slots=True)
class AskEffect:
    """Show what a ruling would do."""

    ruling: Give


Ask: TypeAlias = AskStep | AskHelp | AskRulings | AskEffect


@dataclass(frozen=True, slots=True)
class Word:
    """One command: usage, meaning, and a parser for its arguments."""

    name: str
    usage: str
    meaning: str
    read: Callable[[list[str]], SessionCommand | Give | Ask]
    secret: bool = False
    """The arguments may be face-down cards or PINs and are never repeated."""


# Argument parsers. They raise ValueError or IndexError if the arguments do not fit the usage.


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 4):
        raise ValueError(text)
    return int(text)


def _only(arguments: list[str], most: int) -> list[str]:
    if len(arguments) > most:
        raise ValueError(arguments)
    return arguments


def _none(command: T) -> Callable[[list[str]], T]:
    def read(arguments: list[str]) -> T:
        _only(arguments, 0)
        return command

    return read


def _amount(arguments: list[str], at: int) -> Cents | None:
    return parse_dollars(arguments[at]) if len(arguments) > at else None


def _cards(arguments: list[str]) -> tuple[Card, ...]:
    return parse_cards(" ".join(arguments))


def _seat(arguments: list[str]) -> TableCommand:
    _only(arguments, 3)
    return table.SeatPlayer(_number(arguments[0]), _name(arguments[1]), _amount(arguments, 2))


def _one_seat(command: Callable[[int], TableCommand]) -> Callable[[list[str]], TableCommand]:
    return lambda arguments: command(_number(_only(arguments, 1)[0]))


def _buy(arguments: list[str]) -> TableCommand:
    number, amount = arguments
    return table.Buy(_number(number), parse_dollars(amount))


def _move(arguments: list[str]) -> TableCommand:
    number, to = arguments
    return table.MoveSeat(_number(number), _number(to))


def _name(text: str) -> str:
    if not text.isprintable() or not 0 < len(text) <= 40:
        raise ValueError(text)
    return text


def _down(arguments: list[str]) -> TableCommand:
    [name] = arguments
    return table.PushOut() if name.lower() == "out" else table.PushIn(_name(name))


def _shift(arguments: list[str]) -> TableCommand:
    if [word.lower() for word in arguments] == ["close"]:
        return table.CloseShift()
    shift, box, jackpot_box = map(_name, arguments)
    return table.OpenShift(shift, box, jackpot_box)


def _draw(arguments: list[str]) -> TableCommand:
    number, card = arguments
    return table.Draw(_number(number), parse_card(card))


def _limit(arguments: list[str]) -> TableCommand:
    [limit] = arguments
    return table.ChangeLimit(limit)


def _rules(arguments: list[str]) -> TableCommand:
    reference, *limit = _only(arguments, 2)
    return table.ChangeRules(load_profile(reference), *limit)


def _deck(arguments: list[str]) -> TableCommand:
    state = arguments[0].lower()
    rest = _only(arguments, 3)[1:]
    count = _number(rest.pop(0)) if rest and rest[0].isdecimal() else None
    back = rest.pop(0).lower() if rest and state != "manual" and rest[0].isalpha() else ""
    if rest or len(back) > 12:
        raise ValueError(rest)
    if state == "ok":
        return table.ReportDeck("ok", count, back)
    if state == "bad" and count is not None:
        return table.ReportDeck("bad", count, back)
    if state == "manual" and count is None:
        return table.ReportDeck("manual")
    raise ValueError(state)


def _paid(arguments: list[str]) -> TableCommand:
    if [word.lower() for word in arguments] == ["all"]:
        return hand.PayFee()
    if not arguments:
        raise ValueError(arguments)
    return hand.PayFee(tuple(map(_number, arguments)))


def _card(arguments: list[str]) -> SessionCommand:
    [text] = arguments
    if text == "??":
        return hand.DealCard()
    return DealSealedCard(SealedCard(parse_card(text)))


def _simple(verb: Literal["fold", "call"]) -> Callable[[list[str]], TableCommand]:
    """`fold` or `call` for one seat, `fold to N` for everyone before seat N."""

    def read(arguments: list[str]) -> TableCommand:
        if not arguments:
            return hand.Act(verb)
        to, number = arguments
        if to.lower() != "to":
            raise ValueError(to)
        return hand.ActUntil(verb, _number(number))

    return read


def _check(arguments: list[str]) -> TableCommand:
    if not arguments:
        return hand.Act("check")
    if [word.lower() for word in arguments] != ["around"]:
        raise ValueError(arguments)
    return hand.ActUntil("check")


def _sized(verb: Literal["bet", "raise", "allin"]) -> Callable[[list[str]], TableCommand]:
    def read(arguments: list[str]) -> TableCommand:
        if verb == "raise" and len(arguments) == 2 and arguments[0].lower() == "to":
            arguments = arguments[1:]
        return hand.Act(verb, _amount(_only(arguments, 1), 0))

    return read


def _street(street: Street) -> Callable[[list[str]], TableCommand]:
    return lambda arguments: hand.Board(street, _cards(arguments))


def _show(arguments: list[str]) -> TableCommand:
    return hand.Show(_number(arguments[0]), _cards(arguments[1:]))


def _winners(side: Literal["high", "low"]) -> Callable[[list[str]], TableCommand]:
    def read(arguments: list[str]) -> TableCommand:
        if side == "low" and [word.lower() for word in arguments] == ["none"]:
            return hand.Read(side, ())
        if not arguments:
            raise ValueError(side)
        return hand.Read(side, tuple(map(_number, arguments)))

    return read


_FLOOR: Final = 'floor PIN [PIN] RULING … "reason"'


def _floor(words: list[str]) -> Give | Ask:
    """`floor PIN [PIN] RULING … "reason"`, `floor ask RULING …` or `floor help`."""
    if [word.lower() for word in words] == ["help"]:
        return AskRulings()
    if len(words) > 1 and words[0].lower() == "ask":
        return AskEffect(Give((), words[1].lower(), tuple(words[2:])))
    pins = [word for word in words[:2] if word.isdecimal()]
    if words[: len(pins)] != pins or not pins or len(words) == len(pins):
        raise ValueError("no ruling")
    return Give(tuple(pins), words[len(pins)].lower(), tuple(words[len(pins) + 1 :]))


WORDS: Final[tuple[Word, ...]] = (
    Word(
        "seat",
        "seat N NAME [STACK]",
        "Seat a player. Without STACK the chips are not tracked.",
        _seat,
    ),
    Word("leave", "leave N", "The player leaves the table.", _one_seat(table.Leave)),
    Word("away", "away N", "The player is away and gets no hands.", _one_seat(table.Away)),
    Word("back", "back N", "The player is back and gets hands again.", _one_seat(table.Back)),
    Word("buy", "buy N AMOUNT", "The player adds chips.", _buy),
    Word("move", "move N M", "The player moves to the empty seat M.", _move),
    Word(
        "post",
        "post N",
        "Seat N posts the blinds it owes and is dealt in now, without waiting for the big blind.",
        _one_seat(table.PostOwed),
    ),
    Word(
        "draw",
        "draw N CARD",
        "One card of the button draw, seat by seat from the dealer's left. The highest card gets "
        "the button.",
        _draw,
    ),
    Word(
        "button",
        "button N",
        "Place the button to open a game whose rules have no draw. Any other time it takes the "
        "ruling `button`.",
        _one_seat(table.PlaceButton),
    ),
    Word("limit", "limit ID", "Change the posted limit.", _limit),
    Word("rules", "rules ID [LIMIT]", "Change to another rule profile.", _rules),
    Word(
        "deck",
        "deck ok [COUNT] [COLOR] | deck bad COUNT [COLOR] | deck manual",
        "What the shuffler reports, or that the deck was shuffled by hand. Where the rules require "
        "a machine, that works only while the floor has the shuffler out of use.",
        _deck,
    ),
    Word("cut", "cut", "The deck is cut.", _none(table.CutDeck())),
    Word("down", "down NAME | down out", "A dealer pushes in, or the dealer pushes out.", _down),
    Word(
        "shift",
        "shift NAME BOX JACKPOT_BOX | shift close",
        "Open or close a shift with its drop boxes. The answer shows what the old boxes must hold.",
        _shift,
    ),
    Word(
        "hand",
        "hand",
        "Start the next hand: set the positions and post antes, blinds and kill.",
        _none(table.StartHand()),
    ),
    Word(
        "deal",
        "deal",
        "The hole cards are out. Also starts the hand if none is open.",
        _none(hand.Deal()),
    ),
    Word(
        "card",
        "card CARD",
        "In a script: the shoe dealt this card to the next slot. ?? means that it was not read, "
        "and is all that the console takes.",
        _card,
        secret=True,
    ),
    Word(
        "paid",
        "paid N [N…] | paid all",
        "Seat N has paid its fee, where each player pays it. 'all' is every seat that has not.",
        _paid,
    ),
    Word("fold", "fold [to N]", "Fold. With N, everyone before seat N folds.", _simple("fold")),
    Word("check", "check [around]", "Check. With 'around', everyone left to act checks.", _check),
    Word("call", "call [to N]", "Call. With N, everyone before seat N calls.", _simple("call")),
    Word("bet", "bet [AMOUNT]", "Bet. In a limit game the amount is optional.", _sized("bet")),
    Word(
        "raise",
        "raise [AMOUNT]",
        "Raise to AMOUNT, the seat's total on this street. In a limit game it is optional.",
        _sized("raise"),
    ),
    Word(
        "allin",
        "allin [AMOUNT]",
        "Go all in. Without a tracked stack, give the seat's total on this street. Before the "
        "first card, 'N allin AMOUNT' is all that seat N had to post with.",
        _sized("allin"),
    ),
    Word(
        "burn",
        "burn",
        "Burn a card. The flop, turn and river commands include the burn.",
        _none(hand.Burn()),
    ),
    Word("flop", "flop C C C", "Deal the flop.", _street(Street.FLOP)),
    Word("turn", "turn C", "Deal the turn.", _street(Street.TURN)),
    Word("river", "river C", "Deal the river.", _street(Street.RIVER)),
    Word(
        "show",
        "show N C C C C [C]",
        "Seat N tables its hand. Leave the cards out if a shoe has read them.",
        _show,
        secret=True,
    ),
    Word("muck", "muck N", "Seat N mucks its hand.", _one_seat(hand.Muck)),
    Word(
        "high",
        "high N [N…]",
        "The dealer read the hands: these seats win the high.",
        _winners("high"),
    ),
    Word(
        "low",
        "low N [N…] | low none",
        "The dealer read the hands: these seats, or nobody, win the low.",
        _winners("low"),
    ),
    Word(
        "push",
        "push",
        "The pots are pushed. The hand ends and the button moves.",
        _none(hand.Push()),
    ),
    Word(
        "checked",
        "checked",
        "The dealer has checked the cards after a problem: the hand continues.",
        _none(hand.Settle()),
    ),
    Word("undo", "undo", "Take back the last entry of this street.", _none(hand.Undo())),
    Word(
        "floor",
        _FLOOR,
        "A supervisor's ruling. 'floor help' lists them; 'floor ask RULING …' shows the effect.",
        _floor,
        secret=True,
    ),
    Word("step", "step", "Show the next step and its choices.", _none(AskStep())),
    Word("help", "help", "List the commands.", _none(AskHelp())),
)
