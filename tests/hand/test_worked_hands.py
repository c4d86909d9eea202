"""The worked examples of the rules, played from the blinds to the push."""

from __future__ import annotations

import pytest

from tests.evenings import (
    PLACED_BIG_O,
    PLACED_HILO,
    codes,
    hand_end,
    no_limit,
    of_type,
    placed,
    profile_with,
    run,
)
from tests.hand.lines import BOARD, E15, KILL_HAND_1, choices, seats
from tests.worked_examples import SPLITS, Split

ODD = {
    "RT": {"side": "high", "tie": "one_each"},
    "CN": {"side": "left_of_button", "tie": "all_to_first"},
}


def cents(dollars: dict[int, float]) -> dict[str, int]:
    return {str(seat): round(amount * 100) for seat, amount in dollars.items()}


def betting_for(pot: int, contenders: int, unit: int) -> tuple[int, int]:
    """What everyone puts in before the flop, and the contenders on it, to make a pot."""
    for before in range(2 * unit, pot, unit):
        rest = pot - (contenders + 1) * before
        if rest > 0 and rest % (contenders * unit) == 0:
            return before, rest // contenders
    raise AssertionError("no such betting")


@pytest.mark.parametrize(
    "example",
    # E21 is played below, with its fee.
    [split for split in SPLITS if not split.name.startswith("E21")],
    ids=lambda e: f"{e.name}-{e.policy}",
)
def test_worked_splits_played_out(example: Split) -> None:
    unit = max(example.unit_cents // 100, 1)
    contenders = sorted({*example.high, *example.low})
    contenders += [seat for seat in (1, 2, 3) if seat not in contenders][: 2 - len(contenders)]
    folder = next(seat for seat in range(9, 0, -1) if seat not in contenders)
    before, on_flop = betting_for(example.dollars, len(contenders), unit)
    blind = f"{unit}.00"
    profile = profile_with(
        "ca_omaha_hilo" if example.low else "ca_omaha_high",
        betting={"max_raises": 0},
        odd_chip=ODD[example.policy] | {"unit": f"{example.unit_cents / 100:.2f}"},
        limit=no_limit(blind),
    )
    order = sorted([*contenders, folder], key=lambda seat: (seat <= example.button, seat))
    opener = next(seat for seat in order if seat != folder)
    passed = ["check"] * order.index(opener) if opener != order[0] else []
    script = [
        seats([*contenders, folder]),
        f"button {example.button}" if example.button in order else f"button {order[-1]}",
        "deal",
        f"raise {before}",
        *["call"] * len(contenders),
        BOARD[0],
        *passed,
        f"bet {on_flop}",
        *[
            f"{seat} {'fold' if seat == folder else 'call'}"
            for seat in [*order[order.index(opener) + 1 :], *order[: order.index(opener)]]
        ],
        BOARD[1],
        "check around",
        BOARD[2],
        "check around",
        f"high {' '.join(map(str, example.high))}",
        *([f"low {' '.join(map(str, example.low))}"] if example.low else []),
        "push",
    ]
    if example.button not in order:
        # The button of the example is nobody in the hand: a seat that folds at once.
        script[0] += f"\nseat {example.button} Button"
        script[1] = f"button {example.button}"
        order.append(example.button)
        at = script.index(f"raise {before}")
        script[at : at + 1 + len(contenders)] = preflop(order, example.button, before)
    ended = hand_end(run("\n".join(script), profile))
    assert ended["pots"][0]["amount"] == example.dollars * 100 or len(ended["pots"]) > 1
    assert ended["awards"] == {str(k): v for k, v in sorted(example.expected_cents.items())}
    assert ended["dealer_read"]


def preflop(order: list[int], button: int, before: int) -> list[str]:
    """From the left of the big blind: the first raises, the button folds, the others call."""
    turn = order[2:] + order[:2]
    raiser = next(seat for seat in turn if seat != button)
    lines = []
    for seat in turn:
        if seat == button:
            lines.append(f"{seat} fold")
        elif seat == raiser:
            lines.append(f"{seat} raise {before}")
        else:
            lines.append(f"{seat} call")
    return lines


def test_e15_three_pots() -> None:
    ended = hand_end(run(E15, profile_with(betting={"max_raises": 0}, limit=no_limit())))
    assert [(p["amount"], p["eligible"], p["high"], p["low"]) for p in ended["pots"]] == [
        (16000, [1, 4, 6, 8], {"1": 8000}, {"4": 4000, "6": 4000}),
        (18000, [4, 6, 8], {"4": 9000}, {"4": 4500, "6": 4500}),
        (12000, [6, 8], {"8": 6000}, {"6": 6000}),
    ]
    assert ended["awards"] == cents({1: 80, 4: 175, 6: 145, 8: 60})
    assert ended["stacks"] == cents({1: 80, 4: 175, 6: 145, 8: 60})


@pytest.mark.parametrize("policy", ["RT", "CN"])
def test_e16_with_the_drop(policy: str) -> None:
    limit = no_limit(fees=[{"players": "2+", "fee": "5.00"}])
    profile = profile_with(betting={"max_raises": 0}, odd_chip=ODD[policy], limit=limit)
    ended = hand_end(run(E15, profile))
    assert ended["awards"] == cents({1: 78, 4: 174, 6: 143, 8: 60})
    assert ended["fee"] == 500


def test_e17_low_in_the_main_pot_only() -> None:
    script = """
    seat 1 P1 40
    seat 6 P6 160
    seat 8 P8 160
    button 8
    deal
    8 allin
    1 call
    6 call
    flop Kh 7c 4d
    turn 2s
    river Jh
    show 1 Ac 3h 9d 9c
    show 6 Kc Ks Qd Tc
    show 8 Jd Jc Qs Th
    push
    """
    ended = hand_end(run(script, profile_with(betting={"max_raises": 0}, limit=no_limit())))
    assert [(p["high"], p["low"]) for p in ended["pots"]] == [
        ({"6": 6000}, {"1": 6000}),
        ({"6": 24000}, {}),
    ]


def test_e18_folded_money_makes_no_pot_of_its_own() -> None:
    script = f"""
    {seats([2, 3, 7, 8])}
    seat 5 P5 9
    button 8
    deal
    5 raise 9
    7 call
    8 call
    2 call
    3 call
    {BOARD[0]}
    2 bet 7
    3 call
    7 call
    8 call
    {BOARD[1]}
    2 bet 9
    3 call
    7 fold
    8 call
    {BOARD[2]}
    2 fold
    check around
    high 5
    low none
    high 3 8
    push
    """
    profile = profile_with(betting={"max_raises": 0}, limit=no_limit())
    ended = hand_end(run(script, profile))
    assert [(p["amount"], p["eligible"], p["high"]) for p in ended["pots"]] == [
        (4500, [3, 5, 8], {"5": 4500}),
        (5500, [3, 8], {"3": 2800, "8": 2700}),
    ]
    assert ended["invested"] == cents({2: 25, 3: 25, 5: 9, 7: 16, 8: 25})


def test_e19_an_uncalled_bet_goes_back() -> None:
    script = """
    seat 3 P3 5
    seat 7 P7
    button 3
    deal
    3 allin
    7 raise 12
    """
    answers = run(script, profile_with(betting={"max_raises": 0}, limit=no_limit()))
    assert codes(answers) == ["nobody_to_call"]
    script = f"""
    seat 3 P3 5
    seat 7 P7
    button 7
    deal
    7 raise 12
    3 call
    {BOARD[0]}
    {BOARD[1]}
    {BOARD[2]}
    high 3
    low none
    push
    """
    ended = hand_end(run(script, profile_with(betting={"max_raises": 0}, limit=no_limit())))
    assert ended["returned"] == {"7": 700}
    assert ended["awards"] == {"3": 1000}


def test_e20_all_fold_before_the_flop() -> None:
    script = f"{seats(range(1, 8))}\nbutton 7\ndeal\nfold to 5\nraise\nfold to 1\nfold\nfold\npush"
    ended = hand_end(run(script, PLACED_BIG_O, "4-8"))
    assert ended["outcome"] == "uncontested"
    assert ended["returned"] == {"5": 400}
    assert ended["awards"] == {"5": 1000}
    assert (ended["fee"], ended["kill"]) == (0, None)
    assert ended["board"] == []


@pytest.mark.parametrize(
    ("dealt", "fee", "high", "low"), [(7, 5, 5, 4), (6, 4, 5, 5), (4, 3, 6, 5)]
)
def test_e21_the_fee_follows_the_hands_dealt(dealt: int, fee: int, high: int, low: int) -> None:
    # Two limp behind the blinds, the small blind folds.
    callers = [seat for seat in range(1, dealt + 1) if seat not in (1, 2)][:2]
    folders = [seat for seat in range(3, dealt + 1) if seat not in callers]
    profile = profile_with("ca_big_o", odd_chip=ODD["RT"])
    script = "\n".join(
        [
            seats(range(1, dealt + 1)),
            f"button {dealt}",
            "deal",
            *[f"{seat} call" for seat in callers],
            *[f"{seat} fold" for seat in folders],
            "1 fold",
            "2 check",
            *[line for street in BOARD for line in (street, "check around")],
            f"high {callers[0]}",
            "low 2",
            "push",
        ]
    )
    ended = hand_end(run(script, profile))
    assert ended["fee"] == fee * 100
    assert ended["awards"] == cents({callers[0]: high, 2: low})


def test_e22_nine_seated_eight_dealt() -> None:
    answers = run(f"{seats(range(1, 10))}\nbutton 3\ndeal")
    [started] = of_type(answers, "hand_started")
    assert started["dealt"] == [4, 5, 6, 7, 8, 9, 1, 2]
    assert started["no_hand"] == [3]
    assert (started["small_blind"], started["big_blind"]) == (4, 5)
    script = (
        f"{seats(range(1, 10))}\nbutton 3\ndeal\ncall to 4\ncall\ncheck\n{BOARD[0]}\ncheck around"
    )
    acted = of_type(run(script), "acted")
    assert acted[-1]["seat"] == 2
    [due] = of_type(run(script), "fee_due")
    assert (due["fee"], due["hands_dealt"]) == (500, 8)


def test_e23_a_half_kill_posts_and_prices() -> None:
    script = KILL_HAND_1 + "deal\nstep\n6 call\n7 raise\n8 raise\n9 raise\n1 fold\nstep"
    answers = run(script, placed("house_omaha_hilo"))
    second = of_type(answers, "hand_started")[1]
    assert of_type(answers, "hand_ended")[0]["kill"] == 8
    assert (second["button"], second["killer"]) == (3, 8)
    posted = [(p["seat"], p["kind"], p["amount"]) for p in of_type(answers, "posted")[-3:]]
    assert posted == [(4, "small_blind", 300), (5, "big_blind", 600), (8, "kill", 900)]
    step = of_type(answers, "step")[0]
    assert step["seat"] == 6
    assert [(c["word"], c["least"]) for c in step["choices"]][:3] == [
        ("fold", None),
        ("call", 900),
        ("raise", 1800),
    ]
    levels = [
        a["to"] for a in of_type(answers, "acted") if a["hand"] == 2 and a["action"] == "raise"
    ]
    assert levels == [1800, 2700, 3600]
    assert "raise" not in [choice["word"] for choice in of_type(answers, "step")[1]["choices"]]


def test_e23_unraised_the_blinds_complete_and_the_killer_has_the_option() -> None:
    script = (
        KILL_HAND_1
        + f"deal\nfold to 8\nstep\n8 check\nfold to 4\n4 call\n5 call\n{BOARD[0]}\n4 bet"
    )
    answers = run(script, placed("house_omaha_hilo"))
    assert not codes(answers)
    assert of_type(answers, "step")[0]["choices"][1]["word"] == "check"
    added = [(a["seat"], a["amount"]) for a in of_type(answers, "acted") if a["hand"] == 2]
    assert (4, 600) in added
    assert (5, 300) in added
    assert added[-1] == (4, 900)


@pytest.mark.parametrize(
    ("killer", "button", "posts"),
    [
        (8, 6, [(7, "small_blind", 300), (8, "kill", 900)]),
        (8, 7, [(9, "big_blind", 600), (8, "kill", 900)]),
    ],
)
def test_e23_a_killer_in_the_blinds_posts_one_blind_only(
    killer: int, button: int, posts: list[tuple[int, str, int]]
) -> None:
    moved = f'floor 4711 button {button} "it was moved wrongly"\n'
    answers = run(KILL_HAND_1 + moved + "hand", placed("house_omaha_hilo"))
    posted = [(p["seat"], p["kind"], p["amount"]) for p in of_type(answers, "posted")[2:]]
    assert posted == posts


def test_e31_a_fee_larger_than_the_pot_is_waived() -> None:
    script = f"""
    seat 1 P1 1
    seat 2 P2 1
    button 1
    deal
    {BOARD[0]}
    {BOARD[1]}
    {BOARD[2]}
    high 1
    low 2
    push
    """
    ended = hand_end(run(script, PLACED_BIG_O))
    assert (ended["fee"], ended["waived"]) == (0, 300)
    assert ended["awards"] == {"1": 100, "2": 100}
    capped = hand_end(run(script, profile_with("ca_big_o", fee={"short_pot": "cap"})))
    assert (capped["fee"], capped["waived"], capped["awards"]) == (200, 100, {})


def test_e32_out_of_turn() -> None:
    start = f"{seats([3, 5, 6])}\nbutton 6\ndeal\ncall\ncall\ncheck\n{BOARD[0]}\n3 bet\n6 raise\n"
    stands = run(start + "5 call\n6 raise", PLACED_HILO, "8-16")
    [refused] = of_type(stands, "refused")
    assert (refused["code"], refused["command"]) == ("out_of_turn", "6 raise")
    assert "seat 5" in refused["message"]
    assert of_type(stands, "acted")[-1]["to"] == 1600
    released = run(start + "5 raise\nstep", PLACED_HILO, "8-16")
    assert choices(of_type(released, "step")[0]) == {
        "fold": None,
        "call": 1600,
        "raise": 2400,
        "allin": None,
    }


def test_the_summary_has_every_field_of_the_contract() -> None:
    ended = hand_end(run(E15, profile_with(betting={"max_raises": 0}, limit=no_limit())))
    assert {
        "type", "seq", "hand", "outcome", "board", "pots", "fee", "jackpot", "returned",
        "invested", "awards", "stacks", "button", "kill",
    } <= ended.keys()  # fmt: skip
    assert ended["invested"]["9"] == 0
