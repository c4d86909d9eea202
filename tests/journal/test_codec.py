from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from omaha_table.journal.codec import (
    KINDS,
    RecordError,
    event_in,
    from_json,
    json_schema,
    to_json,
    type_name,
)
from omaha_table.journal.events import Event
from tests.evenings import placed, run
from tests.hand.lines import E15, KILL_HAND_1

ROOT = Path(__file__).resolve().parents[2]


def test_every_event_has_a_name_of_its_own() -> None:
    assert len(KINDS) == len(get_args(Event))
    assert type_name(KINDS["hand_ended"]) == "hand_ended"


def test_a_record_written_and_read_again_is_the_same() -> None:
    for line in [*run(E15, "ca_omaha_hilo", "2-5"), *run(KILL_HAND_1, placed("house_omaha_hilo"))]:
        if line["type"] in KINDS:
            text = json.dumps(line)
            assert to_json(from_json(json.loads(text))) == line


@pytest.mark.parametrize(
    "change",
    [
        {"type": "unheard_of"},
        {"v": 2},
        {"seat": "four"},
        {"amount": 1.5},
        {"more": 1},
        {"action": "dance"},
    ],
)
def test_a_record_that_is_not_ours_is_refused(change: dict[str, Any]) -> None:
    acted = next(
        line for line in run(KILL_HAND_1, placed("house_omaha_hilo")) if line["type"] == "acted"
    )
    assert from_json(acted)
    with pytest.raises(RecordError):
        from_json(acted | change)
    with pytest.raises(RecordError):
        from_json({})


@pytest.mark.parametrize(
    "body",
    [
        '{"v": 1, "dealer": "half a pair \\ud800"}',
        '{"v": 1, "dealer": ' + "[" * 5000,
        '{"v": 1, "dealer": "Dana"',
        '["Dana"]',
        "",
    ],
)
def test_a_body_that_no_table_writes_is_refused(body: str) -> None:
    assert event_in("dealer_in", '{"v": 1, "dealer": "Dana"}')
    with pytest.raises(RecordError):
        event_in("dealer_in", body)


def test_the_schema_in_the_docs_is_the_one_of_the_program() -> None:
    schema = json_schema()
    assert json.loads((ROOT / "docs" / "events.schema.json").read_text(encoding="utf-8")) == schema
    assert len(schema["oneOf"]) == len(KINDS)
    for name, kind in KINDS.items():
        part = schema["$defs"][kind.__name__]
        assert part["properties"]["type"] == {"const": name}
        assert {"type", "seq", "hand", "v"} <= set(part["required"])
