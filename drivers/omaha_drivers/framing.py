"""Finds frames in a stream of bytes, with any noise between them.

All framers have the same interface: `feed` takes bytes as they arrive and returns the frames that
they complete. A framer holds a bounded number of bytes between calls. A bad frame never swallows a
good one: the search continues at the next start mark inside it.
"""

from __future__ import annotations

import binascii
import re
from functools import reduce
from operator import xor
from typing import Final, Protocol

ENQ: Final = 0x05
STX: Final = 0x02
ETX: Final = 0x03
ACK: Final = 0x06
NAK: Final = 0x15

_PIECE = 4096
"""Larger input is processed in pieces, so a framer never holds more than this and one frame."""


class Framer(Protocol):
    dropped: int
    """Bytes outside good frames."""
    bad: int
    """Frames with a wrong check, or cut short."""

    def feed(self, data: bytes) -> list[bytes]: ...
    def reset(self) -> None: ...
    @property
    def held(self) -> int: ...


class _Bounded:
    """The buffer of every framer; `_scan` appends frames and returns how many bytes it used up."""

    def __init__(self) -> None:
        self.dropped = 0
        self.bad = 0
        self._buffer = b""

    @property
    def held(self) -> int:
        return len(self._buffer)

    def reset(self) -> None:
        """Drops an incomplete frame after the line was cut."""
        self.dropped += len(self._buffer)
        self._buffer = b""

    def feed(self, data: bytes) -> list[bytes]:
        frames: list[bytes] = []
        if len(data) <= _PIECE:
            stream = self._buffer + data if self._buffer else data
            self._buffer = stream[self._scan(stream, frames) :]
            return frames
        for start in range(0, len(data), _PIECE):
            stream = self._buffer + data[start : start + _PIECE]
            self._buffer = stream[self._scan(stream, frames) :]
        return frames

    def _scan(self, stream: bytes, frames: list[bytes]) -> int:
        raise NotImplementedError


class LineFramer(_Bounded):
    """`$` body `*` CRC4. CR LF follows, but a frame is complete without it."""

    LONGEST: Final = 128

    _frame = re.compile(rb"\$([ -#%-)+-~]{1,128})\*([0-9A-F]{4})")

    def _scan(self, stream: bytes, frames: list[bytes]) -> int:
        done = 0
        for match in self._frame.finditer(stream):
            start, end = match.span()
            if start > done:
                self._skip(stream[done:start])
            body = match[1]
            done = end
            if binascii.crc_hqx(body, 0xFFFF) == int(match[2], 16):
                frames.append(body)
            else:
                self.bad += 1
                self.dropped += end - start
        if stream[done:] == b"\r\n":
            return len(stream)
        rest = stream.rfind(b"$", done)
        if rest < 0 or len(stream) - rest > self.LONGEST + 6:
            rest = len(stream)
        self._skip(stream[done:rest])
        return rest

    def _skip(self, noise: bytes) -> None:
        if noise and noise != b"\r\n":
            self.bad += noise.count(b"$")
            self.dropped += len(noise.translate(None, b"\r\n"))


def line(*fields: str) -> bytes:
    """A frame of `LineFramer`."""
    body = ",".join(fields).encode("ascii")
    return b"$%b*%04X\r\n" % (body, binascii.crc_hqx(body, 0xFFFF))


class TextFramer(_Bounded):
    """Plain lines that end with CR, LF or both, without a check.

    Only printable ASCII is a line: anything else is noise, and so is a line that is too long.
    Nothing shows that a character was changed on the way, so the adapter must check what it reads.
    """

    def __init__(self, longest: int = 128) -> None:
        super().__init__()
        self._longest = longest
        self._skipping = False
        """Whether the rest of a line that was too long is still to come."""
        self._ends = re.compile(rb"[\r\n]+")
        self._legal = re.compile(rb"[ -~]+")

    def reset(self) -> None:
        super().reset()
        self._skipping = False

    def _scan(self, stream: bytes, frames: list[bytes]) -> int:
        done = 0
        for end in self._ends.finditer(stream):
            text = stream[done : end.start()]
            done = end.end()
            if self._skipping or len(text) > self._longest or not self._legal.fullmatch(text):
                self.bad += bool(text)
                self.dropped += len(text)
            else:
                frames.append(text)
            self._skipping = False
        if self._skipping or len(stream) - done > self._longest:
            self.dropped += len(stream) - done
            self._skipping = True
            return len(stream)
        return done


def text_line(text: str) -> bytes:
    """A frame of `TextFramer`."""
    return text.encode("ascii") + b"\r\n"


class BlockFramer(_Bounded):
    """A start mark, payload, ETX and two hex digits of XOR; also ACK, and NAK with its code.

    A frame keeps its first byte, which shows its kind, and loses ETX and check. `check_start`:
    whether the XOR covers the start mark; vendors differ.
    """

    def __init__(self, start: int = ENQ, *, check_start: bool = False, longest: int = 64) -> None:
        super().__init__()
        self._start = start
        self._check_start = check_start
        self._longest = longest
        mark = re.escape(bytes([start]))
        self._next = re.compile(b"[" + mark + b"\x06\x15]")
        self._block = re.compile(
            mark + b"([^" + mark + b"\x03]{1,%d})\x03([0-9A-Fa-f]{2})" % longest
        )

    def _scan(self, stream: bytes, frames: list[bytes]) -> int:
        at = 0
        while (found := self._next.search(stream, at)) is not None:
            self.dropped += found.start() - at
            at = found.start()
            if stream[at] == ACK:
                frames.append(stream[at : at + 1])
                at += 1
            elif stream[at] == NAK:
                if at + 1 == len(stream):
                    return at
                if stream[at + 1] == self._start:
                    self.dropped += 1
                    at += 1
                else:
                    frames.append(stream[at : at + 2])
                    at += 2
            elif (block := self._block.match(stream, at)) is not None:
                payload = stream[at + 1 : block.end() - 2]
                if block_check(payload, self._start if self._check_start else None) == block[2]:
                    frames.append(stream[at : block.end() - 3])
                else:
                    self.bad += 1
                    self.dropped += block.end() - at
                at = block.end()
            elif self._may_grow(stream[at:]):
                return at
            else:
                self.bad += 1
                self.dropped += 1
                at += 1
        self.dropped += len(stream) - at
        return len(stream)

    def _may_grow(self, rest: bytes) -> bool:
        """Whether more bytes could complete a block that starts here."""
        if self._start in rest[1:] or len(rest) > self._longest + 3:
            return False
        end = rest.find(ETX)
        return end < 0 or len(rest) - end <= 2


def block_check(through_end: bytes, start: int | None = None) -> bytes:
    """The two digits after ETX: XOR of the bytes through ETX."""
    return b"%02X" % reduce(xor, through_end, start or 0)


def block(start: int, payload: bytes, *, check_start: bool = False) -> bytes:
    """A frame of `BlockFramer`."""
    through_end = payload + bytes([ETX])
    check = block_check(through_end, start if check_start else None)
    return bytes([start]) + through_end + check


class LengthFramer(_Bounded):
    """Two sync bytes, a length, payload and CRC-16 over length and payload, high byte first.

    `longest`: of the payloads of this protocol. Noise that looks like the head of a longer one
    would hold back what follows until as many bytes have come.
    """

    def __init__(self, sync: bytes = b"\xaa\x55", *, longest: int = 64) -> None:
        super().__init__()
        self._sync = sync
        self._longest = longest

    def _scan(self, stream: bytes, frames: list[bytes]) -> int:
        at = 0
        while (found := stream.find(self._sync, at)) >= 0:
            self.dropped += found - at
            at = found
            head = at + len(self._sync)
            if head == len(stream):
                return at
            if stream[head] > self._longest:
                self.bad += 1
                self.dropped += 1
                at += 1
                continue
            if head + stream[head] + 3 > len(stream):
                return at
            end = head + 1 + stream[head]
            if binascii.crc_hqx(stream[head:end], 0xFFFF) == int.from_bytes(stream[end : end + 2]):
                frames.append(stream[head + 1 : end])
                at = end + 2
            else:
                self.bad += 1
                self.dropped += 1
                at += 1
        kept = 1 if stream.endswith(self._sync[:1]) and at < len(stream) else 0
        self.dropped += len(stream) - at - kept
        return len(stream) - kept


def packet(payload: bytes, sync: bytes = b"\xaa\x55") -> bytes:
    """A frame of `LengthFramer`."""
    counted = bytes([len(payload)]) + payload
    return sync + counted + binascii.crc_hqx(counted, 0xFFFF).to_bytes(2)
