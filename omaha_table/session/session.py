"""The session: console, scripts and simulated players all use a table through this object."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Final

from omaha_table.floor import (
    Authority,
    Identity,
    NotAuthorized,
    SignIn,
    SignShift,
    Staff,
    check_pin,
    give,
    propose,
)
from omaha_table.floor.staff import StaffError
from omaha_table.hand import Decision, Refused, Step
from omaha_table.hand.commands import Deal, Show, TimeIsUp
from omaha_table.hand.events import HandEnded, HandStarted, StreetClosed
from omaha_table.hand.frozen import replace
from omaha_table.journal.chain import head_words
from omaha_table.journal.events import (
    ClockStepped,
    DayClosed,
    IdentitiesLost,
    JournalSealed,
    Record,
    Recovered,
)
from omaha_table.journal.faults import Busy, JournalFault
from omaha_table.journal.opening import day_before, first_events, is_demo, open_journal, read_back
from omaha_table.journal.reader import record_of
from omaha_table.journal.replay import OPENING, advance_all, rules_seq, table_after
from omaha_table.journal.similar_rulings import PastRulings, SimilarRulings
from omaha_table.journal.slips import KEPT, Slip, last_slips, slips_in
from omaha_table.journal.snapshot import take
from omaha_table.journal.writer import Clock
from omaha_table.log import without_cards
from omaha_table.rules import load_profile, shipped_ids
from omaha_table.session.answer import Answer
from omaha_table.session.commands import DealSealedCard
from omaha_table.session.hole_cards import from_shoe, keep_cards, next_card_is_face_up, tabled
from omaha_table.session.recovery import recovery_text
from omaha_table.session.reopening import closed_with_players
from omaha_table.session.signers import Purpose, Signers
from omaha_table.session.vault import vault_for
from omaha_table.table import decide, open_table
from omaha_table.table.commands import (
    Away,
    CallFloor,
    CloseShift,
    EndFloorCall,
    OpenShift,
    PickUp,
    PushIn,
    ReopenTable,
    StartHand,
)
from omaha_table.table.decisions import decided, end_of_duty
from omaha_table.table.events import (
    HandTakenBack,
    Ruled,
    RulesChanged,
    ShiftClosed,
    TableClosed,
    TableOpened,
)
from omaha_table.table.seating import is_untouched
from omaha_table.table.steps import step

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

    from omaha_table.floor import Give, Pin
    from omaha_table.hand.events import Place
    from omaha_table.journal.events import Event
    from omaha_table.journal.pin_desk import PinDesk
    from omaha_table.journal.sealed import SealedCard
    from omaha_table.journal.writer import JournalWriter
    from omaha_table.rules import Limit, Profile
    from omaha_table.session.commands import SessionCommand
    from omaha_table.session.reopening import Reopening
    from omaha_table.table import TableState
    from omaha_table.table.commands import SeatPlayer


PROGRAM: Final = "program"
"""The actor of rows that nobody at the table caused: a restart, a change of days."""


class Session:
    """A table, in memory or with a journal. `do` takes a command and returns records.

    With a journal an event is on disk before the state shows it. If any method raises
    JournalFault, nothing has happened.
    """

    def __init__(
        self,
        profile: Profile,
        limit: Limit,
        staff: Staff | PinDesk | None = None,
        clock: Callable[[], float] = time.time,
        *,
        deck_required: bool = False,
        journal: JournalWriter | None = None,
        office: X25519PublicKey | None = None,
        dealer_pins: bool = False,
        authority: Authority | None = None,
    ) -> None:
        self._clock = clock
        self.signers = Signers(staff, dealer_pins=dealer_pins, authority=authority)
        """Whose PINs this table takes, and what for."""
        self._journal = journal
        self._past_rulings = None if journal is None else PastRulings(journal.folder, journal.table)
        self._office = office
        self._vault = vault_for(journal, office)
        self._closing: JournalSealed | None = None
        """The last seal of a day, until its receipt is written and the next day is open."""
        self.recovered = ""
        """Where a restart found the table, for the dealer to confirm; empty after a clean start."""
        self.hand_so_far: list[Record] = []
        """Of a hand that was open when the log was opened: what was recorded before."""
        self.players_of_file: tuple[SeatPlayer, ...] = ()
        """Whom the table's file names, for a closed table that is opened again."""
        self._closed_before: Reopening | None = None
        self.receipt: dict[str, object] | None = None
        """The receipt of the day, once the table is closed."""
        self.slips: tuple[Slip, ...] = ()
        """Of the last shifts, the latest first."""
        if journal is not None:
            self.slips = last_slips(journal.folder, journal.table)
        others = [load_profile(one) for one in shipped_ids() if one != profile.id]
        self._offered = tuple(sorted([profile, *others], key=lambda one: one.id))
        """The rules that the floor may change to: those that are shipped, and the table's own."""
        opened = TableOpened(
            profile.id, profile.profile.version, limit.id, deck_required, profile.as_data()
        )
        if journal is None:
            self._rules_seq = 1
            self._state = self._with_rules(open_table(opened))
            self.opening = [Record(1, None, opened)]
        elif not journal.seq:
            self.opening = self._begin_day(journal, opened)
        else:
            self.opening = self._recover(journal)

    @staticmethod
    def on_journal(
        folder: Path,
        table: str,
        profile: Profile,
        limit: Limit,
        staff: Staff | PinDesk,
        *,
        mirror: Path | None = None,
        office: X25519PublicKey | None = None,
        clock: Clock | None = None,
        deck_required: bool = False,
        group: int | None = None,
        dealer_pins: bool = False,
        authority: Authority | None = None,
    ) -> Session:
        """A table with its log in a folder; continues an open hand. Raises JournalFault."""
        both = clock or Clock()
        journal = open_journal(folder, table, mirror, both, group)
        try:
            return Session(
                profile,
                limit,
                staff,
                both.wall,
                deck_required=deck_required,
                journal=journal,
                office=office,
                dealer_pins=dealer_pins,
                authority=authority,
            )
        except BaseException:
            journal.close()
            raise

    def _with_rules(self, state: TableState) -> TableState:
        """The table with the rules that the floor may change to, which no log has."""
        return replace(state, offered=self._offered)

    @property
    def state(self) -> TableState:
        return self._state

    @property
    def step(self) -> Step:
        """What the table must do now."""
        return step(self._state)

    @property
    def to_pick_up(self) -> list[int]:
        """Seats away so long that the floor may now pick them up."""
        return self._state.to_pick_up(self._clock())

    @property
    def reopening(self) -> Reopening | None:
        """Who is seated at a table that was closed before; None: that is no question."""
        closed = self._closed_before
        if closed is None or not is_untouched(self._state):
            return None
        return replace(closed, file=self.players_of_file)

    @property
    def count_only(self) -> bool:
        """Whether the shoe's cards are only counted because no surveillance key is configured."""
        return not self._vault.keeps_identities

    def can_read(self, seat: int) -> bool:
        """Whether the shoe has read all of a seat's cards: the dealer need not key them."""
        return self._vault.knows(seat, self._state.profile.game.hole_cards)

    def is_last_card(self, card: SealedCard) -> bool:
        """Whether the card that was dealt last has come again. Ask it only of one put back."""
        return self._vault.is_last(card)

    def lies_at(self, card: SealedCard, place: Place) -> bool:
        """Whether a card was dealt to this place. Ask it only of what a reader finds again."""
        return self._vault.lies_at(card, place)

    def read_cards(self, seat: int) -> int:
        """How many of a seat's cards are known to the session."""
        return len(self._vault.tabled(seat))

    def unread_cards(self, seat: int) -> int:
        """How many of a seat's cards were dealt without being read."""
        return self._vault.unread(seat)

    @property
    def day(self) -> str:
        """The day of the log with its segment, as its file is named; empty: there is no log."""
        return "" if self._journal is None else self._journal.day

    def dealer_since(self) -> int | None:
        """When the last dealer of the day sat down, in seconds since 1970; None: nobody has."""
        if self._journal is None:
            return None
        times = [row.at_us for row in self._journal.rows.since(0, ("dealer_in",))]
        return times[-1] // 1_000_000 if times else None

    @property
    def mirror_fault(self) -> str:
        """Why the second copy is not being written; empty: it is, or none is configured."""
        return "" if self._journal is None else self._journal.mirror_fault

    def close(self) -> None:
        """Closes the journal; the day continues when it is opened again."""
        if self._journal is not None:
            self._journal.close()

    def do(
        self,
        command: SessionCommand,
        resume_point: tuple[str, str] | None = None,
        actor: str = PROGRAM,
    ) -> Answer:
        """Carries out a command, all of it or nothing; a refusal goes into the refusal log.

        `resume_point` is a device and its token, if the command comes from a device; `actor` is
        who caused it: "dealer", "script", "device:NAME".
        """
        return self._answer(lambda: self._carry_out(command, resume_point, actor), actor)

    def _answer(self, act: Callable[[], list[Record]], actor: str) -> Answer:
        """The only place where a refusal becomes an answer."""
        new_day: list[Record] = []
        try:
            self._check_day_is_open()
            new_day = self._next_day()
            return Answer([*new_day, *act()])
        except NotAuthorized as refusal:
            failures = refusal.failures
            made = self._commit(lambda now: decided(now, failures), actor)
            return Answer([*new_day, *made], refusal)
        except Refused as refusal:
            self._log_refusal(refusal)
            return Answer(new_day, refusal)

    def _check_day_is_open(self) -> None:
        """A closed day accepts nothing more: no PIN is checked, so no wrong PIN is counted."""
        if self.receipt is not None:
            raise self._refused("wrong_phase", "The day is closed.", "closing")

    def _carry_out(
        self, command: SessionCommand, resume_point: tuple[str, str] | None, actor: str
    ) -> list[Record]:
        passed: SealedCard | None = None
        if isinstance(command, DealSealedCard):
            passed = command.card
            command = from_shoe(self._vault, self._state, passed, command.place)
        elif isinstance(command, PushIn):
            command = self.signers.push(self._state, SignIn(command.dealer), int(self._clock()))
        elif isinstance(command, OpenShift | CloseShift):
            command = self.signers.shift(self._state, SignShift(command), int(self._clock()))
        elif isinstance(command, Away | PickUp | CallFloor | EndFloorCall):
            command = replace(command, at=int(self._clock()))
        elif isinstance(command, ReopenTable) and self.reopening is not None:
            command = self.reopening.answered(command)
        elif isinstance(command, TimeIsUp):
            command = TimeIsUp(int(self._clock()))
        elif isinstance(command, Show):
            command = tabled(self._vault, self._state, command)
        elif isinstance(command, StartHand | Deal) and not self._has_space_for_hand():
            raise self._refused(
                "journal_full", "The disk is nearly full: free space before the next hand."
            )
        wanted = command
        return self._commit(lambda now: decide(now, wanted), actor, passed, resume_point)

    def resume_token(self, device: str) -> str:
        """The token of the last event recorded from a device, to resume after it."""
        return "" if self._journal is None else self._journal.resume_token(device)

    def rule(self, ruling: Give, actor: str = PROGRAM) -> Answer:
        """Carries out a ruling; a wrong PIN is recorded and counts.

        The actor of a ruling is who gave it; `actor` is where a PIN that was refused was typed.
        """
        at = int(self._clock())

        def rule() -> list[Record]:
            judged, staff = self.signers.ruling(ruling), self.signers.staff
            return self._commit(
                lambda now: give(now, staff, judged, at, self.signers.authority), actor
            )

        return self._answer(rule, actor)

    def identify(self, pin: str, number: str = "", purpose: Purpose = "ruling") -> Identity:
        """Whose PIN this is, with a staff number whose alone.

        Slow, and touches nothing of the table: it may run in a thread of its own. In a data folder
        the office journal counts it.
        """
        return self.signers.identify(pin, number, purpose)

    def check_pin(self, pin: Pin, actor: str = PROGRAM) -> Answer:
        """Whether a PIN may give rulings; a wrong one is recorded and counts.

        Recorded too: that the floor has come, if it was called.
        """
        at = int(self._clock())

        def check() -> list[Record]:
            judged = self.signers.judged(pin)
            checked = check_pin(self._state, self.signers.staff, judged, at)
            if not checked.events:
                return []
            return self._commit(lambda now: decided(now, checked.events), actor)

        return self._answer(check, actor)

    def sign_in(self, dealer: SignIn, actor: str = PROGRAM) -> Answer:
        """A dealer sits down with a PIN; a wrong one is recorded and counts."""

        def sign() -> list[Record]:
            push = self.signers.push(self._state, dealer, int(self._clock()))
            return self._commit(lambda now: decide(now, push), actor)

        return self._answer(sign, actor)

    def sign_shift(self, shift: SignShift, actor: str = PROGRAM) -> Answer:
        """A shift is opened or closed with a PIN; a wrong one is recorded and counts."""

        def sign() -> list[Record]:
            command = self.signers.shift(self._state, shift, int(self._clock()))
            return self._commit(lambda now: decide(now, command), actor)

        return self._answer(sign, actor)

    @property
    def head_words(self) -> str:
        """The head of the log as four words; empty without a journal."""
        return "" if self._journal is None else head_words(self._journal.head)

    def similar_rulings(self, name: str, words: tuple[str, ...]) -> SimilarRulings:
        """How a ruling with these words was given before, by the logs of this table.

        Slow, and touches nothing: it may run in a thread of its own.
        """
        if self._past_rulings is None:
            return SimilarRulings()
        return self._past_rulings.similar(name, words)

    def effect(self, ruling: Give) -> str:
        """What a ruling would do, in one sentence; raises Refused."""
        return propose(self._state, ruling).effect.text

    def _commit(
        self,
        decide_on: Callable[[TableState], Decision[Event, TableState]],
        actor: str = PROGRAM,
        passed: SealedCard | None = None,
        resume_point: tuple[str, str] | None = None,
    ) -> list[Record]:
        """Decides, writes the decision, and only then changes the state.

        If the wall clock was moved since the last event, the log says so first.
        """
        stepped = self._clock_step()
        decision = decide_on(advance_all(self._state, stepped))
        actor = _who_ruled(decision.events) or actor
        checkpoint = self._vault.checkpoint()
        try:
            secrets = [
                secret
                for event in decision.events
                for secret in keep_cards(self._vault, decision.state.hands, event, passed)
            ]
            records = self._records([*stepped, *decision.events, *secrets])
            state = advance_all(decision.state, secrets)
            if self._journal is not None:
                state = self._write(self._journal, state, records, actor, resume_point)
        except BaseException:
            self._vault.roll_back(checkpoint)
            raise
        self._keep_slips(records)
        was_in_hand, self._state = self._state.hand is not None, state
        if was_in_hand and state.hand is None:
            self._vault.end_hand(state.hands)
        if state.closed and self._journal is not None and self.receipt is None:
            records += self._close_day(self._journal, actor)
        return records

    def _write(
        self,
        journal: JournalWriter,
        state: TableState,
        records: list[Record],
        actor: str,
        resume_point: tuple[str, str] | None,
    ) -> TableState:
        """Writes records to disk, with a seal where a street, a hand or the table ends."""
        changed = [record.seq for record in records if isinstance(record.event, RulesChanged)]
        rules_seq = changed[-1] if changed else self._rules_seq
        points = () if resume_point is None else (resume_point,)
        seals: list[Record] = []
        if state.hand is None and any(isinstance(r.event, _SEALED_AFTER) for r in records):
            kept = {"rules_seq": rules_seq, "table": take(state)}
            seals = [journal.append_and_seal(records, kept, actor)]
        elif any(isinstance(record.event, StreetClosed) for record in records):
            seals = journal.append_street(records, actor, points)
        else:
            journal.append(records, actor, points)
        records += seals
        state = advance_all(state, [seal.event for seal in seals])
        # Only after the write: rules that could not be logged did not change.
        self._rules_seq = rules_seq
        return state

    def _keep_slips(self, records: Sequence[Record]) -> None:
        """The slip of a shift that has just been closed, with the words of its row."""
        for record in records:
            if isinstance(record.event, ShiftClosed):
                found = [Slip(record.event)]
                if self._journal is not None:
                    found = slips_in(self._journal.rows, record.seq - 1)
                self.slips = (*found, *self.slips)[:KEPT]

    def _records(self, events: Sequence[Event]) -> list[Record]:
        """Events with their numbers and hands."""
        hand = self._state.hands if self._state.hand is not None else None
        records = []
        for seq, event in enumerate(events, start=self._state.seq + 1):
            if isinstance(event, HandStarted):
                hand = event.number
            records.append(Record(seq, hand, event))
            if isinstance(event, HandEnded | HandTakenBack):
                hand = None
        return records

    def _clock_step(self) -> list[Event]:
        moved = None if self._journal is None else self._journal.clock_step()
        return [] if moved is None else [ClockStepped(round(moved, 3))]

    def _close_day(self, journal: JournalWriter, actor: str) -> list[Record]:
        """Ends the day of a table that was closed; dealer and boxes leave with it."""
        last = decided(self._state, end_of_duty(self._state, int(self._clock())))
        records = self._seal_day(journal, last, actor)
        assert self._closing is not None
        self.receipt = journal.close_day(self._closing)
        return records

    def _seal_day(
        self, journal: JournalWriter, last: Decision[Event, TableState], actor: str
    ) -> list[Record]:
        """Writes the last rows of a day. What is left is the receipt."""
        before = self._records(last.events)
        if before:
            journal.append(before, actor)
            self._keep_slips(before)
        self._state = last.state
        closed = DayClosed(journal.head.hex(), head_words(journal.head))
        records, state = self._records([closed]), advance_all(self._state, [closed])
        kept = {"rules_seq": self._rules_seq, "table": take(state)}
        seal = journal.append_and_seal(records, kept, actor)
        self._state = advance_all(state, [seal.event])
        assert isinstance(seal.event, JournalSealed)
        self._closing = seal.event
        return [*before, *records, seal]

    def _next_day(self) -> list[Record]:
        """Between hands, once the next gaming day has begun: closes the day and opens the next.

        If the disk fails on the way, what is done stays done and the next command goes on from
        there; until then nothing else is recorded.
        """
        journal = self._journal
        if journal is None or self._state.hand is not None or self._state.closed:
            return []
        records: list[Record] = []
        if self._closing is None:
            if not journal.day_is_over:
                return []
            stepped = self._clock_step()
            last = Decision(tuple(stepped), advance_all(self._state, stepped))
            records = self._seal_day(journal, last, PROGRAM)
        assert self._closing is not None
        if not journal.is_closed:
            journal.close_day(self._closing)
        following = journal.next_day()
        try:
            if following.seq:
                raise Busy("Another program has gone on with this table.")
            records += self._begin_day(following, None)
        except BaseException:
            following.close()
            raise
        self._journal, self._closing = following, None
        self._vault = vault_for(following, self._office)
        return records

    def _begin_day(self, journal: JournalWriter, opened: TableOpened | None) -> list[Record]:
        """The first rows of a day; `opened` is for a table that does not go on from another day."""
        before = day_before(journal)
        if before is not None:
            self._check_demo(marked=before.demo)
        events = first_events(journal, opened, before, demo=self.signers.is_demo)
        records = [Record(seq, None, event) for seq, event in enumerate(events, start=1)]
        journal.append(records, PROGRAM, () if before is None else before.resume_points)
        self._rules_seq = OPENING
        self._state = self._with_rules(table_after(events))
        # A question that nobody has answered goes on into the next day.
        self._closed_before = closed_with_players(before) or self._closed_before
        return records

    def _check_demo(self, *, marked: bool) -> None:
        """The demo's staff rules only where the log says from its first event on that it may."""
        if self.signers.is_demo and not marked:
            raise StaffError(
                "This is the log of a real table. The demo needs a folder of its own: leave "
                "--data out, or open the table with --table."
            )

    def _recover(self, journal: JournalWriter) -> list[Record]:
        """Restores the table from the journal; the restart itself is recorded as an event."""
        self._check_demo(marked=is_demo(journal.rows))
        self._state = self._with_rules(read_back(journal))
        self._rules_seq = rules_seq(journal.rows)
        self.recovered = recovery_text(self._state)
        if is_untouched(self._state):
            # A day that goes on needs nothing of the one before: without it nobody is asked.
            with contextlib.suppress(JournalFault):
                self._closed_before = closed_with_players(day_before(journal))
        hand = self._state.hand
        if hand is None:
            # A kill right after the last write of a hand leaves its key in the keyring.
            self._vault.end_hand(self._state.hands)
        events: list[Event] = [Recovered(self.recovered)]
        if hand is not None:
            since = map(record_of, journal.rows.since(_start(journal)))
            self.hand_so_far = [record for record in since if record.hand == self._state.hands]
            since_start = [record.event for record in self.hand_so_far]
            if not self._vault.recover(self._state.hands, since_start):
                events.append(IdentitiesLost())
        return self._commit(lambda now: Decision(tuple(events), advance_all(now, events)))

    def _has_space_for_hand(self) -> bool:
        if self._journal is None or self._state.hand is not None:
            return True
        return self._journal.has_space_for_hand

    @property
    def next_card_is_face_up(self) -> bool:
        """Whether the next card is dealt face up."""
        return next_card_is_face_up(self._state)

    def _log_refusal(self, refused: Refused) -> None:
        """Records, for the reviewer, what was refused and by which rule, without cards."""
        if self._journal is not None:
            hand = self._state.hands if self._state.hand is not None else None
            message = without_cards(refused.message)
            self._journal.log_refusal(hand, refused.code, message, refused.rule, refused.source)

    def _refused(self, code: str, message: str, rule: str = "journal") -> Refused:
        return Refused(code, message, self._state.profile, rule)


_SEALED_AFTER = (HandEnded, TableClosed)


def _who_ruled(events: Sequence[Event]) -> str:
    """The actor of a ruling: whoever gave it, both if two did; empty if it is none."""
    [by] = [event.by for event in events if isinstance(event, Ruled)] or [()]
    return f"floor:{'+'.join(by)}" if by else ""


def _start(journal: JournalWriter) -> int:
    seal = journal.rows.last_seal()
    return 0 if seal is None else seal.seq
