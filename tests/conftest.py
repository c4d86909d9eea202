"""What holds for all tests: how much Hypothesis tries, campaigns on request, no unknown skip."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import structlog
from hypothesis import Phase, settings

from omaha_table.floor.staff import PinHash
from omaha_table.journal import keyring
from tests.paths import PYTHONPATH, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from _pytest.terminal import TerminalReporter

# `--hypothesis-profile=find` looks for failures without shrinking them.
settings.register_profile("find", phases=[Phase.explicit, Phase.reuse, Phase.generate])
settings.register_profile("default", deadline=None)
settings.load_profile("default")

# A PIN's hash takes 0.2 s of work on purpose. Here only tests that are about that pay for it, and
# name the cost; programs that a test starts hash as the product does.
FULL_COST = PinHash.of.__defaults__
vars(PinHash)["of"].__func__.__defaults__ = (64, 1)

CONTRIBUTING = ROOT / "CONTRIBUTING.md"
# Programs that a test starts find the project as the test does, whatever started the tests.
os.environ["PYTHONPATH"] = PYTHONPATH
# Nor may they write at once only because whoever started the tests does: answers must be flushed.
os.environ.pop("PYTHONUNBUFFERED", None)
# Tests drop sessions as a kill would; their keys must not fill the user's keyring.
keyring.EXPIRES_SECONDS = 600


def _in_memory() -> None:
    """Puts the folders of tests in memory, unless somebody has chosen a place for them.

    A journal waits for the disk with every event: an evening that takes 0.1 s of work takes 1.2 s
    on a busy disk. No test can see the difference; what is on a disk after a power cut is worked
    out from recorded writes, and a full disk is mounted for its own tests.
    """
    memory = Path("/dev/shm")
    if "TMPDIR" in os.environ or not os.access(memory, os.W_OK | os.X_OK):
        return
    about = os.statvfs(memory)
    # One run fills 0.7 GB. Where nothing may be executed a wheel cannot be tried.
    if about.f_bavail * about.f_frsize > 4 << 30 and not about.f_flag & os.ST_NOEXEC:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))


_in_memory()


@pytest.fixture(autouse=True)
def _no_log_is_left_over() -> Iterator[None]:
    """A command that runs in this process sets up the program's log, perhaps in a test's folder."""
    yield
    structlog.reset_defaults()
    root = logging.getLogger()
    for handler in root.handlers[:]:
        if isinstance(handler, logging.FileHandler):
            root.removeHandler(handler)
            handler.close()


@pytest.fixture
def full_pin_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """New PINs are hashed as the product does it."""
    monkeypatch.setattr(PinHash.of, "__defaults__", FULL_COST)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--campaigns",
        action="store_true",
        help="also run the short forms of the slow campaigns (CI does)",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--campaigns"):
        return
    campaigns = [item for item in items if item.get_closest_marker("campaign")]
    config.hook.pytest_deselected(items=campaigns)
    items[:] = [item for item in items if item not in set(campaigns)]


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """A skip whose reason CONTRIBUTING.md does not list fails the run: a skip hides a test."""
    reporter: TerminalReporter | None = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or hasattr(session.config, "workerinput"):
        return
    known = CONTRIBUTING.read_text(encoding="utf-8")
    reasons = {_reason(report) for report in reporter.stats.get("skipped", [])}
    unknown = sorted(reason for reason in reasons if reason not in known)
    for reason in unknown:
        reporter.write_line(f"Skipped for a reason that CONTRIBUTING.md does not list: {reason}")
    if unknown and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _reason(report: pytest.TestReport) -> str:
    assert isinstance(report.longrepr, tuple)
    return str(report.longrepr[2]).removeprefix("Skipped: ")
