"""One hand step by step, with the table as it stood: 4 and 6 by steps, 9 and 3 by streets."""

from __future__ import annotations

import textwrap
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from omaha_table.dealer.event_text import event_line
from omaha_table.dealer.story import Story, with_record
from omaha_table.dealer.table_view import Alarm, Key, Page, Prompt
from omaha_table.dealer.views import show_table
from omaha_table.hand.events import BoardDealt, HandStarted
from omaha_table.journal.diary import Refusal
from omaha_table.journal.events import Record
from omaha_table.journal.faults import JournalFault
from omaha_table.review.asking import Note
from omaha_table.review.incidents import NOT_SEALED
from omaha_table.review.replay import Frame, frames
from omaha_table.rules.sources import with_titles
from omaha_table.table.events import Ruled

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from omaha_table.dealer.table_view import TableView
    from omaha_table.review.asking import Asking
    from omaha_table.review.front import ReviewFront

_KEYS: Final = (
    Key("4 6", "STEP", strong=True), Key("9 3", "STREET"), Key("7 1", "ENDS"), Key("5", "PLAY"),
    Key("8 2", "NEXT ONE"), Key("+", "NOTE"), Key("*", "TAG"), Key(".", "BACK"),
)  # fmt: skip
_ASKING: Final = (
    Key("1-9", "PICK"), Key("A-Z", "TYPE"), Key("ENTER", "DONE"), Key(".", "LEAVE"),
)  # fmt: skip
_WIDEST: Final = 42


@dataclass(frozen=True, slots=True)
class Target:
    """A hand of the projection, and where in it to begin."""

    hand: sqlite3.Row
    seq: int = 0
    jot: int = 0


class Neighbors(Protocol):
    """Where a hand was opened from, and so which one is next."""

    def neighbor(self, by: int) -> Target | None: ...


class StepThrough:
    def __init__(self, front: ReviewFront, origin: Neighbors, target: Target) -> None:
        """Raises JournalFault."""
        self._front, self._origin = front, origin
        self._playing = False
        self._show(target)

    @staticmethod
    def open(front: ReviewFront, origin: Neighbors, target: Target) -> None:
        try:
            front.enter(StepThrough(front, origin, target))
        except JournalFault as fault:
            front.refuse(fault.message)

    def _show(self, target: Target) -> None:
        made = frames(Path(target.hand["file"]), target.hand["seq"])
        if not made:
            raise JournalFault("The hand is not there any more.")
        self._hand, self._frames = target.hand, made
        self._step = next(
            (at for at, frame in enumerate(made) if _is(frame, target)), 0
        )  # fmt: skip

    def keys(self) -> dict[str, Callable[[], None]]:
        return {
            "4": lambda: self._to(self._step - 1),
            "6": lambda: self._to(self._step + 1),
            "7": lambda: self._to(0),
            "1": lambda: self._to(len(self._frames)),
            "9": lambda: self._street(-1),
            "3": lambda: self._street(1),
            "8": lambda: self._other(-1),
            "2": lambda: self._other(1),
            "5": self._play,
            "+": lambda: setattr(self._front, "asking", Note(self._front, self._key)),
            "*": lambda: self._tag(),
            ".": self._front.leave,
        }

    @property
    def _key(self) -> str:
        return self._front.key_of(self._hand)

    def _tag(self) -> None:
        if self._front.note(self._key, tag="look"):
            tagged = "look" in self._front.notes.tags(self._key)
            self._front.said = "Tagged: look." if tagged else "The tag is off."

    def _to(self, step: int) -> None:
        self._step = max(0, min(step, len(self._frames) - 1))

    def _street(self, way: int) -> None:
        """To the cards before or after; from the last street to the end."""
        stops = [
            at
            for at, frame in enumerate(self._frames)
            if isinstance(frame.event, BoardDealt | HandStarted)
        ] + [len(self._frames) - 1]
        ahead = [at for at in stops if at > self._step]
        behind = [at for at in stops if at < self._step]
        self._to(
            ahead[0] if way > 0 and ahead else behind[-1] if way < 0 and behind else self._step
        )

    def _other(self, by: int) -> None:
        target = self._origin.neighbor(by)
        if target is None:
            self._front.refuse("No more hands in that direction.")
            return
        try:
            self._show(target)
        except JournalFault as fault:
            self._front.refuse(fault.message)

    def _play(self) -> None:
        self._playing = not self._playing

    def refreshed(self) -> None:
        pass

    def remember(self) -> None:
        pass

    def tick(self) -> bool:
        if not self._playing or self._step + 1 >= len(self._frames):
            self._playing = False
            return False
        self._to(self._step + 1)
        return True

    # What is shown

    def view(self, rows: int) -> TableView:
        front, frame = self._front, self._frames[self._step]
        at = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(frame.at_us / 1e6))
        place = f"after event {frame.seq}" if _refused(frame) else f"event {frame.seq}"
        asking = front.asking
        prompt = Prompt(
            "READY",
            f"STEP {self._step + 1} OF {len(self._frames)}",
            asking.shown if asking is not None else f"{at}   {place}   {_words(frame)}"[:78],
            keys=_KEYS if asking is None else _ASKING,
            page=_page(frame) if asking is None else _offered(asking),
        )
        so_far = self._frames[: self._step + 1]
        log = tuple(
            f"{time.strftime('%H:%M:%S', time.localtime(f.at_us / 1e6))}  {_words(f)}"
            for f in reversed(so_far)
            if _words(f)
        )
        state = frame.state
        if state.hand is None and self._step:
            state = self._frames[self._step - 1].state
        return show_table(
            state,
            _story(so_far, log),
            prompt,
            self._alarm(frame),
            title=self._hand["table"].upper(),
            wall=frame.at_us / 1e6,
        )

    def _alarm(self, frame: Frame) -> Alarm:
        if self._front.said:
            return Alarm("info", self._front.said)
        if isinstance(frame.event, Refusal):
            return Alarm("refused", frame.event.message)
        notes = self._front.notes.of(self._key)
        return Alarm("hint", f"note: {notes[-1]}" if notes else f"hash {frame.hash[:32]}…")


def _story(so_far: list[Frame], log: tuple[str, ...]) -> Story:
    story = Story(log)
    for frame in so_far:
        if not isinstance(frame.event, Refusal):
            story = with_record(story, Record(frame.seq, None, frame.event))
    return story


def _is(frame: Frame, target: Target) -> bool:
    if target.jot:
        return isinstance(frame.event, Refusal) and frame.event.id == target.jot
    return frame.seq == target.seq


def _refused(frame: Frame) -> bool:
    return isinstance(frame.event, Refusal)


def _words(frame: Frame) -> str:
    event = frame.event
    if isinstance(event, Refusal):
        return f"▲ REFUSED {event.message} ({NOT_SEALED})"
    return event_line(event) or type(event).__name__


def _page(frame: Frame) -> Page | None:
    """What does not fit on a line: why something was refused, what was ruled."""
    match frame.event:
        case Refusal() as refusal:
            source = with_titles(refusal.source)
            said = (refusal.message, f"Rule: {refusal.rule}", f"From: {source}")
            return Page(f"REFUSED   {NOT_SEALED}", _wrapped(said))
        case Ruled() as ruled:
            by = f"By {' and '.join(ruled.by)}: {ruled.reason}"
            return Page(f"FLOOR: {ruled.ruling.replace('_', ' ')}", _wrapped((ruled.effect, by)))
    return None


def _offered(asking: Asking) -> Page:
    """What can be picked, line by line."""
    lines = [f"{key.cap}  {key.label}" for key in asking.offers() if key.cap.isdigit()]
    return Page(asking.title, tuple(lines))


def _wrapped(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(line for text in texts if text for line in textwrap.wrap(text, _WIDEST))[:9]
