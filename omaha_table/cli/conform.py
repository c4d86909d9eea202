"""`omaha-table devices conform`: the conformance kit for adapters, for whoever writes one."""

from __future__ import annotations

import importlib
import json
import sys
from dataclasses import asdict

import click
from omaha_drivers.conformance import CHECKS, Outcome, Trial, try_one
from omaha_drivers.text import printable


@click.command()
@click.argument("trial", metavar="MODULE:CLASS")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
@click.option("--only", default="", metavar="TEXT", help="Only checks with this in their name.")
def conform(trial: str, as_json: bool, only: str) -> None:
    """Tries every fault of a line and a device on an adapter.

    MODULE:CLASS names a subclass of omaha_drivers.conformance.Trial, which has the adapter's
    settings and a model of its device; modules of the current folder are found, too. Only what the
    adapter's capabilities promise is asked. Exit status 1 if a check failed.

    \b
    Example:
      omaha-table devices conform acme_trial:AcmeTrial
    """
    tried = _find(trial)
    failed = 0
    for check in CHECKS:
        if only.lower() not in check.name.lower():
            continue
        outcome = try_one(tried, check)
        failed += outcome.result == "failed"
        click.echo(json.dumps(asdict(outcome)) if as_json else _in_words(outcome))
    if failed:
        checks = "1 check" if failed == 1 else f"{failed} checks"
        click.echo(f"{checks} failed.", err=True)
        raise SystemExit(1)
    if not as_json:
        click.echo("It conforms.")


def _in_words(outcome: Outcome) -> str:
    why = f": {printable(outcome.why, 200)}" if outcome.why else ""
    return f"{outcome.result:12}  {outcome.check}{why}"


def _find(name: str) -> Trial:
    """The trial; from here on modules of the current folder are found, its adapter among them."""
    module, _, attribute = name.partition(":")
    sys.path.insert(0, "")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (Exception, SystemExit) as error:
        raise click.UsageError(f"{name} cannot be loaded ({type(error).__name__}).") from None
    if not (isinstance(found, type) and issubclass(found, Trial)):
        raise click.UsageError(f"{name} is not a subclass of omaha_drivers.conformance.Trial.")
    try:
        return found()
    except (Exception, SystemExit) as error:
        raise click.UsageError(f"{name} cannot be made ({type(error).__name__}).") from None
