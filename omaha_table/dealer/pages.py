"""Pages to read: the keys, the posted rules, the devices, the last events, the shift slip."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.event_text import chips
from omaha_table.dealer.view import Page
from omaha_table.rules.posted_card import card

if TYPE_CHECKING:
    from omaha_table.dealer.controller import Front
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.view import Prompt

PAGE_LINES: Final = 9
"""What fits over the smallest table."""
LINE: Final = 68


class Reading:
    """A text over the table, a page at a time."""

    def __init__(self, front: Front, title: str, lines: tuple[str, ...]) -> None:
        self._front, self._title, self._at = front, title, 0
        self._pages = [
            lines[at : at + PAGE_LINES] for at in range(0, max(len(lines), 1), PAGE_LINES)
        ]

    def show(self, strip: Strip) -> Prompt:
        strip.add("ENTER", "BACK TO THE TABLE", self._front.leave_all, strong=True)
        if self._at + 1 < len(self._pages):
            strip.add("+", "NEXT PAGE", lambda: self._turn(1))
        if self._at:
            strip.add("-", "PAGE BEFORE", lambda: self._turn(-1))
        strip.add(".", "BACK", self._front.leave)
        count = f"{self._at + 1} of {len(self._pages)}"
        page = Page(f"{self._title}   {count}", tuple(self._pages[self._at]))
        return strip.prompt("READY", "READ", "The table waits; nothing is changed.", page=page)

    def _turn(self, by: int) -> None:
        self._at += by


_HELP: Final = (
    "The strip at the bottom says what each key of the pad does now.",
    "ENTER  goes on: check, call, the typed raise, pushed, start hand",
    "-      fold, muck",
    "+      bet or raise; the deliberate key that confirms",
    "*      the pot or all-in; explain the hands",
    ".      one step back; asks before it takes an entry back",
    "/      floor and menu",
    "0-9    an amount, a seat, a rank",
    "NumLock does not matter, and the main row works too.",
    "Raise to an amount: type it, then ENTER.",
    "In a limit game, fold up to a seat: its number, then -.",
    "Cards: the rank, 1=A 2-9 10=T 11=J 12=Q 13=K, then the suit:",
    "       / spade   * heart   - diamond   + club",
    "Between hands: a seat's number, then ENTER: chips, away, leave.",
    "With a keyboard : takes the words of a script: seat 5 Ada 200",
    "",
    "To shut the console down: / then * then 9. The hand is kept.",
)


def help_page(front: Front) -> Reading:
    return Reading(front, "KEYS", _HELP)


def rules_page(front: Front) -> Reading:
    """The posted rules of the table, with where each comes from."""
    lines: list[str] = []
    for line in card(front.session.state.profile):
        first, *rest = wrap(line.text, LINE - 20) or [""]
        lines.append(f"{line.topic[:18]:<20}{first}")
        lines += [f"{'':<20}{more}" for more in rest]
    return Reading(front, "POSTED RULES", tuple(lines))


def devices_page(front: Front) -> Reading:
    lines: list[str] = []
    for device in front.devices.devices.values() if front.devices is not None else ():
        said = f"{device.name.upper()}  {device.link}, {device.trust}: {device.doing}"
        lines += wrap(said, LINE, subsequent_indent="  ")
        lines += wrap(device.alarm, LINE, initial_indent="  ", subsequent_indent="  ")
    if front.session.count_only:
        lines.append("No surveillance key: the shoe only counts, cards are not kept.")
    return Reading(front, "DEVICES", tuple(lines or ["No device is configured."]))


def events_page(front: Front) -> Reading:
    return Reading(front, "LAST EVENTS", tuple(line[:LINE] for line in front.log))


def slip_page(front: Front) -> Reading:
    """What is printed or copied at the end of a shift, with the head of the log."""
    state = front.session.state
    lines = [
        f"Table {front.title}   {_hands(state.hands)}",
        f"Shift {state.shift or '-'}   box {state.box.name or '-'}   "
        f"jackpot box {state.box.jackpot_name or '-'}",
        f"Drop {chips(state.box.fees)}   jackpot {chips(state.box.jackpots)}",
    ]
    if state.down is not None:
        lines.append(
            f"Dealer {state.down.dealer}: {_hands(state.down.hands)}, "
            f"drop {chips(state.down.fees)}+{chips(state.down.jackpots)}"
        )
    words = front.session.head_words
    if words:
        lines += ["", "Head of the log, to copy on the slip:", f"  {words}"]
    return Reading(front, "SHIFT SLIP", tuple(lines))


def _hands(count: int) -> str:
    return "1 hand" if count == 1 else f"{count} hands"
