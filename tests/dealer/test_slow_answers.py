"""No key is lost or lands elsewhere while an answer is waited for: the log's, or that to a PIN."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from tests.console.scenes import Table, choose

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from omaha_table.floor import Identity
    from omaha_table.session.answer import Answer
    from omaha_table.table.commands import TableCommand


class SlowLog:
    """A table in the betting whose log takes so many seconds for a command."""

    def __init__(self, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = time.monotonic() + 1000
        self.made = Table("ca_omaha_hilo", "5-5", players=6, button=1).keys("enter", "enter")
        do = self.made.session.do

        def carry_out(
            command: TableCommand, place: tuple[str, str] | None = None, actor: str = ""
        ) -> Answer:
            self.now += seconds
            return do(command, place, actor)

        monkeypatch.setattr(self.made.session, "do", carry_out)
        monkeypatch.setattr(time, "monotonic", lambda: self.now)

    def press(self, key: str, at: float) -> int:
        """A key at its own time, taken when the log lets it; how many events came of it."""
        seq = self.made.session.state.seq
        self.made.console.press(key, at)
        return self.made.session.state.seq - seq


def test_another_key_that_came_during_a_slow_answer_waits_and_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = SlowLog(2.0, monkeypatch)
    began = log.now
    assert log.press("enter", began) == 1
    assert log.press("-", began + 0.5) == 1
    assert "FOLD" in log.made.console.model.story.log[0]


def test_the_same_key_again_during_a_slow_answer_is_impatience_and_rings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = SlowLog(2.0, monkeypatch)
    began, bells = log.now, log.made.console.model.bells
    assert log.press("enter", began) == 1
    for later in (0.5, 1.0, 1.9):
        assert log.press("enter", began + later) == 0
    assert log.made.console.model.bells == bells + 3
    assert "before the answer was shown" in log.made.console.model.answer.text


def test_the_same_key_after_a_slow_answer_was_seen_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = SlowLog(2.0, monkeypatch)
    began = log.now
    assert log.press("enter", began) == 1
    assert log.press("enter", began + 2.5) == 1


def test_after_a_quick_answer_the_next_key_counts_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = SlowLog(0.01, monkeypatch)
    began = log.now
    assert log.press("enter", began) == 1
    assert log.press("enter", began + 0.15) == 1


# PINs


class Lookups:
    """PINs are looked up when the test says so, as a thread would some time later."""

    def __init__(self, made: Table) -> None:
        self.made = made
        self._waiting: list[tuple[Callable[[], Identity], Callable[[Identity], None]]] = []
        self.count = 0
        made.console.in_background = self._begin

    def _begin(self, work: Callable[[], Identity], done: Callable[[Identity], None]) -> None:
        self.count += 1
        self._waiting.append((work, done))

    def finish(self) -> None:
        work, done = self._waiting.pop(0)
        done(work())


def test_keys_typed_while_a_pin_is_checked_choose_the_ruling_that_was_meant() -> None:
    made = Table().to_flop()
    lookups = Lookups(made)
    seq = made.session.state.seq
    made.keys("/", *"4711", "enter")
    assert made.console.prompt.title == "CHECKING PIN"
    shown = choose(Table().to_flop().keys("/", *"4711", "enter"), "hand dead")
    line = next(line[0] for line in _rulings_page(Table().to_flop()) if "hand dead" in line)
    made.keys(line, "4", "enter", "2")
    assert made.console.prompt.title == "CHECKING PIN", "they wait"
    assert made.session.state.seq == seq
    lookups.finish()
    expected = shown.keys("4", "enter", "2")
    assert made.console.model.story.log[0][10:] == expected.console.model.story.log[0][10:]
    hand = made.session.state.hand
    assert hand is not None
    assert hand.seats[4].folded


def _rulings_page(table: Table) -> tuple[str, ...]:
    page = table.keys("/", *"4711", "enter").console.prompt.page
    assert page is not None
    return page.lines


def test_no_key_reaches_the_table_from_the_slash_until_the_dialog_closes() -> None:
    made = Table().to_flop()
    lookups = Lookups(made)
    seq, typed = made.session.state.seq, made.console.model.typed
    made.keys("/", *"9321", "enter")
    made.keys("+", "-", "1", "2", "enter")
    lookups.finish()
    assert "Wrong PIN" in made.console.model.answer.text
    assert made.console.prompt.title == "FLOOR: PIN"
    page = made.console.prompt.page
    assert page is not None
    assert page.dots == 0, "what was typed for a ruling is not a PIN"
    hand = made.session.state.hand
    assert hand is not None
    assert [event for event in made.console.model.story.log if "RAISE" in event] == []
    assert (made.console.model.typed, seq + 1) == (typed, made.session.state.seq)


def test_a_pin_is_looked_up_once_for_a_visit_to_the_floor(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Table().to_flop()
    tried: list[str] = []
    identify = made.session.identify

    def counted(pin: str) -> Identity:
        tried.append(pin)
        return identify(pin)

    monkeypatch.setattr(made.session, "identify", counted)
    made.keys("/", *"4711", "enter")
    choose(made, "hand dead").keys("4", "enter", "1")
    assert tried == ["4711"]
    assert "FLOOR F1" in made.console.model.story.log[0]


def test_a_second_pin_typed_ahead_waits_for_its_own_check() -> None:
    made = Table().to_flop()
    lookups = Lookups(made)
    made.keys("/", *"4711", "enter")
    lookups.finish()
    choose(made, "Void the hand").keys("1")
    made.keys(*"9000", "enter", "a")
    assert made.console.prompt.title == "CHECKING PIN"
    assert lookups.count == 2
    lookups.finish()
    assert made.session.state.hand is None


def test_reports_of_devices_are_taken_while_a_pin_is_checked() -> None:
    made = Table(devices=True).live().deck().keys("enter", "enter").cards(10)
    lookups = Lookups(made)
    made.keys("/", *"4711", "enter").cards(3)
    hand = made.session.state.hand
    assert hand is not None
    assert hand.cards_out == 13
    lookups.finish()
    assert made.console.prompt.title == "CHOOSE"
