"""Pages to read: the keys, the posted rules, the devices, the last events, the shift slip."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import become, leave, leave_all
from omaha_table.dealer.event_text import chips
from omaha_table.dealer.model import Mode
from omaha_table.dealer.table_view import Page
from omaha_table.hand.frozen import replace
from omaha_table.rules.posted_card import card

if TYPE_CHECKING:
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt

PAGE_LINES: Final = 9
"""What fits over the smallest table."""
LINE: Final = 68


@dataclass(frozen=True, slots=True)
class Reading(Mode):
    """A text over the table, a page at a time."""

    title: str
    lines: tuple[str, ...]
    at: int = 0

    def show(self, model: Model, strip: Strip) -> Prompt:
        count = max(-(-len(self.lines) // PAGE_LINES), 1)
        strip.add("ENTER", "BACK TO THE TABLE", leave_all, strong=True)
        if self.at + 1 < count:
            strip.add("+", "NEXT PAGE", become(replace(self, at=self.at + 1)))
        if self.at:
            strip.add("-", "PREVIOUS PAGE", become(replace(self, at=self.at - 1)))
        strip.add(".", "BACK", leave)
        first = self.at * PAGE_LINES
        title = f"{self.title}   {self.at + 1} of {count}"
        page = Page(title, self.lines[first : first + PAGE_LINES])
        return strip.prompt("READY", "READ", "The table waits; nothing is changed.", page=page)


_HELP: Final = (
    "The strip at the bottom shows what each key of the pad does now.",
    "ENTER  goes on: check, call, the typed raise, pushed, start hand",
    "-      fold, muck",
    "+      bet or raise in a limit game; confirms an undo",
    "*      the pot or all-in; explain the hands",
    ".      one step back; asks before it takes an entry back",
    "/      floor and menu",
    "0-9    an amount, a seat, a rank",
    "NumLock does not matter, and the main row works too.",
    "To raise to an amount: type it, then ENTER.",
    "In a limit game, to fold up to a seat: its number, then -.",
    "Cards: the rank, 1=A 2-9 10=T 11=J 12=Q 13=K, then the suit:",
    "       / spade   * heart   - diamond   + club",
    "Between hands: a seat's number, then ENTER: chips, away, leave.",
    "On a keyboard, : opens a command line: seat 5 Ada 200",
    "",
    "To shut the console down: / then * then 9. The hand is kept.",
)


def help_page(model: Model) -> Reading:
    return Reading("KEYS", _HELP)


def rules_page(model: Model) -> Reading:
    """The posted rules of the table."""
    lines: list[str] = []
    for line in card(model.state.profile):
        first, *rest = wrap(line.text, LINE - 20) or [""]
        lines.append(f"{line.topic[:18]:<20}{first}")
        lines += [f"{'':<20}{more}" for more in rest]
    return Reading("POSTED RULES", tuple(lines))


def devices_page(model: Model) -> Reading:
    lines: list[str] = []
    for device in model.facts.devices:
        status = f"{device.name.upper()}  {device.link}, {device.trust}: {device.doing}"
        lines += wrap(status, LINE, subsequent_indent="  ")
        lines += wrap(device.alarm, LINE, initial_indent="  ", subsequent_indent="  ")
    if model.facts.count_only and model.facts.device("shoe") is not None:
        lines.append("No surveillance key: the shoe only counts, cards are not kept.")
    return Reading("DEVICES", tuple(lines or ["No device is configured."]))


def events_page(model: Model) -> Reading:
    return Reading("LAST EVENTS", tuple(line[:LINE] for line in model.story.log))


def slip_page(model: Model) -> Reading:
    """What is printed or copied at the end of a shift, with the head of the log."""
    state = model.state
    lines = [
        f"Table {model.title}   {_hands(state.hands)}",
        f"Shift {state.shift or '-'}   box {state.box.name or '-'}   "
        f"jackpot box {state.box.jackpot_name or '-'}",
        f"Drop {chips(state.box.fees)}   jackpot {chips(state.box.jackpots)}",
    ]
    if state.down is not None:
        lines.append(
            f"Dealer {state.down.dealer}: {_hands(state.down.hands)}, "
            f"drop {chips(state.down.fees)}+{chips(state.down.jackpots)}"
        )
    words = model.facts.head_words
    if words:
        lines += ["", "Head of the log, to copy on the slip:", f"  {words}"]
    return Reading("SHIFT SLIP", tuple(lines))


def _hands(count: int) -> str:
    return "1 hand" if count == 1 else f"{count} hands"
