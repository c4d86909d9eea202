"""What can be wrong with a journal. Four faults, four screens: each says what is safe to do."""

from __future__ import annotations


class JournalFault(Exception):  # noqa: N818 - a fault is what the console shows
    """The log cannot be written or trusted; nothing that was not written has happened."""

    todo = ""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Busy(JournalFault):
    """Somebody else is writing this table's log."""

    todo = "Close the other console first; a table has one."


class Tampered(JournalFault):
    """The log is not what was written."""

    todo = "Do not deal from it. Call the floor; keep the files; enrol a new segment."


class Uncertain(JournalFault):
    """A write failed at a moment when it may or may not have reached the disk."""

    todo = "Stop. Start the console again: it reads what is really there."


class Full(JournalFault):
    """There is no room left to write."""

    todo = "Finish the hand; make room on the disk before the next one."
