"""Runs the benchmarks and prints a table, or JSON for other programs."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parent))

from measure import Others
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from measure import Figure


def benchmarks(rounds: int, seconds: float) -> dict[str, Callable[[], list[Figure]]]:
    """By name. A module is imported when its benchmark runs: not every peer is needed for all."""

    def of(module: str, function: str, *given: object) -> Callable[[], list[Figure]]:
        return lambda: getattr(importlib.import_module(module), function)(*given)

    return {
        "One Big O showdown, eight seats": of("showdowns", "run", 8, 5, rounds, seconds),
        "One Omaha hi/lo showdown, ten seats": of("showdowns", "run", 10, 4, rounds, seconds),
        "Big O showdowns through JSON": of("stream", "run", rounds, seconds),
        "Whole hands, eight seats of limit Big O": of("hands", "run", rounds, seconds),
        "One command": of("hands", "one_command", rounds),
        "Command to durable": of("journal", "durable"),
        "A card of the deal": of("journal", "sealing"),
        "Verify 1,000 hands": of("journal", "verifying", rounds),
        "Recovery in a hand": of("journal", "recovering"),
        "Memory of verify": of("journal", "memory"),
        "A device's write to its event": of("devices", "latency"),
        "A flood of events": of("devices", "flood"),
        "A line without an end": of("devices", "endless"),
        "Replugging": of("devices", "replug"),
        "Two devices with nothing to report": of("devices", "idle"),
        "The console on a pty": of("console", "run"),
        "The review's index of 1,000 hands": of("review", "projecting", rounds),
        "A room of 60 tables": of("room", "behind"),
        "A room that was away": of("room", "catching_up"),
        "A room that is read": of("room_reading", "reading"),
        "A console with its shipper": of("room", "at_the_table"),
        "Start of the commands": of("start", "commands", rounds),
        "Start of the evaluator": of("start", "imports", rounds),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print figures as JSON")
    parser.add_argument(
        "--against", type=Path, metavar="FILE", help="compare with the output of an earlier --json"
    )
    parser.add_argument("--rounds", type=int, default=7, help="how often each takes its turn")
    parser.add_argument("--seconds", type=float, default=0.3, help="how long a turn is")
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="benchmarks with TEXT in the name"
    )
    given = parser.parse_args()
    before = {} if given.against is None else earlier(given.against)
    progress = Console(stderr=True)
    found: dict[str, list[Figure]] = {}
    for name, run in benchmarks(given.rounds, given.seconds).items():
        if given.only.lower() in name.lower():
            with progress.status(name), Others() as others:
                made = run()
            found[name] = [replace(figure, others=others.busy) for figure in made]
            if not given.json:
                Console(width=118).print(table(name, found[name], before.get(name, {})))
    about = f"Python {platform.python_version()}, {os.cpu_count()} processors"
    if given.json:
        figures = {name: [asdict(figure) for figure in rows] for name, rows in found.items()}
        print(json.dumps({"machine": about, "figures": figures}))
    else:
        print(f"{about}; medians of {given.rounds} interleaved rounds")


def earlier(path: Path) -> dict[str, dict[str, dict[str, Any]]]:
    """The figures of an earlier run, by benchmark and row."""
    try:
        figures = json.loads(path.read_text(encoding="utf-8"))["figures"]
        return {name: {row["name"]: row for row in rows} for name, rows in figures.items()}
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(f"{path} is not the output of an earlier --json: {error}")


def table(name: str, figures: list[Figure], before: dict[str, dict[str, Any]]) -> Table:
    shown = Table(title=name, title_justify="left", title_style="bold")
    shown.add_column("who")
    shown.add_column("µs", justify="right")
    shown.add_column("of")
    shown.add_column("× ours", justify="right")
    if before:
        for column in ("µs before", "× before", "others busy"):
            shown.add_column(column, justify="right")
    else:
        shown.add_column("others busy", justify="right")
    shown.add_column("note")
    for figure in figures:
        row = [figure.name, f"{figure.micros:,.1f}", figure.clock, f"{figure.times_ours:,.2f}"]
        if before:
            then = before.get(figure.name)
            row += ["", "", f"{figure.others:.1f}"] if then is None else [
                f"{then['micros']:,.1f}",
                f"{figure.micros / then['micros']:.2f}" if then["micros"] else "",
                f"{then['others']:.1f} → {figure.others:.1f}",
            ]  # fmt: skip
        else:
            row += [f"{figure.others:.1f}"]
        shown.add_row(*row, figure.note)
    return shown


if __name__ == "__main__":
    main()
