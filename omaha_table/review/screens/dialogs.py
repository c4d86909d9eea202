"""Questions of the review: an amount, a PIN, a reason, one of some names.

Where something is offered, digits pick it as long as nothing was typed; the first letter makes it a
line of text, in which digits are digits. Arrows, ENTER and the mouse pick as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, Generic, TypeVar, cast

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from omaha_table.dealer.modes.pin_entry import LONGEST_PIN
from omaha_table.dealer.pad import DIGITS, pad_key
from omaha_table.money import MoneyError, parse_dollars
from omaha_table.text import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult

    from omaha_table.floor.staff import Person
    from omaha_table.money import Cents
    from omaha_table.review.screens.app import Review

T = TypeVar("T")
_LONGEST: Final = 120
ON_PAGE: Final = 9
"""How many offers have a digit."""


class Slip(Exception):  # noqa: N818 - what was typed is not an error of the program
    """What was typed cannot be taken; the dialog says so and stays."""


class Dialog(ModalScreen[T | None], Generic[T]):
    """A question over the page; None: it was left."""

    AUTO_FOCUS = "Input"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", key_display="esc"),
        Binding("enter", "enter", "Done", key_display="enter", priority=True),
        Binding("down", "move(1)", show=False, priority=True),
        Binding("up", "move(-1)", show=False, priority=True),
    ]
    numeric = False
    """Only digits are typed, so the pad without NumLock types them too."""
    hint = ""
    deaf = False
    """Whether keys do not count while the answer is looked at, instead of waiting."""

    def __init__(self, title: str, offers: Sequence[str] = (), slip: str = "") -> None:
        super().__init__()
        self._title, self.offers, self._slip = title, list(offers), slip
        self._from = 0
        self.picking = bool(offers)

    def compose(self) -> ComposeResult:
        with Vertical(id="dialog"):
            yield Static(visible(self._title), id="question", markup=False)
            yield self.line()
            yield Static(self._slip, id="slip", markup=False)
            yield OptionList(id="offers")
            yield Static(self.hint, id="hint", markup=False)

    def line(self) -> Input:
        return Input(max_length=_LONGEST, select_on_focus=False)

    @property
    def input(self) -> Input:
        return self.query_one(Input)

    def on_mount(self) -> None:
        self.list_offers()

    # What is offered

    def list_offers(self) -> None:
        offers = self.query_one(OptionList)
        offers.display = bool(self.offers)
        offers.clear_options()
        for at, label in enumerate(self.offers):
            digit = at - self._from + 1
            cap = f"{digit}" if self.picking and 0 < digit <= ON_PAGE else " "
            offers.add_option(Option(f"{cap}  {visible(label)}"))

    def pick(self, at: int) -> None:
        """One of the offers was picked."""
        self.give(self.offers[at])

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.pick(event.option_index)

    def action_move(self, by: int) -> None:
        offers = self.query_one(OptionList)
        if self.offers:
            at = (-1 if by > 0 else len(self.offers)) if offers.highlighted is None else (
                offers.highlighted)  # fmt: skip
            offers.highlighted = max(0, min(at + by, len(self.offers) - 1))

    # Keys

    def press(self, key: str, character: str) -> bool:
        """A key before the line gets it; whether it was used up."""
        if self.numeric and len(pad_key(key) or "") == 1 and not character.strip():
            character = pad_key(key) or ""
            if character in DIGITS:
                self.input.insert_text_at_cursor(character)
                return True
        if not self.picking or not character:
            return False
        if character in DIGITS:
            self._pick_digit(int(character))
        elif character == "+" and len(self.offers) > ON_PAGE:
            self._from += ON_PAGE
            if self._from >= len(self.offers):
                self._from = 0
            self.list_offers()
            self.query_one(OptionList).highlighted = self._from
        elif character == ".":
            self.action_leave()
        else:
            self.picking = False
            self.list_offers()
            return False
        return True

    def _pick_digit(self, digit: int) -> None:
        at = self._from + digit - 1
        if not digit or at >= min(len(self.offers), self._from + ON_PAGE):
            self.slip("There is no such line.")
        else:
            self.pick(at)

    def typed(self) -> None:
        """The line may say something else: at once, so that the next key finds what it offers."""
        if not self.input.value and self.offers and not self.picking:
            self.picking = True
            self.list_offers()

    def action_enter(self) -> None:
        offers = self.query_one(OptionList)
        if offers.highlighted is not None and (self.picking or not self.input.value):
            self.pick(offers.highlighted)
        else:
            self.give(self.input.value.strip())

    def action_leave(self) -> None:
        self.close(None)

    def erase(self) -> None:
        """Takes the last letter back; with nothing left, leaves."""
        if not self.input.value:
            self.action_leave()
        self.input.value = self.input.value[:-1]

    # What comes of it

    def give(self, text: str) -> None:
        try:
            given = self.take(text)
        except Slip as slip:
            self.slip(str(slip))
        else:
            self.close(given)

    def take(self, text: str) -> T:
        """What was asked for; raises Slip."""
        raise NotImplementedError

    def slip(self, message: str) -> None:
        self.app.bell()
        self.query_one("#slip", Static).update(message)

    def close(self, given: T | None) -> None:
        # Until what follows is there, keys wait: none may land on the page below.
        cast("Review", self.app).hold(deaf=self.deaf and given is not None)
        self.dismiss(given)


class Text(Dialog[str]):
    """One of some phrases, or any text."""

    hint = "A digit picks; letters type; ENTER is done; ESC or . leaves."

    def __init__(self, title: str, offers: Sequence[str], letters: int) -> None:
        super().__init__(title, offers)
        self._letters = letters

    def take(self, text: str) -> str:
        if sum(map(str.isalpha, text)) < self._letters:
            raise Slip(
                "Pick a reason, or type one of at least three letters."
                if self._letters > 1
                else "Pick a note, or type one."
            )
        return text


class Money(Dialog["tuple[Cents | None]"]):
    """An amount in dollars; in a tuple, so that not counted is not the same as left."""

    hint = "ENTER is done; - erases; ESC leaves."

    def __init__(self, title: str, *, optional: bool = False) -> None:
        super().__init__(title)
        self._optional = optional
        if optional:
            self.hint = f"Leave it empty if it was not counted. {self.hint}"

    def press(self, key: str, character: str) -> bool:
        if character == "-":
            self.erase()
            return True
        digit = pad_key(key) or ""
        if character or key in ("backspace", "delete") or digit not in (*DIGITS, "."):
            return False
        self.input.insert_text_at_cursor(digit)
        return True

    def take(self, text: str) -> tuple[Cents | None]:
        if self._optional and not text:
            return (None,)
        try:
            return (parse_dollars(text.removeprefix("$")),)
        except MoneyError as error:
            raise Slip(str(error)) from None


class StaffNumber(Dialog["Person"]):
    """Somebody of the staff list; letters type a number that is far down the list."""

    hint = "A digit picks, + shows more; or type the staff number."

    def __init__(self, title: str, people: list[Person], slip: str) -> None:
        super().__init__(title, [f"{person.id} {person.name}" for person in people], slip)
        self._people = people

    def pick(self, at: int) -> None:
        self.close(self._people[at])

    def take(self, text: str) -> Person:
        for person in self._people:
            if person.id == text:
                return person
        self.input.value = ""
        raise Slip(f"{text} is not among those who may sign here." if text else "Pick who signs.")


class Secret(Dialog[str]):
    """A PIN, which is shown as dots."""

    numeric = True
    deaf = True
    hint = "ENTER is done; . erases or leaves."

    def __init__(self, title: str, slip: str) -> None:
        super().__init__(title, (), slip)

    def line(self) -> Input:
        return Input(password=True, max_length=LONGEST_PIN, select_on_focus=False)

    def press(self, key: str, character: str) -> bool:
        pad = pad_key(key)
        if pad == ".":
            self.erase()
        elif pad is not None and pad in DIGITS:
            self.input.insert_text_at_cursor(pad)
        elif character:
            self.slip("A PIN has digits alone.")
        else:
            return False
        return True

    def take(self, text: str) -> str:
        if not text:
            raise Slip("Type the PIN.")
        # Before anybody looks at it: nothing keeps a PIN longer than it takes to check it.
        self.input.value = ""
        return text
