"""Takes the cards out of a recording of an Angel Eye shoe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_drivers.framing import ACK, ENQ, NAK, BlockFramer, block
from omaha_drivers.recording.masking import CardMask, FrameMasking

if TYPE_CHECKING:
    from omaha_drivers.angel_eye_options import AngelEyeOptions
    from omaha_drivers.settings import DeviceSettings

_CARDS: Final = tuple(0x80 | suit << 4 | rank for suit in range(1, 5) for rank in range(1, 14))
_NO_CARD: Final = 0x80
_KEPT: Final = {"S": 0, "P": 0, "G": 0, "C": 0, "E": 1, "e": 1, "L": 1}
"""How many bytes of the other messages are kept: the game's result, for one, tells of its cards."""


class AngelEyeMasking(FrameMasking):
    def __init__(self, settings: DeviceSettings, options: AngelEyeOptions) -> None:
        super().__init__(settings, BlockFramer(ENQ, check_start=options.check_covers_enq))
        self._options = options
        self._mask = CardMask(_CARDS)
        self._last = b""

    def wire(self, frame: bytes) -> bytes:
        if frame[0] in (ACK, NAK):
            return frame
        return block(ENQ, frame[1:], check_start=self._options.check_covers_enq)

    def masked(self, frame: bytes) -> bytes | None:
        if frame[0] in (ACK, NAK):
            return frame
        code, data = frame[2:3].decode("latin-1"), frame[3:]
        if chr(frame[1]) not in self._options.sequence or (code != "M" and not _legal(data)):
            return None
        copy, self._last = frame == self._last, frame
        if not copy and (code in ("S", "P") or self._mask.worn):
            self._mask = CardMask(_CARDS)
        if code in ("D", "d", "R"):
            return frame[:3] + self._card(data)
        if code == "M":
            return frame
        kept = _KEPT.get(code)
        if kept is None:
            return None
        return frame[:3] + data[:kept] + bytes([_NO_CARD]) * len(data[kept:])

    def _card(self, data: bytes) -> bytes:
        """A byte that is no card could be a card that was misread."""
        if len(data) != 2:
            return bytes([_NO_CARD]) * len(data)
        known = data[1] in _CARDS
        return bytes([data[0], self._mask[data[1]] if known else _NO_CARD])


def _legal(data: bytes) -> bool:
    return all(byte >= 0x80 for byte in data)
