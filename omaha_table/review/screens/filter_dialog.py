"""The filter line: filters that a digit picks, or the whole language with suggestions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding, BindingType
from textual.suggester import Suggester
from textual.widgets import Input, OptionList, Static

from omaha_table.dealer.pad import DIGITS, pad_key
from omaha_table.review.index.filters import ANY, FilterError, parse_filter
from omaha_table.review.index.paging import suggestions
from omaha_table.review.screens.dialogs import Dialog, Slip

if TYPE_CHECKING:
    from omaha_table.review.index.projection import Projection
    from omaha_table.review.screens.page import Page

_WORDS: Final = re.compile(r'"[^"]*"?|\S+')
_QUICK: Final = (
    ("Anything unusual", f"flag:{ANY}"),
    ("Pot of at least …", "pot>="),
    ("Seat …", "seat:"),
    ("Dealer …", "dealer:"),
    ("An entry was taken back", "flag:undo"),
    ("A device failed", "flag:device"),
    ("Hand number …", "#"),
    ("Day …", "day:"),
    ("A floor ruling", "flag:override"),
)
"""What digits pick: a switch, or the beginning of a word that is then typed or picked."""
_TYPED: Final = ("pot>=", "seat:", "#")


class _Completer(Suggester):
    """Shows the first suggestion behind the cursor; the right arrow takes it."""

    def __init__(self, projection: Projection) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._projection = projection

    async def get_suggestion(self, value: str) -> str | None:
        found = suggestions(self._projection, value) if value else []
        return _completed(value, found[0]) if found else None


class FilterDialog(Dialog[str]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "complete", "Complete", priority=True),
        Binding("ctrl+u", "clear", "Clear", priority=True),
    ]
    hint = "Type, or pick a digit; 0 clears; TAB completes; ENTER shows the hands; ESC leaves."

    def __init__(self, projection: Projection, text: str) -> None:
        super().__init__("Which hands?", [label for label, _ in _QUICK])
        self._projection, self._text = projection, text
        self._seen = text
        self._values: list[str] | None = None
        """What is offered for the word at the end; None: the quick filters."""

    def line(self) -> Input:
        return Input(
            self._text, max_length=200, select_on_focus=False,
            suggester=_Completer(self._projection),
            placeholder='pot>=500 dealer:D114 flag:any "string bet" 2026-11-14..',
        )  # fmt: skip

    def press(self, key: str, character: str) -> bool:
        if self.picking and character == "0":
            self.action_clear()
        elif self.picking and character == ".":
            self.give(self.input.value.strip())
        elif self.picking and character.isdecimal():
            return super().press(key, character)
        elif self.numeric and not character.strip() and (pad_key(key) or "") in DIGITS:
            self.input.insert_text_at_cursor(pad_key(key) or "")
        elif character:
            if self.picking and self.input.value and character != " ":
                self.input.value = f"{self.input.value.rstrip()} "
                self.input.action_end()
            self.picking, self.numeric = False, self.numeric and character.isdecimal()
            return False
        else:
            return False
        return True

    def pick(self, at: int) -> None:
        if self._values is not None:
            self._complete(self._values[at])
            return
        word = _QUICK[at][1]
        words = _WORDS.findall(self.input.value)
        if word.endswith((":", "=", "#")):
            others = [known for known in words if not known.startswith(word)]
            self._put([*others, word])
            self.numeric, self.picking = word in _TYPED, word not in _TYPED
            self._offer()
        elif word in words:
            self._put([known for known in words if known != word])
        else:
            self._put([*words, word])

    def _put(self, words: list[str]) -> None:
        self.input.value = self._seen = " ".join(words)
        self.input.action_end()
        self._offer()

    def _complete(self, value: str) -> None:
        self.input.value = self._seen = _completed(self.input.value, value)
        self.input.action_end()
        self.picking = not value.endswith((":", "="))
        self._offer()

    def action_complete(self) -> None:
        found = suggestions(self._projection, self.input.value) if self.input.value else []
        highlighted = self.query_one(OptionList).highlighted
        if self._values and highlighted is not None:
            self._complete(self._values[highlighted])
        elif found:
            self._complete(_common(found) or found[0])
            self.picking = False
            self._offer()

    def action_clear(self) -> None:
        self.input.value = self._seen = ""
        self.picking = True
        self._offer()

    def typed(self) -> None:
        if self.input.value != self._seen:
            self._seen = self.input.value
            self.query_one("#slip", Static).update("")
            if not self._seen:
                self.picking, self.numeric = True, False
            self._offer()

    def _offer(self) -> None:
        """The quick filters, or what the word at the end could become."""
        word = self.input.value.rpartition(" ")[2]
        found = suggestions(self._projection, self.input.value) if word else []
        done = found == [word] or (self.picking and not word.endswith(":"))
        if found and not done:
            self._values, self.offers = found, found
        else:
            on = set(_WORDS.findall(self.input.value))
            self._values = None
            self.offers = [f"{label}{' √' if word in on else ''}" for label, word in _QUICK]
        self.list_offers()

    def action_enter(self) -> None:
        highlighted = self.query_one(OptionList).highlighted
        if highlighted is not None:
            self.pick(highlighted)
        else:
            self.give(self.input.value.strip())

    def take(self, text: str) -> str:
        try:
            parse_filter(text)
        except FilterError as error:
            raise Slip(f"At place {error.at + 1}: {error}") from None
        return text


def _completed(typed: str, word: str) -> str:
    before, space, _ = typed.rpartition(" ")
    return f"{before}{space}{word}"


def _common(found: list[str]) -> str:
    """What all suggestions begin with, if that is one of them."""
    return found[0] if len(found) == 1 else ""


async def choose_filter(page: Page) -> None:
    """Asks for a filter; every page that lists hands then shows those that fit."""
    review, desk = page.review, page.desk
    desk.set_filter(await review.ask(FilterDialog(desk.projection, desk.filter_text)))
    review.refreshed()
