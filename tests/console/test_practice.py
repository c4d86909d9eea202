"""Practice: situations that happen as they say, and a score that sees what was keyed wrong."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from omaha_table.demo.emulated_table import QUICK, Rig
from omaha_table.demo.evening import DemoEvening
from omaha_table.demo.players import Intent
from omaha_table.demo.practice import SITUATIONS, Examiner, Score, situation
from omaha_table.session.config import demo_table
from tests.console.scenes import Table

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.dealer.console import Console


def play(folder: Path, name: str, hands: int = 1) -> tuple[DemoEvening, list[str]]:
    """Autoplay through a situation; everything the band and the hint line said."""
    given = situation(name)
    assert given is not None
    evening = DemoEvening(
        demo_table().with_stacks(dict(given.stacks)),
        folder,
        Rig(folder, QUICK, 3),
        office=X25519PrivateKey.generate().public_key(),
        pace=QUICK,
        autoplay=True,
        hands=hands,
        seed=3,
        headless=(80, 24),
        practice=True,
        situation=given,
    )
    said: list[str] = []

    def watch(console: Console) -> None:
        for text in (
            f"{console.prompt.title}: {console.prompt.detail}",
            console.model.hint,
            *console.model.story.log,
        ):
            if text and text not in said:
                said.append(text)

    evening.watch = watch
    evening.run()
    return evening, said


def test_quartering_pushes_a_half_and_two_quarters(tmp_path: Path) -> None:
    evening, said = play(tmp_path, "quartering")
    pushes = [text for text in said if text.startswith("PUSH")]
    assert [text for text in pushes if "HIGH half" in text]
    assert len([text for text in pushes if "1/4 (LOW tie)" in text]) == 2
    assert evening.examiner is not None
    assert evening.examiner.score.hands == 1
    assert evening.examiner.score.wrong == []


def test_a_short_all_in_happens(tmp_path: Path) -> None:
    _, said = play(tmp_path, "short all-in", hands=2)
    assert [text for text in said if "ALL-IN" in text]


def test_an_exposed_card_is_announced(tmp_path: Path) -> None:
    _, said = play(tmp_path, "exposed card")
    assert [text for text in said if "was exposed! After the deal" in text]


def test_a_jam_leaves_the_hand_in_play_and_takes_the_other_deck_out(tmp_path: Path) -> None:
    _, said = play(tmp_path, "jam", hands=2)
    assert [text for text in said if "deck OUT OF PLAY" in text]
    assert [text for text in said if " wins " in text]


def test_what_is_keyed_against_what_was_said_counts() -> None:
    table = Table().keys("enter", "enter")
    life = SimpleNamespace(console=table.console, intent=Intent("fold"))
    examiner = Examiner(life)  # type: ignore[arg-type]
    table.keys("enter")
    assert examiner.score.wrong == ['Ada said "fold", keyed was call']
    life.intent = Intent("raise")
    table.keys("+")
    assert len(examiner.score.wrong) == 1
    table.keys("a").keys(".", "+")
    table.keys("enter")
    assert examiner.score.undos == 1
    assert examiner.score.refusals == 1


def test_the_marks_are_full_for_a_fast_clean_hour_and_nothing_below_none() -> None:
    assert Score(hands=35, seconds=3600).marks == 100
    assert Score(hands=35, seconds=7200).marks == 80
    assert Score(hands=1, seconds=60, refusals=100).marks == 0
    assert Score().lines()[0] == "No hand was finished."


@pytest.mark.parametrize("given", SITUATIONS, ids=lambda given: given.name)
def test_a_stacked_deck_has_no_card_twice(given: object) -> None:
    deck = given.deck  # type: ignore[attr-defined]
    assert len(set(deck)) == len(deck)
