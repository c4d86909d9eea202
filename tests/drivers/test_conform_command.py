from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from omaha_drivers.conformance import CHECKS

from tests.paths import PYTHONPATH, ROOT

if TYPE_CHECKING:
    from pathlib import Path

LEAKY = """
from omaha_drivers.adapter import Actions
from omaha_drivers.events import CardDrawn
from omaha_drivers.sealed import reveal
from omaha_drivers.tdp import Tdp
from tests.drivers import trials


class Leaky(Tdp):
    def feed(self, data, now):
        actions = super().feed(data, now)
        for emitted in actions.events:
            if isinstance(emitted.event, CardDrawn) and emitted.event.card:
                print(reveal(emitted.event.card))
        return actions


class LeakyTrial(trials.Shoe):
    def adapter(self, settings, resume_token):
        return Leaky(settings, resume_token)
"""


def conform(*arguments: str, cwd: object = ROOT) -> subprocess.CompletedProcess[str]:
    """The command, in an interpreter without pytest, as at a vendor's."""
    run = "import sys; sys.modules['pytest'] = None; from omaha_table.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", run, "devices", "conform", *arguments],
        cwd=str(cwd),
        env=os.environ | {"PYTHONPATH": PYTHONPATH},
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_adapter_that_conforms() -> None:
    done = conform("tests.drivers.trials:AngelEye")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert len(lines) == len(CHECKS) + 1
    assert lines[-1] == "It conforms."
    assert "not promised  silence is reported, and its end" in lines


def test_a_leaky_adapter_of_ones_own_folder_does_not(tmp_path: Path) -> None:
    (tmp_path / "leaky_trial.py").write_text(LEAKY)
    done = conform("leaky_trial:LeakyTrial", "--json", "--only", "card", cwd=tmp_path)
    rows = {row["check"]: row for row in map(json.loads, done.stdout.splitlines()) if row}
    assert done.returncode == 1
    assert rows["no card in any text"]["result"] == "failed"
    assert rows["count_only keeps no card"]["result"] == "passed"
    assert done.stderr == "1 check failed.\n"


@pytest.mark.parametrize(
    ("trial", "why"),
    [
        ("nobody.has.this:Trial", "cannot be loaded (ModuleNotFoundError)"),
        ("omaha_drivers.tdp:Tdp", "is not a subclass of omaha_drivers.conformance.Trial"),
        ("tests.drivers.bad_import:Any", "cannot be loaded (ImportError)"),
    ],
)
def test_what_cannot_be_tried_is_a_sentence(trial: str, why: str) -> None:
    done = conform(trial)
    assert done.returncode == 2
    assert why in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
