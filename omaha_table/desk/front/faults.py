"""When something is wrong: each fault says what is safe, and what to do."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Final

from omaha_table.desk.front.view import Page
from omaha_table.journal.faults import Busy, Full, JournalFault, Tampered, Uncertain

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.desk.front.controller import Front
    from omaha_table.desk.front.strip import Strip
    from omaha_table.desk.front.view import Prompt

_TITLES: Final[dict[type[JournalFault], str]] = {
    Busy: "LOG IS BUSY",
    Tampered: "LOG IS DAMAGED",
    Uncertain: "LOG UNCERTAIN",
    Full: "DISK IS FULL",
}


class JournalStop:
    """The journal took nothing: no money moves until it does."""

    def __init__(self, front: Front, fault: JournalFault) -> None:
        self._front, self._fault = front, fault

    def show(self, strip: Strip) -> Prompt:
        if self._front.reopen is not None:
            strip.add("ENTER", "OPEN THE LOG AGAIN", self._again, strong=True)
        if isinstance(self._fault, Busy | Full):
            strip.add("+", "TRY AGAIN", self._front.leave)
        fault = self._fault
        title = _TITLES.get(type(fault), "LOG STOPPED")
        safe = "Everything acknowledged before is safe. Chips stay where they lie."
        lines = (*wrap(fault.message, 60), "", *wrap(safe, 60), "", *wrap(fault.todo, 60))
        detail = "The last key was not recorded. No money moves until the log takes it."
        return strip.prompt("STOP", title, detail, page=Page(title, lines))

    def _again(self) -> None:
        front = self._front
        if front.reopen is None:
            return
        try:
            front.desk.close()
            front.desk = front.reopen()
        except JournalFault as fault:
            self._fault = fault
            front.bells += 1
            return
        front.leave_all()
        front.heard(front.desk.opening)
        if front.desk.recovered and front.desk.state.hand is not None:
            front.enter(Recovered(front, front.desk.recovered))


class Recovered:
    """After a restart inside a hand the dealer compares the screen with the felt."""

    def __init__(self, front: Front, where: str) -> None:
        self._front, self._where = front, where

    def show(self, strip: Strip) -> Prompt:
        from omaha_table.desk.front.floor import AskPin

        strip.add("ENTER", "THE FELT AGREES", self._front.leave, strong=True)
        strip.add("/", "FLOOR", lambda: self._front.enter(AskPin(self._front)))
        return strip.prompt(
            "STOP", "COMPARE FELT", f"Recovered: {self._where}. Nothing acknowledged was lost."
        )


class RemedySteps:
    """What the dealer does to put an error right, one step at a time."""

    def __init__(self, front: Front, steps: tuple[str, ...]) -> None:
        self._front, self._steps, self._at = front, steps, 0

    def show(self, strip: Strip) -> Prompt:
        strip.add("ENTER", "DONE", self._next, strong=True)
        if self._at:
            strip.add(".", "STEP BEFORE", self._before)
        count = len(self._steps)
        return strip.prompt("DEALER", f"REMEDY {self._at + 1} OF {count}", self._steps[self._at])

    def _next(self) -> None:
        self._at += 1
        if self._at >= len(self._steps):
            self._at = len(self._steps) - 1
            self._front.leave()

    def _before(self) -> None:
        self._at -= 1


class Sure:
    """Asks once more, with another key than the one that is being hammered."""

    def __init__(
        self, front: Front, title: str, detail: str, yes: str, do: Callable[[], object]
    ) -> None:
        self._front, self._title, self._detail, self._yes, self._do = front, title, detail, yes, do

    def show(self, strip: Strip) -> Prompt:
        strip.add("+", self._yes, self._confirm, strong=True)
        strip.add("ENTER", "NO, KEEP IT", self._front.leave)
        strip.add(".", "BACK", self._front.leave)
        return strip.prompt("SURE", self._title, self._detail)

    def _confirm(self) -> None:
        self._front.leave()
        self._do()
