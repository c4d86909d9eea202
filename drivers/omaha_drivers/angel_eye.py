"""A card-reader shoe of the Angel Eye II-EX family, from publicly available information.

Check this adapter against the vendor's document before you use it at a live table. It follows two
public decoders. Wherever they, or other sources, leave a doubt, there is an option, with the
reading on which they agree as its default: `AngelEyeOptions` has them all.

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
from omaha_drivers.angel_eye_options import AngelEyeOptions, AngelEyeStxOptions, check_options
from omaha_drivers.framing import ACK, ENQ, NAK, STX, BlockFramer, block
from omaha_drivers.options import read_options
from omaha_drivers.sealed import Sealed
from omaha_drivers.text import printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_drivers.recording.masking import Masking
    from omaha_drivers.settings import DeviceSettings, Kind

CONFIRM: Final = "check this adapter against the vendor's document"
RANKS: Final = "A23456789TJQK"
SUITS: Final = "dcsh"
ANSWER_WITHIN: Final = 0.5
TRIES: Final = 3
_FAILED: Final[dict[int, Callable[[int], e.DeviceEvent]]] = {
    1: e.CardUnreadable,
    2: e.CardUnexpected,
    6: e.CardForeign,
}

ERROR_CODE: Final = 0x3F
"""Bit 6 says whether the shoe is in error mode."""
MAX_CARDS: Final = 8 * 52
"""Cards remembered per deck load: no shoe holds more than eight decks."""


class AngelEye:
    name = "angel_eye"
    kind: Kind = "shoe"
    caps = Caps(commands=True, reports_cards=True)
    port_defaults = PortDefaults(speed=4800)
    options_kind: type[AngelEyeOptions] = AngelEyeOptions

    def __init__(self, settings: DeviceSettings, resume_token: str = "") -> None:
        self._settings = settings
        self._options = options = read_options(self.options_kind, settings.options)
        self._characters = options.sequence.encode("latin-1")
        check_options(options)
        self._commands = {
            "LOCK": b"OPLK" + options.lock_data.encode("latin-1"),
            "UNLOCK": b"OPLK" + options.unlock_data.encode("latin-1"),
            "CLEAR": b"OPEC00",
        }
        self._framer = BlockFramer(ENQ, check_start=options.check_covers_enq)
        self._open = self._live = False
        self._known = False
        """Whether the shoe has sent a message before, on this connection or an earlier one."""
        self._sequence: int | None = None
        self._loss_reported = False
        self._indexes: dict[int, int] = {}
        """The last draw index of each side; -1: of the whole deck."""
        self._index_known = False
        self._missed = 0
        """How many messages the last gap in the sequence had."""
        self._salt = secrets.token_bytes(16)
        self._deck: list[bytes] = []
        """Salted hashes of the drawn cards: enough to count them and to find a duplicate."""
        self._last = b""
        """Salted hash of the last message."""
        self._copies = 0
        names = ("frames", "repeats", "copies lost", "rejected", "gaps")
        self._counts = dict.fromkeys(names, 0)
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
        elif verb not in self._commands:
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

    def masking(self) -> Masking:
        from omaha_drivers.angel_eye_masking import AngelEyeMasking

        return AngelEyeMasking(self._settings, self._options)

    def replaying(self, sent: bytes) -> None:
        """Nothing: what the host sends does not depend on chance."""

    def counters(self) -> dict[str, int]:
        return self._counts | {
            "bad frames": self._framer.bad,
            "bytes dropped": self._framer.dropped,
        }

    def _send_command(self, verb: str, tries: int, now: float) -> Actions:
        self._pending, self._due = (verb, tries), now + ANSWER_WITHIN
        covered = self._options.check_covers_stx
        return self._flush(block(STX, self._commands[verb], check_start=covered))

    def _answered(self, frame: bytes) -> None:
        if self._pending is not None:
            if frame[0] == NAK:
                self._emit(e.DeviceWarning(f"{self._pending[0]} refused: {frame[1]:02X}"))
            self._pending = self._due = None

    def _message(self, frame: bytes) -> None:
        """An impossible sequence byte or code is noise that happened to pass the check."""
        sequence, code, data = frame[1], frame[2:3].decode("latin-1"), frame[3:]
        text = code == "M" and self._options.setting_message == "ascii"
        legal = text or all(byte >= 0x80 for byte in data)
        if sequence not in self._characters or code not in _CODES or not legal:
            self._counts["rejected"] += 1
            return
        self._counts["frames"] += 1
        self._loss_reported = False
        self._go_live(code)
        mark = self._mark(frame)
        if mark == self._last:
            self._counts["repeats"] += 1
            self._copies += 1
            return
        if self._last:
            self._counts["copies lost"] += max(0, self._options.copies - self._copies)
        self._last, self._copies = mark, 1
        self._check_sequence(sequence, code)
        self._sequence = sequence
        _CODES[code](self, data)

    def _mark(self, data: bytes) -> bytes:
        return blake2s(data, key=self._salt, digest_size=8).digest()

    def _go_live(self, code: str) -> None:
        """A first message in the middle of a deck shows that nobody knows what came before it."""
        if self._live:
            return
        self._live = True
        if not self._known:
            self._emit(e.Identified("Angel", "Angel Eye II-EX", "", "", e.Trust.UNPINNED))
            self._emit(e.DeviceWarning(CONFIRM))
        self._emit(e.LinkChanged(e.Link.LIVE, "The shoe is connected."))
        if self._known:
            self._report_loss()
            self._sequence, self._index_known, self._missed = None, False, 0
            self._deck = [b""] * len(self._deck)
        elif code not in ("S", "P"):
            self._report_loss()
        self._known = True

    def _check_sequence(self, sequence: int, code: str) -> None:
        if self._sequence is not None and code != "S":
            characters = self._characters
            expected = characters[(characters.index(self._sequence) + 1) % len(characters)]
            if sequence != expected:
                self._report_loss()
                missed = characters.index(sequence) - characters.index(expected)
                self._missed = missed % len(characters)

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
        target, index = data[0] >> 4 & 7, data[0] & 15
        suit, rank = data[1] >> 4 & 7, data[1] & 15
        if in_game and target in self._options.uncounted_targets:
            return
        if not in_game:
            mode = printable(self._options.outside_targets.get(str(target), str(target)))
            self._emit(e.DeviceWarning(f"card drawn in {mode} mode"))
        if in_game:
            self._check_index(target, index)
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

    def _check_index(self, target: int, index: int) -> None:
        """Reports a loss that the index shows.

        What was missed keeps its numbers, as far as index or sequence byte say how much it was: as
        if all of it were cards. Somebody checks that.
        """
        if self._options.draw_index == "per_side":
            last, missed = self._indexes.get(target, 0), self._missed
            if self._index_known and index not in (1, last, last % 15 + 1):
                self._report_loss()
            self._indexes[target] = index
        else:
            missed = (index - self._indexes.get(-1, 0) - 1) % 15 if self._index_known else 0
            if missed:
                self._report_loss()
            self._indexes[-1] = index
        self._index_known, self._missed = True, 0
        self._deck += [b""] * (missed if missed < 8 else 0)

    def _resent(self, data: bytes) -> None:
        """A card that has arrived already is not drawn again; one that was missed is."""
        if len(data) != 2 or self._mark(data[1:]) in self._deck:
            return
        per_side = self._options.draw_index == "per_side"
        last = self._indexes.get(data[0] >> 4 & 7 if per_side else -1, 0)
        if self._index_known and data[0] & 15 == last % 15 + 1:
            self._card(data, in_game=True)

    def _failed(self, data: bytes) -> None:
        code = data[0] & ERROR_CODE if data else 0
        self._index_known = False
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
        if self._options.stand_by_loads:
            self._new_deck()
            self._emit(e.ShoeLoaded(0))

    def _new_deck(self) -> None:
        self._indexes.clear()
        self._index_known, self._missed = True, 0
        self._deck.clear()

    def _result(self, data: bytes) -> None:
        """A game is over: the sides count from 1 again."""
        if self._options.draw_index == "per_side":
            self._indexes.clear()

    def _cleared(self, data: bytes) -> None:
        self._emit(e.FaultCleared(str(data[0] & ERROR_CODE) if data else ""))

    def _locked(self, data: bytes) -> None:
        self._emit(e.LockChanged(bool(data and data[0] & 1)))

    def _setting(self, data: bytes) -> None:
        if self._options.setting_message == "binary":
            self._emit(e.SettingsChanged("setting"))
        elif len(data) >= 6 and data.isalnum():
            text = data.decode("ascii")
            self._emit(e.SettingsChanged(f"{text[:2]}={text[2:6]}"))
        else:
            self._emit(e.SettingsChanged("unreadable"))

    def _emit(self, event: e.DeviceEvent) -> None:
        self._out.append(Emitted(event))

    def _flush(self, send: bytes = b"") -> Actions:
        actions = Actions(tuple(self._out), send, self._due)
        self._out.clear()
        return actions


class AngelEyeStx(AngelEye):
    """Includes STX in the check of commands; the option check_covers_stx does the same."""

    name = "angel_eye_stx"
    options_kind = AngelEyeStxOptions


_CODES: Final[dict[str, Callable[[AngelEye, bytes], None]]] = {
    "S": AngelEye._started,
    "P": AngelEye._stand_by,
    "D": lambda shoe, data: shoe._card(data, in_game=True),
    "d": lambda shoe, data: shoe._card(data, in_game=False),
    "R": AngelEye._resent,
    "G": AngelEye._result,
    "C": lambda shoe, data: shoe._emit(e.CutCard(len(shoe._deck))),
    "E": AngelEye._failed,
    "e": AngelEye._cleared,
    "L": AngelEye._locked,
    "M": AngelEye._setting,
}
