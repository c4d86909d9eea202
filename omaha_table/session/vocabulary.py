"""All script commands in one table: usage, meaning and parser.

The script runner, the console's command line, `script help` and docs/commands.md derive from
`WORDS`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar

from omaha_table.cards import parse_card, parse_cards
from omaha_table.floor import BY_NAME, Give, Numbered, SignIn, SignShift
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


@dataclass(frozen=True, slots=True)
class AskSimilar:
    """Show how a ruling was given before."""

    ruling: str
    words: tuple[str, ...]


Ask: TypeAlias = AskStep | AskHelp | AskRulings | AskEffect | AskSimilar


@dataclass(frozen=True, slots=True)
class Word:
    """One command: usage, meaning, and a parser for its arguments."""

    name: str
    usage: str
    meaning: str
    read: Callable[[list[str]], SessionCommand | Give | SignIn | SignShift | Ask]
    secret: bool = False
    """The arguments may be face-down cards or PINs and are never repeated."""


# Argument parsers. They raise ValueError or IndexError if the arguments do not fit the usage.


_PIN: Final = re.compile(r"[0-9]{4,12}")
SHIFT_WORDS: Final = 3
"""Of a shift that is opened: its name, its drop box and its jackpot box."""


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


def _chips(arguments: list[str]) -> TableCommand:
    number, amount = arguments
    stack = None if amount.lower() == "untracked" else parse_dollars(amount)
    return table.SetStack(_number(number), stack)


def _rename(arguments: list[str]) -> TableCommand:
    number, name = arguments
    return table.RenamePlayer(_number(number), _name(name))


def _reopen(arguments: list[str]) -> TableCommand:
    [how] = [word.lower() for word in arguments]
    if how not in ("same", "file", "empty"):
        raise ValueError(how)
    return table.ReopenTable(how)  # type: ignore[arg-type]


def _move(arguments: list[str]) -> TableCommand:
    number, to = arguments
    return table.MoveSeat(_number(number), _number(to))


def _name(text: str) -> str:
    if not text.isprintable() or not 0 < len(text) <= 40:
        raise ValueError(text)
    return text


def _down(arguments: list[str]) -> TableCommand | SignIn:
    if [word.lower() for word in arguments] == ["out"]:
        return table.PushOut()
    name, *pin = _only(arguments, 2)
    if pin and not pin[0].isdecimal():
        raise ValueError("no PIN")
    return SignIn(_name(name), *pin) if pin else table.PushIn(_name(name))


def _shift(arguments: list[str]) -> TableCommand | SignShift:
    command: table.OpenShift | table.CloseShift
    if arguments and arguments[0].lower() == "close":
        command, signed = table.CloseShift(), arguments[1:]
    else:
        shift, box, jackpot_box = map(_name, arguments[:SHIFT_WORDS])
        command, signed = table.OpenShift(shift, box, jackpot_box), arguments[SHIFT_WORDS:]
    match signed:
        case []:
            return command
        case [pin] if _PIN.fullmatch(pin):
            return SignShift(command, pin)
        case [number, pin] if _PIN.fullmatch(pin):
            return SignShift(command, Numbered(number, pin))
    raise ValueError("no PIN")


def _callfloor(arguments: list[str]) -> TableCommand:
    if [word.lower() for word in arguments] == ["off"]:
        return table.EndFloorCall()
    _only(arguments, 0)
    return table.CallFloor()


def _draw(arguments: list[str]) -> TableCommand:
    number, card = arguments
    return table.Draw(_number(number), parse_card(card))


def _limit(arguments: list[str]) -> TableCommand:
    [limit] = arguments
    return table.ChangeLimit(limit)


def _rules(arguments: list[str]) -> TableCommand:
    reference, *limit = _only(arguments, 2)
    return table.ChangeRules(load_profile(reference), *limit)


def _device(arguments: list[str]) -> TableCommand:
    match [word.lower() for word in arguments]:
        case ["shuffler" | "shoe" as device, "setting", _]:
            return table.NoteDeviceChange(device, "setting", _name(arguments[2]))
        case ["shuffler" | "shoe" as device, "service"]:
            return table.NoteDeviceChange(device, "service")
    raise ValueError(arguments)


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


def _out_of_turn(arguments: list[str]) -> TableCommand:
    number, verb = arguments
    if verb.lower() != "fold":
        raise ValueError(verb)
    return hand.FoldOutOfTurn(_number(number))


def _clock(arguments: list[str]) -> TableCommand:
    [word] = arguments
    commands: dict[str, TableCommand] = {"out": hand.TimeIsUp(), "off": table.CancelClock()}
    if word.lower() not in commands:
        raise ValueError(word)
    return commands[word.lower()]


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
        words, pot = _pot([word.lower() for word in arguments])
        if side == "low" and words == ["none"]:
            return hand.Read(side, (), pot)
        if not words:
            raise ValueError(side)
        return hand.Read(side, tuple(map(_number, words)), pot)

    return read


def _pot(words: list[str]) -> tuple[list[str], int | None]:
    """A pot at the end: `main`, or `side` and its number."""
    match words:
        case [*others, "main"]:
            return others, 0
        case [*others, "side", number]:
            return others, _number(number)
    return words, None


_FLOOR: Final = 'floor [ID] PIN [[ID] PIN] RULING … "reason"'


def _floor(words: list[str]) -> Give | Ask:
    """`floor [ID] PIN [[ID] PIN] RULING … "reason"`, `floor ask|similar RULING …`, `floor help`."""
    if [word.lower() for word in words] == ["help"]:
        return AskRulings()
    if len(words) > 1 and words[0].lower() == "ask":
        return AskEffect(Give((), words[1].lower(), tuple(words[2:])))
    if len(words) > 1 and words[0].lower() == "similar":
        return AskSimilar(words[1].lower(), tuple(words[2:]))
    pins: list[str | Numbered] = []
    rest = list(words)
    while rest and len(pins) < 2:
        if _is_number(rest):
            pins.append(Numbered(rest[0], rest[1]))
            rest = rest[2:]
        elif rest[0].isdecimal():
            pins.append(rest.pop(0))
        else:
            break
    if not pins or not rest:
        raise ValueError("no ruling")
    return Give(tuple(pins), rest[0].lower(), tuple(rest[1:]))


def _is_number(words: list[str]) -> bool:
    """Whether a staff number stands here, before its PIN; one of digits alone may be a PIN."""
    if len(words) < 2 or not _PIN.fullmatch(words[1]):
        return False
    return not _PIN.fullmatch(words[0]) and words[0].lower() not in BY_NAME


WORDS: Final[tuple[Word, ...]] = (
    Word(
        "seat",
        "seat N NAME [STACK]",
        "Seat a player. Without STACK the chips are not tracked. No two players have one name.",
        _seat,
    ),
    Word("rename", "rename N NAME", "The player in seat N gets another name.", _rename),
    Word(
        "leave",
        "leave N",
        "The player leaves the table. During a hand, `seat`, `leave`, `away`, `back` and `buy` are "
        "taken and take effect when it ends.",
        _one_seat(table.Leave),
    ),
    Word(
        "pickup",
        "pickup N",
        "The player has been away too long: the chips are picked up, and the seat is free.",
        _one_seat(table.PickUp),
    ),
    Word("away", "away N", "The player is away and gets no hands.", _one_seat(table.Away)),
    Word("back", "back N", "The player is back and gets hands again.", _one_seat(table.Back)),
    Word(
        "buy",
        "buy N AMOUNT",
        "The player adds chips. Where the stack is not tracked, they are only noted.",
        _buy,
    ),
    Word(
        "cancel",
        "cancel N",
        "Take back the last change at seat N that waits for the end of the hand.",
        _one_seat(table.CancelSeatChange),
    ),
    Word(
        "chips",
        "chips N AMOUNT | chips N untracked",
        "Seat N's chips as they are counted, or not tracked any more. Only where they are not "
        "tracked, or before the player's first hand: later it takes the ruling `adjust` or "
        "`untrack`.",
        _chips,
    ),
    Word("move", "move N M", "The player moves to the empty seat M.", _move),
    Word(
        "post",
        "post N",
        "Seat N posts the blinds it owes and is dealt in now, without waiting for the big blind.",
        _one_seat(table.PostOwed),
    ),
    Word(
        "reopen",
        "reopen same | reopen file | reopen empty",
        "Who is seated at a table that was closed before: the players it was closed with and their "
        "stacks, those of the table's file, or nobody.",
        _reopen,
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
    Word(
        "limit",
        "limit ID",
        "Choose the limit before the first hand. Later it takes the ruling `limit`.",
        _limit,
    ),
    Word(
        "rules",
        "rules ID [LIMIT]",
        "Choose the rule profile before the first hand. Later it takes the ruling `rules`.",
        _rules,
    ),
    Word(
        "deck",
        "deck ok [COUNT] [COLOR] | deck bad COUNT [COLOR] | deck manual",
        "What the shuffler reports, or that the deck was shuffled by hand. Where the rules require "
        "a machine, that works only while the floor has the shuffler out of use.",
        _deck,
    ),
    Word(
        "device",
        "device shuffler|shoe setting NAME | device shuffler|shoe service",
        "What a device reports: a setting was changed, or it was in service mode. It takes the "
        "ruling `accept`.",
        _device,
    ),
    Word("cut", "cut", "The deck is cut.", _none(table.CutDeck())),
    Word(
        "down",
        "down NAME [PIN] | down out",
        "A dealer pushes in, with a PIN where the table asks for one, or the dealer pushes out.",
        _down,
    ),
    Word(
        "shift",
        "shift NAME BOX JACKPOT_BOX [[ID] PIN] | shift close [[ID] PIN]",
        "Open or close a shift with its drop boxes, with a PIN where the table asks for one. The "
        "answer shows what the old boxes must hold.",
        _shift,
    ),
    Word(
        "callfloor",
        "callfloor | callfloor off",
        "Call the floor: shown at the table until a ruling is given, or until 'off'.",
        _callfloor,
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
        "outofturn",
        "outofturn N fold",
        "Seat N has folded before its turn: its hand is dead, and the action stays where it is.",
        _out_of_turn,
    ),
    Word(
        "clock",
        "clock out | clock off",
        "The clock that the floor has called has run out: the seat to act folds or checks. Or it "
        "is called off.",
        _clock,
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
        "high N [N…] [main|side K]",
        "The dealer read the hands: these seats win the high, of every pot they can or of one.",
        _winners("high"),
    ),
    Word(
        "low",
        "low N [N…] [main|side K] | low none [main|side K]",
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
    Word(
        "undo",
        "undo",
        "Take back the last entry of this street. Between hands and before a hand's first card: "
        "the last entry since the last pot, one at a time.",
        _none(hand.Undo()),
    ),
    Word(
        "floor",
        _FLOOR,
        "A supervisor's ruling. 'floor help' lists them; 'floor ask RULING …' shows the "
        "effect, 'floor similar RULING …' how it was given before.",
        _floor,
        secret=True,
    ),
    Word("step", "step", "Show the next step and its choices.", _none(AskStep())),
    Word("help", "help", "List the commands.", _none(AskHelp())),
)
