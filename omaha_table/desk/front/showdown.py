"""The showdown by eye: the dealer names the winners; and every tabled hand explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.cards import format_cards
from omaha_table.desk.front.pages import Reading
from omaha_table.evaluate.words import describe_high, describe_low, high_cards, low_cards
from omaha_table.hand.commands import Read
from omaha_table.hand.showdown import low_possible, read_tabled

if TYPE_CHECKING:
    from omaha_table.desk.front.controller import Front
    from omaha_table.desk.front.strip import Strip
    from omaha_table.desk.front.view import Prompt


class ReadWinners:
    """High first, then low where one is possible; a tie is several seats."""

    def __init__(self, front: Front) -> None:
        self._front = front
        self._side = "high"
        self._seats: list[int] = []

    def show(self, strip: Strip) -> Prompt:
        front = self._front
        state = front.desk.state.hand
        live = [] if state is None else [s for s in state.contenders if s not in state.mucked]
        typed = int(front.typed) if front.typed else None
        named = [*self._seats, *([typed] if typed in live and typed is not None else [])]
        if typed is not None and typed not in live:
            strip.add("ENTER", "", grey=f"Seat {typed} has no live hand: {_list(live)} have.")
        elif named:
            label = f"{self._side.upper()}: SEAT {_list(named)}"
            strip.add("ENTER", label, lambda: self._read(tuple(named)), strong=True)
        else:
            strip.add("ENTER", "", grey="Type the seat that wins.")
        if typed in live:
            strip.add("+", "TIE WITH ANOTHER", self._tie)
        if self._side == "low" and not named:
            strip.add("-", "NO LOW", lambda: self._read(()))
        strip.digits("SEAT", front.type_digit)
        strip.add(".", "BACK", self._back)
        return strip.prompt(
            "DEALER",
            f"{self._side.upper()}: WHO WINS?",
            f"Live hands: {_list(live)}."
            + (f"   So far: {_list(self._seats)}." * bool(self._seats)),
            front.typed,
            "SEAT" if front.typed else "",
        )

    def _tie(self) -> None:
        seat = int(self._front.typed)
        if seat not in self._seats:
            self._seats.append(seat)
        self._front.clear()

    def _read(self, seats: tuple[int, ...]) -> None:
        front = self._front
        side = "high" if self._side == "high" else "low"
        if not front.do(Read(side, tuple(dict.fromkeys(seats)))):  # type: ignore[arg-type]
            self._seats = []
            return
        state = front.desk.state.hand
        self._seats = []
        if side == "high" and state is not None and low_possible(state) and not state.read_low:
            self._side = "low"
            return
        front.leave()

    def _back(self) -> None:
        if self._front.typed:
            self._front.clear()
        elif self._seats:
            self._seats.pop()
        else:
            self._front.leave()


def explain(front: Front) -> Reading:
    """Each tabled hand: which five cards make its high and its low."""
    state = front.desk.state.hand
    lines: list[str] = []
    if state is not None:
        lines.append(f"Board  {format_cards(state.board)}")
        highs, lows = read_tabled(state)
        for seat, cards in state.tabled.items():
            lines += ["", f"Seat {seat}  {format_cards(cards)}"]
            five = format_cards(high_cards(highs[seat], state.board, cards))
            lines.append(f"  HIGH  {describe_high(highs[seat])}:  {five}")
            if lows.get(seat):
                low = format_cards(low_cards(lows[seat], state.board, cards))
                lines.append(f"  LOW   {describe_low(lows[seat])}:  {low}")
            elif state.setup.profile.splits:
                lines.append("  LOW   none")
    return Reading(front, "THE HANDS", tuple(lines))


def _list(seats: list[int]) -> str:
    return " ".join(map(str, seats)) or "none"
