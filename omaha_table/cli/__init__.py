"""The command `omaha-table`. Each subcommand is a module, imported when it is called."""

from __future__ import annotations

import importlib
import keyword
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from omaha_table import __version__
from omaha_table.text import visible_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMANDS: Final = {
    "console": ("omaha_table.cli.console", "Run the dealer's console at a table."),
    "setup": ("omaha_table.cli.setup", "Set up a new table: its file and its first supervisor."),
    "practice": ("omaha_table.cli.console", "Deal at the demo table and get a score."),
    "rules": ("omaha_table.cli.rules", "List, show and check rule profiles."),
    "script": ("omaha_table.cli.script", "Run console commands from a text file."),
    "verify": ("omaha_table.cli.verify", "Check a log: chain, seals, and a replay of every hand."),
    "review": ("omaha_table.cli.review", "Find hands and step through them."),
    "report": ("omaha_table.cli.report", "Report on a shift, a dealer, a day or one hand."),
    "export": ("omaha_table.cli.export", "Export hands as PHH, Open Hand History, CSV or JSON."),
    "import": ("omaha_table.cli.import_", "Import PHH hands into a journal of their own."),
    "enroll": ("omaha_table.cli.enroll", "Start a new journal file after a damaged one."),
    "keys": ("omaha_table.cli.keys", "Make the surveillance office's key pair."),
    "unseal": ("omaha_table.cli.unseal", "Open sealed cards: two persons, and the private key."),
    "devices": ("omaha_table.cli.devices", "List, watch and emulate shufflers and shoes."),
    "staff": ("omaha_table.cli.staff", "Manage floor and dealer staff and their PINs."),
    "office": ("omaha_table.cli.office", "Count boxes, review variances, print count sheets."),
    "room": ("omaha_table.cli.room", "Copy every table's log to a room, and witness it there."),
    "showdown": ("omaha_table.cli.showdown", "Read hands and split pots."),
}


_ALIASES: Final = {"enrol": "enroll"}
"""Earlier names; they work, but no help lists them."""


@contextmanager
def _plain_messages() -> Iterator[None]:
    """A message can quote a path or a name from anywhere; nothing in it acts on the terminal."""
    try:
        yield
    except click.ClickException as error:
        # Not by assignment: Click declares it final.
        vars(error)["message"] = visible_lines(error.message)
        raise


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        name = _ALIASES.get(name, name)
        if name not in _COMMANDS:
            return None
        function = f"{name}_" if keyword.iskeyword(name) else name
        command: click.Command = getattr(importlib.import_module(_COMMANDS[name][0]), function)
        return command

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        with _plain_messages():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with _plain_messages():
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="omaha-table")
@click.option(
    "--log",
    "log_file",
    metavar="FILE",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Write the program's log to FILE, as JSON Lines.",
)
@click.pass_context
def omaha_table(context: click.Context, log_file: Path | None) -> None:
    """The table console for Omaha High, Omaha High/Low 8 or better and Big O.

    Without a command it opens the demo table, with emulated machines and simulated players.

    \b
    Example:
      omaha-table showdown --rules ca_big_o --board "7c 5h 2s Kd As" --button 5 \\
        --hand "1:Ah 3d 9c 9d Ts" --hand "4:Kc Kh 4d 8s Jh" --pot 100
    """
    if log_file is not None:
        from omaha_table.cli.output import check_target
        from omaha_table.log import set_up_log

        check_target(log_file)
        screen = context.invoked_subcommand in (None, "console", "practice", "review")
        try:
            set_up_log(file=log_file, on_terminal=not screen)
        except OSError as error:
            raise click.UsageError(f"--log {log_file}: {error.strerror}.") from None
    if context.invoked_subcommand is None:
        from omaha_table.cli.console import console

        context.invoke(console)


def main() -> None:
    """Runs the program; bad usage ends with status 2, a closed pipe quietly."""
    # No plugin of pydantic is wanted near a log, and looking for one reads about every package.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    if sys.stdout is None:
        click.echo("omaha-table: there is no standard output.", err=True)
        sys.exit(2)
    try:
        omaha_table(prog_name="omaha-table")
    except BrokenPipeError:
        _discard_output()
        sys.exit(1)
    except OSError as error:
        click.echo(f"omaha-table: {error.strerror or 'the output cannot be written'}.", err=True)
        _discard_output()
        sys.exit(1)
    except Exception:
        _log_unexpected()
        click.echo(
            "omaha-table: stopped by an unexpected error. "
            "Run it with --log FILE to record the cause.",
            err=True,
        )
        sys.exit(70)


def _discard_output() -> None:
    """Without this, Python would report the error again when it flushes stdout at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _log_unexpected() -> None:
    """Logs the cause if --log was given; unconfigured, structlog would print it, cards and all."""
    import structlog

    if structlog.is_configured():
        structlog.get_logger("omaha_table.cli").exception("unexpected error")
