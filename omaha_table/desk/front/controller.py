"""Keys to commands, in one place, whatever screen is up. Screens only paint `view`."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Final, Protocol

from omaha_table.desk.front.pad import DIGITS, ENTER, pad_key
from omaha_table.desk.front.project import Seen, project
from omaha_table.desk.front.sayings import say
from omaha_table.desk.front.strip import Strip
from omaha_table.desk.front.view import Alarm
from omaha_table.hand import Refused
from omaha_table.hand.commands import Push
from omaha_table.hand.events import Acted, BoardDealt, HandStarted, RemedyOrdered, StreetClosed
from omaha_table.journal.faults import JournalFault
from omaha_table.table.commands import StartHand

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drivers.events import Report
    from omaha_table.desk.desk import Desk
    from omaha_table.desk.devices import Devices
    from omaha_table.desk.front.view import Prompt, TableView
    from omaha_table.journal.codec import Record
    from omaha_table.table.commands import TableCommand

QUIET_GAP: Final = 0.12
"""A commit key counts once until it was silent for so long: held and bouncing keys."""
DEAD_TIME: Final = 0.4
"""After a hand starts or ends, ENTER rests: it may have been meant for the step before."""
LOG_LINES: Final = 60


class Mode(Protocol):
    """One thing the console asks for: it fills the strip and says what the band shows."""

    def show(self, strip: Strip) -> Prompt: ...


class Front:
    """The console's whole behaviour, without a terminal."""

    def __init__(
        self,
        desk: Desk,
        devices: Devices | None = None,
        *,
        title: str = "",
        wall: Callable[[], float] = time.time,
    ) -> None:
        # The modes name the front and are imported when it is made.
        from omaha_table.desk.front.at_table import AtTable
        from omaha_table.desk.front.faults import Recovered

        self.desk, self.devices, self.title = desk, devices, title
        self._wall = wall
        self._modes: list[Mode] = [AtTable(self)]
        self.typed = ""
        self.alarm = Alarm("none", "")
        self.hint = ""
        """What a simulated player has said, or a word for a newcomer."""
        self.bells = 0
        self.quit = False
        self.refusals = 0
        self.keys = 0
        self.log: deque[str] = deque(maxlen=LOG_LINES)
        self.last: dict[int, str] = {}
        """What each seat did last on this street, in words."""
        self.hand_began = 0.0
        self._last_key, self._last_at, self._dead_until = "", -1.0, -1.0
        self.listeners: list[Callable[[Sequence[Record]], None]] = []
        """Told of everything that is recorded: practice keeps its score so."""
        self.reopen: Callable[[], Desk] | None = None
        """Opens the journal again after a fault; None: it cannot be."""
        self.heard(desk.opening)
        if desk.recovered and desk.state.hand is not None:
            self.enter(Recovered(self, desk.recovered))

    # What is shown

    @property
    def mode(self) -> Mode:
        return self._modes[-1]

    @property
    def prompt(self) -> Prompt:
        return self.mode.show(Strip())

    def view(self) -> TableView:
        seen = Seen(self.title, self.last, tuple(self.log), self._alarm(), self.hand_began)
        return project(self.desk, self.devices, self.prompt, seen, self._wall())

    def _alarm(self) -> Alarm:
        """The worst first: a device that is out, what was refused, what somebody says."""
        for device in self.devices.devices.values() if self.devices is not None else ():
            if device.alarm:
                return Alarm("fault", f"{device.name.upper()}  {device.alarm}")
            if device.lost:
                return Alarm(
                    "warn", f"{device.name.upper()} {device.link}: {device.doing}. By hand."
                )
        if self.alarm.level != "none":
            return self.alarm
        return Alarm("hint", self.hint) if self.hint else self.alarm

    # Keys

    def press(self, name: str, now: float | None = None) -> None:
        """One key, by the name that the terminal gives it."""
        at = time.monotonic() if now is None else now
        pad = pad_key(name)
        text = getattr(self.mode, "text", None)
        if text is not None and (pad is None or (name.isalpha() and len(name) == 1)):
            text(name)
            return
        if pad is None:
            self.refuse("That key is not on the pad: the keys that work are shown below.")
            return
        held = pad == self._last_key and at - self._last_at < QUIET_GAP
        self._last_key, self._last_at = pad, at
        if pad not in DIGITS and pad != "." and held:
            return
        if pad == ENTER and at < self._dead_until:
            return
        self.keys += 1
        strip = Strip()
        self.mode.show(strip)
        answer = strip.answer(pad)
        if answer is None:
            self.refuse(strip.why_not(pad) or "That key does nothing now.")
            return
        self.alarm = Alarm("none", "")
        before = self.desk.state.hands, self.desk.state.hand is None
        answer()
        if before != (self.desk.state.hands, self.desk.state.hand is None):
            self._dead_until = at + DEAD_TIME

    def type_digit(self, digit: str) -> None:
        if len(self.typed) >= 6:
            self.refuse("That is longer than any amount here: . clears it.")
            return
        self.typed = (self.typed + digit).lstrip("0") or "0"

    def clear(self) -> None:
        self.typed = ""

    def refuse(self, message: str) -> None:
        self.alarm = Alarm("warn", message)
        self.bells += 1
        self.refusals += 1

    def inform(self, message: str) -> None:
        self.alarm = Alarm("info", message)

    # Modes

    def enter(self, mode: Mode) -> None:
        self.typed = ""
        self._modes.append(mode)

    def leave(self) -> None:
        """Back to what was asked before."""
        self.typed = ""
        if len(self._modes) > 1:
            self._modes.pop()

    def leave_all(self) -> None:
        self.typed = ""
        del self._modes[1:]

    # Commands

    def do(self, command: TableCommand) -> bool:
        """Carries a command out; says why where it cannot."""
        self.typed = ""
        try:
            done = self.desk.do(command)
        except JournalFault as fault:
            self.fault(fault)
            return False
        if isinstance(done, Refused):
            self.refuse(done.message)
            return False
        if isinstance(command, StartHand):
            self.hand_began = self._wall()
        self.heard(done)
        if self.devices is not None:
            self.devices.after(command)
        return True

    def report(self, report: Report) -> None:
        """What a device says."""
        if self.devices is None:
            return
        try:
            records = self.devices.take(report)
        except JournalFault as fault:
            self.fault(fault)
            return
        self.heard(records)

    def fault(self, fault: JournalFault) -> None:
        from omaha_table.desk.front.faults import JournalStop

        self.bells += 1
        if not isinstance(self.mode, JournalStop):
            self.enter(JournalStop(self, fault))

    def heard(self, records: Sequence[Record]) -> None:
        """Keeps what a dealer wants to look back at."""
        for listener in self.listeners:
            listener(records)
        stamp = time.strftime("%H:%M:%S", time.localtime(self._wall()))
        for record in records:
            event = record.event
            words = say(event)
            if words:
                self.log.appendleft(f"{stamp}  {words}")
            match event:
                case Acted():
                    self.last[event.seat] = words.partition(" ")[2].partition(" ")[2]
                case HandStarted():
                    self.last.clear()
                case StreetClosed() | BoardDealt():
                    self.last = {seat: word for seat, word in self.last.items() if word == "FOLD"}
                case RemedyOrdered():
                    self._show_remedy(event)

    def _show_remedy(self, event: RemedyOrdered) -> None:
        from omaha_table.desk.front.faults import RemedySteps

        self.leave_all()
        self.enter(RemedySteps(self, event.steps))

    def push_done(self) -> None:
        self.do(Push())
