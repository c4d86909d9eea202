"""A step of a hand as the dealer's screen showed it, and in words."""

from __future__ import annotations

import textwrap
import time
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.event_text import event_line
from omaha_table.dealer.story import Story, with_record
from omaha_table.dealer.table_view import Alarm, Page, Prompt
from omaha_table.dealer.views import show_table
from omaha_table.hand.events import BoardDealt, HandStarted
from omaha_table.journal.diary import Refusal
from omaha_table.journal.events import Record
from omaha_table.review.index.incidents import NOT_SEALED, waits_for_second
from omaha_table.rules.sources import with_titles
from omaha_table.table.events import Ruled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omaha_table.dealer.table_view import TableView
    from omaha_table.review.index.replay import Frame

_WIDEST: Final = 42


def table_at(frames: Sequence[Frame], step: int, table: str) -> TableView:
    """The table after a step, with what happened in the next-step band."""
    frame = frames[step]
    at = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(frame.at_us / 1e6))
    prompt = Prompt(
        "READY",
        f"STEP {step + 1} OF {len(frames)}",
        f"{at}   {place(frame)}   {words(frame)}"[:78],
        page=_page(frame),
    )
    so_far = frames[: step + 1]
    state = frame.state
    if state.hand is None and step:
        state = frames[step - 1].state
    return show_table(
        state, _story(so_far), prompt, _alarm(frame), title=table.upper(), wall=frame.at_us / 1e6
    )


def place(frame: Frame) -> str:
    after = "after " if isinstance(frame.event, Refusal) else ""
    return f"{after}event {frame.seq}"


def words(frame: Frame) -> str:
    event = frame.event
    if not isinstance(event, Refusal):
        return event_line(event) or type(event).__name__
    if waits_for_second(event):
        return "● A ruling waits for a second supervisor."
    return f"▲ REFUSED {event.message} ({NOT_SEALED})"


def streets(frames: Sequence[Frame]) -> list[int]:
    """The steps at which cards came, the first and the last."""
    starts = [
        at for at, frame in enumerate(frames) if isinstance(frame.event, BoardDealt | HandStarted)
    ]
    return [*starts, len(frames) - 1]


def _story(so_far: Sequence[Frame]) -> Story:
    story = Story(())
    for frame in so_far:
        if not isinstance(frame.event, Refusal):
            story = with_record(story, Record(frame.seq, None, frame.event))
    return story


def _alarm(frame: Frame) -> Alarm:
    event = frame.event
    if isinstance(event, Refusal):
        return Alarm("info" if waits_for_second(event) else "refused", event.message)
    return Alarm("hint", f"hash {frame.hash[:32]}…")


def _page(frame: Frame) -> Page | None:
    """What does not fit on a line: why something was refused, what was ruled."""
    match frame.event:
        case Refusal() as refusal if not waits_for_second(refusal):
            said = (
                refusal.message, f"Rule: {refusal.rule}", f"From: {with_titles(refusal.source)}",
            )  # fmt: skip
            return Page(f"REFUSED   {NOT_SEALED}", _wrapped(said))
        case Ruled() as ruled:
            by = f"By {' and '.join(ruled.by)}: {ruled.reason}"
            return Page(f"FLOOR: {ruled.ruling.replace('_', ' ')}", _wrapped((ruled.effect, by)))
    return None


def _wrapped(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(line for text in texts if text for line in textwrap.wrap(text, _WIDEST))[:9]
