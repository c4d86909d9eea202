"""An emulated Angel Eye shoe, in the form that the public decoders read.

It sends every message three times and counts its draws per side, player and banker in turn. Its
options are those of the adapter, so any reading of the protocol can be emulated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_drivers.angel_eye import RANKS, SUITS
from omaha_drivers.angel_eye_options import AngelEyeOptions
from omaha_drivers.framing import ACK, ENQ, ETX, NAK, STX, BlockFramer, block

if TYPE_CHECKING:
    from collections.abc import Sequence

PER_SIDE = 3
"""Draws of each side in a game of baccarat, for which the shoe was made."""


class AngelShoeModel:
    def __init__(self, serial: str = "", options: AngelEyeOptions | None = None) -> None:
        self.serial = serial
        self.heartbeat = False
        self.out: list[bytes] = []
        self.drawn = 0
        self._options = options or AngelEyeOptions()
        self._framer = BlockFramer(STX, check_start=self._options.check_covers_stx)
        self._cards: list[str] = []
        self._sequence = -1
        self._index = 0

    def send_event(self, code: bytes, *data: int) -> None:
        self._send(code, bytes(0x80 | byte for byte in data))

    def _send(self, code: bytes, data: bytes) -> None:
        characters = self._options.sequence.encode("latin-1")
        self._sequence = (self._sequence + 1) % len(characters)
        payload = characters[self._sequence : self._sequence + 1] + code + data
        frame = block(ENQ, payload, check_start=self._options.check_covers_enq)
        self.out += [frame] * self._options.copies

    def load(self, cards: Sequence[str]) -> None:
        self._cards, self.drawn, self._index = list(cards), 0, 0
        self.send_event(b"P")

    def draw(self) -> None:
        if self.drawn < len(self._cards):
            self.drawn += 1
            self.send_event(b"D", self._next_draw(), _code(self._cards[self.drawn - 1]))

    def draw_outside(self, target: int) -> None:
        """Draws a card in lock (0), error (1) or setting mode (2)."""
        if self.drawn < len(self._cards):
            self.drawn += 1
            self.send_event(b"d", target << 4 | 1, _code(self._cards[self.drawn - 1]))

    def _next_draw(self) -> int:
        """Target and index."""
        if self._options.draw_index == "per_deck":
            self._index = self._index % 15 + 1
            return self._index
        turn = self._index % (2 * PER_SIDE)
        self._index += 1
        return turn % 2 << 4 | turn // 2 + 1

    def fail(self, code: int) -> None:
        self.send_event(b"E", code)

    def put_back(self) -> None:
        if self.drawn:
            self.drawn -= 1
            self.send_event(b"E", 4)

    def change_setting(self, address: str, value: str) -> None:
        if self._options.setting_message == "ascii":
            self._send(b"M", (address + value).encode("ascii"))
        else:
            self.send_event(b"M", int(value) & 0x7F)

    def power_cycle(self) -> None:
        self.out.clear()
        self._sequence, self._index = -1, 0
        self.send_event(b"S")

    def feed(self, data: bytes, now: float) -> None:
        options = self._options
        locks = {options.lock_data.encode(): True, options.unlock_data.encode(): False}
        for frame in self._framer.feed(data):
            command = frame[1:]
            if frame[0] != STX or ETX in command:
                continue
            locking = command[:4] == b"OPLK" and command[4:] in locks
            known = locking or command[:4] == b"OPEC"
            self.out.append(bytes([ACK]) if known else bytes([NAK, 0x31]))
            if locking:
                self.send_event(b"L", int(locks[command[4:]]))

    def tick(self, now: float) -> None:
        """Does nothing: it has no heartbeat."""

    def deadline(self) -> float | None:
        return None


def _code(card: str) -> int:
    return (SUITS.index(card[1]) + 1) << 4 | RANKS.index(card[0]) + 1
