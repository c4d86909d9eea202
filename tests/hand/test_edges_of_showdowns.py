"""Showdowns at the edge of their rules: who shows first, what cards allow, what a void gives back.

Boards and awards are worked out by hand; scripts are in dollars, what is expected is in cents.
"""

from __future__ import annotations

import pytest

from omaha_table.hand import decide
from omaha_table.hand.commands import Push
from omaha_table.hand.events import HandEnded
from omaha_table.hand.frozen import replace
from omaha_table.hand.showdown import call_off, cards_allow, showdown_order, unread
from tests.evenings import (
    PLACED_HILO,
    codes,
    hand_end,
    no_limit,
    of_type,
    profile_with,
    run,
)
from tests.hand.edges import hand_after
from tests.hand.lines import seats

DRY = ("flop Kh Jc 9d", "turn 8s", "river 3h")
"""No low is possible: 8 and 3 are the only low ranks."""
WET = ("flop 7c 5h 2s", "turn Kd", "river Qs")


def checked(board: tuple[str, ...]) -> str:
    return "".join(f"{street}\ncheck around\n" for street in board)


def limped(count: int, board: tuple[str, ...] = DRY) -> str:
    """So many seats put 4 in, the button last, and check to the showdown."""
    calls = "call\n" * (count - 1)
    return f"{seats(range(1, count + 1))}\nbutton {count}\ndeal\n{calls}check\n{checked(board)}"


# Who shows first


def to_the_river(button: int = 3) -> str:
    start = f"{seats([1, 2, 3])}\nbutton {button}\ndeal\ncall\ncall\ncheck\n"
    return start + checked(DRY[:2]) + f"{DRY[2]}\n"


def test_the_last_to_bet_or_raise_shows_first_and_not_who_called() -> None:
    river = to_the_river() + "1 check\n2 bet\n3 call\n1 call\n"
    assert showdown_order(hand_after(river)) == [2, 3, 1]
    raised = to_the_river() + "1 bet\n2 call\n3 raise\n1 call\n2 call\n"
    assert showdown_order(hand_after(raised)) == [3, 1, 2]


def test_checked_through_the_first_hand_left_of_the_button_shows_first() -> None:
    assert showdown_order(hand_after(to_the_river() + "check around\n")) == [1, 2, 3]


HOUSE = profile_with("house_omaha_hilo", button={"initial": "placed"})
FIRST_ACTOR = profile_with(
    "house_omaha_hilo", button={"initial": "placed"}, showdown={"first": "first_actor"}
)
"""As the house sheet was read in the first release."""


def all_in_on_the_flop(rest: str) -> str:
    """Seat 1 is all in on the flop and does not act again."""
    start = f"seat 1 P1 9\n{seats([2, 3, 4])}\nbutton 4\ndeal\ncall\ncall\ncall\ncheck\n"
    return f"{start}{DRY[0]}\n1 allin\n2 call\n3 call\n4 call\n{checked(DRY[1:2])}{DRY[2]}\n{rest}"


def test_the_first_to_act_shows_first_where_a_profile_says_so() -> None:
    river = to_the_river() + "1 check\n2 bet\n3 call\n1 call\n"
    assert showdown_order(hand_after(river, FIRST_ACTOR)) == [1, 2, 3]
    passed = all_in_on_the_flop("check around\n")
    assert showdown_order(hand_after(passed, FIRST_ACTOR)) == [2, 3, 4, 1]


@pytest.mark.parametrize(
    ("river", "first"),
    [
        ("1 check\n2 bet\n3 call\n1 call\n", 2),
        ("1 check\n2 bet\n3 raise\n1 call\n2 call\n", 2),
        ("1 bet\n2 raise\n3 raise\n1 call\n2 call\n", 1),
        # The bettor gave up: of those who show, the raiser was the first to bet or raise.
        ("1 bet\n2 call\n3 raise\n1 fold\n2 call\n", 3),
        ("check around\n", 1),
        # A fold that nobody asked for is no action to begin with.
        ("1 fold\n2 check\n3 check\n", 2),
    ],
)
def test_by_the_house_sheet_the_first_to_bet_or_else_to_check_shows_first(
    river: str, first: int
) -> None:
    assert showdown_order(hand_after(to_the_river() + river, HOUSE))[0] == first


def test_by_the_house_sheet_a_seat_that_is_all_in_has_not_checked() -> None:
    passed = all_in_on_the_flop("check around\n")
    assert showdown_order(hand_after(passed, HOUSE)) == [2, 3, 4, 1]
    folded = all_in_on_the_flop("2 fold\n3 check\n4 check\n")
    assert showdown_order(hand_after(folded, HOUSE)) == [3, 4, 1]


def test_by_the_house_sheet_without_a_bet_on_the_river_the_first_live_hand_shows_first() -> None:
    """All are in on the turn, so that nobody begins anything on the river."""
    script = f"seat 1 P1 18\n{seats([2])}\nseat 3 P3 18\nbutton 3\ndeal\ncall\ncall\ncheck\n"
    script += f"{DRY[0]}\ncheck around\n{DRY[1]}\n1 check\n2 bet\n3 call\n1 call\n{DRY[2]}\n"
    assert showdown_order(hand_after(script, HOUSE)) == [1, 2, 3]


def test_by_the_house_sheet_a_bet_that_goes_back_with_a_dead_hand_began_nothing() -> None:
    river = to_the_river() + '1 check\n2 check\n3 bet\nfloor 4711 dead 3 "no hole cards"\n'
    hand = hand_after(river, HOUSE)
    assert (hand.price, hand.initiators) == (0, (1, 2))
    assert showdown_order(hand)[0] == 1


def test_an_action_that_is_taken_back_began_nothing() -> None:
    river = to_the_river() + "1 check\n2 bet\nundo\n2 check\n3 check\n"
    assert showdown_order(hand_after(river, HOUSE)) == [1, 2, 3]


def test_by_the_house_sheet_every_live_hand_is_tabled() -> None:
    """Nobody mucks, and the pot waits for the last hand."""
    river = to_the_river() + "1 check\n2 bet\n3 call\n1 fold\nstep\nmuck 3\nshow 2 AcAd9h9s\n"
    answers = run(river + "push\nstep\nshow 3 QcQh8d8c\npush", HOUSE)
    assert codes(answers) == ["must_table", "wrong_phase"]
    refused = of_type(answers, "refused")[0]
    assert (refused["rule"], refused["source"]) == (
        "showdown.must_table",
        "003_8957b683cb274f98",
    )
    first, second = of_type(answers, "step")
    assert [choice["word"] for choice in first["choices"]] == ["show", "high"]
    assert (first["seat"], second["seat"]) == (2, 3)
    assert of_type(answers, "hand_ended")[0]["awards"]


# What the board and the cards allow


@pytest.mark.parametrize(
    ("river", "refusals"),
    [("Ad", []), ("8d", []), ("9d", ["cards_speak"]), ("2d", ["cards_speak"])],
)
def test_a_low_needs_three_ranks_from_the_ace_to_the_eight(river: str, refusals: list[str]) -> None:
    board = ("flop Kc Qh 2s", "turn 3d", f"river {river}")
    assert codes(run(limped(3, board) + "low 2", PLACED_HILO)) == refusals


def test_a_high_game_pays_no_low_though_the_hands_have_one() -> None:
    """Seat 1 has a pair of aces, seat 2 7-5-4-3-2; one pot of 8."""
    script = f"{seats([1, 2])}\nbutton 2\ndeal\ncall\ncheck\n{checked(WET)}"
    script += "show 1 AhAd9c9h\nshow 2 4h3d6sTc\npush"
    high = profile_with("ca_omaha_high", limit=no_limit("4.00"))
    assert hand_end(run(script, high))["pots"][0]["low"] == {}
    assert hand_end(run(script, high))["awards"] == {"1": 800}


FOUR = limped(4)
ACES, KINGS, QUEENS = "AsAh4c4d", "KsKd5c5d", "QsQh6c6d"
"""On that board: a pair of aces, three kings, a pair of queens."""


def test_a_winner_cannot_be_named_against_a_better_hand_on_the_table() -> None:
    shown = FOUR + f"show 1 {ACES}\nshow 2 {KINGS}\nshow 3 {QUEENS}\n"
    assert codes(run(shown + "high 1", PLACED_HILO)) == ["cards_speak"]
    assert codes(run(shown + "high 2 1", PLACED_HILO)) == ["cards_speak"]
    assert codes(run(shown + "high 2", PLACED_HILO)) == []


def test_one_of_two_equal_hands_on_the_table_is_not_the_winner_alone() -> None:
    shown = FOUR + f"show 1 {ACES}\nshow 2 AdAc4h4s\n"
    assert codes(run(shown + "high 1", PLACED_HILO)) == ["cards_speak"]
    ended = hand_end(run(shown + "high 1 2\npush", PLACED_HILO))
    assert set(ended["awards"]) == {"1", "2"}


def test_a_low_is_weighed_by_lows_and_not_by_highs() -> None:
    """Seat 1 has three kings and no low."""
    shown = limped(3, WET) + "show 1 KcKhJhJd\n"
    assert codes(run(shown + "low 1", PLACED_HILO)) == ["cards_speak"]
    assert codes(run(shown + "low 2", PLACED_HILO)) == []


def test_the_worst_low_there_is_can_be_named() -> None:
    """Seat 1 has 8-7-6-5-4."""
    board = ("flop 8c 7d 6h", "turn Ks", "river Qd")
    script = limped(3, board) + "show 1 5c4dJhTs\nlow 1\nhigh 1\npush"
    assert hand_end(run(script, PLACED_HILO))["pots"][0]["low"].keys() == {"1"}


def test_nobody_names_a_winner_when_every_hand_is_on_the_table() -> None:
    script = limped(2) + f"show 1 {ACES}\nshow 2 {KINGS}\n"
    assert codes(run(script + "high 2", PLACED_HILO)) == ["cards_speak"]
    hand = hand_after(script)
    assert cards_allow(hand, "high", hand.pots()[0], (2,)) is False


def test_a_reading_stands_beside_a_weaker_hand_on_the_table() -> None:
    ended = hand_end(run(limped(3) + f"show 2 {QUEENS}\nhigh 1\npush", PLACED_HILO))
    assert (ended["awards"], ended["dealer_read"]) == ({"1": 900}, True)


def test_who_wins_alone_was_not_named_by_the_dealer() -> None:
    ended = hand_end(run(limped(3) + "muck 2\nmuck 3\npush", PLACED_HILO))
    assert (ended["awards"], ended["dealer_read"]) == ({"1": 900}, False)


def test_a_reading_falls_when_cards_go_against_it() -> None:
    """Seat 1 was named and shows queens, seat 2 shows kings; seat 3 has not shown."""
    shown = limped(3) + f"high 1\nshow 1 {QUEENS}\nshow 2 {KINGS}\n"
    assert codes(run(shown + "push", PLACED_HILO)) == ["wrong_phase"]
    assert set(hand_end(run(shown + "muck 3\npush", PLACED_HILO))["awards"]) == {"2"}


def test_a_reading_of_the_low_falls_too() -> None:
    """Seat 1 was named for the low and shows none; the high is then named, and the low missing."""
    shown = limped(3, WET) + "low 1\nshow 1 KcKhJhJd\n"
    assert codes(run(shown + "high 1\npush", PLACED_HILO)) == ["wrong_phase"]
    assert not codes(run(shown + "high 1\nlow 2\npush", PLACED_HILO))


def test_a_low_that_was_named_is_not_paid_on_a_board_that_has_none() -> None:
    """The floor corrects the 7 to a king: 5 and 2 are the only low ranks."""
    script = limped(3, WET) + 'high 1\nlow 2\nfloor 4711 board 1 Kc "misread"\npush'
    assert hand_end(run(script, PLACED_HILO))["awards"] == {"1": 900}


# Who has a claim


def test_a_side_pot_goes_to_the_last_of_its_own_seats_to_muck() -> None:
    """Seats 1 and 4 are in the main pot only; 3 gives up after 2, and 1 after both."""
    script = "seat 1 A 10\nseat 2 B 50\nseat 3 C 50\nseat 4 D 10\nbutton 4\ndeal\n"
    script += "3 raise 50\n4 call\n1 call\n2 call\n" + "\n".join(DRY)
    profile = profile_with(betting={"max_raises": 0}, limit=no_limit())
    ended = hand_end(run(script + "\nmuck 2\nmuck 3\nmuck 1\npush", profile))
    assert ended["awards"] == {"3": 8000, "4": 4000}


def test_who_alone_claims_a_side_pot_may_be_named_for_it() -> None:
    """Seat 1 takes the main pot with three kings; 3 gives up, which leaves the side pot to 2."""
    script = "seat 1 A 10\nseat 2 B 50\nseat 3 C 50\nbutton 3\ndeal\n3 raise 50\n1 call\n2 call\n"
    script += "\n".join(DRY) + f"\nshow 1 {KINGS}\nshow 2 {QUEENS}\nmuck 3\nhigh 2\npush"
    profile = profile_with(betting={"max_raises": 0}, limit=no_limit())
    ended = hand_end(run(script, profile))
    assert (ended["awards"], ended["dealer_read"]) == ({"1": 3000, "2": 8000}, False)


def test_when_all_others_are_ruled_dead_the_last_hand_need_not_be_shown() -> None:
    script = limped(3) + 'floor 4711 dead 1 "six cards"\nfloor 4711 dead 3 "six cards"\n'
    assert unread(hand_after(script)) == []
    ended = hand_end(run(script + "push", PLACED_HILO))
    assert (ended["outcome"], ended["awards"]) == ("uncontested", {"2": 900})


# The drop and the summary


def test_the_jackpot_comes_out_of_the_main_pot_after_the_fee() -> None:
    """Three put 4 in: 12, less 3 and 1."""
    limit = {
        "id": "4-8", "structure": "limit", "small_bet": "4.00", "big_bet": "8.00",
        "small_blind": "2.00", "big_blind": "4.00",
        "fees": [{"players": "2+", "fee": "3.00", "jackpot": "1.00"}],
    }  # fmt: skip
    ended = hand_end(run(limped(3) + "high 1\npush", profile_with(limit=limit)))
    assert (ended["fee"], ended["jackpot"], ended["waived"]) == (300, 100, 0)
    assert ended["awards"] == {"1": 800}


def test_a_summary_names_seats_ascending_wherever_the_button_is() -> None:
    script = "seat 1 A 100\nseat 2 B 100\nseat 3 C 100\nbutton 1\ndeal\nfold to 3\n"
    hand = hand_after(script)
    assert list(hand.seats) == [2, 3, 1]
    [ended] = decide(hand, Push()).events
    assert isinstance(ended, HandEnded)
    void = call_off(hand, "void", 9)
    for seats_named in (ended.stacks, ended.invested, void.stacks, void.invested):
        assert list(seats_named) == [1, 2, 3]
    assert list(void.returned) == [2, 3]


def test_returned_bets_are_named_ascending_too() -> None:
    hand = hand_after(limped(3) + "high 1")
    [ended] = decide(replace(hand, returned={3: 100, 1: 200}), Push()).events
    assert isinstance(ended, HandEnded)
    assert list(ended.returned) == [1, 3]


VOID = 'floor 4711 4712 void "fouled"'


def test_a_void_gives_everything_back_dead_money_and_uncalled_bets_told() -> None:
    """Seat 3 posts 4 live and 2 dead; all but seat 3 and 4 fold, who raise before the flop."""
    missed = f"{seats([1, 2, 4], '100')}\nseat 3 P3 100\nbutton 4\naway 3\n"
    missed += "deal\nfold to 2\npush\ndeal\nfold to 4\npush\ndeal\nfold to 1\npush\n"
    script = missed + f"back 3\npost 3\ndeal\n3 check\n4 fold\n1 fold\n2 check\n{DRY[0]}\n"
    answers = run(script + VOID, PLACED_HILO)
    assert not codes(answers), of_type(answers, "refused")
    before, ended = of_type(answers, "hand_started")[-1], of_type(answers, "hand_ended")[-1]
    assert ended["outcome"] == "void"
    assert ended["returned"] == {"1": 200, "2": 400, "3": 600}
    assert (ended["fee"], ended["jackpot"], ended["waived"]) == (0, 0, 0)
    assert (ended["dealer_read"], ended["by_ruling"]) == (False, True)
    assert ended["invested"] == {"1": 0, "2": 0, "3": 0, "4": 0}
    assert ended["stacks"] == before["stacks"]


def test_a_void_counts_what_had_gone_back_uncalled_before_it() -> None:
    """Seat 2 has 6 and calls a raise to 8: 2 go back to seat 1, and 6 and 6 with the void."""
    script = f"seat 1 A 100\nseat 2 B 6\nbutton 1\ndeal\n1 raise\n2 call\n{DRY[0]}\n{VOID}"
    answers = run(script, PLACED_HILO, "4-8")
    assert of_type(answers, "street_closed")[0]["returned"] == {"1": 200}
    [ended] = of_type(answers, "hand_ended")
    assert ended["returned"] == {"1": 800, "2": 600}
    assert ended["stacks"] == {"1": 10000, "2": 600}


def test_an_award_by_ruling_pays_each_pot_to_its_own_seats_first() -> None:
    """Pots of 40, 60 and 40; seat 4 is given 90 and seat 1, which is in the first only, 50."""
    script = "seat 1 A 10\nseat 2 B 30\nseat 3 C 50\nseat 4 D 50\nbutton 4\ndeal\n"
    script += "3 raise 50\n4 call\n1 call\n2 call\n" + "\n".join(DRY)
    profile = profile_with(betting={"max_raises": 0}, limit=no_limit())
    script += '\nfloor 4711 4712 award 4 90 1 50 "camera"'
    ended = hand_end(run(script, profile))
    assert [(pot["amount"], pot["high"], pot["eligible"]) for pot in ended["pots"]] == [
        (4000, {"4": 4000}, [1, 2, 3, 4]),
        (6000, {"4": 5000, "1": 1000}, [1, 2, 3, 4]),
        (4000, {"1": 4000}, [1, 3, 4]),
    ]
    assert ended["awards"] == {"1": 5000, "4": 9000}
    assert (ended["dealer_read"], ended["by_ruling"]) == (False, True)
