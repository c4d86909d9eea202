"""The kernel's keyring: keeps a hand's key through a crash of the program, not of the machine."""

from __future__ import annotations

import ctypes
import platform
from typing import Final

_CALLS: Final = {"x86_64": (248, 249, 250), "aarch64": (217, 218, 219)}
_USER_KEYRING: Final = -4
_READ: Final = 11
_UNLINK: Final = 9
_SET_TIMEOUT: Final = 15
EXPIRES_SECONDS = 86_400
"""No hand lasts a day, so a key that a killed console left behind expires. A user can have only 200
keys; if another cannot be stored, the next crash loses the cards of that hand."""


class Keyring:
    """Stores keys by name; does nothing if the kernel has no keyring."""

    def __init__(self) -> None:
        self._calls = _CALLS.get(platform.machine())
        self._libc = ctypes.CDLL(None, use_errno=True) if self._calls else None

    def put(self, name: str, secret: bytes) -> bool:
        if self._libc is None or self._calls is None:
            return False
        added = self._libc.syscall(
            self._calls[0], b"user", name.encode(), secret, len(secret), _USER_KEYRING
        )
        if int(added) <= 0:
            return False
        self._libc.syscall(self._calls[2], _SET_TIMEOUT, added, EXPIRES_SECONDS)
        return True

    def get(self, name: str) -> bytes | None:
        key = self._find(name)
        if key is None or self._libc is None or self._calls is None:
            return None
        buffer = ctypes.create_string_buffer(64)
        size = int(self._libc.syscall(self._calls[2], _READ, key, buffer, len(buffer)))
        return buffer.raw[:size] if 0 < size <= len(buffer) else None

    def drop(self, name: str) -> None:
        key = self._find(name)
        if key is not None and self._libc is not None and self._calls is not None:
            self._libc.syscall(self._calls[2], _UNLINK, key, _USER_KEYRING)

    def _find(self, name: str) -> int | None:
        """KEYCTL_SEARCH in the user's own keyring, which never starts a helper program."""
        if self._libc is None or self._calls is None:
            return None
        found = int(
            self._libc.syscall(self._calls[2], 10, _USER_KEYRING, b"user", name.encode(), 0)
        )
        return found if found > 0 else None
