"""Whether numbered events were all reported, or said to be lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_drivers.events import EventsLost, Restarted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from omaha_drivers.events import DeviceEvent


def is_told(numbers: list[int | None]) -> bool:
    """Whether numbers go up by one, with a None (something is lost) wherever they do not."""
    last: int | None = 0
    for number in numbers:
        if number is not None and last is not None and number != last + 1:
            return False
        last = number
    return True


def numbers(
    events: Iterable[DeviceEvent], number: Callable[[DeviceEvent], int | None]
) -> list[int | None]:
    """The numbers of events, and None for what says that something is lost."""
    found: list[int | None] = []
    for event in events:
        if isinstance(event, EventsLost | Restarted):
            found.append(None)
        elif (one := number(event)) is not None:
            found.append(one)
    return found
