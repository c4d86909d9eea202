"""Keys: what the strip shows is what they do, in every scene and dialect."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from omaha_table.dealer.pad import pad_key
from omaha_table.dealer.updates import QUIET_GAP
from tests.console.scenes import SCENES, Table

PAD = [*"0123456789+-*/.", "enter"]
DIALECTS = {
    "numlock on": PAD,
    "numlock off": ["insert", "end", "down", "pagedown", "left", "kp_begin", "right", "home", "up",
                    "pageup", "plus", "minus", "asterisk", "slash", "delete", "enter"],
    "kitty": [*(f"kp_{digit}" for digit in range(10)), "add", "subtract", "multiply", "divide",
              "decimal", "kp_enter"],
}  # fmt: skip


@pytest.mark.parametrize("names", DIALECTS.values(), ids=list(DIALECTS))
def test_every_dialect_of_the_pad_says_the_same(names: list[str]) -> None:
    assert [pad_key(name) for name in names] == PAD


def fingerprint(table: Table) -> tuple[object, ...]:
    console = table.console
    return (
        console.session.state.seq,
        console.model.typed,
        console.prompt,
        type(console.model.mode),
    )


REPEATED = (("pot_limit", "*"), ("not_tracked", "0"))
"""Keys that have just been pressed and do the same once more."""


@pytest.mark.parametrize("name", SCENES)
def test_a_key_that_is_shown_does_something_and_any_other_rings_and_changes_nothing(
    name: str,
) -> None:
    for key in PAD:
        table = SCENES[name]()
        prompt = table.console.prompt
        caps = {shown.cap.lower() for shown in prompt.keys if shown.label and not shown.grey}
        digits = any("-" in cap and cap[0].isdigit() for cap in caps)
        shown = key in caps or (key.isdigit() and digits)
        before, bells = fingerprint(table), table.console.model.bells
        table.keys(key)
        changed = fingerprint(table) != before or table.console.model.quit
        rang = table.console.model.bells > bells
        if not shown:
            assert rang, key
            assert not changed, key
            assert table.console.model.answer.text
        else:
            assert changed or rang or (name, key) in REPEATED, key


@pytest.mark.parametrize("key", ["a", "Q", "escape", "f1", "ctrl+c", "tab", "space", "alt+x"])
def test_letters_and_other_keys_change_nothing(key: str) -> None:
    for name in ("preflop", "flop", "idle", "pin", "rulings"):
        table = SCENES[name]()
        before = fingerprint(table)
        table.keys(key)
        assert fingerprint(table) == before
        assert table.console.model.bells


def test_a_held_enter_is_one_enter() -> None:
    table = Table().keys("+", "0")
    seq = table.session.state.seq
    for repeat in range(40):
        table.console.press("enter", 100 + repeat / 30)
    assert table.session.state.seq == seq + 1
    table.console.press("enter", 100 + 40 / 30 + QUIET_GAP)
    assert table.session.state.seq == seq + 2


@pytest.mark.parametrize("pause", [0.25, 0.5, 0.66])
def test_a_held_enter_with_the_pause_of_a_keyboard_says_that_it_may_have_acted_twice(
    pause: float,
) -> None:
    """The first repeat is like a second press, so the next player may have called; not a third."""
    table = Table().keys("+", "0")
    seq = table.session.state.seq
    table.console.press("enter", 100)
    for repeat in range(20):
        table.console.press("enter", 100 + pause + repeat / 30)
    assert table.session.state.seq <= seq + 2
    answer = table.console.model.answer
    assert (answer.level, answer.text) == (
        "warn",
        "ENTER was held down: check the last entry. Press . to take it back.",
    )
    table.console.press(".", 110)
    table.console.press("+", 111)
    hand = table.session.state.hand
    assert hand is not None
    assert hand.actions == 1, "one player has called"


def test_quick_presses_and_a_bouncing_key_are_no_held_key() -> None:
    table = Table().keys("+", "0")
    for number in range(4):
        table.console.press("enter", 100 + number / 3)
    table.console.press("enter", 101.02)
    assert table.console.model.answer.level == "none"


def test_a_typed_amount_is_never_a_call_by_habit() -> None:
    table = SCENES["raise_too_small"]()
    seq = table.session.state.seq
    table.keys("enter")
    assert table.session.state.seq == seq
    assert "minimum is 10" in table.console.model.answer.text
    table.keys(".", "1", "5", "enter")
    hand = table.session.state.hand
    assert hand is not None
    assert hand.price == 1500


def test_an_undo_is_confirmed_by_another_key_than_the_one_that_is_hammered() -> None:
    table = SCENES["undo"]()
    seq = table.session.state.seq
    assert table.keys("enter").session.state.seq == seq
    table.keys(".", "+")
    assert table.session.state.seq == seq + 1
    assert table.session.state.hand is not None
    assert table.session.state.hand.price == 400


def test_a_burst_over_a_mode_change_lands_where_it_was_meant() -> None:
    """`/ 4 7 1 1`: the digits are a PIN, whole and unseen, though no screen has changed yet."""
    table = Table().to_flop()
    for at, key in enumerate("/4711"):
        table.console.press(key, 100 + at / 1000)
    view = table.console.view()
    assert view.prompt.page is not None
    assert view.prompt.page.dots == 4
    assert table.console.model.typed == ""
    assert "4711" not in repr(view)


def test_the_pin_is_nowhere_in_the_view_or_the_log() -> None:
    table = Table().to_flop().keys("/", *"9321")
    assert "9321" not in repr(table.console.view())
    table.keys("enter")
    assert "9321" not in repr(table.console.view())
    assert "4 tries left" in table.console.model.answer.text


def test_random_keys_never_break_the_console_and_every_chip_stays() -> None:
    rng = random.Random(11)
    for seed in range(12):
        table = Table(devices=seed % 2 == 0, players=6, button=None if seed % 3 else 3)
        if seed % 2 == 0:
            table.live().deck()
        for _ in range(400):
            key = rng.choice([*PAD, "enter", "enter", "a", "escape"])
            table.keys(key)
            table.console.view()
            if table.console.model.quit:
                table.console.model = replace(table.console.model, quit=False)
        hand = table.session.state.hand
        if hand is not None:
            assert sum(pot.amount for pot in hand.pots()) <= hand.pot_total


def test_a_nine_seat_limit_hand_with_a_shoe_takes_one_key_an_action_and_twelve_others() -> None:
    table = Table("ca_omaha_hilo", "4-8", devices=True, players=9, button=7)
    table.live()
    before = table.console.model.keys
    if table.session.step.what == "deck":
        table.keys("enter")
    table.keys("enter", "+")
    assert table.session.step.what == "deal"
    table.cards(36)
    actions = 0
    for street in range(4):
        if street:
            table.cards(4 if street == 1 else 2)
        while table.session.step.what == "act":
            fold = street == 0 and actions < 4
            actions += 1
            table.keys("-" if fold else "enter")
    while table.session.step.what == "show":
        table.keys("enter")
    while table.session.step.what == "push":
        table.keys("0")
    assert table.session.state.hand is None
    acted = actions
    assert table.console.model.keys - before - acted <= 12
    assert table.console.model.refusals == 0


def test_pot_limit_shows_the_pot_and_commits_it_with_the_second_key() -> None:
    table = SCENES["pot_limit"]()
    assert table.console.prompt.keys[0].label == "RAISE TO 20"
    records = table.session.state.seq
    table.keys("enter")
    assert table.session.state.seq == records + 1
    hand = table.session.state.hand
    assert hand is not None
    assert hand.price == 2000


def test_the_raise_key_of_a_stack_that_can_only_raise_all_in_works_in_no_limit() -> None:
    """Nine dollars in front of a 2-5 game: more than the bet of 5, less than the raise to 10."""
    table = Table("ca_omaha_hilo", "2-5", players=6, button=1, stacks={4: 900}).keys("+", "0")
    assert ("+", "RAISE TO 9, ALL-IN") in [
        (key.cap, key.label) for key in table.console.prompt.keys
    ]
    table.keys("+")
    hand = table.session.state.hand
    assert hand is not None
    assert (hand.price, hand.seats[4].all_in, hand.actor) == (900, True, 5)


def test_an_all_in_of_an_untracked_stack_asks_for_its_amount() -> None:
    table = Table(stacks=dict.fromkeys(range(1, 10))).keys("+", "0", "*")
    assert "type the amount" in table.console.model.answer.text
    seen = len(table.console.model.story.log)
    table.keys("3", "*")
    assert len(table.console.model.story.log) == seen, "* fills in and commits nothing"
    assert table.console.prompt.keys[0].label == "ALL-IN FOR 3"
    table.keys("enter")
    assert "CALL 3, ALL-IN" in table.console.model.story.log[0]
    assert len(table.console.model.story.log) == seen + 1


def test_a_raise_that_takes_the_last_chips_says_so_on_its_key() -> None:
    made = Table("ca_omaha_hilo", "4-8", players=4, button=3, stacks={2: 600}).keys("+", "0")
    [raises] = [key for key in made.console.prompt.keys if key.cap == "+"]
    assert (raises.label, raises.short) == ("RAISE TO 6, ALL-IN", "RAISE ALL-IN")
