"""The shuffler: which deck is in it, and whether the deck that is taken may be dealt.

What is known of the deck is in the table's state, and so in the log: a restart knows it, also with
a shuffler that cannot report again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_drivers import events as device_events

from omaha_table.session.deck_text import again_text, unverified_text
from omaha_table.session.device_notes import detail, event_name
from omaha_table.table.commands import NoteMachineDeck, ReportDeck
from omaha_table.table.machine_deck import MachineDeck, after, taken

if TYPE_CHECKING:
    from omaha_drivers.events import DeviceEvent

    from omaha_table.session.attached import Attached
    from omaha_table.session.commands import SessionCommand
    from omaha_table.session.device_status import Device
    from omaha_table.table.machine_deck import DeckStep

UNMARKED: Final = "unmarked"
"""The color of a deck if a shuffler that reports colors does not report it."""
_AGAIN: Final = "again"
"""The cause of the alarm that a deck needs another full cycle."""


class Shuffler:
    def __init__(self, attached: Attached) -> None:
        self._attached = attached

    @property
    def _deck(self) -> MachineDeck | None:
        return self._attached.session.state.machine

    def end_alarms(self) -> None:
        shuffler, state = self._attached.of("shuffler"), self._attached.session.state
        if shuffler is None:
            return
        deck = state.machine
        # A faulty deck concerns the next hand as well: until the floor lets it back, another one is
        # in the machine, or one was shuffled by hand.
        if state.deck == "manual" or not self._is_faulty(shuffler, deck):
            self._attached.end_alarm(shuffler, "deck")
        waits = state.deck == "unverified" or (deck is not None and deck.stage == "again")
        if not waits:
            self._attached.end_alarm(shuffler, _AGAIN)

    def _is_faulty(self, device: Device, deck: MachineDeck | None) -> bool:
        state = self._attached.session.state
        if not device.reports_backs:
            return state.deck == "bad" or (deck is not None and deck.stage == "floor")
        return bool(state.decks_out) and (deck is None or deck.back in state.decks_out)

    def commands(self, device: Device, event: DeviceEvent) -> list[SessionCommand]:
        if isinstance(event, device_events.DeckTaken):
            return self._take(device, event.cycle if device.reports_cycles else 0)
        step = _step(event, numbered=device.reports_cycles)
        if step is None:
            return self._attached.note_event(device, event)
        was = self._deck
        cycle = getattr(event, "cycle", 0) if device.reports_cycles else 0
        deck = after(was, step, self._back(device, event), cycle)
        if step == "loaded" and deck.back in self._attached.session.state.decks_out:
            deck = MachineDeck(deck.back, "floor", why="out_of_play")
        made = self._note(device, event)
        if deck.stage == "none" or (deck == was and step != "loaded"):
            return made
        made.append(NoteMachineDeck(deck))
        if deck.stage == _AGAIN:
            self._attached.alarm_behind(device, _AGAIN, again_text(deck))
        found_wrong = deck.stage == "floor" and step not in ("loaded", "shuffle_started")
        if found_wrong and deck.back:
            count = event.count if isinstance(event, device_events.DeckVerified) else None
            made.append(ReportDeck("bad", count, deck.back))
        return made

    def _note(self, device: Device, event: DeviceEvent) -> list[SessionCommand]:
        match event:
            case device_events.Jammed() | device_events.DeckFaulty():
                return self._attached.note(device, event_name(event), detail(event))
            case device_events.DeckVerified() if not (event.ok and event.count == 52):
                counted = f"{event.count} of 52, {event.result}"
                return self._attached.note(device, "deck_not_verified", counted)
            case _:
                return self._attached.note_event(device, event)

    def _back(self, device: Device, event: DeviceEvent) -> str:
        if not device.reports_backs or not isinstance(event, device_events.DeckIn):
            return ""
        return event.back.lower() or UNMARKED

    def _take(self, device: Device, cycle: int) -> list[SessionCommand]:
        deck = self._deck
        back = "" if deck is None else deck.back
        what = taken(deck, cycle)
        in_service = "service" in dict(device.alarms)
        if what == "ok" and (in_service or device.link is device_events.Link.WRONG):
            what = "unverified"
        if what == "ok":
            return [ReportDeck("ok", 52, back, taken=True)]
        name = "faulty_deck_taken" if what == "bad" else "unverified_deck_taken"
        if what == "unverified":
            self._attached.alarm_behind(device, _AGAIN, unverified_text(back))
        note = self._attached.note(device, name, str(cycle or ""))
        return [*note, ReportDeck(what, None, back, taken=True)]


def _step(event: DeviceEvent, *, numbered: bool) -> DeckStep | None:
    """What an event is to the deck in the machine; None: nothing."""
    match event:
        case (
            device_events.DeckVerified(ok=True, count=52)
            | device_events.ShuffleComplete(count=52 | 0)
        ):
            if numbered and not event.cycle:
                return None  # what was counted is not known
            return "complete" if isinstance(event, device_events.ShuffleComplete) else "counted"
        case device_events.DeckVerified():
            return _RESULTS.get(event.result, "miscounted")
        case device_events.ShuffleComplete():
            return "miscounted"
        case device_events.DeckFaulty():
            return _RESULTS[event.what]
        case device_events.DoorChanged(open=False) | device_events.ServiceMode(on=False):
            return None
        case _:
            return _STEPS.get(type(event))


_RESULTS: Final[dict[str, DeckStep]] = {
    "missing": "card_missing",
    "duplicate": "card_duplicate",
    "foreign": "card_foreign",
    "unreadable": "unread",
}
_STEPS: Final[dict[type[DeviceEvent], DeckStep]] = {
    device_events.DeckIn: "loaded",
    device_events.ShuffleStarted: "shuffle_started",
    device_events.Jammed: "jam",
    device_events.DoorChanged: "lid",
    device_events.ShuffleAborted: "aborted",
    device_events.ServiceMode: "service",
    device_events.Restarted: "restarted",
    device_events.EventsLost: "events_lost",
}
