"""What can be wrong with a journal. Each of the four faults has a screen that says what to do."""

from __future__ import annotations


class JournalFault(Exception):  # noqa: N818 - a fault is what the console shows
    """The log cannot be written or trusted; what was not written did not happen."""

    todo = ""

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

    todo = "Stop. Restart the console: it reads what is on the disk."


class Full(JournalFault):
    """The disk is full, or the folder cannot be written."""

    todo = "Finish the hand. Free disk space before the next one."
