"""What can happen to bytes on their way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_drivers.conformance.checking import (
    Check,
    all_came,
    always,
    promises,
    require,
    settle,
    started,
)
from omaha_drivers.emulate.faults import Faults
from omaha_drivers.events import CardDrawn, Link

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_drivers.conformance.trial import Trial


def _clean(trial: Trial) -> None:
    run = started(trial)
    run.happen(1, trial.count)
    run.run(1)
    all_came(run)
    require(run.links == [Link.LIVE], f"the link was {run.links} and not only live")
    drawn = [event.number for event in run.events if isinstance(event, CardDrawn)]
    expected = list(range(1, len(drawn) + 1))
    require(drawn == expected, "cards are not numbered from 1 since the deck was loaded")


def _faulty_line(faults: tuple[str, ...], seed: int) -> Callable[[Trial], None]:
    def check(trial: Trial) -> None:
        run = started(trial)
        names = [name for name in faults if name != "bad_check" or run.adapter.caps.checked]
        run.damage(Faults(names, seed, 0.2))
        run.happen(1, trial.count)
        settle(run, whole=len(faults) == 1)

    return check


def _byte_by_byte(trial: Trial) -> None:
    run = started(trial, lambda frames: [bytes([b]) for b in b"".join(frames)])
    run.happen(1, trial.count)
    run.run(0.5)
    all_came(run)


def _one_read(trial: Trial) -> None:
    run = started(trial, lambda frames: [b"".join(frames)])
    for number in range(1, trial.count + 1):
        run.happen_once(number)
    run.run(0.5)
    all_came(run)


def _three_times(trial: Trial) -> None:
    run = started(trial, lambda frames: [frame for f in frames for frame in (f, f, f)])
    run.happen(1, trial.count)
    run.run(0.5)
    all_came(run)


def _trickle(trial: Trial) -> None:
    run = started(trial)
    queue = bytearray()

    def hold(frames: list[bytes]) -> list[bytes]:
        queue.extend(b"".join(frames))
        return [b""]

    run.line = hold
    run.happen_once(1)
    run.exchange()
    for _ in range(600):
        if queue:
            run.feed(bytes(queue[:1]))
            del queue[:1]
        run.run(0.2, 0.2)
    all_came(run)


def _endless(trial: Trial) -> None:
    run = started(trial)
    for _ in range(100):
        run.feed(b"$\x05\xaa\x55" + b"\xd5x" * 30_000)
    run.feed(b"\r\n")
    run.happen(1, 3)
    run.run(0.5)
    all_came(run)


def _flood(trial: Trial) -> None:
    run = started(trial)
    run.line = lambda frames: [frame for f in frames for frame in [f] * 200]
    run.happen(1, min(trial.count, 10))
    run.run(0.5)
    all_came(run)


def _unasked_answers(trial: Trial) -> None:
    run = started(trial)
    run.happen(1, 5)
    for frame in [*run.answers[:8], b"\x15\x31", b"\x06"]:
        run.feed(frame * 100)
    run.happen(6, 12)
    settle(run)


_LINES: Final = (
    ("garbage",), ("split",), ("merge",), ("bad_check",), ("repeat",), ("lose",), ("lose_last",),
    ("reorder",), ("endless_line",),
    ("garbage", "split", "bad_check", "repeat", "lose", "reorder"),
)  # fmt: skip

LINE_CHECKS: Final = (
    Check("events come once, in order and as they were sent", _clean),
    *(
        Check(
            f"a bad line: {', '.join(names).replace('_', ' ')} (seed {seed})",
            _faulty_line(names, seed),
            promises("checked") if names == ("bad_check",) else always,
        )
        for names in _LINES
        for seed in range(3)
    ),
    Check("one byte at a time", _byte_by_byte),
    Check("everything in one read", _one_read),
    Check("everything three times", _three_times),
    Check("one byte every 200 ms", _trickle),
    Check("a line without an end", _endless),
    Check("every frame 200 times", _flood),
    Check("answers that nobody asked for", _unasked_answers),
)
