"""The floor: a PIN, a ruling that fits the moment, its effect in one sentence, a reason."""

from __future__ import annotations

import re
from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from omaha_table.dealer import pages
from omaha_table.dealer.duty import DealerPush
from omaha_table.dealer.faults import RemedySteps
from omaha_table.dealer.pad import RANKS, SUITS
from omaha_table.dealer.view import Page
from omaha_table.floor import Give, fitting
from omaha_table.floor.params import Choice, DeckColor, FaceUpCard, Money
from omaha_table.hand import Refused
from omaha_table.journal.faults import JournalFault

if TYPE_CHECKING:
    from omaha_table.dealer.controller import Front
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.view import Prompt
    from omaha_table.floor.params import Question
    from omaha_table.floor.spec import Ruling

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
_ON_PAGE: Final = 9


class AskPin:
    """`/`: a supervisor types the PIN at once; everything else is on the other keys."""

    def __init__(self, front: Front, ruling: _Half | None = None) -> None:
        self._front, self._half = front, ruling
        self._pin = ""

    def show(self, strip: Strip) -> Prompt:
        strip.digits("PIN", self._digit)
        if self._pin:
            strip.add("ENTER", "ACCEPT PIN", self._accept, strong=True)
        elif self._half is None:
            strip.add("ENTER", "BACK TO THE TABLE", self._front.leave, strong=True)
            strip.add("*", "MENU, HELP", self._menu)
            strip.add("+", "DEALER PUSH", self._dealer)
        strip.add(".", "ERASE" if self._pin else "LEAVE", self._erase)
        second = self._half is not None
        lines = (
            "",
            "A second supervisor must agree: type the other PIN." if second
            else "Floor supervisor: type your PIN, then ENTER.",
            "The table waits; the clock runs.",
        )  # fmt: skip
        page = Page("SECOND PERSON" if second else "FLOOR", lines, dots=len(self._pin))
        return strip.prompt("FLOOR", "FLOOR: PIN", "The PIN is not shown.", page=page)

    def _digit(self, digit: str) -> None:
        if len(self._pin) < 12:
            self._pin += digit

    def _erase(self) -> None:
        if self._pin:
            self._pin = ""
        elif self._half is not None:
            self._front.leave_all()
        else:
            self._front.leave()

    def _accept(self) -> None:
        pin, self._pin = self._pin, ""
        front = self._front
        if self._half is not None:
            front.leave()
            self._half.give((*self._half.pins, pin))
            return
        try:
            answer = front.session.check_pin(pin)
        except JournalFault as fault:
            front.fault(fault)
            return
        front.heard(answer.records)
        if answer.refusal is not None:
            front.refuse(answer.refusal.message)
            return
        front.leave()
        front.enter(ChooseRuling(front, pin))

    def _menu(self) -> None:
        self._front.leave()
        self._front.enter(Menu(self._front))

    def _dealer(self) -> None:
        self._front.leave()
        self._front.enter(DealerPush(self._front))


class _List:
    """Numbered lines, nine to a page."""

    digits_commit = True

    def __init__(self, front: Front, title: str, items: list[str]) -> None:
        self._front, self._title, self._items, self._from = front, title, items, 0

    def show(self, strip: Strip) -> Prompt:
        shown = self._items[self._from : self._from + _ON_PAGE]
        strip.digits("CHOOSE", self._digit, cap=f"1-{len(shown)}")
        if len(self._items) > _ON_PAGE:
            strip.add("+", "MORE", self._more)
        strip.add(".", "BACK", self._front.leave)
        lines = tuple(f"{number}  {text}" for number, text in enumerate(shown, start=1))
        count = -(-len(self._items) // _ON_PAGE)
        which = f"   {self._from // _ON_PAGE + 1} of {count}" if count > 1 else ""
        page = Page(f"{self._title}{which}", lines)
        return strip.prompt("FLOOR", "CHOOSE", self._detail(), page=page)

    def _detail(self) -> str:
        return "Type the number of the line."

    def _more(self) -> None:
        self._from += _ON_PAGE
        if self._from >= len(self._items):
            self._from = 0

    def _digit(self, digit: str) -> None:
        at = self._from + int(digit) - 1
        if digit == "0" or at >= min(len(self._items), self._from + _ON_PAGE):
            self._front.refuse("There is no such line.")
            return
        self.chosen(at)

    def chosen(self, at: int) -> None:
        raise NotImplementedError


class Menu(_List):
    """What anybody may look at, and how to leave."""

    def __init__(self, front: Front) -> None:
        super().__init__(
            front,
            "MENU",
            [
                "Help: the keys",
                "Posted rules",
                "Devices",
                "Last events",
                "Shift slip with the head of the log",
                "Dealer push; shift and boxes",
                "Silence the alarm",
                "The floor's remedy, step by step",
                "Shut the console down (the hand is kept)",
            ],
        )

    def chosen(self, at: int) -> None:
        front = self._front
        reading = (pages.help_page, pages.rules_page, pages.devices_page, pages.events_page,
                   pages.slip_page)  # fmt: skip
        if at < len(reading):
            front.enter(reading[at](front))
            return
        front.leave()
        if at == 5:
            front.enter(DealerPush(front))
        elif at == 6:
            self._silence()
        elif at == 7 and front.remedy:
            front.enter(RemedySteps(front, front.remedy))
        elif at == 7:
            front.inform("The floor has ordered no remedy in this hand.")
        elif at == 8:
            front.quit = True

    def _silence(self) -> None:
        devices = self._front.devices
        if devices is None or not any(d.alarm or d.lost for d in devices.devices.values()):
            self._front.inform("No device has an alarm.")
            return
        devices.silence()


class ChooseRuling(_List):
    def __init__(self, front: Front, pin: str) -> None:
        self._pin = pin
        self._rulings = fitting(front.session.state)
        super().__init__(front, "RULINGS THAT FIT NOW", [r.title for r in self._rulings])

    def chosen(self, at: int) -> None:
        half = _Half(self._front, self._pin, self._rulings[at])
        self._front.leave()
        half.ask_next()


class _Half:
    """A ruling that is being put together."""

    def __init__(self, front: Front, pin: str, ruling: Ruling) -> None:
        self.front, self.pins, self.ruling = front, (pin,), ruling
        self.words: tuple[str, ...] = ()
        self.reason = ""

    def __repr__(self) -> str:
        return f"<{self.ruling.name}>"

    @property
    def so_far(self) -> str:
        """What is chosen, each word with what it is: 'Seat 1   Amount 10'."""
        state, words = self.front.session.state, self.words
        asked = [self.ruling.question(state, words[:at]) for at in range(len(words))]
        labels = ["" if one is None else one.label.capitalize() for one in asked]
        return "   ".join(f"{label} {word}" for label, word in zip(labels, words, strict=True))

    def ask_next(self) -> None:
        """Asks the next question; when all are answered, says what it does and asks why."""
        question = self.ruling.question(self.front.session.state, self.words)
        if question is not None:
            self.front.enter(AskParameter(self, question))
            return
        try:
            effect = self.front.session.effect(Give((), self.ruling.name, self.words))
        except Refused as refusal:
            self.front.refuse(refusal.message)
            if self.words:
                self.words = self.words[:-1]
                self.ask_next()
            else:
                self.front.enter(ChooseRuling(self.front, self.pins[0]))
            return
        self.front.enter(AskReason(self, effect))

    def give(self, pins: tuple[str, ...]) -> None:
        front = self.front
        given = Give(pins, self.ruling.name, (*self.words, self.reason))
        try:
            answer = front.session.rule(given)
        except JournalFault as fault:
            front.fault(fault)
            return
        refusal = answer.refusal
        if refusal is not None and refusal.code == "two_persons" and len(pins) == 1:
            front.enter(AskPin(front, self))
            front.inform(refusal.message)
            return
        front.leave_all()
        front.heard(answer.records)
        front.released()
        if refusal is not None and refusal.code == "not_authorised" and len(pins) == 2:
            front.enter(AskPin(front, self))
        elif refusal is not None and refusal.code not in ("not_authorised", "locked"):
            front.enter(ChooseRuling(front, pins[0]))
        if refusal is not None:
            front.refuse(refusal.message)


class AskParameter:
    """One parameter of a ruling: a seat, an amount, a card, or one of a few."""

    def __init__(self, half: _Half, question: Question) -> None:
        self._half, self._question, self._front = half, question, half.front
        self._options: list[str] = []
        self._shown: list[str] = []
        if isinstance(question, Choice):
            self._options = list(question.options)
            self._shown = list(question.shown or question.options)
        elif isinstance(question, DeckColor):
            self._options = self._shown = sorted(half.front.session.state.decks_out)
        self.digits_commit = bool(self._options)

    def show(self, strip: Strip) -> Prompt:
        front, question = self._front, self._question
        lines = [f"{n}  {text}" for n, text in enumerate(self._shown, start=1)]
        if self._options:
            strip.digits("CHOOSE", self._choose, cap=f"1-{len(self._options)}")
        elif isinstance(question, FaceUpCard):
            if front.typed in RANKS:
                for cap, suit in SUITS.items():
                    strip.add(cap, "♠♥♦♣"["/*-+".index(cap)], lambda s=suit: self._card(s))  # type: ignore[misc]
            strip.digits("RANK", front.type_digit)
        else:
            if front.typed:
                strip.add("ENTER", f"{question.label} {front.typed}", self._typed, strong=True)
            strip.digits(question.label, front.type_digit)
        if not front.decimal_key(strip, cents=isinstance(question, Money)):
            strip.add(".", "CLEAR" if front.typed else "LEAVE", self._back)
        page = Page(self._half.ruling.title, ("", question.question, *lines))
        return strip.prompt("FLOOR", question.label, self._half.so_far, front.typed,
                            "TYPED" if front.typed else "", page)  # fmt: skip

    def _choose(self, digit: str) -> None:
        at = int(digit) - 1
        if 0 <= at < len(self._options):
            self._take(self._options[at])
        else:
            self._front.refuse("There is no such line.")

    def _card(self, suit: str) -> None:
        self._take(RANKS[self._front.typed] + suit)

    def _typed(self) -> None:
        self._take(self._front.typed.rstrip("."))

    def _take(self, word: str) -> None:
        self._half.words += (word,)
        self._front.leave()
        self._half.ask_next()

    def _back(self) -> None:
        if self._front.typed:
            self._front.clear()
        else:
            self._front.leave_all()


_SIGNS: Final = {
    "space": " ",
    "apostrophe": "'",
    "comma": ",",
    "full_stop": ".",
    "minus": "-",
}


class AskReason(_List):
    """What it will do, in one sentence; then a reason by number, or in words."""

    def __init__(self, half: _Half, effect: str) -> None:
        super().__init__(half.front, half.ruling.title, list(REASONS))
        self._half, self._effect = half, effect
        self._words = ""

    def show(self, strip: Strip) -> Prompt:
        super().show(strip)
        half = -(-len(self._items) // 2)
        numbered = [f"{number}  {text}" for number, text in enumerate(self._items, start=1)]
        pairs = zip_longest(numbered[:half], numbered[half:], fillvalue="")
        why = [f"{left:<28}{right}".rstrip() for left, right in pairs]
        words = [f"> {self._words}_"] if self._words else []
        page = Page(
            self._half.ruling.name.upper(), (*wrap(self._effect, 60), "", "Why?", *why, *words)
        )
        if self._words:
            strip.add("ENTER", "GIVE THIS REASON", self._own_words, strong=True)
        return strip.prompt("FLOOR", "REASON?", "Number of the reason, or type it.", page=page)

    def text(self, name: str) -> bool:
        """A keyboard's letters, where somebody wants to say it in words; whether it took the key.

        Once a word has begun, digits and signs belong to it.
        """
        letter = _SIGNS.get(name, name)
        begun = bool(self._words)
        if name == "backspace" and begun:
            self._words = self._words[:-1]
        elif re.fullmatch(r"[A-Za-z]" if not begun else r"[A-Za-z0-9 ,.'-]", letter):
            self._words = (self._words + letter)[:60]
        else:
            return False
        return True

    def _own_words(self) -> None:
        if len(self._words.strip()) < 3:
            self._front.refuse("A reason is at least three letters.")
            return
        self._give(self._words.strip())

    def chosen(self, at: int) -> None:
        self._give(self._items[at])

    def _give(self, reason: str) -> None:
        self._half.reason = reason
        self._half.give(self._half.pins)
