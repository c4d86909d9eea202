from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.hand import actions, betting, showdown, split
from omaha_table.hand import state as hand_state
from omaha_table.hand.frozen import replace
from omaha_table.hand.pots import Pot, build_pots
from scripts.campaigns import differential
from scripts.campaigns.differential import KNOWN, Tally, play

if TYPE_CHECKING:
    from collections.abc import Callable

    Patch = pytest.MonkeyPatch


@pytest.mark.campaign
def test_random_hands_equal_pokerkit_but_for_the_rules_it_has_otherwise() -> None:
    tally = Tally()
    play(200, seed=4, tally=tally)
    tally.check_shares()
    assert set(tally.named) == {*KNOWN, "parted"}
    assert tally.refused == tally.actions > 2_000


def test_a_cause_that_excuses_too_many_hands_is_refused() -> None:
    tally = Tally(hands=100, compared=100)
    tally.named["odd_chip"] = 30
    with pytest.raises(AssertionError, match="odd_chip in 30 of 100 hands"):
        tally.check_shares()


def test_a_hand_that_was_not_compared_is_missed() -> None:
    with pytest.raises(AssertionError):
        Tally(hands=100, compared=99).check_shares()


def _low_half_is_a_quarter(patch: Patch) -> None:
    right = split.split_pot

    def wrong(amount: int, high: Any, low: Any, button: int, rule: Any) -> Any:
        if not low:
            return right(amount, high, low, button, rule)
        quarter = amount // 4
        return (
            split.share_out(amount - quarter, high, button, rule),
            split.share_out(quarter, low, button, rule),
        )

    patch.setattr(showdown, "split_pot", wrong)


def _odd_chip_to_the_last_seat(patch: Patch) -> None:
    right = split.clockwise
    patch.setattr(split, "clockwise", lambda seats, button: right(seats, button)[::-1])


def _side_pots_in_the_main_pot(patch: Patch) -> None:
    def wrong(*given: Any, **named: Any) -> Any:
        pots, back = build_pots(*given, **named)
        merged = Pot(sum(pot.amount for pot in pots), pots[0].eligible) if pots else None
        return ((merged,) if merged else ()), back

    patch.setattr(hand_state, "build_pots", wrong)


def _low_of_the_main_pot_in_every_pot(patch: Patch) -> None:
    right = showdown.winners

    def wrong(state: Any, number: int, pot: Any) -> Any:
        high, low, by_dealer = right(state, number, pot)
        _, main_low, _ = right(state, 0, state.pots()[0])
        if len(pot.eligible) > 1 and main_low and not low:
            low = list(pot.eligible)
        return high, low, by_dealer

    patch.setattr(showdown, "winners", wrong)


def _one_raise_more(patch: Patch) -> None:
    right = betting._barred

    def wrong(state: Any, seat: int) -> str:
        cap = state.setup.profile.betting.max_raises
        if cap and state.raises == cap:
            state = replace(state, raises=cap - 1)
        return right(state, seat)

    patch.setattr(betting, "_barred", wrong)


def _uncalled_bet_stays_in(patch: Patch) -> None:
    patch.setattr(betting, "uncalled", lambda *_: {})


def _every_all_in_reopens(patch: Patch) -> None:
    patch.setattr(betting, "_reopened", lambda *_: True)


def _short_blinds_not_counted(patch: Patch) -> None:
    patch.setattr(betting, "_short", lambda *_: 0)


def _covered_seats_bar_a_raise(patch: Patch) -> None:
    """PokerKit's own rule: what is an excuse there is an error here."""
    right = betting._barred

    def wrong(state: Any, seat: int) -> str:
        others = [state.seats[other] for other in state.able if other != seat]
        if not any((hand.stack or 0) + hand.bet > state.price for hand in others):
            return "nobody_to_call"
        return right(state, seat)

    patch.setattr(betting, "_barred", wrong)


def _wagers_too_large_are_taken(patch: Patch) -> None:
    right = betting.options
    patch.setattr(actions, "options", lambda state: right(state)._replace(most=None))


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("plant", "found"),
    [
        (_low_half_is_a_quarter, "pushed .* by the rules"),
        (_odd_chip_to_the_last_seat, "pushed .* by the rules"),
        (_side_pots_in_the_main_pot, "the pots are .* by the rules"),
        (_low_of_the_main_pot_in_every_pot, "pushed .* by the rules"),
        (_one_raise_more, "the console has .* by the rules it is"),
        (_uncalled_bet_stays_in, "put in .* by the rules"),
        (_every_all_in_reopens, "the console has .* by the rules it is"),
        (_short_blinds_not_counted, "the console has .* by the rules it is"),
        (_covered_seats_bar_a_raise, "the console has .* by the rules it is"),
        (_wagers_too_large_are_taken, "a wager of .* was taken"),
    ],
)
def test_a_planted_bug_is_found(
    monkeypatch: pytest.MonkeyPatch, plant: Callable[[Patch], None], found: str
) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError, match=found):
        play(200, seed=4, tally=Tally())


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("attribute", "wrong"),
    [
        ("rake", lambda amount, _: (1, amount - 1)),
        ("divmod", lambda amount, parts: (amount // parts // 2, amount % parts)),
    ],
)
def test_a_difference_of_pokerkit_without_a_name_is_found(
    monkeypatch: pytest.MonkeyPatch, attribute: str, wrong: Any
) -> None:
    right = differential.their_state

    def other(*given: Any) -> Any:
        state = right(*given)
        setattr(state, attribute, wrong)
        return state

    monkeypatch.setattr(differential, "their_state", other)
    with pytest.raises(AssertionError, match="no known cause"):
        play(200, seed=4, tally=Tally())
