"""The Textual side of the console: bells, a door for keys, reports that wait their turn."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from omaha_drivers import events as said

from omaha_table.dealer.screen import app as module
from omaha_table.dealer.screen.app import REPORTS_WAITING, ConsoleApp
from tests.console.scenes import Table

if TYPE_CHECKING:
    import pytest


def note(number: int) -> said.Report:
    return said.Report("shoe", said.SettingsChanged(f"key {number}"), "", 0.0)


def test_devices_wait_where_the_table_cannot_keep_up_and_no_longer_than_the_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The loop of the screen stands still while this coroutine does."""
    made = Table(devices=True).live()
    taken: list[said.Report] = []
    app = ConsoleApp(made.console)
    monkeypatch.setattr(made.console, "report", taken.append)
    given = [note(number) for number in range(REPORTS_WAITING + 1)]

    async def run() -> None:
        async with app.run_test() as pilot:
            for report in given[:-1]:
                app.hear(report)
            device = threading.Thread(target=app.hear, args=(given[-1],), daemon=True)
            device.start()
            device.join(1.0)
            assert device.is_alive(), "it waits for room"
            while len(taken) < len(given):
                await pilot.pause()
            device.join(20)
            assert not device.is_alive()
            for report in given[:-1]:
                app.hear(report)
            app.crash = RuntimeError("planted")
            device = threading.Thread(target=app.hear, args=(given[-1],), daemon=True)
            device.start()
            device.join(20)
            assert not device.is_alive(), "nobody waits for a screen that has ended"

    asyncio.run(asyncio.wait_for(run(), 60))
    assert taken[: len(given)] == given


def test_a_key_after_the_console_was_shut_down_does_nothing() -> None:
    made = Table()
    app = ConsoleApp(made.console)

    async def run() -> None:
        async with app.run_test() as pilot:
            made.console.model = replace(made.console.model, quit=True)
            await pilot.press("enter")

    asyncio.run(asyncio.wait_for(run(), 60))
    assert made.session.state.hand is None
    assert made.console.model.keys == 0


def test_a_refusal_and_a_standing_fault_ring_the_bell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WALL_CLOCK_SECONDS", 1)
    made = Table(devices=True).live()
    rung: list[str] = []
    app = ConsoleApp(made.console)
    monkeypatch.setattr(app, "bell", lambda: rung.append("bell"))

    async def run() -> None:
        async with app.run_test() as pilot:
            await pilot.press("escape")
            assert rung == ["bell"]
            made.say("shuffler", said.Jammed("exit"))
            while len(rung) < 3:
                await pilot.pause(0.05)

    asyncio.run(asyncio.wait_for(run(), 60))
