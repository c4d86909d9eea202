"""The key that seals: changed with every seal, and never lost between two of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from omaha_table.journal.faults import Tampered, Uncertain
from omaha_table.journal.keys import SealKey, is_signed, write_durably
from omaha_table.journal.writer import JournalWriter
from tests.journal.days import LINES, check, day_opened, note, open_session, say

DAY = "2026-11-14"


def test_a_seal_destroys_its_key_and_names_the_next(tmp_path: Path) -> None:
    path = tmp_path / "t7.key"
    key = SealKey(path)
    seen = [path.read_bytes()]
    public = key.public()
    for head in (b"one", b"two", b"three"):
        signature, following = key.sign(head)
        assert is_signed(public, signature, head)
        assert not is_signed(following, signature, head)
        key.rotate()
        assert path.read_bytes() not in seen
        assert key.public() == following
        public = following
        seen.append(path.read_bytes())
        held = [file.read_bytes() for file in tmp_path.iterdir()]
        assert held == [seen[-1]], "no key that was used is anywhere in the folder"


def test_a_kill_before_the_seal_leaves_the_old_key_and_no_other(tmp_path: Path) -> None:
    key = SealKey(tmp_path / "t7.key")
    public = key.public()
    key.sign(b"a head that was never written")
    again = SealKey(tmp_path / "t7.key")
    again.expect(public)
    assert again.public() == public
    assert [file.name for file in tmp_path.iterdir()] == ["t7.key"]


def test_a_kill_after_the_seal_leaves_the_next_key(tmp_path: Path) -> None:
    key = SealKey(tmp_path / "t7.key")
    _, following = key.sign(b"a head that was written")
    again = SealKey(tmp_path / "t7.key")
    again.expect(following)
    assert again.public() == following
    assert [file.name for file in tmp_path.iterdir()] == ["t7.key"]


def test_a_key_that_the_journal_does_not_name_seals_nothing(tmp_path: Path) -> None:
    key = SealKey(tmp_path / "t7.key")
    key.sign(b"head")
    with pytest.raises(Tampered, match="is missing"):
        key.expect("00" * 32)
    (tmp_path / "t7.key").write_bytes(b"short")
    with pytest.raises(Tampered, match="cannot be read"):
        key.public()


def test_only_the_holder_of_the_key_can_sign(tmp_path: Path) -> None:
    key, other = SealKey(tmp_path / "t7.key"), SealKey(tmp_path / "t8.key")
    head = bytes(range(32))
    signature = key.sign(head).signature
    assert is_signed(key.public(), signature, head)
    assert not is_signed(other.public(), signature, head)
    assert not is_signed(key.public(), signature, bytes(32))
    assert not is_signed(key.public(), "00" * 64, head)
    assert not is_signed("no key", signature, head)


def test_a_small_file_is_on_disk_before_it_has_its_name_and_its_name_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t7.key"
    path.write_bytes(b"old")
    seen: list[tuple[str, bytes]] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        folder = os.path.samestat(os.fstat(descriptor), tmp_path.stat())
        content = b"" if folder else Path(f"/proc/self/fd/{descriptor}").read_bytes()
        seen.append((path.read_text(encoding="utf-8"), content))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    write_durably(path, b"new")
    assert seen == [("old", b"new"), ("new", b"")]


def test_the_turned_key_has_its_name_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = SealKey(tmp_path / "t7.key")
    key.sign(b"head")
    left: list[set[str]] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        if os.path.samestat(os.fstat(descriptor), tmp_path.stat()):
            left.append({file.name for file in tmp_path.iterdir()})
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    key.rotate()
    assert left == [{"t7.key"}]


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_a_key_can_be_read_by_its_owner_alone_whatever_the_umask(
    tmp_path: Path, umask: int
) -> None:
    before = os.umask(umask)
    try:
        key = SealKey(tmp_path / "t7.key")
        key.sign(b"head")
        modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert modes == {"t7.key": 0o600, "t7.next": 0o600}


def test_after_a_key_that_could_not_be_turned_nothing_more_is_written(tmp_path: Path) -> None:
    """The seal is written, but the next key is gone from the folder."""
    journal = JournalWriter(tmp_path, "t7", DAY, holder="console")
    journal.append([day_opened(journal)])
    real = SealKey.rotate

    def without_its_next_key(self: SealKey) -> None:
        (tmp_path / "t7.next").unlink()
        real(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SealKey, "rotate", without_its_next_key)
        with pytest.raises(Uncertain, match="next key"):
            journal.append_and_seal([], {})
    with pytest.raises(Uncertain, match="accepts no more"):
        journal.append([note(journal.seq + 1)])
    journal.close()


DIES_WITH_ITS_KEY = """
import os, sys
from pathlib import Path
from omaha_table.journal.keys import SealKey
from tests.journal.days import LINES, open_session, say
session = open_session(Path(sys.argv[1]))
left, real = [int(sys.argv[2])], SealKey.rotate
def turn(self):
    left[0] -= 1
    if left[0] == 0 and sys.argv[3] == "before":
        os.kill(os.getpid(), 9)
    real(self)
    if left[0] == 0:
        os.kill(os.getpid(), 9)
SealKey.rotate = turn
for number, line in enumerate(LINES):
    print(number, flush=True)
    say(session, line)
"""


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("turn", range(1, 8))
def test_a_kill_on_either_side_of_the_turn_of_a_key_goes_on(
    tmp_path: Path, turn: int, moment: str
) -> None:
    """At the end of a street and of a hand: the seal is on disk, and with it the whole line."""
    died = subprocess.run(
        [sys.executable, "-c", DIES_WITH_ITS_KEY, str(tmp_path), str(turn), moment],
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert died.returncode == -9, died.stderr
    written = int(died.stdout.split()[-1]) + 1
    session = open_session(tmp_path)
    assert not (tmp_path / "t7.next").exists()
    say(session, *LINES[written:])
    assert session.state.hands == 6
    session.close()
    verdict = check(tmp_path)
    assert verdict.sound, verdict.damage
    assert verdict.hands == 6
