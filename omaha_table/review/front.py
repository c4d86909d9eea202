"""The review screen's behaviour, without a terminal: a list of hands, and one hand step by step.

The pad is a compass: 8 and 2 from hand to hand, 4 and 6 from step to step, 7 and 1 to the ends,
9 and 3 by pages, 5 opens and plays.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.desk.front.pad import pad_key
from omaha_table.desk.front.project import Seen, project
from omaha_table.desk.front.sayings import say
from omaha_table.desk.front.view import Alarm, Key, Prompt
from omaha_table.hand.events import Acted, BoardDealt, HandStarted
from omaha_table.journal.faults import JournalFault
from omaha_table.money import format_dollars
from omaha_table.review.filters import FLAGS, Filter, FilterError, completions, parse_filter
from omaha_table.review.replay import Frame, frames

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from omaha_table.desk.front.view import TableView
    from omaha_table.review.notes import Notes
    from omaha_table.review.projection import Projection

_LETTERS: Final = {
    "space": " ", "colon": ":", "greater_than_sign": ">", "less_than_sign": "<",
    "equals_sign": "=", "comma": ",", "full_stop": ".", "minus": "-", "hyphen": "-",
    "quotation_mark": '"', "underscore": "_", "number_sign": "#", "apostrophe": "'",
    "slash": "/", "plus": "+", "asterisk": "*", "question_mark": "?", "exclamation_mark": "!",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    day: str
    time: str
    pot: str
    winners: str
    note: str


@dataclass(frozen=True, slots=True)
class ListView:
    """The list as it is painted: only the hands that are seen."""

    title: str
    filter: str
    typing: str
    """What is being typed: 'FILTER', 'NOTE', or nothing."""
    said: str
    lines: tuple[Line, ...]
    first: int
    chosen: int
    total: int
    detail: tuple[str, ...]
    keys: tuple[Key, ...]


class ReviewFront:
    def __init__(
        self,
        projection: Projection,
        notes: Notes,
        *,
        verdict: str = "",
        refresh: Callable[[], list[str]] = list,
    ) -> None:
        self._projection, self._notes = projection, notes
        self._verdict, self._refresh = verdict, refresh
        self._filter_text, self._filter = "", parse_filter("")
        self._typing, self._typed = "", ""
        self._at, self._rows = 0, 10
        self._frames: list[Frame] = []
        self._step = 0
        self.said = ""
        self.bells = 0
        self.quit = False
        self.playing = False
        self._total = projection.count(self._filter)

    # Keys

    def press(self, name: str) -> None:
        self.said = ""
        if self._typing:
            self._type(name)
            return
        pad = pad_key(name)
        moves = self._replay_keys() if self._frames else self._list_keys()
        act = moves.get(pad or "")
        if act is None:
            self.bells += 1
            self.said = "That key does nothing here."
            return
        act()

    def _list_keys(self) -> dict[str, Callable[[], None]]:
        return {
            "8": lambda: self._go(-1),
            "2": lambda: self._go(1),
            "9": lambda: self._go(-self._rows),
            "3": lambda: self._go(self._rows),
            "7": lambda: self._go(-self._total),
            "1": lambda: self._go(self._total),
            "5": self._open,
            "6": self._open,
            "enter": self._open,
            "/": lambda: self._begin("FILTER", self._filter_text),
            "+": lambda: self._begin("NOTE", ""),
            "*": self._tag,
            "0": self._all,
            "-": self._anomalies,
            ".": self._leave,
        }

    def _replay_keys(self) -> dict[str, Callable[[], None]]:
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
            "+": lambda: self._begin("NOTE", ""),
            "*": self._tag,
            ".": self._close,
        }

    def _go(self, by: int) -> None:
        self._at = max(0, min(self._at + by, self._total - 1))

    def _leave(self) -> None:
        self.quit = True

    def _begin(self, what: str, text: str) -> None:
        self._typing, self._typed = what, text

    def _type(self, name: str) -> None:
        letter = _LETTERS.get(name, name)
        if name in ("enter", "kp_enter"):
            what, text = self._typing, self._typed.strip()
            if what == "FILTER" and not self._set_filter(text):
                return
            if what == "NOTE" and text:
                self._notes.add(self._key(), note=text)
            self._typing = self._typed = ""
        elif name == "backspace":
            self._typed = self._typed[:-1]
        elif name == "escape":
            self._typing = self._typed = ""
        elif name == "tab" and self._typing == "FILTER":
            offered = completions(self._typed)
            if len(offered) == 1:
                head, space, word = self._typed.rpartition(" ")
                kept = word.rpartition(":")[0]
                whole = f"{kept}:{offered[0]}" if ":" in word else offered[0]
                self._typed = f"{head}{space}{whole}"
            else:
                self.said = "  ".join(offered)
        elif len(letter) == 1 and letter.isprintable() and len(self._typed) < 120:
            self._typed += letter
        elif (digit := pad_key(name)) is not None and digit.isdigit():
            self._typed += digit

    def _set_filter(self, text: str) -> bool:
        try:
            given: Filter = parse_filter(text)
            total = self._projection.count(given)
        except FilterError as error:
            self.bells += 1
            self.said = f"At place {error.at + 1}: {error}"
            return False
        self._filter_text, self._filter, self._total, self._at = text, given, total, 0
        return True

    def _anomalies(self) -> None:
        """The hands that something was unusual in, to be gone through one by one."""
        self._set_filter("flag:" + ",".join(flag for flag in FLAGS if flag != "kill"))

    def _all(self) -> None:
        self._set_filter("")

    def _tag(self) -> None:
        if self._row() is not None:
            self._notes.add(self._key(), tag="look")

    def keep_up(self) -> bool:
        """What a running table has added; whether anything is new."""
        before = self._total
        self._refresh()
        self._total = self._projection.count(self._filter)
        self._at += self._total - before if self._at and not self._frames else 0
        return self._total != before

    # One hand

    def _row(self) -> object:
        found = self._projection.page(self._filter, self._at, 1)
        return found[0] if found else None

    def _key(self) -> str:
        found = self._projection.page(self._filter, self._at, 1)
        return f"{found[0]['table']} {found[0]['day']} {found[0]['number']}" if found else ""

    def _open(self) -> None:
        found = self._projection.page(self._filter, self._at, 1)
        if not found:
            self.said = "There is no hand to open."
            return
        from pathlib import Path

        try:
            self._frames = frames(Path(found[0]["file"]), found[0]["seq"])
        except JournalFault as fault:
            self.bells += 1
            self.said = fault.message
            return
        self._step = 0

    def _close(self) -> None:
        self._frames, self.playing = [], False

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
        before = self._at
        self._go(by)
        if self._at != before:
            self._open()

    def _play(self) -> None:
        self.playing = not self.playing

    def tick(self) -> bool:
        """One step on while playing; whether anything changed."""
        if not self.playing or self._step + 1 >= len(self._frames):
            self.playing = False
            return False
        self._to(self._step + 1)
        return True

    # What is shown

    def view(self, rows: int) -> TableView | ListView:
        self._rows = max(rows, 1)
        return self._replay_view() if self._frames else self._list_view()

    def _list_view(self) -> ListView:
        first = max(0, min(self._at - self._rows // 2, self._total - self._rows))
        page = self._projection.page(self._filter, first, self._rows)
        lines = tuple(
            Line(
                row["number"],
                row["day"],
                time.strftime("%H:%M", time.localtime(row["started_us"] / 1e6)),
                format_dollars(row["pot"]),
                row["winners"],
                " ".join(
                    [*sorted(self._notes.tags(f"{row['table']} {row['day']} {row['number']}")),
                     row["flags"]]
                ).strip(),
            )
            for row in page
        )  # fmt: skip
        chosen = page[self._at - first] if page else None
        detail: list[str] = []
        if chosen is not None:
            detail = [
                f"Hand {chosen['number']}   {chosen['table']}   {chosen['day']}",
                time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(chosen["started_us"] / 1e6)),
                f"{chosen['dealt']} dealt in, {chosen['seconds']:.0f} seconds",
                f"pot {format_dollars(chosen['pot'])}   fee {format_dollars(chosen['fee'])}",
                f"dealer {chosen['dealer'] or '-'}   won by {chosen['winners'] or '-'}",
                f"flags {chosen['flags'] or '-'}",
                *(f"note: {note}" for note in self._notes.of(self._key())),
            ]
        return ListView(
            "REVIEW",
            self._typed if self._typing == "FILTER" else self._filter_text,
            self._typing,
            self.said or (f"NOTE: {self._typed}_" if self._typing == "NOTE" else self._verdict),
            lines,
            first,
            self._at,
            self._total,
            tuple(detail),
            _LIST_KEYS,
        )

    def _replay_view(self) -> TableView:
        frame = self._frames[self._step]
        words = say(frame.event) or type(frame.event).__name__
        at = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(frame.at_us / 1e6))
        note = f"NOTE: {self._typed}_" if self._typing else ""
        prompt = Prompt(
            "READY",
            f"STEP {self._step + 1} OF {len(self._frames)}",
            note or f"{at}   event {frame.seq}   {words}"[:78],
            keys=_REPLAY_KEYS,
        )
        last = {
            f.event.seat: say(f.event).partition(" ")[2].partition(" ")[2]
            for f in self._frames[: self._step + 1]
            if isinstance(f.event, Acted)
        }
        log = tuple(
            f"{time.strftime('%H:%M:%S', time.localtime(f.at_us / 1e6))}  {say(f.event)}"
            for f in reversed(self._frames[: self._step + 1])
            if say(f.event)
        )
        alarm = Alarm("info", self.said) if self.said else Alarm("hint", f"hash {frame.hash[:32]}…")
        seen = Seen("REVIEW", last, log, alarm, 0.0)
        state = frame.state
        if state.hand is None and self._step:
            state = self._frames[self._step - 1].state
        return project(state, None, prompt, seen, frame.at_us / 1e6)


_LIST_KEYS: Final = (
    Key("8 2", "HAND"), Key("9 3", "PAGE"), Key("5", "OPEN", strong=True), Key("/", "FILTER"),
    Key("-", "ODD"), Key("0", "ALL"), Key("*", "TAG"), Key("+", "NOTE"), Key(".", "LEAVE"),
    Key("7 1", "ENDS"),
)  # fmt: skip
_REPLAY_KEYS: Final = (
    Key("4 6", "STEP", strong=True), Key("9 3", "STREET"), Key("8 2", "HAND"), Key("5", "PLAY"),
    Key("7 1", "ENDS"), Key("+", "NOTE"), Key("*", "TAG"), Key(".", "LIST"),
)  # fmt: skip


def notes_beside(folder: Path) -> Path:
    return folder / "review-notes.jsonl"
