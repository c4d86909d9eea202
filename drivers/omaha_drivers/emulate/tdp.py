"""Models of TDP/1 devices, without a port: operations in, frames out."""

from __future__ import annotations

import random
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from omaha_drivers import tdp_codec as codec
from omaha_drivers.framing import LineFramer, line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omaha_drivers.settings import Kind

RING: Final = 512
HEARTBEAT: Final = 1.0


class TdpDevice:
    """What both kinds share: identification, numbered events kept for resending, heartbeat.

    Frames to send go into `out`, one item per frame, so that a fault can hit each of them.
    """

    kind: Kind
    model = ""

    def __init__(
        self,
        serial: str,
        key: bytes = b"",
        *,
        firmware: str = "1.0",
        caps: str | None = None,
        chance: random.Random | None = None,
    ) -> None:
        self.serial = serial
        self.firmware = firmware
        self.heartbeat = True
        self.obeys = True
        self._key = key
        self._caps = caps if caps is not None else ("AUTH+SIGN" if key else "")
        self._chance = chance or random.SystemRandom()
        self._framer = LineFramer()
        self._done: OrderedDict[str, tuple[str, ...]] = OrderedDict()
        self.out: list[bytes] = []
        self.state = "IDLE"
        self.session = ""
        self.last = 0
        self._ring: OrderedDict[int, list[str]] = OrderedDict()
        self._now = 0.0
        self._beat = 0.0
        self._begin()

    @property
    def caps(self) -> str:
        return self._caps or "NONE"

    def power_cycle(self, why: str = "ON") -> None:
        """Loses all state and starts a new session."""
        self._begin()
        self.event("PWR", why)

    def _begin(self) -> None:
        self.session = f"{self._chance.getrandbits(64):016X}"
        self.last = 0
        self._ring.clear()
        self._done.clear()
        self._framer.reset()
        self.out.clear()

    def event(self, code: str, *args: str) -> None:
        self.last += 1
        number = f"{self.last:08X}"
        if code == "CRD" and "SEAL" in self.caps.split("+"):
            drawn, card, quality, mode = args
            card = codec.seal_card(self._key, self.session, number, card, drawn, mode)
            args = (drawn, card, quality, mode)
        fields = [self.session, number, f"{int(self._now * 1000) % 10**9}", code, *args]
        self._ring[self.last] = fields
        if len(self._ring) > RING:
            self._ring.popitem(last=False)
        self._send_frame("EV", *fields)

    def feed(self, data: bytes, now: float) -> None:
        self._now = now
        for body in self._framer.feed(data):
            self._receive(body.decode("ascii").split(","))

    def tick(self, now: float) -> None:
        self._now = now
        if self.heartbeat and now >= self._beat:
            self._beat = now + HEARTBEAT
            self._send_frame("HB", self.session, f"{self.last:08X}", self.state, "0")

    def deadline(self) -> float:
        return self._beat

    def _send_frame(self, *fields: str) -> None:
        if "SIGN" in self.caps.split("+") and fields[0] in ("HB", "EV", "RE", "GONE", "ST"):
            fields = (*fields, codec.signature(self._key, fields))
        self.out.append(line(*fields))

    def identification(self) -> tuple[str, ...]:
        last = f"{self.last:08X}"
        kind = codec.KINDS[self.kind]
        return (
            kind, "EMU", self.model, self.serial, self.firmware, self.session, last, self.caps,
        )  # fmt: skip

    def _receive(self, fields: list[str]) -> None:
        match fields:
            case ["HELO", "1", _]:
                self._send_frame("HELO", "1", *self.identification())
            case ["AUTH", nonce] if self._key:
                self._send_frame("AUTH", codec.proof(self._key, nonce, self.identification()))
            case ["STAT"]:
                last = f"{self.last:08X}"
                self._send_frame("ST", self.session, last, self.state, "0", str(self.count()))
            case ["RSND", self.session, first, last]:
                self._resend(codec.parse_hex(first, 8) or 1, codec.parse_hex(last, 8) or 0)
            case ["CMD", number, *words] if words:
                if number not in self._done:
                    self._done[number] = self._command(words)
                    if len(self._done) > 64:
                        self._done.popitem(last=False)
                result, *reason = self._done[number]
                self._send_frame(result, number, *reason)

    def _resend(self, first: int, last: int) -> None:
        last = min(last, self.last)
        oldest = next(iter(self._ring), self.last + 1)
        if first < oldest:
            self._send_frame("GONE", self.session, f"{first:08X}", f"{min(oldest - 1, last):08X}")
        for number in range(max(first, oldest), last + 1):
            if number in self._ring:
                self._send_frame("RE", *self._ring[number])

    def _command(self, words: Sequence[str]) -> tuple[str, ...]:
        if not self.obeys:
            return ("NO", "BUSY")
        if words[0] == "CLEAR":
            self.event("FLC", *(words[1:2] or ["ALL"]))
            return ("OK",)
        return ("NO", "UNKNOWN")

    def count(self) -> int:
        return 0


class ShoeModel(TdpDevice):
    kind: Kind = "shoe"
    model = "Shoe"

    def __init__(
        self, serial: str, key: bytes = b"", *, caps: str | None = None,
        chance: random.Random | None = None,
    ) -> None:  # fmt: skip
        caps = caps if caps is not None else ("AUTH+SIGN+SEAL" if key else "")
        self._cards: list[str] = []
        self.drawn = 0
        super().__init__(serial, key, caps=caps, chance=chance)

    def count(self) -> int:
        return len(self._cards) - self.drawn

    def load(self, cards: Sequence[str]) -> None:
        if any(card not in codec.CARDS for card in cards):
            raise ValueError("A card is a rank from 23456789TJQKA and a suit from cdhs.")
        self._cards, self.drawn = list(cards), 0
        self.event("LOD", "1", str(len(cards)))

    def draw(self, mode: str = "G") -> None:
        if self.drawn >= len(self._cards):
            self.event("EMP", str(self.drawn))
            return
        card = self._cards[self.drawn]
        twice = card in self._cards[: self.drawn]
        self.drawn += 1
        if twice:
            self.event("DUP", str(self.drawn))
        else:
            self.event("CRD", str(self.drawn), card, "100", mode)

    def draw_badly(self, code: str) -> None:
        """Draws the next card with one of the irregular codes UNR, FOR, OVD or TMO."""
        self.drawn = min(self.drawn + 1, len(self._cards))
        self.event(code, str(self.drawn))

    def put_back(self) -> None:
        """Puts the last card back; it comes out again next."""
        if self.drawn:
            self.event("RET", str(self.drawn))
            self.drawn -= 1

    def lid(self, is_open: bool) -> None:
        self.event("LID", "1" if is_open else "0")

    def _command(self, words: Sequence[str]) -> tuple[str, ...]:
        if self.obeys and words[0] in ("LOCK", "UNLOCK"):
            self.event("LCK", "1" if words[0] == "LOCK" else "0")
            return ("OK",)
        return super()._command(words)


class ShufflerModel(TdpDevice):
    kind: Kind = "shuffler"
    model = "Shuffler"

    def __init__(
        self, serial: str, key: bytes = b"", *, seconds: float = 0.0, caps: str | None = None,
        chance: random.Random | None = None,
    ) -> None:  # fmt: skip
        self._seconds = seconds
        self._cycle = 0
        self._inside = 0
        self._ends: float | None = None
        super().__init__(serial, key, caps=caps, chance=chance)

    def count(self) -> int:
        return self._inside

    def power_cycle(self, why: str = "ON") -> None:
        self._ends, self.state = None, "IDLE"
        super().power_cycle(why)

    def shuffle(self, back: str = "red", count: int = 52, now: float | None = None) -> None:
        if self._ends is not None:
            self._abort("RELOAD")
        self._now = self._now if now is None else now
        self._cycle += 1
        self._inside = count
        self.state = "SHUF"
        self.event("DIN", "1", back)
        self.event("SHS", str(self._cycle))
        self._ends = self._now + self._seconds
        if not self._seconds:
            self._finish()

    def _finish(self) -> None:
        count = self._inside
        self._ends = None
        result = "OK" if count == 52 else "SHORT" if count < 52 else "OVER"
        self.event("VER", str(self._cycle), str(count), "52", result)
        self.state = "RDY" if result == "OK" else "FAULT"
        if result == "OK":
            self.event("SHC", str(self._cycle), str(count), str(int(self._seconds * 1000)))

    def take(self) -> None:
        self._inside, self.state = 0, "OUT"
        self.event("OUT", str(self._cycle))

    def jam(self) -> None:
        if self._ends is not None:
            self._abort("JAM")
        self.state = "JAM"
        self.event("JAM", "EXIT")

    def clear_jam(self) -> None:
        self.state = "IDLE"
        self.event("JMC", "EXIT")

    def open_door(self, is_open: bool) -> None:
        self.event("DRO" if is_open else "DRC", "MAIN")

    def _abort(self, why: str) -> None:
        self._ends = None
        self.event("ABT", str(self._cycle), why)

    def tick(self, now: float) -> None:
        super().tick(now)
        if self._ends is not None and now >= self._ends:
            self._finish()

    def deadline(self) -> float:
        return self._beat if self._ends is None else min(self._beat, self._ends)

    def _command(self, words: Sequence[str]) -> tuple[str, ...]:
        if self.obeys and words[0] == "SHUFFLE":
            self.shuffle()
            return ("OK",)
        if self.obeys and words[0] == "EJECT":
            self.take()
            return ("OK",)
        if self.obeys and words[0] == "ABORT" and self._ends is not None:
            self._abort("HOST")
            return ("OK",)
        return super()._command(words)
