"""Kills at the edge of their rules: a pot of exactly the size, and who has the kill afterwards.

The house game is 6-12 with a half kill of 9-18 after a whole pot of 60 or more.
"""

from __future__ import annotations

from typing import Any

import pytest

from omaha_table.floor.files import demo_staff
from omaha_table.rules import examine
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evenings import codes, of_type, profile_with, run, shipped

BOARD = ("flop Kh Jc 9d", "turn 8s", "river 3h")
KILL = {
    "kind": "half", "small_bet": "9.00", "big_bet": "18.00", "blind": "9.00",
    "threshold": "60.00", "basis": "gross",
}  # fmt: skip
FEES = [{"players": "2+", "fee": "3.00", "jackpot": "1.00"}]


def house(**kill: Any) -> Any:
    """The house game with a fee of 3 and a jackpot of 1; a setting of None is left out."""
    [limit] = shipped("house_omaha_hilo")["limits"]
    given = {name: value for name, value in (KILL | kill).items() if value is not None}
    return profile_with("house_omaha_hilo", limit=limit | {"fees": FEES, "kill": given})


def seats(*numbers: int) -> str:
    return "".join(f"seat {n} P{n} 500\n" for n in numbers)


def of_sixty(turn: str = "bet", winner: int = 1, five: bool = False) -> str:
    """Three put in 6 and 6, two of them 12 on the turn: 60, for one of the seats 1 and 3."""
    start = seats(1, 2, 3) + "button 3\ndeal\n3 call\n"
    if five:
        start = seats(1, 2, 3, 4, 6) + "button 6\ndeal\n3 call\n4 fold\n6 fold\n"
    script = start + f"1 call\n2 check\n{BOARD[0]}\n1 bet\n2 call\n3 call\n{BOARD[1]}\n"
    bet = "1 bet\n2 call\n3 fold\n" if winner == 1 else "1 bet\n2 fold\n3 call\n"
    script += bet if turn == "bet" else "check around\n"
    return script + f"{BOARD[2]}\ncheck around\nhigh {winner}\npush\n"


def played(script: str, rules: Any = None) -> list[dict[str, Any]]:
    answers = run(script, rules or house())
    assert not codes(answers), of_type(answers, "refused")
    return answers


def ended(script: str, rules: Any = None) -> dict[str, Any]:
    last: dict[str, Any] = of_type(played(script, rules), "hand_ended")[-1]
    return last


def test_a_pot_of_exactly_the_size_kills_before_fee_and_jackpot() -> None:
    hand = ended(of_sixty())
    assert (hand["awards"], hand["fee"], hand["jackpot"]) == ({"1": 5600}, 300, 100)
    assert hand["kill"] == 1


def test_by_the_net_pot_fee_and_jackpot_count_no_more() -> None:
    assert ended(of_sixty(), house(basis="net"))["kill"] is None
    assert ended(of_sixty(), house(basis="net", threshold="56.00"))["kill"] == 1
    assert ended(of_sixty(), house(basis="net", threshold="57.00"))["kill"] is None


def test_a_pot_below_the_size_does_not_kill() -> None:
    assert ended(of_sixty("check"))["kill"] is None
    assert ended(of_sixty(), house(threshold="61.00"))["kill"] is None


@pytest.mark.parametrize(("multiple", "kills"), [(10, 1), (11, None)])
def test_the_size_can_be_a_multiple_of_the_small_bet(multiple: int, kills: int | None) -> None:
    """A pot of 60 is ten times 6."""
    rules = house(threshold=None, threshold_multiple=multiple)
    assert ended(of_sixty(), rules)["kill"] == kills


@pytest.mark.parametrize(("on_the_flop", "kills"), [("fold", None), ("call", 1)])
def test_in_a_kill_hand_the_multiple_is_of_the_raised_bet(
    on_the_flop: str, kills: int | None
) -> None:
    """Three times 9 before the flop, two or three times 9 on it, twice 18 on the turn: 81 or 90.

    Ten times 9 is 90. By a size of 60 in dollars both would kill again.
    """
    hand = f"deal\n1 check\n2 call\n3 call\n{BOARD[0]}\n2 bet\n3 {on_the_flop}\n1 call\n"
    third = "3 check\n" if on_the_flop == "call" else ""
    hand += f"{BOARD[1]}\n2 check\n{third}1 bet\n2 call\n" + ("3 fold\n" if third else "")
    hand += f"{BOARD[2]}\ncheck around\nhigh 1\npush\n"
    by_multiple = house(threshold=None, threshold_multiple=10)
    assert ended(of_sixty() + hand, by_multiple)["kill"] == kills
    assert ended(of_sixty() + hand)["kill"] == 1


def bets(script: str) -> list[int]:
    """What was bet or raised to in the last hand."""
    acted = of_type(played(script), "acted")
    return [a["to"] for a in acted if a["hand"] == acted[-1]["hand"] and a["action"] != "call"]


def test_without_a_kill_the_game_is_at_its_own_limits() -> None:
    script = seats(1, 2, 3) + f"button 3\ndeal\n3 raise\n1 call\n2 call\n{BOARD[0]}\n1 bet\n"
    script += f"2 call\n3 call\n{BOARD[1]}\n1 bet\n2 call\n3 call\n{BOARD[2]}\n1 bet"
    assert bets(script) == [1200, 600, 1200, 1200]


def test_in_a_kill_every_bet_is_at_the_kill_limits() -> None:
    """Seat 1 has the button now and the kill: 9 to call, 18 the raise, 9 9 18 18 the bets."""
    script = of_sixty() + f"deal\n1 raise\n2 call\n3 call\n{BOARD[0]}\n2 bet\n3 call\n1 call\n"
    script += f"{BOARD[1]}\n2 bet\n3 call\n1 call\n{BOARD[2]}\n2 bet"
    assert bets(script) == [1800, 900, 1800, 1800]


# Who has the kill


def session_after(script: str, rules: Any = None) -> Session:
    profile = rules or house()
    session = Session(profile, profile.limits[0], demo_staff(), lambda: 1_800_000_000.0)
    for line in script.splitlines():
        assert not codes(list(run_line(session, 1, line))), line
    return session


def test_a_scoop_that_is_given_to_another_as_a_whole_gives_him_the_kill() -> None:
    """Hand 2 is amended; in hand 1 the same seat won 32."""
    script = of_sixty("check") + "deal\n1 call\n2 call\n3 check\n"
    script += f"{BOARD[0]}\n2 bet\n3 call\n1 call\n{BOARD[1]}\n2 check\n3 check\n1 bet\n"
    script += f"2 call\n3 fold\n{BOARD[2]}\ncheck around\nhigh 1\npush\n"
    session = session_after(script)
    assert (session.state.killer, [r.awards for r in session.state.results]) == (
        1, [{1: 3200}, {1: 5600}],
    )  # fmt: skip
    amended = session_after(script + 'floor 4711 amend 2 1 2 56 "misread"')
    assert amended.state.killer == 2
    split = session_after(script + 'floor 4711 amend 2 1 2 28 "it was a low"')
    assert split.state.killer is None


@pytest.mark.parametrize(
    "other",
    [
        'floor 4711 amend 1 2 3 5 "chips of the turn"',
        'floor 4711 stack 1 2 5 "change"',
        "move 2 5",
        "leave 2",
        'deal\nfloor 4711 amend 1 1 2 5 "a bet too many"',
    ],
)
def test_the_kill_stays_with_the_scooper_whatever_else_is_put_right(other: str) -> None:
    assert session_after(of_sixty() + other).state.killer == 1


def test_a_kill_is_not_carried_to_another_limit() -> None:
    [limit] = shipped("house_omaha_hilo")["limits"]
    both = [limit, limit | {"id": "8-16", "small_bet": "8.00", "big_bet": "16.00",
            "big_blind": "8.00", "kill": KILL | {"small_bet": "12.00", "big_bet": "24.00",
            "blind": "12.00"}}]  # fmt: skip
    data = shipped("house_omaha_hilo")
    placed = {"button": data["button"] | {"initial": "placed"}}
    profile, faults = examine(data | placed | {"limits": both, "sources": {}})
    assert profile is not None, faults
    assert session_after(of_sixty(), profile).state.killer == 1
    assert (
        session_after(of_sixty() + 'floor 4711 limit 8-16 "players agreed"', profile).state.killer
        is None
    )


def test_a_killer_who_is_there_has_not_missed_the_kill() -> None:
    answers = played(of_sixty() + "hand")
    assert of_type(answers, "kill_missed") == []
    assert of_type(answers, "hand_started")[-1]["killer"] == 1


def test_a_killer_who_posts_to_come_in_posts_the_kill_and_no_blind() -> None:
    """Seat 3 moves away from the big blind, owes one, and would post it."""
    script = of_sixty(winner=3, five=True) + "move 3 8\npost 8\nhand"
    started = of_type(played(script), "hand_started")[-1]
    assert (started["killer"], 8 in started["dealt"]) == (8, True)
    assert [(p["kind"], p["amount"]) for p in started["posts"] if p["seat"] == 8] == [("kill", 900)]


def test_a_kill_that_is_owed_is_not_asked_for_where_there_is_none() -> None:
    """Seat 1 was away for its kill; the table has gone over to a game without."""
    [limit] = shipped("house_omaha_hilo")["limits"]
    owed = profile_with("house_omaha_hilo", kill={"absent": "owed"}, limit=limit)
    script = of_sixty() + "away 1\ndeal\nfold\npush\nback 1\n"
    script += 'floor 4711 rules ca_omaha_hilo "players agreed"\n'
    hands = of_type(played(script + "deal\nfold\npush\n" + "post 1\nhand", owed), "hand_started")
    assert "kill" not in [post["kind"] for hand in hands[-2:] for post in hand["posts"]]


def test_beside_a_kill_nobody_posts_a_small_blind_that_is_dead() -> None:
    """With a dead button: the big blind, seat 2, leaves, and its chair has the small one."""
    [limit] = shipped("house_omaha_hilo")["limits"]
    dead = profile_with("house_omaha_hilo", button={"method": "dead"}, limit=limit)
    script = of_sixty(five=True) + "leave 2\nhand"
    started = of_type(played(script, dead), "hand_started")[-1]
    assert (started["small_blind"], started["killer"]) == (None, 1)
    posts = [(post["seat"], post["kind"], post["amount"]) for post in started["posts"]]
    assert posts == [(3, "big_blind", 600), (1, "kill", 900)]


# After a hand


def test_box_and_dealer_are_credited_with_fee_and_jackpot() -> None:
    hands = of_sixty().replace("deal\n", "shift day B1 J1\ndown D1\ndeal\n", 1)
    answers = played(hands + "down out\nshift close")
    [out], [closed] = of_type(answers, "dealer_out"), of_type(answers, "shift_closed")
    assert (out["hands"], out["fees"], out["jackpots"]) == (1, 300, 100)
    assert (closed["fees"], closed["jackpots"]) == (300, 100)


def test_between_hands_the_button_is_where_the_next_hand_has_it() -> None:
    assert session_after(of_sixty()).state.button == 1


def test_the_last_three_hands_can_be_put_right_and_no_earlier_one() -> None:
    """Four hands that everybody folds to the big blind."""
    start = seats(1, 2, 3) + "button 3\n" + "deal\nfold\nfold\npush\n" * 4
    assert codes(run(start + 'floor 4711 amend 1 1 2 1 "old"', house())) == ["no_such_hand"]
    assert codes(run(start + 'floor 4711 amend 2 1 2 1 "old"', house())) == []


@pytest.mark.parametrize("ruling", ["misdeal", "void"])
def test_a_hand_called_off_is_dealt_again_to_the_same_players(ruling: str) -> None:
    """A newcomer whose chair no blind has passed owes nothing, and waits all the same."""
    script = seats(1, 2, 3) + f'button 3\ndeal\nfloor 4711 {ruling} "boxed"\n' + seats(5) + "hand"
    first, again = of_type(played(script), "hand_started")
    same = ("button", "small_blind", "big_blind", "dealt", "posts")
    assert [again[name] for name in same] == [first[name] for name in same]


def test_a_card_of_the_draw_goes_with_the_player_who_drew_it() -> None:
    script = seats(1, 2) + "draw 1 As\nleave 1\n" + seats(1) + "draw 1 2c\ndraw 2 3c"
    [placed] = of_type(played(script, "house_omaha_hilo"), "button_placed")
    assert placed["seat"] == 2
