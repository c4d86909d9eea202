"""What a tile says of a table, and who comes first."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from psycopg.types.json import Jsonb

from omaha_table.room.page.folding import TableNow, fold_from_start
from omaha_table.room.page.sources import sources
from omaha_table.room.page.tiles import Need, open_seats, tile_of, tiles_of
from omaha_table.rules import load_profile
from tests.room.page.rooms import Table, wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.room.page.tiles import Tile
    from tests.room.conftest import Room
    from tests.room.page.conftest import Floor


def now_of(floor: Floor, table: Table) -> TableNow:
    [source] = sources(floor.owner, [table.night.table])
    return fold_from_start(floor.owner, source)


def tile(floor: Floor, table: Table, wall: float = 0.0) -> Tile:
    return tile_of(now_of(floor, table), wall or time.time())


def test_a_tile_has_what_the_floor_asks_for(floor: Floor) -> None:
    table = floor.table(seats=4).say("shift swing B1 J1", "down D7", *_HAND, *_HAND, "hand", "deal")
    made = tile(floor, table)
    assert made.game == "Omaha 8 4-8"
    assert made.hand == "Hand 3, preflop"
    assert made.seats == "4 of 10"
    assert made.open_seats == 6
    assert (made.dealer, made.shift) == ("D7", "swing")
    assert abs(made.dealer_since - time.time()) < 60
    assert made.drop == "$6 + $2"
    assert made.log == "Not witnessed"
    assert made.need is Need.NOTHING


_HAND = (
    "deal", "call", "call", "call", "check", "flop 7c 5h 2s", "check around", "turn Kd",
    "check around", "river As", "check around", "high 1", "low 2", "push",
)  # fmt: skip


def test_pace_counts_the_hands_of_the_last_hour(floor: Floor) -> None:
    table = floor.table().say("down D1", *_three(), *_three(), *_three())
    now = now_of(floor, table)
    assert len(now.ended_us) == 3
    later = now.ended_us[-1] / 1e6
    assert tile_of(replace(now, first_us=now.ended_us[-1] - 1800 * 1_000_000), later).pace == "6/h"
    assert tile_of(replace(now, first_us=now.ended_us[-1] - 60 * 1_000_000), later).pace == ""
    assert tile_of(now, later + 3700).pace == ""


def _three() -> tuple[str, ...]:
    return ("deal", "call", "call", *_HAND[4:])


def test_who_waits_longest_for_the_floor_comes_first(floor: Floor) -> None:
    tables = [now_of(floor, floor.table()) for _ in range(4)]
    wall = time.time()
    made = [with_call(tables[0], 40, "F1"), tables[1], with_call(tables[2], 10),
            with_call(tables[3], 30)]  # fmt: skip
    order = [(tile.name, tile.need) for tile in tiles_of(made, wall)]
    assert order == [
        (tables[3].name, Need.CALLED), (tables[2].name, Need.CALLED),
        (tables[0].name, Need.HELPED), (tables[1].name, Need.NOTHING),
    ]  # fmt: skip


def with_call(now: TableNow, seconds: int, arrived: str = "") -> TableNow:
    from omaha_table.hand.frozen import replace as changed
    from omaha_table.table.state import FloorCall

    assert now.state is not None
    call = FloorCall(int(time.time()) - seconds, 0, arrived)
    return replace(now, state=changed(now.state, floor_call=call))


def test_names_with_numbers_are_in_the_order_of_numbers(floor: Floor) -> None:
    now = now_of(floor, floor.table())
    named = [replace(now, source=replace(now.source, name=name)) for name in ("t10", "t9", "a3")]
    assert [one.name for one in tiles_of(named, time.time())] == ["a3", "t9", "t10"]


def beat(table: Table, **more: Any) -> None:
    table.room.execute("SELECT room.beat(%s)", (Jsonb(more),))


def test_a_table_that_falls_silent_is_lost_only_if_it_was_heard(floor: Floor) -> None:
    table = floor.table()
    assert tile(floor, table, time.time() + 3600).need is Need.NOTHING
    beat(table, version="1")
    assert tile(floor, table).need is Need.NOTHING
    lost = tile(floor, table, time.time() + 60)
    assert lost.need is Need.LOST
    assert lost.reasons[0].words == "Not heard of"


def test_what_a_heartbeat_says_of_devices_is_a_reason_to_go_there(floor: Floor) -> None:
    table = floor.table()
    beat(
        table, title="Table 7", missing=["shoe"], log_stopped=True,
        devices=[{"name": "SHUF", "state": "fault", "doing": "jam"},
                 {"name": "SHOE", "state": "ok", "doing": ""}],
    )  # fmt: skip
    made = tile(floor, table)
    assert made.title == "Table 7"
    assert [reason.words for reason in made.reasons] == [
        "The table's log takes nothing", "SHUF: jam", "shoe is missing",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "given", [{"devices": 7}, {"devices": [1, {"name": 3}]}, {"title": ["x"]}, {"missing": {}}]
)
def test_a_heartbeat_of_nonsense_changes_nothing(floor: Floor, given: dict[str, Any]) -> None:
    table = floor.table()
    beat(table, **given)
    made = tile(floor, table)
    assert made.title == table.night.table
    assert made.need is Need.NOTHING


def test_a_log_alarm_comes_before_devices(floor: Floor) -> None:
    table = floor.table()
    name = table.night.table
    floor.owner.execute("SELECT room.raise_alarm(%s, 'x', 1, 'forked', 1, '', 1, '')", (name,))
    made = tile(floor, table)
    assert made.need is Need.LOG
    assert made.log == "Log alarm: forked"
    assert made.log_level == "fault"


def test_open_seats_are_told_by_game(floor: Floor) -> None:
    made = [tile(floor, floor.table(seats=4)), tile(floor, floor.table(seats=3))]
    big = tile(floor, floor.table(load_profile("ca_big_o"), 8))
    first, second = open_seats([*made, big])
    assert (first.game, first.seats, first.tables) == ("Big O 4-8", 1, (f"{big.name} (1)",))
    assert (second.game, second.seats) == ("Omaha 8 4-8", 13)


def test_a_table_that_sent_nothing_says_so(room: Room, tmp_path: Path) -> None:
    from omaha_table.room.enrollment import enroll

    enroll(room.owner, "t1", "table")
    [source] = sources(room.owner)
    made = tile_of(fold_from_start(room.owner, source), time.time())
    assert made.hand == "Nothing was received yet."


def test_folding_on_is_the_same_as_folding_all(floor: Floor) -> None:
    """Row by row as they come in, or at once from the last seal: the same table."""
    table = floor.table().say("shift swing B1 J1", "down D1")
    live = floor.live
    wait_until(lambda: live.table(table.night.table))
    for line in (*_three(), "callfloor", "hand", "deal", "call"):
        table.say(line)
    name = table.night.table
    last = table.night.session.state.seq
    wait_until(lambda: (found := live.table(name)) and found.source.seq == last)
    followed, folded = live.table(name), now_of(floor, table)
    assert followed is not None
    assert followed.state == folded.state == table.night.session.state
    assert followed.ended_us == folded.ended_us
    assert followed.dealer_since_us == folded.dealer_since_us
