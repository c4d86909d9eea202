"""What the dealer sees of the room: a real console on a pty, its shipper, a real PostgreSQL."""

from __future__ import annotations

import os
import shutil
import signal
from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.days import day_files
from omaha_table.journal.reader import Reader
from tests.journal.days import open_session, say
from tests.room.at_a_table import at_the_table, children, is_alive, wait_for

if TYPE_CHECKING:
    from pathlib import Path

    from tests.console.terminal import Terminal
    from tests.room.at_a_table import AtTheTable
    from tests.room.conftest import Room


@pytest.fixture
def table(room: Room, tmp_path: Path) -> AtTheTable:
    return at_the_table(tmp_path, room, tmp_path)


def draw_the_button(terminal: Terminal) -> None:
    terminal.wait("BUTTON DRAW")
    terminal.press("enter", "1", "3", "/", "4", "*", "1", "2", "-")
    terminal.wait("START HAND 1")


def last_event(table: AtTheTable) -> int:
    with Reader(day_files(table.data, "t7")[-1]) as reader:
        return reader.count()


def wait_until_witnessed(table: AtTheTable, terminal: Terminal) -> None:
    def witnessed() -> bool:
        terminal.read()
        table.look()
        there = table.status.cosigned_seq == last_event(table)
        return there and "● ROOM  witnessed" in terminal.text

    wait_for(witnessed, f"not witnessed\n{terminal.text}")


def test_a_room_that_is_away_is_shown_and_gets_the_open_hand_when_it_is_back(
    table: AtTheTable,
) -> None:
    table.let_in(allowed=False)
    with table.console() as terminal:
        draw_the_button(terminal)
        terminal.wait("ROOM away since")
        terminal.press("+")
        terminal.wait("CARDS ARE OUT")
        terminal.press("0")
        terminal.wait("hole cards out")
        assert "FAULT" not in terminal.text
        shown = terminal.wait(lambda text: "events wait" in text)
        assert "Still open: ROOM away since" in shown
        assert table.status.day is None
        table.let_in(allowed=True)
        wait_until_witnessed(table, terminal)
        terminal.wait("No alarms")

        def heard() -> bool:
            beat = table.beat
            return beat.get("seq") == last_event(table) and beat.get("hand") == 1

        wait_for(heard, f"no heartbeat: {table.beat}")
        step = table.beat["step"]
        assert (step["who"], step["what"]) == ("seat", "act")
        assert (table.beat["seats"], table.beat["dealt"], table.beat["open"]) == (3, 3, 6)
        terminal.press("/", "enter")
        wait_for(lambda: table.beat["floor_called"])


def test_no_shipper_is_left_and_none_is_missing(table: AtTheTable) -> None:
    with table.console() as terminal:
        draw_the_button(terminal)
        wait_until_witnessed(table, terminal)
        [shipper] = children(terminal.pid)
        os.kill(shipper, signal.SIGKILL)
        wait_for(lambda: children(terminal.pid) not in ([], [shipper]), "no new shipper")
        terminal.press("+")
        terminal.wait("CARDS ARE OUT")
        wait_until_witnessed(table, terminal)
        [shipper] = children(terminal.pid)
        wait_for(lambda: table.beat.get("hand") == 1)
        # What a console said before it hung is not where the table is now.
        os.kill(terminal.pid, signal.SIGSTOP)
        wait_for(lambda: table.beat.get("console_silent"), "a console that hangs looks alive")
        assert "hand" not in table.beat
        os.kill(terminal.pid, signal.SIGCONT)
        wait_for(lambda: table.beat.get("hand") == 1, "a console that goes on looks dead")
        terminal.kill()
        wait_for(lambda: not is_alive(shipper), "the shipper outlives its console")


def test_a_log_that_was_put_back_is_an_alarm_of_its_own_until_somebody_answers(
    table: AtTheTable,
) -> None:
    session = open_session(table.data)
    say(session, "seat 1 A 200", "seat 2 B 200", "seat 3 C 200")
    session.close()
    shutil.copytree(table.data, table.folder / "backup")
    with table.console() as terminal:
        draw_the_button(terminal)
        wait_until_witnessed(table, terminal)
        terminal.press("/", "*", "9")
        assert terminal.end(40) == 0
    known = table.status.seq
    shutil.rmtree(table.data)
    shutil.copytree(table.folder / "backup", table.data)
    with table.console((80, 24)) as terminal:
        shown = terminal.wait("LOG ALARM: The room has more of this log than is here.")
        assert "call a shift manager" in " ".join(shown.split())
        assert "■ LOG ALARM" in shown
        assert "■ ROOM" not in shown
        terminal.wait("ALARM SEEN")
        terminal.press("*")
        shown = terminal.wait(lambda text: "Still open: ROOM log alarm (rolled back)" in text)
        assert "■ LOG ALARM" in shown
        # The floor sees the table, and nothing was taken from it.
        wait_for(lambda: table.status.alarm == "rolled_back" and table.beat.get("seq"))
        assert table.status.seq == known
        table.enroll(signed_by="S1 Sam", reason="the disk was replaced")

        def answered(text: str) -> bool:
            table.look()
            return "● ROOM" in text and "LOG ALARM" not in text

        terminal.wait(answered, 90)
    noted = [event for event in table.events() if "log_alarm" in event]
    assert len(noted) == 1
    assert "rolled_back" in noted[0]


def test_a_changed_password_is_shown_at_once_and_a_new_bundle_heals_it(table: AtTheTable) -> None:
    with table.console() as terminal:
        terminal.wait("BUTTON DRAW")
        wait_until_witnessed(table, terminal)
        old = table.bundle.read_bytes()
        table.enroll()
        new = table.bundle.read_bytes()
        table.bundle.write_bytes(old)
        table.cut_off()
        shown = terminal.wait("■ ROOM: The room refuses this program")
        words = " ".join(shown.split())
        assert "authentication failed" in words
        assert "it needs the new bundle. Deal on, and tell the shift manager." in words
        assert "■ ROOM" in shown
        terminal.press("*")
        terminal.wait("Still open: ROOM refuses this table")
        table.bundle.write_bytes(new)
        wait_until_witnessed(table, terminal)
