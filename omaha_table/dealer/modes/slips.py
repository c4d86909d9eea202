"""Shift slips: of the shift that is open, and of the last ones that were closed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.alarms import device_alarms
from omaha_table.dealer.change import Change, leave, leave_all
from omaha_table.dealer.device_text import meters_text
from omaha_table.dealer.event_text import chips, drop
from omaha_table.dealer.model import Mode
from omaha_table.dealer.modes.pages import LINE, PAGE_LINES
from omaha_table.dealer.table_view import Page
from omaha_table.hand.frozen import replace
from omaha_table.table.decisions import shift_closed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.table.device_records import Meters
    from omaha_table.table.events import ShiftClosed
    from omaha_table.table.state import OfHand

_LABEL: Final = 14
_TIE: Final = "\u00a0"
"""Keeps an amount and its hand on one line."""


@dataclass(frozen=True, slots=True)
class Slips(Mode):
    """One slip at a time: what must be in each box, and the words that anchor the log."""

    back: int = 0
    """How many slips before the latest one."""
    at: int = 0

    def show(self, model: Model, strip: Strip) -> Prompt:
        slips = slip_pages(model)
        page = slips[min(self.back, len(slips) - 1)]
        count = max(-(-len(page.lines) // PAGE_LINES), 1)
        strip.add("ENTER", "BACK TO THE TABLE", leave_all, strong=True)
        if self.at + 1 < count:
            strip.add("+", "NEXT PAGE", lambda now: _show(now, replace(self, at=self.at + 1)))
        if self.at:
            strip.add("-", "PREVIOUS PAGE", lambda now: _show(now, replace(self, at=self.at - 1)))
        if self.back + 1 < len(slips):
            strip.add("*", "SLIP BEFORE THIS", lambda now: _show(now, Slips(self.back + 1)))
        if self.back:
            strip.add("/", "SLIP AFTER THIS", lambda now: _show(now, Slips(self.back - 1)))
        strip.add(".", "BACK", leave)
        if not self.back:
            strip.floor()
        first = self.at * PAGE_LINES
        more = f"   {self.at + 1} of {count}" if count > 1 else ""
        shown = Page(page.title + more, page.lines[first : first + PAGE_LINES])
        detail = "Copy it on the slip that goes with the boxes. Nothing is changed."
        return strip.prompt("READY", "SHIFT SLIP", detail, page=shown)


def _show(model: Model, mode: Slips) -> Change:
    return Change(model.become(mode))


def slip_pages(model: Model) -> tuple[Page, ...]:
    """The slip so far, where a shift is open, then those of the last shifts; never none."""
    facts, state = model.facts, model.state
    pages = [
        Page(
            f"SLIP OF THE {slip.closed.shift.upper()} SHIFT",
            tuple(_lines(model, slip.closed, slip.words)),
        )
        for slip in facts.slips
    ]
    so_far = shift_closed(state)
    if so_far is not None:
        lines = tuple(_lines(model, so_far, facts.head_words))
        return Page(f"SLIP SO FAR: {so_far.shift.upper()} SHIFT", lines), *pages
    if not pages:
        dropped = drop(state.box.fees, state.box.jackpots)
        nothing = "No shift has been open at this table."
        lines = (
            *_head(model),
            nothing,
            f"Drop without a box: {dropped}",
            *_words(facts.head_words),
        )
        return (Page("SHIFT SLIP", lines),)
    return tuple(pages)


def _lines(model: Model, closed: ShiftClosed, words: str) -> Iterator[str]:
    tally = closed.tally
    yield from _head(model)
    opened = 0 if tally is None else tally.opened
    ends = (_when(opened), _when(closed.at) or "still open")
    yield f"{closed.shift.capitalize()} shift" + (f", {' to '.join(ends)}" if all(ends) else "")
    if tally is None:
        yield f"{'Hands':<{_LABEL}}not counted by the version that opened the shift"
    else:
        called_off = f", {tally.called_off} called off" if tally.called_off else ""
        yield f"{'Hands':<{_LABEL}}{tally.hands}{called_off}"
    yield f"{'Box ' + closed.box:<{_LABEL}}{_due(closed)}"
    if closed.jackpot_box not in ("", "none") or closed.jackpots:
        yield f"{'Jackpot ' + closed.jackpot_box:<{_LABEL}}{chips(closed.jackpots)}"
    # Before what may go on for pages: the first one is all that is copied on most nights.
    yield from _words(words)
    if tally is not None:
        latest = [slip.closed for slip in model.facts.slips[:1]]
        now = not closed.at or closed in latest
        yield from _of_devices(tally.devices, _due_for_service(model) if now else frozenset())
        yield from _of_hands("Given back", tally.returned)
        yield from _of_hands("Waived", [one for one in tally.waived if one.by_floor])
        yield from _of_hands("Not taken", [one for one in tally.waived if not one.by_floor])


def _head(model: Model) -> Iterator[str]:
    # `setup` proposes the title "Table 7", which needs no word before it.
    named = model.title.lower().startswith("table")
    yield ", ".join(filter(None, [model.room, model.title if named else f"table {model.title}"]))


def _words(words: str) -> Iterator[str]:
    if words:
        yield f"{'Log':<{_LABEL}}{words}"


def _due(closed: ShiftClosed) -> str:
    back = 0 if closed.tally is None else sum(one.amount for one in closed.tally.returned)
    if not back:
        return chips(closed.fees)
    return f"{chips(closed.fees)}   ({chips(closed.fees + back)} taken, {chips(back)} given back)"


def _of_hands(label: str, hands: Sequence[OfHand]) -> Iterator[str]:
    """Each of them, with its hand."""
    if not hands:
        return
    each = (f"{chips(one.amount)} of hand {one.number}".replace(" ", _TIE) for one in hands)
    lines = wrap(", ".join(each), LINE - _LABEL)
    yield from (
        f"{'' if number else label:<{_LABEL}}{line.replace(_TIE, ' ')}"
        for number, line in enumerate(lines)
    )


def _due_for_service(model: Model) -> frozenset[str]:
    return frozenset(
        device.name
        for device in model.facts.devices
        for alarm in device_alarms(model.facts, device)
        if alarm.cause == "service_due"
    )


def _of_devices(counted: dict[str, Meters], due: frozenset[str]) -> Iterator[str]:
    """What each device counted during the shift, and whether its service is due."""
    for name in sorted({*counted, *due}):
        words = meters_text(counted[name]) if name in counted else ""
        text = ", ".join(filter(None, (words, "SERVICE DUE" if name in due else "")))
        first, *rest = wrap(text, LINE - _LABEL)
        yield f"{name.capitalize():<{_LABEL}}{first}"
        yield from (f"{'':<{_LABEL}}{line}" for line in rest)


def _when(at: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at)) if at else ""
