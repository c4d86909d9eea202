"""How the page is served, and what it refuses to be served as."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

LOOPBACK: Final = "127.0.0.1"
PORT: Final = 8710
IDLE_MINUTES: Final = 30


class CannotServeError(Exception):
    """Why the page is not served like this, and what to do."""


@dataclass(frozen=True, slots=True)
class Settings:
    database: str
    folder: Path
    """With the staff list, and the office journal that counts and sections go into."""
    establishment: str = ""
    """The name of the cardroom, for count sheets."""
    host: str = LOOPBACK
    port: int = PORT
    certificate: Path | None = None
    private_key: Path | None = None
    idle_seconds: float = IDLE_MINUTES * 60.0
    """Somebody who touches nothing for so long is signed out."""
    cache: Path | None = None
    """The file of the index of hands; None: a temporary one."""

    @property
    def is_secure(self) -> bool:
        return self.certificate is not None

    @property
    def address(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.is_secure else 'http'}://{host}:{self.port}/"


def check_settings(settings: Settings) -> None:
    """Raises CannotServeError: PINs never travel in the clear."""
    if (settings.certificate is None) != (settings.private_key is None):
        raise CannotServeError("A certificate and its private key go together: name both.")
    for path in filter(None, (settings.certificate, settings.private_key)):
        if not path.is_file():
            raise CannotServeError(f"There is no file {path}.")
    if not settings.is_secure and not is_loopback(settings.host):
        raise CannotServeError(
            f"{settings.host} can be reached by others, so PINs would travel in the clear. Name a "
            "certificate with --tls-cert and --tls-key, or leave --host out to serve this machine "
            "alone."
        )


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
