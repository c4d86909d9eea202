"""Four players at 4-8, a hand of theirs, and a script whose every hand must add up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.evenings import PLACED_HILO, check_sums, of_type, run

if TYPE_CHECKING:
    from omaha_table.rules import Profile

S4 = "seat 1 A 200\nseat 2 B 200\nseat 3 C 200\nseat 4 D 200\nbutton 1\n"
F = "floor 4711"
FOLDED = "deal\nfold\nfold\nfold\npush\n"
RULES = PLACED_HILO
REST = "turn Kc\ncheck around\nriver Kd\ncheck around\n"
HAND = "deal\n4 call\n1 call\n2 call\n3 check\nflop 2c 3c 4h\ncheck around\n" + REST
HAND += "high 2\nlow 3\npush\n"
SCOOP = (
    "".join(f"seat {n} P{n} 300\n" for n in (1, 2, 3, 4))
    + "button 4\ndeal\n3 raise\n4 fold\n1 call\n2 raise\n3 call\n1 call\nflop 2c 3c Kh\n1 check\n"
    "2 bet\n3 call\n1 call\nturn Kc\n1 check\n2 bet\n3 fold\n1 fold\npush\n"
)


def play(script: str, rules: str | Profile = RULES) -> list[dict[str, Any]]:
    answers = run(script, rules)
    for ended in of_type(answers, "hand_ended"):
        check_sums(ended)
        assert all(pot["amount"] >= 0 for pot in ended["pots"])
    return answers
