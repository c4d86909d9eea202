"""Files that a command writes for somebody: `--out` and `--log`.

Reports show names and money, so they are the owner's alone. They replace neither a file of the log
nor anything that a symbolic link points to: whoever plants a link would choose what is overwritten.
"""

from __future__ import annotations

import json
import os
import re
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TextIO

import click

from omaha_table.files import make_folder, open_private

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NAMES: Final = re.compile(
    r"staff\.json|pepper(?:-\w+)?|lists\.key|review-(?:notes|counts)\.jsonl|unsealed\.jsonl"
    r"|.*\.(?:journal(?:-wal|-shm|-journal)?|witness|receipt|ballast|lock)"
    r"|.*\.(?:key|next)(?:\..*)?|surveillance\.(?:private|public)",
    re.IGNORECASE | re.DOTALL,
)
_HEAD_BYTES: Final = 64 << 10


@contextmanager
def output_file(path: Path, *, newline: str | None = None) -> Iterator[TextIO]:
    """A text file to write: complete under its name, or not there. Raises OSError, UsageError."""
    check_target(path)
    if path.exists() and not path.is_file():
        # A pipe or /dev/null.
        descriptor = os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline=newline) as file:
            yield file
        return
    unfinished = path.with_name(f".{path.name[:200]}.{os.getpid()}")
    unfinished.unlink(missing_ok=True)
    descriptor = open_private(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline=newline) as file:
            yield file
        # A new file in place of the old one: another name of the old file keeps its content.
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def output_folder(folder: Path) -> None:
    """Creates a folder to write to; one that is there keeps its rights, since it is not ours."""
    if folder.is_symlink():
        raise click.UsageError(f"{folder} is a symbolic link: name the folder itself.")
    if not folder.exists():
        make_folder(folder)


def check_target(path: Path) -> None:
    """Refuses to write to a symbolic link or over a file of the log."""
    try:
        about = path.lstat()
    except OSError:
        about = None
    except ValueError:
        raise click.UsageError("That is not a file name.") from None
    if about is not None and stat.S_ISLNK(about.st_mode):
        raise click.UsageError(f"{path} is a symbolic link: name the file itself.")
    if _NAMES.fullmatch(path.name) or (
        about is not None and stat.S_ISREG(about.st_mode) and _is_ours(path)
    ):
        raise click.UsageError(
            f"{path} is a file of the log, or has the name of one: choose another name."
        )


def _is_ours(path: Path) -> bool:
    """Whether a file's content is one of ours, whatever it is called."""
    try:
        # Opening a journal here is safe: this process holds no lock on it yet.
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError:
        return False
    if head.startswith((b"SQLite format 3\0", b"omaha-table surveillance")):
        return True
    if head.startswith(b"{"):
        return b'"head": ' in head[:200] or b'"people"' in head[:200]
    return head.startswith(b"[") and _is_mirror_line(head.partition(b"\n")[0])


def _is_mirror_line(line: bytes) -> bool:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(row, list) and len(row) == 8 and isinstance(row[0], int)
