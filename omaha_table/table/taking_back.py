"""What the dealer may take back between hands and before a hand's first card, one entry at a time.

The reach starts again when a pot is pushed, and ends where something was done that is not the
dealer's to take back: a ruling, a shift, another limit. Past a hand's first card the hand itself
knows what can be undone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, get_args

from omaha_table.hand.events import CardDealt, HandStarted, HoleCardsOut, Posted
from omaha_table.hand.frozen import replace
from omaha_table.table import events
from omaha_table.table.seat_changes import TakesEffect
from omaha_table.table.state import Entry

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.table.events import TableEvent
    from omaha_table.table.state import TableState

    Fold = Callable[[TableState, TableEvent], TableState]

MOST: Final = 40
"""Entries that are kept; nobody goes back further than that one by one."""
_ENTRIES: Final = frozenset(
    (
        events.PlayerSeated,
        events.PlayerLeft,
        events.PlayerRenamed,
        events.PlayerAway,
        events.PlayerBack,
        events.PlayerMoved,
        events.PostAgreed,
        events.ChipsBought,
        events.StackSet,
        events.TableReopened,
        events.BlindsMissed,
        events.KillMissed,
        events.DealerIn,
        events.DealerOut,
        events.ButtonCardDrawn,
        events.ButtonPlaced,
        events.DeckCut,
        HandStarted,
    )
)
_GOES_WITH: Final[dict[type, frozenset[type]]] = {
    events.KillMissed: frozenset((events.BlindsMissed,)),
    events.BlindsMissed: frozenset((events.BlindsMissed,)),
    HandStarted: frozenset((events.BlindsMissed, events.KillMissed)),
    Posted: frozenset((HandStarted, Posted)),
    events.DealerIn: frozenset((events.DealerOut,)),
}
"""What belongs to the entry of the event right before it."""
_REPORTED: Final = frozenset(
    (
        events.DeckReported,
        *get_args(events.DeviceEvent),
        events.MachineDeckChanged,
        events.AuthorityRefused,
        events.FloorCalled,
        events.FloorArrived,
        events.FloorCallEnded,
    )
)
"""What an undo leaves as it is, although it may have come after the entry."""
_BESIDE: Final = frozenset(
    (
        events.DeviceNoted,
        events.SeatChangeAsked,
        events.SeatChangeCancelled,
    )
)
"""What changes nothing that an undo restores: a seat change that waits is no part of an entry."""
_FIRST_CARD: Final = frozenset((HoleCardsOut, CardDealt))


def undoable_after(state: TableState, event: TableEvent, seq: int, fold: Fold) -> tuple[Entry, ...]:
    """The entries that can be taken back once an event is folded into this state."""
    entries, kind = state.undoable, type(event)
    if state.hand is not None and not entries:
        return ()
    if kind in (events.TakenBack, events.HandTakenBack):
        return entries[:-1]
    if kind in _REPORTED:
        return tuple(replace(entry, before=fold(entry.before, event)) for entry in entries)
    if kind in _BESIDE:
        return entries
    if seq <= state.ruled:
        return ()
    if entries and _goes_with(entries[-1], event, seq):
        last = entries[-1]
        seqs, made = (*last.seqs, seq), (*last.events, event)
        return (*entries[:-1], replace(last, seqs=seqs, events=made))
    if isinstance(event, events.ButtonPlaced) and event.how != "placed":
        return ()
    if isinstance(event, TakesEffect) and event.asked_in:
        # It belongs to the end of the hand, and the seal after it keeps no entries: whoever reads
        # on from there could not take it back.
        return ()
    if kind in _ENTRIES:
        return (*entries, Entry((seq,), (event,), replace(state, undoable=())))[-MOST:]
    return ()


def undoable_in_hand(state: TableState, made: tuple[TableEvent, ...]) -> tuple[Entry, ...]:
    """The same, after events of an open hand: with its first card the start can only be called off
    by a ruling, even if that card was an entry by mistake. Somebody may have seen theirs."""
    if state.undoable and any(type(event) in _FIRST_CARD for event in made):
        return ()
    return state.undoable


def entry_to_undo(state: TableState) -> Entry | None:
    """The entry at the table that an undo takes back; None: one of the open hand, or nothing."""
    entry, hand = state.undoable[-1] if state.undoable else None, state.hand
    if entry is None or hand is None:
        return entry
    return None if hand.undoable and hand.standing_seqs[-1] > entry.seqs[-1] else entry


def _goes_with(last: Entry, event: TableEvent, seq: int) -> bool:
    if last.seqs[-1] != seq - 1:
        return False
    if isinstance(event, events.ButtonPlaced):
        return event.how == "drawn"
    first = last.events[0]
    if isinstance(first, events.TableReopened):
        return isinstance(event, events.PlayerSeated) and len(last.events) <= first.players
    return type(last.events[-1]) in _GOES_WITH.get(type(event), ())


def take_back(state: TableState, event: events.TakenBack | events.HandTakenBack) -> TableState:
    """The table from before the last entry; raises ValueError if the event names another one."""
    entry = state.undoable[-1] if state.undoable else None
    of_hand = isinstance(event, events.HandTakenBack)
    if entry is None or entry.seqs != event.seqs or entry.starts_hand != of_hand:
        raise ValueError("this entry cannot be taken back")
    if isinstance(event, events.HandTakenBack) and event.number != state.hands:
        raise ValueError(f"hand {event.number} is not the last one")
    # The number of a hand that was taken back stays used: two hands never have the same one.
    hand = None if of_hand else state.hand
    return replace(entry.before, hand=hand, hands=state.hands, ruled=state.ruled, asked=state.asked)
