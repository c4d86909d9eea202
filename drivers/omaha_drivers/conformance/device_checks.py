"""What can happen to a device and its cable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_drivers.conformance.checking import (
    Check,
    check_account,
    new_run,
    promises,
    require,
    settle,
    started,
)
from omaha_drivers.conformance.trial import account
from omaha_drivers.events import EventsLost, Link, Restarted

if TYPE_CHECKING:
    from omaha_drivers.conformance.trial import Trial


def _mid_frame(trial: Trial) -> None:
    run = started(trial)
    run.happen(1, 10)
    run.line = lambda frames: [frame[: len(frame) // 2] for frame in frames]
    run.happen_once(11)
    run.exchange()
    run.close()
    run.line = list
    run.open()
    run.run(0.5)
    run.happen(12, 20)
    settle(run)


def _cable_out(trial: Trial) -> None:
    run = started(trial)
    run.happen(1, 10)
    run.close()
    for number in range(11, 21):
        run.happen_once(number)
    run.model.out.clear()
    run.open()
    run.run(0.5)
    run.happen(21, 25)
    settle(run)


def _power_cycle(trial: Trial) -> None:
    run = started(trial)
    run.happen(1, 10)
    run.model.power_cycle()
    run.run(2)
    told = sum(isinstance(event, Restarted) for event in run.events)
    require(told == 1, f"one restart of the device was reported {told} times")


def _power_cycle_unplugged(trial: Trial) -> None:
    run = started(trial)
    run.happen(1, 10)
    run.run(1)
    check_account(run)
    run.close()
    run.model.power_cycle()
    run.begin()
    if not run.adapter.caps.resend:
        run.model.out.clear()
    before = len(run.events)
    run.labels.clear()
    run.open()
    run.run(2)
    run.happen(1, 3)
    run.run(2)
    after = run.events[before:]
    word = next((at for at, e in enumerate(after) if isinstance(e, EventsLost | Restarted)), None)
    first = next((at for at, e in enumerate(after) if trial.label(e) is not None), len(after))
    require(word is not None and word < first, "a restart with the cable out was not noticed")
    fault = account(run.labels, after, trial)
    require(not fault, fault)


def _silence(trial: Trial) -> None:
    run = started(trial)
    run.happen(1, 5)
    run.line = lambda frames: []
    run.run(5)
    require(run.links[-1:] == [Link.SILENT], "five seconds of silence were not reported")
    run.line = list
    run.run(3)
    require(run.links[-1:] == [Link.LIVE], "it is not live again after a silence")
    run.happen(6, 10)
    settle(run)


def _other_speed(trial: Trial) -> None:
    run = new_run(trial)
    run.line = lambda frames: [bytes((b * 37 + 11) & 255 for b in f) for f in frames]
    run.open()
    run.begin()
    run.happen(1, trial.count)
    require(run.events == [], "it made events from bytes of another speed")


def _clock_jump(trial: Trial) -> None:
    run = started(trial)
    run.happen(1, 5)
    run.now += 3600
    run.run(2)
    run.happen(6, 10)
    settle(run)


DEVICE_CHECKS: Final = (
    Check("unplugged in the middle of a frame", _mid_frame, promises("numbered")),
    Check("events while the cable is out", _cable_out, promises("numbered")),
    Check("a power cycle is reported", _power_cycle, promises("session_id")),
    Check(
        "a power cycle while the cable is out is noticed",
        _power_cycle_unplugged,
        promises("numbered"),
    ),
    Check("silence is reported, and its end", _silence, promises("heartbeat")),
    Check("bytes of another speed are nothing", _other_speed),
    Check("a clock that jumps ahead", _clock_jump),
)
