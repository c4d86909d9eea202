"""Who sits where, under which name and with which count of chips: what a dealer may enter.

Chips that come from nowhere are never a dealer's entry. A stack that was played with is known to
the table, and only the floor says that it is another one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.cards import quote
from omaha_table.hand import Refused
from omaha_table.hand.refusal import sentence
from omaha_table.table import events
from omaha_table.table.state import same_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from omaha_table.table import commands
    from omaha_table.table.state import SeatAtTable, TableState

LONGEST_NAME: Final = 40


def seat_named(state: TableState, name: str) -> int | None:
    """The seat of the player with this name, in capitals or not."""
    return next((seat for seat, at in state.seats.items() if same_name(at.name, name)), None)


def unused_name(taken: Iterable[str], name: str) -> str:
    """The name itself, or 'Ada 2' where somebody already has it."""
    used = {other.strip().casefold() for other in taken}
    number, found = 1, name
    while found.strip().casefold() in used:
        number += 1
        end = f" {number}"
        found = f"{name.strip()[: LONGEST_NAME - len(end)]}{end}"
    return found


def check_name(state: TableState, name: str, seat: int) -> None:
    """Two players of one name could not be told apart, in a kill that is owed or in any report."""
    other = seat_named(state, name)
    if other is None or other == seat:
        return
    another = unused_name((at.name for at in state.seats.values()), name)
    there = seat in state.seats
    same = "" if there else f"the same person moves with 'move {other} {seat}'; "
    raise _refused(
        state,
        "name_taken",
        f"{quote(name)} is in seat {other}: {same}another person needs another name, "
        f"such as {quote(another)}",
        "seats",
    )


def kill_of(state: TableState, name: str) -> tuple[bool, bool]:
    """Whether this person is the killer who had left, and whether the person owes a kill.

    Names are all the table knows of people; the dealer confirms that it is the same person.
    """
    kills = bool(state.kill_left) and same_name(name, state.kill_left)
    return kills, any(same_name(name, owing) for owing in state.kill_debts)


def rename(
    state: TableState, command: commands.RenamePlayer, at: SeatAtTable
) -> events.PlayerRenamed:
    if at.name == command.name:
        raise _refused(
            state, "wrong_phase", f"seat {command.seat} already has the name {quote(at.name)}"
        )
    check_name(state, command.name, command.seat)
    kills, owes = kill_of(state, command.name)
    return events.PlayerRenamed(command.seat, command.name, kills, owes)


def may_set_stack(at: SeatAtTable) -> bool:
    """Whether the dealer may say what the chips of a seat are: no hand was played with a count."""
    return at.stack is None or at.fresh


def set_stack(state: TableState, command: commands.SetStack, at: SeatAtTable) -> events.StackSet:
    seat = command.seat
    if at.stack == command.stack:
        as_it_is = "not tracked" if at.stack is None else "that already"
        raise _refused(state, "wrong_phase", f"seat {seat}'s stack is {as_it_is}")
    if not may_set_stack(at):
        ruling = "untrack" if command.stack is None else "adjust"
        raise _refused(
            state,
            "not_authorised",
            f"seat {seat} has been dealt in with its stack: only the floor changes it, "
            f"with the ruling '{ruling}'",
        )
    return events.StackSet(seat, command.stack, at.stack)


def pick_up(state: TableState, command: commands.PickUp, at: SeatAtTable) -> events.PlayerLeft:
    if command.seat not in state.to_pick_up(command.at):
        limits = state.profile.absent
        allowed = [
            f"{count} {what}"
            for count, what in (
                (limits.max_minutes, "minutes"),
                (limits.max_missed_big_blinds, "missed big blinds"),
            )
            if count
        ]
        after = f"after {' or '.join(allowed)}" if allowed else "never, by the rules of this game"
        raise _refused(
            state,
            "wrong_phase",
            f"seat {command.seat} has not been away too long: chips are picked up {after}",
            "absent",
        )
    return events.PlayerLeft(command.seat, at.stack, picked_up=True)


def is_untouched(state: TableState) -> bool:
    """Whether nobody has sat at the table, nor said that nobody shall."""
    return not (state.seats or state.hands or state.reopened or state.closed)


def reopen(state: TableState, command: commands.ReopenTable) -> list[events.TableEvent]:
    """Seats the players of a table that was closed; none of them owes anything in a new game."""
    if not command.day or not is_untouched(state):
        raise _refused(
            state,
            "wrong_phase",
            "nobody is asked who is seated: the table was not closed before, or has players since",
        )
    made: list[events.TableEvent] = []
    names: list[str] = []
    for player in command.players:
        _check_chair(state, player.seat)
        # A table could have two players of one name before each name was asked about.
        name = unused_name(names, player.name)
        names.append(name)
        made.append(events.PlayerSeated(player.seat, name, player.stack, new=False, fresh=True))
    return [events.TableReopened(command.how, command.day, len(made)), *made]


def _check_chair(state: TableState, seat: int) -> None:
    """The rules may have changed since, to those of a smaller table."""
    most = state.profile.seats.max
    if not 1 <= seat <= most:
        raise _refused(state, "no_such_seat", f"there is no seat {seat}: seats are 1 to {most}")


def _refused(state: TableState, code: str, message: str, rule: str = "") -> Refused:
    return Refused(code, sentence(message), state.profile, rule)
