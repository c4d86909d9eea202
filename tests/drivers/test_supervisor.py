from __future__ import annotations

import logging
import os
import tty
from typing import TYPE_CHECKING, Any

import pytest
from omaha_drivers.conformance.leaks import CARD
from omaha_drivers.emulate import EmulatedAngelShoe, EmulatedShoe, EmulatedShuffler, Faults
from omaha_drivers.events import (
    CardDrawn,
    DeckTaken,
    DeviceWarning,
    EventsLost,
    Identified,
    Link,
    LinkChanged,
    Report,
    Restarted,
    ShuffleComplete,
    Trust,
)
from omaha_drivers.sealed import reveal
from omaha_drivers.tdp_codec import CARDS
from omaha_drivers.transport import SocketTransport, TransportError, pair

from tests.drivers.live import Host
from tests.drivers.told import is_told, numbers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEY = b"a key of thirty-two bytes, or so"
ADAPTERS = "tests.drivers.bad_adapters"


@pytest.fixture
def link(tmp_path: Path) -> Path:
    return tmp_path / "shoe"


@pytest.fixture
def shoe(link: Path) -> Iterator[EmulatedShoe]:
    device = EmulatedShoe(link)
    device.start()
    yield device
    device.stop()
    assert not link.exists()


def deal(shoe: EmulatedShoe, count: int) -> None:
    for _ in range(count):
        shoe.draw()


def test_a_shoe_deals_its_deck_in_order(shoe: EmulatedShoe, link: Path) -> None:
    with Host(link, serial="SHOE-EMU-1") as host:
        host.wait_link(Link.LIVE)
        shoe.load(CARDS)
        deal(shoe, 52)
        host.wait(lambda: len(host.drawn) == 52)
        status = host.supervisor.status
    cards = [reveal(e.card) for e in host.events if isinstance(e, CardDrawn) and e.card]
    assert cards == list(CARDS)
    assert status.trust is Trust.PINNED
    assert status.serial == "SHOE-EMU-1"
    assert host.links == [Link.OPENING, Link.LIVE, Link.DOWN]


def test_a_shuffler_is_supervised_alike(tmp_path: Path) -> None:
    shuffler = EmulatedShuffler(tmp_path / "shuffler", key=KEY, seconds=0.1)
    shuffler.start()
    with Host(tmp_path / "shuffler", kind="shuffler", key=KEY) as host:
        host.wait_link(Link.LIVE)
        shuffler.shuffle("blue")
        host.wait(lambda: ShuffleComplete(1, 52) in host.events)
        shuffler.take()
        host.wait(lambda: DeckTaken(1) in host.events)
        assert host.supervisor.status.trust is Trust.AUTHENTICATED
    shuffler.stop()


def test_an_angel_eye_is_supervised_alike(link: Path) -> None:
    shoe = EmulatedAngelShoe(link)
    shoe.start()
    with Host(link, adapter="angel_eye", allow_commands=True) as host:
        host.wait_link(Link.OPENING)
        shoe.load(CARDS)
        for _ in range(20):
            shoe.draw()
        host.wait(lambda: host.drawn == list(range(1, 21)))
        assert DeviceWarning("check this adapter against the vendor's document") in host.events
        host.supervisor.command("LOCK")
        host.wait(lambda: "LockChanged" in repr(host.events[-1]))
        shoe.unplug()
        host.wait_link(Link.DOWN)
        shoe.draw()
        shoe.replug()
        host.wait_link(Link.OPENING)
        shoe.draw()
        host.wait(lambda: len(host.drawn) == 21)
    assert EventsLost(None) in host.events
    shoe.stop()


def test_cards_drawn_while_the_cable_is_out_come_when_it_is_in(
    shoe: EmulatedShoe, link: Path
) -> None:
    with Host(link) as host:
        host.wait_link(Link.LIVE)
        shoe.load(CARDS)
        deal(shoe, 10)
        host.wait(lambda: len(host.drawn) == 10)
        for times in range(1, 4):
            shoe.unplug()
            host.wait_link(Link.DOWN)
            deal(shoe, 5)
            shoe.replug()
            host.wait_drawn(10 + 5 * times)
    assert host.drawn == list(range(1, 26))
    one = [Link.OPENING, Link.LIVE, Link.DOWN]
    assert host.links == one * 4


def test_a_power_cycle_is_told_and_the_device_goes_on(shoe: EmulatedShoe, link: Path) -> None:
    with Host(link) as host:
        host.wait_link(Link.LIVE)
        shoe.power_cycle()
        host.wait(lambda: Restarted() in host.events)
        shoe.load(CARDS)
        deal(shoe, 3)
        host.wait(lambda: host.drawn == [1, 2, 3])


def test_a_host_that_starts_again_in_mid_hand_misses_nothing(
    shoe: EmulatedShoe, link: Path
) -> None:
    with Host(link) as host:
        host.wait_link(Link.LIVE)
        shoe.load(CARDS)
        deal(shoe, 10)
        host.wait(lambda: len(host.drawn) == 10)
    deal(shoe, 5)
    with Host(link, resume_token=host.reports[-2].resume_token) as later:
        deal(shoe, 5)
        later.wait(lambda: len(later.drawn) == 10)
    assert later.drawn == list(range(11, 21))


def test_what_happened_before_the_link_was_made_is_marked_as_late(
    shoe: EmulatedShoe, link: Path
) -> None:
    shoe.load(CARDS)
    deal(shoe, 5)
    with Host(link) as host:
        # Without a place to go on from, only what comes from now on is told.
        host.wait_link(Link.LIVE)
        deal(shoe, 5)
        host.wait(lambda: host.drawn[-1:] == [10])
        assert not any(report.late for report in host.reports)
        heard = host.reports[-1].resume_token
    deal(shoe, 5)
    with Host(link, resume_token=heard) as later:
        later.wait(lambda: later.drawn == list(range(11, 16)))
        deal(shoe, 2)
        later.wait(lambda: later.drawn == list(range(11, 18)))
    drawn = [report for report in later.reports if type(report.event).__name__ == "CardDrawn"]
    assert [report.late for report in drawn] == [True] * 5 + [False] * 2


def trust(host: Host) -> Trust:
    return host.supervisor.status.trust


def test_a_link_swapped_to_another_device_is_seen(shoe: EmulatedShoe, link: Path) -> None:
    other = EmulatedShoe(link.with_name("other"), serial="OTHER")
    other.start()
    with Host(link, serial="SHOE-EMU-1") as host:
        host.wait_link(Link.LIVE)
        right = link.readlink()
        new = link.with_name("new")
        new.symlink_to(other_port := link.with_name("other").readlink())
        new.replace(link)
        host.wait_link(Link.WRONG)
        assert trust(host) is Trust.UNPINNED
        other.load(CARDS)
        new.symlink_to(right)
        new.replace(link)
        host.wait_link(Link.LIVE)
        assert trust(host) is Trust.PINNED
    assert other_port != right
    assert "ShoeLoaded" not in repr(host.events)
    other.stop()


def test_two_consoles_on_one_port_do_not_share_it(shoe: EmulatedShoe, link: Path) -> None:
    with Host(link) as host:
        host.wait_link(Link.LIVE)
        with Host(link) as second:
            second.wait(lambda: "in use" in second.supervisor.status.why)
            shoe.load(CARDS)
            deal(shoe, 20)
            host.wait(lambda: len(host.drawn) == 20)
        assert second.links == [Link.DOWN]


def test_the_wrong_device_is_named_and_not_believed(shoe: EmulatedShoe, link: Path) -> None:
    with Host(link, serial="SHOE-9") as host:
        host.wait_link(Link.WRONG)
        shoe.load(CARDS)
        deal(shoe, 3)
        assert "SHOE-EMU-1" in host.supervisor.status.why
    assert host.drawn == []


def test_another_speed_never_goes_live(shoe: EmulatedShoe, link: Path) -> None:
    with Host(link, speed=9600) as host:
        host.wait(lambda: host.supervisor.status.counters["bytes dropped"] > 50)
        assert host.supervisor.status.link is Link.OPENING


def test_a_port_that_is_none_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a port")
    with Host(tmp_path / "file") as host:
        host.wait(lambda: host.links == [Link.DOWN])
        assert "cannot be opened" in host.supervisor.status.why
    with Host(tmp_path / "nothing") as host:
        host.wait(lambda: host.links == [Link.DOWN])
    assert host.events == [LinkChanged(Link.DOWN, "No device at this port.")]


@pytest.mark.parametrize(
    "faults",
    [
        ["garbage", "split"],
        ["bad_check", "repeat"],
        ["lose", "merge"],
        ["lose_last"],
        ["reorder"],
        ["flood"],
        ["endless_line"],
        ["unplug", "lose", "bad_check", "repeat", "reorder"],
    ],
    ids="+".join,
)
def test_faults_on_a_real_pty_lose_nothing_untold(faults: list[str], link: Path) -> None:
    shoe = EmulatedShoe(link, key=KEY, faults=Faults(faults, seed=5, rate=0.1, every=0.4))
    shoe.start()
    with Host(link, key=KEY) as host:
        host.wait_link(Link.LIVE)
        shoe.load(CARDS)
        for count in range(52):
            shoe.draw()
            if count % 8 == 0:
                host.wait(lambda: len(host.drawn) > 0)
        host.wait(lambda: 52 in host.drawn)
    told = numbers(host.events, lambda e: e.number if isinstance(e, CardDrawn) else None)
    assert is_told(told), told
    shoe.stop()


def test_an_emulated_impostor_is_wrong(link: Path) -> None:
    shoe = EmulatedShoe(link, faults=Faults(["wrong_serial"]))
    shoe.start()
    with Host(link, serial="SHOE-EMU-1") as host:
        host.wait_link(Link.WRONG)
    shoe.stop()


def test_power_cycles_on_a_real_pty_are_told(link: Path) -> None:
    shoe = EmulatedShoe(link, faults=Faults(["power_cycle", "no_heartbeat"], every=0.2))
    shoe.start()
    with Host(link) as host:
        host.wait(lambda: host.events.count(Restarted()) >= 2)
    assert host.links == [Link.OPENING, Link.LIVE, Link.DOWN]
    shoe.stop()


def test_an_emulator_may_be_started_again(link: Path) -> None:
    shoe = EmulatedShoe(link)
    with Host(link) as host:
        for _ in range(2):
            shoe.start()
            host.wait_link(Link.LIVE)
            shoe.stop()
            host.wait_link(Link.DOWN)


def test_silence_is_told_and_ends(link: Path) -> None:
    shoe = EmulatedShoe(link, faults=Faults(["silence"], every=0.5))
    shoe.start()
    with Host(link) as host:
        host.wait_link(Link.SILENT)
        host.wait_link(Link.LIVE)
    shoe.stop()


def test_a_device_that_takes_nothing_does_not_block(link: Path) -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    link.symlink_to(os.ttyname(slave))
    try:
        with Host(link, adapter=f"{ADAPTERS}:Talker") as host:
            host.wait(lambda: "not accepting data" in host.supervisor.status.why)
    finally:
        os.close(master)
        os.close(slave)


def test_an_adapter_that_fails_is_contained_without_its_data(
    shoe: EmulatedShoe, link: Path, caplog: pytest.LogCaptureFixture, capfd: Any
) -> None:
    host = Host(link, adapter=f"{ADAPTERS}:FailsOnce")
    with host, caplog.at_level(logging.DEBUG):
        host.wait(lambda: any("failed (ValueError)" in line for line in host.trace))
        host.wait_link(Link.LIVE)
        shoe.load(CARDS)
        deal(shoe, 2)
        host.wait(lambda: host.drawn == [1, 2])
    text = repr((host.reports, host.trace, host.supervisor.status, caplog.text, capfd.readouterr()))
    assert not CARD.search(text)


def test_an_event_that_the_host_cannot_take_comes_again(shoe: EmulatedShoe, link: Path) -> None:
    full = [True]

    def sink(report: Report) -> None:
        if isinstance(report.event, CardDrawn) and full:
            full.clear()
            raise OSError("No space left on device")
        host.keep(report)

    host = Host(link, sink=sink)
    with host:
        host.wait_link(Link.LIVE)
        shoe.load(CARDS)
        deal(shoe, 3)
        host.wait(lambda: len(host.drawn) == 3)
    assert host.drawn == [1, 2, 3]
    assert [e.link for e in host.events if isinstance(e, LinkChanged)].count(Link.DOWN) == 2


def test_an_event_that_the_host_cannot_take_and_the_device_not_send_again_is_told_lost(
    link: Path,
) -> None:
    full = [True]

    def sink(report: Report) -> None:
        if isinstance(report.event, CardDrawn) and full:
            full.clear()
            raise OSError("No space left on device")
        host.keep(report)

    shoe = EmulatedAngelShoe(link)
    shoe.start()
    host = Host(link, adapter="angel_eye", sink=sink)
    with host:
        host.wait_link(Link.OPENING)
        shoe.load(CARDS)
        shoe.draw()
        host.wait(lambda: EventsLost(None) in host.events)
    shoe.stop()
    assert host.drawn == []


def test_no_card_is_in_any_text_of_a_dealt_deck(
    link: Path, caplog: pytest.LogCaptureFixture, capfd: Any
) -> None:
    shoe = EmulatedShoe(link)
    shoe.start()
    with caplog.at_level(logging.DEBUG), Host(link) as host:
        host.wait_link(Link.LIVE)
        shoe.load(CARDS)
        deal(shoe, 52)
        host.wait(lambda: len(host.drawn) == 52)
        shoe.unplug()
        host.wait_link(Link.DOWN)
        status = host.supervisor.status
    shoe.stop()
    texts = (host.reports, host.trace, status, host.settings, caplog.text, capfd.readouterr())
    assert not CARD.search(repr(texts))
    for report in host.reports:
        assert not CARD.search(f"{report} {report.event!s}")


@pytest.mark.parametrize("adapter", ["tdp", "angel_eye"])
def test_commands_for_a_closed_port_are_answered(tmp_path: Path, adapter: str) -> None:
    with Host(tmp_path / "nothing", adapter=adapter, allow_commands=True) as host:
        host.supervisor.command("LOCK")
        warning = DeviceWarning("LOCK not sent: the device is not connected")
        host.wait(lambda: warning in host.events)


def test_a_trace_or_an_opener_that_fails_is_contained(shoe: EmulatedShoe, link: Path) -> None:
    def fail(*_: object) -> Any:
        raise RuntimeError("As Kd")

    with Host(link, open_port=fail) as host:
        host.wait(lambda: "(RuntimeError)" in host.supervisor.status.why)
    with Host(link, trace=fail) as host:
        host.wait_link(Link.LIVE)


def test_the_supervisor_may_be_stopped_from_its_own_sink(shoe: EmulatedShoe, link: Path) -> None:
    def sink(report: Report) -> None:
        host.keep(report)
        if isinstance(report.event, Identified):
            host.supervisor.stop()

    host = Host(link, sink=sink)
    with host:
        host.wait(lambda: Link.DOWN in host.links)
    assert host.links == [Link.OPENING, Link.LIVE, Link.DOWN]


def test_a_line_within_the_program(tmp_path: Path) -> None:
    ends: list[tuple[SocketTransport, SocketTransport]] = []

    def open_pair(*_: object) -> Any:
        if ends:
            raise TransportError("Only once.")
        ends.append(pair())
        return ends[0][0]

    with Host("socket://localhost:1", open_port=open_pair) as host:
        host.wait_link(Link.OPENING)
        device = ends[0][1]
        host.wait(lambda: b"HELO" in device.read())
        device.close()
        host.wait_link(Link.DOWN)
