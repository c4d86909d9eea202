from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.rules import load_profile, shipped_ids
from omaha_table.rules.posted_card import card
from omaha_table.shipped import config_dir

if TYPE_CHECKING:
    from pathlib import Path


def rules(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(omaha_table, ["rules", *arguments], env={"COLUMNS": "80"})
    return result.exit_code, result.output


def test_list_names_every_profile_with_its_limits() -> None:
    status, output = rules("list")
    assert status == 0
    assert [line.split()[0] for line in output.splitlines()] == shipped_ids()
    assert "(4-8, 8-16, 15-30, 5-100)" in output


@pytest.mark.parametrize("profile_id", shipped_ids())
def test_show_prints_the_card_with_a_source_for_every_line(profile_id: str) -> None:
    status, output = rules("show", profile_id)
    assert status == 0
    assert load_profile(profile_id).profile.source in output
    assert max(map(len, output.splitlines())) <= 80
    for line in card(load_profile(profile_id)):
        assert line.source
        assert line.text


def test_the_card_says_what_the_documents_say() -> None:
    _, big_o = rules("show", "ca_big_o")
    for words in (
        "9; at most 8 hands, the button gets none when more are seated",
        "a bet and 3 raises",
        "between high and low to the winner left of the button",
        "$5 for 7 or more hands; $4 for 5 to 6 hands; $3 for 2 to",
        "$5-$100 spread limit",
        "[1] 004_62e76539aeb21045",
    ):
        assert words in big_o
    _, house = rules("show", "house_omaha_hilo")
    assert "half kill: $9-$18, blind $9" in house
    assert "the first to act shows first" in house


def test_check_accepts_a_shipped_profile() -> None:
    status, output = rules("check", str(config_dir() / "rules" / "ca_big_o.toml"))
    assert status == 0
    assert "ca_big_o version 1 can be used" in output


def test_check_names_every_fault_and_ends_with_status_1(tmp_path: Path) -> None:
    text = (config_dir() / "rules" / "nj_big_omaha_hilo.toml").read_text(encoding="utf-8")
    text = text.replace("max_hands = 8", "max_hands = 9").replace('threshold = "200.00", ', "")
    text = text.replace('tie = "all_to_first"', 'ties = "all_to_first"')
    file = tmp_path / "mine.toml"
    file.write_text(text.replace('unit = "0.50"', 'unit = "3.00"'))
    status, output = rules("check", str(file))
    assert status == 1
    for words in (
        "need 53 cards",
        "the nearest is tie",
        "limits[10-20].kill.threshold",
        "$5 cannot be made with $3 chips",
        "Allowed: at most 8 hands of 5 cards",
    ):
        assert words in output


@pytest.mark.parametrize("text", ["not toml [", "\udcff", ""])
def test_check_of_something_else_is_bad_usage_or_faults(tmp_path: Path, text: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    status, output = rules("check", str(file))
    assert status == (1 if text == "" else 2)
    assert "Traceback" not in output
    assert rules("check", str(tmp_path / "none.toml"))[0] == 2
    assert rules("show", "none")[0] == 2
