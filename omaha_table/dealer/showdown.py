"""The showdown by eye: the dealer names the winners; and every tabled hand explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.cards import format_cards
from omaha_table.dealer.pages import Reading
from omaha_table.evaluate.words import describe_high, describe_low, high_cards, low_cards
from omaha_table.hand.commands import Read
from omaha_table.hand.phases import Phase
from omaha_table.hand.showdown import claims, low_possible, read_tabled

if TYPE_CHECKING:
    from omaha_table.dealer.controller import Front
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.view import Prompt
    from omaha_table.hand import HandState
    from omaha_table.hand.events import Side


class ReadWinners:
    """Pot by pot from the main pot up, high and then low; a tie is several seats.

    Whoever has the best hand of the main pot has it in every side pot he is in, so each answer
    settles as many pots as it can.
    """

    def __init__(self, front: Front) -> None:
        self._front = front
        self._seats: list[int] = []

    def show(self, strip: Strip) -> Prompt:
        front = self._front
        due = unread_pot(front.session.state.hand)
        side, name, live = due if due is not None else ("high", "", [])
        typed = int(front.typed) if front.typed else None
        named = [*self._seats, *([typed] if typed is not None and typed in live else [])]
        if typed is not None and typed not in live:
            strip.add("ENTER", "", grey=f"Seat {typed} cannot win it: {_list(live)} can.")
        elif named:
            label = f"{side.upper()}: SEAT {_list(named)}"
            strip.add("ENTER", label, lambda: self._read(side, tuple(named)), strong=True)
        else:
            strip.add("ENTER", "", grey=f"{name}, {side.upper()}: type the seat that has it.")
        if typed in live:
            strip.add("+", "TIE WITH ANOTHER", self._tie)
        if side == "low" and not named:
            strip.add("-", "NO LOW", lambda: self._read(side, ()))
        strip.digits("SEAT", front.type_digit)
        strip.add(".", "BACK", self._back)
        so_far = f"   So far: {_list(self._seats)}." if self._seats else ""
        return strip.prompt(
            "DEALER",
            f"{side.upper()}: WHO WINS?",
            f"{name}, {side.upper()}.   Live hands: {_list(live)}.{so_far}",
            front.typed,
            "SEAT" if front.typed else "",
        )

    def _tie(self) -> None:
        seat = int(self._front.typed)
        if seat not in self._seats:
            self._seats.append(seat)
        self._front.clear()

    def _read(self, side: Side, seats: tuple[int, ...]) -> None:
        front = self._front
        front.do(Read(side, tuple(dict.fromkeys(seats))))
        self._seats = []
        if unread_pot(front.session.state.hand) is None and front.mode is self:
            front.leave()

    def _back(self) -> None:
        if self._front.typed:
            self._front.clear()
        elif self._seats:
            self._seats.pop()
        else:
            self._front.leave()


def unread_pot(state: HandState | None) -> tuple[Side, str, list[int]] | None:
    """The first pot that nobody has read: its side, its name, and who can win it."""
    if state is None or state.phase is not Phase.SHOWDOWN:
        return None
    sides: tuple[Side, ...] = ("high", "low") if low_possible(state) else ("high",)
    pots = state.pots()
    for side in sides:
        read = state.read_high if side == "high" else state.read_low
        for number, pot in enumerate(pots):
            live = claims(state, pot)
            tabled = all(seat in state.tabled for seat in live)
            if len(live) > 1 and number not in read and not tabled:
                name = "MAIN pot" if number == 0 else f"SIDE pot {number}"
                return side, name if len(pots) > 1 else "The pot", live
    return None


def explain(front: Front) -> Reading:
    """Each tabled hand: which five cards make its high and its low."""
    state = front.session.state.hand
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
