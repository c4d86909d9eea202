"""Keys to commands, in one place, whatever screen is up. Screens only paint `view`."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Protocol

from omaha_table.dealer.event_text import EventText, action, chips, describe, describe_entry
from omaha_table.dealer.pad import DIGITS, ENTER, pad_key
from omaha_table.dealer.project import Seen, project
from omaha_table.dealer.strip import Strip
from omaha_table.dealer.view import Alarm
from omaha_table.hand.commands import Push
from omaha_table.hand.events import (
    Acted,
    BackedUp,
    HandDeclared,
    HandStarted,
    RemedyOrdered,
    Undone,
)
from omaha_table.journal.faults import JournalFault
from omaha_table.money import parse_dollars
from omaha_table.table.commands import StartHand

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from omaha_drivers.events import Report

    from omaha_table.dealer.view import Prompt, TableView
    from omaha_table.journal.events import Event, Record
    from omaha_table.money import Cents
    from omaha_table.session.devices import Devices
    from omaha_table.session.session import Session
    from omaha_table.table.commands import TableCommand

QUIET_GAP: Final = 0.12
"""A commit key counts once until it was silent for so long: held and bouncing keys."""
DEAD_TIME: Final = 0.4
"""After a hand starts or ends, ENTER rests: it may have been meant for the step before."""
SLOW: Final = 0.25
"""After an answer that took so long, keys that were pressed meanwhile are not believed."""
RING_AGAIN: Final = 5.0
"""Seconds between bells while a fault stands."""
LOG_LINES: Final = 60
MOST_DIGITS: Final = 6
"""Of a typed number, before its cents."""


class Mode(Protocol):
    """One thing the console asks for: it fills the strip and says what the band shows."""

    def show(self, strip: Strip) -> Prompt: ...


class Front:
    """The console's whole behavior, without a terminal."""

    def __init__(
        self,
        session: Session,
        devices: Devices | None = None,
        *,
        title: str = "",
        wall: Callable[[], float] = time.time,
    ) -> None:
        # The modes name the front and are imported when it is made.
        from omaha_table.dealer.at_table import AtTable
        from omaha_table.dealer.faults import Recovered

        self.session, self.devices, self.title = session, devices, title
        self._wall = wall
        self._modes: list[Mode] = [AtTable(self)]
        self.typed = ""
        self.filled: Cents | None = None
        """An amount that a key filled in, to the cent; typing takes its place."""
        self.alarm = Alarm("none", "")
        self.hint = ""
        """What a simulated player has said, or a word for a newcomer."""
        self.bells = 0
        self._rung = ("", 0.0)
        """For what the bell has rung, and when."""
        self.quit = False
        self.refusals = 0
        self.keys = 0
        self.log: deque[str] = deque(maxlen=LOG_LINES)
        self._acts: list[tuple[int, int, int, int, str]] = []
        """Actions of this hand: number, entry, street, seat, words."""
        self._events: dict[int, Event] = {}
        """Of this hand, by number."""
        self.remedy: tuple[str, ...] = ()
        """What the floor has ordered in this hand, step by step."""
        self._pending: deque[Report] = deque()
        """What devices said while the journal took nothing."""
        self.hand_began = 0.0
        self._last_key, self._last_at, self._dead_until = "", -1.0, -1.0
        self._busy_until = -1.0
        self.listeners: list[Callable[[Sequence[Record]], None]] = []
        """Told of everything that is recorded: practice keeps its score so."""
        self.reopen: Callable[[], Session] | None = None
        """Opens the journal again after a fault; None: it cannot be."""
        self.heard(session.opening)
        if session.recovered and session.state.hand is not None:
            self.enter(Recovered(self, session.recovered))

    # What is shown

    @property
    def mode(self) -> Mode:
        return self._modes[-1]

    @property
    def prompt(self) -> Prompt:
        return self.mode.show(Strip())

    def view(self) -> TableView:
        alarm, prompt = self._alarm(), self.prompt
        if self.hint and alarm.level in ("warn", "fault"):
            # Something is wrong for longer than a moment; what a player says is still to be read.
            prompt = replace(prompt, detail=self.hint)
        seen = Seen(self.title, self._last_actions(), tuple(self.log), alarm, self.hand_began)
        return project(self.session.state, self.devices, prompt, seen, self._wall())

    def _alarm(self) -> Alarm:
        """The answer to the last key first, then what is wrong, then what somebody says."""
        if self.alarm.level != "none":
            return self.alarm
        standing = self._standing()
        if standing is not None:
            return standing
        if self.remedy and not self.hint:
            return Alarm("info", f"Remedy: {self.remedy[-1]}")
        return Alarm("hint", self.hint) if self.hint else self.alarm

    def _standing(self) -> Alarm | None:
        """What is wrong for longer than a moment."""
        for device in self.devices.devices.values() if self.devices is not None else ():
            if device.lost and not device.quiet:
                why = device.doing.rstrip(".")
                return Alarm("warn", f"{device.name.upper()} {device.link}: {why}. By hand.")
            if device.alarm:
                return Alarm("fault", f"{device.name.upper()}  {device.alarm}")
        fault = self.session.mirror_fault
        return Alarm("warn", fault) if fault and self.session.state.hand is None else None

    def ring(self, now: float) -> None:
        """Two bells for what is newly wrong, and one every five seconds while a fault stands."""
        standing = self._standing()
        if standing is None:
            self._rung = ("", now)
        elif standing.text != self._rung[0]:
            self.bells += 2
            self._rung = (standing.text, now)
        elif standing.level == "fault" and now - self._rung[1] >= RING_AGAIN:
            self.bells += 1
            self._rung = (standing.text, now)

    def _last_actions(self) -> dict[int, str]:
        """What each seat did last on this street, in words; a fold stays."""
        hand = self.session.state.hand
        if hand is None:
            return {}
        return {
            seat: words
            for _, _, street, seat, words in self._acts
            if street == hand.street or words in ("FOLD", "DEAD")
        }

    def entry_text(self, seqs: tuple[int, ...]) -> EventText:
        """What an entry of this hand did, by the numbers of its events."""
        events = [self._events[seq] for seq in seqs if seq in self._events]
        return describe_entry(events) or EventText("the last entry", brief="IT")

    # Keys

    def press(self, name: str, now: float | None = None) -> None:
        """One key, by the name that the terminal gives it."""
        at = time.monotonic() if now is None else now
        from omaha_table.dealer.command_line import OPENS, CommandLine

        pad = pad_key(name)
        text = getattr(self.mode, "text", None)
        if text is not None and text(name):
            return
        if name == OPENS and len(self._modes) == 1:
            self.enter(CommandLine(self))
            return
        if pad is None:
            self.refuse("That key is not on the pad: the keys that work are shown below.")
            return
        held = pad == self._last_key and at - self._last_at < QUIET_GAP
        self._last_key, self._last_at = pad, at
        commits = pad not in DIGITS and pad != "."
        if held and (commits or getattr(self.mode, "digits_commit", False)):
            return
        if pad == ENTER and at < self._dead_until:
            return
        if now is None and at < self._busy_until:
            # It was pressed at a screen that was about to change.
            return
        self.keys += 1
        strip = Strip()
        self.mode.show(strip)
        answer = strip.answer(pad)
        if answer is None:
            self.refuse(strip.why_not(pad) or "That key does nothing now.")
            return
        self.alarm = Alarm("none", "")
        before = self.session.state.hands, self.session.state.hand is None
        answer()
        if time.monotonic() - at > SLOW:
            self._busy_until = time.monotonic() + SLOW
        if before != (self.session.state.hands, self.session.state.hand is None):
            self._dead_until = at + DEAD_TIME

    def type_digit(self, digit: str) -> None:
        """Of an amount or a seat."""
        if self.filled is not None:
            self.clear()
        _, point, cents = self.typed.partition(".")
        if point and len(cents) == 2:
            self.refuse("Cents have two digits. Press . to clear.")
            return
        self.type_figure(digit)
        if not point:
            self.typed = self.typed.lstrip("0") or "0"

    def type_figure(self, digit: str) -> None:
        """Of a number that is a name: its noughts count."""
        if self.filled is not None:
            self.clear()
        if len(self.typed) >= MOST_DIGITS and "." not in self.typed:
            self.refuse("Too many digits. Press . to clear.")
            return
        self.typed += digit

    def decimal_key(self, strip: Strip, *, cents: bool) -> bool:
        """Makes `.` the decimal point where cents can follow what is typed; whether it did.

        Pressed again it clears, as it does at once where there are no cents.
        """
        if not (cents and self.typed and self.filled is None and "." not in self.typed):
            return False
        strip.add(".", "CENTS", self._type_point)
        return True

    def _type_point(self) -> None:
        self.typed += "."

    @property
    def table_has_cents(self) -> bool:
        """Whether chips of less than a dollar are played with at this table."""
        return self.session.state.profile.has_cents

    def fill(self, amount: Cents) -> None:
        self.filled, self.typed = amount, chips(amount)

    @property
    def amount(self) -> Cents | None:
        """What is typed or filled in, in cents."""
        if self.filled is not None:
            return self.filled
        return parse_dollars(self.typed.rstrip(".")) if self.typed else None

    @property
    def number(self) -> int | None:
        """What is typed, as the number of a seat; an amount with a point is none."""
        return int(self.typed) if self.typed.isdecimal() else None

    def clear(self) -> None:
        self.typed, self.filled = "", None

    def refuse(self, message: str) -> None:
        self.alarm = Alarm("refused", message)
        self.bells += 1
        self.refusals += 1

    def inform(self, message: str) -> None:
        self.alarm = Alarm("info", message)

    # Modes

    def enter(self, mode: Mode) -> None:
        self.clear()
        self._modes.append(mode)

    def leave(self) -> None:
        """Back to what was asked before."""
        self.clear()
        if len(self._modes) > 1:
            self._modes.pop()

    def leave_all(self) -> None:
        self.clear()
        del self._modes[1:]

    # Commands

    def do(self, command: TableCommand) -> bool:
        """Carries a command out; says why where it cannot."""
        self.clear()
        try:
            done = self.session.do(command)
        except JournalFault as fault:
            self.fault(fault)
            return False
        if done.refusal is not None:
            self.refuse(done.refusal.message)
            return False
        if isinstance(command, StartHand):
            self.hand_began = self._wall()
        self.heard(done.records)
        self.released()
        return True

    def released(self) -> None:
        """What the shoe said while somebody looked at the cards."""
        if self.devices is not None:
            try:
                self.heard(self.devices.release())
            except JournalFault as fault:
                self.fault(fault)

    def report(self, report: Report) -> None:
        """What a device says."""
        self._pending.append(report)
        if len(self._pending) == 1:
            self._take_reports()

    def _take_reports(self) -> None:
        """Carries out what devices have said, in order; what the journal does not take waits."""
        while self._pending and self.devices is not None:
            try:
                records = self.devices.take(self._pending[0])
            except JournalFault as fault:
                self.fault(fault)
                return
            self._pending.popleft()
            self.heard(records)

    def resume(self) -> None:
        """After a fault of the journal: what the devices said meanwhile comes first."""
        from omaha_table.dealer.faults import JournalStop

        if isinstance(self.mode, JournalStop):
            self.leave()
        self._take_reports()

    def fault(self, fault: JournalFault) -> None:
        from omaha_table.dealer.faults import JournalStop

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
            text = describe(event)
            if text is not None:
                self.log.appendleft(f"{stamp}  {text.line}")
            match event:
                case Acted():
                    hand = self.session.state.hand
                    street = -1 if hand is None else hand.street
                    self._acts.append((record.seq, event.entry, street, event.seat, action(event)))
                case HandDeclared():
                    gone = (event.seat, "DEAD")
                    out = (gone, (event.seat, "FOLD"))
                    self._acts = [act for act in self._acts if act[3:] not in out]
                    if event.dead:
                        self._acts.append((record.seq, event.entry, -1, *gone))
                case Undone():
                    self._acts = [act for act in self._acts if act[0] not in event.seqs]
                case BackedUp():
                    self._acts = [act for act in self._acts if act[1] <= event.to]
                case HandStarted():
                    self._acts, self._events, self.remedy = [], {}, ()
                case RemedyOrdered():
                    self._show_remedy(event)
            self._events[record.seq] = event

    def _show_remedy(self, event: RemedyOrdered) -> None:
        from omaha_table.dealer.faults import RemedySteps

        self.leave_all()
        self.remedy = event.steps
        self.enter(RemedySteps(self, event.steps))

    def push_done(self) -> None:
        self.do(Push())
