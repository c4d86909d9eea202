"""The surveillance office's key pair: made once; the private key stays off every table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from omaha_table.cli.lines import say_if
from omaha_table.files import make_folder, read_bounded
from omaha_table.journal.keys import write_durably

if TYPE_CHECKING:
    from pathlib import Path

_PUBLIC = "omaha-table surveillance public key\n"
_PRIVATE = "omaha-table surveillance PRIVATE key: never on a table's machine\n"


def make_pair(folder: Path) -> tuple[Path, Path]:
    """Writes a new pair into a folder; never overwrites an old one."""
    private, public = folder / "surveillance.private", folder / "surveillance.public"
    if private.exists() or public.exists():
        raise click.UsageError(f"{folder} already has a key pair.")
    key = X25519PrivateKey.generate()
    try:
        say_if(make_folder(folder))
        write_durably(private, (_PRIVATE + key.private_bytes_raw().hex() + "\n").encode())
        raw = key.public_key().public_bytes_raw()
        write_durably(public, (_PUBLIC + raw.hex() + "\n").encode())
        public.chmod(0o644)
    except OSError as error:
        raise click.UsageError(f"{folder} cannot be written: {error.strerror}.") from None
    return private, public


def read_office_key(path: Path) -> X25519PublicKey:
    return X25519PublicKey.from_public_bytes(_read(path, _PUBLIC, "public"))


def read_private_key(path: Path) -> X25519PrivateKey:
    return X25519PrivateKey.from_private_bytes(_read(path, _PRIVATE, "private"))


def _read(path: Path, head: str, kind: str) -> bytes:
    try:
        text = read_bounded(path, 1024).decode("utf-8")
        if not text.startswith(head):
            raise ValueError
        raw = bytes.fromhex(text.removeprefix(head).strip())
        if len(raw) != 32:
            raise ValueError
    except OSError as error:
        reason = (error.strerror or "no reason given").lower()
        raise click.UsageError(f"The key {path} cannot be read: {reason}.") from None
    except ValueError:
        raise click.UsageError(f"{path} is not a surveillance {kind} key.") from None
    return raw
