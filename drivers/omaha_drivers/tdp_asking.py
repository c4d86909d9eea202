"""What a TDP host asks a device: who it is, with which key, and to do something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_drivers import tdp_codec as codec
from omaha_drivers.events import Trust
from omaha_drivers.framing import line
from omaha_drivers.text import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from omaha_drivers.settings import DeviceSettings

AGAIN: Final = 0.25
LATER: Final = 1.0
TRIES: Final = 4
CHALLENGES: Final = 8
"""More than for other questions: not to answer is to be the wrong device."""
MOST: Final = 8


@dataclass(frozen=True, slots=True)
class Hello:
    """All that a device claims of itself."""

    kind: str
    vendor: str
    model: str
    serial: str
    firmware: str
    session: str
    last: int
    caps: str


@dataclass(frozen=True, slots=True)
class Welcome:
    hello: Hello
    trust: Trust


@dataclass(frozen=True, slots=True)
class Refusal:
    why: str


class Greeting:
    """Asks until the device has said who it is and, where there is a key, has proved it."""

    def __init__(self, settings: DeviceSettings, nonce: Callable[[], str]) -> None:
        self._settings = settings
        self._nonce = nonce
        self._due: float | None = None
        self._tries = 0
        self._fields: Sequence[str] = ()
        self._challenge = ""

    @property
    def due(self) -> float | None:
        return self._due

    def begin(self, now: float) -> bytes:
        """Says hello, unless that is under way."""
        return b"" if self._due is not None else self._start(now)

    def stop(self) -> None:
        self._due, self._challenge = None, ""

    def tick(self, now: float) -> tuple[bytes, Refusal | None]:
        if self._due is None or now < self._due:
            return b"", None
        if not self._challenge:
            self._tries += 1
            self._due = now + (AGAIN if self._tries <= TRIES else LATER)
            return line("HELO", "1", self._nonce()), None
        if self._tries < CHALLENGES:
            self._tries += 1
            self._due = now + AGAIN
            return line("AUTH", self._challenge), None
        self._challenge = ""
        self._due, self._tries = now + LATER, TRIES
        return b"", Refusal("The device has not answered the challenge with the shared key.")

    def hello(self, fields: Sequence[str], now: float) -> tuple[bytes, Welcome | Refusal | None]:
        if self._due is None or self._challenge or len(fields) != 9:
            return b"", None
        version, kind, _, _, serial, _, session, last, caps = fields
        settings = self._settings
        if version != "1":
            return b"", Refusal("The device speaks another version of the protocol.")
        if kind != codec.KINDS[settings.kind]:
            return b"", Refusal(f"The device is not a {settings.kind}.")
        if settings.serial and serial != settings.serial:
            return b"", Refusal(f"The device has the serial number {printable(serial)}.")
        if codec.hexed(last, 8) is None or codec.hexed(session, 16) is None:
            return b"", Refusal("The device's greeting cannot be read.")
        self._fields = fields[1:]
        if not settings.key:
            return b"", self._welcome(Trust.PINNED if settings.serial else Trust.UNPINNED)
        if "AUTH" not in caps.split("+"):
            return b"", Refusal("The device cannot answer a challenge with the shared key.")
        self._challenge, self._tries, self._due = self._nonce(), 1, now + AGAIN
        return line("AUTH", self._challenge), None

    def proof(self, fields: Sequence[str]) -> Welcome | None:
        """None: not asked for, or not made with the key for this challenge and session."""
        if not self._challenge or len(fields) != 1:
            return None
        expected = codec.proof(self._settings.key, self._challenge, self._fields)
        return self._welcome(Trust.AUTHENTICATED) if codec.same(fields[0], expected) else None

    def _welcome(self, trust: Trust) -> Welcome:
        kind, vendor, model, serial, firmware, session, last, caps = self._fields
        self.stop()
        number = codec.hexed(last, 8) or 0
        return Welcome(Hello(kind, vendor, model, serial, firmware, session, number, caps), trust)

    def _start(self, now: float) -> bytes:
        self._tries, self._due = 1, now + AGAIN
        return line("HELO", "1", self._nonce())


@dataclass(slots=True)
class _Request:
    frame: bytes
    verb: str
    due: float
    tries: int = 1


class Requests:
    """Commands under way; one sent again has the same number, so that it is done once."""

    def __init__(self) -> None:
        self._open: dict[str, _Request] = {}
        self._count = 0

    @property
    def due(self) -> float | None:
        return min((request.due for request in self._open.values()), default=None)

    @property
    def full(self) -> bool:
        return len(self._open) >= MOST

    def clear(self) -> None:
        self._open.clear()

    def send(self, words: Sequence[str], now: float) -> bytes:
        self._count += 1
        number = f"{self._count:04X}"
        frame = line("CMD", number, *words)
        self._open[number] = _Request(frame, words[0], now + AGAIN)
        return frame

    def answered(self, fields: Sequence[str]) -> str | None:
        """A sentence where the device has refused."""
        request = self._open.pop(fields[1], None) if len(fields) > 1 else None
        if request is None or fields[0] == "OK":
            return None
        return printable(f"{request.verb} refused: {' '.join(fields[2:3])}", 48)

    def tick(self, now: float) -> tuple[bytes, list[str]]:
        """What to send again, and what nobody has answered."""
        again, given_up = b"", []
        for number, request in list(self._open.items()):
            if now >= request.due and request.tries >= TRIES:
                del self._open[number]
                given_up.append(f"{request.verb} not answered")
            elif now >= request.due:
                request.tries += 1
                request.due = now + AGAIN
                again += request.frame
        return again, given_up
