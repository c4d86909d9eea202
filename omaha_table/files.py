"""Files that only their owner can read, in folders that only their owner can enter.

A file is created with its final rights, whatever the umask: between a creation and a later `chmod`
anybody could open it. Reviewers may be given a group of their own: its members read journals,
witness files and receipts, and nothing else. The group's folder has the set-group-id bit, because
only that gives the group to the files that SQLite itself creates beside a journal.
"""

from __future__ import annotations

import contextlib
import errno
import grp
import os
import stat
from pathlib import Path
from typing import Final

FOLDER: Final = 0o700
GROUP_FOLDER: Final = 0o2750
_FILE: Final = 0o600
_FOR_GROUP: Final = (".journal", ".journal-wal", ".journal-shm", ".witness", ".receipt")
_OURS: Final = frozenset(
    ("staff.json", "staff.json.new", "pepper", "console.log", "review-notes.jsonl",
     "review-counts.jsonl", "unsealed.jsonl")
)  # fmt: skip
"""Our files in a data folder that belong to no one table."""
_OTHERS: Final = 0o077


class FileError(ValueError):
    """A file or folder that must not be used as it is; the message says what to do."""


def group_id(name: str) -> int | None:
    """The number of a group; None without a name. Raises FileError."""
    if not name:
        return None
    try:
        return grp.getgrnam(name).gr_gid
    except (KeyError, ValueError):
        raise FileError(f"There is no group {name!r} on this machine.") from None


# Folders


def make_folder(folder: Path, group: int | None = None, *, keep_group: bool = False) -> str:
    """Creates a folder, or narrows one; returns what the operator should read, or nothing.

    With `keep_group`, a folder that was opened to a group of reviewers stays open to it. Raises
    OSError, or FileError if the group cannot have the folder.
    """
    missing = [part for part in (folder, *folder.parents) if not part.exists()]
    for part in reversed(missing):
        # One by one: `mkdir(parents=True)` gives the parents whatever rights the umask leaves.
        with contextlib.suppress(FileExistsError):
            part.mkdir(FOLDER)
        if group is not None:
            _give_folder(part, group)
    return "" if folder in missing else _narrow_folder(folder, group, keep_group=keep_group)


def _narrow_folder(folder: Path, group: int | None, *, keep_group: bool) -> str:
    about = folder.stat()
    if not stat.S_ISDIR(about.st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    mode = stat.S_IMODE(about.st_mode)
    if group is None and keep_group and mode == GROUP_FOLDER:
        return ""
    wanted = FOLDER if group is None else GROUP_FOLDER
    too_much = mode & _OTHERS & ~wanted
    if group is not None and about.st_gid != group:
        too_much = mode & _OTHERS
    if not too_much and (group is None or (mode, about.st_gid) == (wanted, group)):
        return ""
    if about.st_uid != os.geteuid():
        why = f"belongs to {_owner(about.st_uid)}"
    elif mode & stat.S_ISVTX or folder.resolve() in (Path("/"), Path.home()):
        why = "is shared with other programs"
    else:
        try:
            folder.chmod(mode & 0o700)
            if group is not None:
                _give_folder(folder, group)
        except OSError as error:
            why = f"cannot be changed ({error.strerror})"
        else:
            now = "its owner alone" if group is None else "its owner and the reviewers' group"
            said = (
                f"Others could enter the folder {folder} (mode {mode:04o}). It is now for {now} "
                f"(mode {wanted & 0o777:04o})."
            )
            return said if too_much else ""
    if not too_much:
        return ""
    return (
        f"Warning: others can enter the folder {folder} (mode {mode:04o}), and it {why}. Use a "
        f"folder of the console's own, or have its owner run: chmod {wanted & 0o777:o} {folder}"
    )


def _give_folder(folder: Path, group: int) -> None:
    try:
        os.chown(folder, -1, group)
    except PermissionError:
        raise FileError(
            f"The folder {folder} cannot be given to the reviewers' group: the console's user "
            "must be a member of it."
        ) from None
    folder.chmod(GROUP_FOLDER)


def _owner(uid: int) -> str:
    import pwd

    try:
        return f"user {pwd.getpwuid(uid).pw_name}"
    except KeyError:
        return f"user {uid}"


# Files


def open_private(path: Path, flags: int) -> int:
    """Opens or creates a file of the owner's alone; a symbolic link is not followed.

    Never for a journal: closing a second descriptor would drop the locks that SQLite has on it.
    """
    descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, _FILE)
    about = os.fstat(descriptor)
    if about.st_mode & _OTHERS and stat.S_ISREG(about.st_mode) and about.st_uid == os.geteuid():
        os.fchmod(descriptor, _FILE)
    return descriptor


def append_line(path: Path, line: str) -> None:
    """Adds a line to a file of the owner's alone; raises OSError."""
    if not path.parent.exists():
        make_folder(path.parent)
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    with os.fdopen(open_private(path, flags), "a", encoding="utf-8") as file:
        file.write(line + "\n")


def create_private(path: Path) -> None:
    """Creates an empty file, for a library that would create it with other rights."""
    os.close(open_private(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))


def give_to_group(path: Path, group: int | None) -> None:
    """Lets the reviewers' group read a file. The group first: until then nobody else can."""
    if group is not None:
        os.chown(path, -1, group)
        path.chmod(stat.S_IMODE(path.stat().st_mode) & 0o600 | 0o040)


def make_read_only(path: Path, group: int | None) -> None:
    path.chmod(0o400 if group is None else 0o440)


def narrow_files(folder: Path, table: str, group: int | None) -> None:
    """Takes from others what an older version, or somebody, let them have of a table's files."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            ours = entry.name in _OURS or entry.name.startswith(
                (f"{table}-", f"{table}.", "pepper-", "lists.key")
            )
            if ours and entry.is_file(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    _narrow(Path(entry.path), entry.stat(follow_symlinks=False), group)


def _narrow(path: Path, about: os.stat_result, group: int | None) -> None:
    if about.st_uid != os.geteuid():
        return
    mode = stat.S_IMODE(about.st_mode)
    shared = group is not None and path.name.endswith(_FOR_GROUP)
    wanted = mode & _FILE | (0o040 if shared else 0)
    if mode & ~wanted:
        path.chmod(mode & wanted)
    if group is not None and shared and (mode != wanted or about.st_gid != group):
        os.chown(path, -1, group)
        path.chmod(wanted)


def read_bounded(path: Path, most: int) -> bytes:
    """A small file; raises FileError if it is larger, however large, and OSError."""
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise FileError(f"the file is larger than {most:,} bytes")
    return content
