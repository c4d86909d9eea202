"""`sed` on the office journal: whatever is changed, `verify` finds it and says what it is."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.journal.chain import canonical
from omaha_table.journal.days import office_files
from omaha_table.journal.reader import Reader
from omaha_table.review.index.ledger import Ledger
from tests.counters import signature
from tests.office.evening import count, run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAMES = {
    "box_counted": r"\((the count of box \w+, shift |a count\))",
    "variance_explained": r"\(an explanation of (count \d|a variance)",
    "variance_closed": r"\(the closing of (count \d|a variance)",
    "threshold_set": r"\(the threshold of a variance\)",
    "hand_noted": r"\(a note( on |\))",
    "hand_tagged": r"\(a tag( of |\))",
    "list_taken_in": r"\(the end of a list of 0\.1\.0\)",
}
"""How `verify` names each; shorter, where the change makes the entry unreadable."""


@pytest.fixture
def recorded(data: Path) -> Path:
    """An office journal with a row of every kind of this page, and a corrected count."""
    (data / "review-notes.jsonl").write_text('{"hand": "t7 x 1", "note": "old", "at": "y"}\n')
    run("office", "threshold", "2", "--by", "S1", "--data", data, pins=("S1",))
    count(data, "60")
    count(data, "6", "--reason", "typed wrong")
    ledger = Ledger(data)
    [counts] = ledger.records.counts.values()
    ledger.explain(counts[-1], "hand 2 paid no fee", signature("F1"))
    ledger.close(counts[-1], "seen on camera", signature("S1"))
    ledger.note("t7 2026-11-14 2", "look at the tape", signature("F1"))
    ledger.tag("t7 2026-11-14 2", "look", signature("F1"))
    assert run("verify", data).exit_code == 0
    return data


def other(text: str) -> str:
    """The same text with its first letter or digit changed."""
    found = re.search(r"[0-9A-Za-z]", text)
    if found is None:
        return text
    letter = "7" if found[0] != "7" else "4"
    if found[0].isalpha():
        letter = "b" if found[0] != "b" else "c"
    return text[: found.start()] + letter + text[found.end() :]


def spoiled(value: Any) -> Iterator[Any]:
    """A JSON value with one of its fields changed, for each field that can be without moving the
    rest."""
    match value:
        case dict():
            for name in value:
                yield from ({**value, name: less} for less in spoiled(value[name]))
        case list():
            for at, part in enumerate(value):
                yield from ([*value[:at], less, *value[at + 1 :]] for less in spoiled(part))
        case str() if other(value) != value:
            yield other(value)
        case int() if type(value) is int:
            yield int(other(str(value)))


def test_any_changed_field_of_any_entry_is_found_and_named(recorded: Path, tmp_path: Path) -> None:
    [journal] = office_files(recorded)
    content = journal.read_bytes()
    with Reader(journal) as reader:
        rows = [row for row in reader.since() if row.kind in NAMES]
    assert {row.kind for row in rows} == set(NAMES)
    tried = 0
    for row in rows:
        before = f"{row.kind}{row.actor}{row.body}"
        assert content.count(before.encode()) == 1
        bodies = [canonical(body) for body in spoiled(json.loads(row.body))]
        texts = [f"{row.kind}{row.actor}{body}" for body in bodies]
        texts += [
            f"{other(row.kind)}{row.actor}{row.body}",
            f"{row.kind}{other(row.actor)}{row.body}",
        ]
        for text in texts:
            assert len(text) == len(before), text
            copy = shutil.copytree(recorded, tmp_path / f"copy{tried}")
            (copy / journal.name).write_bytes(content.replace(before.encode(), text.encode()))
            done = run("verify", copy)
            assert done.exit_code == 1, text
            assert f"{journal.name}, event {row.seq}: changed" in done.stdout, text
            if text.startswith(row.kind):
                assert re.search(NAMES[row.kind], done.stdout), text
            shutil.rmtree(copy)
            tried += 1
    assert tried > 60


def test_reports_and_sheets_of_a_changed_office_journal_say_so(recorded: Path) -> None:
    [journal] = office_files(recorded)
    journal.chmod(0o600)
    journal.write_bytes(journal.read_bytes().replace(b'"counted":600,', b'"counted":900,'))
    for command in (
        ("report", "shift", "swing"),
        ("report", "hand", "1"),
        ("office", "sheet", "swing"),
    ):
        done = run(*command, "--data", recorded)
        assert done.exit_code == 1, command
        assert "Do not rely on this: the log is NOT SOUND." in done.stdout.replace("\\", "")
        assert "The office journal is damaged" in done.stderr
        assert "- Counted by" not in done.stdout
    for name in ("variances", "log", "threshold"):
        done = run("office", name, "--data", recorded)
        assert done.exit_code == 1, name
        assert "The office journal is damaged" in done.stderr
    before = journal.read_bytes()
    refused = count(recorded, "9", "--reason", "typed wrong")
    assert refused.exit_code == 2
    assert "Nothing was recorded." in refused.stderr
    assert journal.read_bytes() == before


def test_an_entry_that_was_cut_off_is_missed(recorded: Path) -> None:
    [journal] = office_files(recorded)
    journal.with_suffix(".witness").unlink()
    assert run("verify", recorded).exit_code == 1
