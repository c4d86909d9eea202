"""The counts, reviews, notes and tags of a data folder: read from its office journal, written there
with signatures. Lists of 0.1.0 are shown, and taken over with the first entry."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeAlias

from omaha_table.files import FileError
from omaha_table.floor.staff import Staff, StaffError
from omaha_table.journal.days import office_files
from omaha_table.journal.faults import Busy, Gone, JournalFault, Tampered, Uncertain
from omaha_table.journal.office_book import OfficeReading, open_office
from omaha_table.journal.pins import PinCheck
from omaha_table.journal.reader import Reader
from omaha_table.journal.staff_list import load_staff
from omaha_table.journal.writer import Clock
from omaha_table.office.decisions import OfficeRefused
from omaha_table.office.events import (
    BoxCounted,
    HandNoted,
    HandTagged,
    ListTakenIn,
    VarianceClosed,
    VarianceExplained,
)
from omaha_table.office.merging import in_time
from omaha_table.office.state import Counted, CountKey, Folder, Noted, Records, Review, key_of
from omaha_table.review.index.old_files import COUNTS, NOTES, not_signed_for, old_lists

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from omaha_table.journal.office_book import OfficeBook
    from omaha_table.money import Cents
    from omaha_table.office.events import OfficeEvent, Signature
    from omaha_table.review.index.hands import Played
    from omaha_table.review.index.store import OtherOffices

SEEN: Final = "seen"
"""The tag of an incident that was looked at."""
COUNTED_ELSEWHERE: Final = (
    "This box was counted in another office, whose journal is in the room: correct it there."
)
REVIEWED_ELSEWHERE: Final = (
    "This count is in another office's journal, in the room: its variance is reviewed there."
)
READ_ONLY: Final = (
    "The room is only read. To record counts and notes, name the folder of your office journal: "
    "--data DIR."
)
Made: TypeAlias = "Callable[[Records], OfficeEvent]"


def box_of(hand: Played) -> CountKey:
    return CountKey(hand.box_log, hand.shift, hand.box, hand.jackpot_box)


def on_its_face(fault: JournalFault) -> str:
    """What is wrong with an office journal, for a report, a screen or a command."""
    if isinstance(fault, Tampered):
        return (
            f"The office journal is damaged, so no counts and notes are shown: {fault.message} "
            "Keep the file; 'omaha-table verify' says more."
        )
    return f"The office journal cannot be read: {fault.message}"


def not_recorded(fault: JournalFault) -> str:
    """Why nothing was recorded, and what to do."""
    match fault:
        case Busy():
            return "Nothing was recorded: another entry is being written. Try again."
        case Uncertain() | Gone():
            return f"{fault.message} Look whether it was recorded before you try again."
        case Tampered():
            more = "Keep the files; 'omaha-table verify' says what is wrong."
            return f"Nothing was recorded. The office journal is damaged: {fault.message} {more}"
    return f"Nothing was recorded. {fault.message}"


class Ledger:
    def __init__(
        self,
        folder: Path | None,
        *,
        staff_folder: Path | None = None,
        holder: str = "the review",
        clock: Clock | None = None,
        elsewhere: OtherOffices | None = None,
    ) -> None:
        """Without a folder nothing is recorded; `elsewhere` is what other offices have recorded.

        Raises OSError or FileError if a list of 0.1.0 cannot be read, and Away.
        """
        self._folder, self._elsewhere = folder, elsewhere
        self._staff_folder = staff_folder or folder
        self._holder, self._clock = holder, clock or Clock()
        self._reading = OfficeReading(folder or list)
        self._records, self._old, self._others = Records(), Records(), Records()
        self._state: tuple[object, ...] = ()
        self._others_state: object = None
        self._fault = ""
        if folder is not None:
            old_lists(folder)
        self.refresh()

    @property
    def folder(self) -> Path:
        """Where this office records; raises OfficeRefused if it records nothing."""
        if self._folder is None:
            raise OfficeRefused("read_only", READ_ONLY)
        return self._folder

    @property
    def fault(self) -> str:
        """Why nothing is shown, or not what is newest, or not what some office recorded."""
        return self._fault or ("" if self._elsewhere is None else self._elsewhere.fault)

    @property
    def records(self) -> Records:
        """What the office journal says, without lists that were not taken over yet."""
        return self._records

    @property
    def may_write(self) -> bool:
        """Whether this user may write in the folder at all."""
        return self._folder is not None and os.access(self._folder, os.W_OK | os.X_OK)

    @property
    def read_only(self) -> str:
        """Why nothing can be recorded, where `may_write` is false."""
        if self._folder is None:
            return READ_ONLY
        return (
            f"You may read {self._folder} but not write there, so nothing can be recorded. Start "
            "the review as the user who owns the folder."
        )

    @property
    def _all(self) -> tuple[Records, ...]:
        return self._old, self._records, self._others

    @property
    def staff(self) -> Staff:
        """Who may sign, by the list as it is now: somebody may be disabled while a review runs."""
        if self._staff_folder is None:
            return Staff()
        try:
            return _staff_of(self._staff_folder)
        except (OfficeRefused, JournalFault):
            return Staff()

    # Reading

    def refresh(self) -> bool:
        """Reads what is new; whether anything is. Raises Away, and then what was read stays."""
        own = self._refresh_own()
        return self._refresh_others() or own

    def _refresh_own(self) -> bool:
        state = self._how_it_is()
        if state == self._state:
            return False
        try:
            self._records, self._fault = self._reading.read(), ""
            self._old = self._unsigned()
            self._state = state
        except Busy as fault:
            self._fault = on_its_face(fault)
        except (OSError, FileError) as error:
            self._fault = f"A list of 0.1.0 cannot be read: {_why(error)}."
        except JournalFault as fault:
            self._records, self._old, self._fault = Records(), Records(), on_its_face(fault)
            # From the start the next time: what was read may be of a file that was put back since.
            self._reading, self._state = OfficeReading(self._folder or list), state
        return True

    def _refresh_others(self) -> bool:
        """What other offices have recorded; this folder's own journal may be among them."""
        if self._elsewhere is None or self._elsewhere.state() == self._others_state:
            return False
        state = self._elsewhere.state()
        own = None if self._folder is None else _first_hashes(self._folder)
        self._others = self._elsewhere.read(own)
        self._others_state = state
        return True

    def _how_it_is(self) -> tuple[object, ...]:
        if self._folder is None:
            return (0,)
        files = [*office_files(self._folder), self._folder / COUNTS, self._folder / NOTES]
        return tuple((path.name, _state(path), _state(path, "-wal")) for path in files)

    def _unsigned(self) -> Records:
        """The lists of 0.1.0 that are not in the office journal."""
        folded = Folder()
        if self._folder is None:
            return folded.records
        for old in old_lists(self._folder, self._records.brief.taken_in):
            for event in not_signed_for(old.events, self._is_signed):
                folded.take("", 0, 0, event)
        return folded.records

    def _is_signed(self, count: BoxCounted) -> bool:
        counts = self._records.counts_of(key_of(count))
        return any(not counted.event.taken_in for counted in counts)

    def counts_of(self, key: CountKey) -> tuple[Counted, ...]:
        """All counts of a box in order: the last one stands, those before it were corrected."""
        own, others = self._records.counts_of(key), self._others.counts_of(key)
        return (*self._old.counts_of(key), *in_time((own, others)))

    def is_own(self, counted: Counted) -> bool:
        """Whether this folder's office made a count."""
        return counted not in self._others.counts_of(key_of(counted.event))

    def count_of(self, key: CountKey) -> Counted | None:
        counts = self.counts_of(key)
        return counts[-1] if counts else None

    def of_hands(self, hands: Iterable[Played]) -> tuple[list[Counted], int]:
        """The counts of all boxes that hands went into, and how many boxes those are."""
        boxes = {box_of(hand) for hand in hands}
        found = [self.count_of(key) for key in sorted(boxes, key=str)]
        # An old count that could be of two boxes is one count.
        return [count for count in dict.fromkeys(found) if count is not None], len(boxes)

    def review_of(self, counted: Counted) -> Review:
        records = self._records if self.is_own(counted) else self._others
        return records.review_of(counted)

    def notes_of(self, about: str) -> tuple[Noted, ...]:
        own, others = self._records.notes.get(about, ()), self._others.notes.get(about, ())
        return (*self._old.notes.get(about, ()), *in_time((own, others)))

    def tags_of(self, about: str) -> frozenset[str]:
        none: frozenset[str] = frozenset()
        return none.union(*(each.tags.get(about, none) for each in self._all))

    def tagged(self, tag: str) -> list[str]:
        every = [item for each in self._all for item in each.tags.items()]
        return list(dict.fromkeys(about for about, tags in every if tag in tags))

    # Writing: each raises OfficeRefused or JournalFault, and then nothing was recorded

    def sign(self, act: str, pin: str, number: str) -> Signature:
        """Who typed this PIN; takes as long as Argon2."""
        folder = self._staff_folder
        if folder is None:
            raise OfficeRefused("read_only", READ_ONLY)
        check = PinCheck(folder, Staff(), self._holder, renew=lambda: _staff_of(folder))
        return check.sign(act, pin, number)

    def count(
        self,
        table: str,
        day: str,
        key: CountKey,
        counted: tuple[Cents, Cents | None],
        due: tuple[Cents, Cents],
        by: tuple[Signature, ...],
        reason: str = "",
    ) -> Counted:
        """Records what was in a drop box and its jackpot box; with a reason, a correction."""

        def made(records: Records) -> BoxCounted:
            return BoxCounted(
                table, day, *key, *counted, *due, records.brief.threshold, by, reason.strip()
            )

        self._record(made, *by)
        found = self.count_of(key)
        assert found is not None
        return found

    def explain(self, counted: Counted, reason: str, by: Signature) -> None:
        self._check_own(counted)
        event = VarianceExplained(counted.year, counted.seq, reason.strip(), by)
        self._record(lambda _: event, by)

    def close(self, counted: Counted, reason: str, by: Signature) -> None:
        self._check_own(counted)
        event = VarianceClosed(counted.year, counted.seq, reason.strip(), by)
        self._record(lambda _: event, by)

    def _check_own(self, counted: Counted) -> None:
        if not self.is_own(counted):
            raise OfficeRefused("elsewhere", REVIEWED_ELSEWHERE)

    def note(self, about: str, note: str, by: Signature) -> None:
        self._record(lambda _: HandNoted(about, note, by), by)

    def tag(self, about: str, tag: str, by: Signature) -> None:
        """Sets a tag; one that is set is taken off."""
        self._record(
            lambda records: HandTagged(
                about, tag, tag not in records.tags.get(about, frozenset()), by
            ),
            by,
        )

    def record(self, event: OfficeEvent, *by: Signature) -> None:
        self._record(lambda _: event, *by)

    def _record(self, make: Made, *by: Signature) -> None:
        # A sign-in is good for a whole session, and between two signatures much can happen.
        signs = {person.id for person in by}
        for listed in self.staff.people:
            if listed.disabled and listed.id in signs:
                message = f"{listed.id} is disabled and cannot sign."
                raise OfficeRefused("not_authorised", message)
        actor = f"office:{'+'.join(person.id for person in by)}"
        with open_office(self.folder, self._holder, self._clock) as book:
            self._take_over(book)
            records = self._reading.read()
            book.record(make(records), actor=actor, records=records)
        # Not what others have: it is recorded, whether they can be asked or not.
        self._refresh_own()

    def take_over(self) -> None:
        """Takes over the lists of 0.1.0, if there are any that were not; they stay as files."""
        if self._folder is None:
            return
        if old_lists(self._folder, self._records.brief.taken_in):
            with open_office(self._folder, self._holder, self._clock) as book:
                self._take_over(book)
            self.refresh()

    def _take_over(self, book: OfficeBook) -> None:
        """Each list in one transaction: after a kill it is there whole, or not at all."""
        self._records = self._reading.read()
        try:
            lists = old_lists(self.folder, self._records.brief.taken_in)
        except (OSError, FileError) as error:
            said = f"A list of 0.1.0 cannot be read: {_why(error)}."
            raise OfficeRefused("old_list", said) from None
        for old in lists:
            events = tuple(not_signed_for(old.events, self._is_signed))
            end = ListTakenIn(old.file, old.sha256, len(events), old.damaged)
            book.record(*events, end, actor="program", records=self._records)
            self._records = self._reading.read()


def _staff_of(folder: Path) -> Staff:
    """Raises OfficeRefused or JournalFault."""
    try:
        return load_staff(folder)
    except StaffError as error:
        raise OfficeRefused("staff", str(error)) from None


def _first_hashes(folder: Path) -> set[bytes]:
    """Of the first event of each year: no other office has one of them."""
    found = set()
    for path in office_files(folder):
        with suppress(JournalFault), Reader(path) as reader:
            first = reader.get(1)
            found |= set() if first is None else {first.hash}
    return found


def _why(error: OSError | FileError) -> str:
    return getattr(error, "strerror", None) or str(error)


def _state(path: Path, end: str = "") -> tuple[int, int, int] | None:
    try:
        about = os.stat(f"{path}{end}")  # noqa: PTH116 - a name with an end, not another path
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size, about.st_ino
