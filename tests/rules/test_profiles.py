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
    assert "7 hands are in no bracket" in found["limits[4-8].fees"]
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
        ("house_omaha_hilo", {"kill": {"small_bet": "22.50"}}, "kill.small_bet", "$1 chips"),
        ("ca_omaha_high", {"big_bet": ...}, "big_bet", "a limit game needs it"),
        ("ca_omaha_high", {"small_blind": "5.00"}, "small_blind", "above the big blind"),
        ("ca_omaha_high", {"fees": [{"players": "2-9", "fee": "1.00"}]}, "fees", "10 hands"),
        (
            "ca_omaha_high",
            {"fees": [{"players": "2+", "fee": "1.00"}, {"players": "9", "fee": "1.00"}]},
            "fees",
            "9 hands are in more than one bracket",
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


def test_an_unknown_profile_names_those_there_are() -> None:
    with pytest.raises(ProfileError, match="ca_big_o, ca_omaha_high"):
        load_profile("ca_big_oh")
