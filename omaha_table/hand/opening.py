"""How a hand begins: its stakes, the order of its cards, and what is posted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.hand.events import Posted
from omaha_table.hand.phases import Phase
from omaha_table.hand.state import HandState, SeatHand, Setup, Slot, Stakes

if TYPE_CHECKING:
    from omaha_table.hand.events import HandStarted, SlotKind
    from omaha_table.money import Cents
    from omaha_table.rules import Limit, Profile


_BOARD: Final[tuple[SlotKind, ...]] = (
    *("burn", "flop", "flop", "flop"),
    *("burn", "turn"),
    *("burn", "river"),
)


def start(profile: Profile, limit: Limit, started: HandStarted) -> HandState:
    """The hand before anything is posted."""
    stakes = Stakes.of(limit, kill=started.is_kill)
    # A killer who is away posts from the chips on the table and has no hand: as if it had folded.
    away = {post.seat for post in started.posts} - {*started.dealt}
    slots = dealing_sequence(started.dealt, profile.game.hole_cards)
    return HandState(
        setup=Setup(profile, limit, stakes, started, slots),
        seats={seat: SeatHand(started.stacks[seat]) for seat in started.dealt}
        | {seat: SeatHand(started.stacks[seat], folded=True) for seat in away},
        # The full blind, even if it is posted short or by nobody: a short blind does not lower what
        # others must call (house rules).
        price=stakes.opening,
        full=stakes.opening,
        increment=max(stakes.opening, stakes.small_bet),
    )


def dealing_sequence(dealt: tuple[int, ...], hole_cards: int) -> tuple[Slot, ...]:
    """Every card of the hand in its order: hole cards one at a time, then burn and board."""
    # `dealt` begins at the left of the button and ends with the button, if that seat gets a hand.
    hole = [Slot("hole", seat) for _ in range(hole_cards) for seat in dealt]
    return (*hole, *map(Slot, _BOARD))


def post(state: HandState) -> list[Posted]:
    """Antes, blinds, kill and late posts, as far as each stack reaches."""
    made = []
    left = state.setup.started.stacks | state.short
    for due in state.setup.started.posts:
        stack = left[due.seat]
        amount = due.amount if stack is None else min(due.amount, stack)
        if stack is not None:
            left[due.seat] = stack - amount
        if amount:
            all_in = left[due.seat] == 0
            made.append(Posted(due.seat, due.kind, amount, all_in, state.entry))
    return made


def may_post_short(state: HandState) -> dict[int, Cents]:
    """The seats that can still say that they have less than they must post, and what that is.

    A tracked stack posts short by itself. Without one, only the player's word tells it, and only
    until the first card: after it the posts stand.
    """
    due: dict[int, Cents] = {}
    if state.phase is Phase.DEAL and not state.cards_dealt:
        for post_due in state.setup.started.posts:
            if state.setup.started.stacks[post_due.seat] is None:
                due[post_due.seat] = due.get(post_due.seat, 0) + post_due.amount
    return due
