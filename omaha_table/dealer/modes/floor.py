"""The floor is called: a PIN opens the list of rulings, and other keys what needs none."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from omaha_table.dealer.change import Change, CheckPin, LookUpPin, instead, leave
from omaha_table.dealer.model import Mode
from omaha_table.dealer.modes.duty import DealerPush
from omaha_table.dealer.modes.floor_call import call_keys, called_prompt
from omaha_table.dealer.modes.menu import Menu
from omaha_table.dealer.modes.pin_entry import PinEntry
from omaha_table.dealer.modes.ruling import ChooseRuling
from omaha_table.dealer.modes.seat_in_hand import WhichSeat
from omaha_table.dealer.table_view import Page
from omaha_table.hand.frozen import replace

if TYPE_CHECKING:
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.floor import Identity
    from omaha_table.session.answer import Answer


@dataclass(frozen=True, slots=True)
class AskPin(Mode):
    """`/`: a supervisor types the PIN at once; everything else is on the other keys."""

    entry: PinEntry = field(default_factory=PinEntry)
    checking: bool = False
    refused: bool = False
    """Whether a PIN was wrong: `/` was then meant to open this dialog for the next try."""

    def show(self, model: Model, strip: Strip) -> Prompt:
        if self.checking:
            said = ("Checking the PIN …", "Keys typed now are used after it.")
            page = Page("FLOOR", said, over_table=True)
            return strip.prompt("FLOOR", "CHECKING PIN", "One moment.", page=page)
        entry = self.entry
        entry.keys(strip, self._typed, "ACCEPT PIN", self._accept)
        waiting = _ruling_begun(model)
        if not entry.begun and waiting:
            strip.add(".", "BACK TO THE RULING", leave)
        elif not entry.begun:
            call_keys(model, strip)
            strip.add("*", "MENU, HELP", instead(Menu()))
            strip.add("+", "DEALER PUSH", instead(DealerPush()))
            if model.state.hand is not None and not self.refused:
                strip.add("/", "SEATS", instead(WhichSeat()))
            strip.add(".", "LEAVE", leave)
        if self.refused or waiting:
            strip.when_pressed("/", "The floor's dialog is open: type the PIN again.")
        if model.state.floor_call is not None and not entry.begun and not waiting:
            return called_prompt(model, strip)
        lines = (
            *entry.lines("Floor supervisor: type your PIN, then ENTER."),
            "The table stays as it is meanwhile.",
            "",
        )
        page = Page("FLOOR", lines, dots=len(entry.pin), over_table=True)
        return strip.prompt("FLOOR", "FLOOR: PIN", entry.detail, page=page)

    def _typed(self, model: Model, entry: PinEntry) -> Change:
        return Change(model.become(AskPin(entry)))

    def _accept(self, model: Model) -> Change:
        waiting = model.become(AskPin(checking=True))
        return Change(waiting, (LookUpPin(self.entry.pin, self._looked_up, self.entry.number),))

    def _looked_up(self, model: Model, who: Identity) -> Change:
        # Who has said who it is types the PIN alone the next time.
        again = AskPin(PinEntry(self.entry.number), refused=True)

        def checked(now: Model, answer: Answer) -> Change:
            if answer.refusal is not None:
                return Change(now.become(again).refuse(answer.refusal.message))
            begun = _ruling_begun(now)
            return Change(
                replace(now.clear(), modes=begun or now.modes[:-1]).enter(ChooseRuling(who))
            )

        return Change(model.become(again), (CheckPin(who, checked),))


def _ruling_begun(model: Model) -> tuple[Mode, ...]:
    """What stands under a list of rulings that is open already; empty: none is."""
    modes = model.modes
    lists = (at for at, mode in enumerate(modes) if isinstance(mode, ChooseRuling))
    return modes[: next(lists, 0)]
