"""The rulings that a supervisor can give, as one table of specs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.floor import at_table, in_hand, remedies
from omaha_table.floor.params import (
    Choice,
    DeckColor,
    FaceUpCard,
    Money,
    Number,
    Payments,
    Seat,
)
from omaha_table.floor.spec import Ruling, ruling
from omaha_table.hand.phases import Street

if TYPE_CHECKING:
    from omaha_table.hand.events import ActionKind
    from omaha_table.table import TableState

_DIRECTION: Final[Choice[in_hand.Direction]] = Choice(
    {"add": "add", "back": "back"},
    "Add chips to the pot or take them back?",
    "ADD OR BACK",
    ("add to the pot", "take back from the pot"),
)
_STREET: Final = Choice(
    {"flop": Street.FLOP, "turn": Street.TURN, "river": Street.RIVER},
    "Which street was dealt too early?",
    "STREET",
)
_ACTION: Final[Choice[ActionKind]] = Choice(
    {"fold": "fold", "check": "check", "call": "call", "bet": "bet", "raise": "raise"},
    "Which action was taken out of turn?",
    "ACTION",
)
_DEVICE: Final[Choice[at_table.Device]] = Choice(
    {"shuffler": "shuffler", "shoe": "shoe"}, "Which device?", "DEVICE"
)
_HAND: Final = Number("HAND", "Which hand number?", "HAND")
_MOVED: Final = (
    Seat("Move chips from which seat?", "FROM", "FROM SEAT"),
    Seat("Move them to which seat?", "TO", "TO SEAT"),
    Money(),
)

RULINGS: Final[tuple[Ruling, ...]] = (
    ruling(
        "misdeal",
        "Misdeal: redeal the hand.",
        in_hand.can_misdeal,
        in_hand.misdeal,
    ),
    ruling(
        "void",
        "Void the hand: all bets go back.",
        in_hand.in_a_hand,
        in_hand.void,
    ),
    ruling(
        "fouled",
        "Fouled deck: void the hand and keep the deck.",
        in_hand.in_a_hand,
        in_hand.fouled,
    ),
    ruling(
        "exposed",
        "Exposed card: replace it; it becomes the burn.",
        remedies.can_replace_exposed,
        remedies.exposed,
        Seat("Whose card was exposed?"),
    ),
    ruling(
        "missing",
        "Missing card: deal the button its last card.",
        remedies.can_deal_missing,
        remedies.missing,
    ),
    ruling(
        "dead",
        "Declare a hand dead.",
        in_hand.can_declare_dead,
        in_hand.declare_dead,
        Seat("Whose hand is dead?"),
    ),
    ruling(
        "live",
        "Declare a hand live again.",
        in_hand.can_declare_live,
        in_hand.declare_live,
        Seat("Whose hand is live again?"),
    ),
    ruling(
        "backup",
        "Back up the action: take back the last entries.",
        in_hand.can_back_up,
        in_hand.back_up,
        Number("COUNT", "How many entries to take back?", "ENTRIES"),
    ),
    ruling(
        "bet",
        "Correct the last bet or call.",
        in_hand.can_correct_bet,
        in_hand.correct_bet,
        Seat("Whose bet or call?"),
        Money("How much is in front of the seat on this street?"),
    ),
    ruling(
        "pot",
        "Correct the pot with chips from or to a seat.",
        in_hand.in_a_hand,
        in_hand.correct_pot,
        Seat("Whose chips?"),
        _DIRECTION,
        Money(),
    ),
    ruling(
        "board",
        "Correct a board card that was keyed wrong.",
        in_hand.can_correct_board,
        in_hand.correct_board,
        Number("PLACE", "Which board card, 1 to 5?", "PLACE"),
        FaceUpCard(),
    ),
    ruling(
        "premature",
        "A street was dealt too early.",
        remedies.can_be_premature,
        remedies.premature,
        _STREET,
    ),
    ruling(
        "fourcards",
        "The flop has four cards.",
        remedies.can_rule_on_flop,
        remedies.four_card_flop,
    ),
    ruling(
        "noburn",
        "No burn before the flop.",
        remedies.can_rule_on_burn,
        remedies.no_burn,
    ),
    ruling(
        "binding",
        "Action out of turn: it stands.",
        in_hand.can_bind,
        in_hand.bind,
        Seat("Who acted out of turn?"),
        _ACTION,
    ),
    ruling(
        "release",
        "Action out of turn: release the seat.",
        in_hand.can_release,
        in_hand.release,
        Seat("Who is released?"),
    ),
    ruling(
        "award",
        "Award the pots: choose who is paid what.",
        in_hand.can_award,
        in_hand.award,
        Payments(),
    ),
    ruling(
        "waive",
        "Waive the fee of this hand.",
        in_hand.can_waive,
        in_hand.waive,
    ),
    ruling(
        "refund",
        "Refund a fee to a seat.",
        at_table.can_return_fee,
        at_table.return_fee,
        _HAND,
        Seat("Refund it to which seat?"),
        Money(),
    ),
    ruling(
        "amend",
        "Correct a hand that was pushed wrong.",
        at_table.can_amend,
        at_table.amend,
        _HAND,
        *_MOVED,
    ),
    ruling(
        "impound",
        "Hold chips that a seat was pushed.",
        at_table.can_impound,
        at_table.impound,
        Seat("From which seat?"),
        Money(),
    ),
    ruling(
        "pay",
        "Pay out chips that were held.",
        at_table.can_release_impound,
        at_table.release_impound,
        _HAND,
        Seat("Pay which seat?"),
        Money(),
    ),
    ruling(
        "stack",
        "Move chips between two seats.",
        at_table.can_transfer,
        at_table.transfer,
        *_MOVED,
    ),
    ruling(
        "button",
        "Move the button.",
        at_table.can_move_button,
        at_table.move_button,
        Seat("Which seat gets the button?"),
    ),
    ruling(
        "nohand",
        "Name the seat that gets no hand.",
        at_table.can_name_no_hand,
        at_table.name_no_hand,
        Seat("Which seat gets no hand?"),
    ),
    ruling(
        "waivekill",
        "Waive a kill that a player owes.",
        at_table.can_waive_kill,
        at_table.waive_kill,
        Seat("Whose kill is waived?"),
    ),
    ruling(
        "device",
        "Take a device out of use; deal by hand.",
        at_table.can_take_out_device,
        at_table.take_out_device,
        _DEVICE,
    ),
    ruling(
        "restore",
        "Put a device back into use.",
        at_table.can_restore_device,
        at_table.restore_device,
        _DEVICE,
    ),
    ruling(
        "deck",
        "Let a deck back into play.",
        at_table.can_readmit_deck,
        at_table.readmit_deck,
        DeckColor(),
    ),
    ruling(
        "playon",
        "Nothing is wrong with the cards: play on.",
        remedies.can_play_on,
        remedies.play_on,
    ),
    ruling(
        "clock",
        "Call the clock on a seat.",
        at_table.can_call_clock,
        at_table.call_clock,
        Seat("Call the clock on which seat?"),
    ),
    ruling("close", "Close the table.", at_table.can_close, at_table.close),
)
BY_NAME: Final = {spec.name: spec for spec in RULINGS}


def fitting(state: TableState) -> list[Ruling]:
    """The rulings that are possible now."""
    return [] if state.closed else [spec for spec in RULINGS if spec.allowed(state)]
