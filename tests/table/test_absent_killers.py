"""The kill of a player who is away or has left: it stands, and what is owed stays with the person.

House game, 6-12 with a half kill of 9-18 after a whole pot of 60, and a fee of 3 for four hands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.floor.files import demo_staff
from omaha_table.journal.verification import files_in, verify
from omaha_table.review.exchange.hand_actions import away_posts
from omaha_table.review.exchange.ohh import ohh_of
from omaha_table.review.exchange.phh import phh_of
from omaha_table.review.index.reading import hands_in
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evenings import codes, of_type, profile_with, shipped
from tests.journal.days import forge

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.rules import Profile
    from tests.journal.days import Line

HOUSE = profile_with(
    "house_omaha_hilo", button={"initial": "placed"}, limit=shipped("house_omaha_hilo")["limits"][0]
)


def scoop(stack: str = "") -> str:
    """Seat 8 wins 81 before the fee: 24 each of seats 5, 6 and 8, and the blinds of 3 and 6."""
    seats = "".join(f"seat {n} P{n} {stack if n == 8 else ''}\n" for n in (3, 4, 5, 6, 8))
    return seats + (
        "button 8\ndeal\n5 raise\n6 raise\n8 raise\n3 fold\n4 fold\n5 call\n6 call\n"
        "flop KhTc4d\n5 check\n6 check\n8 bet\n5 fold\n6 fold\npush\n"
    )


FOLDED = "deal\nfold\nfold\nfold\npush\n"
"""A hand between four that everybody folds to the last."""


def session_after(script: str, rules: Profile = HOUSE) -> Session:
    session = Session(rules, rules.limits[0], demo_staff(), lambda: 1_800_000_000.0)
    say(session, script)
    return session


def say(session: Session, script: str) -> list[dict[str, Any]]:
    answers = [a for line in script.splitlines() for a in run_line(session, 1, line)]
    assert not codes(answers), of_type(answers, "refused")
    return answers


def last_start(script: str, rules: Profile = HOUSE) -> dict[str, Any]:
    session = session_after(script, rules)
    [*_, started] = of_type(say(session, "hand"), "hand_started")
    return dict(started)


def posts(started: dict[str, Any]) -> list[tuple[int, str, int]]:
    return [(post["seat"], post["kind"], post["amount"]) for post in started["posts"]]


# Away


def test_a_killer_who_is_away_kills_all_the_same_from_the_chips_on_the_table() -> None:
    started = last_start(scoop() + "away 8\n")
    assert (started["killer"], started["dealt"]) == (8, [4, 5, 6, 3])
    assert posts(started) == [(4, "small_blind", 300), (5, "big_blind", 600), (8, "kill", 900)]


def test_the_kill_of_an_absent_player_is_in_the_pot_and_the_price_is_the_kill() -> None:
    """Seat 4's 3, seats 5 and 6 with 9 each, and the 9 of seat 8: 30, less the fee of 3."""
    hand = "deal\n6 call\n3 fold\n4 fold\n5 call\nflop KhTc4d\ncheck around\nturn Jc\n"
    hand += "check around\nriver Qs\ncheck around\nhigh 6\npush\n"
    session = session_after(scoop("200") + "away 8\n")
    behind = session.state.seats[8].stack
    answers = say(session, hand)
    [ended] = of_type(answers, "hand_ended")
    assert [a["amount"] for a in of_type(answers, "acted")[:1]] == [900]
    assert ended["invested"] == {"3": 0, "4": 300, "5": 900, "6": 900, "8": 900}
    assert (ended["awards"], ended["fee"]) == ({"6": 2700}, 300)
    assert behind is not None
    assert session.state.seats[8].stack == behind - 900
    assert session.state.seats[8].away


def test_an_absent_killer_with_less_than_the_kill_posts_what_is_there() -> None:
    """Seat 8 began with 30, put 24 in and won 77: 83, of which 78 are moved to seat 6."""
    session = session_after(scoop("30").replace("seat 6 P6", "seat 6 P6 100") + "away 8\n")
    say(session, 'floor 4711 stack 8 6 78 "change"')
    started, *_ = of_type(say(session, "hand"), "hand_started")
    assert posts(started)[-1] == (8, "kill", 900)
    hand = session.state.hand
    assert hand is not None
    assert (hand.seats[8].dead, hand.seats[8].stack, hand.price) == (500, 0, 900)


def test_an_absent_killer_without_a_chip_owes_the_kill_that_nobody_posts() -> None:
    session = session_after(scoop("30").replace("seat 6 P6", "seat 6 P6 100") + "away 8\n")
    say(session, 'floor 4711 stack 8 6 83 "all of it"\ndeal\nfold\nfold\nfold\npush')
    assert session.state.seats[8].owes_kill
    assert session.state.results[-1].invested == {3: 0, 4: 300, 5: 300, 6: 0}


def test_an_absent_killer_does_not_count_when_two_players_are_left() -> None:
    """Two who are left before three raises may go on raising (house profile)."""
    session = session_after(scoop() + "away 8\ndeal\n6 fold\n3 fold\n")
    assert session.state.hand is not None
    assert session.state.hand.uncapped


def test_an_untracked_killer_who_is_away_may_have_less_than_the_kill() -> None:
    session = session_after(scoop() + "away 8\nhand\n8 allin 4\ndeal\n")
    hand = session.state.hand
    assert hand is not None
    assert (hand.seats[8].dead, hand.price, hand.actor) == (400, 900, 6)
    assert 8 not in hand.contenders


def test_who_posts_a_kill_while_away_has_missed_no_blind_of_that_hand() -> None:
    """Seat 5 scoops and would have the big blind next."""
    five = scoop().replace("8 bet\n5 fold\n6 fold", "8 check\nturn 2c\n5 bet\n6 fold\n8 fold")
    session = session_after(five)
    assert session.state.killer == 5
    answers = say(session, "away 5\nhand")
    [started] = of_type(answers, "hand_started")
    assert (started["big_blind"], of_type(answers, "blinds_missed")) == (6, [])
    assert posts(started) == [(4, "small_blind", 300), (6, "big_blind", 600), (5, "kill", 900)]


def test_a_killer_who_waits_for_the_big_blind_posts_the_kill_all_the_same() -> None:
    """Seat 8 moves away from the big blind, and so waits for it."""
    started = last_start(scoop() + "move 8 9\n")
    assert (started["killer"], 9 in started["dealt"]) == (9, False)


def test_the_hand_of_an_absent_killer_cannot_be_ruled_alive_or_paid() -> None:
    session = session_after(scoop() + "away 8\ndeal\n")
    for ruling in ('live 8 "came back"', 'dead 8 "gone"', 'pot 8 back 9 "gone"'):
        assert codes(list(run_line(session, 1, f"floor 4711 {ruling}"))) == ["no_such_seat"]


@pytest.mark.parametrize("leaves", ["away 8\n", "leave 8\n"])
def test_a_misdeal_leaves_the_kill_as_it_was(leaves: str) -> None:
    session = session_after(scoop() + leaves)
    before = session.state
    say(session, 'deal\nfloor 4711 misdeal "boxed"')
    after = session.state
    assert (after.killer, after.kill_left, after.kill_debts, after.seats) == (
        before.killer, before.kill_left, before.kill_debts, before.seats,
    )  # fmt: skip
    [started] = of_type(say(session, "hand"), "hand_started")
    assert started["killer"] == (8 if leaves == "away 8\n" else None)
    assert session.state.hand is not None
    assert session.state.hand.price == 900


@pytest.mark.parametrize("line", ["8 call", "paid 8"])
def test_an_absent_killer_has_no_hand_to_play_or_to_pay_for(line: str) -> None:
    rules = HOUSE if line == "8 call" else HOUSE.model_copy(
        update={"fee": HOUSE.fee.model_copy(update={"by": "player", "taken_from": "main"})}
    )  # fmt: skip
    session = session_after(scoop() + "away 8\ndeal\n", rules)
    [refusal] = list(run_line(session, 1, line))
    assert (refusal["code"], "Seat 8 has no hand" in refusal["message"]) == ("no_such_seat", True)


# Left


def test_a_killer_who_leaves_leaves_a_kill_that_nobody_posts() -> None:
    session = session_after(scoop() + "leave 8\n")
    [started] = of_type(say(session, "hand"), "hand_started")
    assert (started["killer"], started["kill_stands"]) == (None, True)
    assert posts(started) == [(4, "small_blind", 300), (5, "big_blind", 600)]
    hand = session.state.hand
    assert hand is not None
    assert (hand.price, hand.setup.stakes.big_bet) == (900, 1800)


def test_it_is_a_kill_for_one_hand() -> None:
    after = last_start(scoop() + "leave 8\n" + FOLDED)
    assert (after["killer"], after["kill_stands"]) == (None, False)


def test_another_player_in_the_chair_has_no_part_in_it() -> None:
    session = session_after(scoop() + "leave 8\nseat 8 NEW\n")
    assert (session.state.killer, session.state.kill_left) == (None, "P8")
    assert not session.state.seats[8].owes_kill


def test_a_killer_who_is_back_before_the_next_hand_kills_it() -> None:
    session = session_after(scoop() + "leave 8\nseat 9 p8\n")
    state = session.state
    assert (state.killer, state.kill_left, state.kill_debts) == (9, "", frozenset())


def owing(session: Session) -> list[int]:
    return [seat for seat, at in session.state.seats.items() if at.owes_kill]


def test_the_debt_follows_the_person_through_leaving_and_coming_back() -> None:
    session = session_after(scoop() + "leave 8\n" + FOLDED)
    assert session.state.kill_debts == {"P8"}
    for script, seats, away in (
        ("seat 9 p8", [9], set()),
        ("leave 9\nseat 9 Other", [], {"p8"}),
        ("seat 1 P8", [1], set()),
        ("move 1 2", [2], set()),
    ):
        say(session, script)
        assert (owing(session), set(session.state.kill_debts)) == (seats, away)


def test_a_debt_is_one_blind_of_the_kill_of_which_the_price_is_live() -> None:
    """The big blind of 6 is live and 3 are dead; no other blind beside it."""
    session = session_after(scoop() + "leave 8\n" + FOLDED + "seat 8 P8\npost 8\n")
    [started] = of_type(say(session, "hand"), "hand_started")
    assert [post for post in posts(started) if post[0] == 8] == [(8, "late", 600), (8, "dead", 300)]
    hand = session.state.hand
    assert hand is not None
    assert (hand.seats[8].bet, hand.seats[8].dead) == (600, 300)
    assert not session.state.seats[8].owes_kill


def test_who_owes_a_kill_and_has_the_big_blind_posts_only_the_kill() -> None:
    """Seat 8 waits for the big blind, which comes to it within a lap."""
    script = scoop() + "leave 8\n" + FOLDED + "seat 8 P8\n"
    for _ in range(5):
        started = last_start(script)
        if started["big_blind"] == 8:
            break
        assert 8 not in started["dealt"]
        script += FOLDED
    assert started["big_blind"] == 8
    assert [post for post in posts(started) if post[0] == 8] == [(8, "late", 600), (8, "dead", 300)]
    assert sum(amount for _, kind, amount in posts(started) if kind == "big_blind") == 0


def test_a_killer_who_is_back_before_a_misdeal_is_dealt_again_posts_the_kill() -> None:
    """The players, the button and the price are as before; the kill has its killer again."""
    misdeal = 'hand\nfloor 4711 misdeal "boxed card"\n'
    session = session_after(scoop() + "leave 8\n" + misdeal + "seat 8 P8\n")
    [started] = of_type(say(session, "hand"), "hand_started")
    assert (started["button"], started["dealt"]) == (3, [4, 5, 6, 3])
    assert posts(started) == [(4, "small_blind", 300), (5, "big_blind", 600), (8, "kill", 900)]
    say(session, FOLDED)
    assert (session.state.kill_debts, session.state.seats[8].owes_kill) == (frozenset(), False)


def test_a_killer_back_without_chips_before_a_misdeal_is_dealt_again_owes_the_kill() -> None:
    misdeal = 'hand\nfloor 4711 misdeal "boxed card"\n'
    session = session_after(scoop() + "leave 8\n" + misdeal + "seat 8 P8 6\nseat 9 Q 100\n")
    say(session, 'floor 4711 stack 8 9 6 "gone to the cage"\n' + FOLDED)
    assert session.state.seats[8].owes_kill


def test_who_owes_a_kill_posts_no_missed_small_blind_beside_it() -> None:
    """New Jersey: no more than one blind bet, the kill. Both blinds have passed seat 8."""
    broke = scoop("30").replace("seat 6 P6", "seat 6 P6 100") + "away 8\n"
    session = session_after(broke + 'floor 4711 stack 8 6 83 "change"\n' + FOLDED * 4)
    owes = session.state.seats[8]
    assert (owes.owes_small, owes.owes_big, owes.owes_kill) == (True, True, True)
    [started] = of_type(say(session, "buy 8 100\nback 8\npost 8\nhand"), "hand_started")
    assert [post for post in posts(started) if post[0] == 8] == [(8, "late", 600), (8, "dead", 300)]


def test_in_a_kill_hand_all_of_the_debt_is_live() -> None:
    """Seat 8 is back and owes; seat 5 scoops 60 or more in the hand after, and kills the next."""
    session = session_after(scoop() + "leave 8\n" + FOLDED + "seat 8 P8\n")
    # Hand 3 between four: button 4, blinds 5 and 6; seat 5 wins 24 from seats 6, 3 and 4 each.
    say(session, "deal\n3 raise\n4 raise\n5 raise\n6 call\n3 call\n4 call\nflop KhTc4d\n5 bet\n"
        "6 fold\n3 fold\n4 fold\npush\npost 8")  # fmt: skip
    assert session.state.killer == 5
    [started] = of_type(say(session, "hand"), "hand_started")
    assert [p for p in posts(started) if p[0] in (5, 8)] == [(8, "late", 900), (5, "kill", 900)]


def test_the_floor_can_waive_a_kill_that_is_owed() -> None:
    session = session_after(scoop() + "leave 8\n" + FOLDED + "seat 8 P8\n")
    say(session, 'floor 4711 waivekill 8 "another person of that name"')
    assert not session.state.seats[8].owes_kill
    again = list(run_line(session, 1, 'floor 4711 waivekill 8 "again"'))
    assert codes(again) == ["wrong_phase"]


def test_a_debt_waits_where_the_limit_has_no_kill() -> None:
    [limit] = shipped("house_omaha_hilo")["limits"]
    plain = {key: value for key, value in limit.items() if key != "kill"} | {"id": "plain"}
    two = HOUSE.model_copy(
        update={"limits": [*HOUSE.limits, profile_with("ca_omaha_hilo", limit=plain).limits[0]]}
    )
    other = 'floor 4711 limit plain "players agreed"\n'
    session = session_after(scoop() + "leave 8\n" + FOLDED + "seat 8 P8\n" + other, two)
    [started] = of_type(say(session, "hand"), "hand_started")
    assert 8 in started["dealt"]
    assert [post for post in posts(started) if post[0] == 8] == []
    assert session.state.seats[8].owes_kill


def test_a_game_that_breaks_up_has_no_next_hand_to_kill() -> None:
    gone = "leave 3\nleave 4\nleave 5\nleave 6\n"
    state = session_after(scoop() + "leave 8\n" + gone).state
    assert (state.killer, state.kill_left, state.kill_debts) == (None, "", frozenset())
    owing = session_after(scoop() + "leave 8\n" + FOLDED + gone).state
    assert owing.kill_debts == {"P8"}


# In the log


def on_journal(folder: Path) -> Session:
    return Session.on_journal(folder, "t", HOUSE, HOUSE.limits[0], demo_staff())


def test_kill_and_debts_are_there_again_after_a_restart_and_verify(tmp_path: Path) -> None:
    session = on_journal(tmp_path)
    say(session, scoop() + "leave 8\n")
    session.close()
    session = on_journal(tmp_path)
    assert session.state.kill_left == "P8"
    say(session, FOLDED + "seat 8 P8\nleave 8\n" + FOLDED)
    session.close()
    session = on_journal(tmp_path)
    assert session.state.kill_debts == {"P8"}
    session.close()
    assert verify(files_in(tmp_path)).damage == []


def test_a_seal_of_an_older_version_is_compared_by_the_fields_it_has(tmp_path: Path) -> None:
    session = on_journal(tmp_path)
    say(session, scoop())
    session.close()
    [path] = tmp_path.glob("*.journal")

    def older(lines: list[Line]) -> None:
        for line in lines:
            if line.kind == "journal_sealed":
                for new in ("kill_left", "kill_debts"):
                    line.body["state"]["table"].pop(new, None)

    def older_and_changed(lines: list[Line]) -> None:
        older(lines)
        sealed = [line for line in lines if line.kind == "journal_sealed"]
        sealed[-1].body["state"]["table"]["killer"] = 4

    forge(path, older)
    assert verify(files_in(tmp_path)).damage == []
    forge(path, older_and_changed)
    [damage] = verify(files_in(tmp_path)).damage
    assert damage.kind == "replay"


def test_exports_name_the_seat_whose_chips_were_posted(tmp_path: Path) -> None:
    session = on_journal(tmp_path)
    say(session, scoop() + "away 8\n" + FOLDED)
    session.close()
    *_, hand = hands_in(*tmp_path.glob("*.journal"))
    assert away_posts(hand) == {8: 900}
    assert "kill" in hand.flags
    assert '_away_posts = ["8 9"]' in phh_of(hand)
    players = {player["id"]: player["is_sitting_out"] for player in ohh_of(hand)["ohh"]["players"]}
    assert players == {3: False, 4: False, 5: False, 6: False, 8: True}
