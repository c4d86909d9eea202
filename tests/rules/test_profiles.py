from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omaha_table.rules import ProfileError, examine, load_profile, most_hands, shipped_ids
from omaha_table.shipped import config_dir
from tests.worked_examples import MAX_HANDS


def shipped(profile_id: str) -> dict[str, Any]:
    return tomllib.loads(
        (config_dir() / "rules" / f"{profile_id}.toml").read_text(encoding="utf-8")
    )


def faults(data: dict[str, Any]) -> dict[str, str]:
    return {fault.key: f"{fault.problem} / {fault.allowed}" for fault in examine(data)[1]}


def test_six_profiles_are_shipped_and_sound() -> None:
    assert shipped_ids() == [
        "ca_big_o",
        "ca_omaha_high",
        "ca_omaha_hilo",
        "house_omaha_hilo",
        "nj_big_omaha_high",
        "nj_big_omaha_hilo",
    ]
    for profile_id in shipped_ids():
        assert load_profile(profile_id).id == profile_id
        assert examine(shipped(profile_id))[1] == []


@pytest.mark.parametrize(("hole", "hands"), MAX_HANDS.items())
def test_deck_arithmetic(hole: int, hands: int) -> None:
    assert most_hands(hole) == hands


def test_every_fault_is_reported_at_once() -> None:
    data = shipped("ca_big_o")
    data["seats"]["max_hands"] = 9
    data["betting"]["max_raise"] = 3
    data["odd_chip"]["tie"] = "none"
    data["limits"][0]["small_blind"] = "5.00"
    data["limits"][0]["fees"][0]["players"] = "8+"
    data["limits"][1]["fees"][0]["fee"] = "10%"
    data["limits"][2]["big_bet"] = 30.0
    found = faults(data)
    assert "need 53 cards" in found["seats.max_hands"]
    assert "the nearest is max_raises" in found["betting.max_raise"]
    assert "'all_to_first' or 'one_each'" in found["odd_chip.tie"]
    assert "above the big blind" in found["limits[4-8].small_blind"]
    assert "no bracket covers 7 hands" in found["limits[4-8].fees"]
    assert "is not an amount" in found["limits[8-16].fees[0].fee"]
    assert "two decimals" in found["limits[15-30].big_bet"]


scraps = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 99) | st.floats() | st.sampled_from(
        ["", "4.00", "10%", "7+", "high", "machine", "5-4", "\x1b[2J"]
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["id", "max", "fees", "fee", "kill", "kind", "odd", "limits"]), inner,
        max_size=4,
    ),
    max_leaves=6,
)  # fmt: skip


@given(st.sampled_from(shipped_ids()), st.data())
def test_whatever_is_wrong_in_a_profile_is_said_without_an_exception(
    profile_id: str, data: st.DataObject
) -> None:
    profile = shipped(profile_id)
    for _ in range(data.draw(st.integers(1, 4))):
        at: Any = profile
        for _ in range(data.draw(st.integers(0, 4))):
            inner = list(at.values()) if isinstance(at, dict) else at
            inner = [value for value in inner if value and isinstance(value, dict | list)]
            if not inner:
                break
            at = data.draw(st.sampled_from(inner))
        scrap = data.draw(scraps)
        if isinstance(at, list):
            at[data.draw(st.integers(0, len(at) - 1))] = scrap
        else:
            at[data.draw(st.sampled_from([*at, "unheard_of"]))] = scrap
    usable, found = examine(profile)
    assert usable is not None or found
    for fault in found:
        assert fault.key
        assert str(fault).isprintable()


@pytest.mark.parametrize(
    ("profile_id", "change", "key", "words"),
    [
        ("house_omaha_hilo", {"kill": {"threshold": ...}}, "kill.threshold", "size of pot"),
        (
            "house_omaha_hilo",
            {"kill": {"threshold_multiple": 10}},
            "kill.threshold_multiple",
            "given twice",
        ),
        (
            "nj_big_omaha_hilo",
            {"kill": {"threshold_multiple": "10"}},
            "kill.threshold_multiple",
            "'10' is not possible",
        ),
        ("nj_big_omaha_hilo", {"kill": {"threshold_multiple": 0}}, "kill.threshold_multiple", "0"),
        ("house_omaha_hilo", {"kill": {"small_bet": "22.50"}}, "kill.small_bet", "$1 chips"),
        ("ca_omaha_high", {"big_bet": ...}, "big_bet", "a limit game needs it"),
        ("ca_omaha_high", {"small_blind": "5.00"}, "small_blind", "above the big blind"),
        ("ca_omaha_high", {"fees": [{"players": "2-9", "fee": "1.00"}]}, "fees", "10 hands"),
        (
            "ca_omaha_high",
            {"fees": [{"players": "2+", "fee": "1.00"}, {"players": "9", "fee": "1.00"}]},
            "fees",
            "more than one bracket covers 9 hands",
        ),
        (
            "ca_omaha_high",
            {"fees": [{"players": str(n), "fee": f"{n}.00"} for n in range(2, 11)]},
            "fees",
            "9 different fee rates",
        ),
        ("ca_omaha_high", {"fees": [{"players": "2+", "percent": "10"}]}, "fees[0].percent", "fee"),
    ],
)
def test_a_fault_names_its_key(
    profile_id: str, change: dict[str, Any], key: str, words: str
) -> None:
    data = shipped(profile_id)
    limit = data["limits"][0]
    for name, value in change.items():
        part = limit if not isinstance(value, dict) else limit[name]
        for inner, to in value.items() if isinstance(value, dict) else [(name, value)]:
            if to is ...:
                del part[inner]
            else:
                part[inner] = to
    found = faults(data)
    assert words in found[f"limits[{limit['id']}].{key}"]


def test_a_rule_for_killers_needs_a_kill() -> None:
    found = faults(shipped("ca_omaha_hilo") | {"kill": {"absent": "stands"}})
    assert "no limit of this profile has a kill" in found["kill.absent"]
    assert faults(shipped("ca_omaha_hilo") | {"kill": {"absent": "owed"}}) == {}
    assert (
        "'stands'"
        in faults(shipped("house_omaha_hilo") | {"kill": {"absent": "falls"}})["kill.absent"]
    )


def test_an_unknown_profile_names_those_there_are() -> None:
    with pytest.raises(ProfileError, match="ca_big_o, ca_omaha_high"):
        load_profile("ca_big_oh")


def test_an_excess_must_leave_room_for_the_odd_chip_and_for_the_cents() -> None:
    data = shipped("nj_big_omaha_hilo")
    data["odd_chip"] |= {"most": "0.25"}
    assert "at least $0.50, which is odd_chip.unit" in faults(data)["odd_chip.most"]
    data["odd_chip"] |= {"unit": "0.01", "most": "0.05"}
    assert "at least $0.07" in faults(data)["odd_chip.most"]
    data["odd_chip"] |= {"tie": "one_each"}
    assert not faults(data)


@pytest.mark.parametrize(("written", "kept"), [(7, 7), (8, 8), (9, 9), (0, 0), ("none", 0)])
def test_a_low_qualifies_with_seven_eight_nine_or_anything(written: object, kept: int) -> None:
    data = shipped("ca_omaha_hilo")
    data["game"]["low_qualifier"] = written
    profile, found = examine(data)
    assert (found, profile and profile.game.low_qualifier) == ([], kept)
    assert profile is not None
    assert type(profile).model_validate(profile.as_data()) == profile


@pytest.mark.parametrize("written", [6, 10, "8", "any", 8.0, True, False, None, []])
def test_another_qualifier_is_refused_with_those_that_there_are(written: object) -> None:
    data = shipped("ca_omaha_hilo")
    data["game"]["low_qualifier"] = written
    assert '7, 8, 9 or "none"' in faults(data)["game.low_qualifier"]


def test_a_game_without_a_low_has_no_qualifier() -> None:
    data = shipped("ca_omaha_high")
    data["game"]["low_qualifier"] = 9
    assert "9 is set, but the game has no low" in faults(data)["game.low_qualifier"]
    data["game"]["low_qualifier"] = "none"
    assert "leave low_qualifier out" in faults(data)["game.low_qualifier"]


def test_a_fee_from_each_player_leaves_the_pot_alone() -> None:
    data = shipped("ca_omaha_hilo")
    data["fee"] |= {"by": "player", "from": "first_able"}
    data["limits"][0]["fees"][0]["jackpot"] = "1.00"
    found = faults(data)
    assert "leave 'from' out, or by = \"pot\"" in found["fee.from"]
    assert '0.00, or by = "pot"' in found["limits[4-8].fees[0].jackpot"]
    data["fee"] = {"by": "player"}
    data["limits"][0]["fees"][0]["jackpot"] = "0.00"
    assert not faults(data)


@pytest.mark.parametrize(("setting", "value"), [("trigger", "turn"), ("short_pot", "cap")])
def test_a_fee_from_each_player_waits_for_no_street_and_no_pot(setting: str, value: str) -> None:
    """It is paid before the deal, so settings of a fee out of the pot contradict it."""
    data = shipped("ca_omaha_hilo")
    data["fee"] = {"by": "player", setting: value}
    assert f"leave '{setting}' out, or by = \"pot\"" in faults(data)[f"fee.{setting}"]
    data["fee"]["by"] = "pot"
    assert not faults(data)


def test_what_is_allowed_is_said_in_words_of_the_card_room() -> None:
    data = shipped("house_omaha_hilo")
    data["shuffle"]["allowed"] = []
    data["seats"]["max"] = 99
    data["limits"][0]["kill"] |= {"threshold_multiple": 0}
    found = faults(data)
    assert "a list of at least 1" in found["shuffle.allowed"]
    assert "at most 11" in found["seats.max"]
    assert "at least 1" in found["limits[6-12].kill.threshold_multiple"]


@pytest.mark.parametrize(
    ("section", "setting", "value", "allowed"),
    [
        ("fee", "by", "time", "'pot' or 'player'"),
        ("fee", "from", "side", "'main' or 'first_able'"),
        ("fee", "form", "main", "the nearest is from"),
        ("fee", "taken_from", "main", "the settings here are by, from, short_pot, trigger"),
        ("showdown", "first", "bettor", "'last_aggressor', 'first_bettor' or 'first_actor'"),
        ("showdown", "must_table", "losers", "'winners' or 'all'"),
        ("odd_chip", "most", "0.00", "more than 0"),
        ("odd_chip", "most", 1, "two decimals"),
        ("sources", "fee.taken_from", "the room", "a setting such as betting.max_raises"),
    ],
)
def test_a_new_setting_is_refused_by_its_name_with_what_is_allowed(
    section: str, setting: str, value: object, allowed: str
) -> None:
    data = shipped("ca_omaha_hilo")
    data[section][setting] = value
    assert allowed in faults(data)[f"{section}.{setting}"]


def test_the_absence_of_a_new_setting_is_what_it_was_in_the_first_release() -> None:
    data = shipped("nj_big_omaha_hilo")
    for section, setting in (("fee", "from"), ("fee", "by"), ("odd_chip", "most")):
        data[section].pop(setting, None)
    del data["showdown"], data["game"]["low_qualifier"]
    profile, _ = examine(data)
    assert profile is not None
    fee = profile.fee
    assert (fee.by, fee.taken_from, profile.odd_chip.most) == ("pot", "main", None)
    assert (profile.showdown.first, profile.showdown.must_table) == ("last_aggressor", "winners")
    assert profile.game.low_qualifier == 8
