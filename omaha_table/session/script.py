"""Runs session commands from text, one per line, and returns what happened as JSON objects."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from omaha_table.floor import BY_NAME, RULINGS, Give, SignIn, SignShift
from omaha_table.hand import Refused, misdeal_window_open, unpaid
from omaha_table.journal.codec import to_json
from omaha_table.session.language import BadCommand, parse, without_secrets
from omaha_table.session.vocabulary import (
    WORDS,
    AskEffect,
    AskHelp,
    AskRulings,
    AskSimilar,
    AskStep,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.session.session import Session


_ACTOR: Final = "script"


def run_line(session: Session, number: int, line: str) -> Iterator[dict[str, Any]]:
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
            yield _step(session)
        case AskHelp():
            commands = {word.usage: word.meaning for word in WORDS}
            yield {"type": "help", "commands": commands}
        case AskRulings():
            yield {"type": "help", "rulings": {r.usage: r.meaning for r in RULINGS}}
        case AskEffect():
            try:
                effect = session.effect(command.ruling)
            except Refused as refusal:
                yield _refused(number, line, refusal)
            else:
                yield {"type": "effect", "ruling": command.ruling.ruling, "text": effect}
        case AskSimilar():
            yield from _similar(session, number, line, command)
        case _:
            if isinstance(command, Give):
                answer = session.rule(command, _ACTOR)
            elif isinstance(command, SignIn):
                answer = session.sign_in(command, _ACTOR)
            elif isinstance(command, SignShift):
                answer = session.sign_shift(command, _ACTOR)
            else:
                answer = session.do(command, actor=_ACTOR)
            yield from map(to_json, answer.records)
            if answer.refusal is not None:
                yield _refused(number, line, answer.refusal)


def _similar(
    session: Session, number: int, line: str, asked: AskSimilar
) -> Iterator[dict[str, Any]]:
    """One object for each ruling, the most similar first, and one for each day left out."""
    if asked.ruling not in BY_NAME:
        message = "Unknown ruling. 'floor help' lists the rulings."
        yield _refusal(number, line, "unknown_ruling", message, "floor", "the console's commands")
        return
    found = session.similar_rulings(asked.ruling, asked.words)
    yield from ({"type": "similar_ruling", **asdict(ruling)} for ruling in found.rulings)
    yield from ({"type": "day_left_out", "day": day} for day in found.left_out)


def _step(session: Session) -> dict[str, Any]:
    hand = session.state.hand
    window = None if hand is None else misdeal_window_open(hand)
    return {
        "type": "step",
        "hand": session.state.hands,
        **asdict(session.step),
        "pick_up": session.to_pick_up,
        "misdeal_window": {None: None, True: "open", False: "shut"}[window],
        "unpaid": [] if hand is None else unpaid(hand),
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
