"""The dealer names the winners: of which pots, and which seats can be named."""

from __future__ import annotations

from omaha_table.cards import parse_cards
from omaha_table.hand.commands import Show
from tests.console.scenes import Table


def three_all_in() -> Table:
    """Seat 1 is in the main pot alone; seats 2 and 3 have a side pot. 7c 5h 2s 3d Ah."""
    made = Table("ca_omaha_hilo", "2-5", players=3, button=3, stacks={1: 1000, 2: 5000, 3: 5000})
    made.keys("enter", "enter", "*", "enter", "*", "enter", "*", "enter")
    return made.keys(*"7+5*2/3-", "1", "*")


def test_a_pot_whose_hands_are_all_tabled_is_not_asked_for() -> None:
    made = three_all_in()
    for seat, cards in ((2, "As 4h 9c 9d"), (3, "Ks Kh 4c 8d")):
        assert made.session.do(Show(seat, parse_cards(cards))).refusal is None
    made.keys("enter")
    asked: list[tuple[str, bool]] = []
    for _ in range(4):
        if not made.console.prompt.title.endswith("WHO WINS?"):
            break
        asked.append(
            (made.console.prompt.title[:4].rstrip(":"), "MAIN" in made.console.prompt.detail)
        )
        made.keys("1", "enter")
    assert asked == [("HIGH", True), ("LOW", True)]
    hand = made.session.state.hand
    assert hand is not None
    assert made.session.step.what == "push"
    assert 1 not in hand.read_high, "the tabled cards decide the side pot"


def test_a_seat_that_has_folded_cannot_be_named() -> None:
    made = Table(players=3, button=3).keys("enter", "enter", "-")
    hand = made.session.state.hand
    assert hand is not None
    [folded] = [seat for seat, at in hand.seats.items() if at.folded]
    made.around().keys(*"7+5*2/").around().keys(*"3-").around().keys("1", "*").around()
    made.keys("enter")
    seq = made.session.state.seq
    made.keys(str(folded), "enter")
    assert made.session.state.seq == seq
    assert "cannot win" in made.console.model.answer.text
    made.keys("+")
    assert "So far" not in made.console.prompt.detail


def test_no_low_is_not_said_while_a_seat_is_named_for_it() -> None:
    made = three_all_in().keys("enter", "1", "enter", "2", "enter")
    assert made.console.prompt.title == "LOW: WHO WINS?"
    made.keys("2")
    seq = made.session.state.seq
    made.keys("-")
    assert made.session.state.seq == seq
    made.keys("+", "-")
    assert made.session.state.seq == seq


def test_a_seat_is_named_once_in_a_tie() -> None:
    made = three_all_in().keys("enter", "2", "+", "2", "+", "3", "+")
    assert "So far: 2 3." in made.console.prompt.detail


def test_winners_are_asked_for_pot_by_pot_and_no_pot_is_overwritten() -> None:
    made = Table("ca_omaha_hilo", "2-5", players=3, button=3, stacks={1: 1000, 2: 5000, 3: 5000})
    made.keys("enter", "enter", "*", "enter", "*", "enter", "*", "enter")
    made.keys(*"7+5*2/", "1", "3", "-", "1", "*")
    made.keys("enter")
    asked = []
    for seat in ("1", "2", "1", "2"):
        asked.append((made.console.prompt.title, made.console.prompt.detail.partition(".")[0]))
        made.keys(seat, "enter")
    assert [title.partition(":")[0] for title, _ in asked] == ["HIGH", "HIGH", "LOW", "LOW"]
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.read_high, hand.read_low) == ({0: (1,), 1: (2,)}, {0: (1,), 1: (2,)})
    assert made.session.step.what == "push"


def test_the_live_hands_are_named_with_the_question() -> None:
    made = three_all_in().keys("enter")
    assert "MAIN pot, HIGH.   Type the winner's seat: 1 2 3." in made.console.prompt.detail


def test_a_low_that_nobody_has_read_is_open_and_not_missing() -> None:
    made = three_all_in().keys("enter", "1", "enter")
    main = made.console.view().felt.pots[0]
    assert (main.high, main.low) == ("1", "?")
    made.keys("2", "enter", "-")
    assert made.console.view().felt.pots[0].low == "-"


def test_a_tie_is_named_in_the_plural() -> None:
    made = three_all_in().keys("enter", "1", "+", "2")
    assert "HIGH: SEATS 1 2" in [key.label for key in made.console.prompt.keys]
