"""The filter line: filters that the pad picks from, or the whole language by letters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.pad import ENTER
from omaha_table.dealer.table_view import Key
from omaha_table.review.asking import Asking, Number, Pick
from omaha_table.review.filters import ANY, completions

if TYPE_CHECKING:
    from omaha_table.review.front import ReviewFront

_WORDS: Final = re.compile(r'"[^"]*"?|\S+')
_SWITCHES: Final = {
    "1": ("FLAGGED", f"flag:{ANY}"),
    "5": ("UNDO", "flag:undo"),
    "6": ("DEVICE", "flag:device"),
    "9": ("RULING", "flag:override"),
}
_NUMBERS: Final = {
    "2": ("POT ≥", "pot>=", "POT OF AT LEAST $"),
    "3": ("SEAT", "seat:", "SEAT"),
    "7": ("HAND #", "#", "HAND"),
}
_NAMES: Final = {"4": ("DEALER", "dealer"), "8": ("DAY", "day")}


class FilterLine(Asking):
    def __init__(self, front: ReviewFront) -> None:
        super().__init__(front, "FILTER", front.filter_text)

    def offers(self) -> tuple[Key, ...]:
        labels = {
            **{digit: label for digit, (label, _) in _SWITCHES.items()},
            **{digit: label for digit, (label, _, _) in _NUMBERS.items()},
            **{digit: label for digit, (label, _) in _NAMES.items()},
        }
        on = {digit for digit, (_, word) in _SWITCHES.items() if word in self._words()}
        picks = tuple(Key(digit, labels[digit], strong=digit in on) for digit in sorted(labels))
        return (*picks, Key("0", "CLEAR"), Key(".", "DONE"))

    def _words(self) -> list[str]:
        return _WORDS.findall(self.text)

    def write(self, letter: str) -> None:
        if not self.writing and self.text and letter != " ":
            self.text += " "
        super().write(letter)

    def pick(self, pad: str) -> None:
        front = self._front
        if pad in _SWITCHES:
            word, words = _SWITCHES[pad][1], self._words()
            others = [known for known in words if known != word]
            self._set(others if word in words else [*words, word])
        elif pad in _NUMBERS:
            _, word, title = _NUMBERS[pad]
            front.asking = Number(front, title, lambda number: self._put(word, number))
        elif pad in _NAMES:
            name = _NAMES[pad][1]
            projection = front.projection
            known = projection.dealers() if name == "dealer" else projection.days()
            title = name.upper()
            front.asking = Pick(front, title, known, lambda value: self._put(f"{name}:", value))
        elif pad == "0":
            self._set([])
        elif pad in (".", ENTER):
            self.leave()
        else:
            super().pick(pad)

    def _put(self, word: str, value: str) -> None:
        """One value in place of the one there was."""
        self._front.asking = self
        kept = [known for known in self._words() if not known.startswith(word)]
        self._set([*kept, f"{word}{value}"])

    def _set(self, words: list[str]) -> None:
        if self._front.set_filter(" ".join(words)):
            self.text = self._front.filter_text

    def complete(self) -> None:
        offered = completions(self.text)
        if len(offered) != 1:
            self._front.said = "  ".join(offered)
            return
        begun = re.split(r"[ :,]", self.text)[-1]
        self.text = self.text[: len(self.text) - len(begun)] + offered[0]

    def done(self, text: str) -> None:
        if self._front.set_filter(text):
            self.leave()
