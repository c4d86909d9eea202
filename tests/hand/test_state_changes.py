"""A state change with a wrong field or type fails the type check, and at run time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from omaha_table.hand.frozen import replace
from omaha_table.rules import load_profile
from omaha_table.table import TableState

ROOT = Path(__file__).resolve().parents[2]
HEADER = """
from omaha_table.hand import HandState
from omaha_table.hand.frozen import replace
from omaha_table.table import SeatAtTable, TableState

"""


def checked(folder: Path, function: str) -> str:
    """What mypy, with the project's settings, says of a function."""
    path = folder / "change.py"
    path.write_text(HEADER + function)
    done = subprocess.run(
        [
            *(sys.executable, "-P", "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml")),
            *("--cache-dir", str(ROOT / ".mypy_cache"), str(path)),
        ],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout


def test_mypy_finds_wrong_fields_and_types_in_state_changes(tmp_path: Path) -> None:
    said = checked(
        tmp_path,
        "def hand(state: HandState) -> HandState:\n"
        '    return replace(state, price="free")\n\n'
        "def more(state: HandState) -> HandState:\n"
        "    return replace(state, nonsense=1)\n\n"
        "def table(state: TableState) -> TableState:\n"
        "    return replace(state, button=(3,))\n\n"
        "def seat(at: SeatAtTable) -> SeatAtTable:\n"
        "    return replace(at, awya=True)\n",
    )
    assert 'Argument "price" to "replace" of "HandState" has incompatible type "str"' in said
    assert 'Unexpected keyword argument "nonsense" for "replace" of "HandState"' in said
    assert 'Argument "button" to "replace" of "TableState" has incompatible type' in said
    assert 'Unexpected keyword argument "awya" for "replace" of "SeatAtTable"' in said
    assert "Found 4 errors" in said


def test_mypy_accepts_a_right_state_change(tmp_path: Path) -> None:
    said = checked(
        tmp_path,
        "def hand(state: HandState) -> HandState:\n"
        "    return replace(state, price=400, actor=None)\n",
    )
    assert "Success" in said


def test_a_copy_has_the_changes_and_the_original_has_not() -> None:
    profile = load_profile("ca_big_o")
    state = TableState(profile, profile.limits[0])
    changed = replace(state, hands=3)
    assert (state.hands, changed.hands) == (0, 3)
    assert changed == TableState(profile, profile.limits[0], hands=3)
    with pytest.raises(TypeError, match="nonsense"):
        replace(state, nonsense=1)  # type: ignore[call-arg]
