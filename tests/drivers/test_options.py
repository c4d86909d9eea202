from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import pytest
from omaha_drivers.options import OptionError, read_options


@dataclass(frozen=True)
class Given:
    seconds: float = 0.5
    tries: int = 3
    loud: bool = False
    name: str = ""
    index: Literal["per_side", "per_deck"] = "per_side"
    cards: dict[str, str] = field(default_factory=dict)
    marks: list[int] = field(default_factory=list)


def test_options_have_defaults_and_take_what_fits() -> None:
    assert read_options(Given, {}) == Given()
    given: dict[str, Any] = {"seconds": 1, "cards": {"E004": "As"}, "marks": [1], "loud": True}
    assert read_options(Given, given) == Given(**given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"second": 1}, "second: unknown option. Did you mean seconds?"),
        ({"zzz": 1}, "zzz: unknown option. Options: seconds, tries, loud"),
        ({"tries": True}, "tries: expected a number."),
        ({"tries": 1.5}, "tries: expected a number."),
        ({"seconds": "1"}, "seconds: expected a number."),
        ({"loud": 1}, "loud: expected true or false."),
        ({"index": "both"}, "index: expected 'per_side' or 'per_deck'."),
        ({"cards": {"E004": 1}}, "cards: expected a table, each text."),
        ({"marks": ["x"]}, "marks: expected a list, each a number."),
    ],
)
def test_an_option_that_cannot_be_used_is_a_sentence_without_its_value(
    given: dict[str, object], message: str
) -> None:
    with pytest.raises(OptionError) as caught:
        read_options(Given, given)
    assert message in str(caught.value)
