"""Who gives a ruling, and whether they may. Always checked here, whatever a screen has shown."""

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
from omaha_table.money import HOW_TO_WRITE, MoneyError
from omaha_table.table.decisions import decided, end_draw
from omaha_table.table.events import AuthorityRefused, Ruled

if TYPE_CHECKING:
    from omaha_table.floor.spec import Effect
    from omaha_table.floor.staff import Person, Staff
    from omaha_table.table import TableState
    from omaha_table.table.events import TableEvent

FAILURES_TO_LOCK: Final = 5
_PIN: Final = re.compile(r"\d{4,12}")
LOCK_SECONDS: Final = 300
"""The first lock; each further one is twice as long."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Whose PIN was typed; None: nobody's.

    A PIN is compared with everybody's hash, which takes a tenth of a second each. So it is looked
    up once, away from the keys, and from then on this stands for it.
    """

    person: Person | None


@dataclass(frozen=True, slots=True)
class Give:
    """A request for a ruling: the PINs, the ruling's name, and its arguments and reason."""

    pins: tuple[str | Identity, ...]
    ruling: str
    words: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Give({self.ruling})"


class NotAuthorized(Refused):
    """A refusal that is recorded: wrong PINs count, whoever types them."""

    def __init__(self, refusal: Refused, failures: tuple[AuthorityRefused, ...]) -> None:
        super().__init__(refusal.code, refusal.message, refusal.profile, refusal.rule)
        self.failures = failures


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a ruling would do now, with its arguments and reason."""

    effect: Effect
    words: tuple[str, ...]
    reason: str


def give(
    state: TableState, staff: Staff, command: Give, now: int
) -> Decision[TableEvent, TableState]:
    """The events of a ruling; raises Refused, or NotAuthorized if a PIN was the problem."""
    persons = _identify(state, staff, command, now)
    proposal = propose(state, command)
    effect, reason = proposal.effect, proposal.reason
    if len(reason) < 3 or _PIN.fullmatch(reason.split()[0]):
        raise refused(
            state,
            "no_reason",
            "a ruling needs a reason of at least three letters, in quotation marks",
        )
    if len(persons) < effect.persons:
        raise refused(
            state,
            "two_persons",
            f"this {command.ruling} needs the PINs of two different supervisors",
        )
    by = tuple(person.id for person in persons)
    ruled = Ruled(command.ruling, proposal.words, effect.text, reason, by)
    # Chips that change hands can take the last seat without a card out of the draw.
    return end_draw(decided(state, [ruled, *effect.events]))


def check_pin(state: TableState, staff: Staff, pin: str | Identity, now: int) -> None:
    """Checks a PIN before a ruling is chosen; raises Refused like `give`."""
    _identify(state, staff, Give((pin,), "", ()), now)


def propose(state: TableState, command: Give) -> Proposal:
    """What a ruling would do now; raises Refused."""
    if state.closed:
        raise refused(state, "wrong_phase", "the table is closed", "closing")
    ruling = BY_NAME.get(command.ruling)
    if ruling is None:
        nearest = difflib.get_close_matches(command.ruling, BY_NAME, n=1)
        hint = f"Did you mean '{nearest[0]}'?" if nearest else "'floor help' lists the rulings"
        raise refused(state, "unknown_ruling", f"unknown ruling. {hint}")
    words = Words(command.words)
    try:
        arguments = ruling.read(words)
    except CardError as error:
        raise refused(state, error.code, str(error).removesuffix(".")) from None
    except MoneyError:
        # Not quoted: a card that was typed in the place of an amount may lie face down.
        what = f"that is not an amount: {HOW_TO_WRITE}"
        raise refused(state, "bad_amount", what, "floor") from None
    except ValueError:
        raise refused(
            state, "bad_command", f'usage: floor PIN {ruling.usage} "reason"', "floor"
        ) from None
    return Proposal(ruling.effect(state, *arguments), words.taken, words.reason)


def _identify(state: TableState, staff: Staff, command: Give, now: int) -> list[Person]:
    """Who gives the ruling; raises NotAuthorized with a failure for each wrong PIN."""
    if not staff.people:
        raise refused(
            state,
            "not_authorised",
            "no staff yet: run 'omaha-table staff add', then open the table again",
        )
    # What is not a ruling may be a PIN that was typed in its place, and the log is never erased.
    ruling = command.ruling if command.ruling in BY_NAME else ""
    if now < state.locked_until:
        locked = AuthorityRefused(ruling, (), "locked", now, state.locked_until)
        raise _not_authorised(state, (locked,), now)
    persons: list[Person] = []
    why: Literal["wrong_pin", "not_allowed"] | None = None
    unknown = 0
    for pin in command.pins:
        person = pin.person if isinstance(pin, Identity) else staff.identify(pin)
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
    one = AuthorityRefused(ruling, known, why or "wrong_pin", now, 0)
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
        wait = "1 minute" if minutes == 1 else f"{minutes} minutes"
        return refused(state, "locked", f"too many wrong PINs: rulings are locked for {wait}")
    if failed.why == "not_allowed":
        return refused(
            state, "not_authorised", "this PIN cannot give rulings: use a floor supervisor's PIN"
        )
    left = FAILURES_TO_LOCK - state.pin_failures - len(failures)
    tries = "1 try" if left == 1 else f"{left} tries"
    return refused(state, "not_authorised", f"wrong PIN: {tries} left")
