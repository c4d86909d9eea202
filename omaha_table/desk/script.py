"""Runs desk commands from text, one a line, and says what happened as JSON objects."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from omaha_table.desk.language import WORDS, AskHelp, AskStep, BadCommand, parse, without_secrets
from omaha_table.hand import Refused
from omaha_table.journal.codec import to_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.desk.desk import Desk


def run_line(desk: Desk, number: int, line: str) -> Iterator[dict[str, Any]]:
    """The events of one line, the answer to a question, or one object of type `refused`."""
    try:
        command = parse(line)
    except BadCommand as bad:
        yield _refusal(number, line, bad.code, str(bad), "commands", "the console's commands")
        return
    match command:
        case None:
            return
        case AskStep():
            yield {"type": "step", "hand": desk.state.hands, **asdict(desk.step)}
            return
        case AskHelp():
            commands = {word.usage: word.meaning for word in WORDS}
            yield {"type": "help", "commands": commands}
            return
    done = desk.do(command)
    if isinstance(done, Refused):
        yield _refusal(number, line, done.code, done.message, done.rule, done.source)
        return
    for record in done:
        yield to_json(record)


def _refusal(
    number: int, line: str, code: str, message: str, rule: str, source: str
) -> dict[str, Any]:
    return {
        "type": "refused",
        "line": number,
        "command": without_secrets(line),
        "code": code,
        "message": message,
        "rule": rule,
        "source": source,
    }
