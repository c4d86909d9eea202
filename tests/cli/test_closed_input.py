"""Commands that are started without a standard input or without a terminal say so."""

from __future__ import annotations

import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.dealer.screen.run import Outcome

if TYPE_CHECKING:
    from pathlib import Path

SHELL = f"{shlex.quote(sys.executable)} -m omaha_table"


@pytest.mark.parametrize("redirected", ["<&-", "</dev/null", "</dev/null >&-"])
@pytest.mark.parametrize("command", ["console", "practice"])
def test_a_console_without_a_terminal_is_refused(command: str, redirected: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{SHELL} {command} {redirected}"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "needs a terminal" in done.stderr or "no standard output" in done.stderr
    assert "unexpected" not in done.stderr


def test_an_emulator_goes_on_by_itself_without_a_standard_input(tmp_path: Path) -> None:
    link = shlex.quote(str(tmp_path / "shuffler"))
    command = f"devices emulate shuffler --link {link} --pace fast --decks 1 <&-"
    done = subprocess.run(
        ["sh", "-c", f"{SHELL} {command}"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.splitlines()[-1]) == (0, "1 deck.")
    assert not (tmp_path / "shuffler").is_symlink()


@pytest.mark.parametrize("command", ["script", "showdown -", "staff init S1 Sam --data x"])
def test_what_must_be_read_cannot_be_read(command: str, tmp_path: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{SHELL} {command} <&-"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 2
    assert "unexpected" not in done.stderr


@pytest.mark.parametrize("option", [["--autoplay"], ["--hands", "3"], ["--faults"]])
def test_what_is_for_the_demo_is_refused_at_a_real_table(
    option: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("omaha_table.cli.console._need_terminal", lambda: None)
    monkeypatch.setattr("omaha_table.dealer.screen.run.Evening.run", lambda _: Outcome())
    path = tmp_path / "t7.toml"
    path.write_text('[table]\nid = "t7"\nrules = "ca_big_o"\n')
    words = ["console", "--table", str(path), "--data", str(tmp_path / "data"), *option]
    done = CliRunner().invoke(omaha_table, words)
    assert done.exit_code == 2
    assert "are for the demo table" in " ".join(done.output.split())
    assert not (tmp_path / "data").exists()


def test_an_unknown_situation_is_refused_with_those_there_are() -> None:
    listed = CliRunner().invoke(omaha_table, ["practice", "--situation", "list"])
    assert listed.exit_code == 0
    names = [line.split()[0] for line in listed.output.splitlines()]
    done = CliRunner().invoke(omaha_table, ["practice", "--situation", "nowhere"])
    assert done.exit_code == 2
    told = " ".join(done.output.split())
    assert "Unknown situation 'nowhere'" in told
    assert all(name in told for name in names)


def test_a_console_that_gave_up_does_not_end_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("omaha_table.cli.console._need_terminal", lambda: None)
    monkeypatch.setattr(
        "omaha_table.dealer.screen.run.Evening.run", lambda _: Outcome(gave_up="It gave up.")
    )
    path = tmp_path / "t7.toml"
    path.write_text('[table]\nid = "t7"\nrules = "ca_big_o"\n')
    words = ["console", "--table", str(path), "--data", str(tmp_path / "data")]
    done = CliRunner().invoke(omaha_table, words)
    assert done.exit_code == 1
    assert "It gave up." in done.output
