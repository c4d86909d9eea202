"""Parses a typed line into a command, and removes secrets from a line before it is repeated."""

from __future__ import annotations

import difflib
import re
import shlex
from typing import TYPE_CHECKING, Final

from omaha_table.cards import CardError
from omaha_table.hand import commands as hand
from omaha_table.money import HOW_TO_WRITE, MoneyError
from omaha_table.rules import ProfileError
from omaha_table.session.vocabulary import SHIFT_WORDS, WORDS, Ask, Word

if TYPE_CHECKING:
    from omaha_table.floor import Give, SignIn, SignShift
    from omaha_table.session.commands import SessionCommand
    from omaha_table.table.commands import TableCommand

_BY_NAME: Final = {word.name: word for word in WORDS}
_VERBS: Final = ("fold", "check", "call", "bet", "raise", "allin")


class BadCommand(Exception):  # noqa: N818 - like a refusal, an answer to what was typed
    """The text is not a command. The code is stable, the message is for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def parse(line: str) -> SessionCommand | Give | SignIn | SignShift | Ask | None:
    """The command on a line; None for a blank line or a comment. Raises BadCommand."""
    words = _split(line)
    if not words:
        return None
    name = words[0].lower()
    if name.isascii() and name.isdecimal() and len(words) > 1:
        return _seat_acts(name, words[1:])
    word = _BY_NAME.get(name)
    if word is None:
        raise BadCommand("unknown_command", _unknown(name))
    return _read(word, words[1:])


def without_secrets(line: str) -> str:
    """A line that is safe to repeat: no comment, no PIN, no card that could be face down."""
    try:
        words = _split(line)
    except BadCommand:
        words = line.partition("#")[0].split()
    if not words:
        return ""
    name = words[0].lower()
    if name in _FACE_UP:
        return " ".join(words)
    word = _BY_NAME.get(name)
    if name == "floor" or (word is None and not name.isdecimal()):
        cards = _CARDS if name == "floor" else _GLUED
        return _PIN.sub(_BLACK, cards.sub(_BLACK, " ".join(words)))
    if word is not None and word.secret:
        return f"{name} {_BLACK}" if len(words) > 1 else name
    if name == "rules":
        return " ".join(words)
    if name == "down" and len(words) > 2:
        words = [*words[:2], _BLACK]
    if name == "shift":
        said = 2 if words[1:2] and words[1].lower() == "close" else SHIFT_WORDS + 1
        words = [*words[:said], *[_BLACK] * len(words[said:])]
    shown = _CARDS.sub(_BLACK, " ".join(words))
    return _PIN.sub(_BLACK, shown) if word is None or name == "down" else shown


_BLACK: Final = "▒▒"
_CARDS: Final = re.compile(
    r"(?<![A-Za-z])(?:(?:10|[2-9TJQKA])[cdhs♣♦♥♠])+(?![A-Za-z])", re.IGNORECASE
)
_GLUED: Final = re.compile(r"(?:10|[2-9TJQKA])[cdhs♣♦♥♠]", re.IGNORECASE)
"""In a misspelled word, a card may be part of the word."""
_PIN: Final = re.compile(r"\d{4,}")
_FACE_UP: Final = ("flop", "turn", "river", "draw")


def _split(line: str) -> list[str]:
    lexer = shlex.shlex(line, posix=True)
    lexer.whitespace_split = True
    lexer.quotes = '"'
    lexer.escape = ""
    try:
        return list(lexer)
    except ValueError:
        raise BadCommand("bad_command", "A closing quotation mark is missing.") from None


def _read(word: Word, arguments: list[str]) -> SessionCommand | Give | SignIn | SignShift | Ask:
    try:
        return word.read(arguments)
    except CardError as error:
        if word.secret:
            raise BadCommand(error.code, "Not a card: give a rank and a suit.") from None
        raise BadCommand(error.code, _sentence(str(error))) from None
    except ProfileError as error:
        raise BadCommand("no_such_rules", str(error)) from None
    except MoneyError:
        # Not quoted: a card that was typed in the place of an amount may lie face down.
        raise BadCommand("bad_amount", f"That is not an amount: {HOW_TO_WRITE}.") from None
    except (ValueError, IndexError):
        raise BadCommand("bad_command", f"Usage: {word.usage}") from None


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _unknown(name: str) -> str:
    nearest = difflib.get_close_matches(name, _BY_NAME, n=1)
    hint = f"Did you mean '{nearest[0]}'?" if nearest else "'help' lists the commands."
    return f"Unknown command. {hint}"


def _seat_acts(seat: str, words: list[str]) -> TableCommand:
    word = _BY_NAME.get(words[0].lower())
    if word is None or word.name not in _VERBS:
        raise BadCommand("unknown_command", f"Unknown action. The actions are {', '.join(_VERBS)}.")
    command = _read(word, words[1:])
    if not isinstance(command, hand.Act) or len(seat) > 4:
        raise BadCommand("bad_command", f"Usage: N {word.usage}")
    return hand.Act(command.verb, command.amount, int(seat))
