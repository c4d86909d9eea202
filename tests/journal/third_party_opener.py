"""An opener of sealed cards, written from docs/journal.md alone: nothing of the program is used.

HKDF is RFC 5869 and HPKE is RFC 9180 in base mode, written out here.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sqlite3
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

if TYPE_CHECKING:
    from pathlib import Path

SUITS, RANKS = "cdhs", "23456789TJQKA"


def extract(salt: bytes, secret: bytes) -> bytes:
    return hmac.digest(salt or bytes(32), secret, "sha256")


def expand(key: bytes, info: bytes, length: int) -> bytes:
    made, block = b"", b""
    for number in range(1, -(-length // 32) + 1):
        block = hmac.digest(key, block + info + bytes([number]), "sha256")
        made += block
    return made[:length]


def hkdf(secret: bytes, info: bytes) -> bytes:
    return expand(extract(b"", secret), info, 32)


KEM = b"KEM" + bytes([0x00, 0x20])
HPKE = b"HPKE" + bytes([0x00, 0x20, 0x00, 0x01, 0x00, 0x03])


def hpke_open(private: bytes, sealed: bytes, info: bytes) -> bytes:
    def labeled_extract(suite: bytes, salt: bytes, label: bytes, secret: bytes) -> bytes:
        return extract(salt, b"HPKE-v1" + suite + label + secret)

    def labeled_expand(suite: bytes, key: bytes, label: bytes, about: bytes, length: int) -> bytes:
        return expand(key, length.to_bytes(2) + b"HPKE-v1" + suite + label + about, length)

    encapsulated, content = sealed[:32], sealed[32:]
    mine = X25519PrivateKey.from_private_bytes(private)
    shared = mine.exchange(X25519PublicKey.from_public_bytes(encapsulated))
    both = encapsulated + mine.public_key().public_bytes_raw()
    secret = labeled_expand(
        KEM, labeled_extract(KEM, b"", b"eae_prk", shared), b"shared_secret", both, 32
    )
    schedule = (
        b"\0"
        + labeled_extract(HPKE, b"", b"psk_id_hash", b"")
        + labeled_extract(HPKE, b"", b"info_hash", info)
    )
    secret = labeled_extract(HPKE, secret, b"secret", b"")
    key = labeled_expand(HPKE, secret, b"key", schedule, 32)
    nonce = labeled_expand(HPKE, secret, b"base_nonce", schedule, 12)
    return ChaCha20Poly1305(key).decrypt(nonce, content, b"")


def card_in(sealed: dict[str, Any], key: bytes, about: str) -> str:
    """The card of a `card_sealed`, with its key."""
    content = bytes.fromhex(sealed["ciphertext"])
    plain = ChaCha20Poly1305(key).decrypt(content[:12], content[12:], about.encode())
    committed = b"omaha-table card commitment\0" + key + about.encode() + plain
    assert hashlib.sha256(committed).hexdigest() == sealed["commitment"]
    [number] = plain
    return RANKS[number // 4] + SUITS[number % 4]


def events(path: Path) -> list[tuple[str, int | None, dict[str, Any]]]:
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
        rows = db.execute("SELECT kind, hand, body FROM event ORDER BY seq").fetchall()
    db.close()
    return [(kind, hand, json.loads(body)) for kind, hand, body in rows]


def contexts(opened: dict[str, Any], hand: int | None, sealed: dict[str, Any]) -> tuple[str, str]:
    """What a seat's key and a card are bound to."""
    seat = sealed["seat"] or 0
    of_seat = f"{opened['table']}\0{opened['day']}\0{hand}\0{seat}"
    return of_seat, f"{of_seat}\0{sealed['slot']}\0{sealed['deal']}"


def with_private_key(path: Path, private: bytes) -> dict[tuple[int | None, int, int], str]:
    """Every sealed card of a journal, by hand, slot and deal."""
    found, keys = {}, {}
    rows = events(path)
    opened = rows[0][2]
    for kind, hand, body in rows:
        if kind == "card_sealed":
            of_seat, of_card = contexts(opened, hand, body)
            if body["seat_key"]:
                info = b"omaha-table seat key\0" + of_seat.encode()
                keys[hand, body["seat"]] = hpke_open(private, bytes.fromhex(body["seat_key"]), info)
            info = b"omaha-table card key\0" + of_card.encode()
            card = card_in(body, hkdf(keys[hand, body["seat"]], info), of_card)
            found[hand, body["slot"], body["deal"]] = card
    return found


def with_published_keys(path: Path) -> dict[tuple[int | None, int], list[str]]:
    """The cards whose keys were published, by hand and seat."""
    found: dict[tuple[int | None, int], list[str]] = {}
    sealed: dict[tuple[int | None, int], dict[str, Any]] = {}
    rows = events(path)
    opened = rows[0][2]
    for kind, hand, body in rows:
        if kind == "card_sealed":
            sealed[hand, body["slot"]] = body
        elif kind == "cards_opened":
            found[hand, body["seat"]] = [
                card_in(one, bytes.fromhex(card["key"]), contexts(opened, hand, one)[1])
                for card in body["keys"]
                for one in [sealed[hand, card["slot"]]]
            ]
    return found
