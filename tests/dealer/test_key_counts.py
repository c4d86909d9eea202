"""How many keys a hand and a ruling cost, before this round and now.

The counts before were taken by driving the console of 2d08c2a, the last commit before start, cards
out, board and push had keys of their own and rulings had numbers, with the same hands and rulings.
docs/console.md has both columns as a table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from omaha_table.hand.events import HandEnded
from omaha_table.table.events import Ruled
from tests.console.scenes import Table
from tests.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from omaha_table.journal.events import Record


class Counted(NamedTuple):
    before: int
    now: int
    play: Callable[[], Table]
    """Plays a hand from its cut or start to its last push."""
    awards: dict[int, int]
    """In dollars, worked out by hand."""


class Watched(Table):
    """A table at which the keys are counted and the ends of hands kept."""

    def watch(self) -> Watched:
        self.ended: list[HandEnded] = []
        self.console.listeners.append(self._keep)
        self._first = self.console.model.keys
        return self

    def _keep(self, records: Sequence[Record]) -> None:
        self.ended += [one.event for one in records if isinstance(one.event, HandEnded)]

    @property
    def pressed(self) -> int:
        return self.console.model.keys - self._first

    def pushed(self) -> Watched:
        while self.session.step.what == "push":
            self.keys("0")
        return self


def _named() -> Table:
    """Six call and check to the river: 24 less 4 drop. Seat 4 has the high, seat 2 the low.

    Start 1, cards out 1, four rounds of 6, cards 6 + 3 + 2, three boards, winners 5, two pushes.
    """
    made = Watched(players=6, button=1).watch()
    made.to_river().keys("enter", "4", "enter", "2", "enter")
    return made.pushed()


def _tabled() -> Table:
    """Three call and check to the river, 7c 5h 2s Kd Ah: 12 less 3 drop.

    Seat 2 tables three kings, seat 1 the low 7-5-3-2-A and gets the odd chip left of the button.
    """
    made = Watched(players=3, button=3).watch()
    made.to_river().keys("+", *"1/3-9+9-", "1", "0", "/")
    made.keys("+", "1", "3", "+", "1", "3", "/", *"4-8/", "1", "1", "*")
    made.keys("-")
    return made.pushed()


def _raised() -> Table:
    """Seat 4 raises to 8 and seats 2 and 3, who have put in 2 and 4, go along or fold: 8 + 8 + 4.

    On the flop seat 2 checks, and folds to a bet: 20 less 4 drop.
    """
    made = Watched(players=6, button=1).watch()
    made.keys("+", "0", "+", "-", "-", "-", "enter", "-")
    made.keys(*"7+5*2/", "0", "enter", "+", "-")
    return made.pushed()


def _all_in() -> Table:
    """Seat 1 has 10, seats 2 and 3 have 50: a main pot of 30 less 3 drop and a side pot of 80.

    Seat 2 is named for both highs and seat 3 for both lows: 40 and 13 each, and the odd chip of the
    main pot to seat 2, nearer to the left of the button.
    """
    stacks: dict[int, int | None] = {1: 1000, 2: 5000, 3: 5000}
    made = Watched("ca_omaha_hilo", "2-5", players=3, button=3, stacks=stacks).watch()
    made.keys("+", "0", "*", "enter", "*", "enter", "*", "enter", *"7+5*2/03-01*0")
    made.keys("enter", "2", "enter", "3", "enter", "+", "+")
    return made.pushed()


def _folded() -> Table:
    """Five fold to the big blind of seat 3: the small blind of 2, and 2 of its own that it matched.

    Start 1, cards out 1, five folds, one push.
    """
    made = Watched(players=6, button=1).watch().keys("+", "0")
    return _all_fold(made)


def _all_fold(made: Table) -> Table:
    assert isinstance(made, Watched)
    while made.session.step.what == "act":
        made.keys("-")
    return made.pushed()


def _with_shoe() -> Watched:
    made = Watched(devices=True, players=6, button=1)
    made.live().deck()
    made.watch().keys("enter", "+").cards(30)
    return made


def _shown() -> Table:
    """The shoe deals from the deuces up: the board is 9s Tc Td Ts Jd, and nobody can have a low.

    Seats 4 and 5 have a seven and an eight for a straight to the jack; the best of the others is
    three tens. They split 24 less 4 drop. Cut 1, start 1, four rounds of 6, six hands, two pushes.
    """
    made = _with_shoe()
    for street in range(4):
        made.cards((0, 4, 2, 2)[street]).around()
    while made.session.step.what == "show":
        made.keys("enter")
    return made.pushed()


HANDS = {
    "by hand, six to the river, winners named": Counted(44, 47, _named, {4: 10, 2: 10}),
    "by hand, three to the river, two hands keyed": Counted(54, 57, _tabled, {1: 5, 2: 4}),
    "by hand, a raise, over on the flop": Counted(18, 19, _raised, {4: 16}),
    "by hand, three all in, side pot, winners named": Counted(27, 32, _all_in, {2: 54, 3: 53}),
    "by hand, all fold": Counted(8, 8, _folded, {3: 4}),
    "with a shoe, six to the river, all show": Counted(34, 34, _shown, {4: 10, 5: 10}),
    "with a shoe, all fold": Counted(8, 8, lambda: _all_fold(_with_shoe()), {3: 4}),
}
"""Each board keyed by hand costs a key more: it is shown, and then confirmed. Where there is a side
pot its winners are named too, with one key where they are those of the pot above."""


@pytest.mark.parametrize("name", HANDS)
def test_a_hand_costs_so_many_keys_and_ends_in_the_right_awards(name: str) -> None:
    _, now, play, awards = HANDS[name]
    made = play()
    assert isinstance(made, Watched)
    [ended] = made.ended
    assert ended.awards == {seat: 100 * dollars for seat, dollars in awards.items()}
    assert made.session.state.hand is None
    assert made.console.model.refusals == 0
    assert made.pressed == now


@pytest.mark.parametrize("name", [name for name in HANDS if "side pot" not in name])
def test_a_careful_dealer_needs_one_key_more_a_street_at_most(name: str) -> None:
    before, now, play, _ = HANDS[name]
    made = play()
    assert isinstance(made, Watched)
    streets = {0: 0, 3: 1, 4: 2, 5: 3}[len(made.ended[0].board)]
    assert now - before <= (0 if "shoe" in name else streets)


# Rulings


def preflop() -> Table:
    return Table().keys("+", "0", "enter")


def flop() -> Table:
    return Table().to_flop()


def bet_on_the_flop() -> Table:
    return flop().keys("enter", "+")


def raised() -> Table:
    return Table().keys("+", "0", "+")


class Given(NamedTuple):
    before: int
    now: int
    table: Callable[[], Table]
    keys: tuple[str, ...]
    """After the PIN: the number, the fields, the reason, ENTER."""
    words: tuple[str, ...] = ()
    """What must be in the log."""


RULINGS = {
    "misdeal": Given(2, 4, preflop, ("10", "1", "enter")),
    "exposed": Given(4, 6, preflop, ("12", "4", "enter", "1", "enter"), ("4",)),
    "backup": Given(4, 5, bet_on_the_flop, ("13", "2", "1", "enter"), ("2",)),
    "dead": Given(4, 6, flop, ("14", "4", "enter", "2", "enter"), ("4",)),
    "bet": Given(6, 7, raised, ("15", "enter", "4", "enter", "1", "enter"), ("1", "4")),
    "binding": Given(6, 7, preflop, ("16", "4", "enter", "3", "1", "enter"), ("4", "call")),
    "clock": Given(5, 5, flop, ("17", "enter", "1", "enter"), ("8",)),
    "pot": Given(8, 10, flop, ("18", "4", "enter", "1", "10", "enter", "2", "enter"),
                 ("4", "add", "10")),
    "void": Given(2, 5, preflop, ("19", "1", "enter", "+")),
    "board": Given(6, 7, flop, ("36", "2", "9*", "1", "enter"), ("2", "9h")),
}  # fmt: skip
"""The ten commonest. Before, the list held only what fitted, under numbers that moved, and a digit
of one list of reasons for all rulings gave the ruling at once."""


@pytest.mark.parametrize("name", RULINGS)
def test_the_ten_commonest_rulings_take_ten_keys_after_the_pin_at_most(name: str) -> None:
    _, now, table, keys, words = RULINGS[name]
    made = table().keys("/", *"4711", "enter")
    first = made.console.model.keys
    ruled: list[tuple[str, tuple[str, ...]]] = []

    def keep(records: Sequence[Record]) -> None:
        events = [record.event for record in records]
        ruled.extend((one.ruling, one.words) for one in events if isinstance(one, Ruled))

    made.console.listeners.append(keep)
    made.keys(*(key for word in keys for key in ([word] if word in ("enter", "+") else word)))
    assert ruled == [(name, words)]
    assert made.console.model.refusals == 0
    assert made.console.model.keys - first == now <= 10


# The table in the guide


@pytest.mark.parametrize("name", [*HANDS, *RULINGS])
def test_the_guide_has_these_counts(name: str) -> None:
    counted = HANDS[name] if name in HANDS else RULINGS[name]
    guide = (ROOT / "docs" / "console.md").read_text(encoding="utf-8")
    shown = f"ruling `{name}`" if name in RULINGS else name
    assert f"| {shown} | {counted.before} | {counted.now} |" in guide
