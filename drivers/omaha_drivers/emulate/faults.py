"""Faults of a line, by name; a seed makes them repeatable."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ON_FRAMES: Final = {
    "garbage": "random bytes before and after frames",
    "split": "a frame in several pieces",
    "merge": "several frames in one piece",
    "bad_check": "one byte of a frame changed",
    "repeat": "frames sent two or three times",
    "lose": "lost frames",
    "lose_last": "lost events with nothing after them",
    "lose_resends": "events lost every time they are sent",
    "reorder": "frames out of order",
    "endless_line": "a long line that never ends",
    "flood": "one frame sent hundreds of times",
}
ON_DEVICE: Final = {
    "unplug": "the port goes away and comes back",
    "power_cycle": "the device restarts",
    "silence": "the device sends nothing for some seconds",
    "trickle": "one byte every 200 ms",
    "stuck": "the device accepts no data",
    "no_heartbeat": "the device answers but sends no heartbeat",
    "wrong_serial": "the device has another serial number",
}
FAULTS: Final = ON_FRAMES | ON_DEVICE


@dataclass
class Faults:
    """Applies the faults in `names` to frames; `rate` is the probability of the random ones."""

    names: Sequence[str] = ()
    seed: int = 0
    rate: float = 0.15
    every: float = 3.0
    """Average seconds between two faults of the device."""
    chance: random.Random = field(init=False)
    events: set[bytes] = field(default_factory=set)
    """Frames that are events, and not answers or heartbeats; whoever makes the device report adds
    them. Those of TDP and Angel Eye are known by their first bytes, too."""
    struck: Counter[str] = field(default_factory=Counter, init=False)
    """How often each fault struck."""
    _late: list[bytes] = field(default_factory=list, init=False)
    _together: list[bytes] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        unknown = sorted(set(self.names) - set(FAULTS))
        if unknown:
            raise ValueError(
                f"Unknown fault: {', '.join(unknown)}. Known faults: {', '.join(FAULTS)}."
            )
        self.chance = random.Random(self.seed)

    def _hit(self, name: str) -> bool:
        hit = name in self.names and self.chance.random() < self.rate
        if hit:
            self.struck[name] += 1
        return hit

    def pieces(self, frames: Iterable[bytes]) -> list[bytes]:
        """The frames as they arrive over the line; delayed frames come with the next ones."""
        sent: list[bytes] = []
        for frame in frames:
            if self._is_lost(frame):
                continue
            copies = self.chance.randint(2, 3) if self._hit("repeat") else 1
            copies = 300 if self._hit("flood") and self._hit("flood") else copies
            for _ in range(copies):
                sent += self._damaged(frame)
            if self._late and sent:
                sent += self._late
                self._late.clear()
            if self._hit("reorder") and sent:
                self._late.append(sent.pop())
        if "merge" in self.names and sent:
            sent = [b"".join(sent)]
        return sent

    def _is_lost(self, frame: bytes) -> bool:
        is_event = frame in self.events or frame.startswith((b"$EV", b"\x05"))
        if "lose_resends" in self.names and (is_event or frame.startswith(b"$RE")):
            lost = sum(frame) % 5 == 0
            self.struck["lose_resends"] += lost
            return lost
        return self._hit("lose") or (is_event and self._hit("lose_last"))

    def _damaged(self, frame: bytes) -> list[bytes]:
        chance = self.chance
        if self._hit("bad_check"):
            at = chance.randrange(len(frame))
            frame = frame[:at] + bytes([frame[at] ^ chance.randint(1, 255)]) + frame[at + 1 :]
        if self._hit("garbage"):
            frame = self._noise() + frame + self._noise()
        if self._hit("endless_line") and self._hit("endless_line"):
            frame = b"$" + b"x" * 20_000 + frame
        if self._hit("split") and len(frame) > 2:
            at = chance.randrange(1, len(frame))
            return [frame[:at], frame[at:]]
        return [frame]

    def _noise(self) -> bytes:
        return self.chance.randbytes(self.chance.randint(1, 40))
