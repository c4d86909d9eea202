"""Names, counts of chips and absent players: what the dealer may enter, and what is the floor's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.floor.files import demo_staff
from omaha_table.hand.frozen import replace
from omaha_table.session import Session
from omaha_table.session.script import run_line
from omaha_table.table import decide
from omaha_table.table.commands import RenamePlayer, ReopenTable, SeatPlayer
from tests.evenings import PLACED_HILO, codes, of_type, placed, profile_with

if TYPE_CHECKING:
    from omaha_table.rules import Profile

THREE = ("seat 1 Ada 200", "seat 2 Ben 200", "seat 3 Carmen 200", "button 3")
FOLDED = ("deal", "fold", "fold", "push")


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


def table(*lines: str, rules: Profile = PLACED_HILO, clock: Clock | None = None) -> Session:
    session = Session(rules, rules.limits[0], demo_staff(), clock or Clock())
    say(session, *lines)
    return session


def say(session: Session, *lines: str) -> list[dict[str, Any]]:
    answers = [answer for line in lines for answer in run_line(session, 1, line)]
    assert not codes(answers), of_type(answers, "refused")
    return answers


def refused(session: Session, line: str) -> dict[str, Any]:
    [answer] = run_line(session, 1, line)
    assert answer["type"] == "refused", answer
    return answer


def stacks(session: Session) -> dict[int, int | None]:
    return {seat: at.stack for seat, at in sorted(session.state.seats.items())}


# Names


def test_a_renamed_player_stays_the_same_person() -> None:
    session = table(*THREE, *FOLDED)
    before = session.state.seats[2]
    [made] = say(session, 'rename 2 "Ben Ash"')
    assert (made["type"], made["seat"], made["name"]) == ("player_renamed", 2, "Ben Ash")
    after = session.state.seats[2]
    assert after.name == "Ben Ash"
    assert (after.sitting, after.stack) == (before.sitting, before.stack)
    say(session, "undo")
    assert session.state.seats[2].name == "Ben"


def test_a_refund_still_finds_the_person_under_another_name() -> None:
    """4-8: the flop is seen, so a fee is taken; it goes back to who paid it, whatever the name."""
    streets = ("flop 7c 5h 2s", "check around", "turn Kd", "check around", "river As")
    hand = ("deal", "3 call", "1 call", "2 check", *streets, "check around", "high 1", "low 1")
    session = table(*THREE, *hand, "push", "rename 1 Alma")
    before = stacks(session)[1] or 0
    say(session, 'floor 4711 refund 1 1 1 "promotion"')
    assert stacks(session)[1] == before + 1_00


@pytest.mark.parametrize("name", ["Ben", "ben", '" BEN "'])
def test_two_players_of_one_name_are_never_seated(name: str) -> None:
    session = table("seat 2 Ben 200")
    answer = refused(session, f"seat 5 {name} 100")
    assert answer["code"] == "name_taken"
    assert "move 2 5" in answer["message"]
    assert " 2'" in answer["message"]
    assert sorted(session.state.seats) == [2]


def test_the_same_person_moves_and_another_one_has_another_name() -> None:
    session = table("seat 2 Ben 200", "move 2 5", 'seat 2 "Ben 2" 100')
    assert stacks(session) == {2: 100_00, 5: 200_00}


def test_a_name_at_the_table_cannot_be_given_to_somebody_else() -> None:
    session = table("seat 1 Ada 200", "seat 2 Ben 200")
    answer = refused(session, "rename 2 ADA")
    assert answer["code"] == "name_taken"
    assert "move" not in answer["message"], "the chair is taken: nobody can move there"
    say(session, "rename 2 BEN")
    assert refused(session, "rename 2 BEN")["code"] == "wrong_phase"


def test_who_owes_a_kill_does_not_lose_it_under_a_blank_name() -> None:
    """Seated as 'Seat 2' and named later, Ben owes what he owed when he left."""
    rules = placed("house_omaha_hilo")
    session = table("seat 1 Ada 900", "seat 4 Dov 900", "seat 6 Eve 900", "button 6", rules=rules)
    state = session.state
    owing = replace(state, kill_debts=frozenset({"Ben"}))
    seated = decide(owing, SeatPlayer(2, "Seat 2", 900_00)).state
    assert not seated.seats[2].owes_kill
    named = decide(seated, RenamePlayer(2, "ben")).state
    assert named.seats[2].owes_kill
    assert named.kill_debts == frozenset()


# Chips


def test_a_slip_at_the_first_buy_in_is_the_dealers_until_the_first_hand() -> None:
    session = table(*THREE, "seat 5 Eve 20")
    [made] = say(session, "chips 5 200")
    assert (made["type"], made["stack"], made["was"]) == ("stack_set", 200_00, 20_00)
    say(session, "undo")
    assert stacks(session)[5] == 20_00
    say(session, "chips 5 200", *FOLDED[:2], "fold", "fold", "push")
    answer = refused(session, "chips 5 300")
    assert answer["code"] == "not_authorised"
    assert "'adjust'" in answer["message"]


def test_who_waits_for_the_big_blind_has_not_played_yet() -> None:
    """The big blind has passed seat 1 in hand 2: Eve waits there, and her slip is still a slip."""
    session = table(*THREE, *FOLDED, *FOLDED, "leave 3", "seat 3 Eve 20", "deal", "fold", "push")
    assert session.state.seats[3].new
    say(session, "chips 3 200")
    assert stacks(session)[3] == 200_00


def test_no_seat_that_has_played_gets_chips_from_nowhere() -> None:
    session = table(*THREE, *FOLDED)
    for line in ("chips 1 500", "chips 1 1", "chips 1 untracked"):
        assert refused(session, line)["code"] == "not_authorised"
    # Neither a move nor a name makes it a new player.
    say(session, "move 1 7", "rename 7 Alma", "away 7", "back 7")
    assert refused(session, "chips 7 500")["code"] == "not_authorised"


def test_a_stack_that_nobody_knew_is_counted_and_plays_with_its_count() -> None:
    session = table("seat 1 Ada 200", "seat 2 Ben", "seat 3 Carmen 200", "button 3", *FOLDED)
    say(session, "chips 2 140")
    assert stacks(session)[2] == 140_00
    # Button 1: Ben has the small blind of 2 and folds it.
    say(session, *FOLDED)
    assert stacks(session)[2] == 138_00
    assert refused(session, "chips 2 200")["code"] == "not_authorised"


def test_chips_added_to_a_stack_that_is_not_tracked_are_only_noted() -> None:
    session = table("seat 1 Ada 200", "seat 2 Ben")
    [noted] = say(session, "buy 2 100")
    [added] = say(session, "buy 1 100")
    assert (noted["tracked"], added["tracked"]) == (False, True)
    assert stacks(session) == {1: 300_00, 2: None}


def test_the_other_way_is_the_dealers_only_before_the_first_hand() -> None:
    session = table(*THREE, "chips 1 untracked")
    assert stacks(session)[1] is None
    assert refused(session, "chips 1 untracked")["code"] == "wrong_phase"
    say(session, "chips 1 200", *FOLDED)
    # More than the 100 dollars that one person may move.
    [alone] = run_line(session, 1, 'floor 4711 untrack 1 "chips were mixed"')
    assert alone["code"] == "two_persons"
    say(session, 'floor 4711 9000 untrack 1 "chips were mixed"')
    assert stacks(session)[1] is None


@pytest.mark.parametrize("amount", ["0", "1000000001"])
def test_a_count_is_an_amount_of_chips(amount: str) -> None:
    assert refused(table("seat 1 Ada"), f"chips 1 {amount}")["code"] == "bet_size"


def test_nothing_of_a_seat_is_changed_while_a_hand_is_played() -> None:
    session = table(*THREE, "deal")
    for line in ("rename 1 Alma", "chips 1 500", "pickup 1", "reopen same"):
        assert refused(session, line)["code"] == "wrong_phase"


def test_a_hand_that_is_called_off_leaves_a_newcomer_new() -> None:
    """All bets go back, so nothing was played with the wrong count."""
    session = table(*THREE, "deal", 'floor 4711 misdeal "two cards exposed"', "chips 1 500")
    assert stacks(session)[1] == 500_00


# Away too long


def test_chips_are_picked_up_after_as_long_as_the_rules_say() -> None:
    """30 minutes; a second less is too soon."""
    clock = Clock()
    session = table(*THREE, "away 2", clock=clock)
    clock.now += 30 * 60 - 1
    answer = refused(session, "pickup 2")
    assert (answer["code"], answer["rule"]) == ("wrong_phase", "absent")
    assert "30 minutes or 3 missed big blinds" in answer["message"]
    clock.now += 1
    [made] = say(session, "pickup 2")
    assert (made["type"], made["stack"], made["picked_up"]) == ("player_left", 200_00, True)
    assert sorted(session.state.seats) == [1, 3]
    say(session, "undo")
    assert stacks(session)[2] == 200_00


def test_where_the_rules_set_no_bound_nobody_is_picked_up() -> None:
    clock = Clock()
    never = profile_with(absent={"max_minutes": 0, "max_missed_big_blinds": 0})
    session = table("seat 1 Ada 200", "away 1", rules=never, clock=clock)
    clock.now += 10**6
    assert "never" in refused(session, "pickup 1")["message"]


def test_who_leaves_is_not_picked_up() -> None:
    session = table("seat 1 Ada 200")
    [made] = say(session, "leave 1")
    assert made["picked_up"] is False


# Opened again


def test_two_players_of_one_name_in_an_old_log_are_told_apart() -> None:
    session = table()
    twins = (SeatPlayer(1, "P1", 100_00), SeatPlayer(2, "P1", 50_00), SeatPlayer(3, "p1"))
    made = session.do(ReopenTable("same", "2026-11-14", twins))
    assert made.refusal is None
    assert [at.name for at in session.state.seats.values()] == ["P1", "P1 2", "p1 3"]


def test_a_chair_that_these_rules_do_not_have_is_refused_whole() -> None:
    """Omaha High/Low has 9 seats here."""
    session = table(rules=profile_with(seats={"max": 9, "max_hands": 9}))
    players = (SeatPlayer(1, "Ada", 100_00), SeatPlayer(10, "Ben", 100_00))
    answer = session.do(ReopenTable("same", "2026-11-14", players))
    assert answer.refusal is not None
    assert answer.refusal.code == "no_such_seat"
    assert not session.state.seats
