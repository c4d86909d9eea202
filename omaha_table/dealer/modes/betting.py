"""Betting: one key for what a player mostly does, and no amount recorded that was not meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import Change, do, enter, type_digit
from omaha_table.dealer.event_text import chips
from omaha_table.dealer.modes.folds import WhoFolds
from omaha_table.dealer.modes.table_keys import floor_key, ways_out
from omaha_table.hand import commands as hand
from omaha_table.hand.actions import why_no_raise
from omaha_table.hand.betting import options
from omaha_table.hand.refusal import sentence
from omaha_table.table import commands as table

if TYPE_CHECKING:
    from omaha_table.dealer.change import Action
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.hand import Choice
    from omaha_table.money import Cents


_DETAIL: Final = 78
"""What the band's detail line holds at 80 columns."""

_LONG: Final = 8
"""Letters of an amount such as 1,234.50."""


def act(model: Model, strip: Strip) -> Prompt:
    """What the seat whose turn it is may do, and the keys for it."""
    choices = {choice.word: choice for choice in model.step.choices}
    sized = choices.get("raise") or choices.get("bet")
    fixed = sized is not None and sized.least == sized.most
    seat = _typed_seat(model)
    stray = _number_means_nothing(model, choices, sized)
    clock = model.hand.clock
    left = None if clock is None else clock.left(model.wall)
    late = left == 0 and not model.typed
    if late and "check" in choices:
        strip.add("ENTER", "CHECK: TIME IS UP", do(hand.TimeIsUp()), strong=True)
    else:
        _enter_key(model, strip, choices, sized)
    if late and "check" not in choices:
        # The fold itself is no other; only the log says that it was the clock's.
        strip.add("-", "FOLD: TIME IS UP", do(hand.TimeIsUp()), strong=True)
    elif seat is not None:
        strip.add("-", f"FOLD TO {seat} / {seat} ALONE", enter(WhoFolds(seat)))
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
            all_in = choices.get("allin")
            label, short = f"{_verb(sized)} {chips(sized.least)}", ""
            if all_in is not None and all_in.least == sized.least:
                label, short = f"{label}, ALL-IN", f"{sized.word.upper()} ALL-IN"
            strip.add("+", label, do(_act(sized, sized.least)), short=short)
    elif sized is None:
        strip.when_pressed("+", _no_raise(model))
    elif model.typed:
        strip.when_pressed("+", f"{model.typed} is typed. Press ENTER to confirm, or . to clear.")
    else:
        strip.when_pressed("+", "Type the amount, then ENTER.")
    _star_key(model, strip, choices, sized)
    if sized is not None and not fixed:
        most = chips(sized.most) if sized.most is not None else "ANY"
        untyped = f"{sized.word.upper()}: TYPE IT"
        label = f"AMOUNT {chips(sized.least or 0)}-{most}" if model.typed else untyped
        strip.digits(label, _digit, short="AMOUNT" if model.typed else "")
    else:
        strip.digits("FOLDS BY SEAT", _digit)
    if left is not None and not model.typed:
        strip.add(".", "CALL THE CLOCK OFF", do(table.CancelClock()))
        floor_key(strip)
    else:
        # Cents after what is too much already help nobody: the key clears at once, as ENTER says.
        ways_out(model, strip, cents=model.has_cents and not _too_much(model, sized))
    if left is not None and not model.typed:
        title = f"SEAT {model.step.seat} TIME UP" if late else f"SEAT {model.step.seat} ON CLOCK"
        return strip.prompt("PLAYER", title, _options(model, choices, sized), str(left), "SECONDS")
    price = chips(choices["call"].least or 0) if "call" in choices else ""
    caption = "TYPED" if model.typed else "TO CALL" if price else ""
    number = model.typed or price
    # A long amount leaves no room for large letters beside it, and it is the news.
    title = f"SEAT {model.step.seat}{' ACTS' if len(number) < _LONG else ''}"
    return strip.prompt("PLAYER", title, _options(model, choices, sized), number, caption)


def _digit(model: Model, digit: str) -> Change:
    """Whoever says twice that cards are out or a board is right has not begun to type an amount."""
    if digit == "0" and not model.typed and not model.has_cents:
        return Change(model.refuse("No seat and no amount begins with 0."))
    return type_digit(model, digit)


def _too_much(model: Model, sized: Choice | None) -> bool:
    most = None if sized is None else sized.most
    return most is not None and model.amount is not None and model.amount > most


def _typed_seat(model: Model) -> int | None:
    """The seat that what is typed may stand for: one that is not to act now."""
    others = [seat for seat in model.hand.setup.dealt if seat != model.step.seat]
    return model.number if model.filled is None and model.number in others else None


def _number_is_a_seat(model: Model, sized: Choice | None) -> bool:
    """Whether what is typed can only be a seat, because no amount is typed in this game."""
    amounts = sized is not None and sized.least != sized.most
    return not amounts and _typed_seat(model) is not None


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
    if all_in is not None and all_in.least is None and model.filled is not None:
        # The stack is not tracked: * has said that what was typed is all the chips.
        label = f"ALL-IN FOR {chips(model.filled)}"
        short = f"ALL-IN {chips(model.filled)}"
        strip.add("ENTER", label, do(hand.Act("allin", model.filled)), strong=True, short=short)
    elif all_in is not None and typed is not None and typed == all_in.least:
        strip.add("ENTER", f"ALL-IN {chips(typed)}", do(hand.Act("allin")), strong=True)
    elif "call" in choices and (typed is None or _is_the_price(model, choices["call"])):
        _call_key(model, strip, choices["call"])
    elif typed is None:
        strip.add("ENTER", "CHECK", do(hand.Act("check")), strong=True)
    elif _number_is_a_seat(model, sized):
        why = f"Press - for a fold up to seat {model.number} or of it alone, or . to clear."
        strip.explain("ENTER", why=why)
    elif _number_means_nothing(model, choices, sized):
        strip.explain("ENTER", why=_stray(model))
    elif sized is None or sized.least is None:
        strip.explain("ENTER", why="This seat may not raise now. Press . to clear.")
    elif typed < sized.least:
        why = f"The minimum is {chips(sized.least)}. Press . and type the amount again."
        strip.explain("ENTER", why=why)
    elif _too_much(model, sized):
        why = f"The maximum is {chips(sized.most or 0)}. Press . and type the amount again."
        strip.explain("ENTER", why=why)
    else:
        action = do(_act(sized, typed))
        label, short = f"{_verb(sized)} {chips(typed)}", f"{sized.word.upper()} {chips(typed)}"
        strip.add("ENTER", label, action, strong=True, short=short)


def _is_the_price(model: Model, call: Choice) -> bool:
    """Whether the amount typed is what stands on the screen: the bet, or what a call adds to it.

    Neither can be a raise. A call that takes the last chips is the all-in, said so by its key.
    """
    return model.amount in (model.hand.price, call.least)


def _call_key(model: Model, strip: Strip, call: Choice) -> None:
    price = chips(call.least or 0)
    stack = model.hand.seats[model.step.seat or 0].stack
    label = f"CALL {price}, ALL-IN" if call.least == stack else f"CALL {price}"
    strip.add("ENTER", label, do(hand.Act("call")), strong=True, short=f"CALL {price}")


def _star_key(model: Model, strip: Strip, choices: dict[str, Choice], sized: Choice | None) -> None:
    """The pot, or all the chips: shown and filled in, committed by ENTER."""
    typed, all_in = model.amount, choices.get("allin")
    if all_in is not None and all_in.least is None:
        if typed is not None:
            strip.add("*", f"ALL-IN = {chips(typed)}", _fill(typed))
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
    """What the seat may do, in a line: where it is too long, the name goes first, amounts last."""
    seat = model.step.seat or 0
    at = model.state.seats.get(seat)
    words = []
    if "call" in choices:
        words.append(f"to call {chips(choices['call'].least or 0)}")
    if sized is not None and sized.least is not None:
        least = "raise to" if sized.word == "raise" else "bet"
        fixed = sized.most == sized.least
        words.append(f"{'' if fixed else 'min '}{least} {chips(sized.least)}")
        if sized.most is not None and not fixed:
            words.append(f"max {chips(sized.most)}")
    bound = model.hand.bound.get(seat)
    if bound is not None:
        words.append(f"BOUND TO {bound[0].upper()}")
    stack = model.hand.seats[seat].stack
    chips_left = "stack not tracked" if stack is None else f"stack {chips(stack)}"
    name = at.name if at is not None else f"Seat {seat}"
    forms = ([name, *words, chips_left], [f"{name[:8]}…", *words, chips_left], [*words, chips_left])
    lines = ["   ".join(form) for form in (*forms, words)]
    return next((line for line in lines if len(line) <= _DETAIL), lines[-1])


def _act(choice: Choice, amount: Cents | None = None) -> hand.Act:
    return hand.Act("raise" if choice.word == "raise" else "bet", amount)


def _verb(choice: Choice) -> str:
    return "RAISE TO" if choice.word == "raise" else "BET"
