"""Packages can add adapters and transports; here one is installed for the test."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from omaha_drivers import registry
from omaha_drivers.emulate.tdp import ShoeModel
from omaha_drivers.events import Link
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.transport import TransportError, check_port, pair, schemes

from tests.drivers.live import Host
from tests.paths import PYTHONPATH, ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_drivers.adapter import PortDefaults
    from omaha_drivers.transport import SocketTransport, Transport

opened: list[tuple[str, SocketTransport]] = []


def open_wedge(port: str, speed: int, line: PortDefaults) -> Transport:
    """What a package would register for its scheme."""
    near, far = pair()
    opened.append((port, far))
    return near


def fail(*_: object) -> Transport:
    raise RuntimeError("As Kd")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    info = tmp_path / "acme_table-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-table\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[omaha_table.drivers]\nacme = omaha_drivers.tdp:Tdp\n"
        "broken = tests.drivers.bad_import:Any\n\n"
        f"[omaha_table.transports]\nwedge = {__name__}:open_wedge\nbad = {__name__}:fail\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, __name__, sys.modules[open_wedge.__module__])
    return tmp_path


def test_an_installed_transport_is_used_by_its_scheme(installed: Path) -> None:
    opened.clear()
    assert schemes() == ["bad", "rfc2217", "socket", "wedge"]
    model = ShoeModel("SHOE-1")
    with Host("wedge://left", adapter="acme") as host:
        host.wait_link(Link.OPENING)
        port, far = opened[0]
        model.feed(far.read(1.0), 0.0)
        far.write(b"".join(model.out))
        host.wait_link(Link.LIVE)
        far.close()
        host.wait_link(Link.DOWN)
    assert port == "wedge://left"
    for _, other in opened:
        other.close()


def test_an_installed_transport_that_fails_is_contained(installed: Path) -> None:
    with Host("bad://x") as host:
        host.wait(lambda: "(RuntimeError)" in host.supervisor.status.why)
        assert "The transport bad" in host.supervisor.status.why
    assert "As Kd" not in repr(host.reports)


def test_a_scheme_that_nobody_installed_is_no_port() -> None:
    with pytest.raises(TransportError, match="is not a port"):
        check_port("wedge://left")


def test_installed_adapters_are_named_and_one_that_is_broken_says_so(installed: Path) -> None:
    assert {"acme", "broken"} <= set(registry.names())
    with pytest.raises(registry.BrokenAdapterError, match=r"broken \(tests.drivers.bad_import\)"):
        registry.make(DeviceSettings("shoe", "shoe", "broken", "/dev/null"))


def test_watching_with_a_broken_adapter_says_which_and_ends_in_order(installed: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "omaha_table", "devices", "watch", "/dev/null",
         "--adapter", "broken", "--seconds", "0.5"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{PYTHONPATH}{os.pathsep}{installed}"},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert "adapter failed, module tests.drivers.bad_import, stage load, error ImportError" in (
        done.stdout
    )
    assert "Traceback" not in done.stderr + done.stdout
    assert "As Kd" not in done.stderr + done.stdout
