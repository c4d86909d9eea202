"""The middle of the table: the board, the pots, and what has happened on the way."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.event_text import chips, drop
from omaha_table.dealer.pot_pushes import pushes
from omaha_table.dealer.table_view import NO_BREAK, FeltSection, FeltView, PotView
from omaha_table.evaluate.words import describe_high, describe_low
from omaha_table.hand import misdeal_window_open
from omaha_table.hand.betting import options
from omaha_table.hand.phases import Phase, Street
from omaha_table.hand.showdown import claims, low_possible, read_tabled, state_drop, winners
from omaha_table.table.positions import find_positions, next_without_hand

if TYPE_CHECKING:
    from omaha_table.dealer.story import Story
    from omaha_table.hand import HandState
    from omaha_table.hand.pots import Pot
    from omaha_table.table import TableState


_FELT_LINE: Final = 37
"""Columns of the middle in the smallest window."""


def felt_view(
    state: TableState, story: Story, keyed: tuple[str, ...] = (), *, readings: bool = True
) -> FeltView:
    """`keyed` are cards of the board that the dealer has typed and not committed.

    Without `readings` it is not said who wins what: in practice the dealer reads first.
    """
    hand = state.hand
    return _idle_felt(state) if hand is None else _felt(hand, story, keyed, readings=readings)


def _idle_felt(state: TableState) -> FeltView:
    if len(state.present) < 2 and not state.closed:
        return FeltView("WAITING FOR PLAYERS", strong=f"{len(state.seats)} SEATED")
    if state.button is None and state.profile.button.initial == "high_card":
        return FeltView(
            "BUTTON DRAW",
            strong="HIGH CARD WINS THE BUTTON",
            lines=("tie broken by suit  s > h > d > c",),
        )
    at = find_positions(state) if state.button is not None else None
    dealt = len(at.order[: state.profile.seats.hands]) if at is not None else len(state.present)
    lines = []
    out = next_without_hand(state)
    if out:
        lines.append(f"no hand for seat {', '.join(map(str, out))}")
    if state.button is not None:
        kill = "" if state.killer is None else f" · kill seat {state.killer}"
        lines.append(f"next button seat {state.button}{kill}")
    if state.decks_out:
        lines.append(f"out of play: {', '.join(sorted(state.decks_out))} deck")
    lines += [
        f"held {chips(cents)} of seat {seat} (hand {number})"
        for number, held in state.impounded.items()
        for seat, cents in held.items()
    ]
    if state.closed:
        return FeltView("TABLE CLOSED")
    return FeltView(
        "BETWEEN HANDS",
        strong=f"{len(state.seats)} SEATED   {dealt} DEALT IN",
        lines=tuple(lines),
    )


def _felt(hand: HandState, story: Story, keyed: tuple[str, ...], *, readings: bool) -> FeltView:
    showdown = hand.phase in (Phase.SHOWDOWN, Phase.PUSH) and len(hand.contenders) > 1
    title = "SHOWDOWN" if showdown else hand.street.name
    if hand.phase is Phase.DEAL:
        title = "THE DEAL"
    board = tuple(card.text for card in (*hand.board, *hand.turned))
    lamps = []
    if misdeal_window_open(hand):
        lamps.append("MISDEAL POSSIBLE")
    if hand.setup.started.killer is not None:
        lamps.append("KILL POT")
    if _may_raise_without_cap(hand):
        lamps.append("NO RAISE CAP")
    strong, lines = _betting_lines(hand)
    if hand.phase in (Phase.SHOWDOWN, Phase.PUSH):
        lines = _drop_lines(hand)
    if hand.phase is Phase.BOARD:
        strong = "BETTING CLOSED"
    return FeltView(
        title,
        f"TOTAL {chips(hand.pot_total)}",
        board,
        keyed,
        5 if board or keyed or hand.street is not Street.PREFLOP else 0,
        _pots(hand, showdown=showdown, claimed=showdown and readings),
        lines,
        strong,
        tuple(lamps),
        _sections(hand, story, readings=readings),
    )


def _may_raise_without_cap(hand: HandState) -> bool:
    """Heads up there may be no cap; of interest only while somebody can raise."""
    capped = hand.setup.profile.betting.max_raises
    if not (hand.uncapped and capped and hand.phase is Phase.BETTING and hand.actor is not None):
        return False
    return options(hand).least is not None


def _sections(hand: HandState, story: Story, *, readings: bool) -> tuple[FeltSection, ...]:
    """What is of use first: at the showdown the hands, while betting the actions."""
    counted = _pot_sums(hand)
    actions = FeltSection("ACTIONS", _actions_by_street(story))
    sums = FeltSection("THE POT" if len(counted) == 1 else "THE POTS", counted)
    hands = FeltSection("HANDS", _readings(hand) if readings else ())
    pushing = hand.phase is Phase.PUSH and readings
    awards = FeltSection("PUSHES", _pushes(hand) if pushing else ())
    return tuple(section for section in (hands, awards, sums, actions) if section.lines)


def _actions_by_street(story: Story) -> tuple[str, ...]:
    """'FLOP  8 check · 9 bet 4 · 1 2 3 call 4', the latest street first."""
    streets: dict[Street, list[tuple[list[int], str]]] = {}
    for act in story.actions:
        made = streets.setdefault(act.street, [])
        if made and made[-1][1] == act.words:
            made[-1][0].append(act.seat)
        else:
            made.append(([act.seat], act.words))
    lines = []
    for street, made in reversed(streets.items()):
        acts = [f"{' '.join(map(str, seats))} {words.lower()}" for seats, words in made]
        # A seat and its action stay on one line.
        together = [act.replace(", ", " ").replace(" ", NO_BREAK) for act in acts]
        lines.append(f"{street.name}  {f'{NO_BREAK}· '.join(together)}")
    return tuple(lines)


def _pot_sums(hand: HandState) -> tuple[str, ...]:
    """'32 = 8 x 4': how many seats put in how much, as the dealer counts it."""
    if any(at.bet for at in hand.seats.values()):
        return ()
    pots = hand.pots()
    put_in = {seat: at.put_in - hand.returned.get(seat, 0) for seat, at in hand.seats.items()}
    dead = sum(at.dead for at in hand.seats.values())
    lines, below = [], 0
    for number, pot in enumerate(pots):
        last = number == len(pots) - 1
        top = max(put_in.values()) if last else min(put_in[seat] for seat in pot.eligible)
        parts = Counter(min(cents, top) - min(cents, below) for cents in put_in.values())
        terms = [
            f"{count} x {chips(cents)}" if count > 1 else chips(cents)
            for cents, count in sorted(parts.items(), reverse=True)
            if cents
        ]
        terms += [f"{chips(dead)} dead"] if dead and not number else []
        total = sum(cents * count for cents, count in parts.items()) + (0 if number else dead)
        if total == pot.amount and len(terms) > 0:
            name = "" if len(pots) == 1 else "MAIN  " if not number else f"SIDE {number}  "
            lines.append(f"{name}{chips(pot.amount)} = {' + '.join(terms)}")
        below = top
    return tuple(lines)


def _readings(hand: HandState) -> tuple[str, ...]:
    """What each tabled hand makes."""
    if len(hand.board) != 5 or not hand.tabled:
        return ()
    highs, lows = read_tabled(hand)
    lines = []
    for seat in hand.tabled:
        lines.append(f"{seat}  {describe_high(highs[seat])}")
        if hand.setup.profile.splits:
            lines.append(f"   low: {describe_low(lows[seat]) if lows.get(seat) else 'none'}")
    return tuple(lines)


def _pushes(hand: HandState) -> tuple[str, ...]:
    side_pots = len(hand.pots()) > 1
    lines = []
    for due in pushes(hand):
        words = (due.pot if side_pots else "", due.part, "odd chip" if due.odd else "")
        what = ", ".join(filter(None, words)) or due.pot.lower()
        lines.append(f"{chips(due.amount)} to seat {due.seat}   {what}")
    return tuple(lines)


def _drop_lines(hand: HandState) -> tuple[str, ...]:
    """What goes into the boxes before anything is pushed."""
    due = state_drop(hand)
    if not due.fee + due.jackpot:
        return ()
    rest = sum(pot.amount for pot in due.pots)
    where = f" from SIDE {due.taken_from}" if due.taken_from else ""
    return (f"drop {drop(due.fee, due.jackpot)}{where} first, {chips(rest)} to push",)


def _betting_lines(hand: HandState) -> tuple[str, tuple[str, ...]]:
    if hand.phase is not Phase.BETTING or hand.actor is None:
        return "", ()
    to_call = max(hand.price - hand.seats[hand.actor].bet, 0)
    if not hand.price:
        return "NO BET YET", ()
    by = "" if hand.aggressor is None else f" by seat {hand.aggressor}"
    cap = hand.setup.profile.betting.max_raises
    raises = f" · {hand.raises} of {cap} raises" if cap and not hand.uncapped else ""
    price = f"TO CALL {chips(to_call)}" if to_call else "NOTHING TO CALL"
    line = f"bet {chips(hand.price)}{by}"
    if len(line) + len(raises) <= _FELT_LINE:
        return price, (f"{line}{raises}",)
    return price, (line, raises.removeprefix(" · "))


def _pots(hand: HandState, *, showdown: bool, claimed: bool) -> tuple[PotView, ...]:
    """What lies in the middle; what is in front of the seats is not in it yet."""
    in_front, pots = hand.in_front, hand.pots_in_the_middle()
    made = []
    for number, pot in enumerate(pots):
        name = "POT" if len(pots) == 1 else "MAIN" if number == 0 else f"SIDE {number}"
        high, low = _claims(hand, number, pot) if claimed else ("", "")
        seats = " ".join(map(str, pot.eligible))
        made.append(PotView(name, chips(pot.amount), seats, high, low))
    if in_front and not showdown:
        betting = [str(seat) for seat, at in sorted(hand.seats.items()) if at.bet]
        made.append(PotView("IN FRONT", chips(in_front), " ".join(betting)))
    return tuple(made)


def _claims(hand: HandState, number: int, pot: Pot) -> tuple[str, str]:
    """Who has the high and the low of a pot as far as the tabled cards say."""
    live = claims(hand, pot)
    unseen = len(live) > 1 and not any(seat in hand.tabled for seat in live)
    if unseen and number not in hand.read_high:
        return "", ""
    high, low, _ = winners(hand, number, pot)
    if not hand.setup.profile.splits:
        none = ""
    elif not low_possible(hand):
        none = "no low"
    else:
        # Nobody has it, or nobody has said yet who has it.
        open_still = len(live) > 1 and number not in hand.read_low
        untabled = not all(seat in hand.tabled for seat in live)
        none = "?" if open_still and untabled else "-"
    return " ".join(map(str, high)), " ".join(map(str, low)) or none
