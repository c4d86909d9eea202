"""A disk that is really full: a small file system of its own, filled to the last byte."""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from omaha_table.hand import commands as hand
from omaha_table.journal.faults import Full
from omaha_table.journal.reader import Reader
from scripts.campaigns.soak.disk import Disk
from tests.journal.days import LINES, OPENING, check, open_session, say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from omaha_table.session import Session


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with ExitStack() as held:
        disk = Disk(tmp_path / "disk")
        held.callback(disk.release)
        if not disk.real:
            pytest.skip("no file system can be mounted here")
        yield disk


def opened_in_a_hand(folder: Path) -> Session:
    """After the deal; opened again, so that the WAL has no room left over."""
    session = open_session(folder)
    say(session, *LINES[:OPENING], "hand", "deal")
    session.close()
    return open_session(folder)


def end_hand(session: Session) -> None:
    while session.state.hand is not None:
        say(session, {"act": "fold", "push": "push"}[session.step.what])


def fold_and_undo(session: Session) -> None:
    for _ in range(200):
        session.do(hand.Act("fold"))
        session.do(hand.Undo())


def test_the_hand_ends_on_a_full_disk_and_the_next_waits_for_room(
    tmp_path: Path, disk: Disk
) -> None:
    folder = tmp_path / "disk"
    session = opened_in_a_hand(folder)
    disk.fill(0)
    end_hand(session)
    assert not list(folder.glob("*.ballast"))
    refusal = session.do(hand.Deal()).refusal
    assert refusal is not None
    assert refusal.code == "journal_full"
    disk.free()
    assert session.do(hand.Deal()).refusal is None
    assert list(folder.glob("*.ballast"))
    session.close()
    assert check(folder).sound


def test_what_found_no_room_is_not_there_after_a_power_cut_either(
    tmp_path: Path, disk: Disk
) -> None:
    folder = tmp_path / "disk"
    session = opened_in_a_hand(folder)
    next(folder.glob("*.ballast")).unlink()
    disk.fill(0)
    with pytest.raises(Full):
        fold_and_undo(session)
    acknowledged = session.state.seq
    cut = tmp_path / "cut"
    shutil.copytree(folder, cut, ignore=shutil.ignore_patterns("filler"))
    with Reader(next(cut.glob("*.journal"))) as reader:
        assert [row.seq for row in reader.since()][-1] == acknowledged
    disk.free()
    end_hand(session)
    session.close()
    assert check(folder).sound


def test_a_disk_is_unmounted_while_a_file_on_it_is_open(tmp_path: Path, disk: Disk) -> None:
    """A test that fails keeps its journal open: the disk must not stay behind."""
    folder = tmp_path / "disk"
    with (folder / "open").open("w") as file:
        file.write("kept")
        file.flush()
        disk.fill(0)
        disk.release()
        assert not folder.is_mount()
        assert (folder / "open").read_text(encoding="utf-8") == "kept"


def test_a_disk_that_cannot_be_set_up_is_unmounted(
    tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert disk.real
    folder = tmp_path / "other"

    def broken(*given: object, **options: object) -> None:
        assert folder.is_mount()
        raise OSError("planted")

    with monkeypatch.context() as patched:
        patched.setattr(shutil, "copytree", broken)
        with pytest.raises(OSError, match="planted"):
            Disk(folder)
    assert not folder.is_mount()
