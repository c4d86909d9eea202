"""A table with an RFID antenna at each seat, under the board and under the muck.

The reader sends a plain line for every tag that it sees, again and again while the card lies there:
the antenna, a space, the tag. `N` says that the table is empty. There is no check, no numbering and
no identification, so a line may be missing or come many times, and the adapter promises little.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

from omaha_drivers import events as e
from omaha_drivers.adapter import Actions, Caps, Emitted, PortDefaults
from omaha_drivers.conformance import Trial
from omaha_drivers.framing import TextFramer, text_line
from omaha_drivers.options import OptionError, read_options
from omaha_drivers.recording.masking import CardMask, FrameMasking
from omaha_drivers.sealed import Sealed
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.tdp_codec import CARDS

if TYPE_CHECKING:
    from omaha_drivers.emulate.host import Model
    from omaha_drivers.settings import Kind

READ_AGAIN = 0.4


@dataclass(frozen=True, slots=True)
class RfidOptions:
    cards: dict[str, str] = field(default_factory=dict)
    """Which tag is which card."""
    antennas: dict[str, str] = field(default_factory=dict)
    """Where an antenna is: '1' to '12' for a seat, 'board' or 'muck'."""


class RfidTable:
    name = "rfid_table"
    kind: Kind = "shoe"
    caps = Caps(reports_cards=True, places=True, checked=False, numbered=False)
    port_defaults = PortDefaults(speed=57600)

    def __init__(self, settings: DeviceSettings, resume_token: str = "") -> None:
        self._settings = settings
        options = read_options(RfidOptions, settings.options)
        if any(card not in CARDS for card in options.cards.values()):
            raise OptionError("cards: each is a rank from 23456789TJQKA and a suit from cdhs.")
        self._cards = options.cards
        self._places = {name: _place(where) for name, where in options.antennas.items()}
        self._count_only = settings.identities == "count_only"
        self._framer = TextFramer()
        self._live = self._known = False
        self._seen: dict[str, e.Place] = {}
        """Where each tag was first seen in this hand."""
        self._moved: set[str] = set()
        self._repeats = 0
        self._out: list[e.DeviceEvent] = []

    def opened(self, now: float) -> Actions:
        self._framer.reset()
        self._live = False
        return self._flush()

    def closed(self, now: float) -> Actions:
        return self.opened(now)

    def tick(self, now: float) -> Actions:
        return self._flush()

    def command(self, verb: str, now: float) -> Actions:
        self._out.append(e.DeviceWarning("this reader has no commands"))
        return self._flush()

    def masking(self) -> RfidMasking:
        return RfidMasking(self._settings)

    def replaying(self, sent: bytes) -> None:
        """Nothing: it sends nothing."""

    def counters(self) -> dict[str, int]:
        return {"repeats": self._repeats, "bad lines": self._framer.bad}

    def feed(self, data: bytes, now: float) -> Actions:
        for line in self._framer.feed(data):
            antenna, space, tag = line.decode("ascii").partition(" ")
            if line == b"N":
                self._go_live()
                self._seen.clear()
                self._moved.clear()
                self._out.append(e.ShoeLoaded(0))
            elif space and antenna in self._places and tag.isalnum():
                self._go_live()
                self._tag(tag, self._places[antenna])
        return self._flush()

    def _go_live(self) -> None:
        if not self._live:
            self._live = True
            if not self._known:
                self._known = True
                self._out.append(e.Identified("", "RFID table", "", "", e.Trust.UNPINNED))
            self._out.append(e.LinkChanged(e.Link.LIVE, "The reader is sending."))

    def _tag(self, tag: str, place: e.Place) -> None:
        before = self._seen.get(tag)
        if before is None:
            self._seen[tag] = place
            number = len(self._seen)
            if tag not in self._cards:
                self._out.append(e.CardForeign(number))
                return
            card = None if self._count_only else Sealed(self._cards[tag])
            self._out.append(e.CardDrawn(number, card, in_game=True, place=place))
        elif place in (before, "muck"):
            self._repeats += 1  # It still lies there, or was mucked.
        elif tag not in self._moved:
            self._moved.add(tag)
            self._out.append(e.DeviceWarning("a card was moved"))

    def _flush(self) -> Actions:
        actions = Actions(tuple(Emitted(event) for event in self._out))
        self._out.clear()
        return actions


def _place(where: str) -> e.Place:
    place = int(where) if where.isdecimal() else where
    if not e.is_place(place):
        raise OptionError("antennas: each is at a seat from 1 to 12, at 'board' or at 'muck'.")
    return cast("e.Place", place)


class RfidMasking(FrameMasking):
    """Invents a tag for each card and permutes the cards of each hand. Real tags are not kept."""

    def __init__(self, settings: DeviceSettings) -> None:
        super().__init__(settings, TextFramer())
        options = read_options(RfidOptions, settings.options)
        self._cards, self._antennas = options.cards, options.antennas
        self._invented = {card: f"T{at:02}" for at, card in enumerate(CARDS)}
        invented = {tag: card for card, tag in self._invented.items()}
        self.settings = replace(
            self.settings, options={"cards": invented, "antennas": options.antennas}
        )
        self._new_hand()

    def _new_hand(self) -> None:
        self._mask = CardMask(CARDS)
        self._strange: dict[str, str] = {}

    def wire(self, frame: bytes) -> bytes:
        return frame

    def find(self, frame: bytes, stream: bytes, start: int) -> tuple[int, int]:
        """A whole line: the same text may be a part of a bad one."""
        line = re.compile(rb"(?:\A|[\r\n])(" + re.escape(frame) + rb")[\r\n]")
        found = line.search(stream, max(start - 1, 0))
        assert found is not None
        return found.span(1)

    def masked(self, frame: bytes) -> bytes | None:
        antenna, space, tag = frame.decode("ascii").partition(" ")
        if frame == b"N":
            self._new_hand()
            return frame
        if not space or antenna not in self._antennas or not tag.isalnum():
            return None
        if tag in self._cards:
            other = self._invented[self._mask[self._cards[tag]]]
        else:
            other = self._strange.setdefault(tag, f"X{len(self._strange):02}")
        return f"{antenna} {other}".encode("ascii")


# The model and its trial

TAGS = {f"E0040150{at:04X}": card for at, card in enumerate(CARDS)}
ANTENNAS = {"S1": "1", "S2": "2", "S3": "3", "S9": "9", "B": "board", "M": "muck"}
OPTIONS: dict[str, object] = {"cards": TAGS, "antennas": ANTENNAS}


class RfidModel:
    serial = ""
    heartbeat = False

    def __init__(self) -> None:
        self.out: list[bytes] = []
        self._lying: dict[str, str] = {}
        self._next = 0.0

    def lay(self, card: str, antenna: str) -> None:
        tag = next(tag for tag, one in TAGS.items() if one == card)
        self._lying[tag] = antenna
        self.out.append(text_line(f"{antenna} {tag}"))

    def clear(self) -> None:
        self._lying.clear()
        self.out.append(text_line("N"))

    def power_cycle(self) -> None:
        self.out.clear()

    def feed(self, data: bytes, now: float) -> None:
        """Ignores what the host sends."""

    def tick(self, now: float) -> None:
        """Reads every tag again."""
        if now >= self._next:
            self._next = now + READ_AGAIN
            self.out += [text_line(f"{where} {tag}") for tag, where in self._lying.items()]

    def deadline(self) -> float:
        return self._next


class RfidTrial(Trial):
    settings = DeviceSettings(
        "shoe", "shoe", f"{__name__}:RfidTable", "", options=OPTIONS
    )  # fmt: skip

    def adapter(self, settings: DeviceSettings, resume_token: str) -> RfidTable:
        return RfidTable(settings, resume_token)

    def model(self) -> Model:
        return RfidModel()

    def begin(self, model: RfidModel) -> None:
        model.clear()

    def happen(self, model: RfidModel, number: int) -> str:
        antenna = [*ANTENNAS][number % len(ANTENNAS)]
        model.lay(CARDS[number - 1], antenna)
        return f"{CARDS[number - 1]} at {ANTENNAS[antenna]}"
