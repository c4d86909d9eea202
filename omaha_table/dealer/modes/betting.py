"""Betting: one key for what a player mostly does, and no amount recorded that was not meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.dealer.change import Change, do, type_digit
from omaha_table.dealer.event_text import chips
from omaha_table.dealer.modes.table_keys import ways_out
from omaha_table.hand import commands as hand
from omaha_table.hand.actions import why_no_raise
from omaha_table.hand.betting import options
from omaha_table.hand.refusal import sentence

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
    seat = model.number if _number_is_a_seat(model, sized) else None
    stray = _number_means_nothing(model, choices, sized)
    _enter_key(model, strip, choices, sized)
    if seat is not None:
        strip.add("-", f"FOLD TO SEAT {seat}", do(hand.ActUntil("fold", seat)))
    elif model.typed and model.filled is None:
        # It may be a card keyed at the wrong step: its suit must not fold a hand.
        typed = f"{model.typed} is typed. Press . to clear it first."
        strip.when_pressed("-", _stray(model) if stray else typed)
    else:
        strip.add("-", "FOLD", do(hand.Act("fold")))
    if fixed and sized is not None and sized.least is not None:
        if model.typed and model.filled is None and model.amount != sized.least:
            strip.when_pressed("+", f"{model.typed} is typed. Press . to clear it first.")
        else:
            strip.add("+", f"{_verb(sized)} {chips(sized.least)}", do(_act(sized)))
    elif sized is None:
        strip.when_pressed("+", _no_raise(model))
    elif model.typed:
        strip.when_pressed("+", f"{model.typed} is typed. Press ENTER to confirm, or . to clear.")
    else:
        strip.when_pressed("+", "Type the amount, then ENTER.")
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
    others = [seat for seat in model.hand.setup.dealt if seat != model.step.seat]
    return not amounts and model.filled is None and model.number in others


def _number_means_nothing(model: Model, choices: dict[str, Choice], sized: Choice | None) -> bool:
    """Whether what is typed in a limit game is no seat, and no amount that can be put in."""
    if not model.typed or model.filled is not None or _number_is_a_seat(model, sized):
        return False
    if sized is not None and sized.least != sized.most:
        return False
    amounts = [choice.least for choice in choices.values() if choice.least is not None]
    untracked = "allin" in choices and choices["allin"].least is None
    return not untracked and model.amount not in amounts


def _stray(model: Model) -> str:
    if model.number == model.step.seat:
        return f"The action is already on seat {model.number}. Press . to clear."
    return f"Seat {model.typed} is not in this hand. Press . to clear."


def _no_raise(model: Model) -> str:
    return sentence(why_no_raise(model.hand, options(model.hand)))


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
        why = f"Press - to fold everyone before seat {model.number}, or . to clear."
        strip.explain("ENTER", why=why)
    elif _number_means_nothing(model, choices, sized):
        strip.explain("ENTER", why=_stray(model))
    elif sized is None or sized.least is None:
        strip.explain("ENTER", why="This seat may not raise now. Press . to clear.")
    elif typed < sized.least:
        why = f"The minimum is {chips(sized.least)}. Press . and type the amount again."
        strip.explain("ENTER", why=why)
    elif sized.most is not None and typed > sized.most:
        why = f"The maximum is {chips(sized.most)}. Press . and type the amount again."
        strip.explain("ENTER", why=why)
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
        least = "raise to" if sized.word == "raise" else "bet"
        fixed = sized.most == sized.least
        words.append(f"{'' if fixed else 'min '}{least} {chips(sized.least)}")
        if sized.most is not None and not fixed:
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
