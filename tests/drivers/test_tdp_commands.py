"""Commands of the host to a TDP device: which are sent, how often, and what comes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_drivers.events import DeviceWarning
from omaha_drivers.framing import line

from tests.drivers.tdp_bench import shoe

if TYPE_CHECKING:
    from omaha_drivers.conformance.bench import Bench


def test_a_command_is_sent_once_more_with_the_same_number_and_done_once() -> None:
    bench = shoe(allow_commands=True).open().run(0.1)
    bench.line = lambda frames: [frame for frame in frames if not frame.startswith(b"$OK")]
    bench.command("LOCK")
    bench.run(2)
    commands = [frame for frame in bench.sent if b"CMD" in frame]
    assert len(commands) == 4
    assert len(set(commands)) == 1
    assert bench.events[-1] == DeviceWarning("no answer to LOCK")
    assert bench.model.last == 1


def test_a_refusal_is_told() -> None:
    bench = shoe(allow_commands=True).open().run(0.1)
    bench.model.obeys = False
    bench.command("UNLOCK")
    assert bench.events[-1] == DeviceWarning("UNLOCK refused: BUSY")


def test_the_state_may_always_be_asked() -> None:
    bench = shoe().open()
    bench.command("STAT")
    assert bench.sent[-1] == line("STAT")


def commands(bench: Bench) -> list[bytes]:
    return [frame for frame in bench.sent if frame.startswith(b"$CMD")]


def test_a_command_is_not_sent_before_the_device_is_live() -> None:
    bench = shoe(allow_commands=True)
    bench.line = lambda frames: []
    bench.open()
    bench.command("LOCK")
    assert bench.events == [DeviceWarning("LOCK not sent: the device is not connected")]
    assert commands(bench) == []


def test_a_command_with_words_that_no_device_knows_is_not_sent() -> None:
    bench = shoe(allow_commands=True).open().run(0.1)
    for verb in ("LOCK a,b", "LOCK *0000", "LOCK " + "x" * 17, "LOCK \u0665"):
        bench.command(verb)
    assert bench.events[-4:] == [DeviceWarning("unknown command")] * 4
    assert commands(bench) == []


def test_eight_commands_at_most_are_under_way() -> None:
    bench = shoe(allow_commands=True).open().run(0.1)
    bench.hears = False
    for _ in range(9):
        bench.command("LOCK")
    assert len(commands(bench)) == 8
    assert bench.events[-1] == DeviceWarning("LOCK not sent: too many commands are pending")


def test_a_command_under_way_is_forgotten_with_the_line() -> None:
    bench = shoe(allow_commands=True).open().run(0.1)
    bench.hears = False
    bench.command("UNLOCK")
    bench.close()
    bench.hears = True
    bench.open().run(2)
    assert len(commands(bench)) == 1, "nobody is surprised by an old command"
