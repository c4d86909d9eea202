"""How long a script waits for a device: while it may bring something, and never without an end."""

from __future__ import annotations

import itertools
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from omaha_drivers import events as said
from omaha_drivers.emulate import EmulatedShuffler
from omaha_drivers.settings import DeviceSettings

from omaha_table.session.device_loop import MAX_QUEUED, DeviceLoop
from tests.evenings import draw_lines
from tests.journal.days import open_session, say
from tests.session.inside import hear, reports_waiting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from omaha_table.session import Session

PATIENCE = 30.0
SOON = 15.0
"""Far less than the patience, and enough for a busy machine."""


def seconds(act: Callable[[], object]) -> float:
    start = time.monotonic()
    act()
    return time.monotonic() - start


@contextmanager
def in_a_deal(folder: Path) -> Iterator[Session]:
    """A hand that waits for the cards of a shoe."""
    session = open_session(folder / "data")
    say(
        session,
        *(f"seat {seat} P{seat} 200" for seat in range(1, 5)),
        *draw_lines(4, range(1, 5)),
        "hand",
    )
    yield session
    session.close()


def settings(folder: Path, *kinds: str) -> list[DeviceSettings]:
    return [
        DeviceSettings(kind, "shoe" if kind == "shoe" else "shuffler", "tdp", str(folder / kind))
        for kind in kinds
    ]


def test_a_shoe_that_is_out_of_use_is_not_waited_for(tmp_path: Path) -> None:
    with in_a_deal(tmp_path) as session:
        say(session, 'floor 4711 device shoe "it is broken"')
        with DeviceLoop(session, settings(tmp_path, "shoe")) as loop:
            assert seconds(lambda: list(loop.process(PATIENCE))) < SOON


def test_a_shuffler_that_has_jammed_is_not_waited_for(tmp_path: Path) -> None:
    shuffler = EmulatedShuffler(tmp_path / "shuffler")
    shuffler.start()
    session = open_session(tmp_path / "data", deck_required=True)
    say(session, "seat 1 A 200", "seat 2 B 200", *draw_lines(1, (1, 2)))
    assert session.step.what == "deck"
    try:
        with DeviceLoop(session, settings(tmp_path, "shuffler")) as loop:
            while not (live := loop.devices.of("shuffler")) or not live.usable:
                list(loop.process(0.1))
            shuffler.shuffle("red")
            shuffler.jam()
            assert seconds(lambda: list(loop.process(PATIENCE))) < SOON
            found = loop.devices.of("shuffler")
            assert found is not None
            assert found.alarm.startswith("Jam")
            assert session.step.what == "deck"
    finally:
        session.close()
        shuffler.stop()


def test_a_device_that_will_not_stop_talking_does_not_hold_a_script(tmp_path: Path) -> None:
    """All that was said before is carried out; what comes meanwhile waits for the next time."""
    numbers = itertools.count()

    def talk() -> None:
        changed = said.SettingsChanged(f"setting {next(numbers)}")
        hear(loop, said.Report("shoe", changed, "", 0.0))

    with in_a_deal(tmp_path) as session:
        loop = DeviceLoop(session, settings(tmp_path, "shoe"))
        for _ in range(3):
            talk()
        taken = []
        for record in loop.process(0):
            taken.append(record)
            talk()
        assert len(taken) == 3
        assert reports_waiting(loop) == 3


def test_reports_that_nobody_takes_are_bounded_and_do_not_hold_up_the_end(tmp_path: Path) -> None:
    shuffler = EmulatedShuffler(tmp_path / "shuffler")
    shuffler.start()
    try:
        with in_a_deal(tmp_path) as session:
            loop = DeviceLoop(session, settings(tmp_path, "shuffler"))
            loop.__enter__()
            while not (live := loop.devices.of("shuffler")) or not live.usable:
                list(loop.process(0.1))
            end = time.monotonic() + 30
            while reports_waiting(loop) < MAX_QUEUED and time.monotonic() < end:
                shuffler.jam()
                shuffler.clear_jam()
                time.sleep(0.002)
            for _ in range(100):
                shuffler.jam()
                shuffler.clear_jam()
            time.sleep(1.0)
            assert reports_waiting(loop) == MAX_QUEUED
            # In a thread of its own: an end that waits for ever must not hold the test.
            leaving = threading.Thread(target=loop.__exit__, daemon=True)
            leaving.start()
            leaving.join(SOON)
            assert not leaving.is_alive()
    finally:
        shuffler.stop()
