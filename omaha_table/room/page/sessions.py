"""Who is signed in. Sessions live in memory here: a browser holds nothing but a random name.

A sign-in always makes a new name, so that one which somebody else put into a browser before is
worth nothing. Who touches nothing for a while is signed out, and so is everybody after a restart.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.office.events import Signature

LONGEST_SECONDS: Final = 12 * 3600.0
"""However busy somebody is, the PIN is asked for again once a shift."""
WALL_SECONDS: Final = 24 * 3600.0
"""A wall screen shows tiles alone, so that nobody has to sign it in at every break."""
MOST: Final = 500
TRIES: Final = 10
TRY_SECONDS: Final = 300.0


@dataclass
class Session:
    who: Signature
    csrf: str
    is_wall: bool
    """It reads the tiles and nothing else."""
    began: float
    used: float
    done: dict[str, str] = field(default_factory=dict)
    """What was recorded by a form that is sent once, and the page that says so: by the form's
    number, so that sending it twice records it once."""


class Sessions:
    def __init__(self, idle_seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._idle, self._now = idle_seconds, now
        self._of: dict[bytes, Session] = {}
        self._lock = threading.Lock()

    def begin(self, who: Signature, *, is_wall: bool = False) -> str:
        """Signs somebody in; returns the name of the session, for that browser alone."""
        name, now = secrets.token_urlsafe(32), self._now()
        with self._lock:
            for old in [key for key, one in self._of.items() if self._is_over(one, now)]:
                del self._of[old]
            while len(self._of) >= MOST:
                del self._of[min(self._of, key=lambda key: self._of[key].used)]
            self._of[_key(name)] = Session(who, secrets.token_urlsafe(32), is_wall, now, now)
        return name

    def find(self, name: str, *, is_use: bool) -> Session | None:
        """The session of that name. Only `is_use`, something that a person did, prolongs it."""
        now = self._now()
        with self._lock:
            found = self._of.get(_key(name))
            if found is None:
                return None
            if self._is_over(found, now):
                del self._of[_key(name)]
                return None
            if is_use:
                found.used = now
            return found

    def end(self, name: str) -> None:
        with self._lock:
            self._of.pop(_key(name), None)

    def end_of(self, person: str) -> None:
        """Ends all sessions of somebody who left the staff."""
        with self._lock:
            for key in [key for key, one in self._of.items() if one.who.id == person]:
                del self._of[key]

    def _is_over(self, session: Session, now: float) -> bool:
        if session.is_wall:
            return now - session.began > WALL_SECONDS
        return now - session.used > self._idle or now - session.began > LONGEST_SECONDS


def _key(name: str) -> bytes:
    """Sessions are looked up by a hash, so that no time tells how much of a guess was right."""
    return hashlib.sha256(name.encode()).digest()


class Before(NamedTuple):
    """What ties a sign-in form to the browser that asked for it."""

    cookie: str
    token: str


class SignInTokens:
    """So that no other page can sign a browser in under a name of its choice."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def make(self) -> Before:
        cookie = secrets.token_urlsafe(16)
        return Before(cookie, self._of(cookie))

    def fits(self, cookie: str, token: str) -> bool:
        return bool(cookie) and hmac.compare_digest(self._of(cookie).encode(), token.encode())

    def _of(self, cookie: str) -> str:
        return hmac.new(self._key, cookie.encode(), "sha256").hexdigest()


class Tries:
    """How often an address failed to sign in lately.

    Wrong PINs count against the person, at the page as at a table. This keeps a machine on the
    network from locking out everybody.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._of: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def left(self, address: str) -> int:
        with self._lock:
            return TRIES - len(self._lately(address))

    def failed(self, address: str) -> None:
        with self._lock:
            self._lately(address).append(self._now())
            if len(self._of) > MOST:
                for other in list(self._of):
                    if not self._lately(other):
                        del self._of[other]

    def _lately(self, address: str) -> deque[float]:
        found = self._of.setdefault(address, deque())
        while found and self._now() - found[0] > TRY_SECONDS:
            found.popleft()
        return found
