"""The Textual side of the console: bells, a door for keys, reports that wait their turn."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

from omaha_drivers import events as said

from omaha_table.console import app as module
from omaha_table.console.app import REPORTS_WAITING, Console
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
    console = Console(made.front)
    monkeypatch.setattr(made.front, "report", taken.append)
    given = [note(number) for number in range(REPORTS_WAITING + 1)]

    async def run() -> None:
        async with console.run_test() as pilot:
            for report in given[:-1]:
                console.hear(report)
            device = threading.Thread(target=console.hear, args=(given[-1],), daemon=True)
            device.start()
            device.join(1.0)
            assert device.is_alive(), "it waits for room"
            while len(taken) < len(given):
                await pilot.pause()
            device.join(20)
            assert not device.is_alive()
            for report in given[:-1]:
                console.hear(report)
            console.crash = RuntimeError("planted")
            device = threading.Thread(target=console.hear, args=(given[-1],), daemon=True)
            device.start()
            device.join(20)
            assert not device.is_alive(), "nobody waits for a screen that has ended"

    asyncio.run(asyncio.wait_for(run(), 60))
    assert taken[: len(given)] == given


def test_a_key_after_the_console_was_shut_down_does_nothing() -> None:
    made = Table()
    console = Console(made.front)

    async def run() -> None:
        async with console.run_test() as pilot:
            made.front.quit = True
            await pilot.press("enter")

    asyncio.run(asyncio.wait_for(run(), 60))
    assert made.session.state.hand is None
    assert made.front.keys == 0


def test_a_refusal_and_a_standing_fault_ring_the_bell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CLOCK_SECONDS", 0.05)
    made = Table(devices=True).live()
    rung: list[str] = []
    console = Console(made.front)
    monkeypatch.setattr(console, "bell", lambda: rung.append("bell"))

    async def run() -> None:
        async with console.run_test() as pilot:
            await pilot.press("escape")
            assert rung == ["bell"]
            made.say("shuffler", said.Jammed("exit"))
            while len(rung) < 3:
                await pilot.pause(0.05)

    asyncio.run(asyncio.wait_for(run(), 60))
