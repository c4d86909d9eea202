"""The rulings that a supervisor can give, as one table of specs.

The numbers are in groups by subject: 1 what is asked for most, 2 the hand, 3 the cards, 4 hands
that were pushed, 5 seats and chips, 6 decks and devices, 7 the table. A new ruling takes a free
number of its group, and a number never moves. No number has the same digit twice, so that a key
that bounces names none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.floor import (
    at_table,
    chips,
    corrections,
    finished,
    in_hand,
    out_of_turn,
    remedies,
    stakes,
)
from omaha_table.floor.params import (
    Choice,
    DeckColor,
    FaceUpCard,
    LimitId,
    LimitOfRules,
    Money,
    Number,
    Payments,
    RulesId,
    Seat,
)
from omaha_table.floor.spec import Ruling, ruling, why_closed
from omaha_table.hand.phases import Street

if TYPE_CHECKING:
    from omaha_table.hand import Refused
    from omaha_table.hand.events import ActionKind
    from omaha_table.table import TableState

GROUPS: Final = {
    1: "usual",
    2: "hand",
    3: "cards",
    4: "pushed",
    5: "seats",
    6: "decks",
    7: "table",
}
"""What the first digit of a number stands for."""

_DIRECTION: Final[Choice[corrections.Direction]] = Choice(
    {"add": "add", "back": "back"},
    "Add chips to the pot or take them back?",
    "ADD OR BACK",
    ("add to the pot", "take back from the pot"),
)
_WAY: Final[Choice[chips.Way]] = Choice(
    {"up": "up", "down": "down"},
    "Does the seat have more or less than the screen says?",
    "UP OR DOWN",
    ("more: the stack goes up", "less: the stack goes down"),
)
_STREET: Final = Choice(
    {"flop": Street.FLOP, "turn": Street.TURN, "river": Street.RIVER},
    "Which street was dealt too early?",
    "STREET",
    problem=remedies.why_not_premature,
)
_ACTION: Final[Choice[ActionKind]] = Choice(
    {"fold": "fold", "check": "check", "call": "call", "bet": "bet", "raise": "raise"},
    "Which action was taken out of turn?",
    "ACTION",
    problem=out_of_turn.why_not_done,
)

_PAST_FLOP: Final = "when the flop has been dealt"

_DEVICES: Final[dict[str, at_table.Device]] = {"shuffler": "shuffler", "shoe": "shoe"}

RULINGS: Final[tuple[Ruling, ...]] = (
    ruling(
        "misdeal",
        10,
        "Misdeal",
        "redeal the hand",
        in_hand.why_no_misdeal,
        in_hand.misdeal,
    ),
    ruling(
        "exposed",
        12,
        "Exposed card",
        "replace it; it becomes the burn",
        remedies.why_no_replacing,
        remedies.exposed,
        Seat("Whose card was exposed?", remedies.why_not_dealt),
    ),
    ruling(
        "backup",
        13,
        "Back up the action",
        "take back the last entries",
        in_hand.why_no_backing_up,
        in_hand.back_up,
        Number(
            "COUNT",
            "Take back which entries? A line takes back itself and all above it.",
            "BACK TO",
            in_hand.entries_back,
        ),
    ),
    ruling(
        "dead",
        14,
        "Dead hand",
        "the hand is folded, its chips stay",
        in_hand.why_none_dead,
        in_hand.declare_dead,
        Seat("Whose hand is dead?", in_hand.why_not_dead),
    ),
    ruling(
        "bet",
        15,
        "Correct a bet",
        "the last bet or call was another amount",
        corrections.why_no_bet,
        corrections.correct_bet,
        Seat("Whose bet or call?", corrections.why_not_last),
        Money("How much is in front of the seat on this street?", corrections.price_before),
    ),
    ruling(
        "binding",
        16,
        "Out of turn",
        "the action stands unless the bet changes",
        out_of_turn.why_none_bound,
        out_of_turn.bind,
        Seat("Who acted out of turn?", out_of_turn.why_not_waiting),
        _ACTION,
    ),
    ruling(
        "clock",
        17,
        "Clock",
        "call the clock on the seat to act",
        at_table.why_no_clock,
        at_table.call_clock,
        Seat("Call the clock on which seat?", at_table.why_not_to_act),
    ),
    ruling(
        "pot",
        18,
        "Correct the pot",
        "chips go from or to a seat",
        in_hand.why_no_hand,
        corrections.correct_pot,
        Seat("Whose chips?", corrections.why_not_in_pot),
        _DIRECTION,
        Money(range=corrections.movable),
        two_persons="above `two_persons_above` in all in a hand",
    ),
    ruling(
        "void",
        19,
        "Void hand",
        "all bets go back",
        in_hand.why_no_hand,
        in_hand.void,
        sure="VOID THE HAND?",
        two_persons=_PAST_FLOP,
    ),
    ruling(
        "live",
        21,
        "Live hand",
        "a dead hand is live again",
        in_hand.why_none_live,
        in_hand.declare_live,
        Seat("Whose hand is live again?", in_hand.why_not_live),
    ),
    ruling(
        "release",
        23,
        "Release a seat",
        "its action out of turn does not stand",
        out_of_turn.why_none_released,
        out_of_turn.release,
        Seat("Who is released?", out_of_turn.why_not_bound),
    ),
    ruling(
        "award",
        24,
        "Award the pots",
        "choose who is paid what",
        in_hand.why_no_award,
        in_hand.award,
        Payments(
            Seat("Award chips to which seat?", in_hand.why_not_awarded),
            Money("How much does this seat get?", in_hand.left_to_award),
        ),
    ),
    ruling(
        "fouled",
        25,
        "Fouled deck",
        "void the hand and keep the deck",
        in_hand.why_no_hand,
        in_hand.fouled,
        sure="FOULED DECK?",
        two_persons=_PAST_FLOP,
    ),
    ruling(
        "waive",
        26,
        "Waive the fee",
        "no fee or jackpot from this hand",
        in_hand.why_no_waiving,
        in_hand.waive,
    ),
    ruling(
        "missing",
        31,
        "Missing card",
        "deal the button its last card",
        remedies.why_no_missing,
        remedies.missing,
    ),
    ruling(
        "premature",
        32,
        "Premature street",
        "it goes back into the stub",
        remedies.why_none_premature,
        remedies.premature,
        _STREET,
    ),
    ruling(
        "fourcards",
        34,
        "Four-card flop",
        "the flop has four cards",
        remedies.why_no_flop,
        remedies.four_card_flop,
    ),
    ruling(
        "noburn",
        35,
        "No burn",
        "no card was burned before the flop",
        remedies.why_no_burn_ruling,
        remedies.no_burn,
    ),
    ruling(
        "board",
        36,
        "Board card",
        "one that was keyed wrong",
        corrections.why_no_board,
        corrections.correct_board,
        Number("PLACE", "Which card of the board is wrong?", "PLACE", corrections.board_places),
        FaceUpCard(),
    ),
    ruling(
        "playon",
        37,
        "Play on",
        "nothing is wrong with the cards",
        remedies.why_no_playing_on,
        remedies.play_on,
    ),
    ruling(
        "amend",
        41,
        "Wrong push",
        "correct a hand that was pushed",
        finished.why_no_amending,
        finished.amend,
        Number("HAND", "Which hand was pushed wrong?", "HAND", finished.hands_to_amend),
        Seat("Take chips back from which seat?", finished.why_not_amended, "FROM", "FROM SEAT"),
        Seat("Give them to which seat?", finished.why_not_amended, "TO", "TO SEAT"),
        Money(),
    ),
    ruling(
        "impound",
        42,
        "Hold chips",
        "hold what a seat was pushed",
        finished.why_no_impounding,
        finished.impound,
        Seat("Hold chips of which seat?", finished.why_not_impounded),
        Money(range=finished.won_last),
    ),
    ruling(
        "pay",
        43,
        "Pay held chips",
        "pay out what was held",
        finished.why_no_releasing,
        finished.release_impound,
        Number("HAND", "Held from which hand?", "HAND", finished.hands_held),
        Seat("Pay which seat?", finished.why_not_paid),
        Money(range=finished.held_from),
    ),
    ruling(
        "refund",
        45,
        "Refund a fee",
        "a seat gets it back",
        finished.why_no_refund,
        finished.return_fee,
        Number("HAND", "The fee of which hand?", "HAND", finished.hands_with_fee),
        Seat("Refund it to which seat?", at_table.why_nobody),
        Money(range=finished.fee_of),
    ),
    ruling(
        "stack",
        51,
        "Move chips",
        "from one seat to another",
        chips.why_no_transfer,
        chips.transfer,
        Seat("Move chips from which seat?", chips.why_not_from, "FROM", "FROM SEAT"),
        Seat("Move them to which seat?", chips.why_not_to, "TO", "TO SEAT"),
        Money(range=chips.behind),
    ),
    ruling(
        "adjust",
        52,
        "Correct a stack",
        "it goes up or down, and no other seat pays",
        chips.why_no_adjusting,
        chips.adjust,
        Seat("Whose stack was counted wrong?", chips.why_not_adjusted),
        _WAY,
        Money("By how much?", chips.adjustable),
        two_persons="above `two_persons_above` in all since the last hand",
    ),
    ruling(
        "button",
        53,
        "Move the button",
        "name the seat that gets it",
        at_table.why_no_button,
        at_table.move_button,
        Seat("Which seat gets the button?", at_table.why_not_button),
    ),
    ruling(
        "nohand",
        54,
        "No hand",
        "name the seat that gets none",
        at_table.why_no_naming,
        at_table.name_no_hand,
        Seat("Which seat gets no hand?", at_table.why_nobody),
    ),
    ruling(
        "waivekill",
        56,
        "Waive a kill",
        "a player owes it no longer",
        at_table.why_no_waived_kill,
        at_table.waive_kill,
        Seat("Whose kill is waived?", at_table.why_owes_no_kill),
    ),
    ruling(
        "untrack",
        57,
        "Chips not tracked",
        "a stack is not counted any more",
        chips.why_no_untracking,
        chips.untrack,
        Seat("Whose chips are not tracked any more?", chips.why_not_untracked),
        two_persons="above `two_persons_above`, with what was adjusted since the last hand",
    ),
    ruling(
        "device",
        61,
        "Device out of use",
        "deal by hand",
        at_table.why_no_taking_out,
        at_table.take_out_device,
        Choice(
            _DEVICES,
            "Which device is out of use?",
            "DEVICE",
            problem=at_table.why_not_out,
        ),
    ),
    ruling(
        "restore",
        62,
        "Device back",
        "use it again",
        at_table.why_no_restoring,
        at_table.restore_device,
        Choice(
            _DEVICES,
            "Which device is used again?",
            "DEVICE",
            problem=at_table.why_not_restored,
        ),
    ),
    ruling(
        "deck",
        63,
        "Deck back",
        "let a deck back into play",
        at_table.why_no_readmitting,
        at_table.readmit_deck,
        DeckColor(),
    ),
    ruling(
        "accept",
        64,
        "Device changed",
        "accept its firmware, settings or service",
        at_table.why_nothing_to_accept,
        at_table.accept_device,
        Choice(
            _DEVICES,
            "Which device is accepted as it is now?",
            "DEVICE",
            problem=at_table.why_not_accepted,
        ),
    ),
    ruling(
        "limit",
        71,
        "Limit",
        "play another limit from the next hand",
        stakes.why_no_limit,
        stakes.change_limit,
        LimitId(stakes.why_not_limit),
    ),
    ruling(
        "rules",
        72,
        "Rules",
        "play other rules from the next hand",
        stakes.why_no_rules,
        stakes.change_rules,
        RulesId(),
        LimitOfRules(),
    ),
    ruling(
        "close",
        79,
        "Close the table",
        "no more hands are dealt",
        at_table.why_no_closing,
        at_table.close,
        sure="CLOSE THE TABLE?",
    ),
)
BY_NAME: Final = {spec.name: spec for spec in RULINGS}
BY_NUMBER: Final = {spec.number: spec for spec in RULINGS}


def fitting(state: TableState) -> list[Ruling]:
    """The rulings that are possible now."""
    return [spec for spec in RULINGS if why_not_now(state, spec) is None]


def why_not_now(state: TableState, spec: Ruling) -> Refused | None:
    """Why a ruling is not possible now, whatever is chosen."""
    return why_closed(state) if state.closed else spec.problem(state)
