"""How the last similar rulings were given: a few lines under the reasons, and a page of them.

Players ask for nothing as often as for the same ruling as last time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import leave
from omaha_table.dealer.model import Mode
from omaha_table.dealer.modes.draft import ROWS, WIDE

if TYPE_CHECKING:
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.modes.draft import Draft
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.journal.similar_rulings import PastRuling, SimilarRulings

KEY: Final = "*"
MOST: Final = 4
"""Lines under the reasons."""
_HEADING: Final = "Given before, the most similar first:"
_CHOICE: Final = 34
"""Letters of a line for what was chosen; the reason needs the rest."""


@dataclass(frozen=True, slots=True)
class SimilarPage(Mode):
    """All that was found, with who gave it."""

    draft: Draft
    found: SimilarRulings

    def show(self, model: Model, strip: Strip) -> Prompt:
        strip.add("ENTER", "GO ON", leave, strong=True)
        strip.add(".", "BACK", leave)
        strip.pin_again()
        missing = _left_out(self.found)
        lines = [
            _line(self.draft, ruling, by=True) for ruling in self.found.rulings[: ROWS - 2]
        ] or ["Not given before in a log that is sound."]
        page = self.draft.page([*lines, *missing])
        return strip.prompt("FLOOR", "GIVEN BEFORE", "From the logs of this table.", page=page)


def similar_lines(draft: Draft, found: SimilarRulings | None, room: int) -> list[str]:
    """As much as fits into so many lines; nothing found takes one."""
    if found is None:
        return ["Looking for similar rulings in the logs …"][:room]
    short = _left_out(found)
    if not found.rulings:
        return (short or ["Not given before at this table."])[:room]
    least = [_line(draft, ruling) for ruling in found.rulings]
    if room < 2:
        return least[:room]
    return [_HEADING, *least[: room - 1 - len(short)], *short][:room]


def _line(draft: Draft, past: PastRuling, *, by: bool = False) -> str:
    """'2026-11-14  #118   Seat 4, raise   acted out of turn'."""
    hand = "" if past.hand is None else f"#{past.hand}"
    chosen = _whole(draft.ruling.told(past.words))
    who = f"   {'+'.join(past.by)}" if by else ""
    parts = (chosen, past.reason) if chosen else (past.reason,)
    line = f"{past.day:<11} {hand:<6} {'   '.join(parts)}"
    room = WIDE - len(who)
    return (line if len(line) <= room else f"{line[: room - 1]}…") + who


def _whole(words: tuple[str, ...]) -> str:
    """What was chosen, as many words as there is room for; an amount is not torn."""
    said = list[str]()
    for word in words:
        if len(", ".join([*said, word])) > _CHOICE:
            return f"{', '.join(said)} …"
        said.append(word)
    return ", ".join(said)


def _left_out(found: SimilarRulings) -> list[str]:
    """One line that names the latest day whose log cannot be trusted, and how many more."""
    if not found.left_out:
        return []
    first, more = found.left_out[0], len(found.left_out) - 1
    which = f"{first} and {more} more" if more else first
    return [f"Left out, because the log is not sound: {which}. Run 'verify'."]
