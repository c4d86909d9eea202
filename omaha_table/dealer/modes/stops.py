"""When the log fails or the program was restarted: what is safe, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import Change, ReopenLog, TakeReport, enter, leave
from omaha_table.dealer.model import Mode
from omaha_table.dealer.modes.floor import AskPin
from omaha_table.dealer.modes.leaving import shut_down
from omaha_table.dealer.table_view import Page
from omaha_table.journal.faults import (
    Busy,
    Full,
    Gone,
    JournalFault,
    Tampered,
    Uncertain,
    Unwritable,
)

if TYPE_CHECKING:
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt

_TITLES: Final[dict[type[JournalFault], str]] = {
    Busy: "LOG IS BUSY",
    Tampered: "LOG IS DAMAGED",
    Uncertain: "LOG UNCERTAIN",
    Gone: "LOG FILE IS GONE",
    Full: "DISK IS FULL",
    Unwritable: "LOG CANNOT BE WRITTEN",
}
_SAFE: Final = "Everything acknowledged before is safe. Chips stay where they are."
_NOT_SAFE: Final = (
    "What was acknowledged is in a file that nobody may find again. Chips stay where they are."
)


@dataclass(frozen=True, slots=True)
class LogStop(Mode):
    """The log took nothing: no money moves until it does."""

    fault: JournalFault
    can_reopen: bool

    def show(self, model: Model, strip: Strip) -> Prompt:
        if self.can_reopen:
            strip.add("ENTER", "OPEN THE LOG AGAIN", _reopen, strong=True)
        strip.add("+", "BACK TO THE TABLE", _resume)
        strip.add("-", "SHUT DOWN", shut_down)
        title = _TITLES.get(type(self.fault), "LOG STOPPED")
        safe = _NOT_SAFE if isinstance(self.fault, Gone) else _SAFE
        lines = (*wrap(self.fault.message, 60), "", *wrap(safe, 60), "", *wrap(self.fault.todo, 60))
        detail = "The last entry was not recorded. Enter it again when the log works."
        if isinstance(self.fault, Uncertain):
            detail = "The last entry may have been recorded. Look before you enter it again."
        return strip.prompt("STOP", title, detail, page=Page(title, lines))


def _reopen(model: Model) -> Change:
    return Change(model, (ReopenLog(),))


def _resume(model: Model) -> Change:
    """What the devices reported meanwhile comes first."""
    return Change(model.leave(), tuple(map(TakeReport, model.pending[:1])))


@dataclass(frozen=True, slots=True)
class Recovered(Mode):
    """After a restart inside a hand the dealer compares the screen with the felt."""

    where: str

    def show(self, model: Model, strip: Strip) -> Prompt:
        strip.add("ENTER", "THE FELT AGREES", leave, strong=True)
        strip.add("/", "FLOOR", enter(AskPin()))
        return strip.prompt(
            "STOP", "COMPARE FELT", f"Does the felt match?  {self.where.capitalize()}."
        )
