"""An emulated Angel Eye shoe, with the protocol that the adapter `angel_eye` assumes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_drivers.angel_eye import COMMANDS, RANKS, SEQUENCE, SUITS
from omaha_drivers.framing import ACK, ENQ, ETX, NAK, STX, BlockFramer, block

if TYPE_CHECKING:
    from collections.abc import Sequence


class AngelShoeModel:
    def __init__(self, serial: str = "", *, check_start: bool = False, copies: int = 1) -> None:
        self.serial = serial
        self.heartbeat = False
        self.out: list[bytes] = []
        self.drawn = 0
        self._copies = copies
        self._framer = BlockFramer(STX, check_start=check_start)
        self._cards: list[str] = []
        self._sequence = -1
        self._index = 0

    def send_event(self, code: bytes, *data: int) -> None:
        self._sequence = (self._sequence + 1) % len(SEQUENCE)
        payload = SEQUENCE[self._sequence : self._sequence + 1] + code
        payload += bytes(0x80 | byte for byte in data)
        self.out += [block(ENQ, payload)] * self._copies

    def load(self, cards: Sequence[str]) -> None:
        self._cards, self.drawn, self._index = list(cards), 0, 0
        self.send_event(b"P")

    def draw(self) -> None:
        if self.drawn < len(self._cards):
            self.drawn += 1
            self.send_event(b"D", self._next_index(), _code(self._cards[self.drawn - 1]))

    def _next_index(self) -> int:
        self._index = self._index % 15 + 1
        return self._index

    def fail(self, code: int) -> None:
        self.send_event(b"E", code)

    def put_back(self) -> None:
        if self.drawn:
            self.drawn -= 1
            self.send_event(b"E", 4)

    def power_cycle(self) -> None:
        self.out.clear()
        self._sequence, self._index = -1, 0
        self.send_event(b"S")

    def feed(self, data: bytes, now: float) -> None:
        for frame in self._framer.feed(data):
            command = frame[1:]
            if frame[0] != STX or ETX in command:
                continue
            self.out.append(bytes([ACK]) if command in COMMANDS.values() else bytes([NAK, 0x31]))
            if command[2:4] == b"LK":
                self.send_event(b"L", command[-1] & 1)

    def tick(self, now: float) -> None:
        """Does nothing: it has no heartbeat."""

    def deadline(self) -> float | None:
        return None


def _code(card: str) -> int:
    return (SUITS.index(card[1]) + 1) << 4 | RANKS.index(card[0]) + 1
