"""The rulings a supervisor can give: one table, from which help and menu are made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.cards import parse_card
from omaha_table.floor import at_table, in_hand, remedies
from omaha_table.floor.ruling import Decision, Ruling, Words
from omaha_table.hand.phases import Street

if TYPE_CHECKING:
    from typing import Any

    from omaha_table.money import Cents
    from omaha_table.table import TableState


def _nothing(words: Words) -> tuple[()]:
    return ()


def _seat(words: Words) -> tuple[int]:
    return (words.number(),)


def _seat_amount(words: Words) -> tuple[int, Cents]:
    return words.number(), words.amount()


def _street(words: Words) -> tuple[Street]:
    return (Street[words.choice("flop", "turn", "river").upper()],)


def _awards(words: Words) -> tuple[dict[int, Cents]]:
    awards = {words.number(): words.amount()}
    while words.more_numbers:
        seat = words.number()
        if seat in awards:
            raise ValueError(seat)
        awards[seat] = words.amount()
    return (awards,)


def _bind(words: Words) -> tuple[int, str]:
    return words.number(), words.choice("fold", "check", "call", "bet", "raise")


def _numbers_amount(count: int) -> Any:
    return lambda words: (*[words.number() for _ in range(count)], words.amount())


def _dead(state: TableState, seat: int) -> Decision:
    return in_hand.declare(state, seat, dead=True)


def _live(state: TableState, seat: int) -> Decision:
    return in_hand.declare(state, seat, dead=False)


RULINGS: Final[tuple[Ruling, ...]] = (
    Ruling("misdeal", "misdeal", "Call the hand off and deal it again.", _nothing, in_hand.misdeal),
    Ruling(
        "void",
        "void",
        "Void the hand, all bets back; two persons after the flop.",
        _nothing,
        in_hand.void,
    ),
    Ruling(
        "fouled",
        "fouled",
        "A fouled deck: void the hand and keep the deck.",
        _nothing,
        in_hand.fouled,
    ),
    Ruling(
        "exposed",
        "exposed N",
        "Replace seat N's exposed card; it becomes the burn.",
        _seat,
        remedies.exposed,
    ),
    Ruling("missing", "missing", "Deal the button its missing card.", _nothing, remedies.missing),
    Ruling("dead", "dead N", "Declare seat N's hand dead.", _seat, _dead),
    Ruling("live", "live N", "Declare seat N's hand alive again.", _seat, _live),
    Ruling(
        "backup",
        "backup COUNT",
        "Take the last COUNT entries back.",
        lambda w: (w.number(),),
        in_hand.back_up,
    ),
    Ruling(
        "bet",
        "bet N AMOUNT",
        "Correct seat N's last bet or call.",
        _seat_amount,
        in_hand.correct_bet,
    ),
    Ruling(
        "pot",
        "pot N add|back AMOUNT",
        "Correct the pot with chips from or to seat N.",
        lambda w: (w.number(), w.choice("add", "back"), w.amount()),
        in_hand.correct_pot,
    ),
    Ruling(
        "board",
        "board PLACE CARD",
        "Correct a board card that was keyed wrong; places 1 to 5.",
        lambda w: (w.number(), parse_card(w.next())),
        in_hand.correct_board,
    ),
    Ruling(
        "premature",
        "premature flop|turn|river",
        "A street was dealt too early.",
        _street,
        remedies.premature,
    ),
    Ruling("fourcards", "fourcards", "The flop has four cards.", _nothing, remedies.four_card_flop),
    Ruling(
        "noburn", "noburn", "The burn before the flop was left out.", _nothing, remedies.no_burn
    ),
    Ruling("binding", "binding N ACTION", "An action out of turn stands.", _bind, in_hand.bind),
    Ruling("release", "release N", "An action out of turn does not bind.", _seat, in_hand.release),
    Ruling(
        "award",
        "award N AMOUNT [N AMOUNT…]",
        "Say who is paid what of the pots.",
        _awards,
        in_hand.award,
    ),
    Ruling("waive", "waive", "Take no fee from this hand.", _nothing, in_hand.waive),
    Ruling(
        "refund",
        "refund HAND N AMOUNT",
        "Return a fee to seat N.",
        _numbers_amount(2),
        at_table.return_fee,
    ),
    Ruling(
        "amend",
        "amend HAND FROM TO AMOUNT",
        "Mend a hand that was pushed wrong, until substantial action in the next.",
        _numbers_amount(3),
        at_table.amend,
    ),
    Ruling(
        "impound",
        "impound N AMOUNT",
        "Hold a part of what seat N was pushed.",
        _seat_amount,
        at_table.impound,
    ),
    Ruling(
        "pay",
        "pay HAND N AMOUNT",
        "Pay out what was held.",
        _numbers_amount(2),
        at_table.release_impound,
    ),
    Ruling(
        "stack",
        "stack FROM TO AMOUNT",
        "Move chips between two seats.",
        _numbers_amount(2),
        at_table.transfer,
    ),
    Ruling("button", "button N", "Move the button.", _seat, at_table.move_button),
    Ruling("nohand", "nohand N", "Name the seat that gets no hand.", _seat, at_table.name_no_hand),
    Ruling(
        "device",
        "device shuffler|shoe",
        "Take a device out of use and go on by hand.",
        lambda w: (w.choice("shuffler", "shoe"),),
        at_table.take_out_device,
    ),
    Ruling(
        "restore",
        "restore shuffler|shoe",
        "Put a device back into use.",
        lambda w: (w.choice("shuffler", "shoe"),),
        at_table.restore_device,
    ),
    Ruling(
        "deck",
        "deck COLOUR",
        "Let a deck back into play that was out.",
        lambda w: (w.next().lower(),),
        at_table.readmit_deck,
    ),
    Ruling(
        "playon",
        "playon",
        "Nothing is wrong with the cards: the hand goes on as it stands.",
        _nothing,
        remedies.play_on,
    ),
    Ruling("clock", "clock N", "Call the clock on seat N.", _seat, at_table.call_clock),
    Ruling("close", "close", "Close the table.", _nothing, at_table.close),
)
BY_NAME: Final = {ruling.name: ruling for ruling in RULINGS}
