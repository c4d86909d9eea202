"""Pages to read: the keys, the posted rules, the devices, the last events."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import become, leave, leave_all
from omaha_table.dealer.device_text import device_lines
from omaha_table.dealer.model import Mode
from omaha_table.dealer.room_status import room_lines
from omaha_table.dealer.table_view import Page
from omaha_table.hand.frozen import replace
from omaha_table.rules.posted_card import card
from omaha_table.session.equipment import SURVEILLANCE_KEY

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
        strip.floor()
        first = self.at * PAGE_LINES
        title = f"{self.title}   {self.at + 1} of {count}"
        page = Page(title, self.lines[first : first + PAGE_LINES])
        return strip.prompt("READY", "READ", "The table waits; nothing is changed.", page=page)


_HELP: Final = (
    "The strip at the bottom shows what each key of the pad does now.",
    "ENTER  check, call, the typed raise; cut the deck, name who wins",
    "+      starts the hand; bets and raises in a limit game; confirms",
    "0      cards are out, the keyed board is right, the chips are pushed",
    "-      fold, muck",
    "*      fills in the pot or all-in; explains the hands; alarm seen",
    ".      one step back; asks before it takes an entry back,",
    "       also a seat, chips, a drawn card or the start of a hand",
    "/      floor and menu; / ENTER calls the floor, / - ends the call",
    "0-9    an amount, a seat, a rank",
    "NumLock does not matter, and the main row works too.",
    "To raise to an amount: type it, then ENTER.",
    "A seat's number, then -: all before it fold, or it alone, early.",
    "Cards: the rank, 1=A 2-9 10=T 11=J 12=Q 13=K, then the suit:",
    "       / spade   * heart   - diamond   + club",
    "Between hands: a seat's number, then ENTER: name, chips, away.",
    "In a hand: / / and the seat's number. It happens when the hand ends.",
    "On a keyboard, : opens a command line: seat 5 Ada 200",
    "",
    "To shut the console down: / then * then 9; in a hand + confirms it.",
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
    """Each device: what it does, all that is wrong with it, who it is, and its meters."""
    lines: list[str] = []
    missing = {one.what: one.detail for one in model.facts.missing}
    for device in model.facts.devices:
        if device.name not in missing:
            for text, indent in device_lines(model.facts, device):
                gap = " " * indent
                lines += wrap(text, LINE, initial_indent=gap, subsequent_indent=f"{gap}  ")
    for what, detail in missing.items():
        lines += wrap(f"{what.upper()}  {detail}", LINE, subsequent_indent="  ")
    if model.facts.mirror_fault:
        text = f"SECOND COPY  {model.facts.mirror_fault}"
        lines += wrap(text, LINE, subsequent_indent="  ")
    if model.facts.room is not None:
        for text in room_lines(model.facts.room.status):
            lines += wrap(text, LINE, subsequent_indent="  ")
    counts = model.facts.count_only and model.facts.device("shoe") is not None
    if counts and SURVEILLANCE_KEY not in missing:
        lines.append("No surveillance key: the shoe only counts, cards are not kept.")
    return Reading("DEVICES", tuple(lines or ["No device is configured."]))


def events_page(model: Model) -> Reading:
    return Reading("LAST EVENTS", tuple(line[:LINE] for line in model.story.log))
