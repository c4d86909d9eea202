"""What the posted card credits to a document, and the line of the document that says it.

The documents are not in this repository: S0 to S4 are the five of them in the order of their ids. A
rule may be credited to one only if its line is here; a reading of it is marked as such in the
profile.
"""

from __future__ import annotations

import pytest

from omaha_table.hand import Refused
from omaha_table.rules import examine, load_profile, shipped_ids
from omaha_table.rules.posted_card import card
from tests.evenings import shipped

_BUTTON = {
    "button.initial": "S0:66, S2:53, S4:61",
    "button.method": "S0:54, S2:45, S4:53",
    "betting.max_raises": "S0:72, S2:63, S4:67",
    "odd_chip.tie": "S0:110, S2:94, S4:107",
}
_BY_HAND = {"shuffle.allowed": "S0:64, S2:51"}
_LOW = {
    "game.low_qualifier": "S0:27, S4:27",
    "odd_chip.side": "S0:110, S2:94, S4:107",
}
_FOUR_CARDS = {
    "game": "S0:11, S2:11",
    "game.hole_cards": "S0:68, S2:55",
    "seats.max": "S0:50, S2:41",
}
_NEW_JERSEY = {
    "game": "S1:27",
    "game.hole_cards": "S1:18",
    "seats.max": "S1:8",
    "odd_chip.tie": "S1:38",
    "odd_chip.most": "S1:42",
}
LINES: dict[str, dict[str, str]] = {
    "ca_big_o": _BUTTON
    | _LOW
    | {
        "game": "S4:103",
        "game.split": "S4:3",
        "game.hole_cards": "S4:63",
        "seats.max": "S4:49",
        "seats.max_hands": "S4:49",
        "seats.no_hand_seat": "S0:54, S2:45, S4:53",
        "shuffle.allowed": "S4:15",
        "fee.by": "S4:112",
        "fee.trigger": "S4:112",
        "fee.from": "S4:112",
        "limits.small_bet": "S4:115",
        "limits.structure": "S4:127",
        "limits.fees": "S4:112",
    },
    "ca_omaha_high": _BUTTON | _BY_HAND | _FOUR_CARDS | {"game.split": "S2:93"},
    "ca_omaha_hilo": _BUTTON | _BY_HAND | _LOW | _FOUR_CARDS | {"game.split": "S0:109, S4:106"},
    "house_omaha_hilo": {
        "game": "S3:16",
        "game.split": "S3:5",
        "game.hole_cards": "S3:8",
        "showdown.first": "S3:16",
        "showdown.must_table": "S3:16",
        "limits.small_bet": "S3:7",
        "limits.structure": "S3:11",
        "limits.small_blind": "S3:7",
        "limits.big_blind": "S3:7",
        "limits.kill": "S3:17",
        "limits.kill.small_bet": "S3:17",
    },
    "nj_big_omaha_high": _NEW_JERSEY | {"game.split": "S1:31"},
    "nj_big_omaha_hilo": _NEW_JERSEY
    | {
        "game.split": "S1:35",
        "odd_chip.side": "S1:37",
        "limits.kill": "S1:72",
        "limits.kill.blind": "S1:75",
        "kill.absent": "S1:72, S1:75",
    },
}
READINGS = {
    "ca_big_o": {
        "seats.no_hand_seat",
        "odd_chip.side",
        "fee.trigger",
        "fee.from",
        "limits.structure",
    },
    "ca_omaha_hilo": {"odd_chip.side"},
    "nj_big_omaha_high": {"odd_chip.tie", "odd_chip.most"},
    "nj_big_omaha_hilo": {"kill.absent"},
}
"""Where the document says less than the rule: the card says how it is read."""


@pytest.mark.parametrize("profile_id", shipped_ids())
def test_a_document_is_credited_with_what_it_says_and_with_nothing_else(profile_id: str) -> None:
    profile = load_profile(profile_id)
    document = profile.profile.source
    rules = [rule for line in card(profile) for rule in line.rules]
    credited = {rule.setting for rule in rules if document in rule.source}
    assert credited == LINES[profile_id].keys()
    read = {rule.setting for rule in rules if f"{document}, " in rule.source}
    assert read == READINGS.get(profile_id, set())


@pytest.mark.parametrize(
    ("profile_id", "setting", "source"),
    [
        ("house_omaha_hilo", "game.low_qualifier", "the room, since the house sheet names none"),
        ("house_omaha_hilo", "button.initial", "the room"),
        ("house_omaha_hilo", "limits.kill.threshold", "the room"),
        ("ca_big_o", "betting.heads_up_uncapped", "Robert's Rules of Poker, betting and raising"),
        ("ca_big_o", "fee.short_pot", "the room"),
        ("ca_omaha_hilo", "fee.by", "the room"),
        ("nj_big_omaha_hilo", "game.low_qualifier", "N.J.A.C. 13:69F-14.9(j)"),
        ("nj_big_omaha_hilo", "odd_chip.unit", "the room"),
    ],
)
def test_what_no_document_says_is_the_rooms_or_another_books(
    profile_id: str, setting: str, source: str
) -> None:
    rules = [rule for line in card(load_profile(profile_id)) for rule in line.rules]
    assert {rule.source for rule in rules if rule.setting == setting} == {source}


def test_a_line_of_two_rules_has_a_source_for_each() -> None:
    lines = {line.topic: line for line in card(load_profile("ca_big_o"))}
    document = "004_62e76539aeb21045"
    assert lines["Raises"].sources == (document, "Robert's Rules of Poker, betting and raising")
    assert [rule.text for rule in lines["Raises"].rules] == [
        "a bet and 3 raises",
        "no cap once two players are left, unless it was already reached",
    ]
    assert lines["Button"].sources == (document,)


@pytest.mark.parametrize(
    ("key", "known"),
    [
        ("limits.kill.blind", True),
        ("limits.kill", True),
        ("limits", True),
        ("fee.from", True),
        ("limits.kill.bling", False),
        ("limits.fees.fee.cents", False),
        ("fee.by.player", False),
        ("", False),
    ],
)
def test_a_source_is_given_for_a_setting_a_part_of_it_or_its_section(key: str, known: bool) -> None:
    data = shipped("house_omaha_hilo")
    data["sources"][key] = "the room"
    profile, faults = examine(data)
    assert [fault.key for fault in faults] == ([] if known else [f"sources.{key}"])
    if profile is not None:
        assert profile.source_of(key) == "the room"


def test_a_refusal_credits_no_document_with_a_rule_of_the_program() -> None:
    profile = load_profile("ca_big_o")
    assert Refused("wrong_phase", "No shift is open.", profile, "boxes").source == "the console"
    owed = Refused("wrong_phase", "Seat 3 owes nothing.", profile, "blinds_owed")
    assert owed.source == "Robert's Rules of Poker, the button and blinds"
    turn = Refused("out_of_turn", "Seat 3 is out of turn.", profile)
    assert (turn.rule, turn.source) == ("order_of_action", "004_62e76539aeb21045")
