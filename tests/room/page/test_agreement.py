"""Page, PostgreSQL and journals agree to the cent, whatever the tables dealt."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

from omaha_table.journal.reader import Reader
from omaha_table.money import format_dollars
from omaha_table.review.index.box_openings import opened_boxes
from omaha_table.room.page.box_words import path_of
from omaha_table.rules import load_profile
from tests.room.page.rooms import fields, text, wait_until

if TYPE_CHECKING:
    from tests.room.page.conftest import Floor
    from tests.room.page.rooms import Table, Visitor

_RULES = ("ca_big_o", "house_omaha_hilo", "ca_omaha_high")


def dealt(floor: Floor, number: int) -> Table:
    """A shift with hands at random, calls and rulings."""
    table = floor.table(load_profile(_RULES[number]), 5)
    name = table.night.table.upper()
    table.say(f"shift swing B{name} J{name}", f"down D{number}")
    table.night.play(3)
    table.say("callfloor", "deal", 'floor 4711 misdeal "two cards exposed"')
    table.night.play(2)
    return table.say("shift close")


def in_journal(table: Table) -> tuple[int, int, int]:
    """Hands, fees and jackpots, from the rows of the file and nothing else."""
    [path] = table.night.folder.glob(f"{table.night.table}-*.journal")
    with Reader(path) as journal:
        ended = [json.loads(row.body) for row in journal.since() if row.kind == "hand_ended"]
    played = [one for one in ended if one["outcome"] not in ("misdeal", "void")]
    return len(played), sum(one["fee"] for one in played), sum(one["jackpot"] for one in played)


def in_room(floor: Floor, table: Table) -> tuple[int, int, int]:
    """The same, added up by PostgreSQL."""
    found = floor.owner.execute(
        "SELECT count(*), sum((body::json ->> 'fee')::bigint), "
        "sum((body::json ->> 'jackpot')::bigint) FROM room.event WHERE source = %s "
        "AND kind = 'hand_ended' AND body::json ->> 'outcome' NOT IN ('misdeal', 'void')",
        (table.night.table,),
    ).fetchone()
    assert found is not None
    hands, fees, jackpots = map(int, found)
    return hands, fees, jackpots


def shows(visitor: Visitor, line: str) -> bool:
    return line in text(visitor.get("/day"))


def test_all_three_say_the_same(floor: Floor) -> None:
    visitor = floor.known()
    tables = [dealt(floor, number) for number in range(len(_RULES))]
    for table in tables:
        name = table.night.table
        hands, fees, jackpots = in_journal(table)
        assert hands == 5
        assert in_room(floor, table) == (hands, fees, jackpots)
        money = f"{format_dollars(fees)} {format_dollars(jackpots)}"
        line = f"{name} {hands} {money}"
        wait_until(partial(shows, visitor, line))
        [box] = opened_boxes([*table.night.folder.glob(f"{name}-*.journal")])
        typed = visitor.client.post("/box/check", data=fields(visitor.get(path_of(box)).text) | {
            "amount": f"{fees / 100:.2f}", "jackpot_amount": f"{jackpots / 100:.2f}",
        })  # fmt: skip
        assert f"Agrees counted {format_dollars(fees)}, due {format_dollars(fees)}" in text(typed)
        assert f"Jackpot agrees counted {format_dollars(jackpots)}" in text(typed)
