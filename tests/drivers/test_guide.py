from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

from omaha_drivers.emulate.faults import FAULTS

from tests.paths import PYTHONPATH, ROOT

if TYPE_CHECKING:
    from pathlib import Path


def test_the_template_of_the_guide_passes_the_kit(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "adding-a-device.md").read_text(encoding="utf-8")
    for name, code in re.findall(r"```python\n# (\w+\.py)\n(.*?)```", text, re.DOTALL):
        (tmp_path / name).write_text(code)
    done = subprocess.run(
        [
            sys.executable,
            "-P",
            "-m",
            "omaha_table",
            *"devices conform acme_trial:AcmeTrial".split(),
        ],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": PYTHONPATH},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.endswith("It conforms.\n")


def test_every_fault_has_a_description() -> None:
    assert all(text and not text.endswith(".") for text in FAULTS.values())
