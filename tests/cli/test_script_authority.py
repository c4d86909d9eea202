"""A script at a table's file asks for the PINs that the file asks for, as the console does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.counters import PINS
from tests.office.evening import evening, run

if TYPE_CHECKING:
    from pathlib import Path

FILE = """
[table]
id = "t7"
rules = "ca_omaha_hilo"
dealer_sign_in = "pin"

[authority]
shift = "shift_manager"
day = "shift_manager"
"""
LINES = {
    "down D1": "This table asks dealers for their PIN.",
    f"down D1 {PINS['D2']}": "Wrong PIN: 4 tries left.",
    f"down D1 {PINS['D1']}": "",
    f"down D9 {PINS['D1']}": "'D9' is not on the staff list: call the floor.",
    "shift close": "Here a shift manager opens and closes a shift: give that PIN as well.",
    f"shift close F1 {PINS['F1']}": "Here a shift manager opens and closes a shift.",
    f"shift close S1 {PINS['S1']}": "",
    f'floor F1 {PINS["F1"]} close "end of day"': "Here a shift manager closes the table.",
    "limit 8-16": "A hand has been dealt: the floor changes the limit, with the ruling 'limit'.",
    "rules ca_big_o": (
        "A hand has been dealt: the floor changes the rules, with the ruling 'rules'."
    ),
    "button 2": "Seat 1 has the button: only the floor moves it, with the ruling 'button'.",
    f'floor S1 {PINS["S1"]} close "end of day"': "",
}


@pytest.mark.parametrize("configured", [True, False])
def test_the_file_says_who_signs(tmp_path: Path, *, configured: bool) -> None:
    data = evening(tmp_path / "data")
    (tmp_path / "t7.toml").write_text(FILE, encoding="utf-8")
    (tmp_path / "lines.txt").write_text("\n".join(LINES), encoding="utf-8")
    table = ("--config", tmp_path / "t7.toml") if configured else ("--table", "t7")
    done = run("script", *table, "--data", data, tmp_path / "lines.txt")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    said = {one["line"]: one["message"] for one in answers if one["type"] == "refused"}
    if configured:
        assert [said.get(at, "") for at in range(1, len(LINES) + 1)] == list(LINES.values())
    else:
        [first] = [one for one in answers if one["type"] == "dealer_in"][:1]
        assert first["checked"] == "list"
