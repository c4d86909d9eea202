"""One tile per table: what a floor supervisor must know at a glance, and in which order."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from omaha_table.money import format_dollars
from omaha_table.table.device_records import changes_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from omaha_table.room.page.folding import TableNow
    from omaha_table.room.page.sources import Source
    from omaha_table.table import TableState

SILENT_SECONDS: Final = 15.0
"""A table that sends heartbeats every two seconds and is not heard of for so long is lost."""
BEHIND_SECONDS: Final = 60.0
_LEAST_SPAN: Final = 300.0
_LONGEST: Final = 40


class Need(IntEnum):
    """Why somebody should go there, the most urgent first."""

    CALLED = 0
    RULING = 1
    LOG = 2
    LOST = 3
    DEVICE = 4
    HELPED = 5
    """Somebody is there already."""
    NOTHING = 6
    CLOSED = 7


Level: TypeAlias = Literal["call", "fault", "warn", "here", ""]
LogLevel: TypeAlias = Literal["ok", "none", "warn", "fault"]
_LEVELS: Final[dict[Need, Level]] = {
    Need.CALLED: "call", Need.RULING: "call", Need.LOG: "fault", Need.LOST: "fault",
    Need.DEVICE: "warn", Need.HELPED: "here", Need.NOTHING: "", Need.CLOSED: "",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reason:
    need: Need
    words: str
    since: int = 0
    """Seconds since 1970; 0: not known."""

    @property
    def level(self) -> Level:
        return _LEVELS[self.need]


@dataclass(frozen=True, slots=True)
class Tile:
    name: str
    title: str
    game: str
    hand: str
    """'Hand 41, turn'."""
    seats: str
    """'7 of 9'."""
    open_seats: int
    dealer: str
    dealer_since: int
    drop: str
    pace: str
    kill: str
    shift: str
    log: str
    log_level: LogLevel
    reasons: tuple[Reason, ...]
    """Why somebody should go there, the most urgent first; the first one is the tile's."""
    section: str = ""

    @property
    def need(self) -> Need:
        return self.reasons[0].need if self.reasons else Need.NOTHING

    @property
    def level(self) -> Level:
        return _LEVELS[self.need]

    @property
    def order(self) -> tuple[int, int, str]:
        """Who waits longest for the most urgent comes first; then by name."""
        since = self.reasons[0].since if self.reasons else 0
        return int(self.need), since or (1 << 40), natural(self.name)


def natural(name: str) -> str:
    """So that t10 comes after t9."""
    digits = "".join(letter for letter in name if letter.isdecimal())
    letters = name.rstrip("0123456789")
    return f"{letters.casefold()} {digits.zfill(12)}"


def tile_of(now: TableNow, wall: float, section: str = "") -> Tile:
    """Pure: the same table at the same time always has the same tile."""
    source, state = now.source, now.state
    title = _text(source.beat.get("title")) or source.name
    log, level = log_words(source, wall)
    if state is None:
        said = now.problem or "Nothing was received yet."
        reasons = _log_reasons(now, wall)
        if now.problem:
            reasons.append(Reason(Need.LOG, said))
        return Tile(
            source.name, title, "", said, "", 0, "", 0, "", "", "", "", log, level,
            tuple(sorted(reasons, key=lambda one: one.need)), section,
        )  # fmt: skip
    seated, most = len(state.seats), state.profile.seats.max
    return Tile(
        name=source.name,
        title=title,
        game=game_words(state),
        hand=_hand(state),
        seats=f"{seated} of {most}",
        open_seats=0 if state.closed else most - seated,
        dealer="" if state.down is None else state.down.dealer,
        dealer_since=now.dealer_since_us // 1_000_000 if state.down is not None else 0,
        drop=_drop(state),
        pace=pace_words(now, wall),
        kill=_kill(state),
        shift=state.shift or "",
        log=log,
        log_level=level,
        reasons=tuple(sorted(_reasons(now, state, wall), key=lambda one: one.need)),
        section=section,
    )


def tiles_of(
    tables: Iterable[TableNow], wall: float, sections: Mapping[str, str] | None = None
) -> list[Tile]:
    """In the order in which somebody should look at them."""
    of = sections or {}
    made = [tile_of(now, wall, of.get(now.name, "")) for now in tables]
    return sorted(made, key=lambda tile: tile.order)


@dataclass(frozen=True, slots=True)
class OpenSeats:
    game: str
    seats: int
    tables: tuple[str, ...]


def open_seats(tiles: Iterable[Tile]) -> list[OpenSeats]:
    """Where somebody who asks for a game can sit down, by game."""
    found: dict[str, list[Tile]] = {}
    for tile in tiles:
        if tile.game and tile.need is not Need.CLOSED:
            found.setdefault(tile.game, []).append(tile)
    return [
        OpenSeats(
            game,
            sum(tile.open_seats for tile in some),
            tuple(f"{t.title} ({t.open_seats})" for t in some if t.open_seats),
        )
        for game, some in sorted(found.items())
    ]


def game_words(state: TableState) -> str:
    cards = state.profile.game.hole_cards
    name = "Big O" if cards == 5 else "Omaha"
    if cards == 5 and not state.profile.splits:
        name = "Big O High"
    elif cards == 4:
        name = "Omaha 8" if state.profile.splits else "Omaha High"
    kinds = {"pot_limit": " pot limit", "no_limit": " no limit", "spread": " spread"}
    return f"{name} {state.limit.id}{kinds.get(state.limit.structure, '')}"


def _hand(state: TableState) -> str:
    if state.closed:
        return "Closed"
    if state.hand is not None:
        return f"Hand {state.hands}, {state.hand.street.word}"
    return f"After hand {state.hands}" if state.hands else "No hand yet"


def _drop(state: TableState) -> str:
    if state.shift is None and not state.box.fees and not state.box.jackpots:
        return ""
    jackpot = f" + {format_dollars(state.box.jackpots)}" if state.box.jackpots else ""
    return f"{format_dollars(state.box.fees)}{jackpot}"


def _kill(state: TableState) -> str:
    hand = state.hand
    if hand is not None:
        killer = hand.setup.started.killer
        return "" if killer is None else f"Kill, seat {killer}"
    return "" if state.killer is None else f"Kill next, seat {state.killer}"


def pace_words(now: TableNow, wall: float) -> str:
    """Hands in an hour, once there is something to tell it by."""
    recent = [at / 1e6 for at in now.ended_us if wall - at / 1e6 <= 3600]
    span = min(wall - now.first_us / 1e6, 3600.0)
    if len(recent) < 2 or span < _LEAST_SPAN:
        return ""
    return f"{round(len(recent) * 3600 / span)}/h"


def log_words(source: Source, wall: float) -> tuple[str, LogLevel]:
    """How far the table's log is witnessed, in a word or two."""
    if source.alarm:
        return f"Log alarm: {source.alarm.replace('_', ' ')}", "fault"
    if not source.day:
        return "No log yet", "warn"
    if not source.cosigned_seq:
        return "Not witnessed", "none"
    if source.unsigned_since and wall - source.unsigned_since > BEHIND_SECONDS:
        return f"Witness behind by {source.seq - source.cosigned_seq:,}", "warn"
    return "Witnessed", "ok"


def _reasons(now: TableNow, state: TableState, wall: float) -> list[Reason]:
    if state.closed:
        return [*_log_reasons(now, wall), Reason(Need.CLOSED, "Closed")]
    found = _log_reasons(now, wall)
    call = state.floor_call
    if call is not None:
        if call.arrived:
            found.append(Reason(Need.HELPED, f"{call.arrived} is there", call.at + call.waited))
        else:
            found.append(Reason(Need.CALLED, "Floor called", call.at))
    if "card" in now.troubles:
        found.append(Reason(Need.RULING, "Needs a ruling", now.troubles["card"] // 1_000_000))
    return found + _device_reasons(now, state)


def _log_reasons(now: TableNow, wall: float) -> list[Reason]:
    source, found = now.source, []
    if source.alarm:
        words = f"Log alarm: {source.alarm.replace('_', ' ')}"
        found.append(Reason(Need.LOG, words, round(source.alarm_at)))
    if source.beat.get("log_stopped") is True:
        found.append(Reason(Need.LOG, "The table's log takes nothing"))
    closed = now.state is not None and now.state.closed
    if source.beats and not closed and wall - source.heard_at > SILENT_SECONDS:
        found.append(Reason(Need.LOST, "Not heard of", round(source.heard_at)))
    return found


def _device_reasons(now: TableNow, state: TableState) -> list[Reason]:
    found = []
    for name, record in state.device_records.items():
        if record.needs_floor:
            since = now.troubles.get(name, 0) // 1_000_000
            words = f"{name}: {', '.join(changes_of(record)) or 'changed'}"
            found.append(Reason(Need.DEVICE, words[:80], since))
    for device in _devices(now.source.beat):
        if device["state"] in ("fault", "warn"):
            doing = device["doing"] or "trouble"
            found.append(Reason(Need.DEVICE, f"{device['name']}: {doing}"[:80]))
    missing = now.source.beat.get("missing")
    if isinstance(missing, list):
        found += [Reason(Need.DEVICE, f"{_text(one)} is missing") for one in missing[:4]]
    return found


def _devices(beat: Mapping[str, Any]) -> list[dict[str, str]]:
    """What a heartbeat says of the devices. A table is not trusted to send what it should."""
    given = beat.get("devices")
    listed = given if isinstance(given, list) else []
    return [
        {key: _text(one.get(key)) for key in ("name", "state", "doing")}
        for one in listed[:8]
        if isinstance(one, dict)
    ]


def _text(value: object) -> str:
    return value[:_LONGEST] if isinstance(value, str) else ""
