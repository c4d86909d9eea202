"""The strip of keys on the screen is the table by which keys are answered: one thing, said once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.dealer.pad import DIGITS
from omaha_table.dealer.view import Key, Kind, Page, Prompt

if TYPE_CHECKING:
    from collections.abc import Callable


class Strip:
    """The keys that work now, in the order in which they are shown."""

    def __init__(self) -> None:
        self.keys: list[Key] = []
        self._answers: dict[str, Callable[[], object]] = {}
        self._digit: Callable[[str], None] | None = None

    def add(
        self,
        cap: str,
        label: str,
        do: Callable[[], object] | None = None,
        *,
        strong: bool = False,
        grey: str = "",
    ) -> None:
        self.keys.append(Key(cap, label, strong, grey))
        if do is not None and not grey:
            self._answers[cap.lower()] = do

    def digits(self, label: str, do: Callable[[str], None], *, cap: str = "0-9") -> None:
        self.keys.append(Key(cap, label))
        self._digit = do

    def answer(self, pad: str) -> Callable[[], object] | None:
        """What a key does now; None: nothing."""
        digit = self._digit
        if pad in DIGITS and digit is not None:
            return lambda: digit(pad)
        return self._answers.get(pad)

    def why_not(self, pad: str) -> str:
        """Why a key that is shown does nothing."""
        return next((key.grey for key in self.keys if key.cap.lower() == pad and key.grey), "")

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
