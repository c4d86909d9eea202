"""Between hands by keys: shifts with their boxes, and how the deck is shuffled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.shipped import config_dir
from tests.console.scenes import Table

if TYPE_CHECKING:
    from pathlib import Path


def test_a_shift_is_opened_and_closed_with_its_boxes_by_keys() -> None:
    made = Table().keys("/", "+", "*", "2", "7", "1", "enter")
    state = made.session.state
    assert (state.shift, state.box.name, state.box.jackpot_name) == ("swing", "71", "none")
    made.keys("/", "+", "*", "-", "enter")
    assert made.session.state.shift == "swing", "ENTER does not confirm it"
    made.keys("/", "+", "*", "-", "+")
    assert made.session.state.shift is None


def test_a_jackpot_has_a_box_of_its_own(tmp_path: Path) -> None:
    text = (config_dir() / "rules" / "house_omaha_hilo.toml").read_text(encoding="utf-8")
    path = tmp_path / "house_omaha_hilo.toml"
    path.write_text(text.replace('fee = "5.00"', 'fee = "5.00", jackpot = "1.00"'))
    made = Table(str(path), "6-12").keys("/", "+", "*", "1", "7", "enter")
    assert made.session.state.shift is None
    made.keys("8", "enter")
    assert made.session.state.box.jackpot_name == "8"


def test_shuffling_by_hand_is_offered_where_the_rules_allow_it_only(tmp_path: Path) -> None:
    text = (config_dir() / "rules" / "ca_big_o.toml").read_text(encoding="utf-8")
    path = tmp_path / "ca_big_o.toml"
    path.write_text(text.replace('allowed = ["machine"]', 'allowed = ["machine", "manual"]'))
    for rules, offered in (("ca_big_o", False), (str(path), True)):
        table = Table(rules, devices=True).live()
        assert table.session.step.what == "deck"
        keys = [key.label for key in table.console.prompt.keys]
        assert ("SHUFFLED BY HAND" in keys) == offered


def test_during_a_hand_the_push_is_offered_and_the_shift_is_not() -> None:
    made = Table().keys("+", "/", "+", "*")
    assert made.console.prompt.title == "DEALER PUSH"
    assert made.console.model.answer.text == "A shift opens and closes between hands."
    made.keys("1", "1", "4", "enter", "/", "+")
    assert made.console.prompt.detail.startswith("D114: 0 hands, drop 0.  The next")


def test_after_a_fouled_deck_the_next_one_is_taken_with_a_key() -> None:
    """No machine is connected that could report it, and none may be shuffled by hand."""
    made = Table().keys("+", "0").run('floor 4711 fouled "two of the same card"')
    assert made.console.prompt.title == "ANOTHER DECK"
    assert len(made.console.prompt.detail) <= 78
    made.keys("enter")
    assert made.console.prompt.title == "START HAND"
    made.keys("+")
    assert made.session.state.hands == 2


def test_after_a_fouled_deck_a_shuffler_that_is_down_is_for_the_floor() -> None:
    made = Table(devices=True)
    made.run("deck bad 52")
    assert made.console.prompt.title == "ANOTHER DECK"
    assert "the floor takes it out of use" in made.console.prompt.detail
    assert len(made.console.prompt.detail) <= 78
    made.keys("enter")
    assert made.session.state.deck == "bad"
