"""The first question at a table that was closed and is opened again: who is seated?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.dealer.change import do, enter
from omaha_table.dealer.event_text import chips
from omaha_table.dealer.modes.floor import AskPin
from omaha_table.dealer.table_view import Page
from omaha_table.table import commands as table

if TYPE_CHECKING:
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.session.reopening import Reopening
    from omaha_table.table.commands import SeatPlayer


def who_is_seated(asked: Reopening, strip: Strip) -> Prompt:
    strip.add("+", "SAME PLAYERS", do(table.ReopenTable("same")), strong=True)
    if asked.file:
        strip.add("*", "TABLE FILE'S PLAYERS", do(table.ReopenTable("file")), short="TABLE FILE")
    strip.add("-", "EMPTY TABLE", do(table.ReopenTable("empty")))
    strip.add("/", "FLOOR / MENU", enter(AskPin()))
    keys = "+, * or -" if asked.file else "+ or -"
    strip.when_pressed("ENTER", f"Who is seated? Press {keys}.")
    detail = f"Gaming day {asked.day} was closed with {_players(len(asked.last))}."
    page = Page(_title(asked), tuple(_lines(asked)))
    return strip.prompt("DEALER", "SAME PLAYERS?", detail, page=page)


def _players(count: int) -> str:
    return "1 player" if count == 1 else f"{count} players"


def _title(asked: Reopening) -> str:
    """Above its columns, each with the key that chooses it."""
    return f"     {'+ AT THE CLOSE':<26}{'* IN THE FILE' if asked.file else ''}".rstrip()


def _lines(asked: Reopening) -> list[str]:
    """Seat by seat: who sat there at the close, and whom the table's file names."""
    last = {player.seat: player for player in asked.last}
    file = {player.seat: player for player in asked.file}
    return [
        f"{seat:>4}  {_player(last.get(seat))}{_player(file.get(seat)) if file else ''}".rstrip()
        for seat in sorted({*last, *file})
    ]


def _player(player: SeatPlayer | None) -> str:
    if player is None:
        return f"{'-':<26}"
    stack = "not tracked" if player.stack is None else chips(player.stack)
    return f"{player.name[:13]:<14}{stack[:11]:<12}"
