"""The strip of keys on the screen is the table by which keys are answered: stated once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.dealer.change import Change
from omaha_table.dealer.pad import DIGITS
from omaha_table.dealer.table_view import Key, Kind, Page, Prompt
from omaha_table.hand.frozen import replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.dealer.change import Action
    from omaha_table.dealer.model import Model


class Strip:
    """The keys that work now, in the order in which they are shown."""

    def __init__(self) -> None:
        self.keys: list[Key] = []
        self._actions: dict[str, Action] = {}
        self._digit: Callable[[Model, str], Change] | None = None
        self._reasons: dict[str, str] = {}
        self.opens_floor = False
        self.asks_pin_again = False

    def add(
        self, cap: str, label: str, action: Action, *, strong: bool = False, short: str = ""
    ) -> None:
        self.keys.append(Key(cap, label, strong, short=short))
        self._actions[cap.lower()] = action

    def floor(self) -> None:
        """`/` leaves a question or a page for the floor.

        Whoever types a PIN does not wait to see that `/` was taken: where it was refused, the
        digits that follow would be keyed at the table.
        """
        self.keys.append(Key("/", "FLOOR / MENU"))
        self.opens_floor = True

    def pin_again(self) -> None:
        """`/` in the middle of a ruling asks for a PIN over it.

        Whoever begins once more, as if no dialog were open, must not choose with the PIN's digits.
        """
        self.keys.append(Key("/", "PIN AGAIN"))
        self.asks_pin_again = True

    def explain(self, cap: str, label: str = "", *, why: str = "") -> None:
        """A key that only informs, or that does nothing now and says why."""
        self.keys.append(Key(cap, label, grey=why))

    def when_pressed(self, cap: str, why: str) -> None:
        """A key that is not shown, because it does nothing: what it answers if it is pressed."""
        self._reasons[cap.lower()] = why

    def digits(
        self,
        label: str,
        action: Callable[[Model, str], Change],
        *,
        cap: str = "0-9",
        short: str = "",
    ) -> None:
        self.keys.append(Key(cap, label, short=short))
        self._digit = action

    def decimal_point(self, model: Model, *, cents: bool) -> bool:
        """Makes `.` the decimal point where cents can follow what is typed; whether it did.

        Pressed again it clears, as it does at once where there are no cents.
        """
        if not (cents and model.typed and model.filled is None and "." not in model.typed):
            return False
        self.add(".", "CENTS", lambda now: Change(replace(now, typed=f"{now.typed}.")))
        return True

    def action(self, pad: str) -> Action | None:
        """What a key does now; None: nothing. A digit with an action of its own is not typed."""
        digit, own = self._digit, self._actions.get(pad)
        if own is None and pad in DIGITS and digit is not None:
            return lambda model: digit(model, pad)
        return own

    def commits(self, pad: str) -> bool:
        """Whether a key does more than typing or going back."""
        return pad != "." and pad in self._actions

    def is_free(self, cap: str) -> bool:
        """Whether a key does nothing here and has no answer of its own."""
        pad = cap.lower()
        shown = any(key.cap.lower() == pad for key in self.keys)
        return not shown and pad not in self._actions and pad not in self._reasons

    def why_not(self, pad: str) -> str:
        """Why a key does nothing; empty: no reason was given."""
        shown = (key.grey for key in self.keys if key.cap.lower() == pad and key.grey)
        return next(shown, self._reasons.get(pad, ""))

    def prompt(
        self,
        kind: Kind,
        title: str,
        detail: str = "",
        number: str = "",
        caption: str = "",
        page: Page | None = None,
    ) -> Prompt:
        grey = next((key.grey for key in self.keys if key.cap == "ENTER" and key.grey), "")
        return Prompt(kind, title, grey or detail, number, caption, tuple(self.keys), page)
