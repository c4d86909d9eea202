"""A shuffler that speaks only when it is asked, in packets: sync, length, payload, CRC.

The host asks `I` (who are you?) and then `Q` with the number of the last event that it has. The
shuffler answers with the next event, or with `-` if there is none. So nothing is lost: what does
not arrive is asked for again. A session number, which changes when it starts, is in every answer.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final

from omaha_drivers import events as e
from omaha_drivers.adapter import Actions, Caps, Emitted, PortDefaults
from omaha_drivers.conformance import Trial
from omaha_drivers.framing import LengthFramer, packet
from omaha_drivers.options import read_options
from omaha_drivers.recording.masking import FrameMasking
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.text import printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_drivers.emulate.host import Model
    from omaha_drivers.settings import Kind

ANSWER: Final = struct.Struct(">IIcH")
"""Session, number of the event (or of the last one), code, value."""
BACKS: Final = ("", "red", "blue")
KEPT: Final = 256


@dataclass(frozen=True, slots=True)
class ShufflerOptions:
    poll_seconds: float = 0.2
    silent_after: float = 2.0
    deck: int = 52


class PolledShuffler:
    name = "polled_shuffler"
    kind: Kind = "shuffler"
    caps = Caps(session_id=True, resend=True, heartbeat=True, reports_count=True)
    port_defaults = PortDefaults(speed=19200, parity="E")

    def __init__(self, settings: DeviceSettings, resume_token: str = "") -> None:
        self._settings = settings
        self._options = read_options(ShufflerOptions, settings.options)
        self._framer = LengthFramer(longest=32)
        self._session, self._last = _parse(resume_token)
        self._ended: set[int] = set()
        self._cycle = 0
        self._link = e.Link.DOWN
        self._known = False
        self._heard = 0.0
        self._poll_at: float | None = None
        self._out: list[Emitted] = []

    def opened(self, now: float) -> Actions:
        self._framer.reset()
        self._link = e.Link.OPENING
        return self._ask(now)

    def closed(self, now: float) -> Actions:
        self._link, self._poll_at = e.Link.DOWN, None
        return self._flush()

    def command(self, verb: str, now: float) -> Actions:
        self._emit(e.DeviceWarning("this shuffler has no commands"))
        return self._flush()

    def masking(self) -> PolledMasking:
        return PolledMasking(self._settings, LengthFramer(longest=32))

    def replaying(self, sent: bytes) -> None:
        """Nothing: what it asks does not depend on chance."""

    def counters(self) -> dict[str, int]:
        return {"bad frames": self._framer.bad, "bytes dropped": self._framer.dropped}

    def tick(self, now: float) -> Actions:
        if self._link is e.Link.LIVE and now - self._heard >= self._options.silent_after:
            self._change(e.Link.SILENT, "The shuffler does not answer.")
        if self._poll_at is None or now < self._poll_at:
            return self._flush()
        return self._ask(now)

    def feed(self, data: bytes, now: float) -> Actions:
        again = False
        for payload in self._framer.feed(data):
            if payload[:1] == b"i" and self._link is e.Link.OPENING:
                self._identified(printable(payload[1:].decode("latin-1")))
                again = self._known
            elif len(payload) == ANSWER.size and self._link is not e.Link.WRONG and self._known:
                session, number, code, value = ANSWER.unpack(payload)
                again = self._answered(session, number, code, value, now) or again
        return self._ask(now) if again else self._flush()

    def _identified(self, serial: str) -> None:
        wanted = self._settings.serial
        if wanted and serial != wanted:
            self._change(e.Link.WRONG, f"Wrong device: its serial number is {serial}.")
        elif not self._known:
            self._known = True
            trust = e.Trust.PINNED if wanted else e.Trust.UNPINNED
            self._emit(e.Identified("", "Polled shuffler", serial, "", trust))

    def _answered(self, session: int, number: int, code: bytes, value: int, now: float) -> bool:
        """Returns whether there may be more to ask for at once."""
        if session in self._ended:
            return False
        self._heard = now
        if self._session is None:
            self._session, self._last = session, number
        elif session != self._session:
            self._ended.add(self._session)
            self._session, self._last = session, 0
            self._change(e.Link.LIVE, "The shuffler answers.")
            self._emit(e.Restarted())
            return True
        self._change(e.Link.LIVE, "The shuffler answers.")
        if code == b"-" or number <= self._last:
            return False
        if number > self._last + 1:
            self._emit(e.EventsLost(number - self._last - 1))
        self._last = number
        self._emit(self._event(code.decode("latin-1"), value))
        return True

    def _event(self, code: str, value: int) -> e.DeviceEvent:
        if code == "S":
            self._cycle = value
        if code == "V":
            good = value == self._options.deck
            if good:
                return e.DeckVerified(self._cycle, value, ok=True, result="ok")
            short = value < self._options.deck
            return e.DeckVerified(self._cycle, value, False, "short" if short else "over")
        if code == "C":
            return e.ShuffleComplete(self._cycle, value)
        make = _EVENTS.get(code)
        return make(value) if make is not None else e.DeviceWarning("unknown event")

    def _ask(self, now: float) -> Actions:
        self._poll_at = now + self._options.poll_seconds
        query = struct.pack(">cI", b"Q", self._last) if self._known else b"I"
        return self._flush(packet(query))

    def _change(self, link: e.Link, why: str) -> None:
        if link is not self._link:
            self._link = link
            self._emit(e.LinkChanged(link, why))

    def _emit(self, event: e.DeviceEvent) -> None:
        token = "" if self._session is None else f"{self._session}:{self._last}"
        self._out.append(Emitted(event, token))

    def _flush(self, send: bytes = b"") -> Actions:
        actions = Actions(tuple(self._out), send, self._poll_at)
        self._out.clear()
        return actions


_EVENTS: Final[dict[str, Callable[[int], e.DeviceEvent]]] = {
    "I": lambda value: e.DeckIn(BACKS[value % len(BACKS)]),
    "S": e.ShuffleStarted,
    "T": e.DeckTaken,
    "J": lambda value: e.Jammed("exit"),
    "j": lambda value: e.JamCleared("exit"),
    "O": lambda value: e.DoorChanged(bool(value)),
    "W": lambda value: e.DeviceWarning(f"W{value}"),
}


class PolledMasking(FrameMasking):
    """A shuffler reports no card, so each message that it knows is kept."""

    def wire(self, frame: bytes) -> bytes:
        return packet(frame)

    def masked(self, frame: bytes) -> bytes | None:
        known = frame[:1] == b"i" or (len(frame) == ANSWER.size and _is_known(frame))
        return frame if known else None


def _is_known(answer: bytes) -> bool:
    _, _, code, _ = ANSWER.unpack(answer)
    return code in b"-VC" or code.decode("latin-1") in _EVENTS


def _parse(token: str) -> tuple[int | None, int]:
    session, _, last = token.partition(":")
    return (int(session), int(last)) if session.isdecimal() and last.isdecimal() else (None, 0)


# The model and its trial


class PolledModel:
    heartbeat = False

    def __init__(self, serial: str = "PS-1", seed: int = 1) -> None:
        self.serial = serial
        self.out: list[bytes] = []
        self._chance = Random(seed)
        self._framer = LengthFramer()
        self._session = self._chance.getrandbits(32)
        self._events: list[tuple[bytes, int]] = []
        self._cycle = 0

    def report(self, code: bytes, value: int = 0) -> None:
        self._events.append((code, value))

    def shuffle(self, back: str = "red", count: int = 52) -> None:
        self._cycle += 1
        self.report(b"I", BACKS.index(back))
        self.report(b"S", self._cycle)
        self.report(b"V", count)
        if count == 52:
            self.report(b"C", count)

    def take(self) -> None:
        self.report(b"T", self._cycle)

    def power_cycle(self) -> None:
        self.out.clear()
        self._events.clear()
        self._session = self._chance.getrandbits(32)

    def feed(self, data: bytes, now: float) -> None:
        for payload in self._framer.feed(data):
            if payload == b"I":
                self.out.append(packet(b"i" + self.serial.encode("ascii")))
            elif payload[:1] == b"Q" and len(payload) == 5:
                self._answer(int.from_bytes(payload[1:]))

    def _answer(self, last: int) -> None:
        number = max(last, len(self._events) - KEPT) + 1
        if number <= len(self._events):
            code, value = self._events[number - 1]
        else:
            number, code, value = len(self._events), b"-", 0
        self.out.append(packet(ANSWER.pack(self._session, number, code, value)))

    def tick(self, now: float) -> None:
        """Does nothing: it speaks only when it is asked."""

    def deadline(self) -> None:
        return None


class PolledTrial(Trial):
    settings = DeviceSettings(
        "shuffler", "shuffler", f"{__name__}:PolledShuffler", "", serial="PS-1"
    )

    def adapter(self, settings: DeviceSettings, resume_token: str) -> PolledShuffler:
        return PolledShuffler(settings, resume_token)

    def model(self) -> Model:
        return PolledModel()

    def happen(self, model: PolledModel, number: int) -> str:
        model.report(b"W", number)
        return f"W{number}"

    def label(self, event: e.DeviceEvent) -> str | None:
        return event.code if isinstance(event, e.DeviceWarning) and event.code[:1] == "W" else None
