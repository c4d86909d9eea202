"""Keys that many steps of the table share: the way back, the floor, and keying cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import Change, clear
from omaha_table.dealer.event_text import describe, seat_change
from omaha_table.dealer.modes.floor import AskPin
from omaha_table.dealer.modes.sure import Sure
from omaha_table.dealer.pad import RANKS, SUIT_SIGNS, SUITS
from omaha_table.hand.commands import Undo
from omaha_table.hand.frozen import replace
from omaha_table.table.seat_changes import change_to_undo
from omaha_table.table.taking_back import entry_to_undo

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.dealer.change import Action
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.table.state import Entry

LETTERS: Final = 17
"""The most that the band shows in large letters."""
LINE: Final = 76
"""What the band's detail line holds of two sentences, at 80 columns."""
DETAIL: Final = 78
"""What it holds of a single one."""
RANK_KEYS: Final = "1=A 2-9 10=T 11=J 12=Q 13=K"
_NOTHING_TO_UNDO: Final = "Nothing here can be taken back. What was before is the floor's: press /."
_SUIT_NAMES: Final = {"s": "spade", "h": "heart", "d": "diamond", "c": "club"}


def floor_key(strip: Strip, *, strong: bool = False) -> None:
    strip.add("/", "FLOOR / MENU", _open_floor, strong=strong)


def _open_floor(model: Model) -> Change:
    opened = model.enter(AskPin())
    if model.typed:
        # It may have been the rank of a spade that was keyed too early.
        opened = opened.inform("What was typed at the table is cleared.")
    return Change(opened)


def ways_out(model: Model, strip: Strip, *, cents: bool = False) -> None:
    if strip.decimal_point(model, cents=cents):
        pass
    elif model.typed or model.half.cards:
        strip.add(".", f"CLEAR {model.typed or model.half.cards[-1]}", _back)
    elif _can_go_back(model):
        strip.add(".", "BACK / UNDO", _back)
    else:
        strip.when_pressed(".", _NOTHING_TO_UNDO)
    floor_key(strip)


def _can_go_back(model: Model) -> bool:
    hand, half = model.state.hand, model.half
    begun = half.pushed or half.typing_hand or half.by_hand
    entered = entry_to_undo(model.state) is not None or (hand is not None and hand.undoable)
    return bool(begun) or entered or change_to_undo(model.state) is not None


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
    waiting = change_to_undo(model.state)
    if waiting is not None:
        text = seat_change(waiting.change)
        return _ask(model, text.brief, text.plain)
    entry = entry_to_undo(model.state)
    if entry is not None:
        return _ask(model, *_what_of_the_table(model, entry))
    hand = model.state.hand
    if hand is None or not hand.undoable or hand.before is None:
        return Change(model.refuse(_NOTHING_TO_UNDO))
    text = model.story.entry_text(hand.standing_seqs)
    return _ask(model, text.brief or text.what, text.plain)


def _what_of_the_table(model: Model, entry: Entry) -> tuple[str, str]:
    """What an entry between hands did: in a word for the title, and all of it."""
    if entry.starts_hand:
        number = model.state.hands
        return "START", f"the start of hand {number}; all posts and fees go back"
    texts = [text for text in map(describe, entry.events) if text is not None]
    line = ", ".join(text.plain for text in texts)
    return texts[-1].brief if texts else "IT", line


def _fitting(line: str) -> str:
    """With what an undo is and is not, where the band has room for it."""
    longer = f"{line} The log keeps both."
    return longer if len(longer) <= DETAIL else line[:DETAIL]


def _ask(model: Model, what: str, line: str) -> Change:
    title = f"UNDO {what}?"
    return Change(
        model.enter(
            Sure(
                title if len(title) <= LETTERS else "UNDO IT?",
                _fitting(f"Takes back: {line}."),
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
