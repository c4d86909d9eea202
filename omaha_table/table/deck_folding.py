"""Folds what happens to decks: those that are ready, out of play, or inside the shuffler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.hand.frozen import replace
from omaha_table.table.machine_deck import MachineDeck

if TYPE_CHECKING:
    from omaha_table.table import events
    from omaha_table.table.state import TableState


def report_deck(state: TableState, event: events.DeckReported) -> TableState:
    out = state.decks_out
    machine = None if event.taken else state.machine
    if event.state == "bad" and event.back:
        out |= {event.back}
    another = event.taken or (bool(event.back) and event.back != state.deck_back)
    if event.state in ("bad", "unverified") and state.deck in ("ok", "manual") and another:
        # The other deck lies ready and is not touched by this.
        return replace(state, decks_out=out, machine=machine)
    return replace(
        state,
        deck=event.state,
        deck_back=event.back,
        decks_out=out,
        deck_cut=False,
        machine=machine,
    )


def readmit(state: TableState, back: str) -> TableState:
    """The floor lets a deck back; if it is in the machine, it is counted again first."""
    machine = state.machine
    if machine is not None and machine.stage == "floor" and machine.back == back:
        machine = MachineDeck(back, "again", why="readmitted")
    return replace(state, decks_out=state.decks_out - {back}, machine=machine)


def take_out(state: TableState, device: str) -> TableState:
    """What happens to the deck of a shuffler that is out of use is not listened to."""
    machine = state.machine
    if device == "shuffler" and machine is not None and machine.stage != "floor":
        machine = MachineDeck(machine.back, "again", why="out_of_use")
    return replace(state, devices_out=state.devices_out | {device}, machine=machine)
