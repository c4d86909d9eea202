"""The number pad in all its dialects: whatever the terminal calls a key, here it has one name.

With NumLock off the pad sends arrows and paging keys; they are digits again here. A laptop's main
row works too.
"""

from __future__ import annotations

from typing import Final

ENTER: Final = "enter"
DIGITS: Final = frozenset("0123456789")

_NAMES: Final = {
    **{digit: digit for digit in DIGITS},
    **{f"kp_{digit}": digit for digit in DIGITS},
    "enter": ENTER,
    "return": ENTER,
    "ctrl+j": ENTER,
    "ctrl+m": ENTER,
    "kp_enter": ENTER,
    # NumLock off
    "insert": "0",
    "end": "1",
    "down": "2",
    "pagedown": "3",
    "left": "4",
    "kp_begin": "5",
    "begin": "5",
    "right": "6",
    "home": "7",
    "up": "8",
    "pageup": "9",
    "delete": ".",
    # The operators, as old terminals and as the Kitty protocol name them
    **dict.fromkeys(("plus", "add", "kp_add", "+", "equals_sign"), "+"),
    **dict.fromkeys(("minus", "subtract", "kp_subtract", "-", "hyphen"), "-"),
    **dict.fromkeys(("asterisk", "multiply", "kp_multiply", "*"), "*"),
    **dict.fromkeys(("slash", "divide", "kp_divide", "/"), "/"),
    **dict.fromkeys(
        ("full_stop", "decimal", "kp_decimal", ".", "separator", "comma", "backspace"), "."
    ),
}


def pad_key(name: str) -> str | None:
    """The pad's name of a key, or None: it is not on the pad."""
    return _NAMES.get(name)


RANKS: Final = {
    **{str(number): str(number) for number in range(2, 10)},
    "1": "A",
    "10": "T",
    "11": "J",
    "12": "Q",
    "13": "K",
}
SUITS: Final = {"/": "s", "*": "h", "-": "d", "+": "c"}
"""Rank by number, then a suit key that ends it."""
SUIT_SIGNS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
