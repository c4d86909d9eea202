"""One script per ruling, each ending with the awards it says."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.floor import RULINGS
from omaha_table.rules import load_profile
from omaha_table.shipped import config_dir
from tests.evenings import check_sums, of_type, run

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = sorted((config_dir() / "examples" / "rulings").glob("*.txt"))


def test_every_ruling_has_a_script() -> None:
    assert {path.stem for path in EXAMPLES} == {ruling.name for ruling in RULINGS}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_ruling_ends_as_its_script_says(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    head = dict(re.findall(r"^# (Awards|Refused|Run it with): (.*)$", text, re.MULTILINE))
    rules, limit = re.findall(r"--(?:rules|limit) (\S+)", head["Run it with"])
    rules = rules.replace("config/", f"{config_dir()}/")
    answers = run(text, load_profile(rules), limit)
    refused = [answer["code"] for answer in of_type(answers, "refused")]
    assert refused == head.get("Refused", "").split(), of_type(answers, "refused")
    ended = of_type(answers, "hand_ended")
    assert [summary["awards"] for summary in ended] == json.loads(head["Awards"])
    for summary in ended:
        check_sums(summary)
    ruled = of_type(answers, "ruled")
    assert path.stem in [ruling["ruling"] for ruling in ruled]
    for ruling in ruled:
        assert ruling["reason"]
        assert ruling["effect"].endswith(".")
        assert ruling["by"][0] == "F1"
    assert "4711" not in json.dumps(answers)
    check_entries(answers)


def check_entries(answers: list[dict[str, Any]]) -> None:
    """Every entry of a hand has the number after the one before, whoever made it."""
    last: dict[int, int] = {}
    for answer in answers:
        if "entry" in answer:
            before = last.setdefault(answer["hand"], 0)
            assert answer["entry"] in (before, before + 1), answer
            last[answer["hand"]] = answer["entry"]
