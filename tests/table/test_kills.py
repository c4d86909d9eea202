"""Who has the kill, and who pays one that was missed where it does not stand without its killer."""

from __future__ import annotations

from tests.evenings import codes, of_type, placed, profile_with, run
from tests.floor.four_players import SCOOP, play

OWED = profile_with("house_omaha_hilo", kill={"absent": "owed"})
"""As in 0.1.0: a killer who is not dealt in owes the kill, and the next hand is no kill hand."""
KILL = (
    "seat 3 C\nseat 4 D\nseat 5 E\nseat 6 F\nseat 8 H\nbutton 8\ndeal\n5 raise\n6 raise\n8 raise\n"
    "3 fold\n4 fold\n5 call\n6 call\nflop KhTc4d\n5 check\n6 check\n8 bet\n5 fold\n6 fold\npush\n"
)


def test_a_killer_who_folds_leaves_the_whole_kill_in_the_pot() -> None:
    answers = run(KILL + "deal\n6 fold\n8 fold\n3 fold\n4 fold\npush", placed("house_omaha_hilo"))
    assert not codes(answers)
    ended = of_type(answers, "hand_ended")[1]
    assert ended["returned"] == {}
    assert ended["awards"] == {"5": 1800}


def test_the_kill_belongs_to_the_player_not_the_chair() -> None:
    gone = of_type(run(KILL + "leave 8\nseat 8 NEW\nhand", OWED), "hand_started")[1]
    assert (gone["killer"], gone["kill_stands"]) == (None, False)
    moved = run(KILL + "move 8 9\nhand", OWED)
    # Seat 9 is further from the big blind: the player waits, and owes the kill.
    assert of_type(moved, "hand_started")[1]["killer"] is None
    assert of_type(moved, "kill_missed")[0]["seat"] == 9
    same = run(KILL + 'floor 4711 limit 6-12 "players agreed"\nhand', OWED)
    assert of_type(same, "refused")[0]["code"] == "wrong_phase"
    assert of_type(same, "hand_started")[1]["killer"] == 8
    away = run(KILL + "away 8\nhand", OWED)
    assert of_type(away, "kill_missed")[0]["seat"] == 8


def test_a_kill_that_was_missed_is_paid_before_playing_on() -> None:
    script = SCOOP + "away 2\ndeal\nfold\nfold\npush\nback 2\n" + "deal\nfold\nfold\npush\n" * 3
    answers = play(script + "hand", OWED)
    posts = [p for h in of_type(answers, "hand_started") for p in h["posts"] if p["seat"] == 2]
    assert {"seat": 2, "kind": "dead", "amount": 900} in posts
