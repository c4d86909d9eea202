"""The end of a ruling: what it will do, why, a second person where two must agree, and done."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import Change, LookUpPin, Rule, enter, leave
from omaha_table.dealer.model import Mode
from omaha_table.dealer.modes.draft import ROWS, WIDE, chip_lines, effect_lines
from omaha_table.dealer.modes.lists import line_keys, no_such_line
from omaha_table.dealer.modes.pin_entry import PinEntry
from omaha_table.dealer.modes.similar import KEY as SIMILAR_KEY
from omaha_table.dealer.modes.similar import MOST as MOST_SIMILAR
from omaha_table.dealer.modes.similar import SimilarPage, similar_lines
from omaha_table.floor.outcome import moved
from omaha_table.hand import Refused
from omaha_table.hand.frozen import replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.dealer.model import Model
    from omaha_table.dealer.modes.draft import Draft
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.floor import Identity
    from omaha_table.journal.similar_rulings import SimilarRulings
    from omaha_table.session.answer import Answer
    from omaha_table.table import TableState

_ANSWER: Final = 74
"""Letters in the line that says what a ruling did."""
_SIGNS: Final = {
    "space": " ",
    "apostrophe": "'",
    "comma": ",",
    "full_stop": ".",
    "minus": "-",
}


def commit(model: Model, draft: Draft) -> Change:
    """Gives the ruling, or asks for the second person it needs."""
    try:
        persons = draft.effect(model.state).persons
    except Refused as refusal:
        return Change(model.refuse(refusal.message))
    if persons > len(draft.by):
        return Change(model.enter(AskSecond(draft)))
    return _give(model, draft)


def _give(model: Model, draft: Draft) -> Change:
    before = model.state
    return Change(
        model, (Rule(draft.give, lambda now, answer: _given(now, draft, before, answer)),)
    )


def _given(model: Model, draft: Draft, before: TableState, answer: Answer) -> Change:
    """What was done stays in the alarm line until the next key; a refusal changes nothing."""
    refusal = answer.refusal
    if refusal is not None:
        model = model.leave_all() if refusal.code == "locked" else model
        return Change(model.refuse(refusal.message))
    return Change(model.leave_all().inform(_done(draft, before, model.state)))


def _done(draft: Draft, before: TableState, now: TableState) -> str:
    title = f"{draft.ruling.title}: done."
    changed = chip_lines(moved(before, now), _ANSWER - len(title) - 2)
    if changed:
        return f"{title}  {changed[0]}"
    so_far = draft.so_far
    return f"{title}  {so_far}" if len(title) + len(so_far) < _ANSWER else title


def _shown(model: Model, draft: Draft) -> list[str]:
    """What the ruling does, or why it is not possible any more."""
    try:
        return effect_lines(model.state, draft)
    except Refused as refusal:
        return wrap(refusal.message, WIDE)


@dataclass(frozen=True, slots=True)
class AskReason(Mode):
    """What it will do; then a reason by number, or in words, and ENTER."""

    draft: Draft
    chosen: int | None = None
    """Of the reasons that the ruling is likely to be given for."""
    words: str = ""
    """A reason that is typed on a keyboard."""
    similar: SimilarRulings | None = None
    """How the ruling was given before; None: the logs are being read."""

    @property
    def reason(self) -> str:
        if self.words:
            return self.words.strip()
        return "" if self.chosen is None else self.draft.ruling.reasons[self.chosen]

    def show(self, model: Model, strip: Strip) -> Prompt:
        reasons = self.draft.ruling.reasons
        if self.reason:
            sure = bool(self.draft.ruling.sure)
            strip.add("ENTER", "GO ON" if sure else "GIVE THE RULING", self._commit, strong=True)
        else:
            strip.when_pressed("ENTER", "Choose the reason first: type its number.")
        strip.digits("REASON", self._choose, cap=line_keys(len(reasons)))
        if self.similar is not None and (self.similar.rulings or self.similar.left_out):
            strip.add(SIMILAR_KEY, "GIVEN BEFORE", enter(SimilarPage(self.draft, self.similar)))
        strip.add(".", "BACK", leave)
        strip.pin_again()
        lines = [*_shown(model, self.draft), *self._reasons()]
        room = ROWS - len(lines)
        similar = similar_lines(self.draft, self.similar, min(room, MOST_SIMILAR))
        # A line is left empty above them where there is one to spare.
        page = self.draft.page([*lines, *[""] * (room > len(similar)), *similar])
        detail = self.reason or "Number of the reason, or type it.  Then ENTER."
        number = "" if self.chosen is None or self.words else str(self.chosen + 1)
        return strip.prompt("FLOOR", "REASON?", detail, number, "REASON" if number else "", page)

    def _reasons(self) -> list[str]:
        """In two columns, the one that is chosen marked."""
        if self.words:
            return [f"► {self.words}_"]
        numbered = [
            f"{'►' if at == self.chosen else ' '} {at + 1}  {text}"
            for at, text in enumerate(self.draft.ruling.reasons)
        ]
        half = -(-len(numbered) // 2)
        pairs = zip_longest(numbered[:half], numbered[half:], fillvalue="")
        return [f"{left:<38}{right}".rstrip() for left, right in pairs]

    def _choose(self, model: Model, digit: str) -> Change:
        count = len(self.draft.ruling.reasons)
        if not 1 <= int(digit) <= count:
            return Change(model.refuse(no_such_line(count)))
        if int(digit) - 1 == self.chosen and not self.words:
            return Change(model.refuse("That reason is chosen. ENTER goes on."))
        return Change(model.become(replace(self, chosen=int(digit) - 1, words="")))

    def text(self, model: Model, name: str) -> Change | None:
        """A keyboard's letters, where somebody wants to say it in words.

        Once a word has begun, digits and signs belong to it.
        """
        letter = _SIGNS.get(name, name)
        begun = bool(self.words)
        if name == "backspace" and begun:
            words = self.words[:-1]
        elif re.fullmatch(r"[A-Za-z]" if not begun else r"[A-Za-z0-9 ,.'-]", letter):
            words = (self.words + letter)[:60]
        else:
            return None
        return Change(model.become(replace(self, words=words)))

    def _commit(self, model: Model) -> Change:
        if len(self.reason) < 3:
            return Change(model.refuse("A reason needs at least three letters."))
        draft = replace(self.draft, reason=self.reason)
        if draft.ruling.sure:
            return Change(model.enter(AskSure(draft)))
        return commit(model, draft)


def similar_found(draft: Draft) -> Callable[[Model, SimilarRulings], Change]:
    """Shows it where the reason is asked for, unless the floor has gone on or back."""

    def found(model: Model, similar: SimilarRulings) -> Change:
        modes = tuple(
            replace(mode, similar=similar)
            if isinstance(mode, AskReason) and mode.draft == draft
            else mode
            for mode in model.modes
        )
        return Change(replace(model, modes=modes))

    return found


@dataclass(frozen=True, slots=True)
class AskSure(Mode):
    """Once more, with a key that no step before it uses: this ends a hand or the day."""

    draft: Draft

    def show(self, model: Model, strip: Strip) -> Prompt:
        title = self.draft.ruling.sure
        strip.add("+", f"YES, {self.draft.ruling.title.upper()}", self._confirm, strong=True)
        strip.add("ENTER", "NO, GO BACK", leave)
        strip.add(".", "BACK", leave)
        strip.pin_again()
        lines = [*_shown(model, self.draft), "", f"Reason: {self.draft.reason}"]
        return strip.prompt("SURE", title, self.draft.reason, page=self.draft.page(lines))

    def _confirm(self, model: Model) -> Change:
        return commit(model, self.draft)


@dataclass(frozen=True, slots=True)
class AskSecond(Mode):
    """The PIN of a second supervisor, under the ruling that both must agree to."""

    draft: Draft
    entry: PinEntry = field(default_factory=PinEntry)
    checking: bool = False

    def show(self, model: Model, strip: Strip) -> Prompt:
        lines = [*_shown(model, self.draft), f"Reason: {self.draft.reason}", ""]
        if self.checking:
            lines += ["Checking the PIN …"]
            page = self.draft.page(lines)
            return strip.prompt("FLOOR", "CHECKING PIN", "One moment.", page=page)
        entry = self.entry
        entry.keys(strip, self._typed, "I AGREE", self._accept)
        if not entry.pin:
            strip.when_pressed("ENTER", "A second supervisor types the PIN first.")
        if not entry.begun:
            strip.add(".", "BACK", leave)
        lines += entry.lines("A second supervisor must agree: type the other PIN, then ENTER.")
        page = replace(self.draft.page(lines), dots=len(entry.pin))
        return strip.prompt("FLOOR", "SECOND PIN", entry.detail, page=page)

    def _typed(self, model: Model, entry: PinEntry) -> Change:
        return Change(model.become(AskSecond(self.draft, entry)))

    def _accept(self, model: Model) -> Change:
        waiting = model.become(AskSecond(self.draft, checking=True))
        return Change(waiting, (LookUpPin(self.entry.pin, self._looked_up, self.entry.number),))

    def _looked_up(self, model: Model, who: Identity) -> Change:
        both = replace(self.draft, by=(*self.draft.by[:1], who))
        return _give(model.become(AskSecond(self.draft, PinEntry(self.entry.number))), both)
