"""What the dealer is asked before an entry is taken back."""

from __future__ import annotations

from tests.console.scenes import Table


def asked(table: Table) -> tuple[str, str]:
    prompt = table.console.prompt
    return prompt.title, prompt.detail


def test_an_undo_names_the_action_it_takes_back() -> None:
    table = Table().keys("+", "0", "-", ".")
    assert asked(table) == ("UNDO FOLD?", "Takes back: seat 1 FOLD. The log keeps both.")


def test_an_undo_names_every_seat_that_folded_in_one_entry() -> None:
    table = Table().keys("+", "0", "4", "-", "enter")
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


def test_cards_out_can_be_taken_back() -> None:
    table = Table().keys("+", "0", ".")
    assert asked(table) == ("UNDO CARDS OUT?", "Takes back: hole cards out. The log keeps both.")
    table.keys("+")
    assert table.session.step.what == "deal"


def test_the_start_of_a_hand_is_asked_about_and_enter_keeps_it() -> None:
    table = Table().keys("+", ".")
    title, detail = asked(table)
    assert title == "UNDO START?"
    assert detail == "Takes back: the start of hand 1; all posts and fees go back."
    table.keys("enter")
    assert table.session.step.what == "deal"
    table.keys(".", "+")
    assert table.session.state.hand is None
    assert table.console.prompt.title == "START HAND"


def test_seating_between_hands_is_taken_back_with_one_key_and_a_question() -> None:
    table = Table(players=8).keys("9", "enter", "2", "0", "0", "+")
    assert table.session.state.seats[9].stack == 200_00
    table.keys(".")
    assert asked(table) == (
        "UNDO SEATING?",
        "Takes back: seat 9 sits down with 200. The log keeps both.",
    )
    table.keys("+")
    assert 9 not in table.session.state.seats


def test_a_drawn_card_is_taken_back_during_the_draw() -> None:
    table = Table(button=None).keys("enter", *"13/", ".")
    assert asked(table) == (
        "UNDO DRAWN CARD?",
        "Takes back: draw seat 1 Ks. The log keeps both.",
    )
    table.keys("+")
    assert table.console.prompt.title == "CARD TO SEAT 1"


def test_every_line_of_such_a_question_fits_its_band() -> None:
    for keys in (("9", "enter", "/", "+"), ("+",), ("1", "enter", "5", "0", "+", "enter")):
        prompt = Table().keys(*keys, ".").console.prompt
        assert (prompt.kind, len(prompt.title) <= 17) == ("SURE", True)
        assert len(prompt.detail) <= 78


def test_the_log_says_what_was_taken_back() -> None:
    table = Table().keys("+", "0", "-", ".", "+")
    assert table.console.model.story.log[0].endswith("« taken back: seat 1 FOLD")
    table.keys("4", "-", "enter", ".", "+")
    assert table.console.model.story.log[0].endswith("« taken back: folds of seats 1, 2, 3")


def test_the_log_says_what_was_taken_back_between_hands() -> None:
    table = Table(players=8).keys("9", "enter", "2", "0", "0", "+", ".", "+")
    assert table.console.model.story.log[0].endswith("« taken back: seat 9 sits down with 200")


def test_where_nothing_can_be_taken_back_the_key_names_the_floor() -> None:
    """The pot was pushed too early: from here on it is a ruling."""
    table = Table().keys("+", "0", "9", "-", "enter", "0")
    assert table.session.state.hand is None
    table.keys(".")
    said = "Nothing here can be taken back. What was before is the floor's: press /."
    assert table.console.model.answer.text == said
    assert len(table.console.model.modes) == 1
