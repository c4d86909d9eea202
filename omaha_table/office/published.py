"""The office's signature under a staff list that is published for the tables of a room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_TAG: Final = b"omaha-table staff list 1\0"


def _signed_bytes(version: int, list_sha256: str) -> bytes:
    # The version too: else an old list could be shown under a new number.
    return _TAG + version.to_bytes(8, "big") + bytes.fromhex(list_sha256)


def sign_list(key: Ed25519PrivateKey, version: int, list_sha256: str) -> str:
    return key.sign(_signed_bytes(version, list_sha256)).hex()


def is_published(key: str, version: int, list_sha256: str, signature: str) -> bool:
    """Whether the office with this public key signed this version of its list."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(
            bytes.fromhex(signature), _signed_bytes(version, list_sha256)
        )
    except (InvalidSignature, ValueError, OverflowError):
        return False
    return True
