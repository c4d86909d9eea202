"""What rulings do beyond their example scripts."""

from __future__ import annotations

import pytest

from omaha_table.floor import RULINGS, Give
from omaha_table.floor.files import demo_staff
from omaha_table.hand import Refused
from omaha_table.hand.frozen import replace
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.shipped import config_dir
from tests.evenings import codes, draw_lines, of_type, placed, profile_with, run
from tests.floor.four_players import S4, F, play
from tests.staff_files import without_dealers

THREE = "seat 1 A 100\nseat 2 B 100\nseat 3 C 100\nbutton 3\n"
LIMPED = THREE + "deal\n3 call\n1 call\n2 check\n"
FLOP = "flop 7c 5h 2s\n"
REST = "turn Kd\ncheck around\nriver As\ncheck around\n"


def test_floor_help_lists_every_ruling() -> None:
    [help_] = of_type(run("floor help"), "help")
    assert list(help_["rulings"]) == [ruling.usage for ruling in RULINGS]


def test_a_ruling_says_what_it_will_do_before_it_is_given() -> None:
    answers = run(THREE + "deal\nfloor ask misdeal\nfloor ask dead 7\nfloor ask flay")
    [effect] = of_type(answers, "effect")
    assert effect["text"].startswith("Misdeal: all bets go back")
    assert codes(answers) == ["no_such_seat", "unknown_ruling"]
    assert not of_type(answers, "ruled")


def test_a_misdeal_is_dealt_again_exactly() -> None:
    kill = (
        "".join(f"seat {n} P{n}\n" for n in (3, 4, 5, 6, 8)) + "button 8\ndeal\n5 raise\n6 raise\n"
        "8 raise\n3 fold\n4 fold\n5 call\n6 call\nflop KhTc4d\n5 check\n6 check\n8 bet\n5 fold\n"
        '6 fold\npush\ndeal\nfloor 4711 misdeal "boxed cards"\nseat 1 New\nhand'
    )
    _, called_off, again = of_type(run(kill, placed("house_omaha_hilo")), "hand_started")
    assert again["number"] == called_off["number"] + 1
    same = ("button", "dealt", "small_blind", "big_blind", "killer", "posts", "limit")
    assert {key: again[key] for key in same} == {key: called_off[key] for key in same}


def test_e30_the_misdeal_window() -> None:
    def window(actions: str, setting: str) -> str:
        profile = profile_with("ca_big_o", misdeal={"window": setting})
        script = "".join(f"seat {n} P{n}\n" for n in range(4, 9)) + "button 8\ndeal\n" + actions
        found: str = of_type(run(script + "step", profile), "step")[0]["misdeal_window"]
        return found

    rrop, tda = "rrop_two_acted", "tda_substantial"
    assert (window("fold\nfold\n", rrop), window("fold\nfold\n", tda)) == ("shut", "open")
    assert (window("call\n", rrop), window("call\n", tda)) == ("open", "open")
    assert (window("fold\ncall\n", rrop), window("fold\ncall\n", tda)) == ("shut", "shut")
    assert window("fold\nfold\nfold\n", tda) == "shut"


def test_no_misdeal_after_the_window() -> None:
    answers = run(THREE + 'deal\n3 call\n1 call\nfloor 4711 misdeal "too late"')
    [refused] = of_type(answers, "refused")
    assert (refused["code"], refused["rule"]) == ("misdeal_window", "misdeal.window")


def test_remedies_deal_the_right_streets_without_a_burn() -> None:
    limp = "3 call\n1 call\n2 check\n" + FLOP
    early = 'floor 4711 premature turn "early"\n'
    burns = [
        ('deal\nfloor 4711 exposed 2 "turned"\n' + limp, ["turn", "river"]),
        ("deal\n" + limp + "1 check\n" + early + "2 check\n3 check\n", ["flop", "turn"]),
    ]
    for start, wanted in burns:
        rest = "" if "premature" in start else "check around\n"
        answers = run(THREE + start + rest + REST)
        assert not codes(answers), of_type(answers, "refused")
        assert [burn["street"] for burn in of_type(answers, "burned")] == wanted
    tda = profile_with("ca_big_o", remedy={"premature_turn": "tda"})
    answers = run(THREE + burns[1][0] + REST, tda)
    assert [burn["street"] for burn in of_type(answers, "burned")] == ["flop", "river"]
    [remedy] = of_type(answers, "remedy_ordered")
    assert len(remedy["steps"]) == 3


def test_with_a_shoe_the_burn_is_left_out_too() -> None:
    cards = "".join("card ??\n" for _ in range(15))
    script = (
        THREE + f'hand\n{cards}floor 4711 exposed 2 "dealer turned it"\n3 call\n1 call\n2 check\n'
    )
    answers = run(script + "card 7c\ncard 5h\ncard 2s\ncheck around\ncard ??\ncard Kd\n")
    assert not codes(answers)
    assert [b["cards"] for b in of_type(answers, "board_dealt")] == [["7c", "5h", "2s"], ["Kd"]]


def test_four_cards_by_scramble_leave_out_the_burn_before_the_turn() -> None:
    profile = profile_with("ca_big_o", remedy={"four_card_flop": "scramble"})
    script = LIMPED + 'floor 4711 fourcards "stuck"\n' + FLOP + "check around\n" + REST
    answers = run(script, profile)
    assert [burn["street"] for burn in of_type(answers, "burned")] == ["river"]


def test_a_bound_seat_is_released_when_the_price_changes() -> None:
    start = (
        LIMPED + FLOP + '1 bet\nfloor 4711 binding 3 raise "in front of seat 2"\n2 raise\n3 call'
    )
    assert not codes(run(start))


def test_the_last_live_hand_takes_the_pot_when_the_others_are_ruled_dead() -> None:
    script = (
        LIMPED + 'floor 4711 dead 3 "two hands mixed"\nfloor 4711 dead 1 "two hands mixed"\npush'
    )
    answers = run(script)
    assert not codes(answers)
    [ended] = of_type(answers, "hand_ended")
    assert ended["awards"] == {"2": 1200}
    assert ended["outcome"] == "uncontested"


def test_backing_up_undoes_any_ruling_in_a_hand() -> None:
    rulings = {
        "dead 3": "",
        "waive": "",
        "pot 3 add 4": "",
        "board 1 9c": "",
        "binding 2 check": "1 check\nundo\n",
    }
    profile = placed("ca_big_o")
    for ruling in rulings:
        session = Session(profile, profile.limits[0], demo_staff())
        for line in (LIMPED + FLOP).splitlines():
            say(session, line)
        before = session.state.hand
        name, *words = ruling.split()
        given = session.rule(Give(("4711",), name, (*words, "why")))
        assert given.refusal is None
        assert len(given.records) >= 2
        assert session.state.hand != before
        backed_up = session.rule(Give(("4711",), "backup", ("1", "ruled in error")))
        assert backed_up.refusal is None
        after = session.state.hand
        assert before is not None
        assert after is not None
        # What needs two persons is counted even if it is taken back.
        entry, undoable = before.entry, before.undoable
        assert replace(after, entry=entry, undoable=undoable, corrected=0) == before


def say(session: Session, line: str) -> None:
    from omaha_table.session.script import run_line

    for answer in run_line(session, 1, line):
        assert answer["type"] != "refused", answer


def test_backup_reaches_to_the_posting_and_no_further() -> None:
    answers = run(LIMPED + FLOP + 'floor 4711 backup 5 "start the betting again"\nstep')
    assert of_type(answers, "step")[0]["what"] == "deal"
    assert codes(run(LIMPED + FLOP + 'floor 4711 backup 6 "too far"')) == ["wrong_phase"]
    assert codes(run(LIMPED + 'floor 4711 backup 0 "nothing"')) == ["wrong_phase"]


def test_the_dealer_cannot_undo_a_ruling() -> None:
    answers = run(LIMPED + FLOP + 'floor 4711 dead 3 "mixed with the muck"\nundo')
    assert codes(answers) == ["wrong_phase"]


def test_corrections_that_would_make_chips_appear_are_refused() -> None:
    lines = [
        'floor 4711 pot 3 add 500 "more than it has"',
        'floor 4711 pot 3 back 5 "more than it put in"',
    ]
    assert codes(run(LIMPED + "\n".join(lines))) == ["chips", "chips"]
    between = [
        'floor 4711 stack 1 2 101 "more than it has"',
        'floor 4711 stack 1 9 5 "nobody there"',
        'floor 4711 stack 1 1 5 "the same"',
    ]
    assert codes(run(THREE + "\n".join(between))) == ["chips", "no_such_seat", "no_such_seat"]
    mixed = "seat 1 A 100\nseat 2 B\n" + 'floor 4711 stack 1 2 5 "one is not tracked"'
    assert codes(run(mixed)) == ["chips"]


def test_a_large_correction_of_the_pot_needs_two() -> None:
    rich = "seat 1 A 900\nseat 2 B 900\nseat 3 C 900\nbutton 3\ndeal\n3 call\n1 call\n2 check\n"
    answers = run(rich + 'floor 4711 pot 3 add 101 "light"\nfloor 4711 4712 pot 3 add 101 "light"')
    assert codes(answers) == ["two_persons"]
    assert of_type(answers, "ruled")[0]["by"] == ["F1", "F2"]


def test_an_impounded_part_waits_outside_the_stacks() -> None:
    profile = placed("ca_big_o")
    session = Session(profile, profile.limits[0], demo_staff())
    for line in (LIMPED + FLOP + "check around\n" + REST + "high 1\nlow 2\npush").splitlines():
        say(session, line)
    say(session, 'floor 4711 impound 1 5 "disputed"')
    assert session.state.impounded == {1: {1: 500}}
    assert session.state.seats[1].stack == 9600
    say(session, 'floor 4711 pay 1 3 2 "camera"')
    assert session.state.impounded == {1: {1: 300}}
    assert session.state.seats[3].stack == 9800
    with pytest.raises(Refused):
        session.effect(Give((), "pay", ("1", "3", "4")))


def test_an_amendment_moves_chips_only_until_substantial_action() -> None:
    end = LIMPED + FLOP + "check around\n" + REST + "high 1\nlow 2\npush\n"
    amend = 'floor 4711 amend 1 1 3 5 "misread"\n'
    moved = of_type(run(end + amend), "chips_transferred")[0]
    assert not moved["adjusting"]
    later = of_type(run(end + "deal\n1 call\n2 call\n" + amend), "chips_transferred")[0]
    assert later["adjusting"]
    assert codes(run(end + 'floor 4711 amend 2 1 3 5 "not played"')) == ["no_such_hand"]


def test_limits_and_shifts_cannot_change_during_a_hand_and_a_closed_table_takes_nothing() -> None:
    during = THREE + "deal\nmove 1 5\npost 1\nlimit 8-16\nshift x y z"
    assert codes(run(during)) == ["wrong_phase"] * 4
    closed = THREE + 'floor 4711 close "game breaks"\nseat 4 D\ndeal\nfloor 4711 close "again"'
    assert codes(run(closed)) == ["wrong_phase"] * 3


def test_every_command_of_the_floor_at_a_wrong_moment_is_refused_in_words() -> None:
    lines = {
        "dead 1": "wrong_phase",
        "backup 1": "wrong_phase",
        "bet 1 5": "wrong_phase",
        "board 1 As": "wrong_phase",
        "board one As": "bad_command",
        "board 1 Ax": "unknown_card",
        "pot 1 add ten": "bad_amount",
        "premature river": "wrong_phase",
        "binding 1 dance": "bad_command",
        "refund 1 1 1": "no_such_hand",
        "nohand 1": "wrong_phase",
        "clock 1": "wrong_phase",
    }
    for words, code in lines.items():
        answers = run(THREE + f'floor 4711 {words} "why not"')
        [refused] = of_type(answers, "refused")
        assert refused["code"] == code, words
        assert refused["rule"]
        assert "4711" not in str(refused)


def test_a_shift_counts_its_boxes_and_a_down_its_hands() -> None:
    hand = LIMPED.removeprefix(THREE) + FLOP + "check around\n" + REST + "high 1\nlow 2\npush\n"
    script = THREE + "shift day B7 J7\ndown D114\n" + hand + "down D115\nshift close\ndown out"
    answers = run(script, staff=without_dealers())
    assert not codes(answers)
    [out, last] = of_type(answers, "dealer_out")
    assert (out["dealer"], out["hands"], out["fees"]) == ("D114", 1, 300)
    assert (last["dealer"], last["hands"]) == ("D115", 0)
    [closed] = of_type(answers, "shift_closed")
    assert (closed["shift"], closed["box"], closed["fees"], closed["jackpots"]) == (
        "day",
        "B7",
        300,
        0,
    )


@pytest.mark.parametrize("seat", [2, 3])
def test_who_posts_a_blind_cannot_be_named_to_sit_out(seat: int) -> None:
    nine = "".join(f"seat {n} P{n} 200\n" for n in range(1, 10))
    nine += "\n".join(draw_lines(1, range(1, 10))) + "\n"
    rules = load_profile(str(config_dir() / "examples" / "rulings" / "nine_by_the_floor.toml"))
    answers = play(nine + f'{F} nohand {seat} "tired"\ndeal\n{F} nohand 6 "tired"\ndeal', rules)
    assert codes(answers) == ["wrong_phase"]
    assert of_type(answers, "hand_started")[0]["no_hand"] == [6]
    [step] = of_type(play(nine + "step", rules), "step")
    assert (step["who"], step["what"]) == ("floor", "nohand")


def test_after_closing_the_books_can_be_closed_too() -> None:
    script = (
        "shift day B1 J1\ndown D1\n" + S4 + f'{F} close "break"\nshift close\ndown out\nleave 1'
    )
    assert not codes(play(script))
