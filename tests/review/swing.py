"""A swing shift with a bit of everything in it, on a clock of its own, for screens and queues."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.journal.writer import Clock
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.script import run_line
from omaha_table.table.commands import NoteDevice
from tests.evening_text import evening
from tests.staff_files import without_dealers

if TYPE_CHECKING:
    from pathlib import Path

AT = 1_763_319_600.0
"""2025-11-16 19:00:00 UTC."""
REFUSED_IN, UNDONE_IN, DEVICE_IN, RESTART_IN, SLOW, CLOCK_AFTER = 3, 5, 8, 11, 13, 16
HANDS = 24
MISDEALT, READ = HANDS + 1, HANDS + 2


class Swing:
    def __init__(self, folder: Path, table: str = "t7", seed: int = 11) -> None:
        self.folder, self.table = folder, table
        self.wall, self.mono = AT, 1000.0
        self.session = self._open()
        self._done: set[str] = set()
        self._rest = list(evening(HANDS, seed))

    def _open(self) -> Session:
        profile = load_profile("ca_big_o")
        clock = Clock(lambda: self.wall, lambda: self.mono)
        return Session.on_journal(
            self.folder, self.table, profile, profile.limits[0], without_dealers(), clock=clock
        )

    def pass_time(self, seconds: float) -> None:
        self.wall += seconds
        self.mono += seconds

    def say(self, *lines: str) -> None:
        for line in lines:
            self.pass_time(5.0)
            for answer in run_line(self.session, 1, line):
                assert answer["type"] != "refused", (line, answer)

    def refused(self, line: str) -> None:
        self.pass_time(2.0)
        assert [answer["type"] for answer in run_line(self.session, 1, line)] == ["refused"], line

    def _once(self, what: str) -> bool:
        new = what not in self._done
        self._done.add(what)
        return new

    def play(self) -> Path:
        for line in self._rest:
            if line == "hand" and self._once("opened"):
                self.say("shift swing B7 J7", "down D114")
            self.say(line)
            self._spice(line)
        self.say("hand", "deal", 'floor 4711 misdeal "two cards of seat 4 exposed"')
        self.say("hand", "deal", *["call"] * 7, "check", "flop 7c 5h 2s", "check around")
        self.say("turn Kd", "check around", "river As", "check around", "high 1", "low 2", "push")
        self.refused("push")
        self.say("shift close")
        self.session.close()
        return next(self.folder.glob(f"{self.table}-*.journal"))

    def _spice(self, line: str) -> None:
        state = self.session.state
        number, acting = state.hands, self.session.step.what == "act"
        if number == REFUSED_IN and acting and self._once("refused"):
            self.refused("raise 500")
            self.refused("move 1 2")
        elif number == UNDONE_IN and line.endswith(" call") and self._once("undone"):
            self.say("undo", line)
        elif number == DEVICE_IN and acting and self._once("device"):
            self.session.do(NoteDevice("shuffler", "fault", "E21 belt"))
        elif number == RESTART_IN and acting and self._once("restart"):
            self.session.close()
            self.pass_time(40)
            self.session = self._open()
        elif number == SLOW and acting and self._once("slow"):
            self.pass_time(300)
        elif state.hand is None and number == CLOCK_AFTER and self._once("clock"):
            self.wall += 35
            self.session.do(NoteDevice("shoe", "link_changed", "down: the cable is out"))
            self.say("down D120")
