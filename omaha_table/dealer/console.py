"""The dealer's console without a screen: holds the model and carries out its effects.

The one object in this package with state. Keys, reports and the clock go in; `model` and `view`
come out. Everything between is `update`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from omaha_table.dealer.alarms import standing_alarm
from omaha_table.dealer.change import (
    AcknowledgeAlarm,
    CheckPin,
    Do,
    FindSimilar,
    KeyCards,
    LookUpPin,
    PutBackEarly,
    RecordUnread,
    ReopenLog,
    Rule,
    SignDealerIn,
    SignShiftChange,
    TakeReport,
    stay,
)
from omaha_table.dealer.heartbeat import Heartbeat
from omaha_table.dealer.messages import (
    Answered,
    FactsChanged,
    Hinted,
    KeyPressed,
    LogOpened,
    LogStopped,
    PinLookedUp,
    Reported,
    ReportTaken,
    SimilarFound,
    Ticked,
)
from omaha_table.dealer.model import Facts
from omaha_table.dealer.modes.stops import LogStop
from omaha_table.dealer.room_status import ROOM, RoomStatus, RoomWatch, acknowledged, look
from omaha_table.dealer.strip import Strip
from omaha_table.dealer.updates import start, update
from omaha_table.dealer.views import view
from omaha_table.floor import SignIn, SignShift
from omaha_table.hand.frozen import replace
from omaha_table.journal.faults import JournalFault
from omaha_table.session.answer import Answer
from omaha_table.session.session import PROGRAM
from omaha_table.table.commands import NoteDevice
from omaha_table.table.events import ACKNOWLEDGED, LOG_ALARM, MISSING, STAFF_LIST

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from omaha_drivers.events import Report

    from omaha_table.dealer.change import Change, Effect
    from omaha_table.dealer.messages import Message
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.room_status import RoomLink
    from omaha_table.dealer.table_view import Prompt, TableView
    from omaha_table.floor import Identity
    from omaha_table.journal.events import Record
    from omaha_table.session.devices import Devices
    from omaha_table.session.equipment import Missing
    from omaha_table.session.session import Session

T = TypeVar("T")
_LEFT_OUT: Final = (
    "The console has lost the room. Deal on; start the console again after the shift."
)
_ACTOR: Final = "dealer"
"""Whose keys these are, for the log; a ruling has its supervisor's name there instead."""
SLOW: Final = 0.25
"""After an answer that took so long, a key that was pressed again meanwhile is not believed."""


class Background(Protocol):
    """Runs something slow and passes on what comes of it."""

    def __call__(self, work: Callable[[], T], done: Callable[[T], None]) -> None: ...


def _at_once(work: Callable[[], T], done: Callable[[T], None]) -> None:
    done(work())


class Console:
    def __init__(
        self,
        session: Session,
        devices: Devices | None = None,
        *,
        missing: Sequence[Missing] = (),
        title: str = "",
        room: str = "",
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.session, self.devices = session, devices
        self._missing = self._unseen = tuple(missing)
        self.listeners: list[Callable[[Sequence[Record]], None]] = []
        """Called with everything that is recorded: practice keeps its score this way."""
        self.reopen: Callable[[], Session] | None = None
        """Opens the log again after a fault; None: it cannot be."""
        self.damaged: Callable[[], Mapping[str, Mapping[str, int]]] | None = None
        """What the drivers count, by device; None: there are none."""
        self._wall = wall
        self.link: RoomLink | None = None
        """The room; None: the table's file names none."""
        self._room: RoomWatch | None = None
        self._heartbeat = Heartbeat(wall())
        self._staff_list = ""
        """The room's staff list that was last noted since the console was opened."""
        self.in_background: Background = _at_once
        """A screen does it in a thread."""
        self._looking_up = False
        self._typed_ahead: list[tuple[str, float]] = []
        """Keys that wait for the answer to a PIN."""
        self._slow = ("", -1.0)
        """The last key, if its answer was slow, and when the last slow answer was there."""
        self.model = start(self.facts(), title, room)
        self._log_opened()

    def facts(self) -> Facts:
        """The table and its devices as they stand now."""
        session, devices = self.session, self.devices
        state, step = session.state, session.step
        showing = state.hand is not None and step.what == "show"
        return Facts(
            state,
            step,
            readable=frozenset(filter(session.can_read, state.seats)) if showing else frozenset(),
            reopening=session.reopening,
            devices=() if devices is None else tuple(devices.devices.values()),
            shoe_deals=devices is not None and devices.shoe_deals,
            by_hand=devices is not None and devices.by_hand,
            count_only=session.count_only,
            missing=self._missing,
            unseen=self._unseen,
            mirror_fault=session.mirror_fault,
            head_words=session.head_words,
            slips=session.slips,
            dealers=session.signers.dealers,
            dealer_pins=session.signers.dealer_pins,
            shift_signed=session.signers.authority.shift != "dealer",
            supervisors=tuple(who.id for who in session.signers.supervisors),
            staff_problem=session.signers.problem,
            room=self._room,
        )

    # In

    def press(self, name: str, now: float | None = None) -> None:
        """One key, by the name that the terminal gives it."""
        began = time.monotonic()
        at = began if now is None else now
        if self._looking_up:
            self._typed_ahead.append((name, at))
            return
        key, answered = self._slow
        if at < answered and (name == key or self.model.answer.level == "refused"):
            # Somebody was impatient, or did not know yet of the refusal.
            self.model = self.model.refuse("That key was pressed before the answer was shown.")
            return
        if name != key:
            # Whoever goes on to another key is not impatient: the first key may well come again.
            self._slow = ("", answered)
        self.send(KeyPressed(name, at))
        took = time.monotonic() - began
        if took > SLOW:
            self._slow = (name, max(at, answered) + took)

    def report(self, report: Report) -> None:
        self.send(Reported(report))

    def tick(self, now: float) -> None:
        if not self._looking_up and self.session.signers.look():
            self.send(FactsChanged(self.facts()))
        self._note_staff_list()
        self._count_line()
        self.send(Ticked(now))

    def look_at_room(self) -> bool:
        """Takes in what the shipper has said; whether the screen has something else to show."""
        if self.link is None:
            return False
        before, session = self._room or RoomWatch(), self.session
        now = look(before, self.link.said, session.day, session.state.seq, time.monotonic())
        shown, self._room = self._room, now
        if shown is not None and (shown.status, shown.seen) == (now.status, now.seen):
            return False
        self.send(FactsChanged(self.facts()))
        if now.status.alarm and now.status.alarm != before.status.alarm:
            self._note(NoteDevice(ROOM, LOG_ALARM, now.status.alarm), PROGRAM)
        return True

    def beat(self) -> None:
        """Tells the room how the table stands. Nothing waits for it, and nothing records it."""
        if self.link is not None:
            self.link.beat(
                self._heartbeat.beat(
                    self.model.facts, self.model.title, self._wall(), stopped=self._log_stopped
                )
            )

    def leave_room_out(self) -> None:
        """After a fault of the program in what follows the room."""
        self.link = None
        self._room = RoomWatch(RoomStatus("failed", message=_LEFT_OUT))
        self.send(FactsChanged(self.facts()))

    def hint(self, text: str) -> None:
        self.send(Hinted(text))

    def send(self, message: Message) -> None:
        """Takes a message in, and carries out what follows from it."""
        change = update(self._now, message)
        self.model = change.model
        for effect in change.effects:
            try:
                self.carry_out(effect)
            except JournalFault as fault:
                self.stop(fault)
                return

    def stop(self, fault: JournalFault) -> None:
        self.send(LogStopped(fault, self.reopen is not None, self.facts()))

    # Out

    @property
    def looking_up(self) -> bool:
        """Whether a PIN is being checked, so that keys wait for the answer."""
        return self._looking_up

    @property
    def clock_runs(self) -> bool:
        """Whether a seat is on the clock, so that the screen changes by itself."""
        hand = self.session.state.hand
        return hand is not None and hand.clock is not None

    @property
    def prompt(self) -> Prompt:
        return self.model.mode.show(self._now, Strip())

    def view(self) -> TableView:
        return view(self._now)

    @property
    def _now(self) -> Model:
        """The model with the time: how long the floor has been called is shown by the second."""
        return replace(self.model, wall=self._wall())

    def _count_line(self) -> None:
        """Damaged messages are no reports: the drivers only count them."""
        if self.devices is None or self.damaged is None or self._log_stopped:
            return
        try:
            records = self.devices.count_line(self.damaged())
        except JournalFault as fault:
            self.stop(fault)
            return
        if records:
            self._listen(records)
            self.send(Answered(Answer(records), self.facts(), stay))

    # Effects

    def carry_out(self, effect: Effect) -> None:
        """Does something outside of the model, and takes the answer in. Raises JournalFault."""
        session, devices = self.session, self.devices
        match effect:
            case Do():
                self._answer(session.do(effect.command, actor=_ACTOR), effect)
            case LookUpPin():
                self._look_up(effect)
            case CheckPin():
                self._answer(session.check_pin(effect.identity, _ACTOR), effect)
            case SignDealerIn():
                sign_in = SignIn(effect.dealer, effect.identity)
                self._answer(session.sign_in(sign_in, _ACTOR), effect)
            case SignShiftChange():
                shift = SignShift(effect.command, effect.identity)
                self._answer(session.sign_shift(shift, _ACTOR), effect)
            case Rule():
                self._answer(session.rule(effect.ruling, _ACTOR), effect)
            case FindSimilar():
                self._find_similar(effect)
            case TakeReport():
                records = [] if devices is None else devices.take(effect.report)
                self._listen(records)
                self.send(ReportTaken(records, self.facts()))
            case AcknowledgeAlarm():
                self._acknowledge()
            case KeyCards():
                if devices is not None:
                    devices.dealt_by_hand()
                self.send(FactsChanged(self.facts()))
            case RecordUnread():
                if devices is not None:
                    devices.dealt_unread()
            case PutBackEarly():
                if devices is not None:
                    devices.put_back_early()
            case ReopenLog():
                self._reopen()

    def _acknowledge(self) -> None:
        """The alarm that stands, and nothing that is hidden behind it. The log has who saw it."""
        standing = standing_alarm(self.facts())
        if standing is None or not standing.can_be_acknowledged:
            return
        if standing.missing:
            seen, cause = self._unseen[0].what, MISSING
            self._unseen = self._unseen[1:]
        else:
            seen, cause = standing.device, standing.cause
            if seen == ROOM and self._room is not None:
                self._room = acknowledged(self._room)
            elif self.devices is not None:
                self.devices.acknowledge(seen, cause)
        self.send(FactsChanged(self.facts()))
        if not self.session.state.closed:
            note = NoteDevice(seen, ACKNOWLEDGED, cause)
            self._answer(self.session.do(note, actor=_ACTOR), Do(note))

    def _note_staff_list(self) -> None:
        """Answers the room with an event that names its list: the witness signs which one ruled."""
        used = self.session.signers.room_list
        if used and used != self._staff_list:
            self._staff_list = used
            self._note(NoteDevice(ROOM, STAFF_LIST, used), PROGRAM)

    def _note(self, note: NoteDevice, actor: str) -> None:
        """Records something that nobody at the table did."""
        if self._log_stopped or self.session.state.closed:
            return
        try:
            self._answer(self.session.do(note, actor=actor), Do(note))
        except JournalFault as fault:
            self.stop(fault)

    @property
    def _log_stopped(self) -> bool:
        return any(isinstance(mode, LogStop) for mode in self.model.modes)

    def _answer(
        self, answer: Answer, effect: Do | CheckPin | SignDealerIn | SignShiftChange | Rule
    ) -> None:
        self._listen(answer.records)
        if self.devices is not None:
            self.devices.end_alarms()
        self.send(Answered(answer, self.facts(), effect.then))
        if self.devices is not None and answer.records:
            # What the shoe reported while somebody looked at the cards.
            released = self.devices.release()
            if released:
                self._listen(released)
                self.send(Answered(Answer(released), self.facts(), stay))

    def _look_up(self, effect: LookUpPin) -> None:
        session = self.session
        self._looking_up = True
        self.in_background(
            lambda: session.identify(effect.pin, effect.number, effect.purpose),
            lambda who: self._looked_up(who, effect.then),
        )

    def _looked_up(self, who: Identity, then: Callable[[Model, Identity], Change]) -> None:
        """What was typed ahead follows the answer; after a refusal it has nowhere to go."""
        self._looking_up = False
        refusals = self.model.refusals
        self.send(FactsChanged(self.facts()))
        self.send(PinLookedUp(who, then))
        keys, self._typed_ahead = self._typed_ahead, []
        if self.model.refusals == refusals:
            for name, at in keys:
                self.press(name, at)

    def _find_similar(self, effect: FindSimilar) -> None:
        """Keys go on meanwhile: what is found is added to the page when it is there."""
        session = self.session
        self.in_background(
            lambda: session.similar_rulings(effect.ruling, effect.words),
            lambda found: self.send(SimilarFound(found, effect.then)),
        )

    def _listen(self, records: Sequence[Record]) -> None:
        self._heartbeat.heard(records, self._wall())
        for listener in self.listeners:
            listener(records)

    def _reopen(self) -> None:
        if self.reopen is None:
            return
        self.session.close()
        self.session = self.reopen()
        if self.devices is not None:
            self.devices.use(self.session)
        self._log_opened()

    def _log_opened(self) -> None:
        session = self.session
        self._heartbeat.dealer_since = session.dealer_since()
        self._listen(session.opening)
        self.send(LogOpened(self.facts(), session.opening, session.hand_so_far, session.recovered))
