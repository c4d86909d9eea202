"""When something is wrong: each fault says what is safe, and what to do."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.view import Page
from omaha_table.journal.faults import Busy, Full, JournalFault, Tampered, Uncertain

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.dealer.controller import Front
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.view import Prompt

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
        strip.add("+", "BACK TO THE TABLE", self._front.resume)
        strip.add("-", "SHUT DOWN", self._shut_down)
        fault = self._fault
        title = _TITLES.get(type(fault), "LOG STOPPED")
        safe = "Everything acknowledged before is safe. Chips stay where they lie."
        lines = (*wrap(fault.message, 60), "", *wrap(safe, 60), "", *wrap(fault.todo, 60))
        detail = "What was keyed last is not recorded: key it again when the log takes it."
        return strip.prompt("STOP", title, detail, page=Page(title, lines))

    def _shut_down(self) -> None:
        self._front.quit = True

    def _again(self) -> None:
        front = self._front
        if front.reopen is None:
            return
        try:
            front.session.close()
            front.session = front.reopen()
        except JournalFault as fault:
            self._fault = fault
            front.bells += 1
            return
        if front.devices is not None:
            front.devices.use(front.session)
        front.leave_all()
        front.heard(front.session.opening)
        front.resume()
        if front.session.recovered and front.session.state.hand is not None:
            front.enter(Recovered(front, front.session.recovered))


class Recovered:
    """After a restart inside a hand the dealer compares the screen with the felt."""

    def __init__(self, front: Front, where: str) -> None:
        self._front, self._where = front, where

    def show(self, strip: Strip) -> Prompt:
        from omaha_table.dealer.floor import AskPin  # floor asks for faults' pages too

        strip.add("ENTER", "THE FELT AGREES", self._front.leave, strong=True)
        strip.add("/", "FLOOR", lambda: self._front.enter(AskPin(self._front)))
        return strip.prompt(
            "STOP", "COMPARE FELT", f"Recovered: {self._where}. Nothing acknowledged was lost."
        )


class RemedySteps:
    """What the dealer does to put an error right: to be read, and there again in the menu."""

    def __init__(self, front: Front, steps: tuple[str, ...]) -> None:
        self._front, self._steps = front, steps

    def show(self, strip: Strip) -> Prompt:
        strip.add("ENTER", "GO ON", self._front.leave, strong=True)
        lines = [
            line
            for number, step in enumerate(self._steps, start=1)
            for line in wrap(f"{number}  {step}", 64, subsequent_indent="   ")
        ]
        return strip.prompt(
            "DEALER",
            "THE REMEDY",
            "One step after the other; the menu has them again: / then *.",
            page=Page("REMEDY", tuple(lines)),
        )


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
