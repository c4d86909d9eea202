"""Keys that were pressed while an answer was waited for belong to a screen that is gone."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tests.console.scenes import Table

if TYPE_CHECKING:
    from omaha_table.session.answer import Answer
    from omaha_table.table.commands import TableCommand


class SlowLog:
    """A table in the betting whose log takes so many seconds for a command."""

    def __init__(self, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = time.monotonic() + 1000
        self.made = Table("ca_omaha_hilo", "5-5", players=6, button=1).keys("enter", "enter")
        do = self.made.session.do

        def carry_out(command: TableCommand, place: tuple[str, str] | None = None) -> Answer:
            self.now += seconds
            return do(command, place)

        monkeypatch.setattr(self.made.session, "do", carry_out)
        monkeypatch.setattr(time, "monotonic", lambda: self.now)

    def press(self, key: str) -> int:
        """The key at this moment; how many events came of it."""
        seq = self.made.session.state.seq
        self.made.front.press(key)
        return self.made.session.state.seq - seq


@pytest.mark.parametrize("key", ["enter", "-", "*"])
def test_a_key_that_came_during_a_slow_answer_is_not_taken(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = SlowLog(2.0, monkeypatch)
    assert log.press("enter") == 1
    for _ in range(3):
        # The terminal hands on what it had kept, all at once.
        assert log.press(key) == 0
        log.now += 0.01
    assert log.made.front.typed == ""


def test_a_key_that_comes_after_a_slow_answer_was_seen_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = SlowLog(2.0, monkeypatch)
    assert log.press("enter") == 1
    log.now += 0.5
    assert log.press("enter") == 1


def test_after_a_quick_answer_the_next_key_counts_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = SlowLog(0.01, monkeypatch)
    assert log.press("enter") == 1
    log.now += 0.15
    assert log.press("enter") == 1
