"""Reads TOML that somebody else may have written: bounded in size and in depth.

`tomllib` recurses into brackets and takes quadratic time over dotted keys, so both are counted
before it sees the text.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any, Final

from omaha_table.files import FileError, read_bounded

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MOST_BYTES: Final = 1 << 20
MOST_DEPTH: Final = 16
_TOKEN: Final = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5})?'
    r"|'''(?:[^']|'(?!''))*+(?:'{3,5})?"
    r'|"(?:[^"\\\n]|\\.)*+"?'
    r"|'[^'\n]*+'?"
    r"|\#[^\n]*+"
    r"|[\[\]{}.=,\n]",
    re.DOTALL,
)
"""Strings and comments whole. One without an end reaches to the end of the text: to look for the
next beginning inside it would take quadratic time."""


class TomlError(ValueError):
    """Text that is not TOML, or more of it than anybody would write."""


def read_toml(path: Path, most: int = MOST_BYTES) -> dict[str, Any]:
    """The tables in a file; raises TomlError, or OSError and ValueError if it cannot be read."""
    try:
        text = read_bounded(path, most).decode("utf-8")
    except FileError as error:
        raise TomlError(str(error)) from None
    except UnicodeDecodeError as error:
        raise TomlError(f"byte {error.start + 1} is not UTF-8") from None
    return parse_toml(text)


def parse_toml(text: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """The tables in a text; raises TomlError."""
    _check_depth(text)
    try:
        return tomllib.loads(text, parse_float=parse_float)
    except RecursionError:
        raise TomlError("it is nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        raise TomlError(str(error)) from None
    except ValueError:
        # Python's own limit on the digits of a number, and dates that do not exist.
        raise TomlError("a number in it has too many digits") from None


def _check_depth(text: str) -> None:
    depth = dots = 0
    for found in _TOKEN.finditer(text):
        match found[0]:
            case "[" | "{":
                depth, dots = depth + 1, 0
            case "]" | "}":
                depth, dots = max(depth - 1, 0), 0
            case ".":
                dots += 1
            case "=" | "," | "\n":
                dots = 0
            case _:
                continue
        if depth > MOST_DEPTH or dots > MOST_DEPTH:
            line = text.count("\n", 0, found.start()) + 1
            raise TomlError(f"line {line} is nested more than {MOST_DEPTH} deep")
