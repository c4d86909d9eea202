"""Who gives a ruling, and whether they may. Checked here, whatever a screen has shown before."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from omaha_table.cards import CardError
from omaha_table.floor.ruling import Decision, Words, refused
from omaha_table.floor.rulings import BY_NAME
from omaha_table.floor.staff import MAY_RULE
from omaha_table.hand import Refused
from omaha_table.money import MoneyError
from omaha_table.table.decide import with_all_stacks
from omaha_table.table.events import AuthorityRefused, Ruled

if TYPE_CHECKING:
    from omaha_table.floor.staff import Person, Staff
    from omaha_table.table import TableState
    from omaha_table.table.events import TableEvent

FAILURES_TO_LOCK: Final = 5
_PIN: Final = re.compile(r"\d{4,12}")
LOCK_SECONDS: Final = 300
"""The first time; each further lock is twice as long."""


@dataclass(frozen=True, slots=True)
class Give:
    """A ruling as it was said: whose PINs, which ruling, its words and reason."""

    pins: tuple[str, ...]
    ruling: str
    words: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Give({self.ruling})"


def give(
    state: TableState, staff: Staff, command: Give, now: int
) -> tuple[list[TableEvent], Refused | None]:
    """The events of a ruling; or a refusal, with an event where it concerns authority."""
    if not staff.people:
        return [], _nobody(state)
    persons, failed = _identify(state, staff, command, now)
    if failed:
        return [*failed], _say_refused(state, failed, now)
    try:
        decision, words = read(state, command)
        reason = words.reason
        if len(reason) < 3 or _PIN.fullmatch(reason.split()[0]):
            raise refused(state, "no_reason", "a ruling needs a reason, in words and in quotes")
        if len(persons) < decision.persons:
            raise refused(
                state,
                "two_persons",
                f"this {command.ruling} needs two different supervisors, each with a PIN",
            )
    except Refused as refusal:
        return [], refusal
    ruled = Ruled(
        command.ruling,
        tuple(words.taken),
        decision.effect,
        reason,
        tuple(person.id for person in persons),
    )
    return [ruled, *with_all_stacks(state, decision.events)], None


def identify(
    state: TableState, staff: Staff, pin: str, now: int
) -> tuple[list[TableEvent], Refused | None]:
    """Whether a PIN may give rulings, before one is chosen; a wrong one is an event."""
    if not staff.people:
        return [], _nobody(state)
    _, failed = _identify(state, staff, Give((pin,), "", ()), now)
    return [*failed], _say_refused(state, failed, now) if failed else None


def read(state: TableState, command: Give) -> tuple[Decision, Words]:
    """What a ruling would do now, and its words; raises Refused."""
    if state.closed:
        raise refused(state, "wrong_phase", "the table is closed", "closing")
    ruling = BY_NAME.get(command.ruling)
    if ruling is None:
        nearest = difflib.get_close_matches(command.ruling, BY_NAME, n=1)
        hint = f"did you mean '{nearest[0]}'?" if nearest else "'floor help' lists them"
        raise refused(state, "unknown_ruling", f"that is not a ruling: {hint}")
    words = Words(list(command.words))
    try:
        arguments = ruling.read(words)
    except CardError as error:
        raise refused(state, error.code, str(error).removesuffix(".")) from None
    except MoneyError as error:
        raise refused(state, "bad_amount", str(error).removesuffix("."), "floor") from None
    except ValueError:
        raise refused(state, "bad_command", f"write: floor PIN {ruling.usage} …", "floor") from None
    return ruling.decide(state, *arguments), words


def _identify(
    state: TableState, staff: Staff, command: Give, now: int
) -> tuple[list[Person], list[AuthorityRefused]]:
    """Who gives the ruling; or a refusal for each PIN that is not known, so that each counts."""
    if now < state.locked_until:
        return [], [AuthorityRefused(command.ruling, (), "locked", now, state.locked_until)]
    persons: list[Person] = []
    why: Literal["wrong_pin", "not_allowed"] | None = None
    unknown = 0
    for pin in command.pins:
        person = staff.identify(pin)
        if person is None:
            why = "wrong_pin"
            unknown += 1
        elif person.role not in MAY_RULE:
            why = why or "not_allowed"
        elif person not in persons:
            persons.append(person)
    if why is None and persons:
        return persons, []
    known = tuple(person.id for person in persons)
    times, locked = max(unknown, 1), 0
    if state.pin_failures + times >= FAILURES_TO_LOCK:
        times = max(FAILURES_TO_LOCK - state.pin_failures, 1)
        locked = now + LOCK_SECONDS * 2**state.lockouts
    one = AuthorityRefused(command.ruling, known, why or "wrong_pin", now, 0)
    return [], [*[one] * (times - 1), replace(one, locked_until=locked)]


def _nobody(state: TableState) -> Refused:
    return refused(
        state,
        "not_authorised",
        "nobody is on this table's staff list: 'omaha-table staff add' puts a supervisor on it",
    )


def _say_refused(state: TableState, refusals: list[AuthorityRefused], now: int) -> Refused:
    failed = refusals[-1]
    if failed.why == "locked" or failed.locked_until > now:
        minutes = (failed.locked_until - now + 59) // 60
        return refused(
            state, "locked", f"too many wrong PINs: rulings are locked for {minutes} minutes"
        )
    if failed.why == "not_allowed":
        return refused(
            state, "not_authorised", "this PIN may not give a ruling: a floor supervisor's may"
        )
    left = FAILURES_TO_LOCK - state.pin_failures - len(refusals)
    tries = "1 try is" if left == 1 else f"{left} tries are"
    return refused(state, "not_authorised", f"the PIN is not known: {tries} left")
