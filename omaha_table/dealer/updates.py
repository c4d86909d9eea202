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
    SimilarFound,
    Ticked,
)
from omaha_table.dealer.model import NO_ALARM, AwardedPushes, HalfDone, KeyGate, Model, Rung
from omaha_table.dealer.modes.at_table import AtTable
from omaha_table.dealer.modes.command_line import OPENS, CommandLine
from omaha_table.dealer.modes.floor import AskPin
from omaha_table.dealer.modes.remedy import RemedySteps
from omaha_table.dealer.modes.slips import Slips
from omaha_table.dealer.modes.stops import LogStop, Recovered
from omaha_table.dealer.pad import DIGITS, pad_key
from omaha_table.dealer.story import Story, continued, with_record
from omaha_table.dealer.strip import Strip
from omaha_table.dealer.table_view import Alarm
from omaha_table.hand.events import HandEnded, HandStarted, RemedyOrdered
from omaha_table.hand.frozen import replace
from omaha_table.table.events import ShiftClosed, ShiftOpened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omaha_table.dealer.messages import Message
    from omaha_table.dealer.model import Facts
    from omaha_table.journal.events import Record
    from omaha_table.session.answer import Answer

QUIET_GAP: Final = 0.12
"""A commit key counts once until it was silent for so long: held and bouncing keys."""
FIRST_REPEAT: Final = 0.8
"""The longest pause before a keyboard repeats a held key."""
CLOCK_WARNS: Final = 10
"""Seconds left on a clock when the bell rings for the first time."""
RING_AGAIN: Final = 5.0
"""Seconds between bells while a fault stands."""


def start(facts: Facts, title: str, room: str = "") -> Model:
    """The model before the log was opened."""
    return Model(facts, (AtTable(),), title, room)


def update(model: Model, message: Message) -> Change:
    match message:
        case KeyPressed():
            return _press(model, message)
        case Reported():
            waits = bool(model.pending)
            queued = replace(model, pending=(*model.pending, message.report))
            return Change(queued, () if waits else (TakeReport(message.report),))
        case Ticked():
            return Change(_ring(_ring_clock(model), message.at))
        case Hinted():
            return Change(replace(model, hint=message.text))
        case Answered():
            return _answered(model, message)
        case PinLookedUp():
            return message.then(model, message.identity)
        case SimilarFound():
            return message.then(model, message.found)
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
    strip = Strip()
    model.mode.show(model, strip)
    held = pad == gate.key and at - gate.at < QUIET_GAP
    commits = strip.commits(pad) or (pad in DIGITS and model.mode.digits_commit)
    counts_once = commits or (pad not in DIGITS and pad != ".") or (held and gate.committed)
    # A digit that was only typed may be followed by the same one that chooses: 31, then line 1.
    if held and counts_once and (gate.committed or pad not in DIGITS):
        gate = KeyGate(pad, at, counts_once, gate.after, gate.repeats + 1)
        return Change(_held_down(replace(model, gate=gate), pad))
    after = at - gate.at if pad == gate.key else 0.0
    model = replace(model, gate=KeyGate(pad, at, counts_once, after))
    model = replace(model, keys=model.keys + 1)
    action = strip.action(pad)
    if pad == "/" and strip.opens_floor:
        action = _to_floor
    if pad == "/" and strip.asks_pin_again:
        action = _pin_again
    if action is None:
        return Change(model.refuse(strip.why_not(pad) or "That key does nothing now."))
    return action(replace(model, answer=NO_ALARM))


def _to_floor(model: Model) -> Change:
    """An open question is left unanswered."""
    return Change(model.leave_all().enter(AskPin()))


def _pin_again(model: Model) -> Change:
    """The ruling that was begun waits under it."""
    return Change(model.enter(AskPin()))


def _held_down(model: Model, pad: str) -> Model:
    """A keyboard repeats a held key after a pause, and that first repeat is like a second press.

    Only when more of them follow is it known. By then it may have acted for the next player.
    """
    hand, gate = model.state.hand, model.gate
    doubtful = gate.repeats == 2 and 0 < gate.after <= FIRST_REPEAT
    if not doubtful or len(model.modes) > 1 or hand is None or not hand.undoable:
        return model
    name = pad.upper()
    text = f"{name} was held down: check the last entry. Press . to take it back."
    return replace(model, answer=Alarm("warn", text), bells=model.bells + 1)


# Answers


def _answered(model: Model, message: Answered) -> Change:
    answer = message.answer
    model = _with_facts(model, message.facts)
    model = replace(model, story=continued(model.story, answer.records, model.wall))
    change = message.then(model, answer)
    return Change(_with_slip(_ruled(change.model, answer.records), answer), change.effects)


def _recorded(model: Model, records: Sequence[Record]) -> Model:
    model = replace(model, story=continued(model.story, records, model.wall))
    return _ruled(model, records)


def _ruled(model: Model, records: Sequence[Record]) -> Model:
    """What the floor has just ordered is shown before anything else; what is done leaves."""
    for record in records:
        match record.event:
            case RemedyOrdered(steps=steps):
                model = model.leave_all().enter(RemedySteps(steps))
            case HandEnded(by_ruling=True, awards=awards) as ended if awards:
                pushes = AwardedPushes(tuple(awards.items()), ended.fee, ended.jackpot)
                model = replace(model, awarded=pushes)
            case HandStarted():
                model = replace(model, awarded=None)
    if isinstance(model.mode, RemedySteps) and model.mode.steps != model.story.remedy:
        model = model.leave()
    return model


def _with_slip(model: Model, answer: Answer) -> Model:
    """The slip of a shift that has just been closed, before anything else is keyed."""
    events = [record.event for record in answer.records]
    if not any(isinstance(event, ShiftClosed) for event in events):
        return model
    opened = any(isinstance(event, ShiftOpened) for event in events)
    return model.enter(Slips(back=1 if opened else 0))


def _with_facts(model: Model, facts: Facts) -> Model:
    """The table as it stands now. At another step, what was half done is forgotten."""
    before, model = model.facts, replace(model, facts=facts)
    if _step_of(before) != _step_of(facts):
        drawing = model.half.drawing and facts.step.what == "draw"
        model = replace(model, half=HalfDone(drawing=drawing))
    return model


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


def _ring_clock(model: Model) -> Model:
    """One bell when ten seconds are left, two when the time is up."""
    hand = model.state.hand
    clock = None if hand is None else hand.clock
    left = None if clock is None else clock.left(model.wall)
    due = 0 if left is None or left > CLOCK_WARNS else 2 if not left else 1
    rung = due - model.clock_bells
    bells = model.bells + (due if rung > 0 else 0)
    return replace(model, bells=bells, clock_bells=due)


def _ring(model: Model, at: float) -> Model:
    """Two bells for what is newly wrong, and one every five seconds while a fault stands."""
    standing = standing_alarm(model.facts)
    if standing is None:
        return replace(model, rung=Rung("", at))
    alarm = standing.alarm
    if alarm.text != model.rung.what:
        return replace(model, bells=model.bells + 2, rung=Rung(alarm.text, at))
    if alarm.level == "fault" and at - model.rung.at >= RING_AGAIN:
        return replace(model, bells=model.bells + 1, rung=Rung(alarm.text, at))
    return model
