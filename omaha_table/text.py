"""Text from outside, made safe to show: names, reasons and file names are anybody's words."""

from __future__ import annotations

import re
from typing import Final

HIDDEN: Final = "\N{REPLACEMENT CHARACTER}"
"""Stands for a character that has no picture of its own."""


def visible(text: str) -> str:
    """One line of text in which nothing acts: control characters, escapes and marks that turn the
    direction of writing are replaced, each by one character that can be seen."""
    if text.isprintable():
        return text
    return "".join([letter if letter.isprintable() else HIDDEN for letter in text])


def visible_lines(text: str) -> str:
    """The same for text of several lines, which stay lines."""
    return "\n".join(map(visible, text.split("\n")))


def escaped(text: str) -> str:
    """JSON or TOML text with everything that would act on a terminal written as an escape.

    Both formats read `\\u` escapes inside strings, and outside strings there is nothing but
    printable characters and line breaks.
    """
    if text.replace("\n", "").isprintable():
        return text
    return "".join(
        [letter if letter == "\n" or letter.isprintable() else _escape(letter) for letter in text]
    )


def _escape(letter: str) -> str:
    """As UTF-16 code units, the only form that JSON has; TOML gets no letters that need two."""
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(
        f"\\u{int.from_bytes(units[at : at + 2], 'big'):04x}" for at in range(0, len(units), 2)
    )


_MARKDOWN: Final = re.compile(r"([\\`*\[\]<>|~]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)|:(?=//)|(?<=www)\.)")


def as_markdown_text(text: str) -> str:
    """Text as it must be written in Markdown to be read as it is: no markup, no HTML, no links.

    An underscore inside a word means nothing in Markdown and is left alone.
    """
    return _MARKDOWN.sub(r"\\\1", visible(text))
