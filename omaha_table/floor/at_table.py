"""Rulings on the table: button, kill, devices, decks, the clock, closing.

As in `in_hand`, each ruling has a function that says why it is not possible now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from omaha_table.floor.spec import (
    Effect,
    check,
    hand_in_play,
    hand_of,
    no_hand,
    no_hand_in_play,
    nobody_there,
    refused,
    seated,
)
from omaha_table.hand.phases import Phase
from omaha_table.table import events
from omaha_table.table.device_records import changes_of

if TYPE_CHECKING:
    from omaha_table.floor.params import Before
    from omaha_table.hand import Refused
    from omaha_table.table import TableState

CLOCK_SECONDS = 30


Device: TypeAlias = Literal["shuffler", "shoe"]


def why_nobody(state: TableState, seat: int, _: Before = ()) -> Refused | None:
    return nobody_there(state, seat)


def why_no_button(state: TableState) -> Refused | None:
    if state.hand is not None:
        return hand_in_play(state)
    return None if state.present else refused(state, "no_such_seat", "no player is at the table")


def why_not_button(state: TableState, seat: int, _: Before = ()) -> Refused | None:
    if seat in state.present:
        return None
    absent = refused(state, "no_such_seat", f"seat {seat} is away or has no chips")
    return nobody_there(state, seat) or absent


def move_button(state: TableState, seat: int) -> Effect:
    no_hand(state)
    check(why_not_button(state, seat))
    return Effect(
        f"Seat {seat} has the button in the next hand.", [events.ButtonPlaced(seat, "placed")]
    )


def why_no_waived_kill(state: TableState) -> Refused | None:
    if state.hand is not None:
        return hand_in_play(state)
    if any(at.owes_kill for at in state.seats.values()):
        return None
    return refused(state, "wrong_phase", "nobody owes a kill", "kill.absent")


def why_owes_no_kill(state: TableState, seat: int, _: Before = ()) -> Refused | None:
    at = state.seats.get(seat)
    if at is None or at.owes_kill:
        return nobody_there(state, seat)
    return refused(state, "wrong_phase", f"seat {seat} owes no kill", "kill.absent")


def waive_kill(state: TableState, seat: int) -> Effect:
    no_hand(state)
    check(why_owes_no_kill(state, seat))
    return Effect(f"Seat {seat} no longer owes a kill.", [events.KillWaived(seat)])


def why_no_naming(state: TableState) -> Refused | None:
    if state.profile.seats.no_hand_seat != "floor":
        return refused(
            state,
            "wrong_phase",
            "the rules of this game decide who gets no hand",
            "seats.no_hand_seat",
        )
    if state.hand is not None:
        return hand_in_play(state)
    return None if state.seats else refused(state, "no_such_seat", "nobody is at the table")


def name_no_hand(state: TableState, seat: int) -> Effect:
    no_hand(state)
    seated(state, seat)
    check(why_no_naming(state))
    return Effect(
        f"Seat {seat} gets no hand next if there are too many players.",
        [events.NoHandSeatNamed(seat)],
    )


def why_no_taking_out(state: TableState) -> Refused | None:
    if {"shuffler", "shoe"} <= state.devices_out:
        return refused(state, "wrong_phase", "shuffler and shoe are out of use", "devices")
    return None


def why_not_out(state: TableState, device: Device, _: Before = ()) -> Refused | None:
    if device in state.devices_out:
        return refused(state, "wrong_phase", f"the {device} is already out of use", "devices")
    return None


def take_out_device(state: TableState, device: Device) -> Effect:
    check(why_not_out(state, device))
    return Effect(
        f"The {device} is out of use; the table continues by hand.", [events.DeviceTakenOut(device)]
    )


def why_no_restoring(state: TableState) -> Refused | None:
    if not state.devices_out:
        return refused(state, "wrong_phase", "no device is out of use", "devices")
    return None


def why_not_restored(state: TableState, device: Device, _: Before = ()) -> Refused | None:
    if device not in state.devices_out:
        return refused(state, "wrong_phase", f"the {device} is in use", "devices")
    return None


def restore_device(state: TableState, device: Device) -> Effect:
    check(why_not_restored(state, device))
    return Effect(f"The {device} is in use again.", [events.DeviceRestored(device)])


def why_nothing_to_accept(state: TableState) -> Refused | None:
    if any(record.needs_floor for record in state.device_records.values()):
        return None
    return refused(state, "wrong_phase", "no device has changed", "devices")


def why_not_accepted(state: TableState, device: Device, _: Before = ()) -> Refused | None:
    record = state.device_records.get(device)
    if record is None or not record.needs_floor:
        return refused(state, "wrong_phase", f"the {device} has not changed", "devices")
    return None


def accept_device(state: TableState, device: Device) -> Effect:
    check(why_not_accepted(state, device))
    changed = "; ".join(changes_of(state.device_records[device]))
    return Effect(f"The {device} is accepted: {changed}.", [events.DeviceAccepted(device)])


def why_no_readmitting(state: TableState) -> Refused | None:
    return None if state.decks_out else refused(state, "wrong_phase", "no deck is out of play",
                                                "shuffle")  # fmt: skip


def readmit_deck(state: TableState, back: str) -> Effect:
    if back not in state.decks_out:
        out = ", ".join(sorted(state.decks_out)) or "none"
        raise refused(
            state, "wrong_phase", f"that deck is not out of play; these are: {out}", "shuffle"
        )
    return Effect(
        f"The {back} deck may be shuffled and counted again.", [events.DeckReadmitted(back)]
    )


def why_no_clock(state: TableState) -> Refused | None:
    hand = state.hand
    if hand is None:
        return no_hand_in_play(state)
    if hand.clock is not None:
        return refused(
            state, "wrong_phase", f"the clock is running on seat {hand.clock.seat}", "clock"
        )
    if hand.phase is Phase.BETTING and hand.actor is not None:
        return None
    return refused(state, "wrong_phase", "nobody is to act")


def why_not_to_act(state: TableState, seat: int, _: Before = ()) -> Refused | None:
    hand = hand_of(state)
    if hand.phase is not Phase.BETTING or hand.actor != seat:
        return refused(state, "wrong_phase", f"the action is not on seat {seat}")
    return None


def call_clock(state: TableState, seat: int) -> Effect:
    check(why_not_to_act(state, seat))
    check(why_no_clock(state))
    return Effect(
        f"Seat {seat} has {CLOCK_SECONDS} seconds to act; then its hand is dead, or it checks.",
        [events.ClockCalled(seat, CLOCK_SECONDS)],
    )


def why_no_closing(state: TableState) -> Refused | None:
    if state.hand is not None:
        return hand_in_play(state)
    if not state.impounded:
        return None
    held = ", ".join(map(str, state.impounded))
    return refused(
        state, "wrong_phase", f"chips of hand {held} are held: pay them out",
        "closing",
    )  # fmt: skip


def close(state: TableState) -> Effect:
    check(why_no_closing(state))
    return Effect("The table is closed; no more hands are dealt.", [events.TableClosed()])
