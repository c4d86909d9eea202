from __future__ import annotations

import csv
from collections import Counter
from typing import TYPE_CHECKING

from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.review.exchange.table_files import HEADERS
from tests.evenings import draw_lines
from tests.review.nights import STACK, Night, read

if TYPE_CHECKING:
    from pathlib import Path


def tables(folder: Path) -> dict[str, list[dict[str, str]]]:
    found = {}
    for name in HEADERS:
        with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            found[name] = list(csv.DictReader(file, strict=True))
    return found


def export(folder: Path, out: Path) -> dict[str, list[dict[str, str]]]:
    done = CliRunner().invoke(
        omaha_table, ["export", "--format", "csv", "--out", str(out), str(folder)]
    )
    assert done.exit_code == 0, done.output
    return tables(out)


def test_the_tables_add_up_to_the_journal(tmp_path: Path) -> None:
    path = Night(tmp_path, "house_omaha_hilo", seed=4).seat(8, STACK).play(40).close()
    found = export(tmp_path, tmp_path / "out")
    hands = read(path)
    assert len(found["hands"]) == len(found["fees"]) == len(hands) == 40
    by_hand: dict[str, Counter[str]] = {}
    for row in found["seats"]:
        sums = by_hand.setdefault(row["hand"], Counter())
        for column in ("invested_cents", "award_cents", "returned_cents"):
            sums[column] += int(row[column])
        after = int(row["stack_before_cents"]) - int(row["invested_cents"])
        assert int(row["stack_after_cents"]) == after + int(row["award_cents"])
    put_in: Counter[str] = Counter()
    for row in found["actions"]:
        put_in[row["hand"]] += int(row["amount_cents"])
    for hand, row in zip(hands, found["hands"], strict=True):
        ended, sums = hand.ended, by_hand[row["hand"]]
        assert ended is not None
        assert int(row["hand"]) == hand.number
        assert int(row["pot_cents"]) == sum(ended.invested.values()) == sums["invested_cents"]
        assert sums["award_cents"] == sum(ended.awards.values())
        assert put_in[row["hand"]] - sums["returned_cents"] == sums["invested_cents"]
    for column in ("fee", "jackpot"):
        due = sum(getattr(hand.ended, column) for hand in hands)
        assert sum(int(row[f"{column}_cents"]) for row in found["fees"]) == due


def test_names_come_back_whole_and_start_no_formula(tmp_path: Path) -> None:
    night = Night(tmp_path, "ca_big_o")
    night.say(
        'seat 1 "=1+1"', 'seat 2 "Ada, the first"', 'seat 3 "O\'Neil"', *draw_lines(1, (1, 2, 3))
    )
    night.play(1).close()
    found = export(tmp_path, tmp_path / "out")
    names = {row["seat"]: row["name"] for row in found["seats"]}
    assert names == {"1": "'=1+1", "2": "Ada, the first", "3": "O'Neil"}


def test_a_stack_that_is_not_tracked_is_empty_and_not_zero(tmp_path: Path) -> None:
    Night(tmp_path, "ca_big_o").seat(3).play(1).close()
    for row in export(tmp_path, tmp_path / "out")["seats"]:
        assert row["stack_before_cents"] == row["stack_after_cents"] == ""
