"""The dialog of a ruling: numbers that stay, a question per field, the way back, what is shown."""

from __future__ import annotations

import pytest

from omaha_table.floor import RULINGS
from omaha_table.floor.rulings import BY_NUMBER, GROUPS
from tests.console.scenes import SCENES, Table, choose

NUMBERS = {
    "misdeal": 10, "exposed": 12, "backup": 13, "dead": 14, "bet": 15, "binding": 16, "clock": 17,
    "pot": 18, "void": 19, "live": 21, "release": 23, "award": 24, "fouled": 25, "waive": 26,
    "missing": 31, "premature": 32, "fourcards": 34, "noburn": 35, "board": 36, "playon": 37,
    "amend": 41, "impound": 42, "pay": 43, "refund": 45, "stack": 51, "button": 53, "nohand": 54,
    "waivekill": 56, "device": 61, "restore": 62, "deck": 63, "close": 79, "adjust": 52,
    "untrack": 57, "limit": 71, "rules": 72, "accept": 64,
}  # fmt: skip
"""Supervisors know them by heart: a line is added here, and never changed."""


def floor(table: Table | None = None) -> Table:
    made = Table().to_flop() if table is None else table
    return made.keys("/", *"4711", "enter")


def lines(table: Table) -> tuple[str, ...]:
    page = table.console.prompt.page
    assert page is not None
    return page.lines


def caps(table: Table) -> dict[str, str]:
    return {key.cap: key.label for key in table.console.prompt.keys}


def words(table: Table) -> tuple[str, ...]:
    draft = getattr(table.console.model.mode, "draft", None)
    return () if draft is None else tuple(draft.words)


# The list


def test_the_number_of_a_ruling_never_moves() -> None:
    assert {ruling.name: ruling.number for ruling in RULINGS} == NUMBERS


def test_a_number_is_given_once_and_a_bouncing_key_names_none() -> None:
    assert len(BY_NUMBER) == len(RULINGS)
    for number in BY_NUMBER:
        first, second = divmod(number, 10)
        assert first in GROUPS
        assert first != second


@pytest.mark.parametrize("scene", ["idle", "preflop", "flop", "show", "closed"])
def test_the_list_is_the_same_at_every_moment(scene: str) -> None:
    """The same rulings at the same places; only what is beside them tells whether they fit."""
    made = floor(SCENES[scene]())
    for group in sorted(GROUPS):
        made.keys(str(group))
        shown = [line[:24].rstrip() for line in lines(made)[:9] if line]
        wanted = [f"{r.number}  {r.title}" for r in RULINGS if r.number // 10 == group]
        assert shown == wanted
        made.keys(".")


def test_what_does_not_fit_is_grey_and_says_why() -> None:
    made = floor()
    page = made.console.prompt.page
    assert page is not None
    assert lines(made)[0].endswith("– Too late for a misdeal: play on or void it.")
    assert 0 in page.grey
    assert 3 not in page.grey, "a hand can be dead"
    made.keys("1", "0")
    assert made.console.model.answer.text == "Too late for a misdeal: play on or void it."
    assert made.console.prompt.title == "WHICH RULING?"
    made.keys("4")
    assert made.console.prompt.title == "SEAT", "the first digit is still there"


def test_a_number_without_a_ruling_is_refused_and_the_group_stays() -> None:
    made = floor().keys("6", "8")
    assert made.console.model.answer.text == "There is no ruling 68."
    assert lines(made)[0].startswith("61  Device out of use")


def test_the_groups_can_be_paged_through() -> None:
    made = floor()
    seen = []
    for _ in GROUPS:
        seen.append(lines(made)[0][:2])
        made.keys("+")
    assert seen == ["10", "21", "31", "41", "51", "61", "71"]
    assert lines(made)[0].startswith("10")


# Fields


def test_a_seat_is_asked_for_with_the_seats_that_can_be_chosen() -> None:
    made = choose(floor(), "live")
    assert made.console.model.answer.text == "No dead hand can be live again."
    made = choose(floor(Table(players=3, button=3).to_flop()), "binding")
    assert lines(made)[0] == "Who acted out of turn?"
    actor = made.session.state.hand.actor if made.session.state.hand else None
    assert not any(line.lstrip().startswith(f"{actor} ") for line in lines(made)[1:])
    made.keys(str(actor))
    assert made.console.prompt.detail == f"Seat {actor} is not waiting for its turn."
    made.keys("enter")
    assert words(made) == ()


def test_an_amount_typed_where_a_seat_is_asked_for_stops_at_two_digits() -> None:
    made = choose(floor(), "pot").keys("2", "3", "0")
    assert made.console.model.typed == "23"
    assert made.console.model.answer.text == "A seat has two digits at most. Press . to clear."


def test_enter_at_a_list_of_choices_names_the_digits() -> None:
    made = choose(floor(), "pot").keys("4", "enter", "enter")
    assert made.console.model.answer.text == "Type a number from 1 to 2."
    assert Table().keys("/", "*", "enter").console.model.answer.text == "Type a number from 1 to 9."


def test_a_choice_that_cannot_be_is_grey_and_refused() -> None:
    made = choose(floor(Table().keys("+", "0")), "binding")
    made.keys("2", "enter")
    assert lines(made)[2].startswith("2  check   Seat 2 could not check: there is a bet.")
    made.keys("2")
    assert made.console.model.answer.text == "Seat 2 could not check: there is a bet."
    made.keys("3")
    assert words(made) == ("2", "call")


def test_the_entries_that_would_be_taken_back_are_listed_the_last_one_first() -> None:
    made = choose(floor(Table().to_flop().keys("enter", "+")), "backup")
    assert lines(made)[1].startswith("1  seat 9 BET 4")
    assert lines(made)[2].startswith("2  seat 8 CHECK")
    made.keys("2", "1", "enter")
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.actor, hand.price) == (8, 0)


def test_the_places_of_the_board_are_shown_with_their_cards() -> None:
    made = choose(floor(), "board")
    assert lines(made)[1:] == ("1  7c  first flop card", "2  5h  second flop card",
                               "3  2s  third flop card")  # fmt: skip
    made.keys("2", "9", "*", "1", "enter")
    hand = made.session.state.hand
    assert hand is not None
    assert [card.text for card in hand.board] == ["7c", "9h", "2s"]


def test_too_much_is_refused_where_it_is_typed_with_what_is_there() -> None:
    """Seat 8 sat down with 45 and has paid 4."""
    made = choose(floor(), "pot").keys("8", "enter", "1", "4", "1")
    assert lines(made)[2] == "Seat 8 has $41 and must keep a chip."
    made.keys("enter")
    assert made.console.prompt.title == "AMOUNT"
    made.keys(".", "4", "0", ".", "9", "9", "enter")
    assert made.console.prompt.title == "REASON?"
    assert "seat 8 41 → 0.01" in lines(made)[1]


# The way back


def test_back_goes_one_field_at_a_time_and_the_pin_stays_for_the_visit() -> None:
    made = choose(floor(), "pot").keys("4", "enter", "1", "5", "enter", "2")
    titles = [made.console.prompt.title]
    for _ in range(5):
        made.keys(".")
        titles.append(made.console.prompt.title)
    assert titles == ["REASON?", "AMOUNT", "ADD OR BACK", "SEAT", "WHICH RULING?", "WHICH RULING?"]
    assert "Press * to leave" in made.console.model.answer.text
    made.keys("*")
    assert made.console.prompt.title == "SEAT 8 ACTS"


def test_back_at_a_field_finds_what_was_typed() -> None:
    made = choose(floor(), "pot").keys("4", "enter", "1", "5", "enter", ".")
    assert caps(made)["ENTER"] == "AMOUNT 5"
    made.keys("7", "enter")
    assert words(made) == ("4", "add", "7")


def test_a_first_digit_is_taken_back_before_the_list_is_left() -> None:
    made = floor().keys("5", ".")
    assert made.console.prompt.title == "WHICH RULING?"
    assert (caps(made).get("."), caps(made)["*"]) == (None, "LEAVE")


def test_a_held_point_goes_back_to_the_list_and_no_further() -> None:
    made = choose(floor(), "pot").keys("4", "enter", "1", "5")
    made.hammer(".", times=40, a_second=30)
    assert made.console.prompt.title == "WHICH RULING?"


# The reason


def test_a_digit_chooses_the_reason_and_enter_gives_the_ruling() -> None:
    made = choose(floor(), "dead").keys("4", "enter")
    seq = made.session.state.seq
    made.keys("enter")
    assert made.console.model.answer.text == "Choose the reason first: type its number."
    made.keys("3", "2")
    assert made.session.state.seq == seq, "no digit gives a ruling"
    assert made.console.prompt.detail == "wrong number of cards"
    made.keys("enter")
    assert made.console.model.story.log[0].endswith("  dead: hand of seat 4")
    assert "FLOOR F1 dead: wrong number of cards" in made.console.model.story.log[1]


def test_every_ruling_has_reasons_of_its_own() -> None:
    for ruling in RULINGS:
        assert 2 <= len(ruling.reasons) <= 9, ruling.name
        # So long that two of them stand beside each other in the dialog.
        assert all(3 <= len(reason) <= 31 for reason in ruling.reasons), ruling.name


def test_before_it_is_given_the_page_says_what_it_does_and_afterwards_what_it_did() -> None:
    """Eight players and a dead small blind have put in 32; seat 4 has 76 left."""
    made = choose(floor(), "pot").keys("4", "enter", "1", "1", "0", "enter")
    assert lines(made)[:2] == (
        "$10 goes from seat 4 into the pot.",
        "pot 32 → 42   seat 4 76 → 66",
    )
    made.keys("2", "enter")
    assert made.console.view().alarm.text == "Correct the pot: done.  pot 32 → 42   seat 4 76 → 66"
    made.keys("enter")
    assert made.console.view().alarm.level == "none", "until the next key"


# Asked once more


@pytest.mark.parametrize(("ruling", "title"), [
    ("void", "VOID THE HAND?"), ("fouled", "FOULED DECK?"), ("close", "CLOSE THE TABLE?"),
])  # fmt: skip
def test_what_ends_a_hand_or_the_day_needs_plus(ruling: str, title: str) -> None:
    made = choose(floor(Table() if ruling == "close" else None), ruling).keys("2", "enter")
    seq = made.session.state.seq
    assert made.console.prompt.title == title
    assert len(title) <= 17
    made.keys("enter")
    assert made.console.prompt.title == "REASON?", "ENTER is no"
    assert made.session.state.seq == seq
    made.keys("enter", "+")
    if ruling != "close":
        assert made.console.prompt.title == "SECOND PIN", "past the flop two must agree"
        made.keys(*"9000", "enter")
    assert made.session.state.hand is None
    assert made.session.state.closed == (ruling == "close")


def test_the_second_person_sees_the_ruling_and_back_loses_nothing() -> None:
    made = SCENES["two_persons"]()
    assert "Reason: hand cannot be reconstructed" in lines(made)
    assert any("A second supervisor must agree" in line for line in lines(made))
    made.keys("4", ".")
    assert made.console.prompt.title == "SECOND PIN", "the typed digits go first"
    made.keys(".", ".")
    assert made.console.prompt.title == "REASON?"
    assert made.console.prompt.detail == "hand cannot be reconstructed"
    made.keys("enter", "+", *"4712", "enter")
    assert made.session.state.hand is None


def test_a_wrong_second_pin_counts_and_is_asked_for_again() -> None:
    made = SCENES["two_persons"]().keys(*"9321", "enter")
    assert made.session.state.pin_failures == 1
    assert "Wrong PIN: 4 tries left" in made.console.model.answer.text
    assert made.console.prompt.title == "SECOND PIN"


def test_chips_that_are_not_tracked_cannot_be_amended_and_the_dialog_says_why() -> None:
    made = Table(players=3, button=3, stacks={2: None}).keys("+", "0", "-", "-", "0")
    assert made.session.state.hand is None
    made.keys("/", *"4711", "enter", *"41", "1", "2", "enter")
    assert "not tracked: move them by hand" in made.console.model.answer.text
