"""Journals of every released version: their verdicts, reports and exports stay as they were."""

from __future__ import annotations

import shutil
import time
from typing import TYPE_CHECKING, Final

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from tests.released.views import RELEASED, views

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CASES: Final = sorted(path.parent for path in RELEASED.glob("*/*/expected"))


@pytest.fixture
def _at_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The answers were kept at UTC, a hundred columns wide."""
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("COLUMNS", "100")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("_at_utc")
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_what_a_release_said_of_its_journals_is_said_today(case: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(case / "data", data)
    kept = {path.name for path in (case / "expected").iterdir()}
    assert {name for name, _ in views(data)} == kept
    for name, arguments in views(data):
        done = CliRunner().invoke(omaha_table, [part.format(data=data) for part in arguments])
        assert done.stdout_bytes + done.stderr_bytes == (case / "expected" / name).read_bytes(), (
            name
        )


def test_every_kind_of_evening_was_kept() -> None:
    kinds = {"examples", "evenings", "sealed", "recovered", "enrolled", "fees", "soaked"}
    assert {case.name for case in CASES if case.parent.name == "0.1.0"} == kinds
