"""Who is locked out after wrong PINs, against a model that looks at the whole history each time."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from omaha_table.floor.staff import PinHash
from omaha_table.journal.office_book import brief_of, open_office
from omaha_table.journal.pins import PinCheck, PinNotAccepted
from omaha_table.journal.store import Store
from omaha_table.office.events import PinRefused
from omaha_table.office.locks import Moment
from tests.journal.killed_office import in_year
from tests.office.people import PINS, check_office, quick_staff, recorded

NUMBERS = ("F1", "S1", "D1")
"""What is typed as a staff number; without one it is the keypad's."""
WHO = st.sampled_from(["", *NUMBERS])


class Try(NamedTuple):
    who: str
    right: bool
    looked_at: bool
    """It was not turned away for a lock."""
    boot: int
    running: int


class Model:
    """Five failures lock for five minutes, five more for ten, and so on until a right PIN."""

    def __init__(self) -> None:
        self.tries: list[Try] = []

    def counted(self, who: str) -> list[Try]:
        """The failures since the last right PIN."""
        mine = [one for one in self.tries if one.who == who and one.looked_at]
        rights = [at for at, one in enumerate(mine) if one.right]
        return mine[rights[-1] + 1 :] if rights else mine

    def failures(self, who: str) -> int:
        return len(self.counted(who)) % 5

    def locked_for(self, who: str, boot: int, running: int) -> int:
        failed = self.counted(who)
        rounds = len(failed) // 5
        if not rounds:
            return 0
        last = failed[5 * rounds - 1]
        began = last.running if last.boot == boot else 0
        return max(0, began + int(300 * 2 ** (rounds - 1)) - running)


STAFF = quick_staff()


class Locking(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.boot, self.running, self.clock = 1, 100, 1_800_000_000
        self.model = Model()
        self.refused: list[tuple[str, int]] = []

    def check_pin(self) -> PinCheck:
        """Made again each time, as by another command or after a restart."""
        return PinCheck(self.folder, STAFF, "a test", "t7", self.moment)

    def moment(self) -> Moment:
        return Moment(self.clock, self.running, f"boot {self.boot}")

    def typed(self, who: str, pin: str, *, right: bool) -> None:
        locked = self.model.locked_for(who, self.boot, self.running)
        self.model.tries.append(Try(who, right, not locked, self.boot, self.running))
        left = self.model.locked_for(who, self.boot, self.running)
        if right and not locked:
            signed = self.check_pin().sign("count", pin, who)
            assert PINS[signed.id] == pin
            return
        with pytest.raises(PinNotAccepted) as found:
            self.check_pin().sign("count", pin, who)
        refused = found.value
        assert refused.code == ("locked" if left else "not_authorised")
        minutes, tries = -(-left // 60), 5 - self.model.failures(who)
        assert (f" {minutes} minute" if left else f"{tries} tr") in refused.message
        event = refused.event
        assert event.why == ("locked" if locked else "wrong_pin")
        assert (event.person, event.locks_for) == (who, 0 if locked else left)
        self.refused.append((who, event.locks_for))

    @rule(who=WHO)
    def wrong(self, who: str) -> None:
        self.typed(who, "0000", right=False)

    @rule(who=WHO)
    def wrong_again_and_again(self, who: str) -> None:
        for _ in range(5):
            self.typed(who, "0000", right=False)

    @rule(who=WHO)
    def right(self, who: str) -> None:
        self.typed(who, PINS[who or "F2"], right=True)

    @rule(who=st.sampled_from(NUMBERS))
    def somebody_elses(self, who: str) -> None:
        """With a number only that person's PIN will do."""
        self.typed(who, PINS["F2"], right=False)

    @rule(seconds=st.sampled_from([1, 59, 299, 300, 301, 600, 5000]))
    def wait(self, seconds: int) -> None:
        self.running += seconds
        self.clock += seconds

    @rule(seconds=st.sampled_from([-100_000, 100_000, 10**8]))
    def move_the_clock(self, seconds: int) -> None:
        self.clock += seconds

    @rule(running=st.integers(0, 700))
    def restart_the_machine(self, running: int) -> None:
        self.boot, self.running = self.boot + 1, running

    @invariant()
    def the_locks_are_those_of_the_model(self) -> None:
        locks = brief_of(self.folder).locks
        for who in ("", *NUMBERS):
            expected = self.model.locked_for(who, self.boot, self.running)
            assert locks.left(who, self.moment()) == expected
            assert locks.tries(who) == 5 - self.model.failures(who)

    @precondition(lambda self: self.refused)
    @rule()
    def every_failure_is_on_record(self) -> None:
        found = [event for event in recorded(self.folder) if isinstance(event, PinRefused)]
        assert [(event.person, event.locks_for) for event in found] == self.refused
        assert check_office(self.folder).sound

    def teardown(self) -> None:
        shutil.rmtree(self.folder)


Locking.TestCase.settings = settings(
    max_examples=15, stateful_step_count=25, deadline=None, print_blob=True
)
TestLocking = Locking.TestCase


# Said in plain cases


@pytest.fixture
def at() -> list[int]:
    """How long the machine has been running."""
    return [1000]


@pytest.fixture
def check(tmp_path: Path, at: list[int]) -> PinCheck:
    def now() -> Moment:
        return Moment(1_800_000_000, at[0], "boot")

    return PinCheck(tmp_path, quick_staff("F2"), "a test", "", now)


def fail(check: PinCheck, times: int, number: str = "") -> str:
    message = ""
    for _ in range(times):
        with pytest.raises(PinNotAccepted) as refused:
            check.sign("count", "0000", number)
        message = refused.value.message
    return message


def test_each_round_of_five_locks_twice_as_long(check: PinCheck, at: list[int]) -> None:
    for minutes in (5, 10, 20):
        assert "1 try left" in fail(check, 4)
        assert f"PINs are locked for {minutes} minutes" in fail(check, 1)
        at[0] += minutes * 60 - 1
        assert "locked for 1 minute." in fail(check, 1)
        at[0] += 1
    check.sign("count", PINS["F1"])
    assert "4 tries left" in fail(check, 1)


def test_what_is_no_staff_number_counts_against_the_keypad_and_is_not_recorded(
    check: PinCheck, tmp_path: Path
) -> None:
    """It may be a PIN, typed in the wrong place."""
    fail(check, 1, PINS["S1"])
    [event] = recorded(tmp_path)
    assert isinstance(event, PinRefused)
    assert event.person == ""
    assert all(PINS["S1"].encode() not in path.read_bytes() for path in tmp_path.glob("office-*"))


def test_a_disabled_person_and_one_who_may_not_are_failures_too(
    check: PinCheck, tmp_path: Path
) -> None:
    for pin, number, said in (
        (PINS["F2"], "F2", "This PIN is disabled"),
        (PINS["D1"], "D1", "may not close a variance"),
    ):
        with pytest.raises(PinNotAccepted, match=said):
            check.sign("close", pin, number)
    whys = [event.why for event in recorded(tmp_path) if isinstance(event, PinRefused)]
    assert whys == ["disabled", "not_allowed"]


def test_a_right_pin_without_failures_before_it_is_no_entry(
    check: PinCheck, tmp_path: Path
) -> None:
    signed = check.sign("count", PINS["D1"], "D1")
    assert (signed.id, signed.role) == ("D1", "dealer")
    assert list(tmp_path.iterdir()) == []


def test_a_lock_holds_while_the_next_year_is_begun(tmp_path: Path) -> None:
    """A kill can leave the file of the new year without an entry."""
    with open_office(tmp_path, "a test", in_year(2025)) as book:
        for locks_for in (0, 0, 0, 0, 300):
            book.record(
                PinRefused("count", "", "S1", "wrong_pin", 0, 0, "boot", locks_for), actor="office"
            )
    Store(tmp_path / "office-2026.journal").close()
    assert brief_of(tmp_path).locks.of["S1"].seconds == 300


def test_failures_at_once_lock_out_a_right_pin_that_was_being_looked_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hashing takes long: meanwhile others may guess at other tables of the folder."""
    now = Moment(1_800_000_000, 1000, "boot")
    slow, staff = PinCheck(tmp_path, STAFF, "a test", "", lambda: now), quick_staff()
    other = PinCheck(tmp_path, staff, "a test", "", lambda: now)
    matches = PinHash.matches

    def while_others_fail(hashed: PinHash, pin: str, pepper: bytes) -> bool:
        monkeypatch.setattr(PinHash, "matches", matches)
        fail(other, 5, "S1")
        return matches(hashed, pin, pepper)

    monkeypatch.setattr(PinHash, "matches", while_others_fail)
    with pytest.raises(PinNotAccepted, match="S1 is locked"):
        slow.sign("count", PINS["S1"], "S1")
