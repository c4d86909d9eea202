"""The scenes of the review: the keys that lead to each, and a desk for one folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.journal.writer import Clock
from tests.counters import PINS
from tests.review.driving import desk_of
from tests.review.swing import AT

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.review.screens.desk import Desk

SIGNED = (*"1", *PINS["F1"], "enter", *"2", *PINS["S1"], "enter")
"""F1 is the first on the list, S1 the second."""
COUNT = ("4", "+", *"105", "enter", "enter", *SIGNED)
EXPLAINED = ("*", "1", "1", *PINS["F1"], "enter")
NOTED = ("1", *PINS["F1"], "enter")
SCENES = {
    "hands_tagged_and_noted": ("2", "*", *NOTED, "+", "1"),
    "filter_offers": ("/",),
    "filter_suggestions": ("/", *"fla", "tab"),
    "replay": ("/", "7", *"19", "enter", "5", "3", "6", "6"),
    "replay_events": ("/", "7", *"19", "enter", "5", "3", "0"),
    "replay_of_a_refusal": ("-", *"222222", "5"),
    "unusual": ("-", "*", *NOTED, "*", "2"),
    "box_counted_pin": ("4", "+", *"105", "enter", "enter", "1", *"8201"),
    "box_explained": (*COUNT, "5", *EXPLAINED, *"6666"),
    "statistics": ("0",),
    "help": ("f1",),
    "palette": ("ctrl+p",),
}
"""The keys that lead there from the list."""


def desk(folder: Path, kept: Path) -> Desk:
    clock = Clock(lambda: AT + 4 * 3600, lambda: 1000.0)
    return desk_of(
        folder.glob("*.journal"), kept, clock=clock, verdict="√ chain of 966 events verified"
    )
