"""What a screen may show, and nothing else: frozen, and without a place for a face-down card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

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


@dataclass(frozen=True, slots=True)
class Page:
    """A page over the table: a list, a card of rules, a slip."""

    title: str
    lines: tuple[str, ...]
    dots: int | None = None
    """How many digits of a PIN were typed; None: no PIN is asked for."""
    marked: int | None = None
    """The line that is chosen."""


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
    level: Literal["none", "hint", "info", "refused", "warn", "fault"]
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
