"""What a screen may show, and nothing else: frozen, and without a place for a face-down card."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

NO_BREAK: Final = "\u00a0"
"""A space at which a line of a section is not broken."""
Kind = Literal["PLAYER", "DEALER", "STOP", "SURE", "READY", "FLOOR"]


@dataclass(frozen=True, slots=True)
class Key:
    """One key of the strip: what its cap says it does."""

    cap: str
    """'ENTER', '-', '0-9': the pad's own names."""
    label: str
    strong: bool = False
    """The key that goes on."""
    grey: str = ""
    """Why it does nothing now; empty: it works."""
    short: str = ""
    """The label where there is little room: an amount is on a key whole or not at all."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page over the table: a list, a card of rules, a slip."""

    title: str
    lines: tuple[str, ...]
    dots: int | None = None
    """How many digits of a PIN were typed; None: no PIN is asked for."""
    grey: frozenset[int] = frozenset()
    """The lines that cannot be chosen now."""
    over_table: bool = False
    """Whether the pot and the board are shown at its head."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """The next step in large letters, and the keys that answer it."""

    kind: Kind
    title: str
    detail: str
    number: str = ""
    caption: str = ""
    """What the number is: TO CALL, TYPED."""
    keys: tuple[Key, ...] = ()
    page: Page | None = None


@dataclass(frozen=True, slots=True)
class SeatView:
    number: int
    name: str = ""
    chips: str = ""
    bet: str = ""
    last: tuple[str, ...] = ()
    """What it did last on this street: in words, and in ever fewer for little room."""
    backs: int = 0
    """Cards that lie face down before it."""
    shown: tuple[str, ...] = ()
    """Tabled cards, and the face-up card of a button draw."""
    reading: str = ""
    marks: tuple[str, ...] = ()
    """D, SB, BB, K."""
    note: str = ""
    """AWAY, OWES BB, WAITS."""
    waits: tuple[str, ...] = ()
    """What takes effect here when the hand ends: LEAVES, +200; in ever fewer words."""
    acting: bool = False
    dim: bool = False
    all_in: bool = False


@dataclass(frozen=True, slots=True)
class PotView:
    name: str
    amount: str
    seats: str
    high: str = ""
    low: str = ""
    marked: bool = False


@dataclass(frozen=True, slots=True)
class FeltSection:
    """More about the hand, where the screen has room for it."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FeltView:
    """The middle of the table."""

    title: str
    total: str = ""
    board: tuple[str, ...] = ()
    """Face-up cards; empty where there is no board yet."""
    keyed: tuple[str, ...] = ()
    """Cards of the board that the dealer has typed and not committed."""
    slots: int = 0
    """How many board cards there are in all, where the board is drawn."""
    pots: tuple[PotView, ...] = ()
    lines: tuple[str, ...] = ()
    strong: str = ""
    lamps: tuple[str, ...] = ()
    sections: tuple[FeltSection, ...] = ()


@dataclass(frozen=True, slots=True)
class DeviceView:
    name: str
    state: Literal["ok", "warn", "fault", "off"]
    doing: str


@dataclass(frozen=True, slots=True)
class Alarm:
    level: Literal["none", "hint", "info", "refused", "call", "warn", "fault"]
    text: str


@dataclass(frozen=True, slots=True)
class TableView:
    table: str
    game: str
    hand: str
    clock: str
    drop: str
    seats: tuple[SeatView, ...]
    felt: FeltView
    devices: tuple[DeviceView, ...]
    collection: tuple[str, ...]
    alarm: Alarm
    prompt: Prompt
    log: tuple[str, ...]
    """The last events, the latest first."""
    called: str = ""
    """That the floor is called, and for how long."""
    held: str = ""
    """Chips that the floor holds until a ruling pays them."""


@dataclass(frozen=True, slots=True)
class Staging:
    """How a simulated table is shown; the defaults are a real one."""

    readings: bool = True
    """Whether the console says what tabled hands make, and who wins what."""
    face_up: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Hands on the table whose cards the console does not know, by seat."""
