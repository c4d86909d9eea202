"""Opening the console's table: whose PINs count, which limit, how far the devices were heard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from omaha_drivers import events as said

from omaha_table.dealer.screen import run
from omaha_table.session.config import load_table
from omaha_table.session.devices import Devices
from tests.console.terminal import table_file

if TYPE_CHECKING:
    from pathlib import Path


def evening(folder: Path, extra: str = "") -> run.Evening:
    return run.Evening(load_table(table_file(folder, extra)), folder / "data")


def test_the_pins_of_the_demo_open_no_other_table(tmp_path: Path) -> None:
    session = evening(tmp_path).open()
    assert session.check_pin("4711").refusal is not None
    session.close()


def test_a_limit_that_the_rules_do_not_have_is_named_with_those_they_have(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no limit '99-99'; it has .*4-8"):
        evening(tmp_path, 'limit = "99-99"').open()


class Screen:
    """A console that does nothing, and ends as it is told."""

    crash: Exception | None = None
    started = 0

    def __init__(self, *_: object, **__: object) -> None:
        self.hear = lambda report: None

    def run(self, **_: object) -> None:
        Screen.started += 1
        if Screen.started > 20:
            pytest.fail("it does not give up")
        if Screen.crash is not None:
            raise Screen.crash


def test_a_console_that_fails_again_and_again_gives_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "ConsoleApp", Screen)
    monkeypatch.setattr(Screen, "crash", RuntimeError("planted"))
    monkeypatch.setattr(Screen, "started", 0)
    outcome = evening(tmp_path).run()
    assert outcome.crashes == Screen.started == run.MOST_CRASHES
    assert "the log is safe" in outcome.gave_up


def test_a_key_that_goes_away_while_the_console_runs_changes_nothing(tmp_path: Path) -> None:
    """Whether its screen is drawn again or not: a device is not left out without a word."""
    path = table_file(tmp_path)
    shoe = '[devices.shoe]\nadapter = "tdp"\nport = "/dev/null"\nkey_file = "shoe.key"\n'
    path.write_text(path.read_text(encoding="utf-8") + shoe)
    key = tmp_path / "shoe.key"
    key.write_bytes(b"k" * 16)
    config = load_table(path)
    with_key = run.Evening(config, tmp_path / "data")
    key.unlink()
    assert [given.name for given in with_key.settings] == ["shoe"]
    assert with_key.missing == []
    without = run.Evening(config, tmp_path / "data")
    key.write_bytes(b"k" * 16)
    assert list(without.settings) == []
    assert [one.what for one in without.missing] == ["shoe"]


def test_a_device_goes_on_where_the_log_has_heard_it_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shuffler = '[devices.shuffler]\nadapter = "tdp"\nport = "/dev/null"\n'
    path = table_file(tmp_path)
    path.write_text(path.read_text(encoding="utf-8") + shuffler)
    given = run.Evening(load_table(path), tmp_path / "data")
    session = given.open()
    devices = Devices(session, load_table(path).device_settings())
    short = said.DeckVerified(1, 51, False, "short")
    devices.take(said.Report("shuffler", short, "0123456789ABCDEF:00000004", 0.0))
    session.close()
    tokens: list[str] = []

    class Supervisor:
        def __init__(self, *_: object, resume_token: str = "", **__: Any) -> None:
            tokens.append(resume_token)

        def start(self) -> None: ...
        def stop(self) -> None: ...

    monkeypatch.setattr(run, "ConsoleApp", Screen)
    monkeypatch.setattr(run, "Supervisor", Supervisor)
    monkeypatch.setattr(Screen, "started", 0)
    given.run()
    assert tokens == ["0123456789ABCDEF:00000004"]
