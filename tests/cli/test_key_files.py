"""Key files that are missing, of the wrong kind or of the wrong size are named, never used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table

if TYPE_CHECKING:
    from pathlib import Path


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(omaha_table, list(arguments))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, " ".join(done.output.split())


@pytest.fixture
def safe(tmp_path: Path) -> Path:
    assert run("keys", "new", str(tmp_path / "safe"))[0] == 0
    return tmp_path / "safe"


def test_a_new_pair_is_told_apart_and_the_private_half_is_not_shown(tmp_path: Path) -> None:
    status, text = run("keys", "new", str(tmp_path / "safe"))
    assert status == 0
    private = (tmp_path / "safe" / "surveillance.private").read_text(encoding="utf-8")
    assert private.splitlines()[1] not in text
    assert "surveillance.public: copy this to the tables." in text


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    status, text = run("keys", "new", str(tmp_path / "file" / "safe"))
    assert status == 2
    assert "cannot be written" in text


def unseal(journal: Path, key: Path) -> tuple[int, str]:
    office = key.parent.parent / "surveillance"
    where = ("--hand", "1", "--seat", "1", "--key", str(key), "--office", str(office))
    signed = ("--signed", "F1", "--signed", "S1", "--case", "26-117", "--reason", "a report")
    found = run("unseal", str(journal), *where, *signed)
    assert not office.exists()
    return found


def test_a_key_that_is_not_there_is_named(tmp_path: Path) -> None:
    status, text = unseal(tmp_path / "t7.journal", tmp_path / "none")
    assert status == 2
    assert "cannot be read: no such file or directory" in text


@pytest.mark.parametrize("content", [None, b"", b"not a journal" * 400])
def test_a_journal_that_cannot_be_read_is_named(
    tmp_path: Path, safe: Path, content: bytes | None
) -> None:
    journal = tmp_path / "t7-2026-11-14.journal"
    if content is not None:
        journal.write_bytes(content)
    status, text = unseal(journal, safe / "surveillance.private")
    assert status == 2
    assert "cannot be read" in text or "has no sealed cards" in text


@pytest.mark.parametrize("name", ["surveillance.private", "none", "staff.json"])
def test_a_table_takes_the_public_half_and_nothing_else(
    tmp_path: Path, safe: Path, name: str
) -> None:
    (safe / "staff.json").write_text("{}")
    status, text = run("script", "--data", str(tmp_path / "data"), "--office", str(safe / name))
    assert status == 2
    assert "cannot be read" in text or "is not a surveillance public key" in text
    assert "PRIVATE" not in text


@pytest.mark.parametrize("size", [0, 15, 33])
@pytest.mark.parametrize(
    "command",
    [
        ["watch", "/nowhere/shoe", "--seconds", "0.1"],
        ["emulate", "shoe", "--link", "/nowhere/shoe"],
    ],
)
def test_a_device_key_has_16_to_32_bytes(tmp_path: Path, command: list[str], size: int) -> None:
    (tmp_path / "key").write_bytes(b"k" * size)
    status, text = run("devices", *command, "--key", str(tmp_path / "key"))
    assert status == 2
    assert "a key has 16 to 32 bytes" in text
