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
from tests.journal.days import check, day_opened, note, open_session, say

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


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_kill_on_either_side_of_the_turn_of_a_key_goes_on(tmp_path: Path, moment: str) -> None:
    dying = "os.kill(os.getpid(), 9)"
    code = (
        "import os; from pathlib import Path\n"
        "from omaha_table.journal.keys import SealKey\n"
        "from tests.journal.days import LINES, open_session, say\n"
        f"session = open_session(Path({str(tmp_path)!r}))\n"
        "real = SealKey.rotate\n"
        "def turn(self):\n"
        f"    {'pass' if moment == 'before' else 'real(self)'}\n"
        f"    {dying}\n"
        "SealKey.rotate = turn\n"
        "say(session, *LINES)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    session = open_session(tmp_path)
    assert session.state.hands == 1
    assert not (tmp_path / "t7.next").exists()
    say(session, "deal", *["fold"] * 7, "push")
    session.close()
    verdict = check(tmp_path)
    assert verdict.sound, verdict.damage
    assert verdict.seals == 2
