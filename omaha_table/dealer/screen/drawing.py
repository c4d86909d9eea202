"""The table drawn as the dealer sees it, at any size from 80x24 up."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.screen.bigfont import large, small
from omaha_table.dealer.screen.canvas import Canvas
from omaha_table.dealer.table_view import NO_BREAK

if TYPE_CHECKING:
    from omaha_table.dealer.table_view import (
        Alarm,
        FeltView,
        Key,
        Page,
        PotView,
        SeatView,
        TableView,
    )

LEAST: Final = (80, 24)
_SUITS: Final = {"s": ("♠", "spade"), "h": ("♥", "heart"), "d": ("♦", "diamond"),
                 "c": ("♣", "club")}  # fmt: skip


_ALARMS: Final = {
    "none": "○", "hint": "»", "info": "●", "refused": "▲", "call": "■", "warn": "▲", "fault": "■",
}  # fmt: skip


_ALARM_ROWS: Final = 3
_ALL_OF_IT: Final = " …  / * 3 has all of it."
"""The device page; only what a driver says can be so long."""
_DIALOG: Final = (80, 13)
"""Columns and rows of the floor's dialog: all that the smallest screen has above its alarm line."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Where everything is, for one size of the window."""

    width: int
    height: int
    table: int
    """Columns of the table; the rest is a side bar."""
    seat_height: int
    side: int
    """Columns of a seat at the left and right."""
    band: int
    key_columns: int
    log: int
    alarm: int = 1

    @property
    def body(self) -> int:
        """Rows between the top seats and the alarm line."""
        below = self.alarm + self.band + self.key_rows + self.log
        return self.height - 1 - self.seat_height - below

    @property
    def key_rows(self) -> int:
        return 6 // self.key_columns


def plan(width: int, height: int) -> Plan:
    if width >= 120 and height >= 40:
        return Plan(width, height, width - 32, 6, 22, 7, 3, 0)
    if width >= 100 and height >= 30:
        return Plan(width, height, width, 4, 24, 5, 3, 3)
    return Plan(width, height, width, 3, 20, 5, 3, 2)


def draw(view: TableView, width: int, height: int, *, letters: bool = False) -> Canvas:
    """The whole screen; with `letters` suits are never drawn as signs."""
    canvas = Canvas(width, height)
    if width < LEAST[0] or height < LEAST[1]:
        _too_small(canvas)
        return canvas
    at = plan(width, height)
    extra = len(alarm_rows(view.alarm, at.table)) - 1
    at = replace(at, alarm=1 + extra, log=max(at.log - extra, 0))
    painter = _Painter(canvas, at, view, letters=letters)
    painter.status()
    painter.seats()
    painter.felt()
    painter.alarm()
    painter.band()
    painter.keys()
    painter.log()
    if at.table < at.width:
        painter.side_bar()
    page = view.prompt.page
    if page is not None and page.over_table:
        painter.dialog(page)
    elif page is not None:
        painter.page(page)
    return canvas


def alarm_rows(alarm: Alarm, width: int) -> list[str]:
    """The alarm line. What does not fit on one row goes on, and takes rows of the last events."""
    sign = _ALARMS[alarm.level]
    word = {"refused": "NOT TAKEN  ", "warn": "WARN  ", "fault": "FAULT  "}.get(alarm.level, "")
    room = width - 2
    text = f"{sign} {word}{alarm.text or 'No alarms'}"
    if len(text) > room:
        # The sign and the color say it too; the end of the sentence may be what to do.
        text = f"{sign} {alarm.text}"
    if len(text) <= room:
        return [text]
    rows = wrap(text, room, subsequent_indent="  ", break_on_hyphens=False)
    if len(rows) > _ALARM_ROWS:
        rows = wrap(
            text, room, subsequent_indent="  ", break_on_hyphens=False, max_lines=_ALARM_ROWS,
            placeholder=_ALL_OF_IT,
        )  # fmt: skip
    return rows


def _too_small(canvas: Canvas) -> None:
    canvas.fill(0, 0, canvas.width, canvas.height, "STOP")
    for row, text in enumerate(("MAKE THE WINDOW BIGGER", f"at least {LEAST[0]} x {LEAST[1]}")):
        y = canvas.height // 2 - 1 + row
        if 0 <= y < canvas.height:
            canvas.put(max((canvas.width - len(text)) // 2, 0), y, text[: canvas.width], "STOP")


_CALLED_ROWS: Final = 3
"""Of the smaller of the large letters."""


class _Painter:
    def __init__(self, canvas: Canvas, at: Plan, view: TableView, *, letters: bool) -> None:
        self.canvas, self.at, self.view, self.letters = canvas, at, view, letters

    def status(self) -> None:
        c, v = self.canvas, self.view
        c.fill(0, 0, self.at.width, 1, "status")
        x = c.put(0, 0, f" {v.table[:12]} ", "badge")
        x = c.put(x + 1, 0, v.game, "status")
        x = c.put(x + 2, 0, v.hand, "status")
        if v.held:
            # No page and no question covers this row, so it stands until the floor pays it.
            x = c.put(x + 2, 0, f" {v.held} ", "alarm.warn")
        if v.called:
            # In the place of the clock: whatever else the alarm line has to say, this stands.
            x = c.put(x + 2, 0, f" ■ {v.called} ", "alarm.call")
        else:
            x = c.put(x + 2, 0, v.clock, "status.dim")
        c.put(x + 2, 0, v.drop, "status")
        right = self.at.width - 1
        for device in reversed(v.devices):
            sign = {"ok": "●", "warn": "▲", "fault": "■", "off": "○"}[device.state]
            text = f"{sign} {device.name}"
            if self.at.width >= 120 and device.state != "ok":
                text += f" {device.doing[:18]}"
            c.right(right, 0, text, device.state)
            right -= len(text) + 2

    # Seats

    def seats(self) -> None:
        at, seats = self.at, {seat.number: seat for seat in self.view.seats}
        top, tall = [4, 5, 6, 7], at.seat_height
        wide = at.table // 4
        self.canvas.fill(0, 1, at.table, tall + at.body, "room")
        for column, number in enumerate(top):
            width = wide if column < 3 else at.table - 3 * wide
            self._seat(seats.get(number), column * wide, 1, width - 1, tall)
        gap = at.body - 3 * self._side_height
        first = 1 + tall + gap
        for row, (left, right) in enumerate(((3, 8), (2, 9), (1, 10))):
            y = first + row * self._side_height
            self._seat(seats.get(left), 0, y, at.side - 1, self._side_height)
            self._seat(seats.get(right), at.table - at.side, y, at.side - 1, self._side_height)
        if 11 in seats:
            width = at.side - 1
            self._seat(seats[11], (at.table - width) // 2, first + 2 * self._side_height, width,
                       self._side_height)  # fmt: skip

    @property
    def _side_height(self) -> int:
        return min(self.at.body // 3, self.at.seat_height + 1)

    def _seat(self, seat: SeatView | None, x: int, y: int, width: int, tall: int) -> None:
        c = self.canvas
        if seat is None:
            return
        base = "seat.act" if seat.acting else "seat.allin" if seat.all_in else "seat"
        if seat.dim and not seat.acting:
            base = "seat.dim"
        name = base if base == "seat.dim" else f"{base}.name"
        c.fill(x, y, width, tall, base)
        marks_at = self._marks(seat, x + width - 1, y)
        if tall >= 6 and seat.name != "open":
            number = small(str(seat.number))
            for row, text in enumerate(number):
                c.put(x + 2, y + row + 1, text, name)
            left = x + 3 + len(number[0])
            pointer, first = (x, y + 2), y + 1
        else:
            left, pointer, first = x + 4, (x, y), y
            c.put(x + 2 - (seat.number > 9), y, str(seat.number), name)
        if seat.acting:
            c.put(*pointer, "►", name)
        edge = marks_at if first == y else x + width - 1
        if seat.waits and tall < 4:
            edge = self._waits(seat, left, edge, y, spare=bool(seat.name))
        elif seat.waits:
            self._waits(seat, left, x + width - 1, y + tall - 1)
        c.put(left, first, seat.name, name, edge - left)
        if seat.reading and seat.shown:
            c.put(left, first + 1, seat.reading, base, x + width - left)
            self._cards(seat.shown, left, first + 2)
            return
        edge = x + width - 1
        after = c.put(left, first + 1, seat.chips, base, edge - left) + 1
        forms = seat.last or ((seat.note,) if seat.note else ())
        bet = f"● {seat.bet}" if seat.bet else ""
        below = bool(bet) and len(bet) > edge - after
        if seat.shown:
            self._cards(seat.shown, left, first + 2)
        elif seat.backs:
            backs = "▐" * seat.backs
            crowded = below and len(backs) + len(bet) >= edge - left
            c.put(left, first + 2, f"{seat.backs}▐" if crowded else backs, base)
        if below:
            # Both amounts whole: the bet goes a row down, and what was done beside the stack.
            c.right(edge, first + 2, bet, name)
            if tall >= 6:
                c.right(edge, first + 3, _fitting(forms or ("",), edge - left), base)
            else:
                c.right(edge, first + 1, _fitting((*forms, ""), edge - after), base)
            return
        c.right(edge, first + 1, bet, name)
        if forms:
            room = edge - left - (seat.backs + 1 if seat.backs else 0)
            row = first + 3 if tall >= 6 and seat.backs else first + 2
            c.right(edge, row, _fitting(forms, room), base)

    def _waits(self, seat: SeatView, left: int, edge: int, y: int, *, spare: bool = False) -> int:
        """What takes effect when the hand ends. In a low box it stands beside the name, of which
        some letters are kept where there is room."""
        room = edge - left
        text = next((form for form in seat.waits if len(form) + 4 * spare <= room), seat.waits[-1])
        text = text[: max(room, 0)]
        self.canvas.put(edge - len(text), y, text, "mark.blind")
        return edge - len(text) - 1

    def _marks(self, seat: SeatView, edge: int, y: int) -> int:
        for mark in reversed(seat.marks):
            kind = {"D": "mark", "K": "mark.kill"}.get(mark, "mark.blind")
            edge -= len(mark) + 2
            self.canvas.put(edge, y, f" {mark} ", kind)
        return edge

    def _cards(self, cards: tuple[str, ...], x: int, y: int) -> None:
        for card in cards:
            sign, name = _SUITS[card[1]]
            x = self.canvas.put(x, y, card[0] + (card[1] if self.letters else sign), name) + 1

    # The middle

    def felt(self) -> None:
        c, at, felt = self.canvas, self.at, self.view.felt
        x, y = at.side, 1 + at.seat_height
        width, height = at.table - 2 * at.side - 1, at.body
        c.fill(x, y, width, height, "felt")
        c.put(x + 1, y, felt.title, "felt.title")
        c.right(x + width - 1, y, felt.total, "felt.title")
        row = y + 1
        if felt.slots:
            row = self._board(felt, x + 1, row + (1 if height > 12 else 0), tall=height > 12)
        bottom = y + height
        for pot in self._pots_heading(felt, x, row):
            row = self._pot(pot, x + 1, row, width - 2)
        if felt.strong and row < bottom:
            c.put(x + 1, row, felt.strong, "felt.strong", width - 2)
            row += 1
        for line in felt.lines:
            if row < bottom:
                c.put(x + 1, row, line, "felt", width - 2)
                row += 1
        row = self._called(x + 1, row, width - 2, bottom)
        if felt.lamps:
            bottom -= 1
        self._sections(felt, x + 1, row + 1, width - 2, bottom)
        if felt.lamps and row <= bottom:
            left, edge = x + 1, x + width - 1
            for lamp in felt.lamps:
                if left + len(lamp) + 2 <= edge:
                    left = c.put(left, bottom, f"▲ {lamp}", "felt.dim") + 2

    def _called(self, x: int, row: int, width: int, bottom: int) -> int:
        """That the floor is called, to be read across the room, where there are rows for it."""
        text, room = self.view.called, bottom - row - 1
        if not text or room < _CALLED_ROWS:
            return row
        letters: tuple[str, ...] = small(text)
        beside = ""
        if room > len(large(text)) and len(large(text)[0]) <= width:
            letters = large(text)
        elif len(letters[0]) > width:
            # The word to be read from afar; the rest for those who are near.
            word, _, beside = text.partition(" ")
            letters = small(word)
        self.canvas.fill(x, row + 1, width, len(letters), "alarm.call")
        for at, line in enumerate(letters, start=row + 1):
            self.canvas.put(x + 1, at, line, "alarm.call")
        self.canvas.put(x + len(letters[0]) + 3, row + 2, beside, "alarm.call")
        return row + 1 + len(letters)

    def _sections(self, felt: FeltView, x: int, row: int, width: int, bottom: int) -> None:
        """Each section whole or not at all: half a list would be read as all of it."""
        for section in felt.sections:
            parts = [part for line in section.lines for part in _wrapped(line, width)]
            if row + len(parts) >= bottom:
                continue
            self.canvas.put(x, row, section.title, "felt.dim", width)
            for part in parts:
                row += 1
                self.canvas.put(x, row, part, "felt", width)
            row += 2

    def _pots_heading(self, felt: FeltView, x: int, row: int) -> tuple[PotView, ...]:
        room = 1 + self.at.seat_height + self.at.body - row
        return felt.pots[: max(room, 0)]

    def _board(self, felt: FeltView, x: int, y: int, *, tall: bool) -> int:
        wide, high = (7, 4) if tall else (6, 3)
        cards = (*felt.board, *felt.keyed)
        for place in range(felt.slots):
            left = x + place * (wide + 1)
            if place < len(cards):
                card = cards[place]
                sign, name = _SUITS[card[1]]
                if place >= len(felt.board):
                    name = "typed"
                self.canvas.fill(left, y, wide - 1, high, name)
                big = card[0] + (card[1] if self.letters else sign)
                self.canvas.put(left + 1, y, big, name)
                self.canvas.put(left + wide - 4, y + high - 1, card, name)
            else:
                self.canvas.put(left, y, f"┌{' ' * (wide - 3)}┐", "felt.dim")
                self.canvas.put(left, y + high - 1, f"└{' ' * (wide - 3)}┘", "felt.dim")
        return y + high

    def _pot(self, pot: PotView, x: int, y: int, width: int) -> int:
        c = self.canvas
        c.put(x, y, f"{pot.name:<8}", "felt.dim")
        at = c.put(x + 8, y, f" {pot.amount}".rjust(8), "felt.title")
        left = width - (at - x)
        if pot.high or pot.low:
            text = f"  HI {pot.high or '?'}"
            if pot.low:
                text += f"  LO {pot.low}"
            c.put(at, y, text, "felt.strong", left)
        else:
            forms = (f"seats {pot.seats}",) if " " in pot.seats else ()
            forms = (*forms, pot.seats, f"{len(pot.seats.split())} seats")
            text = _fitting(forms, left - 1)
            c.put(at + 1 + (len(text) < left - 1), y, text, "felt")
        return y + 1

    # Below the table

    @property
    def _alarm_row(self) -> int:
        return 1 + self.at.seat_height + self.at.body

    def alarm(self) -> None:
        width, name = self.at.table, f"alarm.{self.view.alarm.level}"
        rows = alarm_rows(self.view.alarm, width)
        self.canvas.fill(0, self._alarm_row, width, len(rows), name)
        for row, text in enumerate(rows):
            self.canvas.put(1, self._alarm_row + row, text, name, width - 2)

    def band(self) -> None:
        c, prompt, at = self.canvas, self.view.prompt, self.at
        y = self._alarm_row + at.alarm
        name = prompt.kind
        c.fill(0, y, at.width, at.band, name)
        sign = {"STOP": "■ STOP", "SURE": "? SURE"}.get(prompt.kind, prompt.kind)
        c.put(2, y + 1, f"{sign:^6}", name)
        c.put(3, y + 2, "NEXT", name)
        number = small(prompt.number) if prompt.number else ("", "", "")
        room = at.width - 11 - (len(number[0]) + 3 if prompt.number else 1)
        rows: tuple[str, ...] = large(prompt.title)
        if at.band < 7 or len(rows[0]) > room:
            rows = small(prompt.title)
        if len(rows[0]) > room:
            rows = ("", prompt.title[: max(room, 0)], "")
        for row, text in enumerate(rows):
            c.put(10, y + 1 + row, text, name)
        if prompt.number:
            c.right(at.width - 2, y, prompt.caption, name)
            for row, text in enumerate(number):
                c.right(at.width - 2, y + 1 + row, text, name)
        c.put(1, y + at.band - 1, prompt.detail, name, at.width - 2)

    def keys(self) -> None:
        c, at = self.canvas, self.at
        y = self._alarm_row + at.alarm + at.band
        c.fill(0, y, at.width, at.key_rows, "room")
        # A key that does nothing has no cap; why it does nothing is the band's detail line.
        shown = [key for key in self.view.prompt.keys if key.label]
        columns = max(at.key_columns, -(-len(shown) // at.key_rows))
        wide = at.width // columns
        for place, key in enumerate(shown):
            row, column = divmod(place, columns)
            self._key(key, column * wide, y + row, wide)

    def _key(self, key: Key, x: int, y: int, wide: int) -> None:
        cap = "cap.grey" if key.grey else "cap.strong" if key.strong else "cap"
        after = self.canvas.put(x, y, f" {key.cap} ", cap)
        name = "label.grey" if key.grey else "label"
        room = wide - (after - x) - 2
        label = key.short if key.short and len(key.label) > room else key.label
        self.canvas.put(after + 1, y, label, name, room)

    def log(self) -> None:
        c, at = self.canvas, self.at
        first = at.height - at.log
        for row in range(at.log):
            if row < len(self.view.log):
                name = "log" if row == 0 else "log.dim"
                line = _whole_amounts(self.view.log[row], at.width - 2)
                c.put(1, first + row, line, name, at.width - 2)

    def side_bar(self) -> None:
        c, at, v = self.canvas, self.at, self.view
        x, wide = at.table, at.width - at.table
        bottom = self._alarm_row + at.alarm
        c.fill(x, 1, wide, bottom - 1, "page")
        row = 1
        devices = [
            f"{ {'ok': '●', 'warn': '▲', 'fault': '■', 'off': '○'}[d.state] } {d.name}  {d.doing}"
            for d in v.devices
        ] or ["none"]
        for title, lines in (("DEVICES", devices), ("COLLECTION", list(v.collection)),
                             ("EVENTS", list(v.log))):  # fmt: skip
            if row >= bottom:
                break
            c.put(x, row, f" {title:<{wide - 1}}", "bar")
            row += 1
            indent = " " * 10 if title == "EVENTS" else "  "
            for part in [part for line in lines for part in _wrapped(line, wide - 2, indent)]:
                if row < bottom:
                    c.put(x + 1, row, part, "page", wide - 2)
                    row += 1
            row += 1

    def page(self, page: Page) -> None:
        """A page over the table; the band and the keys stay where they are."""
        c = self.canvas
        rows = max(len(page.lines) + 4 + (4 if page.dots is not None else 0), 8)
        bottom = self._alarm_row
        height = min(rows, bottom - 1)
        width = min(max([len(line) for line in (*page.lines, page.title)]) + 8, self.at.width - 4)
        width = max(width, 48)
        x, y = (self.at.width - width) // 2, 1 + max((bottom - 1 - height) // 2, 0)
        self._frame(x, y, width, height)
        c.put(x + 3, y + 1, f" {page.title} ", "page.title", width - 6)
        row = y + 2 + (height > len(page.lines) + 3)
        for line in page.lines:
            if row < y + height - 1:
                c.put(x + 3, row, line, "page.strong" if line[:1].isdigit() else "page", width - 6)
                row += 1
        if page.dots is not None:
            for at, text in enumerate(small("PIN")):
                c.put(x + 3, row + at, text, "page.strong")
            self._dots(page.dots, x + 18, row + 1)

    def _frame(self, x: int, y: int, width: int, height: int) -> None:
        c = self.canvas
        c.fill(x, y, width, height, "page")
        c.put(x, y, f"┏{'━' * (width - 2)}┓", "page.edge")
        c.put(x, y + height - 1, f"┗{'━' * (width - 2)}┛", "page.edge")
        for row in range(y + 1, y + height - 1):
            c.put(x, row, "┃", "page.edge")
            c.put(x + width - 1, row, "┃", "page.edge")

    def _dots(self, count: int, x: int, y: int) -> None:
        dots = " ".join(["●"] * count + ["○"] * max(4 - count, 0))
        self.canvas.put(x, y, dots, "page.strong")

    def dialog(self, page: Page) -> None:
        """A page at the dealer's edge of the table, always of one size, under pot and board."""
        c = self.canvas
        width, height = _DIALOG
        x, y = (self.at.table - width) // 2, self._alarm_row - height
        self._frame(x, y, width, height)
        c.put(x + 3, y, f" {page.title} ", "page.title", width - 6)
        self._pot_and_board(x + 1, y + 1, width - 2)
        row = y + 2
        for at, line in enumerate(page.lines):
            strong = line.lstrip("► ")[:1].isdigit()
            name = "page.grey" if at in page.grey else "page.strong" if strong else "page"
            if row < y + height - 1:
                c.put(x + 3, row, line, name, width - 5)
                row += 1
        if page.dots is not None and row < y + height - 1:
            self._dots(page.dots, x + 3, row)

    def _pot_and_board(self, x: int, y: int, width: int) -> None:
        c, felt = self.canvas, self.view.felt
        c.fill(x, y, width, 1, "felt")
        at = c.put(x + 2, y, felt.title, "felt.title") + 2
        for card in felt.board:
            sign, name = _SUITS[card[1]]
            at = c.put(at, y, card[0] + (card[1] if self.letters else sign), name) + 1
        at += 1 if felt.board else 0
        for pot in felt.pots:
            text = f"{pot.name} {pot.amount}"
            if at + len(text) < x + width:
                at = c.put(at, y, text, "felt.strong") + 2


@lru_cache(512)
def _wrapped(line: str, width: int, indent: str = "  ") -> list[str]:
    """A line in parts, the later ones further in; cards and amounts are not torn."""
    begins = len(line) - len(line.lstrip())
    parts = wrap(line, width, subsequent_indent=" " * begins + indent, break_on_hyphens=False)
    return [part.replace(NO_BREAK, " ") for part in parts]


def _whole_amounts(line: str, room: int) -> str:
    """A line that is too long, cut before an amount and not inside of it."""
    if len(line) <= room:
        return line
    head, _, torn = line[: room - 1].rpartition(" ")
    return f"{head} …" if any(letter.isdigit() for letter in torn) else line


def _fitting(forms: tuple[str, ...], room: int) -> str:
    """The longest form that fits, or as much of the shortest as does."""
    return next((form for form in forms if len(form) <= room), forms[-1][: max(room, 0)])
