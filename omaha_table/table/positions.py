"""Who is where in the next hand: button, blinds, who comes in, and what each posts.

The big blind is what everybody must pay once a lap. A *moving* button goes from player to player
and the blinds are adjusted, so that two big blinds may be posted at once; with a *dead* button
the big blind goes from player to player, and button or small blind may fall on an empty chair.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from omaha_table.hand.events import HandStarted, Post
from omaha_table.hand.split import clockwise

if TYPE_CHECKING:
    from collections.abc import Collection

    from omaha_table.money import Cents
    from omaha_table.rules import Limit, Profile
    from omaha_table.rules.profile import Kill
    from omaha_table.table.state import LastHand, TableState


@dataclass(frozen=True, slots=True)
class Positions:
    button: int
    small_chair: int
    """Where the small blind is, whether or not somebody posts it."""
    small: int | None
    big: int
    also_big: tuple[int, ...]
    """Seats that the moving button would have spared their big blind: they post one too."""
    order: tuple[int, ...]
    """Everybody in the hand or sitting it out, clockwise from the left of the button."""
    late: tuple[int, ...]
    """Of these, who posts what is owed to come in."""


def find_positions(state: TableState) -> Positions | None:
    """The places of the next hand, or None where two players are not ready or no button is set."""
    present = state.present
    if len(present) < 2 or (state.last is None and state.button is None):
        return None
    settled = [seat for seat in present if state.settled(seat)]
    if len(present) == 2:
        return _heads_up(state, present)
    if len(settled) < 2:
        # With fewer than two seats that owe nothing, waiting for the big blind would stop the game.
        settled = present
    if state.last is not None and state.profile.button.method == "dead":
        return _dead_button(state, state.last, present, settled)
    return _moving_button(state, present, settled)


def _next(seats: Collection[int], after: int) -> int:
    return clockwise(seats, after)[0]


def _between(seat: int, start: int, end: int) -> bool:
    """Whether a chair lies clockwise after the start and before the end."""
    return (start < seat < end) if start < end else (seat > start or seat < end)


def _heads_up(state: TableState, pair: list[int]) -> Positions:
    """Two players; nobody has the big blind twice running.

    A third player who wants to post and come in waits: the big blind is there within two hands.
    """
    if state.last is None:
        button = state.button if state.button in pair else _next(pair, state.button or 0)
        big = _next(pair, button)
    elif state.last.big_blind in pair:
        big = _next(pair, state.last.big_blind)
    else:
        owing = [seat for seat in pair if not state.settled(seat)]
        big = owing[0] if len(owing) == 1 else _next(pair, state.last.big_blind)
    small = _next(pair, big)
    # Read literally, the filed rules would put the big blind on the button. Robert's Rules and the
    # TDA have the small blind there (`button.heads_up_small_blind_on_button`).
    on_button = state.profile.button.heads_up_small_blind_on_button
    button = small if on_button else big
    return Positions(button, small, small, big, (), tuple(clockwise(pair, button)), ())


def _moving_button(state: TableState, present: list[int], settled: list[int]) -> Positions:
    if state.last is not None:
        button = _next(settled, state.last.button)
    elif state.button in settled:
        button = state.button
    else:
        button = _next(settled, state.button or 0)
    small = _next(settled, button)
    # Of all who are present, not only of those who owe nothing: a newcomer comes in on this blind.
    big = _next(present, small)
    if big == button:
        return _heads_up(state, [button, small])
    if state.last is not None and big == state.last.big_blind:
        # Nobody has the big blind twice running: the others are placed from the next one back.
        big = _next(present, big)
        *_, button, small, big = clockwise(present, big)
        # Who owes blinds is in the hand all the same once it has the button or the small blind.
        settled = [*{*settled, button, small}]
    at = _positions(state, button, small, small, big, settled)
    if state.last is None:
        return at
    last = state.last.big_blind
    # When a blind leaves, the moving button takes the big blind past the next seat. That seat posts
    # one as well, or it would play a lap without it.
    spared = tuple(seat for seat in settled if _between(seat, last, big))
    return replace(at, also_big=spared if len(spared) < len(settled) - 1 else ())


def _dead_button(
    state: TableState, last: LastHand, present: list[int], settled: list[int]
) -> Positions:
    big = _next(present, last.big_blind)
    # The small blind goes where the big one was and the button where the small one was, also to an
    # empty chair.
    chair = last.big_blind
    small = chair if chair in settled and chair != big else None
    at = _positions(state, last.small_blind, chair, small, big, settled)
    if len(at.order) == 2:
        return _heads_up(state, list(at.order))
    if at.button in (small, big):
        # After two players the button was on a blind: the others are placed from the big one back.
        *_, button, small, big = clockwise(at.order, big)
        return _positions(state, button, small, small, big, settled)
    return at


def _positions(
    state: TableState,
    button: int,
    chair: int,
    small: int | None,
    big: int,
    settled: Collection[int],
) -> Positions:
    """Adds everybody else: who owes nothing, and who posts and may come in here."""
    # Nobody posts to come in between the button and the big blind; they wait until the button has
    # passed (Robert's Rules).
    late = tuple(
        seat
        for seat in state.present
        if state.seats[seat].posting
        and seat not in settled
        and seat != big
        and not _between(seat, button, big)
    )
    inside = {*settled, *late, big}
    return Positions(button, chair, small, big, (), tuple(clockwise(inside, button)), late)


def next_hand(state: TableState, at: Positions) -> HandStarted:
    """The next hand at these positions."""
    profile, limit = state.profile, state.limit
    dealt, no_hand = deal_order(list(at.order), at, profile, state.no_hand_seat)
    killer = state.killer if state.killer in (state.seats if state.kill_stands else dealt) else None
    return HandStarted(
        number=state.hands + 1,
        rules=profile.id,
        rules_version=profile.profile.version,
        limit=limit.id,
        button=at.button,
        dealt=dealt,
        no_hand=no_hand,
        small_blind=at.small,
        big_blind=at.big,
        killer=killer,
        stacks={seat: state.seats[seat].stack for seat in sorted(state.seats)},
        posts=tuple(_posts(state, limit, dealt, at, killer)),
        small_blind_chair=at.small_chair,
        deck=state.deck_back,
        kill_stands=bool(state.kill_left),
    )


def deal_order(
    order: list[int], at: Positions, profile: Profile, named: int | None = None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The seats that get a hand, the button last, and those that get none this time."""
    too_many = len(order) - profile.seats.hands
    if too_many <= 0:
        return tuple(order), ()
    if profile.seats.no_hand_seat == "under_the_gun":
        first = order.index(at.big) + 1
        without = (order[first:] + order[:first])[:too_many]
    elif profile.seats.no_hand_seat == "floor" and named in order:
        rest = [seat for seat in order if seat != named]
        without = [*rest[len(rest) - too_many + 1 :], named]
    else:
        # One deck serves eight hands of five cards. Nine players: the deal from the left of the
        # button ends before the button itself (`seats.no_hand_seat`).
        without = order[-too_many:]
    return tuple(seat for seat in order if seat not in without), tuple(without)


def next_without_hand(state: TableState) -> tuple[int, ...]:
    """The seats that get no hand in the next deal.

    Where the floor names the seat: empty until it has.
    """
    at = find_positions(state) if state.button is not None else None
    if at is None or (state.profile.seats.no_hand_seat == "floor" and state.no_hand_seat is None):
        return ()
    return deal_order(list(at.order), at, state.profile, state.no_hand_seat)[1]


def _posts(
    state: TableState, limit: Limit, dealt: tuple[int, ...], at: Positions, killer: int | None
) -> list[Post]:
    """Antes, then the blinds. A killer posts the kill and no other blind."""
    anted = dealt if limit.ante_by == "all" else (at.big,)
    due = [Post(seat, "ante", limit.ante) for seat in anted if limit.ante]
    kill = limit.kill
    debtors = () if kill is None else tuple(s for s in dealt if state.seats[s].owes_kill)
    # Nobody posts a blind and a kill in one hand, be it this hand's kill or one that is owed.
    one_blind = (killer, *debtors) if state.kill_stands else (killer,)
    exempt = (*one_blind, *at.also_big)
    if at.small in dealt and at.small not in exempt and limit.small_blind:
        due.append(Post(at.small or 0, "small_blind", limit.small_blind))
    due += [
        Post(seat, "big_blind", limit.big_blind)
        for seat in (*at.also_big, at.big)
        if seat not in one_blind and seat in dealt
    ]
    for seat in at.late:
        if seat not in dealt:
            continue
        owing = state.seats[seat]
        if (owing.new or owing.owes_big) and seat not in one_blind:
            due.append(Post(seat, "late", limit.big_blind))
        # Of the missed blinds only a big one is live; the small one is dead money. It is a blind
        # all the same, and a seat that posts a kill posts no other.
        one = state.kill_stands and seat in one_blind
        if owing.owes_small and limit.small_blind and not one:
            due.append(Post(seat, "dead", limit.small_blind))
    if kill is None:
        return due
    if not state.kill_stands:
        due += [Post(seat, "dead", kill.blind) for seat in debtors]
    else:
        is_kill = killer is not None or bool(state.kill_left)
        for seat in debtors:
            if seat != killer:
                due += _owed_kill(seat, kill, kill.blind if is_kill else limit.big_blind)
    return due if killer is None else [*due, *kill_post(state, killer)]


def kill_post(state: TableState, killer: int) -> list[Post]:
    """The kill; without a chip on the table nobody posts it, and the price is the same."""
    kill = state.limit.kill
    if kill is None or state.seats[killer].stack == 0:
        return []
    return [Post(killer, "kill", kill.blind)]


def _owed_kill(seat: int, kill: Kill, price: Cents) -> list[Post]:
    """The kill that a player owes, in place of any blind.

    As of other missed blinds, what it costs to come in is live and the rest is dead money.
    """
    live = Post(seat, "late", price)
    return [live, Post(seat, "dead", kill.blind - price)] if kill.blind > price else [live]


def missed_blinds(state: TableState, at: Positions) -> dict[int, tuple[bool, bool]]:
    """The seats held by players who are not there as the small and the big blind pass them."""
    small_from = at.button if state.last is None else state.last.small_blind
    big_from = at.button if state.last is None else state.last.big_blind
    # Of a new game between two the small blind is on the button, and has passed nobody.
    begins_there = state.last is None and at.small_chair == at.button
    missed = {}
    for seat, player in sorted(state.seats.items()):
        # A seat that is present and waits for its blind has missed nothing.
        if seat in at.order or player.present:
            continue
        small = not begins_there and _between(seat, small_from, at.small_chair)
        small = small or seat == at.small_chair
        big = _between(seat, big_from, at.big)
        if small or big:
            missed[seat] = (small, big)
    return missed


def passed_by_the_big_blind(state: TableState, started: HandStarted) -> frozenset[int]:
    """The chairs that the big blind has come to or gone past since the game began."""
    if len(state.passed) == state.profile.seats.max:
        return state.passed
    start = state.last.big_blind if state.last is not None else started.button
    chairs = range(1, state.profile.seats.max + 1)
    now = {seat for seat in chairs if _between(seat, start, started.big_blind)}
    return state.passed | now | {started.big_blind}
