"""What a witness on another machine signed: that it had seen a journal as far as an event.

A cosignature names table, day, event and head. The newest one is kept beside the journal, where it
helps when the room cannot be asked; but it goes where the folder goes, so only the room itself
shows that a whole folder was put back.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.journal.keys import is_signed, read_json, write_durably

if TYPE_CHECKING:
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_TAG: Final = b"omaha-table cosignature 1\0"
ENDING: Final = ".cosigned"


@dataclass(frozen=True, slots=True)
class Cosignature:
    source: str
    """The table's id, or what the room calls an office journal."""
    day: str
    generation: int
    """Counts the histories of a day: 1, unless one was replaced after an alarm."""
    seq: int
    head: str
    at_us: int
    key: str
    """The public key of the witness."""
    signature: str = ""


def signed_bytes(given: Cosignature) -> bytes:
    """What the witness signs: every field by itself, so that none can run into the next."""
    fields = (given.source, given.day, given.generation, given.seq, given.head, given.at_us)
    raw = [str(field).encode() for field in fields]
    return _TAG + b"".join(len(part).to_bytes(8, "big") + part for part in raw)


def cosign(given: Cosignature, key: Ed25519PrivateKey) -> Cosignature:
    signature = key.sign(signed_bytes(given)).hex()
    return Cosignature(**(asdict(given) | {"signature": signature}))


def is_genuine(given: Cosignature, key: str) -> bool:
    """Whether the witness with this public key made it."""
    return given.key == key and is_signed(key, given.signature, signed_bytes(given))


def keep(journal: Path, given: Cosignature) -> None:
    """Keeps the newest cosignature beside a journal; raises OSError."""
    write_durably(journal.with_suffix(ENDING), json.dumps(asdict(given)).encode())


def kept(journal: Path) -> Cosignature | None:
    """The cosignature beside a journal; None: there is none, or it cannot be read."""
    try:
        found = Cosignature(**read_json(journal.with_suffix(ENDING)))
        typed = isinstance(found.seq, int) and isinstance(found.generation, int)
        texts = (found.source, found.day, found.head, found.key, found.signature)
    except (OSError, ValueError, TypeError):
        return None
    return found if typed and all(isinstance(text, str) for text in texts) else None
