"""A question before something that is hard to take back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omaha_table.dealer.change import Change, Do, leave, stay
from omaha_table.dealer.model import Mode

if TYPE_CHECKING:
    from omaha_table.dealer.change import Then
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.table.commands import TableCommand


@dataclass(frozen=True, slots=True)
class Sure(Mode):
    """Asks once more, with another key than the one that is being hammered."""

    title: str
    detail: str
    yes: str
    command: TableCommand
    then: Then = stay
    no: str = "NO, GO BACK"

    def show(self, model: Model, strip: Strip) -> Prompt:
        strip.add("+", self.yes, self._confirm, strong=True)
        strip.add("ENTER", self.no, leave)
        strip.add(".", "BACK", leave)
        strip.floor()
        return strip.prompt("SURE", self.title, self.detail)

    def _confirm(self, model: Model) -> Change:
        return Change(model.leave(), (Do(self.command, self.then),))
