"""The floor: a PIN, a ruling that fits the moment, its effect in one sentence, a reason."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import (
    Change,
    CheckPin,
    LookUpPin,
    Rule,
    clear,
    instead,
    leave,
    leave_all,
    type_digit,
)
from omaha_table.dealer.model import Mode
from omaha_table.dealer.modes.duty import DealerPush
from omaha_table.dealer.modes.lists import ListMode, line_keys, no_such_line
from omaha_table.dealer.modes.menu import Menu
from omaha_table.dealer.pad import RANKS, SUIT_SIGNS, SUITS
from omaha_table.dealer.table_view import Page
from omaha_table.floor import Give, fitting, propose
from omaha_table.floor.params import Choice, DeckColor, FaceUpCard, Money
from omaha_table.hand import Refused
from omaha_table.hand.frozen import replace

if TYPE_CHECKING:
    from omaha_table.dealer.change import Action
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.floor import Identity
    from omaha_table.floor.params import Question
    from omaha_table.floor.spec import Ruling
    from omaha_table.session.answer import Answer
    from omaha_table.table import TableState

REASONS: Final = (
    "dealer error",
    "player error",
    "device fault",
    "card exposed",
    "wrong amount or change",
    "seen on camera",
    "player's request",
    "house decision",
    "end of the day",
)
_LONGEST_PIN: Final = 12


@dataclass(frozen=True, slots=True)
class Draft:
    """A ruling that is being put together."""

    by: tuple[Identity, ...]
    ruling: Ruling
    words: tuple[str, ...] = ()
    reason: str = ""

    def so_far(self, state: TableState) -> str:
        """What is chosen, each word with what it is: 'Seat 1   Amount 10'."""
        asked = [self.ruling.question(state, self.words[:at]) for at in range(len(self.words))]
        labels = ["" if one is None else one.label.capitalize() for one in asked]
        return "   ".join(f"{label} {word}" for label, word in zip(labels, self.words, strict=True))


def _ask_next(model: Model, draft: Draft) -> Model:
    """Asks the next question; when all are answered, shows what the ruling does and asks why."""
    question = draft.ruling.question(model.state, draft.words)
    if question is not None:
        return model.enter(AskParameter(draft, question))
    try:
        effect = propose(model.state, Give((), draft.ruling.name, draft.words)).effect.text
    except Refused as refusal:
        if draft.words:
            asked = _ask_next(model, replace(draft, words=draft.words[:-1]))
        else:
            asked = model.enter(_rulings(model, draft.by[0]))
        return asked.refuse(refusal.message)
    return model.enter(AskReason(draft, effect))


def _give(model: Model, draft: Draft) -> Change:
    given = Give(draft.by, draft.ruling.name, (*draft.words, draft.reason))
    return Change(model, (Rule(given, lambda now, answer: _given(now, draft, answer)),))


def _given(model: Model, draft: Draft, answer: Answer) -> Change:
    """A ruling that needs a second person asks for one; any other refusal is shown."""
    refusal = answer.refusal
    if refusal is None:
        return Change(model.leave_all())
    second = AskPin(draft=replace(draft, by=draft.by[:1]))
    if refusal.code == "two_persons" and len(draft.by) == 1:
        return Change(model.enter(second).inform(refusal.message))
    model = model.leave_all()
    if refusal.code == "not_authorised" and len(draft.by) == 2:
        model = model.enter(second)
    elif refusal.code not in ("not_authorised", "locked"):
        model = model.enter(_rulings(model, draft.by[0]))
    return Change(model.refuse(refusal.message))


@dataclass(frozen=True, slots=True)
class AskPin(Mode):
    """`/`: a supervisor types the PIN at once; everything else is on the other keys."""

    draft: Draft | None = None
    """The ruling that a second person must agree to."""
    pin: str = field(default="", repr=False)
    checking: bool = False

    def show(self, model: Model, strip: Strip) -> Prompt:
        if self.checking:
            page = Page("FLOOR", ("", "Checking the PIN …", "Keys typed now are used after it."))
            return strip.prompt("FLOOR", "CHECKING PIN", "One moment.", page=page)
        strip.digits("PIN", self._digit)
        if self.pin:
            strip.add("ENTER", "ACCEPT PIN", self._accept, strong=True)
        elif self.draft is None:
            strip.add("ENTER", "BACK TO THE TABLE", leave, strong=True)
            strip.add("*", "MENU, HELP", instead(Menu()))
            strip.add("+", "DEALER PUSH", instead(DealerPush()))
        strip.add(".", "ERASE" if self.pin else "LEAVE", self._back)
        second = self.draft is not None
        lines = (
            "",
            "A second supervisor must agree: type the other PIN." if second
            else "Floor supervisor: type your PIN, then ENTER.",
            "The hand stays as it is meanwhile.",
        )  # fmt: skip
        page = Page("SECOND PERSON" if second else "FLOOR", lines, dots=len(self.pin))
        return strip.prompt("FLOOR", "FLOOR: PIN", "The PIN is not shown.", page=page)

    def _digit(self, model: Model, digit: str) -> Change:
        return Change(model.become(replace(self, pin=(self.pin + digit)[:_LONGEST_PIN])))

    def _back(self, model: Model) -> Change:
        if self.pin:
            return Change(model.become(replace(self, pin="")))
        return Change(model.leave() if self.draft is None else model.leave_all())

    def _accept(self, model: Model) -> Change:
        waiting = model.become(AskPin(self.draft, checking=True))
        return Change(waiting, (LookUpPin(self.pin, self._looked_up),))

    def _looked_up(self, model: Model, who: Identity) -> Change:
        model = model.become(AskPin(self.draft))
        if self.draft is not None:
            return _give(model.leave(), replace(self.draft, by=(*self.draft.by, who)))
        return Change(model, (CheckPin(who, lambda now, answer: _checked(now, who, answer)),))


def _checked(model: Model, who: Identity, answer: Answer) -> Change:
    if answer.refusal is not None:
        return Change(model.refuse(answer.refusal.message))
    return Change(model.leave().enter(_rulings(model, who)))


def _rulings(model: Model, who: Identity) -> ChooseRuling:
    return ChooseRuling(who, tuple(fitting(model.state)))


@dataclass(frozen=True, slots=True)
class ChooseRuling(ListMode):
    by: Identity = field(kw_only=False)
    rulings: tuple[Ruling, ...] = field(kw_only=False)

    @property
    def title(self) -> str:
        return "RULINGS THAT FIT NOW"

    @property
    def items(self) -> tuple[str, ...]:
        return tuple(ruling.title for ruling in self.rulings)

    def chosen(self, model: Model, at: int) -> Change:
        return Change(_ask_next(model.leave(), Draft((self.by,), self.rulings[at])))


@dataclass(frozen=True, slots=True)
class AskParameter(Mode):
    """One parameter of a ruling: a seat, an amount, a card, or one of a few."""

    draft: Draft
    question: Question

    @property
    def digits_commit(self) -> bool:
        return isinstance(self.question, Choice | DeckColor)

    def _options(self, model: Model) -> tuple[tuple[str, str], ...]:
        """The words to choose from, each with how it is shown."""
        question = self.question
        if isinstance(question, Choice):
            shown = question.shown or question.options
            return tuple(zip(question.options, shown, strict=True))
        if isinstance(question, DeckColor):
            return tuple((color, color) for color in sorted(model.state.decks_out))
        return ()

    def show(self, model: Model, strip: Strip) -> Prompt:
        question, options = self.question, self._options(model)
        lines = [f"{number}  {shown}" for number, (_, shown) in enumerate(options, start=1)]
        if options:
            strip.digits("CHOOSE", self._choose, cap=line_keys(len(options)))
        elif isinstance(question, FaceUpCard):
            if model.typed in RANKS:
                for cap, suit in SUITS.items():
                    strip.add(cap, SUIT_SIGNS[suit], self._card(RANKS[model.typed] + suit))
            strip.digits("RANK", type_digit)
        else:
            if model.typed:
                strip.add("ENTER", f"{question.label} {model.typed}", self._typed, strong=True)
            strip.digits(question.label, type_digit)
        if not strip.decimal_point(model, cents=isinstance(question, Money)):
            strip.add(".", "CLEAR" if model.typed else "LEAVE", clear if model.typed else leave_all)
        page = Page(self.draft.ruling.title, ("", question.question, *lines))
        return strip.prompt("FLOOR", question.label, self.draft.so_far(model.state), model.typed,
                            "TYPED" if model.typed else "", page)  # fmt: skip

    def _choose(self, model: Model, digit: str) -> Change:
        options, at = self._options(model), int(digit) - 1
        if not 0 <= at < len(options):
            return Change(model.refuse(no_such_line(len(options))))
        return self._take(model, options[at][0])

    def _card(self, card: str) -> Action:
        return lambda model: self._take(model, card)

    def _typed(self, model: Model) -> Change:
        return self._take(model, model.typed.rstrip("."))

    def _take(self, model: Model, word: str) -> Change:
        draft = replace(self.draft, words=(*self.draft.words, word))
        return Change(_ask_next(model.leave(), draft))


_SIGNS: Final = {
    "space": " ",
    "apostrophe": "'",
    "comma": ",",
    "full_stop": ".",
    "minus": "-",
}


@dataclass(frozen=True, slots=True)
class AskReason(ListMode):
    """What it will do, in one sentence; then a reason by number, or in words."""

    draft: Draft = field(kw_only=False)
    effect: str = field(kw_only=False)
    words: str = ""

    @property
    def title(self) -> str:
        return self.draft.ruling.title

    @property
    def items(self) -> tuple[str, ...]:
        return REASONS

    def show(self, model: Model, strip: Strip) -> Prompt:
        ListMode.show(self, model, strip)
        half = -(-len(self.items) // 2)
        numbered = [f"{number}  {text}" for number, text in enumerate(self.items, start=1)]
        pairs = zip_longest(numbered[:half], numbered[half:], fillvalue="")
        why = [f"{left:<28}{right}".rstrip() for left, right in pairs]
        words = [f"> {self.words}_"] if self.words else []
        page = Page(
            self.draft.ruling.name.upper(), (*wrap(self.effect, 60), "", "Why?", *why, *words)
        )
        if self.words:
            strip.add("ENTER", "GIVE THIS REASON", self._own_words, strong=True)
        return strip.prompt("FLOOR", "REASON?", "Number of the reason, or type it.", page=page)

    def text(self, model: Model, name: str) -> Change | None:
        """A keyboard's letters, where somebody wants to say it in words.

        Once a word has begun, digits and signs belong to it.
        """
        letter = _SIGNS.get(name, name)
        begun = bool(self.words)
        if name == "backspace" and begun:
            words = self.words[:-1]
        elif re.fullmatch(r"[A-Za-z]" if not begun else r"[A-Za-z0-9 ,.'-]", letter):
            words = (self.words + letter)[:60]
        else:
            return None
        return Change(model.become(replace(self, words=words)))

    def _own_words(self, model: Model) -> Change:
        if len(self.words.strip()) < 3:
            return Change(model.refuse("A reason needs at least three letters."))
        return _give(model, replace(self.draft, reason=self.words.strip()))

    def chosen(self, model: Model, at: int) -> Change:
        return _give(model, replace(self.draft, reason=self.items[at]))
