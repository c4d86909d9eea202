"""Finds cards in everything that an adapter says."""

from __future__ import annotations

import contextlib
import io
import logging
import re
import warnings
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CARD: Final = re.compile(r"(?<![A-Za-z0-9])[2-9TJQKA][cdhs](?![A-Za-z0-9])")


@contextlib.contextmanager
def everything_said() -> Iterator[io.StringIO]:
    """What is printed, logged at any level or warned of meanwhile."""
    said = io.StringIO()
    handler = logging.StreamHandler(said)
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        with (
            contextlib.redirect_stdout(said),
            contextlib.redirect_stderr(said),
            warnings.catch_warnings(record=True) as warned,
        ):
            yield said
        said.write("".join(str(one.message) for one in warned))
    finally:
        root.setLevel(level)
        root.removeHandler(handler)


def leak_in(text: str, frames: Iterable[bytes]) -> str:
    """What a text gives away: a card, or a frame, from which anybody could read the card."""
    if CARD.search(text):
        return "a card"
    lower = text.lower()
    for frame in frames:
        if len(frame) > 3 and (frame.hex() in lower or repr(frame)[2:-1] in text):
            return "a frame as it was received"
    return ""
