"""The key that seals a journal; it changes with every seal.

A seal signs the head and names the next public key; then the old private key is destroyed. So a
stolen key cannot sign the past again. The next key is on disk before the seal, and replaces the
old key only after it, so a crash between the two loses neither.
"""

from __future__ import annotations

import contextlib
import json
import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from omaha_table.files import give_to_group, open_private, read_bounded
from omaha_table.journal.faults import Tampered

if TYPE_CHECKING:
    from pathlib import Path


_MOST_JSON: Final = 64 << 10


def public_hex(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes_raw().hex()


def is_signed(public: str, signature: str, head: bytes) -> bool:
    """Whether a signature over a head was made with the private half of this key."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(
            bytes.fromhex(signature), head
        )
    except (InvalidSignature, ValueError):
        return False
    return True


class Signature(NamedTuple):
    signature: str
    next_key: str
    """The public half of the key that the next seal will be made with."""


class SealKey:
    """The signing key of one table, in a file that only its owner can read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._next_path = path.with_suffix(".next")
        self._next: Ed25519PrivateKey | None = None
        if not path.exists() and not self._next_path.exists():
            write_durably(path, Ed25519PrivateKey.generate().private_bytes_raw())

    def public(self) -> str:
        return public_hex(self._read(self._path))

    def expect(self, public: str) -> None:
        """Makes the key that the journal names the current one; raises Tampered without it."""
        if self._path.exists() and self.public() == public:
            self._next_path.unlink(missing_ok=True)
            return
        if self._next_path.exists() and public_hex(self._read(self._next_path)) == public:
            self._next_path.replace(self._path)
            return
        raise Tampered("The key that must seal this journal is missing.")

    def sign(self, head: bytes) -> Signature:
        self._next = Ed25519PrivateKey.generate()
        write_durably(self._next_path, self._next.private_bytes_raw())
        return Signature(self._read(self._path).sign(head).hex(), public_hex(self._next))

    def rotate(self) -> None:
        """Replaces the current key with the next one. Call it only when the seal is on disk."""
        self._next_path.replace(self._path)
        sync_folder(self._path.parent)

    @staticmethod
    def _read(path: Path) -> Ed25519PrivateKey:
        try:
            return Ed25519PrivateKey.from_private_bytes(read_bounded(path, 32))
        except (OSError, ValueError):
            raise Tampered("The journal's signing key cannot be read.") from None


def has_keys(folder: Path, table: str) -> bool:
    return any((folder / f"{table}.{end}").exists() for end in ("key", "next"))


def keys_beside(folder: Path, table: str) -> frozenset[str]:
    """The public halves of a table's signing keys in a folder, if this user may read them."""
    found = set()
    for path in (folder / f"{table}.key", folder / f"{table}.next"):
        with contextlib.suppress(OSError, ValueError):
            found.add(public_hex(Ed25519PrivateKey.from_private_bytes(read_bounded(path, 32))))
    return frozenset(found)


def write_durably(path: Path, content: bytes, group: int | None = None) -> None:
    """Writes a small file completely or not at all; only its owner, or the group, can read it."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    # Always a new file: one that lies there, or a link, could be open to others.
    temporary.unlink(missing_ok=True)
    descriptor = open_private(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    give_to_group(temporary, group)
    temporary.replace(path)
    sync_folder(path.parent)


def read_json(path: Path) -> Any:
    """A witness file or receipt; raises OSError or ValueError, however it is written."""
    try:
        return json.loads(read_bounded(path, _MOST_JSON))
    except RecursionError:
        raise ValueError(f"{path.name} is nested too deeply") from None


def sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
