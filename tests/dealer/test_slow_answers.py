"""No key is lost or lands elsewhere while an answer is waited for: the log's, or that to a PIN."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from tests.console.scenes import Table, choose

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from omaha_table.floor import Identity
    from omaha_table.session.answer import Answer
    from omaha_table.session.signers import Purpose
    from omaha_table.table.commands import TableCommand


T = TypeVar("T")


class SlowLog:
    """A table in the betting whose log takes so many seconds for a command."""

    def __init__(self, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = time.monotonic() + 1000
        self.made = Table("ca_omaha_hilo", "5-5", players=6, button=1).keys("+", "0")
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


def test_a_key_that_comes_again_after_others_is_no_impatience(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A call, and at once a ruling: the ENTER after the PIN is not that of the call."""
    log = SlowLog(2.0, monkeypatch)
    began, bells = log.now, log.made.console.model.bells
    keys = ("enter", "/", *"4711", "enter", "1", "4", "4", "enter", "2", "enter")
    for number, key in enumerate(keys):
        log.press(key, began + number * 0.05)
    assert log.made.console.model.bells == bells
    done, ruled, called = log.made.console.model.story.log[:3]
    assert "dead: hand of seat 4" in done
    assert "FLOOR F1 dead" in ruled
    assert "CALL" in called


def test_a_ruling_s_last_digit_may_be_the_first_of_what_follows() -> None:
    made = Table(players=4, button=1).keys("+", "0")
    made.keys("/", *"4711", "enter")
    at = 1000.0
    for key in ("3", "1", "1", "enter"):
        at += 0.05
        made.console.press(key, at)
    assert "FLOOR F1 missing" in made.console.model.story.log[1]


def test_keys_that_were_typed_while_a_device_s_card_was_recorded_slowly_all_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = Table(devices=True).live().deck().keys("enter", "+").cards(10)
    do = made.session.do

    def slowly(*given: object, **more: object) -> Answer:
        now[0] += 1.0
        return do(*given, **more)  # type: ignore[arg-type]

    now = [time.monotonic() + 1000]
    monkeypatch.setattr(made.session, "do", slowly)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    began = now[0]
    for number, key in enumerate(("/", *"4711", "enter", "2", "6", "1", "enter")):
        made.cards(1)
        made.console.press(key, began + number * 0.05)
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.cards_out, hand.fee_waived) == (20, True)
    assert any("FLOOR F1 waive" in line for line in made.console.model.story.log)


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
        self._waiting: list[Callable[[], None]] = []
        made.console.in_background = self._begin

    def _begin(self, work: Callable[[], T], done: Callable[[T], None]) -> None:
        self._waiting.append(lambda: done(work()))

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def finish(self) -> None:
        """All that has begun: the search for similar rulings too."""
        waiting, self._waiting = self._waiting, []
        for act in waiting:
            act()


def test_keys_typed_while_a_pin_is_checked_choose_the_ruling_that_was_meant() -> None:
    made = Table().to_flop()
    lookups = Lookups(made)
    seq = made.session.state.seq
    made.keys("/", *"4711", "enter")
    assert made.console.prompt.title == "CHECKING PIN"
    shown = choose(Table().to_flop().keys("/", *"4711", "enter"), "dead")
    made.keys("1", "4", "4", "enter", "2", "enter")
    assert made.console.prompt.title == "CHECKING PIN", "they wait"
    assert made.session.state.seq == seq
    lookups.finish()
    expected = shown.keys("4", "enter", "2", "enter")
    assert made.console.model.story.log[0][10:] == expected.console.model.story.log[0][10:]
    hand = made.session.state.hand
    assert hand is not None
    assert hand.seats[4].folded


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

    def counted(pin: str, number: str, purpose: Purpose) -> Identity:
        tried.append(pin)
        return identify(pin, number, purpose)

    monkeypatch.setattr(made.session, "identify", counted)
    made.keys("/", *"4711", "enter")
    choose(made, "dead").keys("4", "enter", "1", "enter")
    assert tried == ["4711"]
    assert "FLOOR F1" in made.console.model.story.log[1]


def test_a_second_pin_typed_ahead_waits_for_its_own_check() -> None:
    made = Table().to_flop()
    lookups = Lookups(made)
    made.keys("/", *"4711", "enter")
    lookups.finish()
    choose(made, "void").keys("1", "enter", "+")
    made.keys(*"9000", "enter", "a")
    assert made.console.prompt.title == "CHECKING PIN"
    assert lookups.waiting == 2, "the search for similar rulings, and the second PIN"
    lookups.finish()
    assert made.session.state.hand is None


def test_reports_of_devices_are_taken_while_a_pin_is_checked() -> None:
    made = Table(devices=True).live().deck().keys("enter", "+").cards(10)
    lookups = Lookups(made)
    made.keys("/", *"4711", "enter").cards(3)
    hand = made.session.state.hand
    assert hand is not None
    assert hand.cards_out == 13
    lookups.finish()
    assert made.console.prompt.title == "WHICH RULING?"
