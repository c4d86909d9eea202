"""A list of any length: only the lines that are seen are fetched and painted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, Protocol

from rich.segment import Segment
from textual.cache import LRUCache
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from omaha_table.review.screens.actions import LIST, bindings
from omaha_table.text import visible

if TYPE_CHECKING:
    from textual import events
    from textual.selection import Selection

NARROW: Final = 100
"""Columns below which a list leaves out what is only for wide windows."""
_MOST_COPIED: Final = 1000


@dataclass(frozen=True, slots=True)
class Column:
    title: str
    width: int
    """0: the room that is left."""
    right: bool = False
    wide: bool = False
    """Only where the window is wide."""


@dataclass(frozen=True, slots=True)
class Line:
    cells: tuple[str, ...]
    style: str = ""
    """'odd' for what needs a look, 'dim' for what is done with."""


class Source(Protocol):
    """Where a list takes its lines from."""

    @property
    def total(self) -> int: ...
    def line(self, at: int) -> Line | None: ...


class Lines:
    """A source of lines that are all there."""

    def __init__(self, lines: list[Line]) -> None:
        self._lines = lines

    @property
    def total(self) -> int:
        return len(self._lines)

    def line(self, at: int) -> Line | None:
        return self._lines[at] if 0 <= at < len(self._lines) else None


class VirtualList(ScrollView, can_focus=True):
    """Lines in columns under one row of titles, one of them chosen."""

    BINDINGS = bindings(LIST)
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "list--line", "list--odd", "list--dim", "list--chosen", "list--head", "list--selection",
    }  # fmt: skip

    @dataclass
    class Chosen(Message):
        """Another line is the chosen one."""

        listed: VirtualList

        @property
        def control(self) -> VirtualList:
            return self.listed

    @dataclass
    class Opened(Message):
        """A line was clicked that was chosen already."""

        listed: VirtualList

        @property
        def control(self) -> VirtualList:
            return self.listed

    def __init__(self, columns: tuple[Column, ...], empty: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._columns, self.empty = columns, empty
        self.source: Source = Lines([])
        self.at = 0
        self._strips: LRUCache[tuple[int, int], Strip] = LRUCache(1024)

    # What is listed

    @property
    def total(self) -> int:
        return self.source.total

    def show(self, source: Source, at: int, columns: tuple[Column, ...] | None = None) -> None:
        """Other lines, with the chosen one at a place."""
        self.source = source
        self._columns = columns or self._columns
        self._strips.clear()
        self.at = max(0, min(at, self.total - 1))
        self._fit()
        self._see()
        # A list that was short cannot be scrolled before it is laid out again.
        self.call_after_refresh(self._see)
        self.refresh()
        self.post_message(self.Chosen(self))

    def extend(self, source: Source) -> None:
        """The same lines, with more after them."""
        before, self.source = self.total, source
        self._fit()
        if before < self.scroll_offset.y + self._rows:
            self._strips.clear()
            self.refresh()
        if not before:
            self.post_message(self.Chosen(self))

    def notify_style_update(self) -> None:
        # The other theme.
        self._strips.clear()
        super().notify_style_update()

    def text_of(self, at: int) -> str:
        """A line as it is copied."""
        line = self.source.line(at)
        return "" if line is None else "  ".join(visible(cell) for cell in line.cells if cell)

    def _fit(self) -> None:
        # One row more: the titles stand in the first row, above whatever is seen.
        self.virtual_size = Size(max(self.size.width, 1), self.total + 1)

    def on_resize(self) -> None:
        self._strips.clear()
        self._fit()
        self._see()

    # The chosen line

    def go(self, at: int) -> None:
        at = max(0, min(at, self.total - 1))
        if at != self.at:
            self.at = at
            self.refresh()
            self.post_message(self.Chosen(self))
        self._see()

    @property
    def _rows(self) -> int:
        return max(self.size.height - 1, 1)

    def _see(self) -> None:
        """Scrolls so that the chosen line is seen, with its neighbors where there is room."""
        top, rows = int(self.scroll_target_y), self._rows
        spare = min(2, (rows - 1) // 2)
        if self.at - spare < top:
            top = self.at - spare
        elif self.at + spare >= top + rows:
            top = self.at + spare - rows + 1
        else:
            return
        self.scroll_to(y=max(0, min(top, self.total - rows)), animate=False, immediate=True)

    def action_up(self) -> None:
        self.go(self.at - 1)

    def action_down(self) -> None:
        self.go(self.at + 1)

    def action_page_up(self) -> None:
        self.go(self.at - self._rows)

    def action_page_down(self) -> None:
        self.go(self.at + self._rows)

    def action_first(self) -> None:
        self.go(0)

    def action_last(self) -> None:
        self.go(self.total - 1)

    def on_click(self, event: events.Click) -> None:
        at = self.scroll_offset.y + event.y - 1
        if not event.y or at >= self.total:
            return
        again = at == self.at and event.chain > 1
        self.go(at)
        if again:
            self.post_message(self.Opened(self))

    # Painting

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        if not y:
            return self._head(width)
        at = self.scroll_offset.y + y - 1
        selection = self.text_selection
        if at == self.at and self.total:
            strip = self._strip(at, width, "chosen")
        elif (at, width) in self._strips:
            strip = self._strips[at, width]
        else:
            strip = self._strips[at, width] = self._strip(at, width, "")
        if selection is not None and (span := selection.get_span(at)) is not None:
            start, end = span
            end = width if end == -1 else end
            style = self.get_component_rich_style("list--selection")
            middle = "".join(segment.text for segment in strip)[start:end]
            strip = Strip(
                [*strip.crop(0, start), Segment(middle, style), *strip.crop(end, width)], width
            )
        return strip.apply_offsets(0, at)

    def _strip(self, at: int, width: int, name: str) -> Strip:
        line = self.source.line(at)
        style = self.get_component_rich_style(f"list--{name or (line and line.style) or 'line'}")
        if line is None:
            text = f" {self.empty}" if at == 0 and not self.total else ""
        else:
            text = self._text(line.cells, width, "►" if name else " ")
        return Strip([Segment(text[:width].ljust(width), style)], width)

    def _head(self, width: int) -> Strip:
        style = self.get_component_rich_style("list--head")
        text = self._text(tuple(column.title for column in self._columns), width, " ")
        return Strip([Segment(text[:width].ljust(width), style)], width)

    def _text(self, cells: tuple[str, ...], width: int, sign: str) -> str:
        wide, text = self.app.size.width >= NARROW, sign
        for column, cell in zip(self._columns, cells, strict=True):
            if column.wide and not wide:
                continue
            cell = visible(cell)
            room = column.width or max(width - len(text) - 1, 0)
            shown = cell if len(cell) <= room else f"{cell[: max(room - 1, 0)]}…"
            text += (shown.rjust(room) if column.right else shown.ljust(room)) + " "
        return text

    # Copying

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The text under the mouse's selection, whole lines read from the source."""
        first = 0 if selection.start is None else selection.start.y
        last = self.total - 1 if selection.end is None else selection.end.y
        last = min(last, first + _MOST_COPIED, self.total - 1)
        lines = []
        for at in range(first, last + 1):
            if (span := selection.get_span(at)) is not None:
                strip = self._strip(at, self.size.width, "")
                lines.append(strip.text[span[0] : None if span[1] == -1 else span[1]].rstrip())
        return "\n".join(lines), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        self.refresh()
