"""Keeps what is in this program's memory away from other programs of the same user."""

from __future__ import annotations

import contextlib
import resource
import sys
from typing import Final

_PR_SET_DUMPABLE: Final = 4


def protect_memory() -> None:
    """No core dump, and on Linux no debugger: cards, PINs and keys pass through memory.

    Called by every command that holds one of these, before it reads anything. Programs that it
    starts are as they would have been, since `exec` sets the flag again; only their core dumps stay
    off.
    """
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        import ctypes

        # A kernel or C library without the call leaves things as they were.
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
