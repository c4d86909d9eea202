"""The dealer names the winners: of which pots, and which seats can be named."""

from __future__ import annotations

from omaha_table.cards import parse_cards
from omaha_table.dealer.messages import FactsChanged
from omaha_table.dealer.pot_pushes import pushes
from omaha_table.hand.commands import Muck, Show
from tests.console.scenes import Table


def three_all_in() -> Table:
    """All three are in the main pot, seats 2 and 3 have a side pot too. 7c 5h 2s 3d Ah."""
    made = Table("ca_omaha_hilo", "2-5", players=3, button=3, stacks={1: 1000, 2: 5000, 3: 5000})
    made.keys("+", "0", "*", "enter", "*", "enter", "*", "enter")
    return made.keys(*"7+5*2/03-01*0")


def test_a_pot_whose_hands_are_all_tabled_is_not_asked_for() -> None:
    made = three_all_in()
    for seat, cards in ((2, "As 4h 9c 9d"), (3, "Ks Kh 4c 8d")):
        assert made.session.do(Show(seat, parse_cards(cards))).refusal is None
    made.console.send(FactsChanged(made.console.facts()))
    made.keys("enter")
    sides: list[tuple[str, bool]] = []
    for _ in range(4):
        if not made.console.prompt.title.endswith("WHO WINS?"):
            break
        sides.append(
            (made.console.prompt.title[:4].rstrip(":"), "MAIN" in made.console.prompt.detail)
        )
        made.keys("1", "enter")
    assert sides == [("HIGH", True), ("LOW", True)]
    hand = made.session.state.hand
    assert hand is not None
    assert made.session.step.what == "push"
    assert 1 not in hand.read_high, "the tabled cards decide the side pot"


def test_a_seat_that_has_folded_cannot_be_named() -> None:
    made = Table(players=3, button=3).keys("+", "0", "-")
    hand = made.session.state.hand
    assert hand is not None
    [folded] = [seat for seat, at in hand.seats.items() if at.folded]
    made.around().keys(*"7+5*2/0").around().keys(*"3-0").around().keys(*"1*0").around()
    made.keys("enter")
    seq = made.session.state.seq
    made.keys(str(folded), "enter")
    assert made.session.state.seq == seq
    assert "cannot win" in made.console.model.answer.text
    made.keys("+")
    assert "So far" not in made.console.prompt.detail


def test_no_low_is_not_said_while_a_seat_is_named_for_it() -> None:
    made = three_all_in().keys("enter", "2", "enter")
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


def asked(made: Table) -> str:
    """'SIDE pot 1, HIGH: 2 3': which pot and side is asked for, and who can win it."""
    what, _, who = made.console.prompt.detail.partition(".")
    return f"{what}: {who.rpartition(': ')[2].rstrip('.')}"


def test_winners_are_asked_for_in_the_order_of_the_pushes() -> None:
    """The side pot first, high and then low; seat 3 has lost the side pot and so the main pot."""
    made = three_all_in().keys("enter")
    questions = []
    for seat in ("2", "2", "1", "1"):
        questions.append(asked(made))
        made.keys(seat, "enter")
    assert questions == [
        "SIDE pot 1, HIGH: 2 3",
        "SIDE pot 1, LOW: 2 3",
        "MAIN pot, HIGH: 1 2",
        "MAIN pot, LOW: 1 2",
    ]
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.read_high, hand.read_low) == ({0: (1,), 1: (2,)}, {0: (1,), 1: (2,)})
    assert made.session.step.what == "push"
    assert [due.what for due in pushes(hand)] == [
        "SIDE pot 1, HIGH and LOW",
        "MAIN pot, HIGH and LOW",
    ]


def test_who_wins_the_main_pot_too_is_named_with_one_key() -> None:
    made = three_all_in().keys("enter", "2", "enter", "3", "enter")
    caps = {key.cap: key.label for key in made.console.prompt.keys}
    assert (asked(made), caps["+"]) == ("MAIN pot, HIGH: 1 2", "ALSO SEAT 2")
    made.keys("+", "+")
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.read_high, hand.read_low) == ({0: (2,), 1: (2,)}, {0: (3,), 1: (3,)})


def test_who_has_lost_a_side_pot_cannot_be_named_for_the_main_pot() -> None:
    made = three_all_in().keys("enter", "2", "enter", "2", "enter")
    seq = made.session.state.seq
    made.keys("3", "enter")
    assert made.session.state.seq == seq
    why = "Seat 3 cannot win this pot. Live hands: 1 2. Press . to clear."
    assert why in made.console.model.answer.text


def test_a_tie_of_the_side_pot_may_be_beaten_for_the_main_pot() -> None:
    made = three_all_in().keys("enter", "2", "+", "3", "enter", "-")
    assert asked(made) == "MAIN pot, HIGH: 1 2 3"
    made.keys("1", "enter", "1", "enter")
    hand = made.session.state.hand
    assert hand is not None
    assert (hand.read_high, hand.read_low) == ({0: (1,), 1: (2, 3)}, {0: (1,), 1: ()})


def test_a_pot_without_another_live_hand_is_settled_with_the_side_pot() -> None:
    """Seat 1 mucks: the main pot is between seats 2 and 3 alone, as the side pot is."""
    made = three_all_in()
    assert made.session.do(Muck(1)).refusal is None
    made.keys("enter", "2", "enter", "3", "enter")
    hand = made.session.state.hand
    assert hand is not None
    assert made.session.step.what == "push"
    assert (hand.read_high, hand.read_low) == ({0: (2,), 1: (2,)}, {0: (3,), 1: (3,)})


def test_the_live_hands_are_named_with_the_question() -> None:
    made = three_all_in().keys("enter")
    assert "SIDE pot 1, HIGH.   Type the winner's seat: 2 3." in made.console.prompt.detail


def test_a_low_that_nobody_has_read_is_open_and_not_missing() -> None:
    made = three_all_in().keys("enter", "2", "enter")
    side = made.console.view().felt.pots[1]
    assert (side.high, side.low) == ("2", "?")
    made.keys("-")
    assert made.console.view().felt.pots[1].low == "-"


def test_a_tie_is_named_in_the_plural() -> None:
    made = three_all_in().keys("enter", "2", "+", "3")
    assert "HIGH: SEATS 2 3" in [key.label for key in made.console.prompt.keys]


def test_a_pot_below_a_side_pot_whose_low_was_won_has_a_low() -> None:
    made = three_all_in().keys("enter", "2", "enter", "3", "enter", "1", "enter")
    assert "MAIN pot, LOW" in made.console.prompt.detail
    assert "-" not in [key.cap for key in made.console.prompt.keys]
    seq = made.session.state.seq
    made.keys("-")
    assert made.session.state.seq == seq
    assert "Seat 3 won a low above" in made.console.model.answer.text
