"""Betting: one key for what a player mostly does, and no amount recorded that was not meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.dealer.event_text import chips
from omaha_table.hand import commands as hand

if TYPE_CHECKING:
    from omaha_table.dealer.at_table import AtTable
    from omaha_table.dealer.controller import Front
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.view import Prompt
    from omaha_table.hand import Choice, HandState, Step
    from omaha_table.money import Cents
    from omaha_table.table import TableState


def act(front: Front, mode: AtTable, strip: Strip, step: Step) -> Prompt:
    """What the seat whose turn it is may do, and the keys for it."""
    choices = {choice.word: choice for choice in step.choices}
    state = _hand(front.session.state)
    seat = step.seat or 0
    sized = choices.get("raise") or choices.get("bet")
    fixed = sized is not None and sized.least == sized.most
    seats = sized is None or fixed
    typed = front.amount
    until = front.number
    _enter_key(front, strip, choices, sized, typed, seats=seats)
    if until is not None and front.filled is None and until in state.setup.dealt and seats:
        strip.add("-", f"FOLD TO SEAT {until}", lambda: front.do(hand.ActUntil("fold", until)))
    else:
        strip.add("-", "FOLD", lambda: front.do(hand.Act("fold")))
    if fixed and sized is not None and sized.least is not None:
        label = f"{_verb(sized)} {chips(sized.least)}"
        strip.add("+", label, lambda: front.do(hand.Act(sized.word)))  # type: ignore[arg-type]
    _star_key(front, strip, choices, sized, state, typed)
    if sized is not None and not fixed:
        most = chips(sized.most) if sized.most is not None else "ANY"
        label = f"AMOUNT {chips(sized.least or 0)}-{most}" if typed else "RAISE: TYPE IT"
        strip.digits(label, front.type_digit)
    else:
        strip.digits("FOLD TO SEAT", front.type_digit)
    mode.ways_out(strip, cents=front.table_has_cents)
    number = front.typed or chips(choices["call"].least or 0) if "call" in choices else ""
    caption = "TYPED" if front.typed else "TO CALL" if "call" in choices else ""
    return strip.prompt(
        "PLAYER",
        f"SEAT {seat} ACTS",
        _say_options(front, seat, choices, sized),
        front.typed or number,
        caption,
    )


def _enter_key(
    front: Front,
    strip: Strip,
    choices: dict[str, Choice],
    sized: Choice | None,
    typed: Cents | None,
    *,
    seats: bool,
) -> None:
    """ENTER is what its cap says; with an amount typed it is never a call by habit."""
    if typed is None:
        if "call" in choices:
            price = chips(choices["call"].least or 0)
            strip.add("ENTER", f"CALL {price}", lambda: front.do(hand.Act("call")), strong=True)
        else:
            strip.add("ENTER", "CHECK", lambda: front.do(hand.Act("check")), strong=True)
        return
    state = _hand(front.session.state)
    all_in = choices.get("allin")
    if all_in is not None and typed == all_in.least:
        strip.add(
            "ENTER", f"ALL-IN {chips(typed)}", lambda: front.do(hand.Act("allin")), strong=True
        )
        return
    if "call" in choices and typed == state.price:
        strip.add("ENTER", f"CALL {chips(typed)}", lambda: front.do(hand.Act("call")), strong=True)
        return
    if seats and front.number in state.setup.dealt:
        strip.add("ENTER", "", grey=f"Seat {front.number}: - folds up to it, . clears.")
    elif sized is None or sized.least is None:
        strip.add("ENTER", "", grey="This seat may not raise now: . clears what is typed.")
    elif typed < sized.least:
        strip.add("ENTER", "", grey=f"The least is {chips(sized.least)}: type it, or . clears.")
    elif sized.most is not None and typed > sized.most:
        strip.add("ENTER", "", grey=f"The most is {chips(sized.most)}: type it, or . clears.")
    else:
        verb = hand.Act(sized.word, typed)  # type: ignore[arg-type]
        strip.add("ENTER", f"{_verb(sized)} {chips(typed)}", lambda: front.do(verb), strong=True)


def _star_key(
    front: Front,
    strip: Strip,
    choices: dict[str, Choice],
    sized: Choice | None,
    state: HandState,
    typed: Cents | None,
) -> None:
    """The pot, or all the chips: shown and filled in, committed by ENTER."""
    all_in = choices.get("allin")
    if all_in is not None and all_in.least is None:
        if typed is not None:
            said = hand.Act("allin", typed)
            strip.add("*", f"ALL-IN FOR {chips(typed)}", lambda: front.do(said))
        else:
            strip.add("*", "ALL-IN", grey="The stack is not tracked: type the amount, then *.")
    elif all_in is not None and (sized is None or sized.most == all_in.least):
        amount = all_in.least or 0
        strip.add("*", f"ALL-IN = {chips(amount)}", lambda: front.fill(amount))
    elif sized is not None and sized.most is not None and sized.most != sized.least:
        pot = state.setup.stakes.structure == "pot_limit"
        most = sized.most
        strip.add("*", f"{'POT' if pot else 'MOST'} = {chips(most)}", lambda: front.fill(most))


def _say_options(front: Front, seat: int, choices: dict[str, Choice], sized: Choice | None) -> str:
    state = front.session.state
    at = state.seats.get(seat)
    words = [at.name if at is not None else f"Seat {seat}"]
    if "call" in choices:
        words.append(f"to call {chips(choices['call'].least or 0)}")
    if sized is not None and sized.least is not None:
        words.append(f"{'min raise to' if sized.word == 'raise' else 'min bet'} "
                     f"{chips(sized.least)}")  # fmt: skip
        if sized.most is not None and sized.most != sized.least:
            words.append(f"most {chips(sized.most)}")
    stack = _hand(state).seats[seat].stack
    words.append("stack not tracked" if stack is None else f"stack {chips(stack)}")
    bound = _hand(state).bound.get(seat)
    if bound is not None:
        words.append(f"BOUND TO {bound[0].upper()}")
    return "   ".join(words)


def _hand(state: TableState) -> HandState:
    assert state.hand is not None
    return state.hand


def _verb(choice: Choice) -> str:
    return "RAISE TO" if choice.word == "raise" else "BET"
