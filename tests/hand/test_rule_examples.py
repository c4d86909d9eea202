"""One script per rule of the documents, each ending with the amounts that it works out by hand."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from omaha_table.rules import load_profile
from omaha_table.shipped import config_dir
from tests.evenings import check_sums, of_type, run

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = sorted((config_dir() / "examples" / "rules").glob("*.txt"))


def test_there_are_examples() -> None:
    assert EXAMPLES


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_script_ends_as_it_says(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    names = "Awards|Fees|Boxes|Refused|Run it with"
    head = dict(re.findall(rf"^# ({names}): (.*)$", text, re.MULTILINE))
    rules, limit = re.findall(r"--(?:rules|limit) (\S+)", head["Run it with"])
    answers = run(text, load_profile(rules.replace("config/", f"{config_dir()}/")), limit)
    refused = [answer["code"] for answer in of_type(answers, "refused")]
    assert refused == head.get("Refused", "").split(), of_type(answers, "refused")
    ended = of_type(answers, "hand_ended")
    for summary in ended:
        check_sums(summary)
    assert [summary["awards"] for summary in ended] == json.loads(head["Awards"])
    # Fee, jackpot and the pot that paid them.
    drops = [[summary[key] for key in ("fee", "jackpot", "drop_from")] for summary in ended]
    assert drops == json.loads(head["Fees"])
    boxes = [closed["fees"] for closed in of_type(answers, "shift_closed")]
    assert boxes == json.loads(head.get("Boxes", "[]"))
