"""The fields of a ruling, one plain question each, with what can be chosen."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import Change, FindSimilar, clear, leave, type_digit, type_seat
from omaha_table.dealer.event_text import chips
from omaha_table.dealer.model import Mode
from omaha_table.dealer.modes.draft import WIDE
from omaha_table.dealer.modes.lists import ON_PAGE, line_keys, no_such_line
from omaha_table.dealer.modes.reason import AskReason, similar_found
from omaha_table.dealer.pad import RANKS, SUIT_SIGNS, SUITS
from omaha_table.floor.params import FaceUpCard, Money, Seat
from omaha_table.hand import Refused
from omaha_table.hand.frozen import replace

if TYPE_CHECKING:
    from omaha_table.dealer.change import Action
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.modes.draft import Draft
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.floor.params import Listed, Option
    from omaha_table.money import Cents

_COLUMN: Final = 35


def ask_next(model: Model, draft: Draft) -> Change:
    """Asks for the next field over this one, so that BACK comes back to it; then for the reason.

    What cannot be done is refused here, where the last field can still be changed.
    """
    question = draft.ruling.question(model.state, draft.words)
    if question is None:
        try:
            draft.effect(model.state)
        except Refused as refusal:
            return Change(model.refuse(refusal.message))
        look = FindSimilar(draft.ruling.name, draft.words, similar_found(draft))
        return Change(model.enter(AskReason(draft)), (look,))
    match question:
        case Seat():
            mode: Mode = AskSeat(draft, question)
        case Money():
            mode = AskAmount(draft, question)
        case FaceUpCard():
            mode = AskCard(draft, question)
        case _:
            mode = AskLine(draft, question)
    return Change(model.enter(mode))


class _Field(Mode):
    """A mode that asks for one word of a draft."""

    __slots__ = ()
    draft: Draft

    def take(self, model: Model, word: str) -> Change:
        return ask_next(model, replace(self.draft, words=(*self.draft.words, word)))


@dataclass(frozen=True, slots=True)
class AskLine(_Field):
    """One of a few things; a digit chooses it at once, and nothing is done yet."""

    draft: Draft
    question: Listed
    first: int = 0
    """Of the lines on this page."""

    def _options(self, model: Model) -> tuple[Option, ...]:
        before = self.draft.ruling.values(self.draft.words)
        return self.question.options(model.state, before)

    def show(self, model: Model, strip: Strip) -> Prompt:
        question, options = self.question, self._options(model)
        shown = options[self.first : self.first + ON_PAGE]
        strip.digits("CHOOSE", self._choose, cap=line_keys(len(shown)))
        if len(options) > ON_PAGE:
            strip.add("+", "MORE", self._more)
        strip.add(".", "BACK", leave)
        strip.pin_again()
        strip.when_pressed("ENTER", no_such_line(len(shown)))
        lines = [question.question]
        for number, option in enumerate(shown, start=1):
            why = "" if option.problem is None else f"   {option.problem.message}"
            entry = f"{model.story.entry_text(option.entry).line:<28}" if option.entry else ""
            lines.append(f"{number}  {entry}{option.shown}{why}")
        grey = {at for at, option in enumerate(shown, start=1) if option.problem is not None}
        page = replace(self.draft.page(lines), grey=frozenset(grey))
        return strip.prompt(
            "FLOOR", question.label, self.draft.so_far or question.question, page=page
        )

    def _more(self, model: Model) -> Change:
        following = self.first + ON_PAGE
        at = following if following < len(self._options(model)) else 0
        return Change(model.become(replace(self, first=at)))

    def _choose(self, model: Model, digit: str) -> Change:
        shown = self._options(model)[self.first : self.first + ON_PAGE]
        if not 1 <= int(digit) <= len(shown):
            return Change(model.refuse(no_such_line(len(shown))))
        option = shown[int(digit) - 1]
        if option.problem is not None:
            return Change(model.refuse(option.problem.message))
        return self.take(model, option.word)


class _Typed(_Field):
    """A field that is typed and taken with ENTER. Coming back to it, what was typed is there."""

    __slots__ = ()
    draft: Draft
    word: str

    @abstractmethod
    def with_word(self, word: str) -> Mode: ...

    def accept(self, word: str) -> Action:
        return lambda model: self.take(model.become(self.with_word(word)), word)


@dataclass(frozen=True, slots=True)
class AskSeat(_Typed):
    draft: Draft
    question: Seat
    word: str = ""

    def with_word(self, word: str) -> Mode:
        return replace(self, word=word)

    def show(self, model: Model, strip: Strip) -> Prompt:
        question = self.question
        before = self.draft.ruling.values(self.draft.words)
        options = question.options(model.state, before)
        fit = [option for option in options if option.problem is None]
        alone = fit[0].word if len(fit) == 1 else ""
        word = model.typed or self.word or alone
        problem = None
        if word.isdecimal():
            problem = question.problem(model.state, int(word), before)
        if word and problem is None:
            strip.add("ENTER", f"{question.label} {word}", self.accept(word), strong=True)
        elif problem is not None:
            strip.explain("ENTER", why=problem.message)
        else:
            strip.when_pressed("ENTER", "Type the number of the seat first.")
        strip.digits(question.label, type_seat)
        strip.add(".", "CLEAR" if model.typed else "BACK", clear if model.typed else leave)
        strip.pin_again()
        lines = [f"{option.word:>2}  {option.shown}" for option in fit]
        half = -(-len(lines) // 2)
        pairs = zip_longest(lines[:half], lines[half:], fillvalue="")
        rows = [f"{left:<{_COLUMN}}{right}".rstrip() for left, right in pairs]
        page = self.draft.page((question.question, "", *rows))
        detail = self.draft.so_far or question.question
        return strip.prompt("FLOOR", question.label, detail, word, "SEAT" if word else "", page)


@dataclass(frozen=True, slots=True)
class AskAmount(_Typed):
    draft: Draft
    question: Money
    word: str = ""

    def with_word(self, word: str) -> Mode:
        return replace(self, word=word)

    def show(self, model: Model, strip: Strip) -> Prompt:
        question = self.question
        there = question.range(model.state, self.draft.ruling.values(self.draft.words))
        word = model.typed.rstrip(".") or self.word
        if model.filled is not None:
            word = in_words(model.filled)
        most = None if there is None else there.most
        too_much = bool(model.typed) and most is not None and (model.amount or 0) > most
        if too_much:
            assert there is not None
            strip.explain("ENTER", why=f"That is too much. {there.text}")
        elif word:
            strip.add("ENTER", f"{question.label} {word}", self.accept(word), strong=True)
        else:
            strip.when_pressed("ENTER", "Type the amount first.")
        strip.digits(question.label, type_digit)
        if there is not None and there.usual:
            strip.add("*", f"ALL: {chips(there.usual)}", _fill(there.usual))
        if not strip.decimal_point(model, cents=not too_much):
            strip.add(".", "CLEAR" if model.typed else "BACK", clear if model.typed else leave)
        strip.pin_again()
        lines = [question.question, "", *([] if there is None else wrap(there.text, WIDE))]
        detail = self.draft.so_far
        shown = model.typed or self.word
        return strip.prompt("FLOOR", question.label, detail, shown, "TYPED" if shown else "",
                            self.draft.page(lines))  # fmt: skip


def _fill(amount: Cents) -> Action:
    return lambda model: Change(model.fill(amount))


def in_words(cents: Cents) -> str:
    """An amount as a script has it: 12.50, and 12 for whole dollars."""
    whole, rest = divmod(cents, 100)
    return f"{whole}.{rest:02}" if rest else str(whole)


@dataclass(frozen=True, slots=True)
class AskCard(_Field):
    draft: Draft
    question: FaceUpCard

    def show(self, model: Model, strip: Strip) -> Prompt:
        if model.typed in RANKS:
            for cap, suit in SUITS.items():
                strip.add(cap, SUIT_SIGNS[suit], self._card(RANKS[model.typed] + suit))
        elif not model.typed:
            strip.pin_again()
        strip.digits("RANK", type_digit)
        strip.add(".", "CLEAR" if model.typed else "BACK", clear if model.typed else leave)
        strip.when_pressed("ENTER", "Type the rank, then the suit: / spade, * heart, - diamond.")
        lines = (self.question.question, "", "Rank, then suit:  1=A 2-9 10=T 11=J 12=Q 13=K",
                 "/ spade   * heart   - diamond   + club")  # fmt: skip
        return strip.prompt("FLOOR", self.question.label, self.draft.so_far,
                            model.typed, "TYPED" if model.typed else "",
                            self.draft.page(lines))  # fmt: skip

    def _card(self, card: str) -> Action:
        return lambda model: self.take(model.clear(), card)
