"""A port whose device does not answer is opened again, and a half-open connection comes back."""

from __future__ import annotations

import os
import tty
from typing import TYPE_CHECKING

import pytest
from omaha_drivers.emulate.host import PtyHost
from omaha_drivers.emulate.tdp import ShoeModel
from omaha_drivers.events import CardDrawn, Link, LinkChanged
from omaha_drivers.sealed import reveal
from omaha_drivers.tdp_codec import CARDS

from tests.drivers.live import Host
from tests.drivers.tcp_device import TcpShoe

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def shoe() -> Iterator[TcpShoe]:
    with TcpShoe() as device:
        yield device


def draw(shoe: TcpShoe, count: int) -> None:
    for _ in range(count):
        shoe.do(shoe.model.draw)


def test_a_half_open_connection_comes_back_by_itself_and_no_card_is_lost(shoe: TcpShoe) -> None:
    with Host(shoe.port, reopen_after=0.5) as host:
        host.wait_link(Link.LIVE)
        shoe.do(lambda: shoe.model.load(CARDS))
        draw(shoe, 4)
        host.wait_drawn(4)
        shoe.drop_packets()
        draw(shoe, 3)
        host.wait_link(Link.SILENT)
        host.wait_link(Link.LIVE)
        draw(shoe, 1)
        host.wait_drawn(8)
    cards = [reveal(e.card) for e in host.events if isinstance(e, CardDrawn) and e.card]
    assert cards == list(CARDS[:8])
    assert host.links == [Link.OPENING, Link.LIVE, Link.SILENT, Link.LIVE, Link.DOWN]
    assert host.supervisor.status.counters["unanswered"] >= 1


def test_a_device_that_stays_silent_is_asked_again_and_again_with_one_report(shoe: TcpShoe) -> None:
    with Host(shoe.port, reopen_after=0.2) as host:
        host.wait_link(Link.LIVE)
        shoe.mute = True
        host.wait_link(Link.SILENT)
        host.wait(lambda: shoe.accepted >= 4)
        assert host.links == [Link.OPENING, Link.LIVE, Link.SILENT]
        assert "No answer for 0.2 seconds" in host.supervisor.status.why
        shoe.mute = False
        host.wait_link(Link.LIVE)


def test_a_device_that_never_answers_is_reported_once_and_asked_again(shoe: TcpShoe) -> None:
    shoe.mute = True
    with Host(shoe.port, reopen_after=0.2) as host:
        host.wait(lambda: shoe.accepted >= 3)
        assert host.events == [
            LinkChanged(Link.OPENING, "The port is open."),
            LinkChanged(
                Link.OPENING,
                "No answer for 0.2 seconds: the port is being opened again.",
                overdue=True,
            ),
        ]
        shoe.mute = False
        host.wait_link(Link.LIVE)


def test_a_server_that_is_gone_when_the_port_is_opened_again_is_down() -> None:
    with TcpShoe() as shoe, Host(shoe.port, reopen_after=0.2) as host:
        host.wait_link(Link.LIVE)
        shoe.drop_packets()
        shoe.__exit__()
        host.wait_link(Link.DOWN)


@pytest.fixture
def quiet_port() -> Iterator[str]:
    master, slave = os.openpty()
    tty.setraw(slave)
    yield os.ttyname(slave)
    os.close(master)
    os.close(slave)


def test_a_mute_serial_device_with_a_heartbeat_is_opened_again(quiet_port: str) -> None:
    with Host(quiet_port, reopen_after=0.1) as host:
        host.wait(lambda: host.supervisor.status.counters["opened"] >= 3)
        assert host.links == [Link.OPENING, Link.OPENING]


def test_a_serial_device_that_may_be_quiet_is_left_alone(quiet_port: str) -> None:
    with Host(quiet_port, adapter="angel_eye", reopen_after=0.05) as host:
        host.wait_link(Link.OPENING)
        with Host(quiet_port, adapter="angel_eye") as other:
            other.wait(lambda: "in use" in other.supervisor.status.why)
            other.wait(lambda: other.supervisor.status.link is Link.DOWN)
        assert host.supervisor.status.counters["opened"] == 1


def test_opening_again_can_be_turned_off(shoe: TcpShoe, tmp_path: Path) -> None:
    shoe.mute = True
    with Host(shoe.port, reopen_after=0) as host, Host(shoe.port, reopen_after=0.1) as other:
        other.wait(lambda: other.supervisor.status.counters["unanswered"] >= 2)
        assert host.supervisor.status.counters["unanswered"] == 0


def test_a_serial_device_that_was_never_heard_is_reported_once_and_left_alone(
    quiet_port: str,
) -> None:
    with Host(quiet_port, adapter="angel_eye", reopen_after=0.05) as host:
        host.wait(lambda: len(host.events) == 2)
        assert host.events[-1] == LinkChanged(
            Link.OPENING,
            "Nothing heard yet; it may be quiet until it has something to report.",
            overdue=True,
        )
        assert host.supervisor.status.counters["opened"] == 1


def test_bytes_that_cannot_be_read_are_told_from_silence(tmp_path: Path) -> None:
    device = PtyHost(tmp_path / "shoe", ShoeModel("S1"), 9600)
    device.start()
    try:
        with Host(tmp_path / "shoe", reopen_after=1.5) as host:
            host.wait(lambda: len(host.events) >= 2)
            late = host.events[1]
            assert isinstance(late, LinkChanged)
            assert late.overdue
            assert late.why.startswith("Bytes arrive, but no message can be read")
    finally:
        device.stop()


def test_a_port_that_is_there_and_cannot_be_opened_is_told_from_one_that_is_not(
    tmp_path: Path,
) -> None:
    with Host(tmp_path / "shoe") as host:
        host.wait(lambda: host.events == [LinkChanged(Link.DOWN, "No device at this port.")])
        (tmp_path / "shoe").write_text("no serial port")
        host.wait(lambda: len(host.events) == 2)
        refused = host.events[1]
        assert isinstance(refused, LinkChanged)
        assert refused.link is Link.DOWN
        assert refused.why != "No device at this port."
        host.wait(lambda: host.supervisor.status.why == refused.why)
