"""What a TDP host sends to a device: the handshake, the challenge, and commands."""

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

RETRY_SECONDS: Final = 0.25
SLOW_RETRY_SECONDS: Final = 1.0
TRIES: Final = 4
CHALLENGE_TRIES: Final = 8
"""More than for other requests: a device that does not answer counts as the wrong one."""
MAX_OPEN: Final = 8


@dataclass(frozen=True, slots=True)
class Hello:
    """What a device claims about itself."""

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


class Handshake:
    """Asks until the device has identified itself and, if there is a key, proved it."""

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
        """Starts the handshake unless one is under way."""
        return b"" if self._due is not None else self._start(now)

    def stop(self) -> None:
        self._due, self._challenge = None, ""

    def tick(self, now: float) -> tuple[bytes, Refusal | None]:
        if self._due is None or now < self._due:
            return b"", None
        if not self._challenge:
            self._tries += 1
            self._due = now + (RETRY_SECONDS if self._tries <= TRIES else SLOW_RETRY_SECONDS)
            return line("HELO", "1", self._nonce()), None
        if self._tries < CHALLENGE_TRIES:
            self._tries += 1
            self._due = now + RETRY_SECONDS
            return line("AUTH", self._challenge), None
        self._challenge = ""
        self._due, self._tries = now + SLOW_RETRY_SECONDS, TRIES
        return b"", Refusal("The device did not answer the challenge with the shared key.")

    def hello(self, fields: Sequence[str], now: float) -> tuple[bytes, Welcome | Refusal | None]:
        if self._due is None or self._challenge or len(fields) != 9:
            return b"", None
        version, kind, _, _, serial, _, session, last, caps = fields
        settings = self._settings
        if version != "1":
            return b"", Refusal("The device uses another version of the protocol.")
        if kind != codec.KINDS[settings.kind]:
            return b"", Refusal(f"This device is not a {settings.kind}.")
        if settings.serial and serial != settings.serial:
            return b"", Refusal(f"Wrong device: its serial number is {printable(serial)}.")
        if codec.parse_hex(last, 8) is None or codec.parse_hex(session, 16) is None:
            return b"", Refusal("The device's identification cannot be read.")
        self._fields = fields[1:]
        if not settings.key:
            return b"", self._welcome(Trust.PINNED if settings.serial else Trust.UNPINNED)
        if "AUTH" not in caps.split("+"):
            return b"", Refusal("The device cannot answer a challenge with the shared key.")
        self._challenge, self._tries, self._due = self._nonce(), 1, now + RETRY_SECONDS
        return line("AUTH", self._challenge), None

    def proof(self, fields: Sequence[str]) -> Welcome | None:
        """None: not requested, or not made with the key for this challenge and session."""
        if not self._challenge or len(fields) != 1:
            return None
        expected = codec.proof(self._settings.key, self._challenge, self._fields)
        return (
            self._welcome(Trust.AUTHENTICATED) if codec.same_digest(fields[0], expected) else None
        )

    def _welcome(self, trust: Trust) -> Welcome:
        kind, vendor, model, serial, firmware, session, last, caps = self._fields
        self.stop()
        number = codec.parse_hex(last, 8) or 0
        return Welcome(Hello(kind, vendor, model, serial, firmware, session, number, caps), trust)

    def _start(self, now: float) -> bytes:
        self._tries, self._due = 1, now + RETRY_SECONDS
        return line("HELO", "1", self._nonce())


@dataclass(slots=True)
class _Request:
    frame: bytes
    verb: str
    due: float
    tries: int = 1


class Requests:
    """Pending commands. A retry has the same number, so the device carries it out only once."""

    def __init__(self) -> None:
        self._open: dict[str, _Request] = {}
        self._count = 0

    @property
    def due(self) -> float | None:
        return min(request.due for request in self._open.values()) if self._open else None

    @property
    def full(self) -> bool:
        return len(self._open) >= MAX_OPEN

    def clear(self) -> None:
        self._open.clear()

    def send(self, words: Sequence[str], now: float) -> bytes:
        self._count += 1
        number = f"{self._count:04X}"
        frame = line("CMD", number, *words)
        self._open[number] = _Request(frame, words[0], now + RETRY_SECONDS)
        return frame

    def answered(self, fields: Sequence[str]) -> str | None:
        """A warning if the device refused."""
        request = self._open.pop(fields[1], None) if len(fields) > 1 else None
        if request is None or fields[0] == "OK":
            return None
        return printable(f"{request.verb} refused: {' '.join(fields[2:3])}", 48)

    def tick(self, now: float) -> tuple[bytes, list[str]]:
        """What to send again, and a warning for each command that got no answer."""
        again, given_up = b"", []
        for number, request in list(self._open.items()):
            if now >= request.due and request.tries >= TRIES:
                del self._open[number]
                given_up.append(f"no answer to {request.verb}")
            elif now >= request.due:
                request.tries += 1
                request.due = now + RETRY_SECONDS
                again += request.frame
        return again, given_up
