from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from pokerkit.notation import HandHistory

from omaha_table.cli import omaha_table
from omaha_table.review.exchange.phh import game_of, variant_of
from tests.journal import days
from tests.review.nights import Night, read

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FORMATS = ("phh", "ohh", "csv", "json")
CARDS = re.compile(r"(?:[2-9TJQKA][cdhs])+")


def export(form: str, *arguments: object) -> Result:
    words = [str(argument) for argument in arguments]
    return CliRunner().invoke(omaha_table, ["export", "--format", form, *words])


@pytest.mark.parametrize("rules", ["ca_big_o", "ca_omaha_hilo"])
def test_no_mucked_or_folded_card_is_in_any_export(tmp_path: Path, rules: str) -> None:
    office = X25519PrivateKey.generate().public_key()
    night = Night(tmp_path / "night", rules, seed=11, office=office).seat(8).play(25)
    path = night.close()
    hands = read(path)
    mucked = tabled = 0
    for form in FORMATS:
        out = tmp_path / form
        assert export(form, "--out", out, path).exit_code == 0
    for hand in hands:
        assert hand.ended is not None
        shown = {card.text for cards in hand.tabled.values() for card in cards}
        shown |= {card.text for card in hand.ended.board}
        dealt = night.face_down[hand.number]
        secret = {card for cards in dealt.values() for card in cards} - shown
        mucked, tabled = mucked + len(secret), tabled + len(hand.tabled)
        for form in FORMATS:
            told = told_of(tmp_path / form, form, hand.number)
            assert shown <= told, (form, hand.number)
            assert not secret & told, (form, hand.number)
    assert mucked > 300
    assert tabled > 10


def told_of(out: Path, form: str, number: int) -> set[str]:
    """Every card that an export of one hand has in its text."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(out.iterdir())]
    match form:
        case "phh":
            [mine] = [
                p for p in re.split(r"(?m)^\[\d+\]$", texts[0]) if f"\nhand = {number}\n" in p
            ]
        case "ohh":
            objects = [part for part in texts[0].split("\n\n") if part.strip()]
            numbers = [json.loads(part)["ohh"]["game_number"] for part in objects]
            [mine] = [o for o, n in zip(objects, numbers, strict=True) if n.endswith(f"-{number}")]
        case "json":
            [mine] = [p for p in texts[0].splitlines() if json.loads(p)["hand"] == number]
        case _:
            tables = [list(csv.DictReader(text.splitlines())) for text in texts]
            rows = [row for table in tables for row in table if row["hand"] == str(number)]
            mine = " ".join(cell for row in rows for cell in row.values())
    words = [word for word in re.findall(r"[0-9A-Za-z]+", mine) if CARDS.fullmatch(word)]
    return {word[at : at + 2] for word in words for at in range(0, len(word), 2)}


def test_a_phhs_file_is_read_by_pokerkit_hand_by_hand(tmp_path: Path) -> None:
    path = Night(tmp_path, "ca_omaha_hilo", seed=2).seat(5).play(12).close()
    assert export("phh", "--out", tmp_path / "out", tmp_path).exit_code == 0
    [file] = (tmp_path / "out").iterdir()
    with file.open("rb") as source:
        histories = list(HandHistory.load_all(source))
    assert [history.hand for history in histories] == [hand.number for hand in read(path)]
    for history, hand in zip(histories, read(path), strict=True):
        assert hand.ended is not None
        assert history.variant == "FO/8"
        assert history.seats == list(hand.started.dealt)
        assert sum(history.winnings or []) * 100 == sum(hand.ended.awards.values())


def test_every_journal_has_a_file_of_its_own(tmp_path: Path) -> None:
    for table, hands in (("t1", 3), ("t2", 2)):
        Night(tmp_path, "ca_omaha_hilo", table=table).seat(3).play(hands).close()
    out = tmp_path / "out"
    assert export("phh", "--out", out, tmp_path).exit_code == 0
    read_back = {}
    for path in out.iterdir():
        with path.open("rb") as source:
            read_back[path.name[:2]] = [h.hand for h in HandHistory.load_all(source)]
        assert path.read_text(encoding="utf-8").startswith("[1]\n")
    assert read_back == {"t1": [1, 2, 3], "t2": [1, 2]}


def test_one_hand_is_one_phh_file_on_standard_output(tmp_path: Path) -> None:
    path = Night(tmp_path, "ca_omaha_hilo", seed=2).seat(5).play(3).close()
    done = export("phh", "--hand", 2, path)
    assert done.exit_code == 0
    assert HandHistory.loads(done.stdout).hand == 2
    missing = export("phh", "--hand", 99, path)
    assert missing.exit_code == 2
    assert "No finished hand 99" in missing.output


def test_json_lines_hold_the_summary_of_the_log(tmp_path: Path) -> None:
    path = Night(tmp_path, "ca_big_o", seed=2).seat(5).play(5).close()
    lines = [json.loads(line) for line in export("json", path).stdout.splitlines()]
    for line, hand in zip(lines, read(path), strict=True):
        assert hand.ended is not None
        awards = {str(seat): cents for seat, cents in hand.ended.awards.items()}
        assert line["summary"]["awards"] == awards
        assert line["hash"] == hand.moments[-1].hash


@pytest.mark.parametrize("damage", [days.newer, days.foreign, days.empty, days.text, days.half])
@pytest.mark.parametrize("form", FORMATS)
def test_a_journal_that_cannot_be_read_is_named_and_the_others_are_written(
    tmp_path: Path, form: str, damage: Callable[[Path], None]
) -> None:
    bad = Night(tmp_path, "ca_big_o", table="t1").seat(5).play(4).close()
    Night(tmp_path, "ca_big_o", table="t2").seat(5).play(4).close()
    damage(bad)
    out = tmp_path / "out"
    done = export(form, "--out", out, tmp_path)
    assert done.exit_code == 1
    assert isinstance(done.exception, SystemExit)
    assert done.stderr.startswith(f"{bad.name}: ")
    written = "".join(path.read_text(encoding="utf-8") for path in out.iterdir())
    assert "t2" in written


def test_a_journal_damaged_half_way_gives_the_hands_before(tmp_path: Path) -> None:
    path = Night(tmp_path, "ca_big_o").seat(5).play(6).close()
    with days.raw(path) as db:
        db.execute("UPDATE event SET body = '{}' WHERE kind = 'hand_ended' AND hand = 4")
    done = export("json", path)
    assert done.exit_code == 1
    assert [json.loads(line)["hand"] for line in done.stdout.splitlines()] == [1, 2, 3]
    assert "The 3 hands before that were exported." in done.stderr


def test_a_running_table_can_be_exported(tmp_path: Path) -> None:
    night = Night(tmp_path, "ca_big_o").seat(5).play(2)
    night.say("hand", "deal")
    assert len(export("json", tmp_path).stdout.splitlines()) == 2
    night.close()


def test_bad_usage_is_said_in_a_sentence(tmp_path: Path) -> None:
    nothing = export("phh", tmp_path)
    assert nothing.exit_code == 2
    assert "No journals in" in nothing.output
    assert export("phh", tmp_path / "not-there").exit_code == 2
    Night(tmp_path, "ca_big_o").seat(5).play(1).close()
    assert "name a folder" in export("csv", tmp_path).output
    (tmp_path / "file").write_text("")
    assert export("json", "--out", tmp_path / "file", tmp_path).exit_code == 2
    assert export("xml", tmp_path).exit_code == 2


@pytest.mark.parametrize("command", ["export", "import"])
def test_both_commands_explain_themselves_with_an_example(command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "omaha_table", command, "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"omaha-table {command} --" in done.stdout
    assert done.stderr == ""


def test_a_game_without_a_phh_code_shows_that_its_code_is_an_extension() -> None:
    assert variant_of("pot_limit", 4, splits=False) == "PO"
    assert variant_of("limit", 4, splits=True) == "FO/8"
    assert variant_of("limit", 5, splits=True) == "_F5O/8"
    for structure in ("limit", "pot_limit", "no_limit", "spread"):
        for hole in (4, 5):
            for splits in (False, True):
                code = variant_of(structure, hole, splits=splits)
                assert (code[0] != "_") == (code in HandHistory.game_types)
                assert game_of(code) == (structure, hole, splits)
    assert [game_of(code) for code in ("NT", "F5O/8", "_PO", "O", "")] == [None] * 5
