"""Hands through a storm into the log, and a planted bug that this must find."""

from __future__ import annotations

from typing import Any

import pytest

from omaha_table.hand.commands import DealCard
from omaha_table.journal.keyring import Keyring
from omaha_table.session.commands import DealSealedCard, SessionCommand
from omaha_table.session.shoe import Shoe
from scripts.campaigns.table_storm import at_the_table, unshown


@pytest.fixture(autouse=True)
def _keyring() -> None:
    if not Keyring().put("omaha-table:test", b"x"):
        pytest.skip("this kernel offers no keyring")


def test_every_card_is_dealt_once_in_order_and_sealed_or_reported_lost() -> None:
    found = at_the_table(4, 3)
    assert unshown(found) == ""
    assert found.restarts
    assert found.face_up == 20
    assert found.sealed + found.unread >= 160


@pytest.mark.campaign
@pytest.mark.parametrize("seed", [4, 5])
def test_many_hands_through_a_storm(seed: int) -> None:
    found = at_the_table(30, seed)
    assert unshown(found) == ""


def test_a_console_that_does_not_ask_about_lost_cards_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Shoe, "_trouble", lambda *_, **__: [])
    with pytest.raises(AssertionError):
        at_the_table(12, 7)


def test_cards_that_change_places_on_the_way_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    deal, waiting = Shoe._deal, list[SessionCommand]()

    def swapped(shoe: Shoe, *given: Any) -> list[SessionCommand]:
        """The identities of the first two cards, the other way round."""
        made = deal(shoe, *given)
        if len(waiting) < 2 and isinstance(made[0], DealSealedCard):
            waiting.append(made[0])
            return [waiting[0]] if len(waiting) == 2 else [DealCard()]
        return made

    monkeypatch.setattr(Shoe, "_deal", swapped)
    with pytest.raises(AssertionError):
        at_the_table(1, 3)
