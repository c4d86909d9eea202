from __future__ import annotations

import pytest

from tests.drivers.storm import on_a_pty, without_ports


@pytest.mark.parametrize("seed", [1, 2])
def test_decks_through_a_storm(seed: int) -> None:
    found = without_ports(10, seed)
    assert found.cards + found.told_lost >= 520


def test_decks_through_a_storm_on_a_pty() -> None:
    found = on_a_pty(4, 3, pace=0.005)
    assert found.cards + found.told_lost >= 208
