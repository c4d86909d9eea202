"""What the dealer is asked before an entry is taken back."""

from __future__ import annotations

from tests.console.scenes import Table


def asked(table: Table) -> tuple[str, str]:
    prompt = table.console.prompt
    return prompt.title, prompt.detail


def test_an_undo_names_the_action_it_takes_back() -> None:
    table = Table().keys("enter", "enter", "-", ".")
    assert asked(table) == ("UNDO FOLD?", "Takes back: seat 1 FOLD. The log keeps both.")


def test_an_undo_names_every_seat_that_folded_in_one_entry() -> None:
    table = Table().keys("enter", "enter", "4", "-")
    hand = table.session.state.hand
    assert hand is not None
    folded = [seat for seat, at in hand.seats.items() if at.folded]
    assert sorted(folded) == [1, 2, 3]
    title, detail = asked(table.keys("."))
    assert title == "UNDO 3 FOLDS?"
    assert detail == "Takes back: folds of seats 1, 2, 3. The log keeps both."


def test_an_undo_of_a_board_names_its_street() -> None:
    title, detail = asked(Table().to_flop().keys("."))
    assert title == "UNDO FLOP?"
    assert detail == "Takes back: FLOP 7c 5h 2s. The log keeps both."
