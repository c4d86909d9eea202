"""Runs desk commands from text, one a line, and says what happened as JSON objects."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from omaha_table.desk.language import BadCommand, parse, without_secrets
from omaha_table.desk.words import WORDS, AskEffect, AskHelp, AskRulings, AskStep
from omaha_table.floor import RULINGS, Give
from omaha_table.hand import Refused, misdeal_window_open
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
            yield _step(desk)
        case AskHelp():
            commands = {word.usage: word.meaning for word in WORDS}
            yield {"type": "help", "commands": commands}
        case AskRulings():
            yield {"type": "help", "rulings": {r.usage: r.meaning for r in RULINGS}}
        case AskEffect():
            effect = desk.effect(command.ruling)
            if isinstance(effect, Refused):
                yield _refused(number, line, effect)
            else:
                yield {"type": "effect", "ruling": command.ruling.ruling, "text": effect}
        case Give():
            records, refusal = desk.rule(command)
            yield from map(to_json, records)
            if refusal is not None:
                yield _refused(number, line, refusal)
        case _:
            done = desk.do(command)
            if isinstance(done, Refused):
                yield _refused(number, line, done)
            else:
                yield from map(to_json, done)


def _step(desk: Desk) -> dict[str, Any]:
    hand = desk.state.hand
    window = None if hand is None else misdeal_window_open(hand)
    return {
        "type": "step",
        "hand": desk.state.hands,
        **asdict(desk.step),
        "pick_up": desk.to_pick_up,
        "misdeal_window": {None: None, True: "open", False: "shut"}[window],
    }


def _refused(number: int, line: str, refusal: Refused) -> dict[str, Any]:
    return _refusal(number, line, refusal.code, refusal.message, refusal.rule, refusal.source)


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
