"""How the last similar rulings were given, in the dialog of a ruling."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import pytest

from omaha_table.dealer.modes.draft import ROWS, WIDE
from omaha_table.dealer.screen.drawing import draw
from omaha_table.floor import RULINGS
from omaha_table.journal.verification import files_in, verify
from omaha_table.money import format_dollars
from tests.console.scenes import Table, choose, given_before

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

T = TypeVar("T")


def lines(made: Table) -> list[str]:
    page = made.console.prompt.page
    assert page is not None
    return list(page.lines)


def caps(made: Table) -> dict[str, str]:
    return {key.cap: key.label for key in made.console.prompt.keys}


def test_the_last_similar_rulings_stand_under_the_reasons(tmp_path: Path) -> None:
    made = choose(given_before(tmp_path), "dead").keys("4", "enter")
    assert lines(made)[-4:] == [
        "Given before, the most similar first:",
        "2025-11-15  #2     Seat 3   clock ran out",
        "2025-11-15  #1     Seat 2   wrong number of cards",
        "2025-11-13  #1     Seat 1   fouled hand",
    ]
    made.keys("1")
    assert lines(made)[-1] == "2025-11-13  #1     Seat 1   fouled hand", "with a reason chosen too"
    made.session.close()


def test_the_same_choice_comes_first(tmp_path: Path) -> None:
    """Seat 1's call was bound on 13 November and its fold on the 15th."""
    made = choose(given_before(tmp_path), "binding").keys("4", "enter", "2")
    assert [line[:10] for line in lines(made)[-2:]] == ["2025-11-15", "2025-11-13"]
    folded = made.keys(".", "1")
    assert lines(folded)[-2:] == [
        "2025-11-15  #3     Seat 1, fold   slow play",
        "2025-11-13  #2     Seat 1, call   acted out of turn",
    ]
    made.session.close()


def test_a_key_opens_all_of_them_with_who_gave_them(tmp_path: Path) -> None:
    made = choose(given_before(tmp_path), "dead").keys("4", "enter", "2")
    assert caps(made)["*"] == "GIVEN BEFORE"
    made.keys("*")
    assert made.console.prompt.title == "GIVEN BEFORE"
    assert lines(made)[0] == "2025-11-15  #2     Seat 3   clock ran out   F1"
    made.keys(".")
    assert made.console.prompt.detail == "wrong number of cards", "the reason is still chosen"
    made.keys("enter")
    assert "FLOOR F1 dead: wrong number of cards" in made.console.model.story.log[1]
    made.session.close()


def test_the_ruling_that_was_just_given_is_the_first_at_the_next(tmp_path: Path) -> None:
    made = choose(given_before(tmp_path), "dead").keys("4", "enter", "6", "enter")
    made.keys("/", *"4711", "enter")
    choose(made, "dead").keys("5", "enter")
    assert lines(made)[-3] == "2025-11-16  #1     Seat 4   one player to a hand"
    made.session.close()
    assert verify(files_in(tmp_path)).sound


def test_without_one_there_is_no_key_and_one_line_says_so(tmp_path: Path) -> None:
    made = choose(given_before(tmp_path), "waive")
    assert lines(made)[-1] == "Not given before at this table."
    assert "*" not in caps(made)
    made.session.close()


class Later:
    """What runs beside the keys ends when the test says so."""

    def __init__(self, made: Table) -> None:
        self._waiting: list[Callable[[], None]] = []
        made.console.in_background = self._begin

    def _begin(self, work: Callable[[], T], done: Callable[[T], None]) -> None:
        self._waiting.append(lambda: done(work()))

    def end(self) -> None:
        waiting, self._waiting = self._waiting, []
        for act in waiting:
            act()


def test_no_key_waits_for_the_logs(tmp_path: Path) -> None:
    made = given_before(tmp_path)
    later = Later(made)
    choose(made, "dead").keys("4", "enter")
    assert lines(made)[-1] == "Looking for similar rulings in the logs …"
    made.keys("2")
    assert made.console.prompt.detail == "wrong number of cards"
    later.end()
    assert made.console.prompt.detail == "wrong number of cards", "what was chosen stays"
    assert lines(made)[-1].startswith("2025-11-13")
    choose(made.keys(".", "."), "dead").keys("4", "enter", "2", "enter")
    seq = made.session.state.seq
    later.end()
    assert made.console.prompt.title == "SEAT 8 ACTS", "found too late: it is dropped"
    assert made.session.state.seq == seq
    made.session.close()


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40)])
@pytest.mark.parametrize("ruling", ["misdeal", "dead", "void", "pot", "backup"])
def test_pot_and_board_stay_and_nothing_is_cut_off(
    tmp_path: Path, ruling: str, size: tuple[int, int]
) -> None:
    """The longest pages: eight reasons, and a ruling that moves everybody's chips."""
    keys = {"dead": ("4", "enter"), "pot": ("4", "enter", "1", "1", "enter"), "backup": ("1",)}
    made = given_before(tmp_path)
    if ruling == "misdeal":
        made.keys("*").run('floor 4711 4712 void "emergency"', "deal").keys("/", *"4711", "enter")
    choose(made, ruling).keys(*keys.get(ruling, ()))
    assert made.console.prompt.title == "REASON?"
    shown = lines(made)
    assert len(shown) <= ROWS
    assert all(len(line) <= WIDE for line in shown)
    canvas = draw(made.console.view(), *size)
    assert canvas.clipped == []
    hand = made.session.state.hand
    assert hand is not None
    assert format_dollars(hand.pot_total).removeprefix("$") in canvas.text()
    if hand.board:
        assert "7♣ 5♥ 2♠" in canvas.text()
    made.session.close()


def test_every_reason_leaves_room_for_at_least_one_line() -> None:
    """Two lines of effect, one of chips, and the reasons in two columns."""
    assert max(3 + -(-len(ruling.reasons) // 2) for ruling in RULINGS) < ROWS
