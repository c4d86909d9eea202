"""A plug-in that fails is named, contained and reported; it takes neither a core nor the thread."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from omaha_drivers import registry
from omaha_drivers.emulate import EmulatedShoe
from omaha_drivers.events import AdapterFailed, Link
from omaha_drivers.settings import DeviceSettings

from tests.drivers.bad_adapters import AlwaysDue
from tests.drivers.live import Host

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BAD = "tests.drivers.bad_adapters"
UNIMPORTABLE = "tests.drivers.bad_import"


@pytest.fixture
def link(tmp_path: Path) -> Iterator[Path]:
    shoe = EmulatedShoe(tmp_path / "shoe")
    shoe.start()
    yield tmp_path / "shoe"
    shoe.stop()


def failures(host: Host) -> list[AdapterFailed]:
    return [event for event in host.events if isinstance(event, AdapterFailed)]


def secret_in(host: Host, more: Any = "") -> bool:
    return "As Kd" in repr((host.reports, host.trace, host.supervisor.status, more))


@pytest.mark.parametrize(
    ("adapter", "event"),
    [
        (f"{UNIMPORTABLE}:Any", AdapterFailed(UNIMPORTABLE, "load", "ImportError")),
        ("nobody.has.this:Any", AdapterFailed("nobody.has.this", "load", "ModuleNotFoundError")),
        (f"{BAD}:NotThere", AdapterFailed(BAD, "load", "AttributeError")),
        (f"{BAD}:CannotBeMade", AdapterFailed(BAD, "start", "KeyError")),
    ],
)  # fmt: skip
def test_one_that_cannot_be_made_is_reported_once_and_the_port_stays_shut(
    adapter: str, event: AdapterFailed, link: Path
) -> None:
    with Host(link, adapter=adapter) as host:
        host.wait_link(Link.DOWN)
        host.wait(lambda: bool(failures(host)))
        host.supervisor.command("LOCK")
    assert failures(host) == [event]
    assert host.supervisor.status.counters["opened"] == 0
    assert host.links == [Link.DOWN]
    assert not secret_in(host)


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("AlwaysFails", "RuntimeError"),
        ("Exits", "SystemExit"),
        ("ReturnsNothing", "InvalidActionsError"),
    ],
)
def test_one_that_fails_at_run_time_is_reported_and_rests_longer_each_time(
    name: str, error: str, link: Path
) -> None:
    with Host(link, adapter=f"{BAD}:{name}") as host:
        host.wait(lambda: len(failures(host)) >= 3)
        opened = host.supervisor.status.counters["opened"]
    assert set(failures(host)) == {AdapterFailed(BAD, "run", error)}
    assert opened <= 4
    times = [report.at for report in host.reports if isinstance(report.event, AdapterFailed)]
    assert times[2] - times[1] > times[1] - times[0] > 0.4
    assert not secret_in(host)


def test_one_that_could_not_be_made_is_used_once_it_can(link: Path) -> None:
    with Host(link, adapter=f"{BAD}:MadeLater") as host:
        host.wait_link(Link.LIVE)
    assert failures(host) == [AdapterFailed(BAD, "start", "OSError")]


def test_one_that_cannot_count_still_has_a_status(link: Path) -> None:
    with Host(link, adapter=f"{BAD}:CannotCount") as host:
        host.wait_link(Link.LIVE)
        assert host.supervisor.status.counters["opened"] == 1


def test_one_that_always_wants_a_tick_does_not_take_a_core(link: Path) -> None:
    AlwaysDue.ticks[0] = 0
    with Host(link, adapter=f"{BAD}:AlwaysDue") as host:
        host.wait_link(Link.LIVE)
        begun = time.monotonic()
        host.wait(lambda: AlwaysDue.ticks[0] >= 20)
        seconds = time.monotonic() - begun
    assert AlwaysDue.ticks[0] <= 20 + (seconds + 1) / 0.005


def test_the_registry_names_what_failed_and_not_its_message() -> None:
    settings = DeviceSettings("shoe", "shoe", f"{BAD}:CannotBeMade", "/dev/null")
    with pytest.raises(registry.BrokenAdapterError) as caught:
        registry.make(settings)
    assert (
        str(caught.value) == f"The adapter {BAD}:CannotBeMade ({BAD}) cannot be started (KeyError)."
    )


def test_an_adapter_is_found_by_module_and_class(link: Path) -> None:
    with Host(link, adapter="omaha_drivers.tdp:Tdp") as host:
        host.wait_link(Link.LIVE)
