"""The second copy: the same rows, whatever happened to it in between."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.mirror import row_line
from omaha_table.journal.reader import Reader
from tests.journal.days import LINES, journal_file, open_session, say

if TYPE_CHECKING:
    from pathlib import Path


def copy_of(folder: Path) -> Path:
    [path] = (folder / "mirror").iterdir()
    return path


def rows(folder: Path) -> bytes:
    with Reader(journal_file(folder / "data")) as reader:
        return b"".join(map(row_line, reader.since()))


@pytest.fixture
def mirrored(tmp_path: Path) -> Path:
    session = open_session(tmp_path / "data", mirror=tmp_path / "mirror")
    say(session, *LINES)
    session.close()
    assert copy_of(tmp_path).read_bytes() == rows(tmp_path)
    return tmp_path


@pytest.mark.parametrize("cut", [1, 2, 40, 5000, 10**9])
def test_a_line_that_was_half_written_is_cut_off_and_written_again(
    mirrored: Path, cut: int
) -> None:
    """A power cut in the middle of a line; the last case leaves nothing but an empty file."""
    path = copy_of(mirrored)
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut] if cut < len(whole) else b"")
    session = open_session(mirrored / "data", mirror=mirrored / "mirror")
    fault = session.mirror_fault
    session.close()
    assert fault == ""
    assert path.read_bytes() == whole, "what was missing is there again; nothing is there twice"


def test_a_line_longer_than_what_is_looked_at_is_found_whole(mirrored: Path) -> None:
    """Snapshots grow with the table: a line may be longer than a block of the file."""
    path = copy_of(mirrored)
    path.write_bytes(path.read_bytes() + b"[9" + b" " * 200_000)
    session = open_session(mirrored / "data", mirror=mirrored / "mirror")
    session.close()
    assert path.read_bytes() == rows(mirrored)[: path.stat().st_size]


def test_the_mirror_catches_up_when_the_table_is_opened(mirrored: Path) -> None:
    session = open_session(mirrored / "data")
    say(session, "deal", *["fold"] * 7, "push")
    session.close()
    behind = copy_of(mirrored).read_bytes()
    ahead = rows(mirrored)
    assert len(behind) < len(ahead)
    session = open_session(mirrored / "data", mirror=mirrored / "mirror")
    session.close()
    assert copy_of(mirrored).read_bytes() == ahead


def test_a_fault_of_the_mirror_is_over_when_it_can_be_written_again(tmp_path: Path) -> None:
    in_the_way = tmp_path / "mirror"
    in_the_way.write_text("a file")
    session = open_session(tmp_path / "data", mirror=tmp_path / "mirror")
    assert "cannot be written" in session.mirror_fault
    in_the_way.unlink()
    say(session, *LINES)
    assert session.mirror_fault == ""
    session.close()
    assert len(copy_of(tmp_path).read_bytes()) > 10_000


def test_the_mirror_is_on_disk_when_the_hand_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        copies = list((tmp_path / "mirror").glob("*.jsonl"))
        if copies and os.path.samestat(os.fstat(descriptor), copies[0].stat()):
            sizes.append(os.fstat(descriptor).st_size)
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    session = open_session(tmp_path / "data", mirror=tmp_path / "mirror")
    say(session, *LINES)
    session.close()
    assert sizes
    assert sizes[-1] == copy_of(tmp_path).stat().st_size
