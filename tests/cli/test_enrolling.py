"""`omaha-table enrol` where there is nothing to enroll, or nobody who could."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from tests.journal.days import LINES, delete_tail, journal_file, open_session, say

if TYPE_CHECKING:
    from pathlib import Path


def enroll(folder: Path) -> tuple[int, str]:
    words = ["enrol", "--data", str(folder), "--table", "t7", "--reason", "power loss"]
    done = CliRunner().invoke(omaha_table, words, input="4711\n")
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, " ".join(done.output.split())


def kept(folder: Path) -> tuple[list[Path], dict[str, bytes]]:
    """The journals there are, and the keys that seal them."""
    keys = [*folder.glob("*.key"), *folder.glob("*.next")]
    return sorted(folder.glob("*.journal")), {key.name: key.read_bytes() for key in keys}


def test_a_folder_without_a_journal_has_nothing_to_enroll(tmp_path: Path) -> None:
    status, text = enroll(tmp_path)
    assert status == 2
    assert "No journal of table t7" in text
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("staff", [None, "{", '{"people": []}'])
def test_without_a_supervisor_nothing_is_enrolled(tmp_path: Path, staff: str | None) -> None:
    session = open_session(tmp_path)
    say(session, *LINES)
    session.close()
    delete_tail(journal_file(tmp_path))
    if staff is not None:
        (tmp_path / "pepper").write_bytes(b"x" * 32)
        (tmp_path / "staff.json").write_text(staff)
    before = kept(tmp_path)
    status, text = enroll(tmp_path)
    assert status == 2
    assert "staff.json cannot be read" in text or "No staff yet" in text
    assert kept(tmp_path) == before
