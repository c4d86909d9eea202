"""Keys that many steps of the table share: the way back, the floor, and keying cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import Change, clear, enter
from omaha_table.dealer.modes.floor import AskPin
from omaha_table.dealer.modes.sure import Sure
from omaha_table.dealer.pad import RANKS, SUIT_SIGNS, SUITS
from omaha_table.hand.commands import Undo
from omaha_table.hand.frozen import replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.dealer.change import Action
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip

LETTERS: Final = 17
"""The most that the band shows in large letters."""
LINE: Final = 76
"""What the band's detail line holds of two sentences, at 80 columns."""
RANK_KEYS: Final = "1=A 2-9 10=T 11=J 12=Q 13=K"
_SUIT_NAMES: Final = {"s": "spade", "h": "heart", "d": "diamond", "c": "club"}


def floor_key(strip: Strip, *, strong: bool = False) -> None:
    strip.add("/", "FLOOR / MENU", enter(AskPin()), strong=strong)


def ways_out(model: Model, strip: Strip, *, undo: bool = True, cents: bool = False) -> None:
    if strip.decimal_point(model, cents=cents):
        pass
    elif model.typed or model.half.cards:
        strip.add(".", f"CLEAR {model.typed or model.half.cards[-1]}", _back)
    elif undo and _can_go_back(model):
        strip.add(".", "BACK / UNDO", _back)
    floor_key(strip)


def _can_go_back(model: Model) -> bool:
    hand, half = model.state.hand, model.half
    begun = half.pushed or half.typing_hand or half.by_hand
    return bool(begun) or (hand is not None and hand.undoable)


def _back(model: Model) -> Change:
    """One step back: typing is cleared, a keyed card taken off, or an undo asked for."""
    half = model.half
    if model.typed:
        return clear(model)
    if half.cards:
        return Change(replace(model, half=replace(half, cards=half.cards[:-1])))
    if half.pushed:
        return Change(replace(model, half=replace(half, pushed=half.pushed - 1)))
    if half.typing_hand or half.by_hand:
        return Change(replace(model, half=replace(half, typing_hand=False, by_hand=False)))
    return _ask_undo(model)


def _ask_undo(model: Model) -> Change:
    hand = model.state.hand
    if hand is None or not hand.undoable or hand.before is None:
        return Change(
            model.refuse("Nothing on this street can be taken back. Ask the floor: / FLOOR.")
        )
    text = model.story.entry_text(hand.standing_seqs)
    title = f"UNDO {text.brief or text.what}?"
    return Change(
        model.enter(
            Sure(
                title if len(title) <= LETTERS else "UNDO IT?",
                f"Takes back: {text.line}. The log keeps both.",
                "YES, TAKE IT BACK",
                Undo(),
                no="NO, KEEP IT",
            )
        )
    )


def card_keys(model: Model, strip: Strip, take: Callable[[str], Action]) -> None:
    """Rank by digits; once they are a rank the operators are the suits."""
    rank = RANKS.get(model.typed)
    if rank is None:
        strip.digits("RANK OF THE CARD", _rank_digit)
        for cap in ("ENTER", *(suit for suit in SUITS if suit != "/")):
            strip.when_pressed(cap, "Type the rank first, then the suit.")
        if model.typed:
            strip.add(".", f"CLEAR {model.typed}", clear)
        else:
            ways_out(model, strip)
        return
    for cap, suit in SUITS.items():
        strip.add(cap, f"{SUIT_SIGNS[suit]} {_SUIT_NAMES[suit]}", take(rank + suit))
    strip.digits("RANK", _rank_digit)
    strip.add(".", f"CLEAR {model.typed}", clear)
    strip.when_pressed("ENTER", "Press the suit: / spade, * heart, - diamond, + club.")


def _rank_digit(model: Model, digit: str) -> Change:
    typed = model.typed + digit
    if typed not in RANKS:
        return Change(model.refuse("A rank is 1 for the ace, 2 to 10, or 11, 12, 13 for J, Q, K."))
    return Change(replace(model, typed=typed))


def typed_caption(model: Model, caption: str = "TYPED") -> tuple[str, str]:
    """What the band shows at its right while something is typed."""
    return model.typed, caption if model.typed else ""
