"""A hand as an Open Hand History object, version 1.4.7.

The format has no five-card game, no kill and no stack that nobody knows. Big O is therefore an
`Omaha` or `OmahaHiLo` whose hands show five cards; a kill or late post is an extra blind; a stack
that is not tracked is a million dollars. Beside the object `ohh` stands one named `_omaha_table`,
which says so, with the exact game, the money that was returned or corrected, and what rulings moved
after the push. Amounts are dollars. An imported hand has the time of its file.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC
from typing import TYPE_CHECKING, Any, Final

from omaha_table import __version__
from omaha_table.hand.phases import Street
from omaha_table.review.exchange.hand_actions import (
    HandAction,
    actions_of,
    away_posts,
    corrections_of,
    known_stacks,
    name_of,
    stakes_of,
    when,
)
from omaha_table.review.exchange.phh import UNTRACKED, variant_of
from omaha_table.review.index.hands import board_of

if TYPE_CHECKING:
    from omaha_table.money import Cents
    from omaha_table.review.exchange.hand_actions import HandActionKind
    from omaha_table.review.index.hands import Played

SPEC_VERSION: Final = "1.4.7"
BET_TYPES: Final = {"limit": "FL", "spread": "FL", "pot_limit": "PL", "no_limit": "NL"}
ACTIONS: Final[dict[HandActionKind, str]] = {
    "ante": "Post Ante",
    "small_blind": "Post SB",
    "big_blind": "Post BB",
    "kill": "Post Extra Blind",
    "late": "Post Extra Blind",
    "dead": "Post Dead",
    "fold": "Fold",
    "check": "Check",
    "call": "Call",
    "bet": "Bet",
    "raise": "Raise",
    "show": "Shows Cards",
    "muck": "Mucks Cards",
}
_SHOWDOWN: Final = ("show", "muck")
_NO_ACTION: Final = ("board", "correct", *_SHOWDOWN)


def ohh_of(hand: Played) -> dict[str, Any]:
    """A finished hand as the JSON object of an `.ohh` file."""
    ended = hand.ended
    if ended is None:
        raise ValueError("a hand that has not ended")
    stakes = stakes_of(hand)
    stacks = known_stacks(hand)
    at = when(hand)
    at = at if at.tzinfo is None else at.astimezone(UTC)
    return {
        "ohh": {
            "spec_version": SPEC_VERSION,
            "site_name": "omaha-table",
            "network_name": "omaha-table",
            "internal_version": __version__,
            "tournament": False,
            "game_number": f"{hand.table}-{hand.day}-{hand.number}",
            "start_date_utc": at.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "table_name": hand.table,
            "game_type": "OmahaHiLo" if hand.profile.splits else "Omaha",
            "bet_limit": {
                "bet_type": BET_TYPES[stakes.structure],
                "bet_cap": dollars((stakes.big_bet or 0) if stakes.structure == "spread" else 0),
            },
            "table_size": hand.profile.seats.max,
            "currency": "USD",
            "dealer_seat": hand.started.button,
            "small_blind_amount": dollars(stakes.small_blind),
            "big_blind_amount": dollars(stakes.big_blind),
            "ante_amount": dollars(hand.limit.ante),
            "flags": ["Observed"],
            "players": _players(hand, stacks),
            "rounds": _rounds(hand),
            "pots": _pots(hand),
        },
        "_omaha_table": {
            "variant": variant_of(
                stakes.structure, hand.profile.game.hole_cards, splits=hand.profile.splits
            ),
            "hole_cards": hand.profile.game.hole_cards,
            **_qualifier(hand),
            "rules": hand.profile.id,
            "limit": hand.limit.id,
            "outcome": ended.outcome,
            "kill": hand.started.killer,
            "untracked_player_ids": [seat for seat, stack in stacks.items() if stack is None],
            "returned": {str(seat): dollars(cents) for seat, cents in ended.returned.items()},
            "corrected": _corrected(hand),
            **_early_folds(hand),
            "waived": dollars(hand.waived),
            **_fees_paid(hand),
            "fee_returned": dollars(hand.refunded),
            "later": [
                {
                    "what": correction.kind,
                    "player_id": correction.seat,
                    "to_player_id": correction.to,
                    "amount": dollars(correction.amount),
                    "adjusting": correction.adjusting,
                }
                for correction in corrections_of(hand)
            ],
        },
    }


def _fees_paid(hand: Played) -> dict[str, Any]:
    """Where each player pays the fee it is no rake of a pot, and the format has no place for it."""
    paid = {str(seat): dollars(cents) for seat, cents in hand.fees_paid.items()}
    return {"fees_paid": paid} if paid else {}


def _early_folds(hand: Played) -> dict[str, Any]:
    """Folds out of turn stand among the actions where they happened; the format cannot say more."""
    early = [act.seat for act in actions_of(hand) if act.early]
    return {"folded_out_of_turn": early} if early else {}


def _qualifier(hand: Played) -> dict[str, int]:
    """Of a game whose low is not eight or better: its highest card, or 0 for any."""
    game = hand.profile.game
    return {"low_qualifier": game.low_qualifier} if game.low_qualifier != 8 else {}


def dollars(cents: Cents) -> float:
    return cents / 100


def _corrected(hand: Played) -> dict[str, float]:
    """What the floor moved into the pot from seats, or back; the format has no such action."""
    moved: Counter[int] = Counter()
    for act in actions_of(hand):
        if act.kind == "correct" and act.seat is not None:
            moved[act.seat] += act.amount
    return {str(seat): dollars(cents) for seat, cents in moved.items()}


def _players(hand: Played, stacks: dict[int, Cents | None]) -> list[dict[str, Any]]:
    """Everybody who was dealt in or had to sit the hand out; a player's id is the seat."""
    seats = [*dict.fromkeys((*hand.started.dealt, *hand.started.no_hand, *away_posts(hand)))]
    known = {seat: stacks.get(seat, hand.started.stacks.get(seat)) for seat in seats}
    return [
        {
            "id": seat,
            "seat": seat,
            "name": name_of(hand, seat),
            "starting_stack": dollars(UNTRACKED if stack is None else stack),
            "is_sitting_out": seat not in hand.started.dealt,
        }
        for seat, stack in sorted(known.items())
    ]


def _rounds(hand: Played) -> list[dict[str, Any]]:
    made = actions_of(hand)
    board = [card.text for card in board_of(hand)]
    rounds: list[dict[str, Any]] = []
    number = 0

    def add(street: str, cards: list[str], steps: list[HandAction]) -> None:
        nonlocal number
        actions = []
        for act in steps:
            number += 1
            actions.append(_action(act, number))
        rounds.append({"id": len(rounds), "street": street, "cards": cards, "actions": actions})

    turned = {Street.PREFLOP, *(act.street for act in made if act.kind == "board")}
    at = 0
    for street in Street:
        if street not in turned:
            break
        cards, at = board[at : at + street.board_cards], at + street.board_cards
        steps = [d for d in made if d.street is street and d.kind not in _NO_ACTION]
        add(street.word.capitalize(), cards, steps)
    shown = [act for act in made if act.kind in _SHOWDOWN]
    if shown:
        add("Showdown", [], shown)
    return rounds


def _action(act: HandAction, number: int) -> dict[str, Any]:
    action: dict[str, Any] = {
        "action_number": number,
        "player_id": act.seat,
        "action": ACTIONS[act.kind],
        "amount": dollars(act.amount),
        "is_allin": act.all_in,
    }
    if act.kind == "show":
        action["cards"] = [card.text for card in act.cards]
    return action


def _pots(hand: Played) -> list[dict[str, Any]]:
    """The pots as they were won, with the drop in the one that it was taken from."""
    ended = hand.ended
    if ended is None:
        return []
    pots = []
    for number, pot in enumerate(ended.pots):
        fee, jackpot = (ended.fee, ended.jackpot) if number == ended.drop_from else (0, 0)
        wins = {seat: pot.high.get(seat, 0) + pot.low.get(seat, 0) for seat in pot.high | pot.low}
        pots.append(
            {
                "number": number,
                "amount": dollars(pot.amount + fee + jackpot),
                "rake": dollars(fee),
                "jackpot": dollars(jackpot),
                "player_wins": [
                    {"player_id": seat, "win_amount": dollars(cents)}
                    for seat, cents in sorted(wins.items())
                ],
            }
        )
    return pots
