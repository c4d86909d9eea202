"""Cases that a second pair of eyes found, each as it was played."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

import pytest

from tests.evenings import codes, hand_end, no_limit, of_type, profile_with, run

TWO_CHECKED = (
    "seat 1 A 100\nseat 2 B 100\nbutton 2\ndeal\n2 call\n1 check\nflop Kh7c4d\ncheck around\n"
    "turn 2s\ncheck around\nriver Jh\ncheck around\n"
)


@pytest.mark.parametrize("reading", ["high 1", "high 1\nlow none", "low none\nhigh 1"])
def test_cards_speak_over_an_earlier_reading(reading: str) -> None:
    script = TWO_CHECKED + f"{reading}\nshow 1 QsQdTc9c\nshow 2 KcKsAc3h\npush"
    ended = hand_end(run(script, "ca_omaha_hilo", "4-8"))
    assert set(ended["awards"]) == {"2"}
    assert not ended["dealer_read"]


def test_a_tabled_low_takes_back_low_none() -> None:
    answers = run(TWO_CHECKED + "high 1\nlow none\nshow 2 KcKsAc3h\npush", "ca_omaha_hilo", "4-8")
    assert codes(answers) == ["wrong_phase"]


ALL_IN = (
    "seat 1 A 40\nseat 6 F 160\nseat 8 H 160\nbutton 8\ndeal\n8 raise 40\n1 allin\n6 call\n"
    "flop KhTc4d\n6 bet 120\n8 allin\n"
)


@pytest.mark.parametrize("lows", ["low 1\nlow none", "low none\nlow 1"])
def test_no_low_in_the_side_pot_leaves_the_low_of_the_main_pot(lows: str) -> None:
    script = ALL_IN + f"turn 2s\nriver 7h\nhigh 6\n{lows}\npush"
    ended = hand_end(run(script, "ca_omaha_hilo", "2-5"))
    assert ended["pots"][0]["low"].keys() == {"1"}
    assert ended["pots"][1]["low"] == {}


@pytest.mark.parametrize("order", ["high 1\nhigh 6", "high 6\nhigh 1"])
def test_a_side_pot_is_read_by_its_own_seats(order: str) -> None:
    script = ALL_IN + f"turn Qs\nriver 5h\nshow 1 KcKs8d8c\nshow 6 AsAc7d7c\n{order}\npush"
    ended = hand_end(run(script, "ca_omaha_hilo", "2-5"))
    assert [set(pot["high"]) for pot in ended["pots"]] == [{"1"}, {"6"}]


KILL = (
    "seat 3 C\nseat 4 D\nseat 5 E\nseat 6 F\nseat 8 H\nbutton 8\ndeal\n5 raise\n6 raise\n8 raise\n"
    "3 fold\n4 fold\n5 call\n6 call\nflop KhTc4d\n5 check\n6 check\n8 bet\n5 fold\n6 fold\npush\n"
)


def test_a_killer_who_folds_leaves_the_whole_kill_in_the_pot() -> None:
    answers = run(KILL + "deal\n6 fold\n8 fold\n3 fold\n4 fold\npush", "house_omaha_hilo")
    assert not codes(answers)
    ended = of_type(answers, "hand_ended")[1]
    assert ended["returned"] == {}
    assert ended["awards"] == {"5": 1800}


def test_chips_added_to_an_untracked_stack_leave_it_untracked() -> None:
    answers = run("seat 1 A\nseat 2 B\nbuy 1 3\nbutton 1\ndeal\nraise", "ca_omaha_high")
    assert not codes(answers)


def test_the_kill_belongs_to_the_player_not_the_chair() -> None:
    gone = of_type(run(KILL + "leave 8\nseat 8 NEW\nhand", "house_omaha_hilo"), "hand_started")[1]
    assert gone["killer"] is None
    moved = run(KILL + "move 8 9\nhand", "house_omaha_hilo")
    # Seat 9 is further from the big blind: the player waits, and owes the kill.
    assert of_type(moved, "hand_started")[1]["killer"] is None
    assert of_type(moved, "kill_missed")[0]["seat"] == 9
    same = of_type(run(KILL + "limit 6-12\nhand", "house_omaha_hilo"), "hand_started")[1]
    assert same["killer"] == 8
    away = run(KILL + "away 8\nhand", "house_omaha_hilo")
    assert of_type(away, "kill_missed")[0]["seat"] == 8


def test_a_fee_that_would_take_the_whole_pot_is_waived_and_the_game_goes_on() -> None:
    script = (
        "seat 1 A 1.50\nseat 2 B 1.50\nbutton 1\ndeal\nflop 2c3c9d\nturn Ts\nriver Kd\n"
        "show 1 AsAd4h4s\nshow 2 QsQd5h5s\npush\nbuy 2 100\nhand"
    )
    answers = run(script, "ca_omaha_high")
    assert not codes(answers)
    ended = of_type(answers, "hand_ended")[0]
    assert (ended["fee"], ended["waived"], ended["awards"]) == (0, 300, {"1": 300})


def test_nobody_has_the_big_blind_twice_running_when_three_become_two() -> None:
    script = (
        "seat 1 A 8\nseat 2 B 100\nseat 3 C 100\nbutton 1\ndeal\n1 raise\n2 fold\n3 call\n"
        "flop KhTc4d\nturn 7s\nriver 2c\nshow 3 KsKd9d9c\nmuck 1\npush\nhand"
    )
    first, second = of_type(run(script, "ca_omaha_high"), "hand_started")
    assert (first["big_blind"], second["big_blind"]) == (3, 2)
    assert second["button"] == second["small_blind"] == 3


FOUR = "seat 1 A\nseat 2 B\nseat 3 C\nseat 4 D\nbutton 1\ndeal\n"


def test_fold_to_the_big_blind_and_call_to_the_raiser() -> None:
    assert hand_end(run(FOUR + "fold to 3\npush", "ca_omaha_hilo"))["awards"] == {"3": 400}
    answers = run(FOUR + "raise\ncall to 4\nflop 7c5h2s\n2 check\n3 check\n4 bet\ncall to 4\nstep")
    assert not codes(answers)
    assert of_type(answers, "step")[0]["what"] == "turn"
    assert hand_end(run(FOUR + "raise\nfold to 4\npush", "ca_omaha_hilo"))["awards"] == {"4": 1000}


@pytest.mark.parametrize("line", ["12345 fold", "limit", "limit 4-8 8-16", "seat 2 O'Brien 50"])
def test_odd_lines_do_not_end_a_script(line: str) -> None:
    answers = run(f"{line}\nseat 1 A")
    assert of_type(answers, "player_seated")


def process(*arguments: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [sys.executable, "-m", "omaha_table", *arguments],
        stderr=subprocess.PIPE,
        check=False,
        **options,
    )


@pytest.mark.parametrize("name", ["a\x00.toml", "\ud800.toml"])
def test_a_name_that_is_no_file_name_is_an_answer(name: str) -> None:
    line = json.dumps({"rules": name, "board": "", "hands": {}}).encode()
    done = process("showdown", input=line, stdout=subprocess.PIPE)
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["code"] == "unknown_rules"


def test_a_full_disk_and_closed_streams_are_said_in_a_sentence() -> None:
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        done = process("rules", "list", stdout=full)
    assert done.returncode == 1
    assert b"No space left" in done.stderr
    shell = f"{shlex.quote(sys.executable)} -m omaha_table"
    for command in ("script <&-", "showdown - <&-", "rules list >&-"):
        closed = subprocess.run(
            ["sh", "-c", f"{shell} {command}"], capture_output=True, check=False
        )
        assert closed.returncode == 2
        assert b"Traceback" not in closed.stderr


def test_the_draw_ends_when_everybody_left_has_a_card() -> None:
    start = "seat 1 A\nseat 2 B\nseat 3 C\ndraw 1 As\ndraw 2 Ks\n"
    for end in ("leave 3", "away 3"):
        [placed] = of_type(run(start + end), "button_placed")
        assert (placed["seat"], placed["how"]) == (1, "drawn")
    assert not of_type(run("seat 1 A\ndraw 1 2c"), "button_placed")
    answers = run("seat 1 A\ndraw 1 2c\nseat 2 B\ndraw 2 2s")
    assert of_type(answers, "button_placed")[0]["seat"] == 2


@pytest.mark.parametrize(
    "line",
    [
        "card\tAs", "\"card\" As", "3 card As", "crad As", "card;As", "cardAs",
        "fold # don't show As", 'fold "As', "show\t4 As Kd", "shwo 4 asKD",
    ],
)  # fmt: skip
def test_no_refusal_repeats_a_card_that_may_be_face_down(line: str) -> None:
    for answer in run(line):
        text = json.dumps(answer["command"]) + answer["message"]
        assert "as" not in text.lower().replace("was", "").replace("has", "")
        assert "kd" not in text.lower()


def test_sealed_cards_stay_sealed_without_a_showdown() -> None:
    deal = "seat 1 A\nseat 2 B\nbutton 1\nhand\n" + "".join(
        f"card {card}\n" for card in "As Kd Ad Kc Ac Kh Ah Ks".split()
    )
    answers = run(deal + "1 fold\nshow 2\nshow 1", "ca_omaha_high")
    assert codes(answers) == ["wrong_phase", "wrong_phase"]
    assert not of_type(answers, "tabled")


def test_keyed_cards_must_be_those_the_shoe_dealt() -> None:
    deal = "seat 1 A\nseat 2 B\nbutton 1\nhand\n" + "".join(
        f"card {card}\n" for card in "As Kd Ad Kc Ac Kh Ah Ks".split()
    )
    checked = deal + "call\ncheck\nflop 2c3c9d\ncheck around\nturn Ts\ncheck around\nriver 4d\n"
    answers = run(checked + "check around\nshow 2 QsQdQcQh\nshow 2 AhAcAdAs", "ca_omaha_high")
    [refused] = of_type(answers, "refused")
    assert refused["code"] == "cards_speak"
    assert "A" not in refused["command"].replace("▒", "")
    assert of_type(answers, "tabled")[0]["cards"] == ["Ah", "Ac", "Ad", "As"]


def test_a_wrong_moment_is_said_in_the_dealers_words() -> None:
    answers = run("seat 1 A\nseat 2 B\nbutton 1\nhand\nfold\nflop 2c3c9d\nhigh 1")
    assert ["'fold'" in answers[-3]["message"], "'flop'" in answers[-2]["message"]] == [True, True]
    assert "'high'" in answers[-1]["message"]


def test_a_dead_button_may_fall_on_an_empty_chair() -> None:
    profile = profile_with("ca_omaha_high", button={"method": "dead"})
    script = (
        "seat 1 A\nseat 2 B\nseat 3 C\nseat 4 D\nbutton 1\ndeal\nfold to 3\npush\nleave 2\nhand"
    )
    _, second = of_type(run(script, profile), "hand_started")
    assert (second["button"], second["small_blind"], second["big_blind"]) == (2, 3, 4)


def test_an_all_in_hand_killed_by_ruling_gets_back_what_nobody_called() -> None:
    profile = profile_with(betting={"max_raises": 0}, limit=no_limit())
    script = "seat 1 A 20\nseat 2 B 50\nseat 3 C 50\nbutton 3\ndeal\n3 raise 30\n"
    answers = run(script + 'floor 4711 dead 3 "dealer swept the hand"\nstep', profile)
    assert not codes(answers)
    assert of_type(answers, "step")[0]["seat"] == 1
