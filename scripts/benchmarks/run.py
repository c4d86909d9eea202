"""Runs the benchmarks and prints a table, or JSON for other programs."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent))

import console
import devices
import hands
import journal
import review
import room
import room_reading
import showdowns
import stream
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from measure import Figure


def benchmarks(rounds: int, seconds: float) -> dict[str, Callable[[], list[Figure]]]:
    return {
        "One Big O showdown, eight seats": lambda: showdowns.run(8, 5, rounds, seconds),
        "One Omaha hi/lo showdown, ten seats": lambda: showdowns.run(10, 4, rounds, seconds),
        "Big O showdowns through JSON": lambda: stream.run(rounds, seconds),
        "Whole hands, eight seats of limit Big O": lambda: hands.run(rounds, seconds),
        "One command": lambda: hands.one_command(rounds),
        "Command to durable": journal.durable,
        "A card of the deal": journal.sealing,
        "The log again": journal.verifying,
        "Recovery in a hand": journal.recovering,
        "Memory of verify": journal.memory,
        "A device's write to its event": devices.latency,
        "A flood of events": devices.flood,
        "A line without an end": devices.endless,
        "Replugging": devices.replug,
        "Two devices with nothing to report": devices.idle,
        "The console on a pty": console.run,
        "The reviewer's database": review.projecting,
        "A room of 60 tables": room.behind,
        "A room that was away": room.catching_up,
        "A room that is read": room_reading.reading,
        "A console with its shipper": room.at_the_table,
        "Start": lambda: stream.imports(rounds),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print figures as JSON")
    parser.add_argument("--rounds", type=int, default=7, help="how often each takes its turn")
    parser.add_argument("--seconds", type=float, default=0.3, help="how long a turn is")
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="benchmarks with TEXT in the name"
    )
    given = parser.parse_args()
    progress = Console(stderr=True)
    found: dict[str, list[Figure]] = {}
    for name, run in benchmarks(given.rounds, given.seconds).items():
        if given.only.lower() in name.lower():
            with progress.status(name):
                found[name] = run()
            if not given.json:
                Console(width=100).print(table(name, found[name]))
    if given.json:
        print(json.dumps({name: [asdict(f) for f in figures] for name, figures in found.items()}))
    else:
        print(f"Python {platform.python_version()}, medians of {given.rounds} interleaved rounds")


def table(name: str, figures: list[Figure]) -> Table:
    shown = Table(title=name, title_justify="left", title_style="bold")
    shown.add_column("who")
    shown.add_column("µs", justify="right")
    shown.add_column("× ours", justify="right")
    shown.add_column("note")
    for figure in figures:
        shown.add_row(
            figure.name, f"{figure.micros:,.1f}", f"{figure.times_ours:,.1f}", figure.note
        )
    return shown


if __name__ == "__main__":
    main()
