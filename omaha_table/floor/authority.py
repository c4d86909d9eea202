"""Who gives a ruling, and whether they may. Always checked here, whatever a screen has shown."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from omaha_table.cards import CardError, quote
from omaha_table.floor.params import Words
from omaha_table.floor.rulings import BY_NAME
from omaha_table.floor.spec import refused, why_closed
from omaha_table.floor.staff import MAY_RULE, Role
from omaha_table.hand import Decision, Refused
from omaha_table.money import HOW_TO_WRITE, MoneyError
from omaha_table.table.decisions import decided, with_what_follows
from omaha_table.table.events import AuthorityRefused, ClockCalled, FloorArrived, Ruled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omaha_table.floor.spec import Effect
    from omaha_table.floor.staff import Person, Staff
    from omaha_table.table import TableState
    from omaha_table.table.commands import CloseShift, OpenShift
    from omaha_table.table.events import TableEvent
    from omaha_table.table.state import Check

FAILURES_TO_LOCK: Final = 5
_PIN: Final = re.compile(r"\d{4,12}")
LOCK_SECONDS: Final = 300
"""The first lock; each further one is twice as long."""
Why: TypeAlias = Literal["wrong_pin", "not_allowed", "locked", "disabled"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the office journal, which counts wrong PINs in a data folder, says of one."""

    code: str = ""
    message: str = ""
    why: Why | None = None
    """None: it is accepted, or nothing could be recorded."""
    locked_for: int = 0
    """Seconds."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Whose PIN was typed; None: nobody's.

    A PIN is compared with everybody's hash, which takes a tenth of a second each. So it is looked
    up once, away from the keys, and from then on this stands for it.
    """

    person: Person | None
    number: str = ""
    """The staff number that was typed with it, if it is on the list."""
    verdict: Verdict | None = None
    """None: the table counts wrong PINs itself."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """A PIN with a staff number: only that person's hash is tried."""

    number: str
    pin: str

    def __repr__(self) -> str:
        return "<PIN>"


Pin: TypeAlias = str | Numbered | Identity


@dataclass(frozen=True, slots=True)
class Give:
    """A request for a ruling: the PINs, the ruling's name, and its arguments and reason."""

    pins: tuple[Pin, ...]
    ruling: str
    words: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Give({self.ruling})"


@dataclass(frozen=True, slots=True)
class SignIn:
    """A dealer sits down, with a PIN where one is asked for."""

    dealer: str
    pin: Pin | None = None

    def __repr__(self) -> str:
        return f"SignIn({self.dealer})"


By: TypeAlias = Literal["dealer", "floor", "shift_manager"]


class Authority(NamedTuple):
    """Who does at a table what the house decides, as the table's file says."""

    shift: By = "dealer"
    """Opens and closes a shift. A dealer signs for nothing."""
    day: By = "floor"
    """Closes the table and with it the day."""


@dataclass(frozen=True, slots=True)
class SignShift:
    """A shift is opened or closed, with a PIN where one is asked for."""

    command: OpenShift | CloseShift
    pin: Pin | None = None

    def __repr__(self) -> str:
        return "SignShift()"


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
    state: TableState, staff: Staff, command: Give, now: int, authority: Authority | None = None
) -> Decision[TableEvent, TableState]:
    """The events of a ruling; raises Refused, or NotAuthorized if a PIN was the problem."""
    persons = _identify(state, staff, command, now)
    if command.ruling == "close" and authority is not None:
        _check_role(state, persons, authority.day, "closes the table")
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
            "this ruling needs the PINs of two different supervisors",
        )
    by = tuple(person.id for person in persons)
    does = len(effect.events)
    ruled = Ruled(command.ruling, proposal.words, effect.text, reason, by, does)
    events = [replace(e, at=now) if isinstance(e, ClockCalled) else e for e in effect.events]
    # A ruling can end the hand, and chips that change hands can take the last seat without a card
    # out of the draw.
    return with_what_follows(decided(state, [ruled, *events]))


def check_pin(
    state: TableState, staff: Staff, pin: Pin, now: int
) -> Decision[TableEvent, TableState]:
    """Checks a PIN before a ruling is chosen; raises Refused like `give`.

    If the floor was called, it has arrived.
    """
    [person] = _identify(state, staff, Give((pin,), "", ()), now)
    call = state.floor_call
    if call is None or call.arrived:
        return Decision((), state)
    return decided(state, [FloorArrived(person.id, now, max(now - call.at, 0))])


def check_dealer(
    state: TableState, staff: Staff, sign_in: SignIn, now: int, *, pin_needed: bool
) -> Check:
    """How a dealer's identity is checked at the push; raises Refused, or NotAuthorized."""
    dealer = sign_in.dealer
    listed = {person.id: person for person in staff.people if person.role is Role.DEALER}
    if not listed:
        return "no"
    person = listed.get(dealer)
    if person is None or person.disabled:
        why = "is not" if person is None else "is disabled"
        raise refused(
            state, "not_authorised", f"{quote(dealer)} {why} on the staff list: call the floor"
        )
    if sign_in.pin is None:
        if pin_needed:
            raise refused(state, "not_authorised", "this table asks dealers for their PIN")
        return "list"
    pin = sign_in.pin if isinstance(sign_in.pin, Identity) else _own(sign_in.pin, dealer)
    tried = _look_up(state, staff, pin, now)
    failure: _Failure | None = tried.failure
    if failure is None and tried.person != person:
        failure = _Failure("wrong_pin", dealer)
    if failure is not None:
        raise _not_authorised(state, "", (), [failure], now, dealer)
    return "pin"


def _own(pin: str | Numbered, dealer: str) -> Numbered:
    """A dealer has said who it is: only that PIN is tried."""
    return pin if isinstance(pin, Numbered) else Numbered(dealer, pin)


def check_shift(
    state: TableState, staff: Staff, sign: SignShift, now: int, by: By
) -> OpenShift | CloseShift:
    """The command with who signed for it; raises Refused, or NotAuthorized."""
    if by == "dealer":
        return sign.command
    if sign.pin is None:
        who = _WHO[by]
        raise refused(
            state, "not_authorised", f"here {who} opens and closes a shift: give that PIN as well"
        )
    persons = _identify(state, staff, Give((sign.pin,), "", ()), now)
    _check_role(state, persons, by, "opens and closes a shift")
    return replace(sign.command, by=persons[0].id)


_WHO: Final = {"floor": "a floor supervisor", "shift_manager": "a shift manager"}


def _check_role(state: TableState, persons: Sequence[Person], by: By, does: str) -> None:
    """A floor supervisor's PIN is right and not enough: it is no failure."""
    if by == "shift_manager" and not any(person.role is Role.SHIFT for person in persons):
        raise refused(state, "not_authorised", f"here {_WHO[by]} {does}")


def propose(state: TableState, command: Give) -> Proposal:
    """What a ruling would do now; raises Refused."""
    if state.closed:
        raise why_closed(state)
    ruling = BY_NAME.get(command.ruling)
    if ruling is None:
        nearest = difflib.get_close_matches(command.ruling, BY_NAME, n=1)
        hint = f"Did you mean '{nearest[0]}'?" if nearest else "'floor help' lists the rulings"
        raise refused(state, "unknown_ruling", f"unknown ruling. {hint}")
    known = (state.profile, *state.offered)
    limits = frozenset(limit.id for profile in known for limit in profile.limits)
    words = Words(command.words, limits)
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


class _Failure(NamedTuple):
    why: Why
    number: str = ""
    verdict: Verdict | None = None


class _Tried(NamedTuple):
    """What came of a PIN: somebody, or a failure."""

    person: Person | None = None
    failure: _Failure | None = None


def _identify(state: TableState, staff: Staff, command: Give, now: int) -> list[Person]:
    """Who gives the ruling; raises NotAuthorized with a failure for each wrong PIN."""
    judged = any(isinstance(pin, Identity) and pin.verdict for pin in command.pins)
    if not staff.people and not judged:
        raise refused(
            state, "not_authorised", "no staff yet: a manager runs 'omaha-table staff init'"
        )
    # What is not a ruling may be a PIN that was typed in its place, and the log is never erased.
    ruling = command.ruling if command.ruling in BY_NAME else ""
    persons: list[Person] = []
    failures: list[_Failure] = []
    not_allowed: list[_Failure] = []
    for pin in with_numbers(staff, command.pins):
        person, failure = _look_up(state, staff, pin, now)
        if failure is not None:
            failures.append(failure)
        elif person is None or person.role not in MAY_RULE:
            number = listed_number(staff, pin)
            not_allowed.append(_Failure("not_allowed", number))
        elif person not in persons:
            persons.append(person)
    if persons and not failures and not not_allowed:
        return persons
    known = tuple(person.id for person in persons)
    failures = failures or not_allowed[:1] or [_Failure("wrong_pin")]
    raise _not_authorised(state, ruling, known, failures, now)


def with_numbers(staff: Staff, pins: Sequence[Pin]) -> tuple[Pin, ...]:
    """Takes a staff number of digits alone for what it is: `floor 1140 PIN …`."""
    match pins:
        case (str() as number, str() as pin) if any(who.id == number for who in staff.people):
            return (Numbered(number, pin),)
    return tuple(pins)


def _look_up(state: TableState, staff: Staff, pin: Pin, now: int) -> _Tried:
    """Who may rule by a PIN, as the office journal says or, without one, as the table counts."""
    if isinstance(pin, Identity) and pin.verdict is not None:
        verdict = pin.verdict
        if verdict.why is not None:
            return _Tried(pin.person, _Failure(verdict.why, pin.number, verdict))
        if verdict.code:
            raise refused(state, verdict.code, verdict.message, "floor")
        return _Tried(pin.person)
    number = listed_number(staff, pin)
    if now < state.pin_count(number).locked_until:
        return _Tried(None, _Failure("locked", number))
    who = identify(staff, pin)
    if who.person is None:
        return _Tried(None, _Failure("wrong_pin", number))
    if who.person.disabled:
        return _Tried(None, _Failure("disabled", number))
    return _Tried(who.person)


def listed_number(staff: Staff, pin: Pin) -> str:
    """The staff number that was given; empty: none, or one that nobody has.

    What is no staff number may be a PIN that was typed in its place: it is kept nowhere.
    """
    number = "" if isinstance(pin, str) else pin.number
    return number if any(person.id == number for person in staff.people) else ""


def identify(staff: Staff, pin: Pin) -> Identity:
    """Whose PIN this is. With a staff number only that person's hash is tried."""
    if isinstance(pin, Identity):
        return pin
    if isinstance(pin, str):
        return Identity(staff.whose(pin))
    found = next((person for person in staff.people if person.id == pin.number), None)
    if found is None:
        return Identity(None)
    fits = found.pin.matches(pin.pin, staff.pepper)
    return Identity(found if fits else None, pin.number)


def _not_authorised(
    state: TableState,
    ruling: str,
    known: tuple[str, ...],
    failures: Sequence[_Failure],
    now: int,
    dealer: str = "",
) -> NotAuthorized:
    """The failures as they are recorded, and what is said about the last one."""
    made: list[AuthorityRefused] = []
    after = state
    for failure in failures:
        locked_until = _locked_until(after, failure, now)
        event = AuthorityRefused(
            ruling, known, failure.why, now, locked_until, dealer, failure.number
        )
        made.append(event)
        after = decided(after, [event]).state
        if locked_until:
            # The last one that counts.
            break
    return NotAuthorized(_why_refused(after, made[-1], failures[len(made) - 1], now), tuple(made))


def _locked_until(state: TableState, failure: _Failure, now: int) -> int:
    if failure.verdict is not None:
        return now + failure.verdict.locked_for if failure.verdict.locked_for else 0
    count = state.pin_count(failure.number)
    if failure.why == "locked":
        return count.locked_until
    if count.failures + 1 < FAILURES_TO_LOCK:
        return 0
    return int(now + LOCK_SECONDS * 2**count.lockouts)


def _why_refused(
    after: TableState, event: AuthorityRefused, failure: _Failure, now: int
) -> Refused:
    if failure.verdict is not None:
        return refused(after, failure.verdict.code, failure.verdict.message)
    if event.locked_until > now:
        minutes = (event.locked_until - now + 59) // 60
        wait = "1 minute" if minutes == 1 else f"{minutes} minutes"
        whose = f"{event.number} is" if event.number else "rulings are"
        return refused(after, "locked", f"too many wrong PINs: {whose} locked for {wait}")
    left = FAILURES_TO_LOCK - after.pin_count(event.number).failures
    tries = "1 try" if left == 1 else f"{left} tries"
    match event.why:
        case "not_allowed":
            what = "this PIN cannot give rulings: use a floor supervisor's PIN"
            return refused(after, "not_authorised", what)
        case "disabled":
            return refused(after, "not_authorised", f"this PIN is disabled: {tries} left")
    return refused(after, "not_authorised", f"wrong PIN: {tries} left")
