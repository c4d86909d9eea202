"""The menu behind `/` `*`: what anybody may look at, and how to leave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import Change
from omaha_table.dealer.modes import pages
from omaha_table.dealer.modes.alarm_key import alarm_seen
from omaha_table.dealer.modes.duty import DealerPush
from omaha_table.dealer.modes.folds import FoldedEarly, can_fold_early
from omaha_table.dealer.modes.leaving import shut_down
from omaha_table.dealer.modes.lists import ListMode
from omaha_table.dealer.modes.remedy import RemedySteps
from omaha_table.dealer.modes.slips import Slips

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.dealer.model import Model


def _read(page: Callable[[Model], pages.Reading]) -> Callable[[Model], Change]:
    """Opens a page over the menu, so that BACK comes back to it."""
    return lambda model: Change(model.enter(page(model)))


def _slips(model: Model) -> Change:
    return Change(model.enter(Slips()))


def _dealer_push(model: Model) -> Change:
    return Change(model.leave().enter(DealerPush()))


def _alarm_seen(model: Model) -> Change:
    return alarm_seen(model.leave())


def _remedy(model: Model) -> Change:
    if not model.story.remedy:
        return Change(model.leave().inform("No remedy of the floor is left to do."))
    return Change(model.leave().enter(RemedySteps(model.story.remedy)))


def _folded_early(model: Model) -> Change:
    if not can_fold_early(model):
        return Change(model.leave().refuse("No seat can fold out of turn now."))
    return Change(model.leave().enter(FoldedEarly()))


def _shut_down(model: Model) -> Change:
    return shut_down(model.leave())


_LINES: Final = (
    ("Help: the keys", _read(pages.help_page)),
    ("Posted rules", _read(pages.rules_page)),
    ("Devices", _read(pages.devices_page)),
    ("Last events", _read(pages.events_page)),
    ("Shift slip, and those of the shifts before", _slips),
    ("Dealer push; shift and boxes", _dealer_push),
    ("Alarm seen", _alarm_seen),
    ("The floor's remedy, step by step", _remedy),
    ("Shut the console down (the hand is kept)", _shut_down),
    ("A seat folded out of turn", _folded_early),
)


@dataclass(frozen=True, slots=True)
class Menu(ListMode):
    @property
    def title(self) -> str:
        return "MENU"

    @property
    def items(self) -> tuple[str, ...]:
        return tuple(text for text, _ in _LINES)

    def chosen(self, model: Model, at: int) -> Change:
        return _LINES[at][1](model)
