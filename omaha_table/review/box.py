"""One drop box: its fees in every cut, the count, and the hands that could explain a variance."""

from __future__ import annotations

import textwrap
import time
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.table_view import Key
from omaha_table.money import format_dollars
from omaha_table.review.asking import Money, Pick
from omaha_table.review.counts import Count, same_person
from omaha_table.review.cursor import Cursor
from omaha_table.review.drop import Drop, reconcile, total, with_sign
from omaha_table.review.step_through import StepThrough, Target
from omaha_table.review.views import Cells, Column, SheetView

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.money import Cents
    from omaha_table.review.drop import Suspect
    from omaha_table.review.front import ReviewFront
    from omaha_table.review.projection import BoxKey, Taken

_KEYS: Final = (
    Key("4 6", "SHEET", strong=True), Key("8 2", "LINE"), Key("9 3", "PAGE"),
    Key("5", "OPEN HAND"), Key("+", "ENTER THE COUNT"), Key(".", "BACK"),
)  # fmt: skip
_SHEETS: Final = ("BRACKETS", "DOWNS", "DEALERS", "HANDS", "EXPLAIN")
_MONEY: Final = (
    Column("HANDS", 6, right=True), Column("FEES", 10, right=True),
    Column("JACKPOT", 10, right=True), Column("SECONDS A HAND", 0),
)  # fmt: skip
_COLUMNS: Final = {
    "BRACKETS": (
        Column("HANDS DEALT", 12, right=True), Column("FEE", 8, right=True),
        Column("HANDS", 8, right=True), Column("SUM", 10, right=True), Column("", 0),
    ),
    "DOWNS": (Column("DEALER", 10), Column("FROM", 9), Column("TO", 9), *_MONEY),
    "DEALERS": (Column("DEALER", 10), *_MONEY),
    "HANDS": (
        Column("HAND", 7, right=True), Column("TIME", 9), Column("DEALT", 6, right=True),
        Column("POT", 9, right=True), Column("FEE", 7, right=True),
        Column("JACKPOT", 8, right=True), Column("WHAT", 0),
    ),
    "EXPLAIN": (
        Column("HAND", 7, right=True), Column("TIME", 9), Column("FEE", 7, right=True),
        Column("WHY", 0),
    ),
}  # fmt: skip


def count_box(front: ReviewFront, key: BoxKey) -> None:
    """Asks for the count, the jackpot's count, and who counted: two, as for the report."""
    where = f"{key.table} {key.day}"

    def counted(cents: Cents | None) -> None:
        if key.jackpot_box in ("", "none"):
            sign(cents or 0, None)
            return
        title = f"{where}, JACKPOT BOX {key.jackpot_box or '-'} COUNTED"
        front.asking = Money(front, title, lambda more: sign(cents or 0, more), optional=True)

    def sign(cents: Cents, more: Cents | None) -> None:
        front.asking = _who(front, "FIRST WHO COUNTED", lambda one: second(cents, more, one))

    def second(cents: Cents, more: Cents | None, one: str) -> None:
        def done(two: str) -> None:
            if same_person(one, two):
                front.refuse(f"A box is counted by two: {one} has signed already.")
                second(cents, more, one)
                return
            _keep(front, key, cents, more, (one, two))

        front.asking = _who(front, f"{one} AND WHO ELSE COUNTED", done)

    front.asking = Money(front, f"{where}, BOX {key.box or '-'} COUNTED", counted)


def _who(front: ReviewFront, title: str, given: Callable[[str], None]) -> Pick:
    asked = Pick(front, title, front.staff, given)
    asked.writing = not front.staff
    return asked


def _keep(
    front: ReviewFront, key: BoxKey, cents: Cents, more: Cents | None, signed: tuple[str, ...]
) -> None:
    drop = total(front.projection.in_box(key))
    at = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(front.wall()))
    count = Count(
        key.table, key.day, key.log, key.shift, key.box, cents, more, drop.due, drop.jackpots,
        signed, at, key.jackpot_box,
    )  # fmt: skip
    try:
        front.counts.add(count)
    except OSError as error:
        front.refuse(f"The count cannot be written: {error.strerror}.")
        return
    front.said = f"Counted {format_dollars(cents)}, signed by {' and '.join(signed)}."


class Box:
    def __init__(self, front: ReviewFront, key: BoxKey) -> None:
        self._front, self._key = front, key
        self._sheet = 0
        self._cursor = Cursor()
        self.refreshed()

    def keys(self) -> dict[str, Callable[[], None]]:
        return {
            **self._cursor.keys(),
            "4": lambda: self._turn(-1),
            "6": lambda: self._turn(1),
            "5": self._open,
            "enter": self._open,
            "+": lambda: count_box(self._front, self._key),
            ".": self._front.leave,
        }

    def refreshed(self) -> None:
        self._hands = self._front.projection.in_box(self._key)
        self._drop = total(self._hands)
        self._cursor.resize(len(self._lines()))

    def remember(self) -> None:
        pass

    def tick(self) -> bool:
        return False

    def _turn(self, by: int) -> None:
        self._sheet = (self._sheet + by) % len(_SHEETS)
        self._cursor.at = 0
        self._cursor.resize(len(self._lines()))

    @property
    def _count(self) -> Count | None:
        key = self._key
        return self._front.counts.of(key.log, key.shift, key.box, key.jackpot_box)

    # Opening a hand

    def _listed(self) -> list[Taken]:
        """The hands of the sheet, line by line; none where its lines are sums."""
        if _SHEETS[self._sheet] == "HANDS":
            return self._hands
        if _SHEETS[self._sheet] == "EXPLAIN":
            by_number = {hand.number: hand for hand in self._hands}
            return [by_number[suspect.number] for suspect in self._explained()]
        return []

    def _target(self) -> Target | None:
        hands = self._listed()
        if self._cursor.at >= len(hands):
            return None
        row = self._front.projection.hand(hands[self._cursor.at].id)
        return None if row is None else Target(row)

    def _open(self) -> None:
        target = self._target()
        if target is None:
            self._front.refuse("Hands can be opened from the sheets HANDS and EXPLAIN: 4 6.")
        else:
            StepThrough.open(self._front, self, target)

    def neighbor(self, by: int) -> Target | None:
        before = self._cursor.at
        self._cursor.go(by)
        return None if self._cursor.at == before else self._target()

    # What is shown

    def view(self, rows: int) -> SheetView:
        cursor, key = self._cursor, self._key
        cursor.rows = max(rows - _FOOT, 1)
        lines = self._lines()
        cursor.resize(len(lines))
        first = cursor.first
        shown = "  ".join(f"[{name}]" if at == self._sheet else name.lower()
                          for at, name in enumerate(_SHEETS))  # fmt: skip
        about = f"{key.table}  {key.day}  {key.shift or '-'}  {key.box or '-'}"
        return SheetView(
            self._front.bar("BOX", about, _KEYS, shown),
            _COLUMNS[_SHEETS[self._sheet]],
            tuple(lines[first : first + cursor.rows]),
            first,
            cursor.at,
            self._nothing(),
            self._foot(),
            _FOOT,
        )

    def _nothing(self) -> str:
        if _SHEETS[self._sheet] != "EXPLAIN":
            return "There is nothing in it."
        count = self._count
        if count is None:
            return "The box has not been counted: + enters the count."
        if count.counted == self._drop.due:
            return "The count agrees with the log: there is nothing to explain."
        return "No hand explains it: nothing was waived, taken back, ruled or called off."

    def _foot(self) -> tuple[str, ...]:
        drop, count = self._drop, self._count
        why = self._explained()[self._cursor.at :] if _SHEETS[self._sheet] == "EXPLAIN" else []
        lines = [
            *(
                line
                for suspect in why[:1]
                for line in textwrap.wrap(f"hand {suspect.number}: {suspect.why}", 76)[:2]
            ),
            f"due      fees {format_dollars(drop.due):>10}   "
            f"jackpot {format_dollars(drop.jackpots):>10}   "
            f"waived {format_dollars(drop.waived)}",
        ]
        if count is None:
            return (*lines, "counted  not yet: + enters it")
        jackpot = "-" if count.jackpot is None else format_dollars(count.jackpot)
        lines.append(f"counted  fees {format_dollars(count.counted):>10}   jackpot {jackpot:>10}")
        more = "" if count.jackpot is None else with_sign(count.jackpot - drop.jackpots)
        lines.append(
            f"VARIANCE fees {with_sign(count.counted - drop.due):>10}   jackpot {more:>10}"
        )
        at = count.at.replace("T", " ")
        return (*lines, f"signed by {' and '.join(count.signed)}, {at}")

    def _explained(self) -> list[Suspect]:
        count = self._count
        if count is None:
            return []
        return list(reconcile(self._hands, count.counted).suspects)

    def _lines(self) -> list[Cells]:
        match _SHEETS[self._sheet]:
            case "BRACKETS":
                return [
                    Cells((str(dealt), format_dollars(fee), f"{hands:,}",
                           format_dollars(fee * hands), ""))
                    for (dealt, fee), hands in sorted(self._drop.brackets.items(), reverse=True)
                ]  # fmt: skip
            case "DOWNS":
                return self._sums(by_down=True)
            case "DEALERS":
                return self._sums(by_down=False)
            case "HANDS":
                return [_hand_line(hand) for hand in self._hands]
        return [
            Cells((str(s.number), _clock(s.started_us), format_dollars(s.fee), s.why))
            for s in self._explained()
        ]

    def _sums(self, *, by_down: bool) -> list[Cells]:
        drops: defaultdict[tuple[int, str], Drop] = defaultdict(Drop)
        for hand in self._hands:
            drops[hand.down if by_down else 0, hand.dealer or "nobody"].add(hand)
        return [
            Cells(
                (
                    name,
                    *((_clock(drop.first_us), _clock(drop.last_us)) if by_down else ()),
                    f"{drop.hands:,}",
                    format_dollars(drop.due),
                    format_dollars(drop.jackpots),
                    f"{drop.pace:.0f}",
                )
            )
            for (_, name), drop in sorted(drops.items())
        ]


def _hand_line(hand: Taken) -> Cells:
    return Cells(
        (
            str(hand.number),
            _clock(hand.started_us),
            str(hand.dealt),
            format_dollars(hand.pot),
            format_dollars(hand.fee),
            format_dollars(hand.jackpot),
            " ".join(sorted(hand.flags)).replace("_", " "),
        )
    )


def _clock(at_us: int) -> str:
    return time.strftime("%H:%M:%S", time.localtime(at_us / 1e6))


_FOOT: Final = 7
