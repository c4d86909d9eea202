"""Who gives a ruling, and whether they may. Checked here, whatever a screen has shown before."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from omaha_table.cards import CardError
from omaha_table.floor.params import Words
from omaha_table.floor.rulings import BY_NAME
from omaha_table.floor.spec import refused
from omaha_table.floor.staff import MAY_RULE
from omaha_table.hand import Decision, Refused
from omaha_table.money import MoneyError
from omaha_table.table.decisions import decided
from omaha_table.table.events import AuthorityRefused, Ruled

if TYPE_CHECKING:
    from omaha_table.floor.spec import Effect
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


class NotAuthorized(Refused):
    """A refusal that is recorded all the same: wrong PINs count, whoever types them."""

    def __init__(self, refusal: Refused, failures: tuple[AuthorityRefused, ...]) -> None:
        super().__init__(refusal.code, refusal.message, refusal.profile, refusal.rule)
        self.failures = failures


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a ruling would do now, and how it was put."""

    effect: Effect
    words: tuple[str, ...]
    reason: str


def give(
    state: TableState, staff: Staff, command: Give, now: int
) -> Decision[TableEvent, TableState]:
    """The events of a ruling; raises Refused, as NotAuthorized where it concerns authority."""
    persons = _identify(state, staff, command, now)
    proposal = propose(state, command)
    effect, reason = proposal.effect, proposal.reason
    if len(reason) < 3 or _PIN.fullmatch(reason.split()[0]):
        raise refused(state, "no_reason", "a ruling needs a reason, in words and in quotes")
    if len(persons) < effect.persons:
        raise refused(
            state,
            "two_persons",
            f"this {command.ruling} needs two different supervisors, each with a PIN",
        )
    by = tuple(person.id for person in persons)
    ruled = Ruled(command.ruling, proposal.words, effect.text, reason, by)
    return decided(state, [ruled, *effect.events])


def check_pin(state: TableState, staff: Staff, pin: str, now: int) -> None:
    """Whether a PIN may give rulings, before one is chosen; raises Refused as `give` does."""
    _identify(state, staff, Give((pin,), "", ()), now)


def propose(state: TableState, command: Give) -> Proposal:
    """What a ruling would do now; raises Refused."""
    if state.closed:
        raise refused(state, "wrong_phase", "the table is closed", "closing")
    ruling = BY_NAME.get(command.ruling)
    if ruling is None:
        nearest = difflib.get_close_matches(command.ruling, BY_NAME, n=1)
        hint = f"did you mean '{nearest[0]}'?" if nearest else "'floor help' lists them"
        raise refused(state, "unknown_ruling", f"that is not a ruling: {hint}")
    words = Words(command.words)
    try:
        arguments = ruling.read(words)
    except CardError as error:
        raise refused(state, error.code, str(error).removesuffix(".")) from None
    except MoneyError as error:
        raise refused(state, "bad_amount", str(error).removesuffix("."), "floor") from None
    except ValueError:
        raise refused(state, "bad_command", f"write: floor PIN {ruling.usage} …", "floor") from None
    return Proposal(ruling.effect(state, *arguments), words.taken, words.reason)


def _identify(state: TableState, staff: Staff, command: Give, now: int) -> list[Person]:
    """Who gives the ruling; raises NotAuthorized with a failure for each PIN that is not known."""
    if not staff.people:
        raise refused(
            state,
            "not_authorised",
            "nobody is on this table's staff list: 'omaha-table staff add' puts a supervisor on it",
        )
    if now < state.locked_until:
        locked = AuthorityRefused(command.ruling, (), "locked", now, state.locked_until)
        raise _not_authorised(state, (locked,), now)
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
        return persons
    known = tuple(person.id for person in persons)
    times, locked_until = max(unknown, 1), 0
    if state.pin_failures + times >= FAILURES_TO_LOCK:
        times = max(FAILURES_TO_LOCK - state.pin_failures, 1)
        locked_until = now + LOCK_SECONDS * 2**state.lockouts
    one = AuthorityRefused(command.ruling, known, why or "wrong_pin", now, 0)
    failures = (*[one] * (times - 1), replace(one, locked_until=locked_until))
    raise _not_authorised(state, failures, now)


def _not_authorised(
    state: TableState, failures: tuple[AuthorityRefused, ...], now: int
) -> NotAuthorized:
    return NotAuthorized(_why_refused(state, failures, now), failures)


def _why_refused(state: TableState, failures: tuple[AuthorityRefused, ...], now: int) -> Refused:
    failed = failures[-1]
    if failed.why == "locked" or failed.locked_until > now:
        minutes = (failed.locked_until - now + 59) // 60
        return refused(
            state, "locked", f"too many wrong PINs: rulings are locked for {minutes} minutes"
        )
    if failed.why == "not_allowed":
        return refused(
            state, "not_authorised", "this PIN may not give a ruling: a floor supervisor's may"
        )
    left = FAILURES_TO_LOCK - state.pin_failures - len(failures)
    tries = "1 try is" if left == 1 else f"{left} tries are"
    return refused(state, "not_authorised", f"the PIN is not known: {tries} left")
