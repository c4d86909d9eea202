"""What the devices counted, in the reports: by shift, also where a shift goes on past six."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from omaha_drivers import events as said

from omaha_table.cli import omaha_table
from tests.session.device_night import LIVE, LOST, Night, cycle
from tests.session.night import past_six, say

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def night(tmp_path: Path) -> Night:
    made = Night(tmp_path)
    made.hear("shuffler", LIVE)
    made.connect("1")
    return made


def report(folder: Path, *arguments: str, form: str = "json") -> str:
    given = ["report", *arguments, "--data", str(folder), "--format", form]
    done = CliRunner().invoke(omaha_table, given)
    assert done.exit_code == 0, done.output
    return done.stdout


def devices(folder: Path, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(report(folder, *arguments)).get("devices", {})
    return {name: {k: n for k, n in counts.items() if n} for name, counts in found.items()}


def played(night: Night) -> None:
    say(night.session, "deal", *["fold"] * 4, "push")


def test_a_shift_has_its_own_counts_and_goes_on_past_six(night: Night) -> None:
    night.hear("shuffler", *cycle(1))
    played(night)
    past_six(night.wall)
    played(night)
    night.hear("shuffler", *cycle(2), said.DeckIn("blue"), said.ShuffleStarted(3))
    night.hear("shuffler", said.Jammed("exit"), said.JamCleared("exit"))
    night.hear("shoe", LOST, LIVE, said.CardUnreadable(1))
    say(night.session, "deck manual")
    played(night)
    say(night.session, "shift day B8 J8")
    night.hear("shoe", said.CardUnreadable(1))
    played(night)
    night.session.close()
    assert devices(night.folder, "shift", "night") == {
        "shoe": {"decks": 1, "unread": 1, "reconnects": 1},
        "shuffler": {"shuffles": 2, "bad_shuffles": 1, "jams": 1},
    }
    assert devices(night.folder, "shift", "day") == {"shoe": {"decks": 1, "unread": 1}}


def test_the_page_names_what_changed(night: Night) -> None:
    night.hear("shuffler", *cycle(1))
    night.connect("2")
    night.hear("shoe", said.SettingsChanged("volume"), said.CardUnreadable(1))
    played(night)
    night.session.close()
    page = report(night.folder, "shift", "night", form="md")
    assert "| shuffler | 1 | 0 | 0 | 0 | 0 | - | 0 | 0 |" in page
    assert "| shoe | 0 | 0 | 0 | 1 | 1 | 100.0 | 0 | 0 |" in page
    assert "connected as house emu, serial shoe-1, firmware 2" in page
    assert "setting volume" in page


def test_a_shift_without_devices_has_no_such_section(tmp_path: Path) -> None:
    made = Night(tmp_path)
    played(made)
    made.session.close()
    assert devices(tmp_path, "shift", "night") == {}
    assert "Link errors" not in report(tmp_path, "shift", "night", form="md")
