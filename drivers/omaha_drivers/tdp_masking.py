"""Takes the cards out of a recording of a TDP/1 device.

With a shared key, everything that depends on it (sealed cards, signatures, the answer to the
challenge) is made again with a key that is used for this recording only and is kept in it.
"""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from omaha_drivers import tdp_codec as codec
from omaha_drivers.framing import LineFramer, line
from omaha_drivers.recording.masking import CardMask, FrameMasking
from omaha_drivers.sealed import reveal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omaha_drivers.settings import DeviceSettings

_CARD: Final = re.compile(r"(?<![A-Za-z0-9])[2-9TJQKA][cdhs](?![A-Za-z0-9])")
_NUMBER_ONLY: Final = frozenset(("MIS", "DUP", "FOR", "UNR", "RET", "OVD", "TMO"))
"""Events whose further fields may say which card it was."""
_SIGNED: Final = frozenset(("HB", "EV", "RE", "GONE", "ST"))
_MODES: Final = ("G", "N")
_SESSIONS: Final = 16
_DECKS: Final = 16


class _Deck:
    """The mask of the cards from one event number on."""

    def __init__(self, first: int) -> None:
        self.first = self.last = first
        self.mask = CardMask(codec.CARDS)


class TdpMasking(FrameMasking):
    def __init__(self, settings: DeviceSettings) -> None:
        self._real = settings.key
        self._made = secrets.token_bytes(32) if settings.key else b""
        super().__init__(settings, LineFramer())
        self.settings = replace(self.settings, key=self._made)
        self._sent = LineFramer()
        self._challenge = ""
        self._hello: Sequence[str] = ()
        self._decks: OrderedDict[str, list[_Deck]] = OrderedDict()

    def wire(self, frame: bytes) -> bytes:
        """Without the line end, which is between two frames."""
        return line(frame.decode("ascii"))[:-2]

    def host(self, data: bytes) -> bytes:
        for frame in self._sent.feed(data):
            kind, _, challenge = frame.decode("ascii").partition(",")
            if kind == "AUTH":
                self._challenge = challenge
        return data

    def masked(self, frame: bytes) -> bytes | None:
        fields = frame.decode("ascii").split(",")
        kind = fields[0]
        if kind == "HELO":
            self._hello = fields[2:] if len(fields) == 10 else ()
        elif kind == "AUTH" and len(fields) == 2:
            fields[1] = self._proof(fields[1])
        elif kind in _SIGNED and self._hello and len(fields) >= 3:
            fields = self._signed(fields)
        elif kind in ("OK", "NO", "HB", "ST", "GONE"):
            fields = _without_cards(fields)
        else:
            return None
        return ",".join(fields).encode("ascii")

    def _proof(self, given: str) -> str:
        asked = bool(self._real and self._hello and self._challenge)
        if not asked or given != codec.proof(self._real, self._challenge, self._hello):
            return "0" * len(given)
        return codec.proof(self._made, self._challenge, self._hello)

    def _signed(self, fields: list[str]) -> list[str]:
        """A good signature stays good, a wrong one wrong."""
        if "SIGN" not in self._hello[-1].split("+"):
            return self._content(fields)
        given = fields.pop()
        good = bool(self._real) and given == codec.signature(self._real, fields)
        fields = self._content(fields)
        return [*fields, codec.signature(self._made, fields) if good else "0" * len(given)]

    def _content(self, fields: list[str]) -> list[str]:
        if fields[0] not in ("EV", "RE"):
            return _without_cards(fields)
        head, code, args = fields[:4], "".join(fields[4:5]), fields[5:]
        session, number = fields[1], codec.parse_hex(fields[2], 8)
        if code == "CRD":
            args = self._card(session, number, args)
        elif code in _NUMBER_ONLY:
            args = [*args[:1], *("x" * len(one) for one in args[1:])]
        elif code == "LOD" and number is not None:
            self._new_deck(session, number)
        elif not any(code in readers for readers in codec.READERS.values()):
            args = ["x" * len(one) for one in args]
        if code != "CRD":
            args = _without_cards(args)
        return [*_without_cards(head), *_without_cards(fields[4:5]), *args]

    def _card(self, session: str, number: int | None, args: list[str]) -> list[str]:
        drawn, _, quality, mode = args if len(args) == 4 else ("", "", "", "")
        if number is None or not drawn.isdigit() or mode not in _MODES:
            return ["x" * len(one) for one in args]
        other = self._other_card(session, number, args)
        return [drawn, other, quality if quality.isdigit() else "x" * len(quality), mode]

    def _other_card(self, session: str, number: int, args: Sequence[str]) -> str:
        drawn, text, _, mode = args
        mask = self._mask(session, number, int(drawn[:9]))
        if "SEAL" not in self._hello[-1].split("+"):
            return mask[text] if text in codec.CARDS else "x" * len(text)
        key, counted = self._real, f"{number:08X}"
        if not key or not codec.checked_card(key, session, counted, text, drawn, mode):
            return "0" * len(text)
        card = codec.open_card(key, session, counted, text)
        if card is None:
            return "0" * len(text)
        return codec.seal_card(self._made, session, counted, mask[reveal(card)], drawn, mode)

    def _mask(self, session: str, number: int, drawn: int) -> CardMask[str]:
        """The mask of the deck that a card with this event number is from.

        A card that starts to count again, or a 53rd one, is from another deck, whoever says so.
        """
        decks = self._decks_of(session)
        deck = next((one for one in reversed(decks) if one.first <= number), decks[0])
        begun = deck.last > deck.first
        if number > deck.last and begun and (drawn == 1 or deck.mask.worn):
            deck = self._new_deck(session, number)
        deck.last = max(deck.last, number)
        return deck.mask

    def _decks_of(self, session: str) -> list[_Deck]:
        if session not in self._decks:
            self._decks[session] = [_Deck(0)]
            if len(self._decks) > _SESSIONS:
                self._decks.popitem(last=False)
        return self._decks[session]

    def _new_deck(self, session: str, number: int) -> _Deck:
        decks = self._decks_of(session)
        known = next((one for one in decks if one.first == number), None)
        if known is not None:
            return known
        deck = _Deck(number)
        decks.append(deck)
        decks.sort(key=lambda one: one.first)
        del decks[:-_DECKS]
        return deck


def _without_cards(fields: Sequence[str]) -> list[str]:
    return [_CARD.sub("xx", one) for one in fields]


def asked_before(sent: bytes) -> list[str]:
    """The random numbers of a recorded host, in the order in which it made them."""
    found: list[str] = []
    last = ""
    for frame in LineFramer().feed(sent):
        kind, *rest = frame.decode("ascii").split(",")
        if kind == "HELO" or (kind == "AUTH" and rest[-1] != last):
            found.append(rest[-1])
        if kind == "AUTH":
            last = rest[-1]
    return found
