"""A card-reader shoe of the Angel Eye II-EX family, from publicly available information.

Check this adapter against the vendor's document before you use it at a live table. Three things
are assumptions: the sequence byte runs through the digits 0 to 9; stand-by (P) starts a new deck;
the draw index runs from 1 to 15 and starts over with each deck. Sources disagree on whether the
check of a command covers STX; `AngelEyeStx` is the variant that does.

The shoe has no serial number, no heartbeat, no session and no resend. So it counts as live after
its first message and never as silent, and after a gap or a reconnection the dealer must check the
table.
"""

from __future__ import annotations

import secrets
from hashlib import blake2s
from typing import TYPE_CHECKING, Final

from omaha_drivers import events as e
from omaha_drivers.adapter import Actions, Caps, Emitted, PortDefaults
from omaha_drivers.framing import ACK, ENQ, NAK, STX, BlockFramer, block
from omaha_drivers.sealed import Sealed

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_drivers.settings import DeviceSettings, Kind

CONFIRM: Final = "check this adapter against the vendor's document"
SEQUENCE: Final = b"0123456789"
RANKS: Final = "A23456789TJQK"
SUITS: Final = "dcsh"
COMMANDS: Final = {"LOCK": b"OPLK01", "UNLOCK": b"OPLK00", "CLEAR": b"OPEC00"}
ANSWER_WITHIN: Final = 0.5
TRIES: Final = 3
_FAILED: Final[dict[int, Callable[[int], e.DeviceEvent]]] = {
    1: e.CardUnreadable,
    2: e.CardUnexpected,
    6: e.CardForeign,
}

MAX_CARDS: Final = 8 * 52
"""Cards remembered per deck load: no shoe holds more than eight decks."""


class AngelEye:
    name = "angel_eye"
    kind: Kind = "shoe"
    caps = Caps(commands=True, reports_cards=True)
    port_defaults = PortDefaults(speed=4800)
    check_covers_start = False

    def __init__(self, settings: DeviceSettings, resume_token: str = "") -> None:
        self._settings = settings
        self._framer = BlockFramer(ENQ)
        self._open = self._live = False
        self._known = False
        """Whether the shoe has sent a message before, on this connection or an earlier one."""
        self._sequence: int | None = None
        self._loss_reported = False
        self._index: int | None = None
        self._salt = secrets.token_bytes(16)
        self._deck: list[bytes] = []
        """Salted hashes of the drawn cards: enough to count them and to find a duplicate."""
        self._last = b""
        """Salted hash of the last message."""
        self._counts = dict.fromkeys(("frames", "repeats", "rejected", "gaps"), 0)
        self._pending: tuple[str, int] | None = None
        self._due: float | None = None
        self._out: list[Emitted] = []

    def opened(self, now: float) -> Actions:
        self.closed(now)
        self._open = True
        return self._flush()

    def closed(self, now: float) -> Actions:
        self._framer.reset()
        self._open = self._live = False
        self._pending = self._due = None
        return self._flush()

    def feed(self, data: bytes, now: float) -> Actions:
        for frame in self._framer.feed(data):
            if frame[0] in (ACK, NAK):
                self._answered(frame)
            else:
                self._message(frame)
        return self._flush()

    def tick(self, now: float) -> Actions:
        if self._due is None or self._pending is None or now < self._due:
            return self._flush()
        verb, tries = self._pending
        if tries >= TRIES:
            self._pending = self._due = None
            self._emit(e.DeviceWarning(f"no answer to {verb}"))
            return self._flush()
        return self._send_command(verb, tries + 1, now)

    def command(self, verb: str, now: float) -> Actions:
        if verb == "STAT":
            self._emit(e.DeviceWarning("this shoe has no status command"))
        elif verb not in COMMANDS:
            self._emit(e.DeviceWarning("unknown command"))
        elif not self._settings.allow_commands:
            self._emit(e.DeviceWarning(f"{verb} not sent: commands are disabled"))
        elif not self._open:
            self._emit(e.DeviceWarning(f"{verb} not sent: the device is not connected"))
        elif self._pending is not None:
            self._emit(e.DeviceWarning(f"{verb} not sent: another command is pending"))
        else:
            return self._send_command(verb, 1, now)
        return self._flush()

    def counters(self) -> dict[str, int]:
        return self._counts | {
            "bad frames": self._framer.bad,
            "bytes dropped": self._framer.dropped,
        }

    def _send_command(self, verb: str, tries: int, now: float) -> Actions:
        self._pending, self._due = (verb, tries), now + ANSWER_WITHIN
        return self._flush(block(STX, COMMANDS[verb], check_start=self.check_covers_start))

    def _answered(self, frame: bytes) -> None:
        if self._pending is not None:
            if frame[0] == NAK:
                self._emit(e.DeviceWarning(f"{self._pending[0]} refused: {frame[1]:02X}"))
            self._pending = self._due = None

    def _message(self, frame: bytes) -> None:
        """An impossible sequence byte or code is noise that happened to pass the check."""
        sequence, code, data = frame[1], frame[2:3].decode("latin-1"), frame[3:]
        if sequence not in SEQUENCE or code not in _CODES or any(byte < 0x80 for byte in data):
            self._counts["rejected"] += 1
            return
        self._counts["frames"] += 1
        self._loss_reported = False
        self._go_live()
        mark = self._mark(frame)
        if mark == self._last:
            self._counts["repeats"] += 1
            return
        self._last = mark
        self._check_sequence(sequence, code)
        self._sequence = sequence
        _CODES[code](self, data)

    def _mark(self, data: bytes) -> bytes:
        return blake2s(data, key=self._salt, digest_size=8).digest()

    def _go_live(self) -> None:
        if self._live:
            return
        self._live = True
        if not self._known:
            self._emit(e.Identified("Angel", "Angel Eye II-EX", "", "", e.Trust.UNPINNED))
            self._emit(e.DeviceWarning(CONFIRM))
        self._emit(e.LinkChanged(e.Link.LIVE, "The shoe is connected."))
        if self._known:
            self._report_loss()
            self._sequence = self._index = None
            self._deck = [b""] * len(self._deck)
        self._known = True

    def _check_sequence(self, sequence: int, code: str) -> None:
        if self._sequence is not None and code != "S":
            expected = SEQUENCE[(SEQUENCE.index(self._sequence) + 1) % len(SEQUENCE)]
            if sequence != expected:
                self._report_loss()

    def _report_loss(self) -> None:
        """At most once per message."""
        if not self._loss_reported:
            self._loss_reported = True
            self._counts["gaps"] += 1
            self._emit(e.EventsLost(None))

    # Messages from the shoe

    def _card(self, data: bytes, *, in_game: bool) -> None:
        if len(data) != 2:
            self._counts["rejected"] += 1
            self._report_loss()
            return
        index, suit, rank = data[0] & 15, data[1] >> 4 & 7, data[1] & 15
        if self._index is not None and index != self._index:
            self._report_loss()
            missed = (index - self._index) % 15
            self._deck += [b""] * (missed if missed < 8 else 0)
        self._index = index % 15 + 1
        if len(self._deck) >= MAX_CARDS:
            self._new_deck()
        mark = self._mark(data[1:])
        twice = mark in self._deck
        self._deck.append(mark)
        if index == 0 or not (1 <= suit <= 4 and 1 <= rank <= 13):
            self._emit(e.CardUnreadable(len(self._deck)))
            return
        if twice:
            self._emit(e.CardDuplicate(len(self._deck)))
            return
        count_only = self._settings.identities == "count_only"
        card = None if count_only else Sealed(RANKS[rank - 1] + SUITS[suit - 1])
        self._emit(e.CardDrawn(len(self._deck), card, in_game))

    def _resent(self, data: bytes) -> None:
        """A resent card with the next index is one we missed; any other has arrived already."""
        if len(data) == 2 and self._index is not None and data[0] & 15 == self._index:
            self._card(data, in_game=True)

    def _failed(self, data: bytes) -> None:
        code = data[0] & 15 if data else 0
        self._index = None
        if code in (4, 5):
            self._emit(e.CardReturned(len(self._deck)))
            del self._deck[-1:]
        elif code in _FAILED:
            self._deck.append(b"")
            self._emit(_FAILED[code](len(self._deck)))
        elif code == 7:
            self._emit(e.CardStuck(len(self._deck) + 1))
        elif code == 3:
            self._emit(e.DeviceWarning("button"))
        else:
            self._emit(e.Fault(str(code)))

    def _started(self, data: bytes) -> None:
        self._new_deck()
        self._emit(e.Restarted())

    def _stand_by(self, data: bytes) -> None:
        self._new_deck()
        self._emit(e.ShoeLoaded(0))

    def _new_deck(self) -> None:
        self._index = 1
        self._deck.clear()

    def _cleared(self, data: bytes) -> None:
        self._emit(e.FaultCleared(str(data[0] & 15) if data else ""))

    def _locked(self, data: bytes) -> None:
        self._emit(e.LockChanged(bool(data and data[0] & 1)))

    def _emit(self, event: e.DeviceEvent) -> None:
        self._out.append(Emitted(event))

    def _flush(self, send: bytes = b"") -> Actions:
        actions = Actions(tuple(self._out), send, self._due)
        self._out.clear()
        return actions


class AngelEyeStx(AngelEye):
    """Includes STX in the check of commands."""

    name = "angel_eye_stx"
    check_covers_start = True


_CODES: Final[dict[str, Callable[[AngelEye, bytes], None]]] = {
    "S": AngelEye._started,
    "P": AngelEye._stand_by,
    "D": lambda shoe, data: shoe._card(data, in_game=True),
    "d": lambda shoe, data: shoe._card(data, in_game=False),
    "R": AngelEye._resent,
    "G": lambda shoe, data: None,
    "C": lambda shoe, data: shoe._emit(e.CutCard(len(shoe._deck))),
    "E": AngelEye._failed,
    "e": AngelEye._cleared,
    "L": AngelEye._locked,
    "M": lambda shoe, data: shoe._emit(e.SettingsChanged("setting")),
}
