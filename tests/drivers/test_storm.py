"""Storms on the line, and drivers with a planted bug that a storm must find."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from omaha_drivers import ordering
from omaha_drivers.events import CardDrawn, EventsLost

from scripts.campaigns import storm
from scripts.campaigns.line_account import Figures, Wrong
from scripts.campaigns.storm import on_a_pty, uncompared, without_ports

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from omaha_drivers.adapter import Actions, Adapter, Emitted
    from omaha_drivers.events import Report


@pytest.mark.parametrize("seed", [1, 2])
def test_decks_through_a_storm(seed: int) -> None:
    found = without_ports(10, seed, restarts=0.02)
    assert uncompared(found) == ""
    assert all(found.struck[name] > 20 for name in storm.FAULTS)
    assert found.unplugs
    assert found.restarts
    assert (found.cards, found.lost) == (520, 0)


def test_decks_through_a_storm_on_a_pty() -> None:
    found = on_a_pty(4, 3, pace=0.005)
    assert uncompared(found) == ""
    assert any(found.struck.values())


def test_nothing_is_lost_on_a_good_line() -> None:
    found = without_ports(3, 1, names=(), unplugs=0.0)
    assert uncompared(found) == ""
    assert (found.cards, found.lost, found.struck) == (156, 0, {})


def test_what_no_resend_brings_is_reported_lost() -> None:
    """The same frames are lost whenever they are sent: no driver can have these events."""
    found = without_ports(10, 1, names=("lose_resends",))
    assert uncompared(found) == ""
    assert 0 < found.lost < 30


def test_what_the_device_no_longer_has_is_reported_lost_and_nothing_else() -> None:
    """Of 637 events or so while the cable is out, the device keeps the last 512."""
    found = without_ports(1, 1, names=(), unplugs=0.0, unheard=12)
    assert uncompared(found) == ""
    # One card and twelve decks with their LOD went unheard.
    assert found.lost == 1 + 12 * 53 - 512
    assert found.losses == 1


class Planted:
    """A driver that changes what it reports."""

    def __init__(self, adapter: Adapter) -> None:
        self._adapter = adapter
        self.name, self.kind = adapter.name, adapter.kind
        self.caps, self.port_defaults = adapter.caps, adapter.port_defaults
        self.cards = 0
        self._kept: Emitted | None = None

    def opened(self, now: float) -> Actions:
        return self._changed(self._adapter.opened(now))

    def feed(self, data: bytes, now: float) -> Actions:
        return self._changed(self._adapter.feed(data, now))

    def tick(self, now: float) -> Actions:
        return self._changed(self._adapter.tick(now))

    def closed(self, now: float) -> Actions:
        return self._changed(self._adapter.closed(now))

    def command(self, verb: str, now: float) -> Actions:
        return self._changed(self._adapter.command(verb, now))

    def counters(self) -> Mapping[str, int]:
        return self._adapter.counters()

    def _changed(self, actions: Actions) -> Actions:
        events: list[Emitted] = []
        for placed in actions.events:
            if isinstance(placed.event, CardDrawn):
                self.cards += 1
                events += self.card(placed)
            else:
                events.append(placed)
        return replace(actions, events=tuple(events))

    def card(self, placed: Emitted) -> Sequence[Emitted]:
        return [placed]


class EverySecondLost(Planted):
    def card(self, placed: Emitted) -> Sequence[Emitted]:
        return [replace(placed, event=EventsLost(1))] if self.cards % 2 == 0 else [placed]


class OneLost(Planted):
    def card(self, placed: Emitted) -> Sequence[Emitted]:
        return [replace(placed, event=EventsLost(1))] if self.cards == 30 else [placed]


class Swapped(Planted):
    """Two cards change places; each is reported at the other's place in the line."""

    def card(self, placed: Emitted) -> Sequence[Emitted]:
        if self.cards == 20:
            self._kept = placed
            return []
        if self.cards == 21 and self._kept is not None:
            first = self._kept
            return [replace(first, event=placed.event), replace(placed, event=first.event)]
        return [placed]


class Repeated(Planted):
    def card(self, placed: Emitted) -> Sequence[Emitted]:
        return [placed, placed] if self.cards == 20 else [placed]


class RepeatedLast(Planted):
    def card(self, placed: Emitted) -> Sequence[Emitted]:
        return [placed, placed] if self.cards == 52 else [placed]


class Silent(Planted):
    def card(self, placed: Emitted) -> Sequence[Emitted]:
        return [] if self.cards == 20 else [placed]


class SilentLast(Planted):
    def card(self, placed: Emitted) -> Sequence[Emitted]:
        return [] if self.cards == 52 else [placed]


class Overcounted(Planted):
    """A real loss, and one card more than was lost."""

    def card(self, placed: Emitted) -> Sequence[Emitted]:
        return [placed]

    def _changed(self, actions: Actions) -> Actions:
        return replace(
            actions,
            events=tuple(
                replace(placed, event=EventsLost(placed.event.count + 1))
                if isinstance(placed.event, EventsLost) and placed.event.count is not None
                else placed
                for placed in actions.events
            ),
        )


@pytest.mark.parametrize("names", [(), storm.FAULTS], ids=["good line", "storm"])
@pytest.mark.parametrize(
    ("driver", "found"),
    [
        (EverySecondLost, r"event 3 was reported lost after \d requests in vain"),
        (OneLost, r"event 31 was reported lost after \d requests in vain"),
        (Swapped, "event 21 was CRD; another was reported"),
        (Repeated, "event 22 was (CRD; another was )?reported"),
        (RepeatedLast, "event 54 was"),
        (Silent, "event 21 was CRD; another was reported"),
        (SilentLast, "53 events were sent, 52 are accounted for|event 53 was CRD"),
    ],
)
def test_a_storm_finds_a_driver_that_is_wrong(
    driver: Callable[[Adapter], Adapter], found: str, names: Sequence[str]
) -> None:
    with pytest.raises(Wrong, match=found):
        without_ports(1, 4, names=names, unplugs=0.0, driver=driver)


def test_a_storm_finds_a_loss_that_is_larger_than_what_was_lost() -> None:
    with pytest.raises(Wrong, match="reported lost"):
        without_ports(1, 1, names=(), unplugs=0.0, unheard=12, driver=Overcounted)


@pytest.mark.parametrize(("tries", "found"), [(1, "after 1 requests"), (3, "after 3 requests")])
def test_a_storm_finds_a_driver_that_gives_up_too_soon(
    monkeypatch: pytest.MonkeyPatch, tries: int, found: str
) -> None:
    monkeypatch.setattr(ordering, "TRIES", tries)
    with pytest.raises(Wrong, match=found):
        without_ports(10, 1, names=("lose_resends",))


def test_a_storm_finds_a_driver_that_does_not_wait_between_requests(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ordering, "RETRY_SECONDS", 0.1)
    with pytest.raises(Wrong, match="reported lost too early"):
        without_ports(10, 1, names=("lose_resends",))


def test_a_storm_on_a_pty_finds_every_second_card_lost() -> None:
    cards = iter(range(10**6))

    def every_second(report: Report) -> Sequence[Report]:
        if isinstance(report.event, CardDrawn) and next(cards) % 2:
            return [replace(report, event=EventsLost(1))]
        return [report]

    with pytest.raises(Wrong, match="was reported lost after"):
        on_a_pty(1, 3, pace=0.005, driver=every_second)


def test_figures_that_compare_nothing_prove_nothing() -> None:
    assert uncompared(Figures()) == "0 of 0 events were compared"
    assert uncompared(Figures(sent=53, compared=40)) == "40 of 53 events were compared"
    lost = Figures(sent=53, compared=40, lost=13)
    assert uncompared(lost) == "13 events were lost on a line without a fault"
    assert uncompared(replace(lost, struck={"lose": 13})) == ""
