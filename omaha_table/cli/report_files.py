"""What every command that makes a report shares: its forms, what its log is worth, and the file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from omaha_table.cli.output import output_file
from omaha_table.journal.verdict import damage_lines, demo_line, trust_lines
from omaha_table.review.reports.page import Fact
from omaha_table.review.reports.render import as_html, as_json, as_markdown

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from omaha_table.journal.verdict import Verdict
    from omaha_table.review.reports.page import Report

FORMS: Final[dict[str, Callable[[Report], str]]] = {
    "html": as_html,
    "md": as_markdown,
    "json": as_json,
}


def with_verdict(report: Report, verdict: Verdict) -> Report:
    """The report with what the log it was made from is worth: a warning first, or a fact."""
    damage = list(damage_lines(verdict))
    data = report.data | {"log": {"sound": verdict.sound, "damage": damage}}
    facts, warnings = report.facts, report.warnings
    if verdict.sound:
        facts = (*facts, Fact("Log", " ".join(trust_lines(verdict))))
    else:
        told = f"Do not rely on this: the log is NOT SOUND. {' '.join(damage)}"
        warnings = (*warnings, told)
    if verdict.demo:
        warnings = (*warnings, demo_line(verdict))
        data |= {"demo": verdict.demo}
    return replace(report, facts=facts, warnings=warnings, data=data)


def write_report(report: Report, form: str, out: Path | None) -> None:
    """To a file, or as UTF-8 to standard output."""
    text = FORMS[form](report)
    if out is None:
        click.echo(text.encode(), nl=False)
        return
    try:
        with output_file(out) as file:
            file.write(text)
    except OSError as error:
        raise click.UsageError(f"{out} cannot be written: {error.strerror}.") from None
