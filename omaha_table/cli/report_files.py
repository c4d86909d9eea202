"""What every command that makes a report shares: its forms and the file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from omaha_table.cli.output import output_file
from omaha_table.review.reports.render import as_html, as_json, as_markdown

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from omaha_table.review.reports.page import Report

FORMS: Final[dict[str, Callable[[Report], str]]] = {
    "html": as_html,
    "md": as_markdown,
    "json": as_json,
}


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
