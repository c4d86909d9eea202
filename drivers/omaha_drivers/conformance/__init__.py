"""The conformance kit: tries every fault of a line on an adapter, with a model of its device.

It knows no protocol. It damages frames as the model sends them, compares what the adapter reports
with what the model was made to send, and asks only what the adapter's capabilities promise. It
needs nothing but this package: `omaha-table devices conform MODULE:CLASS` runs it on a `Trial`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from omaha_drivers.conformance.checking import Check, FailedError
from omaha_drivers.conformance.device_checks import DEVICE_CHECKS
from omaha_drivers.conformance.host_checks import HOST_CHECKS
from omaha_drivers.conformance.line_checks import LINE_CHECKS
from omaha_drivers.conformance.recording_checks import RECORDING_CHECKS
from omaha_drivers.conformance.trial import Trial

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["CHECKS", "Check", "FailedError", "Outcome", "Trial", "try_all", "try_one"]

CHECKS: Final = (*LINE_CHECKS, *DEVICE_CHECKS, *HOST_CHECKS, *RECORDING_CHECKS)


@dataclass(frozen=True, slots=True)
class Outcome:
    check: str
    result: Literal["passed", "failed", "not promised"]
    why: str = ""


def try_one(trial: Trial, check: Check) -> Outcome:
    """One check. An exception of the adapter or the model is a failure, named without its text."""
    try:
        if not check.asked(trial.adapter(trial.settings, "")):
            return Outcome(check.name, "not promised")
        check.run(trial)
    except FailedError as error:
        return Outcome(check.name, "failed", str(error))
    except Exception as error:
        return Outcome(check.name, "failed", f"it failed with {type(error).__name__}")
    return Outcome(check.name, "passed")


def try_all(trial: Trial) -> Iterator[Outcome]:
    for check in CHECKS:
        yield try_one(trial, check)
