"""Every row of a journal names who caused it, under the hash."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import count
from typing import TYPE_CHECKING

from omaha_drivers import events as device_events
from omaha_drivers.events import Link, Report
from omaha_drivers.settings import DeviceSettings

from omaha_table.dealer.console import Console
from omaha_table.journal.reader import Reader
from omaha_table.journal.writer import Clock, JournalWriter
from omaha_table.session.devices import Devices
from omaha_table.session.script import run_line
from tests.evenings import draw_lines
from tests.journal.days import CLOSE, check, journal_file, open_session, raw, say

if TYPE_CHECKING:
    from pathlib import Path

SEATED = ("seat 1 A 200", "seat 2 B 200", "seat 3 C 200", *draw_lines(1, (1, 2, 3)))


def actors(folder: Path) -> list[tuple[str, str]]:
    """The kind and the actor of every row."""
    with closing(Reader(journal_file(folder))) as reader:
        return [(row.kind, row.actor) for row in reader.since()]


def test_a_script_a_ruling_and_the_program_are_told_apart(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    say(session, *SEATED, "deal", 'floor 4711 4712 void "two decks on the table"', "step")
    say(session, CLOSE)
    session.close()
    found = actors(tmp_path)
    by_kind = dict(found)
    assert found[:2] == [("day_opened", "program"), ("table_opened", "program")]
    assert {actor for kind, actor in found if kind in ("player_seated", "hand_started")} == {
        "script"
    }
    ruled = [actor for kind, actor in found if kind == "ruled"]
    assert ruled == ["floor:F1+F2", "floor:F1"]
    assert ("hand_ended", "floor:F1+F2") in found
    seals = [actor for kind, actor in found if kind == "journal_sealed"]
    assert seals[0] == "floor:F1+F2", "the seal at the end of that hand"
    assert by_kind["day_closed"] == seals[-1] == "floor:F1"
    assert all(actor for _, actor in found)
    assert check(tmp_path).sound


def test_the_seal_of_a_street_is_whoever_ended_it(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    say(session, *SEATED, "deal", "call", "call", "check")
    session.close()
    assert actors(tmp_path)[-1] == ("street_sealed", "script")


def test_keys_of_the_dealer_wrong_pins_and_rulings_at_the_console(tmp_path: Path) -> None:
    console = Console(open_session(tmp_path))
    times = count(1.0)
    for text in ("seat 1 A 200", "seat 2 B 200", "draw 1 as", "draw 2 2s", "deal"):
        keys = ["space" if letter == " " else letter for letter in text]
        for name in ["colon", *keys, "enter"]:
            console.press(name, now=next(times))
    console.session.check_pin("0000", "dealer")
    console.session.close()
    found = actors(tmp_path)
    assert [actor for kind, actor in found if kind == "hand_started"] == ["dealer"]
    assert [actor for kind, actor in found if kind == "authority_refused"] == ["dealer"]
    assert {actor for _, actor in found} == {"program", "dealer"}


def test_a_wrong_pin_in_a_script_is_nobodys_ruling(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    say(session, *SEATED, "deal")
    assert [answer["type"] for answer in run_line(session, 1, 'floor 9999 misdeal "why"')] == [
        "authority_refused",
        "refused",
    ]
    session.close()
    [actor] = [actor for kind, actor in actors(tmp_path) if kind == "authority_refused"]
    assert actor == "script"


def test_what_a_device_reports_is_the_devices(tmp_path: Path) -> None:
    session = open_session(tmp_path, deck_required=True)
    settings = DeviceSettings(name="shuffler", kind="shuffler", adapter="tdp", port="/none")
    devices = Devices(session, [settings])
    reports: list[device_events.DeviceEvent] = [
        device_events.LinkChanged(Link.LIVE, ""),
        device_events.LinkChanged(Link.DOWN, "the cable is out"),
        device_events.DeckIn("red"),
        device_events.DeckVerified(1, 51, ok=False, result="short"),
    ]
    for event in reports:
        devices.take(Report("shuffler", event, "", 0.0))
    session.close()
    found = [row for row in actors(tmp_path) if row[0] in ("device_noted", "deck_reported")]
    assert {actor for _, actor in found} == {"device:shuffler"}
    assert {kind for kind, _ in found} == {"device_noted", "deck_reported"}


def test_a_restart_and_the_change_of_days_are_the_programs(tmp_path: Path) -> None:
    now = [1_800_000_000.0]
    clock = Clock(lambda: now[0], lambda: now[0])
    session = open_session(tmp_path, clock=clock)
    say(session, *SEATED)
    session.close()
    session = open_session(tmp_path, clock=clock)
    assert dict(actors(tmp_path))["recovered"] == "program"
    first = journal_file(tmp_path)
    now[0] += 86_400
    say(session, "seat 4 D 200")
    session.close()
    [second] = [path for path in tmp_path.glob("*.journal") if path != first]
    with closing(Reader(first)) as one, closing(Reader(second)) as other:
        assert [row.actor for row in one.since() if row.kind in ("day_closed", "journal_sealed")][
            -2:
        ] == ["program", "program"]
        rows = [(row.kind, row.actor) for row in other.since()]
    assert rows[:3] == [
        ("day_opened", "program"), ("table_opened", "program"), ("day_carried", "program"),
    ]  # fmt: skip
    assert ("player_seated", "script") in rows


def test_a_clock_that_was_moved_is_noted_with_the_command_that_found_it(tmp_path: Path) -> None:
    wall = [1_800_000_000.0]
    session = open_session(tmp_path, clock=Clock(lambda: wall[0], lambda: 5.0))
    wall[0] += 30
    say(session, "seat 1 A 200")
    session.close()
    assert actors(tmp_path)[-2:] == [("clock_stepped", "script"), ("player_seated", "script")]


def test_somebody_else_cannot_be_named_later(tmp_path: Path) -> None:
    """The attack: blame the dealer for what a script did, before the day is closed."""
    session = open_session(tmp_path)
    say(session, *SEATED)
    session.close()
    with closing(raw(journal_file(tmp_path))) as db, db:
        db.execute("UPDATE event SET actor = 'dealer' WHERE seq = 4")
    assert not check(tmp_path).sound


def test_a_journal_without_actors_is_still_sound_and_goes_on(tmp_path: Path) -> None:
    """As 0.1.0 wrote it: the column was there and empty."""
    link = JournalWriter._link
    try:
        JournalWriter._link = (  # type: ignore[method-assign]
            lambda self, records, actor, after=None: link(self, records, "", after)
        )
        session = open_session(tmp_path)
        say(session, *SEATED, "deal", "fold", "fold", "push")
        session.close()
    finally:
        JournalWriter._link = link  # type: ignore[method-assign]
    with closing(sqlite3.connect(journal_file(tmp_path))) as db:
        assert db.execute("SELECT DISTINCT actor FROM event").fetchall() == [("",)]
    assert check(tmp_path).sound
    session = open_session(tmp_path)
    say(session, "deal")
    session.close()
    assert check(tmp_path).sound
    assert [actor for kind, actor in actors(tmp_path) if kind == "hand_started"] == ["", "script"]
