"""The dealer's console without a screen: holds the model and carries out its effects.

The one object in this package with state. Keys, reports and the clock go in; `model` and `view`
come out. Everything between is `update`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, TypeAlias

from omaha_table.dealer.change import (
    AcknowledgeAlarms,
    CheckPin,
    Do,
    KeyCards,
    LookUpPin,
    RecordUnread,
    ReopenLog,
    Rule,
    TakeReport,
    stay,
)
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
    Ticked,
)
from omaha_table.dealer.model import Facts
from omaha_table.dealer.strip import Strip
from omaha_table.dealer.updates import start, update
from omaha_table.dealer.views import view
from omaha_table.hand.frozen import replace
from omaha_table.journal.faults import JournalFault
from omaha_table.session.answer import Answer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from omaha_drivers.events import Report

    from omaha_table.dealer.change import Change, Effect
    from omaha_table.dealer.messages import Message
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.table_view import Prompt, TableView
    from omaha_table.floor import Identity
    from omaha_table.journal.events import Record
    from omaha_table.session.devices import Devices
    from omaha_table.session.session import Session

_ACTOR: Final = "dealer"
"""Whose keys these are, for the log; a ruling has its supervisor's name there instead."""
SLOW: Final = 0.25
"""After an answer that took so long, a key that was pressed again meanwhile is not believed."""


Lookup: TypeAlias = "Callable[[], Identity]"


def _at_once(work: Lookup, done: Callable[[Identity], None]) -> None:
    done(work())


class Console:
    def __init__(
        self,
        session: Session,
        devices: Devices | None = None,
        *,
        title: str = "",
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.session, self.devices = session, devices
        self.listeners: list[Callable[[Sequence[Record]], None]] = []
        """Called with everything that is recorded: practice keeps its score this way."""
        self.reopen: Callable[[], Session] | None = None
        """Opens the log again after a fault; None: it cannot be."""
        self._wall = wall
        self.in_background: Callable[[Lookup, Callable[[Identity], None]], None] = _at_once
        """Runs something slow and passes on what comes of it; a screen does it in a thread."""
        self._looking_up = False
        self._typed_ahead: list[tuple[str, float]] = []
        """Keys that wait for the answer to a PIN."""
        self._slow = ("", -1.0)
        """The last key whose answer was slow, and when the answer was there."""
        self.model = start(self.facts(), title)
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
            to_pick_up=() if state.hand is not None else tuple(session.to_pick_up),
            devices=() if devices is None else tuple(devices.devices.values()),
            shoe_deals=devices is not None and devices.shoe_deals,
            by_hand=devices is not None and devices.by_hand,
            count_only=session.count_only,
            mirror_fault=session.mirror_fault,
            head_words=session.head_words,
            dealers=session.dealers,
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
        self.send(KeyPressed(name, at))
        took = time.monotonic() - began
        if took > SLOW:
            self._slow = (name, max(at, answered) + took)

    def report(self, report: Report) -> None:
        self.send(Reported(report))

    def tick(self, now: float) -> None:
        self.send(Ticked(now))

    def hint(self, text: str) -> None:
        self.send(Hinted(text))

    def send(self, message: Message) -> None:
        """Takes a message in, and carries out what follows from it."""
        change = update(replace(self.model, wall=self._wall()), message)
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
    def prompt(self) -> Prompt:
        return self.model.mode.show(self.model, Strip())

    def view(self) -> TableView:
        return view(replace(self.model, wall=self._wall()))

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
            case Rule():
                self._answer(session.rule(effect.ruling, _ACTOR), effect)
            case TakeReport():
                records = [] if devices is None else devices.take(effect.report)
                self._listen(records)
                self.send(ReportTaken(records, self.facts()))
            case AcknowledgeAlarms():
                if devices is not None:
                    devices.acknowledge_alarms()
                self.send(FactsChanged(self.facts()))
            case KeyCards():
                if devices is not None:
                    devices.dealt_by_hand()
                self.send(FactsChanged(self.facts()))
            case RecordUnread():
                if devices is not None:
                    devices.dealt_unread(effect.number)
            case ReopenLog():
                self._reopen()

    def _answer(self, answer: Answer, effect: Do | CheckPin | Rule) -> None:
        self._listen(answer.records)
        self.send(Answered(answer, self.facts(), effect.then))
        if self.devices is not None and answer.records:
            # What the shoe reported while somebody looked at the cards.
            released = self.devices.release()
            if released:
                self._listen(released)
                self.send(Answered(Answer(released), self.facts(), stay))

    def _look_up(self, effect: LookUpPin) -> None:
        session, pin = self.session, effect.pin
        self._looking_up = True
        self.in_background(
            lambda: session.identify(pin), lambda who: self._looked_up(who, effect.then)
        )

    def _looked_up(self, who: Identity, then: Callable[[Model, Identity], Change]) -> None:
        """What was typed ahead follows the answer; after a refusal it has nowhere to go."""
        self._looking_up = False
        refusals = self.model.refusals
        self.send(PinLookedUp(who, then))
        keys, self._typed_ahead = self._typed_ahead, []
        if self.model.refusals == refusals:
            for name, at in keys:
                self.press(name, at)

    def _listen(self, records: Sequence[Record]) -> None:
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
        self._listen(session.opening)
        self.send(LogOpened(self.facts(), session.opening, session.hand_so_far, session.recovered))
