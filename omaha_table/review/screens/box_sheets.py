"""One drop box as lines: its fees in every cut, its counts, and what could explain a variance."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from omaha_table.money import format_dollars
from omaha_table.review.index.drop import Drop, over_or_short, reconcile, total
from omaha_table.review.reports.count_text import (
    corrected,
    counted_by,
    due_since,
    review_words,
    steps,
)
from omaha_table.review.screens.hand_text import clock, noted
from omaha_table.review.screens.recording import count_key
from omaha_table.review.screens.virtual_list import Column, Line
from omaha_table.text import visible

if TYPE_CHECKING:
    from omaha_table.review.index.drop import Suspect
    from omaha_table.review.index.projection import BoxKey, Taken
    from omaha_table.review.screens.desk import Desk

SHEETS: Final = ("Brackets", "Downs", "Dealers", "Hands", "Explain", "Counts")
_MONEY: Final = (
    Column("HANDS", 6, right=True), Column("FEES", 10, right=True),
    Column("JACKPOT", 10, right=True), Column("SECONDS A HAND", 0),
)  # fmt: skip
COLUMNS: Final = {
    "Brackets": (
        Column("HANDS DEALT", 12, right=True), Column("FEE", 8, right=True),
        Column("HANDS", 8, right=True), Column("SUM", 10, right=True), Column("", 0),
    ),
    "Downs": (Column("DEALER", 10), Column("FROM", 9), Column("TO", 9), *_MONEY),
    "Dealers": (Column("DEALER", 10), *_MONEY),
    "Hands": (
        Column("HAND", 7, right=True), Column("TIME", 9), Column("DEALT", 6, right=True),
        Column("POT", 9, right=True), Column("FEE", 7, right=True),
        Column("JACKPOT", 8, right=True), Column("WHAT", 0),
    ),
    "Explain": (
        Column("HAND", 7, right=True), Column("TIME", 9), Column("FEE", 7, right=True),
        Column("WHY", 0),
    ),
    "Counts": (
        Column("WHEN", 16), Column("WHAT", 9), Column("FEES", 9, right=True),
        Column("JACKPOT", 9, right=True), Column("BY", 0),
    ),
}  # fmt: skip


class BoxSheets:
    """What there is to say of one box, as it stands now."""

    def __init__(self, desk: Desk, key: BoxKey) -> None:
        self._ledger, self._key = desk.ledger, key
        self.hands = desk.projection.in_box(key)
        self.drop = total(self.hands)
        self._story = steps(self._ledger, count_key(key))
        count = self._ledger.count_of(count_key(key))
        self.counted = None if count is None else count.event.counted
        self.suspects: tuple[Suspect, ...] = (
            () if self.counted is None else reconcile(self.hands, self.counted).suspects
        )

    def hand_at(self, sheet: str, at: int) -> Taken | None:
        """The hand of a line; None where the lines are sums."""
        if sheet == "Hands" and 0 <= at < len(self.hands):
            return self.hands[at]
        if sheet == "Explain" and 0 <= at < len(self.suspects):
            by_number = {hand.number: hand for hand in self.hands}
            return by_number[self.suspects[at].number]
        return None

    def lines(self, sheet: str) -> list[Line]:
        match sheet:
            case "Brackets":
                found = [
                    (str(dealt), format_dollars(fee), f"{hands:,}", format_dollars(fee * hands), "")
                    for (dealt, fee), hands in sorted(self.drop.brackets.items(), reverse=True)
                ]
            case "Downs" | "Dealers":
                return self._sums(by_down=sheet == "Downs")
            case "Hands":
                return [_hand_line(hand) for hand in self.hands]
            case "Counts":
                return [
                    Line((step.at, step.what, step.fees, step.jackpot, step.who))
                    for step in self._story
                ]
            case _:
                return [
                    Line((str(s.number), clock(s.started_us), format_dollars(s.fee), s.why))
                    for s in self.suspects
                ]
        return [Line(cells) for cells in found]

    def _sums(self, *, by_down: bool) -> list[Line]:
        drops: defaultdict[tuple[int, str], Drop] = defaultdict(Drop)
        for hand in self.hands:
            drops[hand.down if by_down else 0, hand.dealer or "nobody"].add(hand)
        return [
            Line(
                (
                    name,
                    *((clock(drop.first_us), clock(drop.last_us)) if by_down else ()),
                    f"{drop.hands:,}",
                    format_dollars(drop.due),
                    format_dollars(drop.jackpots),
                    f"{drop.pace:.0f}",
                )
            )
            for (_, name), drop in sorted(drops.items())
        ]

    def empty(self, sheet: str) -> str:
        if sheet not in ("Explain", "Counts"):
            return "There is nothing in it."
        if self.counted is None:
            return "The box has not been counted: + enters the count."
        if self.counted == self.drop.due:
            return "The count agrees with the log: there is nothing to explain."
        return "No hand explains it: nothing was waived, taken back, ruled or called off."

    def about_line(self, sheet: str, at: int) -> str:
        """What does not fit on the chosen line."""
        if sheet == "Explain" and at < len(self.suspects):
            return f"hand {self.suspects[at].number}: {self.suspects[at].why}"
        if sheet == "Counts" and at < len(self._story):
            return visible(self._story[at].told)
        return ""

    def foot(self) -> list[str]:
        """What is due, what was counted, and how far that was reviewed."""
        drop, counts = self.drop, self._ledger.counts_of(count_key(self._key))
        due = (
            f"due      fees {format_dollars(drop.due):>10}   "
            f"jackpot {format_dollars(drop.jackpots):>10}   waived {format_dollars(drop.waived)}"
        )
        if not counts:
            return [due, "counted  not yet: + enters it"]
        event = counts[-1].event
        since = due_since(counts[-1], drop.due)
        jackpot = "-" if event.jackpot is None else format_dollars(event.jackpot)
        more = "" if event.jackpot is None else over_or_short(event.jackpot - drop.jackpots)
        lines = [
            f"{due}   {since}".rstrip(),
            f"counted  fees {format_dollars(event.counted):>10}   jackpot {jackpot:>10}",
            f"VARIANCE fees {over_or_short(event.counted - drop.due):>10}   jackpot {more:>10}"
            f"   {review_words(self._ledger, counts[-1])}".rstrip(),
            counted_by(counts[-1]),
        ]
        if len(counts) > 1:
            lines.append(corrected(counts))
        return [visible(line) for line in lines]


def _hand_line(hand: Taken) -> Line:
    return Line(
        (
            str(hand.number),
            clock(hand.started_us),
            str(hand.dealt),
            format_dollars(hand.pot),
            format_dollars(hand.fee),
            format_dollars(hand.jackpot),
            ", ".join(noted(" ".join(hand.flags))),
        )
    )
