"""The content of TDP/1 messages: cards, checks with the shared key, and events.

A device that holds the key may sign its messages (capability SIGN): HB, EV, RE, GONE and ST then
end with a field of 16 hex digits that covers the others.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2s
from typing import Final, Literal

from omaha_drivers import events as e
from omaha_drivers.sealed import Sealed
from omaha_drivers.text import printable

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
CARDS: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
_LEGAL: Final = frozenset(CARDS)

State = Literal["ok", "jammed", "open", "faulty", "service"]
STATES: Final[dict[str, State]] = {
    "JAM": "jammed", "DOOR": "open", "FAULT": "faulty", "SVC": "service",
}  # fmt: skip
"""Of a heartbeat: those in which a device cannot be used; all others are in order."""
KINDS: Final = {"shuffler": "SHUF", "shoe": "SHOE"}
VERBS: Final = {
    "shuffler": ("SHUFFLE", "EJECT", "ABORT", "CLEAR"),
    "shoe": ("LOCK", "UNLOCK", "CLEAR"),
}


def mac(key: bytes, *parts: str, size: int = 8) -> bytes:
    """A keyed hash of the parts, joined by a comma, which no field can contain."""
    return blake2s(",".join(parts).encode("ascii"), key=key[:32], digest_size=size).digest()


def proof(key: bytes, nonce: str, hello: Sequence[str]) -> str:
    """The answer to a challenge, bound to the challenge, the session and every claim in HELO."""
    kind, vendor, model, serial, firmware, session, _, caps = hello
    claims = (kind, vendor, model, serial, firmware, session, caps)
    return mac(key, "auth", nonce, *claims, size=16).hex().upper()


def signature(key: bytes, fields: Sequence[str]) -> str:
    """Covers a message; a resent event has the signature of the original."""
    kind = "EV" if fields[0] == "RE" else fields[0]
    return mac(key, "sign", kind, *fields[1:]).hex().upper()


def same_digest(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("ascii"), other.encode("ascii"))


def seal_card(key: bytes, session: str, number: str, card: str, *rest: str) -> str:
    """A card on the wire: its index under a one-time pad, then a check over card and position."""
    hidden = CARDS.index(card) ^ mac(key, "pad", session, number, size=1)[0]
    text = f"{hidden:02X}"
    return text + mac(key, "card", session, number, text, *rest).hex().upper()


def checked_card(key: bytes, session: str, number: str, text: str, *rest: str) -> bool:
    return len(text) == 18 and same_digest(
        text[2:], mac(key, "card", session, number, text[:2], *rest).hex().upper()
    )


def open_card(key: bytes, session: str, number: str, text: str) -> Sealed[str] | None:
    """The only place where a sealed card is plain text, until it is sealed again at once."""
    try:
        return Sealed(CARDS[int(text[:2], 16) ^ mac(key, "pad", session, number, size=1)[0]])
    except (ValueError, IndexError):
        return None


def plain_card(text: str) -> Sealed[str] | None:
    return Sealed(text) if text in _LEGAL else None


_RESULTS: Final[
    Mapping[str, Literal["ok", "short", "over", "duplicate", "missing", "foreign", "unreadable"]]
] = {
    "OK": "ok",
    "SHORT": "short",
    "OVER": "over",
    "DUP": "duplicate",
    "MISS": "missing",
    "FOREIGN": "foreign",
    "UNREAD": "unreadable",
}


def number(text: str) -> int:
    if not (text.isdigit() and len(text) <= 9):
        raise ValueError("not a number")
    return int(text)


def parse_hex(text: str, digits: int) -> int | None:
    legal = len(text) == digits and not text.strip("0123456789ABCDEF")
    return int(text, 16) if legal else None


def _verified(args: Sequence[str]) -> e.DeviceEvent:
    cycle, count, expected, result = (
        number(args[0]),
        number(args[1]),
        number(args[2]),
        _RESULTS[args[3]],
    )
    return e.DeckVerified(cycle, count, result == "ok" and count == expected, result)


def _flag(text: str) -> bool:
    return {"0": False, "1": True}[text]


def _number(event: Callable[[int], e.DeviceEvent]) -> Callable[[Sequence[str]], e.DeviceEvent]:
    return lambda args: event(number(args[0]))


def _text(event: Callable[[str], e.DeviceEvent]) -> Callable[[Sequence[str]], e.DeviceEvent]:
    return lambda args: event(printable(args[0]) if args else "")


_Reader = Callable[[Sequence[str]], e.DeviceEvent]
_BOTH: Final[dict[str, _Reader]] = {
    "PWR": lambda args: e.DeviceWarning(printable("power " + "".join(args[:1]))),
    "SVC": lambda args: e.ServiceMode(_flag(args[0])),
    "WRN": _text(e.DeviceWarning),
    "FLT": _text(e.Fault),
    "FLC": _text(e.FaultCleared),
}
_SHUFFLER: Final[dict[str, _Reader]] = _BOTH | {
    "DIN": lambda args: e.DeckIn(printable(args[1]) if len(args) > 1 else ""),
    "SHS": _number(e.ShuffleStarted),
    "VER": _verified,
    "SHC": lambda args: e.ShuffleComplete(number(args[0]), number(args[1])),
    "OUT": _number(e.DeckTaken),
    "MIS": lambda args: e.DeckFaulty("missing"),
    "DUP": lambda args: e.DeckFaulty("duplicate"),
    "FOR": lambda args: e.DeckFaulty("foreign"),
    "JAM": _text(e.Jammed),
    "JMC": _text(e.JamCleared),
    "DRO": lambda args: e.DoorChanged(open=True),
    "DRC": lambda args: e.DoorChanged(open=False),
    "ABT": lambda args: e.ShuffleAborted(printable(args[1]) if len(args) > 1 else ""),
}
_SHOE: Final[dict[str, _Reader]] = _BOTH | {
    "LOD": lambda args: e.ShoeLoaded(number(args[1])),
    "RET": _number(e.CardReturned),
    "UNR": _number(e.CardUnreadable),
    "OVD": _number(e.CardUnexpected),
    "DUP": _number(e.CardDuplicate),
    "FOR": _number(e.CardForeign),
    "TMO": _number(e.CardStuck),
    "CUT": _number(e.CutCard),
    "EMP": _number(e.ShoeEmpty),
    "LID": lambda args: e.DoorChanged(_flag(args[0])),
    "LCK": lambda args: e.LockChanged(_flag(args[0])),
    "CFG": _text(e.SettingsChanged),
}
READERS: Final[Mapping[str, Mapping[str, _Reader]]] = {"shuffler": _SHUFFLER, "shoe": _SHOE}


def read_event(kind: str, code: str, args: Sequence[str]) -> e.DeviceEvent:
    """Any event except a card; one that cannot be read is reported as lost."""
    reader = READERS[kind].get(code)
    if reader is None:
        return e.DeviceWarning(f"unknown event {code if code.isalpha() and code.isupper() else ''}")
    try:
        return reader(args)
    except (ValueError, KeyError, IndexError):
        return e.EventsLost(1)
