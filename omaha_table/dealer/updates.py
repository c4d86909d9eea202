"""What happens: from a model and a message to the next model and what must be done outside.

Pure: the same model and message always give the same change. Nothing here reads a clock, writes
to the log or asks a device.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.dealer.alarms import standing_alarm
from omaha_table.dealer.change import Change, TakeReport
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
from omaha_table.dealer.model import NO_ALARM, HalfDone, KeyGate, Model, Rung
from omaha_table.dealer.modes.at_table import AtTable
from omaha_table.dealer.modes.command_line import OPENS, CommandLine
from omaha_table.dealer.modes.remedy import RemedySteps
from omaha_table.dealer.modes.stops import LogStop, Recovered
from omaha_table.dealer.pad import DIGITS, ENTER, pad_key
from omaha_table.dealer.story import Story, continued, with_record
from omaha_table.dealer.strip import Strip
from omaha_table.hand.events import RemedyOrdered
from omaha_table.hand.frozen import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omaha_table.dealer.messages import Message
    from omaha_table.dealer.model import Facts
    from omaha_table.journal.events import Record

QUIET_GAP: Final = 0.12
"""A commit key counts once until it was silent for so long: held and bouncing keys."""
DEAD_TIME: Final = 0.4
"""After a hand starts or ends, ENTER rests: it may have been meant for the step before."""
RING_AGAIN: Final = 5.0
"""Seconds between bells while a fault stands."""


def start(facts: Facts, title: str) -> Model:
    """The model before the log was opened."""
    return Model(facts, (AtTable(),), title)


def update(model: Model, message: Message) -> Change:
    match message:
        case KeyPressed():
            return _press(model, message)
        case Reported():
            waits = bool(model.pending)
            queued = replace(model, pending=(*model.pending, message.report))
            return Change(queued, () if waits else (TakeReport(message.report),))
        case Ticked():
            return Change(_ring(model, message.at))
        case Hinted():
            return Change(replace(model, hint=message.text))
        case Answered():
            return _answered(model, message)
        case PinLookedUp():
            return message.then(model, message.identity)
        case ReportTaken():
            taken = replace(_with_facts(model, message.facts), pending=model.pending[1:])
            return Change(_recorded(taken, message.records), _next_report(taken))
        case FactsChanged():
            return Change(_with_facts(model, message.facts))
        case LogStopped():
            return Change(_stopped(model, message))
        case LogOpened():
            return _opened(model, message)


# Keys


def _press(model: Model, message: KeyPressed) -> Change:
    name, at = message.name, message.at
    typed = model.mode.text(model, name)
    if typed is not None:
        return typed
    if name == OPENS and len(model.modes) == 1:
        return Change(model.enter(CommandLine()))
    pad = pad_key(name)
    if pad is None:
        return Change(model.refuse("That key is not on the pad. The keys below work."))
    gate = model.gate
    held = pad == gate.key and at - gate.at < QUIET_GAP
    model = replace(model, gate=KeyGate(pad, at, gate.rests_until))
    commits = pad not in DIGITS and pad != "."
    if held and (commits or model.mode.digits_commit):
        return Change(model)
    if pad == ENTER and at < gate.rests_until:
        return Change(model)
    model = replace(model, keys=model.keys + 1)
    strip = Strip()
    model.mode.show(model, strip)
    action = strip.action(pad)
    if action is None:
        return Change(model.refuse(strip.why_not(pad) or "That key does nothing now."))
    return action(replace(model, answer=NO_ALARM))


# Answers


def _answered(model: Model, message: Answered) -> Change:
    answer = message.answer
    model = _with_facts(model, message.facts)
    model = replace(model, story=continued(model.story, answer.records, model.wall))
    change = message.then(model, answer)
    return Change(_with_remedy(change.model, answer.records), change.effects)


def _recorded(model: Model, records: Sequence[Record]) -> Model:
    model = replace(model, story=continued(model.story, records, model.wall))
    return _with_remedy(model, records)


def _with_remedy(model: Model, records: Sequence[Record]) -> Model:
    """What the floor has just ordered is shown before anything else."""
    for record in records:
        if isinstance(record.event, RemedyOrdered):
            model = model.leave_all().enter(RemedySteps(record.event.steps))
    return model


def _with_facts(model: Model, facts: Facts) -> Model:
    """The table as it stands now. At another step, what was half done is forgotten."""
    before, model = model.facts, replace(model, facts=facts)
    if _hand_of(before) != _hand_of(facts):
        gate = model.gate
        model = replace(model, gate=KeyGate(gate.key, gate.at, gate.at + DEAD_TIME))
    if _step_of(before) != _step_of(facts):
        drawing = model.half.drawing and facts.step.what == "draw"
        model = replace(model, half=HalfDone(drawing=drawing))
    return model


def _hand_of(facts: Facts) -> tuple[int, bool]:
    return facts.state.hands, facts.state.hand is None


def _step_of(facts: Facts) -> tuple[int, str, int | None]:
    return facts.state.hands, facts.step.what, facts.step.seat


def _next_report(model: Model) -> tuple[TakeReport, ...]:
    return tuple(TakeReport(report) for report in model.pending[:1])


# The log


def _stopped(model: Model, message: LogStopped) -> Model:
    stop = LogStop(message.fault, message.can_reopen)
    model = replace(_with_facts(model, message.facts), bells=model.bells + 1)
    return model.become(stop) if isinstance(model.mode, LogStop) else model.enter(stop)


def _opened(model: Model, message: LogOpened) -> Change:
    """What was half done is gone; the dealer compares the felt if a hand is open."""
    model = _with_facts(model, message.facts).leave_all()
    story = Story(model.story.log)
    for record in message.hand:
        story = with_record(story, record)
    model = _recorded(replace(model, story=story), message.records)
    if message.recovered and message.facts.state.hand is not None:
        model = model.enter(Recovered(message.recovered))
    return Change(model, _next_report(model))


# The bell


def _ring(model: Model, at: float) -> Model:
    """Two bells for what is newly wrong, and one every five seconds while a fault stands."""
    alarm = standing_alarm(model.facts)
    if alarm is None:
        return replace(model, rung=Rung("", at))
    if alarm.text != model.rung.what:
        return replace(model, bells=model.bells + 2, rung=Rung(alarm.text, at))
    if alarm.level == "fault" and at - model.rung.at >= RING_AGAIN:
        return replace(model, bells=model.bells + 1, rung=Rung(alarm.text, at))
    return model
