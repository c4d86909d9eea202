"""Limit and rules: free before the first hand, the floor's afterwards, and never during a hand."""

from __future__ import annotations

import pytest

from omaha_table.floor.params import RulesId
from omaha_table.session import Session
from omaha_table.table import apply
from omaha_table.table.events import LimitChanged
from tests.evenings import PLACED_HILO, codes, hand_end, of_type, profile_with, run
from tests.floor.four_players import FOLDED, S4, F, play

LIMIT = f'{F} limit 8-16 "players agreed"\n'


def test_before_the_first_hand_the_table_chooses() -> None:
    answers = play(S4 + "limit 8-16\nrules ca_big_o\nlimit 8-16")
    assert [answer["type"] for answer in answers[-3:]] == [
        "limit_changed",
        "rules_changed",
        "limit_changed",
    ]


@pytest.mark.parametrize("line", ["limit 8-16", "rules ca_big_o", "rules ca_big_o 8-16"])
def test_once_a_hand_has_been_dealt_it_is_for_the_floor(line: str) -> None:
    answers = play(S4 + FOLDED + line)
    assert codes(answers) == ["not_authorised"]
    [refused] = of_type(answers, "refused")
    assert f"with the ruling '{line.split()[0]}'" in refused["message"]


def test_a_ruling_changes_the_limit_from_the_next_hand() -> None:
    """Blinds 4 and 8: the big blind wins the small one and gets the rest of its own back."""
    answers = play(S4 + FOLDED + LIMIT + FOLDED)
    assert not codes(answers)
    [ruled] = of_type(answers, "ruled")
    assert ruled["effect"] == "The limit is 8-16 from the next hand, not 4-8."
    assert [hand["limit"] for hand in of_type(answers, "hand_started")] == ["4-8", "8-16"]
    assert [max(hand["invested"].values()) for hand in of_type(answers, "hand_ended")] == [200, 400]


@pytest.mark.parametrize(
    ("words", "limit"), [("rules ca_big_o 8-16", "8-16"), ("rules ca_big_o", "4-8")]
)
def test_a_ruling_changes_the_rules_with_or_without_a_limit(words: str, limit: str) -> None:
    answers = play(S4 + FOLDED + f'{F} {words} "players agreed"\n' + FOLDED)
    assert not codes(answers)
    last = of_type(answers, "hand_started")[-1]
    assert (last["rules"], last["limit"]) == ("ca_big_o", limit)
    assert of_type(answers, "ruled")[0]["reason"] == "players agreed"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("limit 3-6", "no_such_limit"),
        ("limit 4-8", "wrong_phase"),
        ("rules ca_big_omaha", "no_such_rules"),
        ("rules /etc/passwd", "no_such_rules"),
        ("rules ca_omaha_hilo 4-8", "wrong_phase"),
    ],
)
def test_what_is_not_offered_is_refused(words: str, code: str) -> None:
    answers = play(S4 + FOLDED + f'{F} {words} "players agreed"')
    assert codes(answers) == [code]
    assert not of_type(answers, "ruled")


def test_nothing_changes_while_a_hand_is_played() -> None:
    for line in (LIMIT, f'{F} rules ca_big_o "players agreed"', "limit 8-16", "rules ca_big_o"):
        assert codes(play(S4 + "deal\n" + line)) == ["wrong_phase"]


def test_rules_with_fewer_seats_wait_until_the_players_have_moved() -> None:
    ten = "".join(f"seat {n} P{n} 200\n" for n in (1, 2, 10)) + "button 1\ndeal\nfold\nfold\npush\n"
    answers = play(ten + f'{F} rules ca_big_o "players agreed"')
    assert codes(answers) == ["no_such_seat"]


def test_the_tables_own_rules_are_offered_beside_the_shipped_ones() -> None:
    own = profile_with("ca_omaha_hilo", profile={"id": "house_special"})
    session = Session(own, own.limits[0])
    offered = [option.word for option in RulesId().options(session.state, ())]
    assert "house_special" in offered
    assert "ca_big_o" in offered
    assert offered == sorted(set(offered))


def test_a_limit_in_an_older_log_needs_no_ruling_before_it() -> None:
    session = Session(PLACED_HILO, PLACED_HILO.limits[0])
    assert apply(session.state, LimitChanged("8-16")).limit.id == "8-16"


def test_a_hand_under_the_new_limit_adds_up() -> None:
    ended = hand_end(run(S4 + "limit 8-16\ndeal\nfold\nfold\nfold\npush", PLACED_HILO))
    assert ended["awards"] == {"3": 800}
