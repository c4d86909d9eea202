"""The short form of autoplay, and consoles with a planted bug that it must find."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import structlog

from omaha_table.dealer.console import Console
from omaha_table.dealer.heartbeat import Heartbeat
from omaha_table.journal.store import Store
from scripts.campaigns import autoplay
from scripts.campaigns.autoplay import Tally, campaign
from scripts.campaigns.soak.sabotage import sabotage

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

    from omaha_table.journal.chain import Row

pytestmark = pytest.mark.campaign


def test_hands_deal_themselves_through_faults_and_no_screen_shows_a_face_down_card(
    tmp_path: Path,
) -> None:
    tally = campaign(tmp_path, 6, seed=4, faults=0.01)
    assert tally.hands == 6
    assert tally.screens > 300
    assert tally.faults
    assert tally.wrong() == []


def short(folder: Path) -> Tally:
    return campaign(folder, 1, seed=4, faults=0.0)


@pytest.mark.parametrize(
    ("how", "found"), [("leak", "leaks:"), ("blank", "screens without the board:")]
)
def test_autoplay_finds_a_screen_that_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, found: str
) -> None:
    monkeypatch.setattr(Console, "view", Console.view)  # so that it is put back
    sabotage(how)
    wrong = short(tmp_path).wrong()
    assert any(sentence.startswith(found) for sentence in wrong), wrong


def test_autoplay_finds_a_list_of_events_that_names_a_face_down_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = Console.view

    def view(console: Console) -> Any:
        shown = right(console)
        return replace(shown, log=("12:00  seat 3 was dealt Ks", *shown.log))

    monkeypatch.setattr(Console, "view", view)
    assert "in the list of events" in short(tmp_path).leaks


def test_autoplay_finds_a_heartbeat_that_names_a_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = Heartbeat.beat

    def beat(heartbeat: Heartbeat, *given: Any, **options: Any) -> dict[str, Any]:
        return right(heartbeat, *given, **options) | {"doing": ["seat 3 holds Ks"]}

    monkeypatch.setattr(Heartbeat, "beat", beat)
    tally = short(tmp_path)
    assert tally.beats > 50
    assert "in a heartbeat" in tally.leaks


def test_autoplay_finds_a_journal_that_is_not_what_was_dealt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = Store.append

    def append(store: Store, rows: Sequence[Row], places: Sequence[tuple[str, str]] = ()) -> None:
        right(store, [r._replace(actor="x") if r.seq == 60 else r for r in rows], places)

    monkeypatch.setattr(Store, "append", append)
    tally = short(tmp_path)
    assert "event 60" in tally.damage[0]
    assert any(sentence.startswith("damage in the journal") for sentence in tally.wrong())


def test_autoplay_finds_an_error_that_is_logged_and_one_that_ends_a_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = Console.press
    count = iter(range(10**6))

    def press(console: Console, *given: Any, **options: Any) -> None:
        number = next(count)
        if number == 5:
            structlog.get_logger("planted").error("something went wrong")
        if number == 8:
            raise RuntimeError("planted")
        right(console, *given, **options)

    monkeypatch.setattr(Console, "press", press)
    assert short(tmp_path).wrong() == ["crashes: 1", "errors logged: 2"]


def test_autoplay_that_looked_at_nothing_does_not_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def blind(watcher: autoplay.Watcher, console: Console) -> None:
        """Looks at nothing."""

    monkeypatch.setattr(autoplay.Watcher, "__call__", blind)
    wrong = short(tmp_path).wrong()
    assert "no screen was looked at" in wrong
    assert "no board on a screen was looked at" in wrong
    assert "no heartbeat was looked at" in wrong
    assert "hands not dealt: 3" in Tally(wanted=9, hands=6).wrong()
