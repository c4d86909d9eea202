"""The menu behind `/` `*`: what anybody may look at, and how to leave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.change import AcknowledgeAlarms, Change
from omaha_table.dealer.modes import pages
from omaha_table.dealer.modes.duty import DealerPush
from omaha_table.dealer.modes.lists import ListMode
from omaha_table.dealer.modes.remedy import RemedySteps
from omaha_table.hand.frozen import replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.dealer.model import Model


def _read(page: Callable[[Model], pages.Reading]) -> Callable[[Model], Change]:
    """Opens a page over the menu, so that BACK comes back to it."""
    return lambda model: Change(model.enter(page(model)))


def _dealer_push(model: Model) -> Change:
    return Change(model.leave().enter(DealerPush()))


def _silence(model: Model) -> Change:
    alarmed = any(device.alarm or device.lost for device in model.facts.devices)
    if not alarmed:
        return Change(model.leave().inform("No device has an alarm."))
    return Change(model.leave(), (AcknowledgeAlarms(),))


def _remedy(model: Model) -> Change:
    if not model.story.remedy:
        return Change(model.leave().inform("The floor has ordered no remedy in this hand."))
    return Change(model.leave().enter(RemedySteps(model.story.remedy)))


def _shut_down(model: Model) -> Change:
    return Change(replace(model.leave(), quit=True))


_LINES: Final = (
    ("Help: the keys", _read(pages.help_page)),
    ("Posted rules", _read(pages.rules_page)),
    ("Devices", _read(pages.devices_page)),
    ("Last events", _read(pages.events_page)),
    ("Shift slip with the head of the log", _read(pages.slip_page)),
    ("Dealer push; shift and boxes", _dealer_push),
    ("Silence the alarm", _silence),
    ("The floor's remedy, step by step", _remedy),
    ("Shut the console down (the hand is kept)", _shut_down),
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
