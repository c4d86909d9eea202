"""What a driver reported, held against what the device sent and what reached the host.

Everything that passes between host and line is kept in order. The frames in it are read here once
more, by the words of the protocol and not by the driver's own code. An event must be reported as
the device sent it, once and in order. It may be reported lost only where the protocol allows that:
the device says that it no longer has it, or it was asked for four times, 250 ms apart, and neither
it nor anything else that was asked for came.
"""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from omaha_drivers.events import (
    CardDrawn,
    EventsLost,
    Identified,
    LinkChanged,
    Restarted,
    ShoeEmpty,
    ShoeLoaded,
)
from omaha_drivers.sealed import reveal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from omaha_drivers.adapter import Actions, Adapter
    from omaha_drivers.events import DeviceEvent

TRIES = 4
AGAIN = 0.25
LATE = 0.1
"""How much later than it was decided a request may be seen on the line."""
AHEAD = 64
_FRAME = re.compile(rb"\$([^$*\r\n]{1,128})\*([0-9A-F]{4})")

Said = tuple[str, tuple[str, ...]]
"""An event as the device made it: its code and what it carries."""


@dataclass
class Figures:
    decks: int = 0
    sent: int = 0
    """Events that the device made."""
    compared: int = 0
    """Events that were reported and compared with the one the device made."""
    cards: int = 0
    lost: int = 0
    """Events that were reported lost, each explained."""
    losses: int = 0
    unplugs: int = 0
    restarts: int = 0
    """Of the host."""
    struck: dict[str, int] = field(default_factory=dict)
    """How often which fault struck a frame."""

    def add(self, struck: Mapping[str, int]) -> None:
        for name, count in struck.items():
            self.struck[name] = self.struck.get(name, 0) + count


@dataclass(frozen=True)
class Moment:
    now: float
    opened: bool = False
    heard: bytes = b""
    """What reached the host."""
    asked: bytes = b""
    """What the host sent."""
    event: DeviceEvent | None = None
    place: str = ""


class Wrong(AssertionError):  # noqa: N818 - it is what is found, not an error of ours
    """A driver reported what it must not, or did not report what it must."""


class LineAccount:
    """Keeps what passes, in order; `check` goes through it once all is done."""

    def __init__(self) -> None:
        self.moments: list[Moment] = []

    def opened(self, now: float) -> None:
        self.moments.append(Moment(now, opened=True))

    def heard(self, now: float, data: bytes) -> None:
        self.moments.append(Moment(now, heard=data))

    def asked(self, now: float, data: bytes) -> None:
        self.moments.append(Moment(now, asked=data))

    def reported(self, now: float, event: DeviceEvent, place: str) -> None:
        self.moments.append(Moment(now, event=event, place=place))

    def check(self, session: str, said: Sequence[Said], figures: Figures) -> None:
        """Raises Wrong at the first report that is not as it must be."""
        _Check(session, said, figures).run(self.moments)


@dataclass(frozen=True)
class _Ask:
    now: float
    first: int
    last: int


class _Check:
    def __init__(self, session: str, said: Sequence[Said], figures: Figures) -> None:
        self._session, self._said, self._figures = session, said, figures
        self._next = 1
        self._rest = b""
        self._heard: set[int] = set()
        self._gone: set[int] = set()
        self._asks: list[_Ask] = []
        """Since anything that was asked for has come."""
        self._asked_to = 0

    def run(self, moments: Sequence[Moment]) -> None:
        for moment in moments:
            if moment.opened:
                self._rest = b""
            for fields in self._frames(moment.heard):
                self._arrived(fields)
            for fields in _bodies(moment.asked):
                if fields[:2] == ["RSND", self._session]:
                    self._asks.append(_Ask(moment.now, int(fields[2], 16), int(fields[3], 16)))
                    self._asked_to = max(self._asked_to, self._asks[-1].last)
            if moment.event is not None:
                self._report(moment.event, moment)
        self._figures.sent += len(self._said)
        if self._next != len(self._said) + 1:
            raise Wrong(f"{len(self._said)} events were sent, {self._next - 1} are accounted for")

    def _frames(self, data: bytes) -> Iterator[list[str]]:
        if not data:
            return
        self._rest += data
        end = max((match.end() for match in _FRAME.finditer(self._rest)), default=0)
        yield from _bodies(self._rest[:end])
        self._rest = self._rest[end:][-4096:]

    def _arrived(self, fields: list[str]) -> None:
        if fields[1:2] != [self._session]:
            return
        if fields[0] == "GONE":
            self._gone |= set(range(int(fields[2], 16), int(fields[3], 16) + 1))
        elif fields[0] in ("EV", "RE"):
            number = int(fields[2], 16)
            new = number not in self._heard and self._next <= number < self._next + AHEAD
            if new and number <= self._asked_to:
                self._asks.clear()
            self._heard.add(number)

    def _report(self, event: DeviceEvent, moment: Moment) -> None:
        if isinstance(event, LinkChanged | Identified):
            return
        if isinstance(event, Restarted):
            raise Wrong("a restart was reported and there was none")
        if isinstance(event, EventsLost):
            self._lost(event, moment.now)
            return
        number = self._next
        if number > len(self._said):
            raise Wrong(f"event {number} was reported, and {len(self._said)} were sent")
        if number not in self._heard:
            raise Wrong(f"event {number} was reported and has not reached the host")
        if not _is(event, *self._said[number - 1]):
            raise Wrong(f"event {number} was {self._said[number - 1][0]}; another was reported")
        if moment.place != f"{self._session}:{number:08X}":
            raise Wrong(f"event {number} was reported at the place {moment.place}")
        self._figures.compared += 1
        self._figures.cards += isinstance(event, CardDrawn)
        self._next += 1

    def _lost(self, event: EventsLost, now: float) -> None:
        if event.count is None:
            raise Wrong("a loss was reported without a number")
        for number in range(self._next, self._next + event.count):
            if number > len(self._said):
                raise Wrong(f"event {number} was reported lost, and was never sent")
            if number in self._gone:
                continue
            asks = [ask for ask in self._asks if ask.first <= number <= ask.last]
            if len(asks) < TRIES:
                raise Wrong(f"event {number} was reported lost after {len(asks)} requests in vain")
            if now - asks[-TRIES].now < TRIES * AGAIN - LATE:
                raise Wrong(f"event {number} was reported lost too early")
        self._next += event.count
        self._figures.lost += event.count
        self._figures.losses += 1


def _bodies(data: bytes) -> Iterator[list[str]]:
    """The messages of whole frames."""
    for match in _FRAME.finditer(data):
        if binascii.crc_hqx(match[1], 0xFFFF) == int(match[2], 16):
            yield match[1].decode("ascii").split(",")


def _is(event: DeviceEvent, code: str, args: Sequence[str]) -> bool:
    match event:
        case CardDrawn(number, card, in_game):
            shown = "" if card is None else str(reveal(card))
            drawn = (str(number), shown, "G" if in_game else "N")
            return code == "CRD" and drawn == (args[0], args[1], args[3])
        case ShoeLoaded(count):
            return code == "LOD" and str(count) == args[1]
        case ShoeEmpty(number):
            return code == "EMP" and str(number) == args[0]
    return False


class Listened:
    """An adapter, with everything that passes it kept in an account."""

    def __init__(self, adapter: Adapter, account: LineAccount) -> None:
        self._adapter, self._account = adapter, account
        self.name, self.kind = adapter.name, adapter.kind
        self.caps, self.port_defaults = adapter.caps, adapter.port_defaults

    def opened(self, now: float) -> Actions:
        self._account.opened(now)
        return self._kept(self._adapter.opened(now), now)

    def feed(self, data: bytes, now: float) -> Actions:
        self._account.heard(now, data)
        return self._kept(self._adapter.feed(data, now), now)

    def tick(self, now: float) -> Actions:
        return self._kept(self._adapter.tick(now), now)

    def closed(self, now: float) -> Actions:
        return self._kept(self._adapter.closed(now), now)

    def command(self, verb: str, now: float) -> Actions:
        return self._kept(self._adapter.command(verb, now), now)

    def counters(self) -> Mapping[str, int]:
        return self._adapter.counters()

    def _kept(self, actions: Actions, now: float) -> Actions:
        for placed in actions.events:
            self._account.reported(now, placed.event, placed.resume_token)
        self._account.asked(now, actions.send)
        return actions
