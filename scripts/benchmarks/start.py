"""How long the commands take to start, beside what they are made of."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import textwrap
from contextlib import contextmanager
from statistics import median
from typing import TYPE_CHECKING

from measure import Figure, cpu

if TYPE_CHECKING:
    from collections.abc import Iterator

BARE_CLICK = """
import click

@click.group()
def bare():
    "One command."

@bare.command()
def one():
    "Does nothing."

bare(["--help"])
"""
HELP = "from omaha_table.cli import main; import sys; sys.argv = ['omaha-table', '--help']; main()"
SHOWDOWN = textwrap.dedent(
    """
    from omaha_table.cli import main
    import sys
    sys.argv = ['omaha-table', 'showdown', '--rules', 'ca_big_o', '--board', '7c 5h 2s Kd As',
                '--button', '5', '--hand', '1:Ah 3d 9c 9d Ts', '--hand', '4:Kc Kh 4d 8s Jh',
                '--pot', '100']
    main()
    """
)
EVALUATOR = "import json, omaha_table.evaluate"
FIRST = (
    "import json\nfrom omaha_table.cards import DECK\n"
    "from omaha_table.evaluate import read_hands\n"
    "c = [card.code for card in DECK[::5]]\nread_hands(c[:5], [c[5:10]])"
)


@contextmanager
def compiled() -> Iterator[dict[str, str]]:
    """An environment in which modules stay compiled after their first use, as pip installs them."""
    with tempfile.TemporaryDirectory() as folder:
        changed = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        changed.pop("PYTHONDONTWRITEBYTECODE", None)
        yield changed


def commands(rounds: int) -> list[Figure]:
    """CPU time of whole processes, in turns."""
    spent = _spent(
        rounds,
        {"Python": "pass", "bare click --help": BARE_CLICK, "omaha-table --help": HELP,
         "omaha-table showdown": SHOWDOWN},
    )  # fmt: skip
    bare = spent["bare click --help"]
    notes = {"omaha-table --help": "× bare click; to reach: 1.2",
             "omaha-table showdown": "× bare click; to reach: 120 ms"}  # fmt: skip
    return [
        Figure(name, micros, micros / bare, notes.get(name, ""), "CPU")
        for name, micros in spent.items()
    ]


def imports(rounds: int) -> list[Figure]:
    spent = _spent(
        rounds,
        {"import json": "import json", EVALUATOR: EVALUATOR, "… and the first reading": FIRST},
    )
    plain, ours = spent["import json"], spent[EVALUATOR]
    return [
        Figure(name, micros, micros / ours, f"{(micros - plain) / 1000:.0f} ms more", "CPU")
        for name, micros in spent.items()
    ]


def _spent(rounds: int, codes: dict[str, str]) -> dict[str, float]:
    """Medians of CPU microseconds."""
    times: dict[str, list[float]] = {name: [] for name in codes}
    with compiled() as environment:
        for turn in range(rounds * 3 + 1):
            for name, code in codes.items():
                begun = cpu()
                subprocess.run(
                    [sys.executable, "-P", "-c", code], check=True, stdout=subprocess.DEVNULL,
                    env=environment,
                )  # fmt: skip
                if turn:
                    times[name].append(cpu() - begun)
    return {name: median(spent) * 1e6 for name, spent in times.items()}
