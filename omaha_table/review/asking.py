"""Lines that something is written on: by pad keys that pick what is offered, or by letters.

As long as nothing is typed the digits pick. The first letter makes it a line of text, in which
digits are digits; a keyboard's BACKSPACE takes back, ENTER is done, ESCAPE leaves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.dealer.pad import DIGITS, ENTER, pad_key
from omaha_table.dealer.table_view import Key
from omaha_table.money import MoneyError, parse_dollars

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.money import Cents
    from omaha_table.review.front import ReviewFront

_SIGNS: Final = {
    "space": " ", "colon": ":", "greater_than_sign": ">", "less_than_sign": "<",
    "equals_sign": "=", "comma": ",", "full_stop": ".", "minus": "-", "hyphen": "-",
    "quotation_mark": '"', "underscore": "_", "number_sign": "#", "apostrophe": "'",
    "slash": "/", "plus": "+", "asterisk": "*", "question_mark": "?", "exclamation_mark": "!",
    "dollar_sign": "$",
}  # fmt: skip
_LONGEST: Final = 120
_ON_PAGE: Final = 9

PHRASES: Final = (
    "pull the tape",
    "nothing wrong",
    "fee looks wrong",
    "pot looks wrong",
    "dealer error",
    "ruling is right",
    "discuss the ruling",
    "device: tell service",
    "ask the floor",
)


def letter_of(name: str) -> str:
    """The letter that a key writes; empty for a key that writes none."""
    letter = _SIGNS.get(name, name)
    return letter if len(letter) == 1 and letter.isprintable() else ""


class Asking:
    """A line of text with offers; what is asked for goes to `done`, which may refuse it."""

    def __init__(self, front: ReviewFront, title: str, text: str = "") -> None:
        self._front = front
        self.title, self.text = title, text
        self.writing = False

    @property
    def shown(self) -> str:
        return f"{self.title}  {self.text}{'_' if self.writing else ''}"

    def keys(self) -> tuple[Key, ...]:
        """What is offered, while no letter was typed."""
        if self.writing:
            return (Key("ENTER", "DONE", strong=True), Key("BACKSPACE", "ERASE"),
                    Key("ESC", "LEAVE"))  # fmt: skip
        return self.offers()

    def offers(self) -> tuple[Key, ...]:
        return (Key("ENTER", "DONE", strong=True), Key(".", "LEAVE"))

    def press(self, name: str) -> None:
        pad, letter = pad_key(name), letter_of(name)
        if name == "escape":
            self.leave()
        elif not self.writing and name == "backspace" and self.text:
            self.writing, self.text = True, self.text[:-1]
        elif not self.writing and pad is not None:
            self.pick(pad)
        elif pad == ENTER:
            self.done(self.text.strip())
        elif name in ("backspace", "delete"):
            self.erase()
        elif name == "tab":
            self.complete()
        elif pad in DIGITS:
            self.write(pad or "")
        elif letter:
            self.write(letter)

    def write(self, letter: str) -> None:
        self.writing = True
        if len(self.text) < _LONGEST:
            self.text += letter

    def erase(self) -> None:
        if not self.text:
            self.leave()
        self.text = self.text[:-1]

    def leave(self) -> None:
        self._front.asking = None

    def refuse(self, message: str) -> None:
        self._front.refuse(message)

    def pick(self, pad: str) -> None:
        if pad == ENTER:
            self.done(self.text.strip())
        elif pad == ".":
            self.leave()
        else:
            self.refuse("That key picks nothing here.")

    def complete(self) -> None:
        pass

    def done(self, text: str) -> None:
        raise NotImplementedError


class Note(Asking):
    """A note to the chosen hand: one of the set phrases, or any text."""

    def __init__(self, front: ReviewFront, key: str) -> None:
        super().__init__(front, "NOTE")
        self._key = key

    def offers(self) -> tuple[Key, ...]:
        picks = tuple(Key(str(at), said) for at, said in enumerate(PHRASES, start=1))
        return (*picks, Key(".", "LEAVE"))

    def pick(self, pad: str) -> None:
        if pad in DIGITS and pad != "0":
            self.done(PHRASES[int(pad) - 1])
        else:
            super().pick(pad)

    def done(self, text: str) -> None:
        if text:
            self._front.note(self._key, note=text)
        self.leave()


class Pick(Asking):
    """One of some names, nine at a time; letters type one that is not there."""

    def __init__(
        self, front: ReviewFront, title: str, names: list[str], chosen: Callable[[str], None]
    ) -> None:
        super().__init__(front, title)
        self._names, self._chosen, self._from = names, chosen, 0

    def offers(self) -> tuple[Key, ...]:
        page = self._names[self._from : self._from + _ON_PAGE]
        picks = tuple(Key(str(at), name) for at, name in enumerate(page, start=1))
        more = (Key("+", "MORE"),) if len(self._names) > _ON_PAGE else ()
        return (*picks, *more, Key(".", "LEAVE"))

    def pick(self, pad: str) -> None:
        if pad == "+" and len(self._names) > _ON_PAGE:
            self._from = 0 if self._from + _ON_PAGE >= len(self._names) else self._from + _ON_PAGE
        elif pad in DIGITS:
            at = self._from + int(pad) - 1
            if pad == "0" or at >= min(len(self._names), self._from + _ON_PAGE):
                self.refuse("There is no such line.")
            else:
                self.done(self._names[at].partition(" ")[0])
        elif pad != ENTER:
            super().pick(pad)

    def done(self, text: str) -> None:
        if not text:
            return
        self.leave()
        self._chosen(text)


class Number(Asking):
    """Digits alone, from the pad."""

    def __init__(self, front: ReviewFront, title: str, given: Callable[[str], None]) -> None:
        super().__init__(front, title)
        self._given = given

    @property
    def shown(self) -> str:
        return f"{self.title} {self.text}_"

    def offers(self) -> tuple[Key, ...]:
        return (Key("0-9", "NUMBER"), Key("ENTER", "DONE", strong=True), Key(".", "ERASE"))

    def pick(self, pad: str) -> None:
        if pad in DIGITS:
            self.text = (self.text + pad)[:9]
        elif pad == ".":
            self.erase()
        else:
            super().pick(pad)

    def done(self, text: str) -> None:
        self.leave()
        if text:
            self._given(text)


class Money(Asking):
    """An amount in dollars."""

    def __init__(
        self,
        front: ReviewFront,
        title: str,
        given: Callable[[Cents | None], None],
        *,
        optional: bool = False,
    ) -> None:
        super().__init__(front, title)
        self._given, self._optional = given, optional

    @property
    def shown(self) -> str:
        return f"{self.title} ${self.text}_"

    def keys(self) -> tuple[Key, ...]:
        skip = " (NOTHING: NOT COUNTED)" if self._optional else ""
        return (Key("0-9 .", "DOLLARS"), Key("ENTER", f"DONE{skip}", strong=True),
                Key("-", "ERASE OR LEAVE"))  # fmt: skip

    def press(self, name: str) -> None:
        pad = pad_key(name)
        if name == "escape":
            self.leave()
        elif pad == "-" or name == "backspace":
            self.erase()
        elif pad == ENTER:
            self.done(self.text)
        elif pad in DIGITS or pad == ".":
            self.write(pad or "")
        elif letter := letter_of(name):
            self.write(letter)

    def done(self, text: str) -> None:
        cents = None
        if text or not self._optional:
            try:
                cents = parse_dollars(text)
            except MoneyError as error:
                self.refuse(str(error))
                return
        self.leave()
        self._given(cents)
