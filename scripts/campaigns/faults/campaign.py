"""Feeds the whole catalogue of faults to the console and says what the dealer saw.

`scripts/faults [--only TEXT] [--headless]`: the real program on a terminal, or the same console
without one, which is faster. The tests run the quick faults of the second form.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.campaigns.faults.fronts import NotSeen, squeezed
from scripts.campaigns.faults.of_devices import OF_DEVICES
from scripts.campaigns.faults.of_lines import OF_LINES
from scripts.campaigns.faults.of_shoes import OF_SHOES
from scripts.campaigns.faults.of_shufflers import OF_SHUFFLERS
from scripts.campaigns.faults.scene import DEALT, QUIET, USABLE, Scene, Wrong, line_with

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scripts.campaigns.faults.catalogue import Fault
    from scripts.campaigns.faults.line import Transport
    from scripts.campaigns.faults.scene import Adapter

CATALOGUE = (*OF_LINES, *OF_DEVICES, *OF_SHOES, *OF_SHUFFLERS)
PATIENCE = 15.0


@dataclass(frozen=True, slots=True)
class Case:
    fault: Fault
    adapter: Adapter
    over: Transport

    def __str__(self) -> str:
        return f"{self.fault.name}, {self.adapter}, {self.over}"


@dataclass(frozen=True, slots=True)
class Outcome:
    case: Case
    saw: str
    wrong: str = ""


def cases(only: str = "") -> Iterator[Case]:
    for fault in CATALOGUE:
        for adapter in fault.adapters:
            for over in fault.over:
                case = Case(fault, adapter, over)
                if only.lower() in str(case).lower():
                    yield case


def run(case: Case, folder: Path, *, on_terminal: bool) -> Outcome:
    fault = case.fault
    scene = Scene(
        folder,
        fault.kind,
        case.adapter,
        case.over,
        on_terminal or fault.on_terminal,
        fault.key,
        fault.section,
    )
    wanted = fault.sentence(case.adapter, case.over)
    saw = ""
    try:
        with scene:
            fault.act(scene)
            if wanted:
                saw = line_with(scene.until(wanted, PATIENCE), wanted)
            else:
                done = DEALT if fault.kind == "shoe" else USABLE
                scene.when(lambda shown: done in shown and QUIET in shown, PATIENCE)
                saw = "no alarm; the deal goes on"
            scene.check()
            if fault.noted and fault.noted not in scene.noted():
                return Outcome(case, saw, f"the log does not say {fault.noted}")
    except NotSeen as missed:
        return Outcome(case, on_screen(str(missed)), f"not seen: {wanted or 'the cards out'}")
    except Wrong as wrong:
        return Outcome(case, saw, str(wrong))
    except Exception as error:
        return Outcome(case, saw, f"{type(error).__name__}: {error}"[:200])
    return Outcome(case, saw)


def on_screen(shown: str) -> str:
    """The lines that speak to the dealer, of a screen that was not expected."""
    lines = [squeezed(line) for line in shown.splitlines()]
    return " | ".join(line for line in lines[14:21] if line and not set(line) & set("█▀▄"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="faults with this in their name")
    parser.add_argument("--headless", action="store_true", help="without a terminal: faster")
    given = parser.parse_args()
    start, count, wrong = time.monotonic(), 0, 0
    print("| fault | adapter | transport | the dealer sees | verdict |\n|---|---|---|---|---|")
    for case in cases(given.only):
        with tempfile.TemporaryDirectory() as folder:
            outcome = run(case, Path(folder), on_terminal=not given.headless)
        count += 1
        wrong += bool(outcome.wrong)
        verdict = f"WRONG: {outcome.wrong}" if outcome.wrong else "ok"
        name = case.fault.name
        print(f"| {name} | {case.adapter} | {case.over} | {outcome.saw} | {verdict} |", flush=True)
    print(f"\n{count} faults, {wrong} wrong; {time.monotonic() - start:.0f} s")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
