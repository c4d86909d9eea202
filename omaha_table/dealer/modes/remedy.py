"""What the floor has ordered to put an error right, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

from omaha_table.dealer.change import leave
from omaha_table.dealer.model import Mode
from omaha_table.dealer.table_view import Page

if TYPE_CHECKING:
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt


@dataclass(frozen=True, slots=True)
class RemedySteps(Mode):
    """Read once when it is ordered; the menu shows it again."""

    steps: tuple[str, ...]

    def show(self, model: Model, strip: Strip) -> Prompt:
        strip.add("ENTER", "GO ON", leave, strong=True)
        strip.floor()
        lines = [
            line
            for number, step in enumerate(self.steps, start=1)
            for line in wrap(f"{number}  {step}", 64, subsequent_indent="   ")
        ]
        return strip.prompt(
            "DEALER",
            "THE REMEDY",
            "One step at a time. To see them again: / * 8.",
            page=Page("REMEDY", tuple(lines), over_table=True),
        )
