"""A card-reader shoe of the Angel Eye II-EX family, after what is publicly known of it.

Confirm it with the vendor's document before use at a live table. Assumed here and not known: the
sequence byte runs through the digits 0 to 9; stand-by (P) begins a new deck; the draw index runs
from 1 to 15 and starts over with each deck. Whether the check of a command covers STX differs
between sources: `AngelEyeStx` is the other reading.

The shoe has no serial number to ask for, no heartbeat, no session and no way to send an event
again. So it is live once it has spoken, is never called silent, and after a gap or a new
connection the table must be checked.
"""

from __future__ import annotations

import secrets
from hashlib import blake2s
from typing import TYPE_CHECKING, Final

from omaha_drivers import events as e
from omaha_drivers.adapter import Actions, Caps, Placed, PortDefaults
from omaha_drivers.framing import ACK, ENQ, NAK, STX, BlockFramer, block
from omaha_drivers.sealed import Sealed

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_drivers.settings import DeviceSettings, Kind

CONFIRM: Final = "confirm with the vendor's document"
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

MOST_CARDS: Final = 8 * 52
"""Remembered of one shoe; more have not come from one."""


class AngelEye:
    name = "angel_eye"
    kind: Kind = "shoe"
    caps = Caps(commands=True, reports_cards=True)
    port_defaults = PortDefaults(speed=4800)
    check_covers_start = False

    def __init__(self, settings: DeviceSettings, place: str = "") -> None:
        self._settings = settings
        self._framer = BlockFramer(ENQ)
        self._open = self._live = False
        self._known = False
        """Whether the shoe has been heard before, on this line or an earlier one."""
        self._sequence: int | None = None
        self._lost_said = False
        self._index: int | None = None
        self._salt = secrets.token_bytes(16)
        self._deck: list[bytes] = []
        """The cards drawn, under a salt: enough to count, and to find one that comes twice."""
        self._last = b""
        """The last message, likewise."""
        self._counts = dict.fromkeys(("frames", "repeats", "not believed", "gaps"), 0)
        self._asked: tuple[str, int] | None = None
        self._due: float | None = None
        self._out: list[Placed] = []

    def opened(self, now: float) -> Actions:
        self.closed(now)
        self._open = True
        return self._done()

    def closed(self, now: float) -> Actions:
        self._framer.reset()
        self._open = self._live = False
        self._asked = self._due = None
        return self._done()

    def feed(self, data: bytes, now: float) -> Actions:
        for frame in self._framer.feed(data):
            if frame[0] in (ACK, NAK):
                self._answered(frame)
            else:
                self._message(frame)
        return self._done()

    def tick(self, now: float) -> Actions:
        if self._due is None or self._asked is None or now < self._due:
            return self._done()
        verb, tries = self._asked
        if tries >= TRIES:
            self._asked = self._due = None
            self._tell(e.NeedsCare(f"{verb} not answered"))
            return self._done()
        return self._ask(verb, tries + 1, now)

    def command(self, verb: str, now: float) -> Actions:
        if verb == "STAT":
            self._tell(e.NeedsCare("the shoe cannot be asked"))
        elif verb not in COMMANDS:
            self._tell(e.NeedsCare("unknown command"))
        elif not self._settings.allow_commands:
            self._tell(e.NeedsCare(f"{verb} not sent: commands are off"))
        elif not self._open:
            self._tell(e.NeedsCare(f"{verb} not sent: not live"))
        elif self._asked is not None:
            self._tell(e.NeedsCare(f"{verb} not sent: one is under way"))
        else:
            return self._ask(verb, 1, now)
        return self._done()

    def counters(self) -> dict[str, int]:
        return self._counts | {
            "bad frames": self._framer.bad,
            "bytes dropped": self._framer.dropped,
        }

    def _ask(self, verb: str, tries: int, now: float) -> Actions:
        self._asked, self._due = (verb, tries), now + ANSWER_WITHIN
        return self._done(block(STX, COMMANDS[verb], check_start=self.check_covers_start))

    def _answered(self, frame: bytes) -> None:
        if self._asked is not None:
            if frame[0] == NAK:
                self._tell(e.NeedsCare(f"{self._asked[0]} refused: {frame[1]:02X}"))
            self._asked = self._due = None

    def _message(self, frame: bytes) -> None:
        """One with a sequence byte or a code that cannot be is noise that the check let through."""
        sequence, code, data = frame[1], frame[2:3].decode("latin-1"), frame[3:]
        if sequence not in SEQUENCE or code not in _CODES or any(byte < 0x80 for byte in data):
            self._counts["not believed"] += 1
            return
        self._counts["frames"] += 1
        self._lost_said = False
        self._come_alive()
        mark = self._mark(frame)
        if mark == self._last:
            self._counts["repeats"] += 1
            return
        self._last = mark
        self._look_for_gap(sequence, code)
        self._sequence = sequence
        _CODES[code](self, data)

    def _mark(self, data: bytes) -> bytes:
        return blake2s(data, key=self._salt, digest_size=8).digest()

    def _come_alive(self) -> None:
        if self._live:
            return
        self._live = True
        if not self._known:
            self._tell(e.Identified("Angel", "Angel Eye II-EX", "", "", e.Trust.UNPINNED))
            self._tell(e.NeedsCare(CONFIRM))
        self._tell(e.LinkChanged(e.Link.LIVE, "The shoe has spoken."))
        if self._known:
            self._lost()
            self._sequence = self._index = None
            self._deck = [b""] * len(self._deck)
        self._known = True

    def _look_for_gap(self, sequence: int, code: str) -> None:
        if self._sequence is not None and code != "S":
            expected = SEQUENCE[(SEQUENCE.index(self._sequence) + 1) % len(SEQUENCE)]
            if sequence != expected:
                self._lost()

    def _lost(self) -> None:
        """Said once for a message."""
        if not self._lost_said:
            self._lost_said = True
            self._counts["gaps"] += 1
            self._tell(e.EventsLost(None))

    # What the events mean

    def _card(self, data: bytes, *, in_game: bool) -> None:
        if len(data) != 2:
            self._counts["not believed"] += 1
            self._lost()
            return
        index, suit, rank = data[0] & 15, data[1] >> 4 & 7, data[1] & 15
        if self._index is not None and index != self._index:
            self._lost()
            missed = (index - self._index) % 15
            self._deck += [b""] * (missed if missed < 8 else 0)
        self._index = index % 15 + 1
        if len(self._deck) >= MOST_CARDS:
            self._new_deck()
        mark = self._mark(data[1:])
        twice = mark in self._deck
        self._deck.append(mark)
        if index == 0 or not (1 <= suit <= 4 and 1 <= rank <= 13):
            self._tell(e.CardUnreadable(len(self._deck)))
            return
        if twice:
            self._tell(e.CardTwice(len(self._deck)))
            return
        count_only = self._settings.identities == "count_only"
        card = None if count_only else Sealed(RANKS[rank - 1] + SUITS[suit - 1])
        self._tell(e.CardDrawn(len(self._deck), card, in_game))

    def _sent_again(self, data: bytes) -> None:
        """A card that has come already keeps its index; another one has been missed till now."""
        if len(data) == 2 and self._index is not None and data[0] & 15 == self._index:
            self._card(data, in_game=True)

    def _failed(self, data: bytes) -> None:
        code = data[0] & 15 if data else 0
        self._index = None
        if code in (4, 5):
            self._tell(e.CardReturned(len(self._deck)))
            del self._deck[-1:]
        elif code in _FAILED:
            self._deck.append(b"")
            self._tell(_FAILED[code](len(self._deck)))
        elif code == 7:
            self._tell(e.CardStuck(len(self._deck) + 1))
        elif code == 3:
            self._tell(e.NeedsCare("button"))
        else:
            self._tell(e.Fault(str(code)))

    def _started(self, data: bytes) -> None:
        self._new_deck()
        self._tell(e.Restarted())

    def _stood_by(self, data: bytes) -> None:
        self._new_deck()
        self._tell(e.ShoeLoaded(0))

    def _new_deck(self) -> None:
        self._index = 1
        self._deck.clear()

    def _cleared(self, data: bytes) -> None:
        self._tell(e.FaultCleared(str(data[0] & 15) if data else ""))

    def _locked(self, data: bytes) -> None:
        self._tell(e.LockChanged(bool(data and data[0] & 1)))

    def _tell(self, event: e.DeviceEvent) -> None:
        self._out.append(Placed(event))

    def _done(self, send: bytes = b"") -> Actions:
        actions = Actions(tuple(self._out), send, self._due)
        self._out.clear()
        return actions


class AngelEyeStx(AngelEye):
    """With STX in the check of commands."""

    name = "angel_eye_stx"
    check_covers_start = True


_CODES: Final[dict[str, Callable[[AngelEye, bytes], None]]] = {
    "S": AngelEye._started,
    "P": AngelEye._stood_by,
    "D": lambda shoe, data: shoe._card(data, in_game=True),
    "d": lambda shoe, data: shoe._card(data, in_game=False),
    "R": AngelEye._sent_again,
    "G": lambda shoe, data: None,
    "C": lambda shoe, data: shoe._tell(e.CutCard(len(shoe._deck))),
    "E": AngelEye._failed,
    "e": AngelEye._cleared,
    "L": AngelEye._locked,
    "M": lambda shoe, data: shoe._tell(e.SettingsChanged("setting")),
}
