"""The console as model, update and view: nothing is changed by showing it or by asking twice."""

from __future__ import annotations

import copy
import dataclasses
from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.dealer.messages import KeyPressed, Ticked
from omaha_table.dealer.updates import update
from omaha_table.dealer.views import view
from tests.console.scenes import SCENES

if TYPE_CHECKING:
    from omaha_table.dealer.model import Model

PAD = [*"0123456789+-*/.", "enter", "a", "escape", "colon", "backspace"]


def fields(model: Model) -> dict[str, object]:
    """Everything in a model, and everything in its modes, as it is now."""
    kept = {field.name: getattr(model, field.name) for field in dataclasses.fields(model)}
    return kept | {"modes": [(type(mode), copy.copy(vars_of(mode))) for mode in model.modes]}


def vars_of(mode: Any) -> dict[str, object]:
    return {field.name: getattr(mode, field.name) for field in dataclasses.fields(mode)}


@pytest.mark.parametrize("name", SCENES)
def test_a_view_shown_twice_is_the_same_and_leaves_the_model_as_it_was(name: str) -> None:
    model = SCENES[name]().console.model
    before = fields(model)
    assert view(model) == view(model)
    assert fields(model) == before


@pytest.mark.parametrize("name", SCENES)
def test_the_same_key_on_the_same_model_gives_the_same_change(name: str) -> None:
    made = SCENES[name]()
    model, seq = made.console.model, made.session.state.seq
    before = fields(model)
    for key in PAD:
        first = update(model, KeyPressed(key, 1e6))
        second = update(model, KeyPressed(key, 1e6))
        assert view(first.model) == view(second.model), key
        assert [type(effect) for effect in first.effects] == [
            type(effect) for effect in second.effects
        ]
    assert fields(model) == before
    assert made.session.state.seq == seq, "a change alone writes nothing"


@pytest.mark.parametrize("name", SCENES)
def test_models_and_modes_cannot_be_changed(name: str) -> None:
    model = SCENES[name]().console.model
    with pytest.raises(dataclasses.FrozenInstanceError):
        model.typed = "1"  # type: ignore[misc]
    for mode in model.modes:
        with pytest.raises((dataclasses.FrozenInstanceError, TypeError, AttributeError)):
            mode.changed = True  # type: ignore[attr-defined]


def test_a_tick_without_an_alarm_shows_nothing_new() -> None:
    model = SCENES["flop"]().console.model
    assert view(update(model, Ticked(5.0)).model) == view(model)


def test_no_pin_can_be_read_off_a_model() -> None:
    made = SCENES["pin"]().keys("1")
    assert "4711" not in repr(made.console.model.modes)
    made.keys("enter")
    assert "4711" not in repr(made.console.model.modes)
    effects = update(SCENES["pin"]().keys("1").console.model, KeyPressed("enter", 1e6)).effects
    assert effects
    assert "4711" not in repr(effects)
