from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.rules import load_profile, shipped_ids
from omaha_table.rules.posted_card import card
from omaha_table.shipped import config_dir
from tests.evenings import profile_with

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
    assert not re.search(r"\d{3}_[0-9a-f]{16}", output), "a document's id, not its title"
    assert max(map(len, output.splitlines())) <= 80
    for line in card(load_profile(profile_id)):
        assert line.source
        assert line.text


def card_text(profile_id: str) -> str:
    """The card without its line breaks and the numbers of the sources."""
    _, output = rules("show", profile_id)
    return " ".join(re.sub(r"\s\[\d+\]", "", " ".join(output.split())).split())


def test_the_card_says_what_the_documents_say() -> None:
    big_o = card_text("ca_big_o")
    for words in (
        "9; at most 8 hands, the button gets none when more are seated",
        "a bet and 3 raises",
        "between high and low to the winner left of the button",
        "$5 for 7 or more hands; $4 for 5 or 6 hands; $3 for 2 to 4 hands",
        "$5-$100 spread limit",
        "Big O High/Low Split, California",
        "from the first side pot that is large enough if the main pot is not",
    ):
        assert words in big_o
    house = card_text("house_omaha_hilo")
    assert "half kill: $9-$18, blind $9" in house
    assert "the first to bet or raise, or to check if nobody bet, shows first" in house
    assert "all live hands are tabled" in house


def test_a_line_has_the_source_of_each_of_its_rules() -> None:
    _, output = rules("show", "ca_big_o")
    numbers = {text: int(n) for n, text in re.findall(r"^\[(\d+)\] (.*)$", output, re.MULTILINE)}
    document = numbers["Big O High/Low Split, California"]
    book = numbers["Robert's Rules of Poker, betting and raising"]
    said = " ".join(output.split())
    assert f"a bet and 3 raises [{document}]; no cap once two players are left" in said
    assert f"unless it was already reached [{book}]" in said
    # One number for two rules of the same document.
    assert f"suit breaks ties; moves from player to player [{document}]" in said
    assert sorted(numbers.values()) == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize(
    ("qualifier", "game", "low"),
    [
        (7, "High/Low split, 7 or better", "five different ranks, none above a seven"),
        (8, "High/Low split, 8 or better", "five different ranks, none above an eight"),
        (9, "High/Low split, 9 or better", "five different ranks, none above a nine"),
        ("none", "High/Low split, no qualifier", "five different ranks of any height"),
    ],
)
def test_the_card_says_which_low_qualifies(qualifier: object, game: str, low: str) -> None:
    lines = {
        line.topic: line.text for line in card(profile_with(game={"low_qualifier": qualifier}))
    }
    assert lines["Game"].startswith(game)
    assert lines["Low"].startswith(low)


def test_check_accepts_a_shipped_profile() -> None:
    status, output = rules("check", str(config_dir() / "rules" / "ca_big_o.toml"))
    assert status == 0
    assert "ca_big_o version 2 is valid" in output


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


@pytest.mark.parametrize(
    "text",
    ["not toml [", "\udcff", "", "x = " + "[" * 20_000],
    ids=["not TOML", "not UTF-8", "empty", "nested too deeply"],
)
def test_check_of_something_else_is_bad_usage_or_faults(tmp_path: Path, text: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    status, output = rules("check", str(file))
    assert status == (1 if text == "" else 2)
    assert ("is not a TOML file" in " ".join(output.split())) == bool(text)
    assert "Traceback" not in output
    assert rules("check", str(tmp_path / "none.toml"))[0] == 2
    assert rules("check", "a\0.toml")[0] == 2
    assert rules("show", "none")[0] == 2


def test_check_tells_what_is_unusual_from_what_is_wrong(tmp_path: Path) -> None:
    """A big blind that is not the small bet is unusual, and playable."""
    text = (config_dir() / "rules" / "ca_big_o.toml").read_text(encoding="utf-8")
    file = tmp_path / "mine.toml"
    file.write_text(text.replace('big_blind = "4.00"', 'big_blind = "3.00"'))
    status, output = rules("check", str(file))
    assert status == 0
    assert "warning: limits[4-8]" in output
    assert "fault:" not in output
    file.write_text(text.replace("max_hands = 8", "max_hands = 9"))
    status, output = rules("check", str(file))
    assert status == 1
    assert "fault: " in output
    assert "unusual:" not in output
