"""What a reader sees of a folder of journals: the commands whose answers are kept and compared."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

RELEASED: Final = Path(__file__).parent


def views(data: Path) -> Iterator[tuple[str, list[str]]]:
    """The name of each answer and the command that gives it; `{data}` is the folder."""
    yield "verify.txt", ["verify", "{data}"]
    yield "verify.json", ["verify", "--json", "{data}"]
    for form in ("phh", "ohh", "json"):
        yield f"export.{form}", ["export", "--format", form, "{data}"]
    journals = sorted(data.glob("*.journal"))
    for day in sorted({_day(path) for path in journals}):
        for form in ("md", "html", "json"):
            report = ["report", "day", day, "--data", "{data}", "--format", form]
            yield f"day-{day}.{form}", report
    for path in journals:
        hands = _hands(path)
        for hand in sorted({*hands[:1], *hands[-1:]}):
            table, day = path.stem.removesuffix(f"-{_day(path)}"), _day(path)
            report = ["report", "hand", str(hand), "--table", table, "--day", day]
            for form in ("md", "html") if path == journals[0] else ("md",):
                name = f"hand-{hand}-of-{path.stem}.{form}"
                yield name, [*report, "--data", "{data}", "--format", form]


def _day(path: Path) -> str:
    """`t7-2026-11-18b` is of the day 2026-11-18b."""
    return "-".join(path.stem.split("-")[-3:])


def _hands(path: Path) -> list[int]:
    """By plain SQL on a copy, since SQLite tidies up after a kill; a damaged one has none."""
    wanted = "SELECT DISTINCT hand FROM event WHERE kind = 'hand_ended' ORDER BY hand"
    with tempfile.TemporaryDirectory() as copies:
        for found in path.parent.glob(f"{path.name}*"):
            shutil.copyfile(found, Path(copies) / found.name)
        with closing(sqlite3.connect(Path(copies) / path.name)) as connection:
            try:
                return [hand for [hand] in connection.execute(wanted)]
            except sqlite3.Error:
                return []
