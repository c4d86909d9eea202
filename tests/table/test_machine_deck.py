"""The life of a deck in the shuffler: the table of the guide, and the rules behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omaha_table.rules import load_profile
from omaha_table.table import TableState, events
from omaha_table.table.folding import apply
from omaha_table.table.machine_deck import STAGES, STEPS, MachineDeck, after, taken
from tests.paths import ROOT

if TYPE_CHECKING:
    from omaha_table.table.machine_deck import DeckStep, Stage

STAGE_WORDS: dict[str, Stage] = {
    "not known": "none",
    "loaded": "loaded",
    "shuffling": "shuffling",
    "counted": "counted",
    "shuffled": "complete",
    "ready": "ready",
    "again": "again",
    "floor": "floor",
}
STEP_WORDS: dict[str, DeckStep] = {
    "a deck is loaded": "loaded",
    "a shuffle starts": "shuffle_started",
    "52 counted": "counted",
    "shuffle complete": "complete",
    "wrong count": "miscounted",
    "card missing": "card_missing",
    "duplicate card": "card_duplicate",
    "foreign card": "card_foreign",
    "card not read": "unread",
    "jam": "jam",
    "lid opened": "lid",
    "shuffle aborted": "aborted",
    "service mode": "service",
    "restart": "restarted",
    "reports lost": "events_lost",
}
TAKEN_WORDS = {"may be dealt": "ok", "put it back": "unverified", "to the floor": "bad"}


def table_of_the_guide() -> dict[str, dict[Stage, str]]:
    """By what happens, and by where the deck stands, what the guide says."""
    guide = (ROOT / "docs" / "devices.md").read_text(encoding="utf-8")
    lines = guide.partition("| | not known")[2].splitlines()
    heads = ["not known", *(cell.strip() for cell in lines[0].strip(" |").split("|"))]
    stages = [STAGE_WORDS[head] for head in heads]
    found = {}
    for line in lines[2:]:
        if not line.startswith("|"):
            break
        what, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        found[what] = dict(zip(stages, cells, strict=True))
    return found


GUIDE = table_of_the_guide()


def state_with(deck: MachineDeck | None) -> TableState:
    profile = load_profile("ca_big_o")
    return TableState(profile, profile.limits[0], machine=deck)


def test_the_guide_says_what_every_step_does_in_every_stage() -> None:
    assert {STEP_WORDS[what] for what in GUIDE if what in STEP_WORDS} == set(STEPS)
    assert set(GUIDE) - set(STEP_WORDS) == {
        "out of use", "let back by the floor", "*the deck is taken*"
    }  # fmt: skip
    assert all(list(row) == list(STAGES) for row in GUIDE.values())


@pytest.mark.parametrize("what", STEP_WORDS)
def test_a_step_does_what_the_guide_says(what: str) -> None:
    for stage, said in GUIDE[what].items():
        deck = MachineDeck("red", stage, cycle=1)
        assert after(deck, STEP_WORDS[what], "red", 1).stage == STAGE_WORDS[said], stage


def test_a_deck_that_is_taken_is_what_the_guide_says() -> None:
    for stage, said in GUIDE["*the deck is taken*"].items():
        assert taken(MachineDeck("red", stage, cycle=1), 1) == TAKEN_WORDS[said]
    assert taken(None) == "unverified"


def test_what_the_floor_does_to_a_deck_in_the_machine_is_what_the_guide_says() -> None:
    for stage, said in GUIDE["out of use"].items():
        if stage != "none":
            state = state_with(MachineDeck("red", stage))
            found = apply(state, events.DeviceTakenOut("shuffler")).machine
            assert found is not None
            assert found.stage == STAGE_WORDS[said]
    for stage, said in GUIDE["let back by the floor"].items():
        state = state_with(MachineDeck("red", stage))
        found = apply(state, events.DeckReadmitted("red")).machine
        assert found is not None
        assert found.stage == STAGE_WORDS[said]


def test_nothing_but_counting_52_and_completing_in_one_cycle_makes_a_deck_ready() -> None:
    """Every way of up to four steps, from every stage but ready."""
    ways: list[tuple[MachineDeck, tuple[str, ...]]] = [
        (MachineDeck("red", stage), ()) for stage in STAGES if stage not in ("ready", "counted",
                                                                           "complete")
    ]  # fmt: skip
    for _ in range(4):
        ways = [
            (after(deck, step, "red", cycle), (*way, f"{step}{cycle}"))
            for deck, way in ways
            for step in STEPS
            for cycle in ((1, 2) if step in ("counted", "complete") else (0,))
        ]
        for deck, way in ways:
            if deck.stage == "ready":
                halves = set(way[-2:])
                assert halves & {"counted1", "complete1", "counted2", "complete2"}
                assert {f"counted{deck.cycle}", f"complete{deck.cycle}"} <= set(way)


def test_the_first_reason_is_told() -> None:
    deck = after(after(MachineDeck("red", "ready", 1), "jam"), "lid")
    assert (deck.stage, deck.why) == ("again", "jam")


def test_a_shoe_that_is_taken_out_of_use_leaves_the_deck_as_it_is() -> None:
    deck = MachineDeck("red", "ready", 1)
    assert apply(state_with(deck), events.DeviceTakenOut("shoe")).machine == deck
