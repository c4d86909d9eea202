"""What somebody else knows of a log: words, receipts, a first key, a second copy."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from omaha_table.cli import omaha_table
from omaha_table.journal.chain import head_words, words_start
from omaha_table.journal.mirror import row_line
from omaha_table.journal.reader import Reader
from omaha_table.journal.verdict import NOT_ANCHORED
from tests.journal.days import CLOSE, LINES, Line, forge_all, open_session, say

if TYPE_CHECKING:
    from pathlib import Path

DAYS = 3


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return tmp_path / "copy"


@pytest.fixture
def folder(tmp_path: Path, copy: Path) -> Path:
    """Two closed days and one that is open, each with a few hands, and their second copy."""
    data = tmp_path / "data"
    for day in range(DAYS):
        session = open_session(data, mirror=copy)
        say(session, *LINES, *([CLOSE] if day < DAYS - 1 else []))
        session.close()
    return data


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.journal"))


def verify(folder: Path, *more: str) -> Result:
    return CliRunner().invoke(omaha_table, ["verify", str(folder), *more])


def verdicts(folder: Path, *more: str) -> list[tuple[bool, bool, str, int | None]]:
    answer: dict[str, Any] = json.loads(verify(folder, "--json", *more).stdout)
    return [(j["sound"], j["anchored"], j["by"], j["up_to"]) for j in answer["journals"]]


def receipt(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.with_suffix(".receipt").read_text())
    return found


def more_chips(lines: list[Line]) -> None:
    """A player has bought more: nothing in the day contradicts it."""
    lines.append(Line(len(lines) + 1, None, 0, 0, "player_away", "", {"at": 0, "seat": 1, "v": 1}))


def later_times(lines: list[Line]) -> None:
    for line in lines:
        line.at_us += 60_000_000


# Words


@given(st.binary(min_size=8, max_size=32))
def test_words_stand_for_the_first_eight_bytes(head: bytes) -> None:
    words = head_words(head)
    assert words_start(words) == words_start(words.upper().replace("-", "  ")) == head[:8]


@pytest.mark.parametrize(
    "words",
    [
        "", "bab", "babab-babab-babab", "babab-babab-babab-babax-babab", "xabab-babab-babab-babab",
        "babeb-babab-babab-babab",
    ],
)  # fmt: skip
def test_what_are_no_slip_words_is_said(folder: Path, words: str) -> None:
    done = verify(folder, "--anchor", words)
    assert done.exit_code == 2
    assert "neither the four words of a slip" in " ".join(done.stderr.split())
    assert verify(folder, "--words", words).exit_code == 2


def test_without_an_anchor_the_verdict_says_what_it_is_worth(folder: Path) -> None:
    done = verify(folder)
    said = f"Sound. {NOT_ANCHORED.format('this disk')}"
    assert (done.exit_code, said in done.stdout) == (0, True)
    assert verdicts(folder) == [(True, False, "", None)] * DAYS


def test_the_words_of_a_slip_anchor_their_day_and_all_before_it(folder: Path) -> None:
    _, second, third = files(folder)
    day = receipt(second)
    done = verify(folder, "--anchor", day["words"])
    assert done.exit_code == 0
    assert f"Sound, anchored by the slip of {day['day']}." in done.stdout
    assert f"Not anchored: {third.name}." in done.stdout
    by = f"the slip of {day['day']}"
    assert verdicts(folder, "--anchor", day["words"]) == [
        (True, True, by, None), (True, True, by, None), (True, False, "", None),
    ]  # fmt: skip


def test_a_slip_in_the_middle_of_a_day_anchors_it_so_far(folder: Path) -> None:
    _, _, third = files(folder)
    with Reader(third) as reader:
        row = reader.get(100)
    assert row is not None
    words = head_words(row.hash)
    assert [found[3] for found in verdicts(folder, "--anchor", words)] == [None, None, 100]
    assert f"{third.name}: anchored up to event 100." in verify(folder, "--anchor", words).stdout
    found = verify(folder, "--words", words.replace("-", " ").upper())
    assert (found.exit_code, found.stdout.startswith(f"{third.name}, event 100,")) == (0, True)


def test_words_of_no_event_are_not_found(folder: Path) -> None:
    words = "babab-babab-babab-babab"
    assert verify(folder, "--words", words).exit_code == 1
    done = verify(folder, "--anchor", words)
    assert (done.exit_code, f"no event has the slip words {words}" in done.stdout) == (1, True)


# A log that was made again, whole


@pytest.mark.parametrize("edit", [later_times, more_chips])
def test_a_log_that_is_made_again_is_sound_and_not_what_was_anchored(
    folder: Path, copy: Path, tmp_path: Path, edit: Any
) -> None:
    """Its owner has linked and signed every day again: only what is kept elsewhere tells."""
    kept = tmp_path / "kept.receipt"
    shutil.copy(files(folder)[1].with_suffix(".receipt"), kept)
    words = receipt(files(folder)[0])["words"]
    with Reader(files(folder)[0]) as reader:
        opened = reader.get(1)
    assert opened is not None
    key = json.loads(opened.body)["public_key"]
    anchors: list[list[str]] = [
        ["--anchor", words], ["--anchor", str(kept)], ["--anchor", key], ["--mirror", str(copy)],
    ]  # fmt: skip
    for anchor in anchors:
        done = verify(folder, *anchor)
        assert (done.exit_code, "Sound, anchored by" in done.stdout) == (0, True), anchor
    forge_all(folder, edit)
    assert verify(folder).exit_code == 0
    for anchor in anchors:
        done = verify(folder, *anchor)
        assert (done.exit_code, "NOT SOUND" in done.stdout) == (1, True), anchor


def test_a_copy_of_a_receipt_anchors_its_day(folder: Path, tmp_path: Path) -> None:
    first, second, _ = files(folder)
    kept = tmp_path / "kept.receipt"
    shutil.copy(second.with_suffix(".receipt"), kept)
    assert [found[:2] for found in verdicts(folder, "--anchor", str(kept))] == [
        (True, True), (True, True), (True, False),
    ]  # fmt: skip
    # Of a day that is gone.
    for side in folder.glob(f"{second.stem}.*"):
        side.chmod(0o600)
        side.unlink()
    done = verify(folder, "--anchor", str(kept))
    assert (done.exit_code, "which the receipt is of" in done.stdout) == (1, True)
    assert first.exists()


def test_a_receipt_of_events_that_are_gone_is_found(folder: Path, tmp_path: Path) -> None:
    third = files(folder)[2]
    session = open_session(folder)
    say(session, CLOSE)
    session.close()
    kept = tmp_path / "kept.receipt"
    shutil.copy(third.with_suffix(".receipt"), kept)
    named = receipt(third)["seq"]

    def cut(lines: list[Line]) -> None:
        # The table was never closed: the day goes on.
        last = max(at for at, line in enumerate(lines) if line.kind == "hand_ended") + 2
        del lines[last:]

    third.with_suffix(".receipt").unlink()
    forge_all(folder, cut)
    assert verify(folder).exit_code == 0
    done = verify(folder, "--anchor", str(kept))
    assert (done.exit_code, "the given receipt names later ones" in done.stdout) == (1, True)
    assert named > 0


@pytest.mark.parametrize("content", ["{}", "[]", '{"table": "t7"}', "[" * 5000, "\x00\x01"])
def test_a_file_that_is_no_anchor_is_said(folder: Path, tmp_path: Path, content: str) -> None:
    path = tmp_path / "anchor"
    path.write_text(content)
    done = verify(folder, "--anchor", str(path))
    assert (done.exit_code, "Traceback" in done.output) == (2, False)


def test_the_first_public_key_anchors_what_is_signed_since(folder: Path, tmp_path: Path) -> None:
    with Reader(files(folder)[0]) as reader:
        opened = reader.get(1)
    assert opened is not None
    key = json.loads(opened.body)["public_key"]
    path = tmp_path / "t7.public"
    path.write_text(f"{key}\n")
    for given_as in (key, key.upper(), str(path)):
        found = verdicts(folder, "--anchor", given_as)
        assert [f[:3] for f in found] == [(True, True, "the table's first public key")] * DAYS
    session = open_session(folder)
    say(session, "hand")
    session.close()
    # What is not sealed yet anybody could have written.
    *_, (_, _, _, last) = verdicts(folder, "--anchor", key)
    assert last is not None
    done = verify(folder, "--anchor", "ab" * 32)
    assert (done.exit_code, "no table begins with the public key" in done.stdout) == (1, True)


# The second copy


def test_the_second_copy_anchors_what_is_in_it(folder: Path, copy: Path) -> None:
    assert [found[:3] for found in verdicts(folder, "--mirror", str(copy))] == [
        (True, True, "the second copy")
    ] * DAYS
    third = files(folder)[2]
    line = copy / f"{third.stem}.jsonl"
    lines = line.read_bytes().splitlines(keepends=True)
    line.write_bytes(b"".join(lines[:50]) + lines[50][:20])
    assert verdicts(folder, "--mirror", str(copy))[2] == (True, True, "the second copy", 50)
    line.unlink()
    assert verdicts(folder, "--mirror", str(copy))[2][:2] == (True, False)


def test_an_event_that_is_other_in_the_second_copy_is_named(folder: Path, copy: Path) -> None:
    second = files(folder)[1]
    line = copy / f"{second.stem}.jsonl"
    lines = line.read_bytes().splitlines(keepends=True)
    line.write_bytes(b"".join([*lines[:39], lines[40], *lines[40:]]))
    [damage] = json.loads(verify(folder, "--json", "--mirror", str(copy)).stdout)["damage"]
    assert (damage["file"], damage["event"], damage["kind"]) == (second.name, 40, "mirror")


def test_a_log_that_was_cut_is_found_by_the_second_copy(folder: Path, copy: Path) -> None:
    def cut(lines: list[Line]) -> None:
        ends = [at for at, line in enumerate(lines) if line.kind == "journal_sealed"]
        del lines[ends[-2] + 1 :]

    forge_all(folder, cut)
    assert verify(folder).exit_code == 0
    # The forger has made the second copy's beginning fit as well.
    third = files(folder)[2]
    with Reader(third) as reader:
        rows = [row_line(row) for row in reader.since()]
    line = copy / f"{third.stem}.jsonl"
    later = line.read_bytes().splitlines(keepends=True)[len(rows) :]
    for path in files(folder)[:2]:
        with Reader(path) as reader:
            (copy / f"{path.stem}.jsonl").write_bytes(b"".join(map(row_line, reader.since())))
    line.write_bytes(b"".join([*rows, *later]))
    done = verify(folder, "--mirror", str(copy))
    assert (done.exit_code, "the second copy has later ones" in done.stdout) == (1, True)


def test_earlier_days_stay_anchored_where_a_later_one_is_damaged(folder: Path) -> None:
    """The slip is of the second day; the third is damaged after it."""
    third = files(folder)[2]
    third.chmod(0o600)
    content = bytearray(third.read_bytes())
    content[-2000] ^= 1
    os.truncate(third, 0)
    third.write_bytes(content)
    damaged = [found[0] for found in verdicts(folder)]
    words = receipt(files(folder)[1])["words"]
    found = verdicts(folder, "--anchor", words)
    assert [f[0] for f in found] == damaged
    assert [f[1] for f in found[:2]] == [True, True]
