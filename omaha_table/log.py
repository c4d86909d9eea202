"""The program's own log: readable on the terminal, JSON in a file.

Tracebacks go only to the file. The log never writes to stdout, which is for the commands' answers,
and never shows a card: card objects and anything spelled like a card are blacked out, in values
and in exceptions. The text of a log event is a constant; everything variable is a value.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import structlog

from omaha_table.cards import Card
from omaha_table.files import open_private
from omaha_table.text import visible

if TYPE_CHECKING:
    from io import TextIOWrapper

    from structlog.typing import EventDict, Processor, WrappedLogger

BLACKED_OUT: Final = "▒▒"
_SPELLED: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:(?:[2-9TJQKA]|10)[cdhs♣♦♥♠])+(?![A-Za-z0-9])", re.IGNORECASE
)


def set_up_log(
    level: str = "warning", file: Path | None = None, *, on_terminal: bool = True
) -> None:
    """Sends events of this level and above to stderr, and events from info up to a file.

    With `on_terminal=False` nothing goes to stderr, because a screen is painted there.
    """
    for_people = structlog.stdlib.ProcessorFormatter(
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            _without_traceback,
            _visible,
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty()),
        ],
        foreign_pre_chain=_SHARED,
    )
    stream = logging.StreamHandler(sys.stderr)
    stream.setLevel(level.upper())
    stream.setFormatter(for_people)
    handlers: list[logging.Handler] = [stream] if on_terminal else []
    if file is not None:
        in_file = structlog.stdlib.ProcessorFormatter(
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(),
            ],
            foreign_pre_chain=_SHARED,
        )
        to_file = _PrivateFile(file, encoding="utf-8")
        to_file.setLevel(logging.INFO)
        to_file.setFormatter(in_file)
        handlers.append(to_file)
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
        old.close()
    for handler in handlers:
        root.addHandler(handler)
    root.setLevel(min(handler.level for handler in handlers))
    structlog.configure(
        processors=[*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


class _PrivateFile(logging.FileHandler):
    """A log that only its owner can read."""

    def _open(self) -> TextIOWrapper:
        descriptor = open_private(Path(self.baseFilename), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        return os.fdopen(descriptor, "a", encoding="utf-8")


_OURS: Final = frozenset({"event", "level", "logger", "timestamp"})


def black_out(logger: WrappedLogger, name: str, event: EventDict) -> EventDict:
    """Blacks out every card in the values of a log event, however nested and however spelled."""
    foreign = event.get("logger", "").partition(".")[0] not in ("omaha_table", "omaha_drivers")
    for key, value in event.items():
        if foreign or key not in _OURS:
            event[key] = _without_cards(value)
    return event


def _without_traceback(logger: WrappedLogger, name: str, event: EventDict) -> EventDict:
    """Drops the traceback: the whole table can see the terminal."""
    event.pop("exception", None)
    return event


def _visible(logger: WrappedLogger, name: str, event: EventDict) -> EventDict:
    """Nothing from outside acts on the terminal."""
    for key, value in event.items():
        if isinstance(value, str):
            event[key] = visible(value)
    return event


def without_cards(text: str) -> str:
    """A text with everything that is spelled like a card blacked out."""
    return _SPELLED.sub(BLACKED_OUT, text)


def _without_cards(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Card):
        return BLACKED_OUT
    if isinstance(value, str):
        return without_cards(value)
    if isinstance(value, dict):
        return {_without_cards(key): _without_cards(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_without_cards(inner) for inner in value]
    return without_cards(str(value))


_SHARED: Final[list[Processor]] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
    black_out,
]
