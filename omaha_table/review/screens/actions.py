"""What can be done on each page of the review, as data.

The bindings, the footer, the command palette and the help panel all derive from these tables. The
first key of an action is the number pad's; the pad without NumLock sends arrows and paging keys.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from textual.binding import Binding, BindingType


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do: the screen has a method `action_` and the last part of the id."""

    id: str
    keys: str
    label: str
    tooltip: str
    shown: bool = True
    """Whether the footer names it."""
    cap: str = ""
    """How the footer writes its key."""

    @property
    def method(self) -> str:
        return self.id.rpartition(".")[2]

    @property
    def binding(self) -> Binding:
        return Binding(
            self.keys, self.method, self.label, show=self.shown, key_display=self.cap or None,
            tooltip=self.tooltip, id=self.id,
        )  # fmt: skip


def bindings(actions: tuple[Action, ...]) -> list[BindingType]:
    return [action.binding for action in actions]


_FILTER: Final = ("slash", "Filter", "Show only the hands that fit a filter")
_BACK_KEYS: Final = "full_stop,escape,delete,backspace"

APP: Final = (
    Action("app.help", "f1,question_mark", "Help", "Show all keys of this page", shown=False),
    Action("app.theme", "f2", "Theme", "Switch between the dark and the light theme", shown=False),
    Action("app.leave", "ctrl+q", "Quit", "Leave the review", shown=False),
)
LIST: Final = (
    Action("list.up", "8,up", "Up", "One line up", shown=False),
    Action("list.down", "2,down", "Down", "One line down", shown=False),
    Action("list.page_up", "9,pageup", "Page up", "One page up", shown=False),
    Action("list.page_down", "3,pagedown", "Page down", "One page down", shown=False),
    Action("list.first", "7,home", "First", "To the first line", shown=False),
    Action("list.last", "1,end", "Last", "To the last line", shown=False),
)
PANES: Final = (
    Action("panes.copy", "c", "Copy line", "Copy the chosen line; drag the mouse to copy a part",
           shown=False),
    Action("panes.grow", "greater_than_sign,ctrl+right,ctrl+down", "Larger list",
           "Move the divider: a larger list", shown=False),
    Action("panes.shrink", "less_than_sign,ctrl+left,ctrl+up", "Smaller list",
           "Move the divider: a smaller list", shown=False),
)  # fmt: skip
HANDS: Final = (
    Action("hands.open", "5,enter,6,right", "Open", "Step through the chosen hand", cap="5"),
    Action("hands.filter", *_FILTER, cap="/"),
    Action("hands.unusual", "minus", "Unusual", "Go through unusual events one by one", cap="-"),
    Action("hands.boxes", "4,left", "Boxes", "Drop boxes: what is due, counts, variances", cap="4"),
    Action("hands.statistics", "0,insert", "Stats", "Pace, pots and dealers", cap="0"),
    Action("hands.note", "plus", "Note", "Write a note on the chosen hand", cap="+"),
    Action("hands.tag", "asterisk", "Tag", "Tag the chosen hand, or take the tag off", cap="*"),
    Action("hands.sheet", "p", "Sheet", "Save the incident sheet of the chosen hand, to print",
           shown=False),
    Action("hands.leave", _BACK_KEYS, "Leave", "Leave the review", cap="."),
)  # fmt: skip
REPLAY: Final = (
    Action("replay.forward", "6,right", "Step", "One step forward", cap="4 6"),
    Action("replay.backward", "4,left", "Step back", "One step back", shown=False),
    Action("replay.next_street", "3,pagedown", "Street", "To the next street", cap="9 3"),
    Action("replay.previous_street", "9,pageup", "Street back", "To the street before",
           shown=False),
    Action("replay.end", "1,end", "Ends", "To the last step", cap="7 1"),
    Action("replay.start", "7,home", "Start", "To the first step", shown=False),
    Action("replay.play", "5,space", "Play", "Play the hand step by step, or stop", cap="5"),
    Action("replay.next_hand", "2,down", "Next", "The next hand of the list", cap="8 2"),
    Action("replay.previous_hand", "8,up", "Hand before", "The hand before", shown=False),
    Action("replay.events", "0,insert,e", "Events", "Switch between table and events", cap="0"),
    Action("replay.note", "plus", "Note", "Write a note on this hand", cap="+"),
    Action("replay.tag", "asterisk", "Tag", "Tag this hand, or take the tag off", cap="*"),
    Action("replay.sheet", "p", "Sheet", "Save the incident sheet of this hand, to print",
           shown=False),
    Action("replay.copy", "c", "Copy step", "Copy this step: time, words and hash", shown=False),
    Action("replay.copy_hash", "h", "Copy hash", "Copy the whole hash of this step", shown=False),
    Action("replay.back", _BACK_KEYS, "Back", "Back to the list", cap="."),
)  # fmt: skip
UNUSUAL: Final = (
    Action("unusual.open", "5,enter,6,right", "Open", "Open the hand at this step", cap="5"),
    Action("unusual.seen", "asterisk", "Seen, next", "Mark the line as seen, or take the mark off",
           cap="*"),
    Action("unusual.which", "0,insert", "Unseen/all", "Leave out what was seen, or show all",
           cap="0"),
    Action("unusual.order", "4,left", "Kind/time", "Order by kind, or by time", cap="4"),
    Action("unusual.filter", *_FILTER, cap="/"),
    Action("unusual.note", "plus", "Note", "Write a note on the hand or the event", cap="+"),
    Action("unusual.back", _BACK_KEYS, "Back", "Back to the hands", cap="."),
)  # fmt: skip
BOXES: Final = (
    Action("boxes.open", "5,enter,6,right", "Open", "Open the chosen box", cap="5"),
    Action("boxes.count", "plus", "Enter the count", "Count the chosen box; two people sign",
           cap="+"),
    Action("boxes.review", "asterisk", "Explain/close", "Explain the variance, or close it",
           cap="*"),
    Action("boxes.back", _BACK_KEYS, "Back", "Back to the hands", cap="."),
)  # fmt: skip
BOX: Final = (
    Action("box.next_sheet", "6,right", "Sheet", "The next sheet", cap="4 6"),
    Action("box.previous_sheet", "4,left", "Sheet before", "The sheet before", shown=False),
    Action("box.open", "5,enter", "Open hand", "Open the hand of this line", cap="5"),
    Action("box.count", "plus", "Enter the count", "Count this box; two people sign", cap="+"),
    Action("box.review", "asterisk", "Explain/close", "Explain the variance, or close it",
           cap="*"),
    Action("box.back", _BACK_KEYS, "Back", "Back to the boxes", cap="."),
)  # fmt: skip
STATISTICS: Final = (
    Action("statistics.filter", *_FILTER, cap="/"),
    Action("statistics.back", _BACK_KEYS, "Back", "Back to the hands", cap="."),
)
