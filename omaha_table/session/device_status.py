"""What a device is doing and what is wrong with it, as the table sees it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from omaha_drivers import events as device_events

from omaha_table.session import device_alarms as alarms
from omaha_table.session.device_alarms import NOT_IN_THE_WAY, STANDING, STOPPING

if TYPE_CHECKING:
    from omaha_drivers.events import DeviceEvent
    from omaha_drivers.settings import Kind

Stage: TypeAlias = Literal["never_seen", "idle", "deck_ready", "other"]
UNREAD_PER_100: Final = 1.0
"""Cards that a shoe may leave unread in a hundred decks before its service is due."""


@dataclass(frozen=True, slots=True)
class Device:
    """A device as the table sees it."""

    name: str
    kind: Kind
    link: device_events.Link = device_events.Link.DOWN
    trust: device_events.Trust = device_events.Trust.UNPINNED
    doing: str = "not connected yet"
    """A few words for the dealer."""
    stage: Stage = "never_seen"
    """The same for the program, as far as it matters."""
    alarms: tuple[tuple[str, str], ...] = ()
    """Pairs of a cause and a message (what is wrong and what to do), the latest last."""
    acknowledged: frozenset[str] = frozenset()
    """Causes that the dealer has acknowledged and that are not over."""
    warned: str = ""
    """Its last warning, for the device page."""
    was_live: bool = False
    """Whether it has answered since the console started."""
    unread_per_100: float = UNREAD_PER_100
    places: bool = False
    """It says where each card lies."""
    reports_backs: bool = True
    reports_cycles: bool = True

    @property
    def alarm(self) -> str:
        return self.alarms[-1][1] if self.alarms else ""

    @property
    def usable(self) -> bool:
        stopped = any(cause in STOPPING for cause, _ in self.alarms)
        return self.link is device_events.Link.LIVE and not stopped

    @property
    def in_trouble(self) -> bool:
        """Whether somebody must do something before it goes on with the deck or the cards."""
        return any(cause not in NOT_IN_THE_WAY for cause, _ in self.alarms)

    def alarmed(self, cause: str, text: str = "") -> Device:
        """A copy with this alarm; without a text, a copy without alarms of this cause."""
        others = tuple(alarm for alarm in self.alarms if alarm[0] != cause)
        seen = self.acknowledged if text and (cause, text) in self.alarms else (
            self.acknowledged - {cause}
        )  # fmt: skip
        return replace(self, alarms=(*others, (cause, text)) if text else others, acknowledged=seen)

    def seen(self, cause: str) -> Device:
        """A copy in which the dealer has acknowledged this alarm."""
        if cause in STANDING:
            return replace(self, acknowledged=self.acknowledged | {cause})
        return self.alarmed(cause)


def updated(device: Device, event: DeviceEvent) -> Device:
    """The device after an event."""
    return replace(_described(device, event), stage=_stage(device, event))


def _stage(device: Device, event: DeviceEvent) -> Stage:
    match event:
        case (
            device_events.LinkChanged(link=device_events.Link.LIVE, why="")
            | device_events.JamCleared()
            | device_events.DoorChanged(open=False)
            | device_events.Restarted()
        ):
            return "idle"
        case device_events.ShuffleComplete():
            return "deck_ready"
        case (
            device_events.LinkChanged()
            | device_events.DeckIn()
            | device_events.ShuffleStarted()
            | device_events.ShuffleAborted()
            | device_events.DeckVerified()
            | device_events.DeckTaken()
            | device_events.DeckFaulty()
            | device_events.Jammed()
            | device_events.DoorChanged()
            | device_events.ShoeLoaded()
            | device_events.CardDrawn()
        ):
            return "other"
        case _:
            return device.stage


def _described(device: Device, event: DeviceEvent) -> Device:
    match event:
        case device_events.LinkChanged():
            return _linked(device, event)
        case device_events.AdapterFailed():
            doing = f"driver failed: {event.error}"
            failed = replace(device, link=device_events.Link.DOWN, doing=doing)
            cause = "driver" if event.stage == "run" else "adapter"
            return failed.alarmed(cause, alarms.adapter_alarm(device.kind, event))
        case device_events.Identified():
            return replace(device, trust=event.trust)
        case device_events.DeviceWarning():
            warned = replace(device, warned=event.code)
            return warned.alarmed("warning", alarms.warning_alarm(event.code))
        case device_events.Fault():
            return device.alarmed("fault", alarms.fault_alarm(device.kind, event.code))
        case device_events.FaultCleared():
            return device.alarmed("fault")
        case device_events.ServiceMode():
            return device.alarmed("service", alarms.IN_SERVICE if event.on else "")
        case device_events.StateFound():
            return device.alarmed("state", alarms.state_alarm(device.kind, event.state))
        case device_events.DoorChanged():
            text = alarms.LID_OPEN if event.open else ""
            return replace(device, doing="lid open" if text else "ready").alarmed("door", text)
        case device_events.Restarted():
            # Nothing clears what was wrong before: a machine that was switched off to free it does
            # not know of it. One that is still jammed makes no deck ready and shows it again.
            return replace(device, doing="restarted").alarmed("jam").alarmed("fault")
        case _ if device.kind == "shuffler":
            return _shuffler(device, event)
        case _:
            return _shoe(device, event)


def _linked(device: Device, event: device_events.LinkChanged) -> Device:
    if event.link is device_events.Link.LIVE:
        live = replace(device, link=event.link, doing=event.why or "ready", was_live=True)
        return live.alarmed("link").alarmed("adapter")
    linked = replace(device, link=event.link, doing=event.why)
    if event.link is device_events.Link.OPENING and not event.overdue:
        # A device that was lost is so until it answers.
        return linked
    if device.link is event.link and {"adapter", "driver"} & set(dict(device.alarms)):
        # That its driver failed is why it is down, and says more.
        return linked
    return linked.alarmed("link", alarms.link_alarm(device.kind, event.link, event.why))


def _shuffler(device: Device, event: DeviceEvent) -> Device:
    match event:
        case device_events.DeckIn():
            return replace(device, doing=f"{event.back} deck in".strip()).alarmed("aborted")
        case device_events.ShuffleStarted():
            shuffling = replace(device, doing="shuffling").alarmed("aborted")
            return shuffling.alarmed("deck").alarmed("refused")
        case device_events.ShuffleAborted():
            aborted = replace(device, doing="shuffle aborted")
            return aborted.alarmed("aborted", alarms.aborted_alarm(event.why))
        case device_events.DeckVerified(ok=True):
            return replace(device, doing=f"counted {event.count}")
        case device_events.DeckVerified(result="unreadable"):
            return replace(device, doing="count failed")
        case device_events.DeckVerified():
            counted = replace(device, doing=f"counted {event.count} of 52")
            return counted.alarmed("deck", alarms.count_alarm(event))
        case device_events.ShuffleComplete():
            # A machine that was still jammed or open could not have done it.
            ready = replace(device, doing=f"deck ready {event.count}/52")
            return ready.alarmed("jam").alarmed("door")
        case device_events.DeckTaken():
            return replace(device, doing="deck taken")
        case device_events.Jammed():
            return replace(device, doing="jammed").alarmed("jam", alarms.jam_alarm(event.place))
        case device_events.DeckFaulty():
            faulty = replace(device, doing=f"{event.what} card")
            return faulty.alarmed("deck", alarms.deck_alarm(event))
        case device_events.JamCleared():
            return replace(device, doing="jam cleared").alarmed("jam")
        case _:
            return device


def _shoe(device: Device, event: DeviceEvent) -> Device:
    match event:
        case device_events.ShoeLoaded():
            loaded = replace(device, doing=f"loaded {event.count or ''}".rstrip())
            for cause in ("early", "deck", "empty", "cut_card"):
                loaded = loaded.alarmed(cause)
            return loaded
        case device_events.CardDrawn():
            doing = f"card {event.number} read" if event.card else "counting"
            read = replace(device, doing=doing, places=event.place is not None)
            return read.alarmed("empty")
        case device_events.ShoeEmpty():
            return replace(device, doing="empty").alarmed("empty", alarms.EMPTY)
        case device_events.CutCard():
            return device.alarmed("cut_card", alarms.CUT_CARD)
        case device_events.LockChanged():
            return replace(device, doing="locked" if event.locked else "unlocked")
        case _:
            return device


__all__ = ["STOPPING", "Device", "Stage", "updated"]
