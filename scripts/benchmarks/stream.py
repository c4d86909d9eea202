"""`omaha-table showdown` as a process: JSON in and out, beside PokerKit in memory."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from typing import IO

from measure import Contender, Figure, measure
from showdowns import deals, pokerkit

SEATS = 8


def ours(lines: int) -> Contender:
    given = deals(SEATS, 5, 2000)
    text = [
        json.dumps(
            {
                "rules": "ca_big_o",
                "button": 5,
                "board": " ".join(board),
                "hands": {str(seat): " ".join(hand) for seat, hand in enumerate(hands, 1)},
                "pots": [{"amount": 10100, "eligible": list(range(1, SEATS + 1))}],
            }
        )
        for board, hands in given
    ]

    def work(count: int) -> None:
        # One process per call: its start-up time is included and shared by its lines.
        for _ in range(count):
            with tempfile.TemporaryFile() as source:
                for at in range(lines):
                    source.write(text[at % len(text)].encode() + b"\n")
                source.seek(0)
                _answer(source)

    return Contender("omaha-table showdown", work, f"{lines:,} lines a process, start included")


def _answer(source: IO[bytes]) -> None:
    subprocess.run(
        [sys.executable, "-P", "-m", "omaha_table", "showdown", "-"],
        stdin=source,
        stdout=subprocess.DEVNULL,
        check=True,
    )


def run(rounds: int, seconds: float, lines: int = 5000) -> list[Figure]:
    figures = measure([ours(lines), pokerkit(deals(SEATS, 5, 2000))], rounds, seconds)
    per_line = figures[0].micros / lines
    return [
        Figure(figures[0].name, per_line, 1.0, figures[0].note, "CPU"),
        Figure(figures[1].name, figures[1].micros, figures[1].micros / per_line, "in memory",
               "CPU"),
    ]  # fmt: skip
