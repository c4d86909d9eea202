"""The console's command line: the words of a script, typed on a keyboard. `:` opens it.

Players can read the screen, so a PIN is not typed here, and a card that may be face down is not
shown as it is typed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import Change, Do, leave, leave_if_done
from omaha_table.dealer.model import Mode
from omaha_table.dealer.modes.floor import AskPin
from omaha_table.floor import Give, SignIn, SignShift
from omaha_table.session.commands import DealSealedCard
from omaha_table.session.language import BadCommand, parse, without_secrets
from omaha_table.session.vocabulary import (
    AskEffect,
    AskHelp,
    AskRulings,
    AskSimilar,
    AskStep,
)

if TYPE_CHECKING:
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt

OPENS: Final = "colon"
_LONGEST: Final = 70
_ONLY_THE_SHOE: Final = (
    "Only the shoe reads cards. Type the board with flop, turn or river; an unread card is card ??."
)
_SIGNS: Final = {
    "space": " ", "full_stop": ".", "minus": "-", "apostrophe": "'", "quotation_mark": '"',
    "dollar_sign": "$", "comma": ",", "underscore": "_", "question_mark": "?",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class CommandLine(Mode):
    line: str = ""

    def show(self, model: Model, strip: Strip) -> Prompt:
        strip.add("ENTER", "DO IT", self._do, strong=True)
        strip.explain("A-Z", "SCRIPT COMMANDS")
        strip.explain("BACKSPACE", "ERASE")
        strip.add("ESC", "LEAVE", leave)
        typed = without_secrets(self.line) + (" " if self.line.endswith(" ") else "")
        return strip.prompt("DEALER", "COMMAND", f": {typed}_")

    def text(self, model: Model, name: str) -> Change:
        """Takes every key there is."""
        letter = _SIGNS.get(name, name)
        line = self.line
        if name in ("enter", "kp_enter"):
            return self._do(model)
        if name == "escape":
            return Change(model.leave())
        if name in ("backspace", "delete"):
            line = line[:-1]
        elif len(letter) == 1 and letter.isprintable() and len(line) < _LONGEST:
            line += letter
            if line.strip().lower() == "floor":
                return Change(model.leave().enter(AskPin()))
        return Change(model.become(CommandLine(line)))

    def _do(self, model: Model) -> Change:
        try:
            command = parse(self.line)
        except BadCommand as bad:
            return Change(model.refuse(str(bad)))
        if command is None:
            return Change(model.leave())
        if isinstance(command, AskStep | AskHelp | AskRulings | AskEffect | AskSimilar | Give):
            return Change(
                model.refuse("That command works only in a script. For help press ESC, then / *.")
            )
        if isinstance(command, SignIn | SignShift):
            return Change(model.refuse("Type no PIN here. Press ESC, then / + for the push."))
        if isinstance(command, DealSealedCard):
            # Refused before anything is compared: the answer is the same for every card.
            return Change(model.refuse(_ONLY_THE_SHOE))
        return Change(model, (Do(command, leave_if_done),))
