"""Who is where in the next hand: button, blinds, the seat without a hand, and what each posts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.hand.events import HandStarted, Post
from omaha_table.hand.split import clockwise

if TYPE_CHECKING:
    from omaha_table.rules import Limit, Profile
    from omaha_table.table.state import TableState


def next_hand(state: TableState, button: int) -> HandStarted:
    """The next hand with the button on a seat. At least two seats must play."""
    profile, limit = state.profile, state.limit
    order = clockwise(state.playing, button)
    small, big = blinds(order, button, profile)
    dealt, no_hand = deal_order(order, profile)
    killer = state.killer if state.killer in dealt else None
    return HandStarted(
        number=state.hands + 1,
        rules=profile.id,
        rules_version=profile.profile.version,
        limit=limit.id,
        button=button,
        dealt=dealt,
        no_hand=no_hand,
        small_blind=small,
        big_blind=big,
        killer=killer,
        stacks={seat: state.seats[seat].stack for seat in sorted(state.seats)},
        posts=posts(limit, dealt, small, big, killer),
    )


def blinds(order: list[int], button: int, profile: Profile) -> tuple[int, int]:
    """The small and the big blind. Two players: the small blind is on the button, by profile."""
    on_button = profile.button.heads_up_small_blind_on_button
    if len(order) == 2 and on_button and order[1] == button:
        return order[1], order[0]
    return order[0], order[1]


def deal_order(order: list[int], profile: Profile) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The seats that get a hand, the button last, and those that get none this time."""
    too_many = len(order) - profile.seats.hands
    if too_many <= 0:
        return tuple(order), ()
    if profile.seats.no_hand_seat == "under_the_gun":
        without = order[2 : 2 + too_many]
    else:
        without = order[-too_many:]
    return tuple(seat for seat in order if seat not in without), tuple(without)


def posts(
    limit: Limit, dealt: tuple[int, ...], small: int, big: int, killer: int | None
) -> tuple[Post, ...]:
    """Antes, then the blinds. A killer posts the kill and no other blind."""
    due = [Post(seat, "ante", limit.ante) for seat in dealt if limit.ante]
    if small != killer and limit.small_blind:
        due.append(Post(small, "small_blind", limit.small_blind))
    if big != killer:
        due.append(Post(big, "big_blind", limit.big_blind))
    if killer is not None and limit.kill is not None:
        due.append(Post(killer, "kill", limit.kill.blind))
    return tuple(due)
