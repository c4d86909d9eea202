"""What can be wrong with a journal. Each fault has a screen that says what to do."""

from __future__ import annotations

import errno
import os
from typing import Final


class JournalFault(Exception):  # noqa: N818 - a fault is what the console shows
    """The log cannot be written or trusted; what was not written did not happen."""

    todo = ""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Away(Exception):  # noqa: N818 - a state of what is asked, not an error of the program
    """What keeps the records does not answer now. Nothing is wrong with them.

    Not a JournalFault: what is made of a journal that cannot be read goes on without it, and that
    would silently leave out what is there.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Busy(JournalFault):
    """Another program is writing this table's log."""

    todo = "Close the other console: a table can have only one."


class Tampered(JournalFault):
    """The log was changed or damaged."""

    todo = "Stop dealing. Call the floor. Keep the files, and enroll a new segment."


class Uncertain(JournalFault):
    """A write failed and may or may not have reached the disk."""

    todo = "Stop. Open the log again: it shows what is on the disk. Then compare it with the felt."


class Gone(JournalFault):
    """The file under the log was deleted, moved or replaced."""

    todo = "Stop dealing. Call the floor. Leave the machine as it is, and enroll a new segment."


class Full(JournalFault):
    """Nothing more fits on the disk; nothing was recorded."""

    todo = "Finish the hand. Free disk space before the next one."


class Unwritable(Full):
    """The disk or its rights do not allow a write; nothing was recorded."""

    todo = "Call the floor: the disk or the rights of its folder must be put right first."


_NO_SPACE: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_NO_RIGHTS: Final = (errno.EACCES, errno.EPERM)
_NO_DISK: Final = (errno.EIO, errno.ENXIO, errno.ENODEV, errno.ESTALE, errno.ENOTCONN)


def unwritten(error: OSError) -> Full:
    """The fault for a write that the system refused."""
    where = os.path.basename(str(error.filename or ""))  # noqa: PTH119 - may be no path
    on = f" ({where})" if where else ""
    if error.errno in _NO_SPACE:
        return Full(f"The disk is full{on}.")
    if error.errno in _NO_RIGHTS:
        return Unwritable(f"This user may not write in the journal's folder{on}.")
    if error.errno == errno.EROFS:
        return Unwritable("The disk with the journal is read-only.")
    if error.errno in _NO_DISK:
        return Unwritable(f"The disk with the journal does not answer: {error.strerror}.")
    return Unwritable(f"The journal's folder cannot be written: {error.strerror}{on}.")
