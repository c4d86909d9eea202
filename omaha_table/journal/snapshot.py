"""The table as a seal keeps it: enough to go on without reading earlier events."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from omaha_table.cards import Card
from omaha_table.hand.events import HandStarted
from omaha_table.hand.frozen import replace
from omaha_table.journal.codec import RecordError, decode, encode
from omaha_table.money import Cents
from omaha_table.table.device_records import DeviceRecord
from omaha_table.table.machine_deck import MachineDeck
from omaha_table.table.state import (
    Box,
    Down,
    FloorCall,
    LastHand,
    Reopened,
    Result,
    SeatAtTable,
    TableState,
)

if TYPE_CHECKING:
    from omaha_table.journal.events import DayCarried
    from omaha_table.rules import Profile


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table between hands, without its profile: the log has that in the event that set it."""

    limit: str
    seats: dict[int, SeatAtTable]
    button: int | None
    drawn: dict[int, Card]
    last: LastHand | None
    passed: tuple[int, ...]
    killer: int | None
    again: HandStarted | None
    no_hand_seat: int | None
    results: tuple[Result, ...]
    impounded: dict[int, dict[int, Cents]]
    devices_out: tuple[str, ...]
    pin_failures: int
    lockouts: int
    locked_until: int
    closed: bool
    down: Down | None
    shift: str | None
    box: Box
    deck: Literal["unknown", "ok", "bad", "manual", "unverified"]
    deck_back: str
    decks_out: tuple[str, ...]
    deck_cut: bool
    deck_required: bool
    hands: int
    kill_left: str = ""
    kill_debts: tuple[str, ...] = ()
    floor_call: FloorCall | None = None
    adjusted: Cents = 0
    reopened: Reopened | None = None
    device_records: dict[str, DeviceRecord] = field(default_factory=dict)
    machine: MachineDeck | None = None


def take(state: TableState) -> dict[str, Any]:
    """The state between hands as JSON data."""
    return encode(
        Snapshot(
            limit=state.limit.id,
            seats=state.seats,
            button=state.button,
            drawn=state.drawn,
            last=state.last,
            passed=tuple(sorted(state.passed)),
            killer=state.killer,
            again=state.again,
            no_hand_seat=state.no_hand_seat,
            results=state.results,
            impounded=state.impounded,
            devices_out=tuple(sorted(state.devices_out)),
            pin_failures=state.pin_failures,
            lockouts=state.lockouts,
            locked_until=state.locked_until,
            closed=state.closed,
            down=state.down,
            shift=state.shift,
            box=state.box,
            deck=state.deck,
            deck_back=state.deck_back,
            decks_out=tuple(sorted(state.decks_out)),
            deck_cut=state.deck_cut,
            deck_required=state.deck_required,
            hands=state.hands,
            kill_left=state.kill_left,
            kill_debts=tuple(sorted(state.kill_debts)),
            floor_call=state.floor_call,
            adjusted=state.adjusted,
            reopened=state.reopened,
            device_records=state.device_records,
            machine=state.machine,
        )
    )


def agrees(data: dict[str, Any], state: TableState) -> bool:
    """Whether a seal's table is the state, in the fields that the seal has.

    A seal of an older version lacks what came later. It is read with the defaults of those fields,
    which mean what the older version did.
    """
    try:
        kept: Snapshot = decode(Snapshot, data)
    except RecordError:
        return False
    if kept.box.tally is None:
        # An older version played this shift or opened it, and counted no hands: the money is
        # compared all the same.
        state = replace(state, box=replace(state.box, tally=None))
    return encode(kept) == take(state)


def carry_over(carried: DayCarried, profile: Profile, seq: int) -> TableState:
    """The table at the start of a day, as the day before left it; raises RecordError.

    `sitting` says who somebody is by the event with which they sat down. Of the day before these
    are counted down from 0, so that none is the number of an event of this day. The fees of the day
    before are in its own journal: nothing of them is left to give back in this one.
    """
    table = restore(carried.table, profile, seq)
    earlier = carried.events
    return replace(
        table,
        seats={seat: replace(at, sitting=at.sitting - earlier) for seat, at in table.seats.items()},
        results=tuple(
            replace(
                result,
                fee=0,
                sittings={seat: who - earlier for seat, who in result.sittings.items()},
            )
            for result in table.results
        ),
    )


def restore(data: dict[str, Any], profile: Profile, seq: int) -> TableState:
    """The state that a snapshot holds; raises RecordError."""
    kept: Snapshot = decode(Snapshot, data)
    limit = profile.limit(kept.limit)
    if limit is None:
        raise ValueError(f"{profile.id} has no limit {kept.limit}")
    return TableState(
        profile=profile,
        limit=limit,
        seats=kept.seats,
        button=kept.button,
        drawn=kept.drawn,
        last=kept.last,
        passed=frozenset(kept.passed),
        killer=kept.killer,
        again=kept.again,
        no_hand_seat=kept.no_hand_seat,
        results=kept.results,
        impounded=kept.impounded,
        devices_out=frozenset(kept.devices_out),
        pin_failures=kept.pin_failures,
        lockouts=kept.lockouts,
        locked_until=kept.locked_until,
        closed=kept.closed,
        down=kept.down,
        shift=kept.shift,
        box=kept.box,
        deck=kept.deck,
        deck_back=kept.deck_back,
        decks_out=frozenset(kept.decks_out),
        deck_cut=kept.deck_cut,
        deck_required=kept.deck_required,
        hands=kept.hands,
        kill_left=kept.kill_left,
        kill_debts=frozenset(kept.kill_debts),
        floor_call=kept.floor_call,
        adjusted=kept.adjusted,
        reopened=kept.reopened,
        device_records=kept.device_records,
        machine=kept.machine,
        seq=seq,
    )
