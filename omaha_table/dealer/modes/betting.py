"""Betting: one key for what a player mostly does, and no amount recorded that was not meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.dealer.change import Change, do, type_digit
from omaha_table.dealer.event_text import chips
from omaha_table.dealer.modes.table_keys import ways_out
from omaha_table.hand import commands as hand

if TYPE_CHECKING:
    from omaha_table.dealer.change import Action
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.hand import Choice
    from omaha_table.money import Cents


def act(model: Model, strip: Strip) -> Prompt:
    """What the seat whose turn it is may do, and the keys for it."""
    choices = {choice.word: choice for choice in model.step.choices}
    sized = choices.get("raise") or choices.get("bet")
    fixed = sized is not None and sized.least == sized.most
    until = model.number if _number_is_a_seat(model, sized) else None
    _enter_key(model, strip, choices, sized)
    if until is not None:
        strip.add("-", f"FOLD TO SEAT {until}", do(hand.ActUntil("fold", until)))
    else:
        strip.add("-", "FOLD", do(hand.Act("fold")))
    if fixed and sized is not None and sized.least is not None:
        strip.add("+", f"{_verb(sized)} {chips(sized.least)}", do(_act(sized)))
    _star_key(model, strip, choices, sized)
    if sized is not None and not fixed:
        most = chips(sized.most) if sized.most is not None else "ANY"
        label = f"AMOUNT {chips(sized.least or 0)}-{most}" if model.typed else "RAISE: TYPE IT"
        strip.digits(label, type_digit)
    else:
        strip.digits("FOLD TO SEAT", type_digit)
    ways_out(model, strip, cents=model.state.profile.has_cents)
    price = chips(choices["call"].least or 0) if "call" in choices else ""
    caption = "TYPED" if model.typed else "TO CALL" if price else ""
    return strip.prompt(
        "PLAYER",
        f"SEAT {model.step.seat} ACTS",
        _options(model, choices, sized),
        model.typed or price,
        caption,
    )


def _number_is_a_seat(model: Model, sized: Choice | None) -> bool:
    """Whether what is typed can only be a seat, because no amount is typed in this game."""
    amounts = sized is not None and sized.least != sized.most
    return not amounts and model.filled is None and model.number in model.hand.setup.dealt


def _enter_key(
    model: Model, strip: Strip, choices: dict[str, Choice], sized: Choice | None
) -> None:
    """ENTER is what its cap says; with an amount typed it is never a call by habit."""
    typed = model.amount
    all_in = choices.get("allin")
    if typed is None and "call" in choices:
        price = chips(choices["call"].least or 0)
        strip.add("ENTER", f"CALL {price}", do(hand.Act("call")), strong=True)
    elif typed is None:
        strip.add("ENTER", "CHECK", do(hand.Act("check")), strong=True)
    elif all_in is not None and typed == all_in.least:
        strip.add("ENTER", f"ALL-IN {chips(typed)}", do(hand.Act("allin")), strong=True)
    elif "call" in choices and typed == model.hand.price:
        strip.add("ENTER", f"CALL {chips(typed)}", do(hand.Act("call")), strong=True)
    elif _number_is_a_seat(model, sized):
        why = f"Seat {model.number}: - folds everyone before it, . clears."
        strip.explain("ENTER", why=why)
    elif sized is None or sized.least is None:
        strip.explain("ENTER", why="This seat may not raise now. Press . to clear.")
    elif typed < sized.least:
        strip.explain("ENTER", why=f"The least is {chips(sized.least)}. Type it, or . to clear.")
    elif sized.most is not None and typed > sized.most:
        strip.explain("ENTER", why=f"The most is {chips(sized.most)}. Type it, or . to clear.")
    else:
        action = do(_act(sized, typed))
        strip.add("ENTER", f"{_verb(sized)} {chips(typed)}", action, strong=True)


def _star_key(model: Model, strip: Strip, choices: dict[str, Choice], sized: Choice | None) -> None:
    """The pot, or all the chips: shown and filled in, committed by ENTER."""
    typed, all_in = model.amount, choices.get("allin")
    if all_in is not None and all_in.least is None:
        if typed is not None:
            strip.add("*", f"ALL-IN FOR {chips(typed)}", do(hand.Act("allin", typed)))
        else:
            why = "The stack is not tracked: type the amount, then *."
            strip.explain("*", "ALL-IN", why=why)
    elif all_in is not None and (sized is None or sized.most == all_in.least):
        amount = all_in.least or 0
        strip.add("*", f"ALL-IN = {chips(amount)}", _fill(amount))
    elif sized is not None and sized.most is not None and sized.most != sized.least:
        pot = model.hand.setup.stakes.structure == "pot_limit"
        strip.add("*", f"{'POT' if pot else 'MOST'} = {chips(sized.most)}", _fill(sized.most))


def _fill(amount: Cents) -> Action:
    return lambda model: Change(model.fill(amount))


def _options(model: Model, choices: dict[str, Choice], sized: Choice | None) -> str:
    """What the seat may do, in a line."""
    seat = model.step.seat or 0
    at = model.state.seats.get(seat)
    words = [at.name if at is not None else f"Seat {seat}"]
    if "call" in choices:
        words.append(f"to call {chips(choices['call'].least or 0)}")
    if sized is not None and sized.least is not None:
        least = "min raise to" if sized.word == "raise" else "min bet"
        words.append(f"{least} {chips(sized.least)}")
        if sized.most is not None and sized.most != sized.least:
            words.append(f"max {chips(sized.most)}")
    stack = model.hand.seats[seat].stack
    words.append("stack not tracked" if stack is None else f"stack {chips(stack)}")
    bound = model.hand.bound.get(seat)
    if bound is not None:
        words.append(f"BOUND TO {bound[0].upper()}")
    return "   ".join(words)


def _act(choice: Choice, amount: Cents | None = None) -> hand.Act:
    return hand.Act("raise" if choice.word == "raise" else "bet", amount)


def _verb(choice: Choice) -> str:
    return "RAISE TO" if choice.word == "raise" else "BET"
