"""The marks of a practice, and the page that shows them. The banner follows the marks."""

from __future__ import annotations

from dataclasses import dataclass, field
from textwrap import wrap
from typing import TYPE_CHECKING, Final, NamedTuple

from omaha_table.dealer.change import Change, become, leave
from omaha_table.dealer.model import Mode
from omaha_table.dealer.table_view import Page
from omaha_table.hand.frozen import replace

if TYPE_CHECKING:
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt

GOOD_PACE: Final = 35.0
"""Hands an hour at a full table with a practiced dealer."""


class Band(NamedTuple):
    """What the banner says from so many marks on."""

    least: int
    title: str


BANDS: Final = (
    Band(90, "WELL DEALT"),
    Band(70, "NEARLY THERE"),
    Band(50, "KEEP AT IT"),
    Band(0, "NOT YET"),
)
FAILED_MOST: Final = 49
"""The most marks with a situation that was not handled: less than any good banner."""
FOR_PACE: Final = 30
FOR_WRONG_ENTRY: Final = 10
FOR_WRONG_READING: Final = 10
FOR_REFUSAL: Final = 3
FOR_UNDO: Final = 2


class Loss(NamedTuple):
    """Marks that were lost, and why."""

    marks: int
    why: str


@dataclass
class Score:
    """What a dealer did; the figures of the result."""

    hands: int = 0
    seconds: float = 0.0
    """Of dealing; the time of reading before the console does is not counted."""
    keys: int = 0
    actions: int = 0
    refusals: int = 0
    undos: int = 0
    wrong: dict[int, str] = field(default_factory=dict)
    """What was keyed differently from what happened, and stands, by the event's number."""
    read: int = 0
    """Showdowns and questions about a raise."""
    misread: list[str] = field(default_factory=list)
    situation: str = ""
    """Its name; empty: there was none."""
    failed: str = ""
    """Why the situation was not handled; empty: it was."""

    @property
    def hands_an_hour(self) -> float:
        return 3600 * self.hands / self.seconds if self.seconds else 0.0

    @property
    def losses(self) -> list[Loss]:
        """Where marks were lost, the most first."""
        slow = 1 - min(self.hands_an_hour / GOOD_PACE, 1.0)
        lost = [
            *(Loss(FOR_WRONG_ENTRY, text) for text in self.wrong.values()),
            *(Loss(FOR_WRONG_READING, text) for text in self.misread),
            Loss(FOR_REFUSAL * self.refusals, _count(self.refusals, "refused key")),
            Loss(FOR_UNDO * self.undos, _count(self.undos, "entry", "entries") + " taken back"),
        ]
        # A situation takes the time that it takes: only plain dealing is timed.
        if not self.situation:
            pace = f"{self.hands_an_hour:.0f} hands an hour; {GOOD_PACE:.0f} is a good pace"
            lost.append(Loss(round(FOR_PACE * slow), pace))
        return sorted((loss for loss in lost if loss.marks), key=lambda loss: -loss.marks)

    @property
    def marks(self) -> int | None:
        """Out of 100; None: no hand was finished."""
        if not self.hands:
            return None
        marks = max(100 - sum(loss.marks for loss in self.losses), 0)
        return min(marks, FAILED_MOST) if self.failed else marks

    @property
    def banner(self) -> str:
        marks = self.marks
        if marks is None:
            return "NO HAND FINISHED"
        return next(band.title for band in BANDS if marks >= band.least)

    def lines(self) -> list[str]:
        """The result: the marks, the situation, then why marks were lost, by weight."""
        marks = self.marks
        shown = ["No hand was finished: no marks." if marks is None else f"Marks: {marks} of 100"]
        if self.situation:
            name = self.situation.capitalize()
            most = "" if marks is None else f"  (at most {FAILED_MOST} marks)"
            shown.append(f"{name}: FAILED. {self.failed}{most}" if self.failed else f"{name}: done")
        if marks is not None:
            shown += [f"{-loss.marks:>4}  {loss.why}" for loss in self.losses]
            each = self.seconds / self.hands
            shown.append(
                f"{_count(self.hands, 'hand')} in {self.seconds / 60:.1f} minutes: "
                f"{self.hands_an_hour:.0f} an hour, {each:.0f} seconds each"
            )
        acted = _count(self.actions, "player's action", "players' actions")
        shown.append(f"{acted}, {_count(self.read, 'reading')}, {_count(self.keys, 'key')}")
        return shown


def _count(number: int, noun: str, nouns: str = "") -> str:
    return f"1 {noun}" if number == 1 else f"{number} {nouns or f'{noun}s'}"


_LINE: Final = 66
_PAGE_LINES: Final = 9


@dataclass(frozen=True, slots=True)
class Result(Mode):
    """The marks, which the key that is being hammered does not turn away."""

    banner: str
    lines: tuple[str, ...]
    at: int = 0

    @staticmethod
    def of(score: Score) -> Result:
        wrapped = (wrap(line, _LINE, subsequent_indent=" " * 6) for line in score.lines())
        return Result(score.banner, tuple(line for lines in wrapped for line in lines))

    def show(self, model: Model, strip: Strip) -> Prompt:
        count = max(-(-len(self.lines) // _PAGE_LINES), 1)
        strip.add("+", "END THE PRACTICE", _end, strong=True)
        if count > 1:
            strip.add("*", "NEXT PAGE", become(replace(self, at=(self.at + 1) % count)))
        strip.add(".", "DEAL ON", leave)
        first = self.at * _PAGE_LINES
        title = "RESULT" if count == 1 else f"RESULT   {self.at + 1} of {count}"
        page = Page(title, self.lines[first : first + _PAGE_LINES])
        return strip.prompt("READY", self.banner, "The result of these hands.", page=page)


def _end(model: Model) -> Change:
    return Change(replace(model, quit=True))
