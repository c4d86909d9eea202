from __future__ import annotations

from tests.hand.differential import KNOWN, Tally, play


def test_random_hands_equal_pokerkit_but_for_the_rules_it_has_otherwise() -> None:
    tally = Tally()
    play(600, seed=1, tally=tally)
    assert set(tally.named) == set(KNOWN)
    assert tally.compared > 300
