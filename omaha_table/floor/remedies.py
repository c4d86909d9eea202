"""Remedies for dealing errors: the steps for the dealer, and the burns to leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.floor.spec import (
    Effect,
    check,
    hand_of,
    in_the_hand,
    no_hand_in_play,
    refused,
    why_not_in_hand,
)
from omaha_table.hand import events as hand_events
from omaha_table.hand.phases import Phase, Street

if TYPE_CHECKING:
    from omaha_table.floor.params import Before
    from omaha_table.hand import HandState, Refused
    from omaha_table.table import TableState
    from omaha_table.table.events import TableEvent


def why_no_replacing(state: TableState) -> Refused | None:
    late = _why_not_before_flop(state)
    if late is not None or state.hand is None or not state.hand.exposed:
        return late
    return refused(state, "wrong_phase", "a second exposed card is a misdeal", "misdeal.window")


def why_not_dealt(state: TableState, seat: int, _: Before = ()) -> Refused | None:
    return why_not_in_hand(state, seat)


def exposed(state: TableState, seat: int) -> Effect:
    hand = _before_the_flop(state)
    in_the_hand(state, hand, seat)
    check(why_no_replacing(state))
    return _remedy(
        hand,
        "exposed_card",
        f"Seat {seat} gets the top card after the deal; the exposed card becomes the burn.",
        (
            "Finish the deal.",
            f"Give seat {seat} the top card of the stub, face down.",
            "Use the exposed card as the burn: do not burn again before the flop.",
        ),
        (Street.FLOP,),
        seat=seat,
    )


def why_no_missing(state: TableState) -> Refused | None:
    late = _why_not_before_flop(state)
    if late is not None:
        return late
    return why_not_in_hand(state, hand_of(state).setup.button)


def missing(state: TableState) -> Effect:
    hand = _before_the_flop(state)
    button = hand.setup.button
    in_the_hand(state, hand, button)
    return _remedy(
        hand,
        "missing_card",
        f"Seat {button} on the button gets its missing card from the top of the stub.",
        (f"Deal the top card to seat {button}.", "Burn before the flop as usual."),
        (),
        seat=button,
    )


def why_none_premature(state: TableState) -> Refused | None:
    hand = state.hand
    if hand is None:
        return no_hand_in_play(state)
    if hand.phase is Phase.BETTING and hand.street is not Street.RIVER:
        return None
    return refused(state, "wrong_phase", "only while betting is open, before the river")


def why_not_premature(state: TableState, street: Street, _: Before = ()) -> Refused | None:
    hand = hand_of(state)
    if hand.phase is Phase.BETTING and hand.street + 1 == street:
        return None
    return refused(
        state,
        "wrong_phase",
        f"the {street.word} is premature only while the betting before it is open",
    )


def premature(state: TableState, street: Street) -> Effect:
    hand = hand_of(state)
    check(why_not_premature(state, street))
    if street is Street.TURN and state.profile.remedy.premature_turn == "rrop":
        return _remedy(
            hand,
            "premature_turn",
            "The premature card is set aside and the next card is the turn; the river comes from "
            "the stub reshuffled with the premature card.",
            (
                "Set the premature card aside, face up. Finish the betting on the flop.",
                "Burn and turn the next card: it is the turn.",
                "After the betting on the turn, shuffle the premature card into the stub, "
                "without burns and muck.",
                "Deal the river without a burn.",
            ),
            (Street.RIVER,),
        )
    return _remedy(
        hand,
        f"premature_{street.word}",
        f"The premature {street.word} goes back into the stub; a new one comes without a burn.",
        (
            "Leave the burn where it is. Finish the betting.",
            f"Shuffle the {street.word} back into the stub, face down.",
            f"Deal the new {street.word} without a burn.",
        ),
        (street,),
    )


def why_no_flop(state: TableState) -> Refused | None:
    hand = state.hand
    return no_hand_in_play(state) if hand is None else _problem_with_flop(state, hand)


def four_card_flop(state: TableState) -> Effect:
    hand = hand_of(state)
    back = _back_before_flop(state, hand)
    if state.profile.remedy.four_card_flop == "scramble":
        return _remedy(
            hand,
            "four_card_flop",
            "The floor picks one of the four as the burn before the turn; the others are the flop.",
            (
                "Scramble the four cards face down.",
                "The floor picks one: it is the burn before the turn.",
                "Turn the other three and key them as the flop.",
            ),
            (Street.FLOP, Street.TURN),
            back,
        )
    return _remedy(
        hand,
        "four_card_flop",
        "The four cards go back into the stub; a new flop comes without a burn.",
        (
            "Leave the burn where it is.",
            "Shuffle the four cards into the stub, face down.",
            "Deal a new flop without a burn.",
        ),
        (Street.FLOP,),
        back,
    )


def why_no_burn_ruling(state: TableState) -> Refused | None:
    if state.hand is not None and _board_has_action(state.hand):
        return None
    return why_no_flop(state)


def _board_has_action(hand: HandState) -> bool:
    acted = hand.street is not Street.PREFLOP and hand.opener is not None
    return hand.phase is Phase.BETTING and acted


def no_burn(state: TableState) -> Effect:
    hand = hand_of(state)
    if _board_has_action(hand):
        return _remedy(
            hand,
            "no_burn",
            "There has been action: the board stands.",
            ("Play on.",),
            (),
        )
    back = _back_before_flop(state, hand)
    return _remedy(
        hand,
        "no_burn",
        "One of the three cards becomes the burn; the next card of the stub completes the flop.",
        (
            "Scramble the three cards face down.",
            "The floor picks one: it is the burn.",
            "Add the top card of the stub and key the flop.",
        ),
        (Street.FLOP,),
        back,
    )


def why_no_playing_on(state: TableState) -> Refused | None:
    if state.hand is None:
        return no_hand_in_play(state)
    if state.hand.trouble is not None:
        return None
    return refused(state, "wrong_phase", "no problem with the cards waits for a ruling")


def play_on(state: TableState) -> Effect:
    hand = hand_of(state)
    check(why_no_playing_on(state))
    assert hand.trouble is not None
    return Effect(
        "The cards are in order: the hand continues.",
        [hand_events.Settled(hand.trouble, hand.entry + 1)],
    )


def _flop_due(hand: HandState) -> HandState | None:
    """The hand when its flop was due, now or earlier."""
    found: HandState | None = hand
    while found is not None and not (
        found.phase is Phase.BOARD and not found.board and not found.turned
    ):
        found = found.before
    return found


def _problem_with_flop(state: TableState, hand: HandState) -> Refused | None:
    flop_due = _flop_due(hand)
    early = hand.street in (Street.PREFLOP, Street.FLOP) and hand.opener is None
    if flop_due is hand or (flop_due is not None and (early or hand.turned)):
        return None
    return refused(state, "wrong_phase", "possible only at the flop, before any action")


def _back_before_flop(state: TableState, hand: HandState) -> list[TableEvent]:
    """Backs up to before the flop if it was dealt and nobody acted; nothing if it is still due."""
    check(_problem_with_flop(state, hand))
    flop_due = _flop_due(hand)
    if flop_due is None or flop_due is hand:
        return []
    return [hand_events.BackedUp(flop_due.standing, hand.entry + 1)]


def _remedy(
    hand: HandState,
    kind: str,
    effect: str,
    steps: tuple[str, ...],
    without_burn: tuple[Street, ...],
    back: list[TableEvent] | None = None,
    seat: int | None = None,
) -> Effect:
    before = back or []
    entry = hand.entry + 1 + len(before)
    order = hand_events.RemedyOrdered(kind, seat, steps, without_burn, entry)
    return Effect(effect, [*before, order])


def _before_the_flop(state: TableState) -> HandState:
    check(_why_not_before_flop(state))
    return hand_of(state)


def _why_not_before_flop(state: TableState) -> Refused | None:
    hand = state.hand
    if hand is None:
        return no_hand_in_play(state)
    if not hand.board and hand.phase in (Phase.DEAL, Phase.BETTING):
        return None
    return refused(state, "wrong_phase", "only before the flop, while betting is open")
