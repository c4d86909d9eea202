"""The line of `room status` for a table, whatever the table says of itself."""

from __future__ import annotations

from typing import Any

import pytest

from omaha_table.cli.room_status import status_line
from omaha_table.room.overview import TableStatus

BEAT: dict[str, Any] = {
    "hand": 12,
    "street": "flop",
    "step": {"who": "seat", "what": "act", "seat": 4},
    "floor_called": None,
    "devices": [{"name": "SHOE", "state": "ok"}, {"name": "SHUF", "state": "fault"}],
}


def line(beat: Any, since: float | None = 1.0, **changes: Any) -> str:
    given: dict[str, Any] = {
        "table": "t7", "day": "2026-11-19", "seq": 1204, "head": "00", "cosigned_seq": 1204,
        "seconds_behind": 0.0, "last_heard": 1_763_300_000.0, "alarm": None, "beat": beat,
        "seconds_since_beat": since,
    }  # fmt: skip
    return status_line(TableStatus(**(given | changes)))


def test_it_says_where_the_table_is() -> None:
    said = line(BEAT)
    assert "event   1,204  witnessed, heard " in said
    assert said.endswith(", hand 12, flop, act (seat 4), SHUF fault")
    assert ", FLOOR CALLED" in line(BEAT | {"floor_called": 1_763_300_000})


def test_a_table_that_has_not_been_heard_of_is_silent_and_at_no_step() -> None:
    said = line(BEAT, since=11.0)
    assert ", SILENT since " in said
    assert "act" not in said
    assert "SILENT" not in line(BEAT, since=9.0)


def test_a_console_that_hangs_is_named_though_its_shipper_is_heard() -> None:
    assert line({"console_silent": 12}).endswith(", the console hangs")


def test_an_alarm_and_what_is_not_witnessed_come_first() -> None:
    assert "ALARM: forked, heard " in line(BEAT, alarm="forked")
    assert "witnessed to 1100" in line(BEAT, cosigned_seq=1100, seconds_behind=2.5)
    assert "witnessed to 0" in line(BEAT, cosigned_seq=None, seconds_behind=0.5)
    assert "witnessed, 3 on the way" in line(BEAT, cosigned_seq=1201, seconds_behind=0.5)
    assert line(None, since=None, day=None, last_heard=None).endswith("nothing received yet")


@pytest.mark.parametrize(
    "beat",
    [{}, {"step": 3}, {"devices": 5}, {"devices": [7, {}]}, {"hand": [1]}, {"street": {"a": "b"}},
     {"step": {"what": "x" * 9999}}],
)  # fmt: skip
def test_a_table_that_says_nonsense_breaks_nothing(beat: dict[str, Any]) -> None:
    assert len(line(beat)) < 300
