"""`omaha-table script`: an evening at the table as text in and JSON Lines out."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from omaha_table.cli.lines import MAX_LINE, open_source, read_lines
from omaha_table.desk import Desk
from omaha_table.desk.script import run_line
from omaha_table.desk.words import WORDS
from omaha_table.floor.files import demo_staff, load_staff
from omaha_table.floor.staff import Staff, StaffError
from omaha_table.journal.codec import to_json
from omaha_table.rules import Limit, Profile, ProfileError, load_profile


@click.command()
@click.argument("file", required=False)
@click.option("--rules", default="ca_big_o", metavar="ID|FILE", show_default=True)
@click.option("--limit", "limit_id", metavar="ID", help="The posted limit; the profile's first.")
@click.option(
    "--staff",
    "staff_dir",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder of the staff who may rule; the demo's staff by default.",
)
@click.option("--deck-required", is_flag=True, help="Every hand needs a deck reported and cut.")
@click.option("--strict", is_flag=True, help="Stop with status 3 at the first refusal.")
def script(
    file: str | None,
    rules: str,
    limit_id: str | None,
    staff_dir: Path | None,
    deck_required: bool,
    strict: bool,
) -> None:
    """Runs console commands from FILE, or from standard input, without a screen.

    One command a line in; one JSON object a line out for everything that happens, and one of
    type "refused" for a command the rules forbid. `omaha-table script help` lists the commands.

    \b
    Example:
      omaha-table script --rules house_omaha_hilo evening.txt
    """
    if file == "help" and not Path(file).exists():
        click.echo(help_text())
        return
    profile, limit = choose(rules, limit_id)
    desk = Desk(profile, limit, _staff(staff_dir), deck_required=deck_required)
    status = 0
    with open_source(file, "commands, one") as source:
        _print(to_json(desk.opening))
        for number, line in enumerate(read_lines(source), start=1):
            for answer in run_line(desk, number, _text(number, line)):
                _print(answer)
                if strict and answer["type"] == "refused":
                    status = 3
            if status:
                break
    sys.exit(status)


def _staff(folder: Path | None) -> Staff:
    try:
        return demo_staff() if folder is None else load_staff(folder)
    except StaffError as error:
        raise click.UsageError(str(error)) from None


def choose(rules: str, limit_id: str | None) -> tuple[Profile, Limit]:
    """The profile and the limit on it, or bad usage with what there is."""
    try:
        profile = load_profile(rules)
    except ProfileError as error:
        raise click.UsageError(str(error)) from None
    limit = profile.limits[0] if limit_id is None else profile.limit(limit_id)
    if limit is None:
        known = ", ".join(limit.id for limit in profile.limits)
        raise click.UsageError(f"{profile.id} has no limit {limit_id!r}; it has {known}.")
    return profile, limit


def help_text() -> str:
    width = max(len(word.usage) for word in WORDS)
    return "\n".join(f"{word.usage:<{width}}  {word.meaning}" for word in WORDS)


def _text(number: int, line: bytes) -> str:
    if len(line) > MAX_LINE:
        raise click.UsageError(f"Line {number} is longer than {MAX_LINE:,} bytes.")
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        raise click.UsageError(f"Line {number} is not UTF-8 text.") from None


def _print(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer, separators=(",", ":")) + "\n")
    sys.stdout.flush()
