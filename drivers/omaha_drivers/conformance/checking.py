"""What the checks share: how a run begins, how it is accounted for, and when a check is asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from omaha_drivers.conformance.trial import Run, Trial, account

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_drivers.adapter import Adapter
    from omaha_drivers.conformance.bench import Line


class FailedError(AssertionError):
    """The adapter did not do what it must; the message says what happened."""


def always(adapter: Adapter) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    run: Callable[[Trial], None]
    asked: Callable[[Adapter], bool] = always
    """Whether the adapter's capabilities promise it."""


def require(true: bool, otherwise: str) -> None:
    if not true:
        raise FailedError(otherwise)


def new_run(trial: Trial, token: str = "", model: Any = None, **changes: Any) -> Run:
    settings = replace(trial.settings, **changes)
    return Run(trial, settings, token, model if model is not None else trial.model())


def started(trial: Trial, line: Line = list) -> Run:
    return new_run(trial).start(line)


def check_account(run: Run) -> None:
    fault = account(run.labels, run.events, run.trial, numbered=run.adapter.caps.numbered)
    require(not fault, fault)


def all_came(run: Run) -> None:
    """Everything came, and nothing was said to be lost."""
    check_account(run)
    came = [label for event in run.events if (label := run.trial.label(event)) is not None]
    require(len(came) == len(run.labels), f"{len(came)} of {len(run.labels)} events came")


def settle(run: Run, *, whole: bool = True) -> None:
    """On a good line again: with resending, everything must have come; otherwise what is missing
    must have been said to be, by the next event at the latest."""
    run.line = list
    run.run(3)
    if run.adapter.caps.resend and whole:
        all_came(run)
        return
    run.happen_once(len(run.labels) + 1)
    run.run(0.5)
    check_account(run)


def promises(name: str) -> Callable[[Adapter], bool]:
    """For a check that is asked of adapters with this capability."""
    return lambda adapter: bool(getattr(adapter.caps, name))


def reads_cards(adapter: Adapter) -> bool:
    return adapter.kind == "shoe" and adapter.caps.reports_cards
