"""What a dealer meets in a hand beyond the worked examples."""

from __future__ import annotations

from omaha_table.hand.phases import COMMANDS, TRANSITIONS, Phase
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evenings import (
    PLACED_HILO,
    codes,
    hand_end,
    no_limit,
    of_type,
    placed,
    profile_with,
    run,
)

THREE = "seat 1 A\nseat 2 B\nseat 3 C\nbutton 3\n"
BOARD = ["flop 7c 5h 2s", "turn Kd", "river As"]


def checked_down(script: str) -> str:
    return script + "\n".join(f"{street}\ncheck around" for street in BOARD) + "\n"


LIMPED = THREE + "deal\ncall\ncall\ncheck\n"


def test_every_phase_can_be_reached_and_left() -> None:
    reached = {Phase.DEAL, *TRANSITIONS.values()}
    assert reached == set(Phase)
    left = {phase for phase, _ in TRANSITIONS}
    assert left == set(Phase) - {Phase.ENDED}
    assert not COMMANDS[Phase.ENDED]


def test_a_street_cannot_be_turned_while_betting_is_open_nor_skipped() -> None:
    answers = run(THREE + "deal\nflop 7c 5h 2s\ncall\ncall\ncheck\nturn Kd\nburn\nburn\nflop 7c 5h")
    assert codes(answers) == ["betting_open", "wrong_phase", "wrong_phase", "card_count"]


def test_a_card_cannot_be_on_the_table_twice() -> None:
    answers = run(LIMPED + "flop 7c 5h 7c\nflop 7c 5h 2s\ncheck around\nturn 5h")
    assert codes(answers) == ["duplicate_card", "duplicate_card"]


def test_the_big_blind_has_the_option() -> None:
    answers = run(THREE + "deal\ncall\ncall\nstep\nraise\ncall\ncall")
    [step] = of_type(answers, "step")
    assert [choice["word"] for choice in step["choices"]] == ["fold", "check", "raise", "allin"]
    assert of_type(answers, "street_closed")[0]["pot"] == 2400


def test_a_raiser_whose_raise_is_called_does_not_act_again() -> None:
    answers = run(THREE + "deal\nraise\ncall\ncall\ncheck")
    assert codes(answers) == ["wrong_phase"]


def test_check_is_refused_when_facing_a_bet() -> None:
    answers = run(THREE + "deal\ncheck")
    [refused] = of_type(answers, "refused")
    assert refused["code"] == "cannot_check"
    assert "$4 to call" in refused["message"]


def test_a_fixed_limit_raise_of_another_size_is_refused_with_the_right_one() -> None:
    answers = run(THREE + "deal\nraise 10\nraise 8")
    [refused] = of_type(answers, "refused")
    assert refused["code"] == "bet_size"
    assert "it must be $8" in refused["message"]


def test_fold_to_and_call_to_are_all_or_none() -> None:
    four = "seat 1 A\nseat 2 B\nseat 3 C\nseat 4 D\nseat 5 E\nbutton 5\ndeal\n"
    answers = run(four + "fold to 1\n")
    assert [a["seat"] for a in of_type(answers, "acted")] == [3, 4, 5]
    assert len({a["entry"] for a in of_type(answers, "acted")}) == 1
    answers = run(four + "call to 9\ncheck around\ncall to 3")
    assert codes(answers) == ["no_such_seat", "cannot_check", "no_such_seat"]
    assert not of_type(answers, "acted")


def test_check_around_stops_where_somebody_must_call() -> None:
    answers = run(LIMPED + BOARD[0] + "\n1 check\n2 bet\ncheck around")
    assert codes(answers) == ["cannot_check"]


def test_undo_takes_back_a_whole_entry_and_names_its_events() -> None:
    answers = run(THREE + "deal\ncall\ncall\ncheck\nundo\nundo\nundo\nundo\nundo\ndeal\nfold")
    taken = of_type(answers, "undone")
    acted = {a["seq"]: a for a in of_type(answers, "acted")}
    closed = of_type(answers, "street_closed")[0]["seq"]
    check, call_1, call_3 = sorted(acted, reverse=True)[1:4]
    out = of_type(answers, "hole_cards_out")[0]["seq"]
    assert [undone["seqs"] for undone in taken] == [[check, closed], [call_1], [call_3], [out]]
    assert codes(answers) == ["wrong_phase"]
    assert acted[max(acted)]["seat"] == 3


def test_undo_does_not_reach_behind_a_card() -> None:
    assert codes(run(LIMPED + "burn\nundo\nundo")) == ["wrong_phase"]
    answers = run(LIMPED + "flop 7c 5h 2s\nundo\nflop 7c 5h 3s\nundo\nundo")
    assert codes(answers) == ["wrong_phase"]
    assert of_type(answers, "board_dealt")[-1]["cards"] == ["7c", "5h", "3s"]


def test_undo_of_the_last_fold_brings_the_hand_back() -> None:
    answers = run(THREE + "deal\nfold\nfold\nundo\ncall\nstep")
    assert of_type(answers, "step")[0]["seat"] == 2
    assert not codes(answers)


def test_a_whole_hand_from_the_shoe() -> None:
    cards = iter("Ah 3d 9c 9d Ts Kc Kh 3s Ac Jh 2h 4h 6h 8h Th".split())
    hole = "".join(f"card {next(cards)}\n" for _ in range(15))
    script = (
        THREE
        + f"hand\n{hole}call\ncall\ncheck\n"
        + (
            "card Qc\ncard 7c\ncard 5h\ncard 2s\ncheck around\n"
            "card Qd\ncard Kd\ncheck around\ncard Qh\ncard As\ncheck around\n"
            "show 1\nshow 2\nmuck 3\npush"
        )
    )
    answers = run(script)
    ended = hand_end(answers)
    assert ended["board"] == ["7c", "5h", "2s", "Kd", "As"]
    assert [card["seat"] for card in of_type(answers, "card_dealt")][:6] == [1, 2, 3, 1, 2, 3]
    face_down = [c for c in of_type(answers, "card_dealt") if c["kind"] in ("hole", "burn")]
    assert len(face_down) == 18
    assert all(card["card"] is None for card in face_down)
    first, second = of_type(answers, "tabled")
    assert first["cards"] == ["Ah", "9d", "Kh", "Jh", "6h"]
    assert second["cards"] == ["3d", "Ts", "3s", "2h", "8h"]


def test_a_card_that_nobody_waits_for_is_an_irregularity() -> None:
    answers = run(THREE + "deal\ncard 7c\ncall\ncall\ncheck\nflop 7d 5h 2s")
    [irregular] = of_type(answers, "irregularity")
    assert (irregular["kind"], irregular["street"]) == ("premature_card", "preflop")
    assert not codes(answers)


def test_hole_cards_are_taken_only_at_the_showdown() -> None:
    answers = run(LIMPED + "show 1 AhKhQhJhTh\n" + BOARD[0] + "\nshow 1 AhKhQhJhTh")
    assert codes(answers) == ["wrong_phase", "betting_open"]


def test_all_hole_cards_must_be_tabled() -> None:
    answers = run(checked_down(LIMPED) + "show 1 AhKhQhJh\nshow 4 AhKhQhJhTh\npush")
    assert codes(answers) == ["card_count", "no_such_seat", "wrong_phase"]


def test_the_last_live_hand_wins_without_showing() -> None:
    ended = hand_end(run(checked_down(LIMPED) + "muck 1\nmuck 3\npush"))
    assert ended["awards"] == {"2": 900}
    assert ended["outcome"] == "showdown"
    answers = run(checked_down(LIMPED) + "muck 1\nmuck 3\nmuck 2")
    assert codes(answers) == ["wrong_phase"]


def test_where_all_must_table_nobody_mucks() -> None:
    profile = profile_with("ca_big_o", showdown={"must_table": "all"})
    answers = run(checked_down(LIMPED) + "muck 1", profile)
    [refused] = of_type(answers, "refused")
    assert (refused["code"], refused["rule"]) == ("must_table", "showdown.must_table")


def test_a_dealer_reading_needs_the_low_where_one_is_possible() -> None:
    answers = run(checked_down(LIMPED) + "high 1\npush\nlow 2\npush")
    assert codes(answers) == ["wrong_phase"]
    ended = of_type(answers, "hand_ended")[0]
    assert ended["pots"][0]["high"] == {"1": 500}
    assert ended["pots"][0]["low"] == {"2": 400}
    no_low = LIMPED + "flop Kc Qh Js\ncheck around\nturn Kd\ncheck around\nriver 2s\ncheck around\n"
    assert hand_end(run(no_low + "high 3\npush"))["awards"] == {"3": 900}
    assert codes(run(no_low + "low 2")) == ["cards_speak"]


def test_a_reading_cannot_go_against_tabled_cards() -> None:
    shown = checked_down(LIMPED) + "show 1 KcKhQhQd9d\nshow 2 3h4hJhJd9s\n"
    assert codes(run(shown + "high 1")) == ["cards_speak"]
    assert codes(run(shown + "low none")) == ["cards_speak"]
    for line, why in (
        ("high 1", "Seat 2's tabled cards make a better high."),
        ("low none", "Seat 2's tabled cards make a low."),
        ("low 1", "Seat 1's tabled cards make no low."),
    ):
        [refused] = of_type(run(shown + line), "refused")
        assert refused["message"] == why
    assert codes(run(shown + "show 3 TcTh9cQsJs\nhigh 2")) == ["cards_speak"]
    assert not codes(run(shown + "high 2\nlow 2\npush"))


def test_a_side_pot_can_be_read_before_or_after_the_main_pot() -> None:
    profile = profile_with(betting={"max_raises": 0}, limit=no_limit())
    start = "seat 1 A 10\nseat 2 B 50\nseat 3 C 50\nbutton 3\ndeal\n3 raise 50\n1 call\n2 call\n"
    start += "\n".join(BOARD) + "\n"
    for order in ("high 1\nhigh 3", "high 3\nhigh 1"):
        ended = hand_end(run(start + f"{order}\nlow none\npush", profile))
        assert ended["awards"] == {"1": 3000, "3": 8000}


def test_the_last_to_muck_takes_a_side_pot_that_nobody_else_wants() -> None:
    profile = profile_with(betting={"max_raises": 0}, limit=no_limit())
    start = "seat 1 A 10\nseat 2 B 50\nseat 3 C 50\nbutton 3\ndeal\n3 raise 50\n1 call\n2 call\n"
    start += "\n".join(BOARD) + "\n"
    ended = hand_end(run(start + "muck 2\nmuck 3\npush", profile))
    assert ended["awards"] == {"1": 3000, "3": 8000}


def test_an_untracked_all_in_states_its_amount() -> None:
    answers = run(THREE + "deal\nallin\nallin 3\ncall\ncheck")
    [refused] = of_type(answers, "refused")
    assert "not tracked" in refused["message"]
    assert of_type(answers, "acted")[0]["all_in"]


def test_both_blinds_all_in_run_the_board_out() -> None:
    script = "seat 1 A 2\nseat 2 B 3\nbutton 1\ndeal\n" + "\n".join(BOARD) + "\nhigh 1\nlow 2\npush"
    ended = hand_end(run(script))
    assert ended["returned"] == {"2": 100}
    assert ended["waived"] == 0
    assert ended["fee"] == 300


def test_an_ante_is_dead_and_still_makes_side_pots() -> None:
    limit = no_limit("2.00", ante="1.00")
    profile = profile_with("nj_big_omaha_hilo", betting={"max_raises": 0}, limit=limit)
    script = "seat 1 A 1\nseat 2 B 20\nseat 3 C 20\nbutton 3\ndeal\nstep\n3 call\n2 check\n"
    script += "\n".join(
        [BOARD[0], "check around", BOARD[1], "check around", BOARD[2], "check around"]
    )
    answers = run(script + "\nhigh 1\nhigh 2\nlow none\npush", profile)
    assert of_type(answers, "step")[0]["choices"][1]["least"] == 200
    assert hand_end(answers)["awards"] == {"1": 300, "2": 400}


BIG_BLIND_ANTE = {"small_blind": "1.00", "ante_by": "big_blind"}


def test_an_ante_of_the_big_blind_counts_in_the_pot_and_is_no_bet() -> None:
    """Blinds 1 and 2 and an ante of 2: the pot of 5 and a call of 2 raise to 9."""
    limit = no_limit("2.00", ante="2.00", structure="pot_limit") | BIG_BLIND_ANTE
    profile = profile_with("nj_big_omaha_hilo", betting={"max_raises": 0}, limit=limit)
    script = "seat 1 A 100\nseat 2 B 100\nseat 3 C 100\nbutton 3\ndeal\n"
    [refused] = of_type(run(script + "3 raise 10", profile), "refused")
    assert "to $9." in refused["message"]
    ended = hand_end(run(script + "3 raise 9\n1 fold\n2 fold\npush", profile))
    assert ended["returned"] == {"3": 700}
    assert ended["awards"] == {"3": 700}
    assert ended["stacks"] == {"1": 9900, "2": 9600, "3": 10500}


def test_a_big_blind_that_its_ante_leaves_short_counts_in_full_for_the_pot() -> None:
    """The ante goes first: a dollar of blind is left, which others take as two."""
    limit = no_limit("2.00", ante="2.00", structure="pot_limit") | BIG_BLIND_ANTE
    profile = profile_with("nj_big_omaha_hilo", betting={"max_raises": 0}, limit=limit)
    script = "seat 1 A 100\nseat 2 B 3\nseat 3 C 100\nbutton 3\ndeal\n3 raise 10\n3 raise 9"
    answers = run(script, profile)
    assert codes(answers) == ["bet_size"]
    posted = [(p["seat"], p["kind"], p["amount"]) for p in of_type(answers, "posted")]
    assert posted == [(2, "ante", 200), (1, "small_blind", 100), (2, "big_blind", 100)]


def test_spread_limit_sizes() -> None:
    script = (
        THREE + "limit 5-100\ndeal\nraise 9\nraise 106\nraise 105\nraise 204\nraise 205\nfold\n"
    )
    answers = run(script)
    assert codes(answers) == ["bet_size", "bet_size", "bet_size"]
    assert "from $10 to $105" in of_type(answers, "refused")[0]["message"]


def test_a_dealer_may_say_call_for_a_check_and_raise_for_a_bet() -> None:
    answers = run(LIMPED + BOARD[0] + "\n1 call\n2 raise\n3 bet")
    assert [a["action"] for a in of_type(answers, "acted")][-2:] == ["check", "bet"]
    assert codes(answers) == ["cannot_bet"]


def test_e24_a_run_of_kills() -> None:
    """Scoops of 60 or more kill, a chop or a split collects, a new scooper takes it over."""
    seats = "".join(f"seat {n} P{n}\n" for n in (1, 2, 4, 6, 8))

    profile = placed("house_omaha_hilo")
    session = Session(profile, profile.limits[0])

    def say(text: str) -> list[dict[str, object]]:
        answers = [a for line in text.splitlines() for a in run_line(session, 1, line)]
        assert not [a for a in answers if a["type"] == "refused"], answers
        return answers

    def play(pair: tuple[int, int], bets: int, high: str, low: str) -> tuple[int, object]:
        """A hand between two seats with so many called bets; the pot and the next killer."""
        say("deal")
        while session.step.what == "act":
            state = session.state.hand
            assert state is not None
            words = {choice.word for choice in session.step.choices}
            if state.actor in pair:
                say("call" if "call" in words else "check")
            else:
                say("fold")
        for street in BOARD:
            say(street)
            while session.step.what == "act":
                words = {choice.word for choice in session.step.choices}
                if "call" in words:
                    say("call")
                elif bets and "bet" in words:
                    say("bet")
                    bets -= 1
                else:
                    say("check")
        [ended] = say(f"{high}\n{low}\npush")[-1:]
        pots = ended["pots"]
        assert isinstance(pots, list)
        total = sum(pot["amount"] for pot in pots) + ended["fee"] + ended["jackpot"]
        return total, ended["kill"]

    say(seats + "button 6")
    pot, kill = play((8, 2), 3, "high 8", "low 8")
    assert (pot >= 6000, kill) == (True, 8)
    pot, kill = play((8, 2), 3, "high 8", "low 2")
    assert (pot >= 6000, kill) == (True, None)
    pot, kill = play((2, 4), 1, "high 2", "low 2")
    assert (pot < 6000, kill) == (True, None)
    pot, kill = play((6, 4), 3, "high 6", "low 6")
    assert (pot >= 6000, kill) == (True, 6)
    pot, kill = play((1, 6), 3, "high 1", "low 1")
    assert (pot >= 6000, kill) == (True, 1)
    pot, kill = play((1, 4), 3, "high 1 4", "low none")
    assert (pot >= 6000, kill) == (True, None)


FOUR_DEALT = "seat 1 A\nseat 2 B\nseat 3 C\nseat 4 D\nbutton 1\ndeal\n"


def test_fold_to_the_big_blind_and_call_to_the_raiser() -> None:
    assert hand_end(run(FOUR_DEALT + "fold to 3\npush", PLACED_HILO))["awards"] == {"3": 400}
    answers = run(
        FOUR_DEALT + "raise\ncall to 4\nflop 7c5h2s\n2 check\n3 check\n4 bet\ncall to 4\nstep"
    )
    assert not codes(answers)
    assert of_type(answers, "step")[0]["what"] == "turn"
    assert hand_end(run(FOUR_DEALT + "raise\nfold to 4\npush", PLACED_HILO))["awards"] == {
        "4": 1000
    }
