"""Adapters with mistakes, for tests of what the supervisor does about them."""

from __future__ import annotations

from typing import Any

from omaha_drivers.adapter import Actions, Emitted
from omaha_drivers.events import Link, LinkChanged
from omaha_drivers.tdp import Tdp

SECRET = " As Kd"


class Talker(Tdp):
    """Sends more than any device takes."""

    def opened(self, now: float) -> Actions:
        return Actions(send=b"x" * 100_000)


class FailsOnce(Tdp):
    """Fails at the first bytes, with a message that has in it what it was given."""

    failed: list[str] = []  # noqa: RUF012

    def feed(self, data: bytes, now: float) -> Actions:
        if self.failed:
            return super().feed(data, now)
        self.failed.append("once")
        raise ValueError(data.decode("latin-1") + SECRET)


class AlwaysFails(Tdp):
    """Comes alive and then fails each time, as if nothing had happened."""

    def feed(self, data: bytes, now: float) -> Actions:
        raise RuntimeError(data.decode("latin-1") + SECRET)


class CannotBeMade(Tdp):
    def __init__(self, *_: Any) -> None:
        raise KeyError(SECRET)


class MadeLater(Tdp):
    """Its constructor fails three times."""

    tried: list[int] = []  # noqa: RUF012

    def __init__(self, *given: Any) -> None:
        self.tried.append(1)
        if len(self.tried) <= 3:
            raise OSError(SECRET)
        super().__init__(*given)


class Exits(Tdp):
    """Ends what it takes to be its own program."""

    def feed(self, data: bytes, now: float) -> Actions:
        raise SystemExit(SECRET)


class ReturnsNothing(Tdp):
    def feed(self, data: bytes, now: float) -> Any:
        return None


class CannotCount(Tdp):
    def counters(self) -> dict[str, int]:
        raise ZeroDivisionError(SECRET)


class AlwaysDue(Tdp):
    """Wants its next tick at once, always, and counts them."""

    ticks: list[int] = [0]  # noqa: RUF012

    def opened(self, now: float) -> Actions:
        link = LinkChanged(Link.LIVE, "It is live.")
        return Actions((Emitted(link),), deadline=0.0)

    def tick(self, now: float) -> Actions:
        self.ticks[0] += 1
        return Actions(deadline=0.0)


class CannotMask(Tdp):
    masking = None  # type: ignore[assignment]
    """As an adapter that was written without a thought of recordings."""
