"""The console's command line: the words of a script, for who has a keyboard. `:` opens it.

Players can read the screen, so a PIN is not typed here, and a card that may be face down is not
shown as it is typed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.dealer.floor import AskPin
from omaha_table.floor import Give
from omaha_table.session.language import BadCommand, parse, without_secrets
from omaha_table.session.vocabulary import AskEffect, AskHelp, AskRulings, AskStep

if TYPE_CHECKING:
    from omaha_table.dealer.controller import Front
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.view import Prompt

OPENS: Final = "colon"
_LONGEST: Final = 70
_SIGNS: Final = {
    "space": " ", "full_stop": ".", "minus": "-", "apostrophe": "'", "quotation_mark": '"',
    "dollar_sign": "$", "comma": ",", "underscore": "_", "question_mark": "?",
}  # fmt: skip


class CommandLine:
    def __init__(self, front: Front) -> None:
        self._front, self._line = front, ""

    def show(self, strip: Strip) -> Prompt:
        strip.add("ENTER", "DO IT", self._do, strong=True)
        strip.add("A-Z", "WORDS OF A SCRIPT")
        strip.add("BACKSPACE", "ERASE")
        strip.add("ESC", "LEAVE", self._front.leave)
        typed = without_secrets(self._line) + (" " if self._line.endswith(" ") else "")
        return strip.prompt("DEALER", "COMMAND", f": {typed}_")

    def text(self, name: str) -> bool:
        """Takes every key there is."""
        letter = _SIGNS.get(name, name)
        if name in ("enter", "kp_enter"):
            self._do()
        elif name == "escape":
            self._front.leave()
        elif name in ("backspace", "delete"):
            self._line = self._line[:-1]
        elif len(letter) == 1 and letter.isprintable() and len(self._line) < _LONGEST:
            self._line += letter
            if self._line.strip().lower() == "floor":
                self._front.leave()
                self._front.enter(AskPin(self._front))
        return True

    def _do(self) -> None:
        front, line = self._front, self._line
        try:
            command = parse(line)
        except BadCommand as bad:
            front.refuse(str(bad))
            return
        if command is None:
            front.leave()
        elif isinstance(command, AskStep | AskHelp | AskRulings | AskEffect | Give):
            front.refuse("That is for a script: the screen shows the step, / * the help and rules.")
        elif front.do(command):
            front.leave()
        else:
            self._line = line
