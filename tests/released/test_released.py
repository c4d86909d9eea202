"""Journals of every released version: their verdicts, reports and exports stay as they were.

The kept answers are never made again. Of verdicts and exports every byte counts, except for phrases
in `REWORDED`, which a later version says in other words. Of reports, which may look different,
every figure, time, card, hash and row counts (`pages.py`).
"""

from __future__ import annotations

import json
import re
import shutil
import time
from typing import TYPE_CHECKING, Final

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from tests.released.pages import in_html, in_markdown, said_today
from tests.released.views import RELEASED, views

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

REWORDED: Final = {
    "Sound.\n": "Sound. Not anchored: whoever owns this disk could have replaced all of it.\n",
    "hands played again": "hands replayed",
    "tabled hands compared with what was dealt": "tabled hands checked against the deal",
    "is not closed: its end has no receipt yet": "is still open: it has no receipt yet",
    "the witness has seen event": "events are missing: the witness file names event",
    "; 'omaha-table enrol' has a supervisor go on in a new file": (
        ". To continue in a new file, a supervisor runs 'omaha-table enroll'"
    ),
    "hand misdeal: all bets back": "misdeal: all bets back",
    "| 000_d03adf3dd2d22c67 |": "| Omaha High/Low Split, California |",
    "| 003_8957b683cb274f98 |": "| Omaha High/Low, house sheet |",
}
"""What a kept answer says, and how the program says it now."""

PATTERNS: Final[dict[str, str | Callable[[re.Match[str]], str]]] = {
    r"drop due ([\d.,]+)\+0\b": r"drop due \1",
    r"hand closed: ((?:seat \d+ [\d.,]*\d(?:, )?)+)": lambda found: re.sub(
        r"(seat \d+) ", r"\1 wins ", found[1]
    ),
}
"""The same for phrases with numbers in them."""

ADDED: Final = (
    rb"Sound\. Not anchored: whoever owns this disk could have replaced all of it\.\n\Z",
    rb',\n  "log": \{\n    "sound": [^}]*\}',
    rb"NOT SOUND: [^\n]*\n\Z",
)
"""What answers say in addition: whether the log that they are made from is sound."""

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
        told = done.stdout_bytes + done.stderr_bytes
        if name.endswith((".md", ".html")):
            kept_page = (case / "expected" / name).with_suffix(".md").read_bytes()
            expected_page = said_today(in_markdown(reworded(kept_page).decode()))
            page = (in_html if name.endswith(".html") else in_markdown)(told.decode())
            page.facts.pop("Log", None)
            assert page == expected_page, name
            continue
        expected = reworded((case / "expected" / name).read_bytes())
        assert without_added(name, told) == expected, name


def without_added(name: str, said: bytes) -> bytes:
    """An answer without what later versions say in addition."""
    if name == "verify.json":
        verdict = json.loads(said)
        del verdict["journals"]
        assert verdict.pop("demo") == []
        return json.dumps(verdict).encode() + b"\n"
    if name == "verify.txt":
        return said
    for added in ADDED:
        said = re.sub(added, b"", said)
    return said


def reworded(kept: bytes) -> bytes:
    for old, new in REWORDED.items():
        kept = kept.replace(old.encode(), new.encode())
    text = kept.decode()
    for pattern, said in PATTERNS.items():
        text = re.sub(pattern, said, text)
    return text.encode()


def test_every_reworded_phrase_is_in_a_kept_answer() -> None:
    kept = b"".join(path.read_bytes() for path in RELEASED.glob("*/*/expected/*"))
    assert [old for old in REWORDED if old.encode() not in kept] == []
    assert [old for old in PATTERNS if not re.search(old, kept.decode(errors="replace"))] == []


def test_every_kind_of_evening_was_kept() -> None:
    kinds = {"examples", "evenings", "sealed", "recovered", "enrolled", "fees", "soaked"}
    assert {case.name for case in CASES if case.parent.name == "0.1.0"} == kinds
