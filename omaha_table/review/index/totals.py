"""The sums that the index keeps: by box, hour of the day, dealer and down of a journal.

Triggers add each hand to them, or take it off again, so that they agree with the hands after every
transaction, whatever is killed. The same statements add up some hands only, in temporary tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import sqlite3

PERIOD_US: Final = 3_600_000_000
"""Hands are counted by the hour, so that a place among all of them is found without counting."""
SUMS: Final = {
    "hands": "{n}.outcome NOT IN ('misdeal', 'void')",
    "no_flop": "({played} AND NOT {n}.flop)",
    "called_off": "NOT ({played})",
    "fees": "({played}) * {n}.fee",
    "jackpots": "({played}) * {n}.jackpot",
    "waived": "({played}) * {n}.waived",
    "refunded": "({played}) * {n}.refunded",
    "pots": "({played}) * {n}.pot",
    "seconds": "({played}) * {n}.seconds",
}
"""What is added up, and what one hand adds. Seconds are real, everything else is whole."""
COLUMNS: Final = "".join(f"{name} {'REAL' if name == 'seconds' else 'INTEGER'} NOT NULL, "
                          for name in SUMS)  # fmt: skip


def adds(n: str) -> list[str]:
    """What a hand adds to each sum, in the order of SUMS; `n` is how the query calls the hand."""
    played = SUMS["hands"].format(n=n)
    return [f"({term.format(n=n, played=played)})" for term in SUMS.values()]


TOTALS: Final = {
    "hour_total": (("hour", "source"), "hour INTEGER NOT NULL, source INTEGER NOT NULL, "),
    "dealer_total": (("dealer", "source"), "dealer TEXT NOT NULL, source INTEGER NOT NULL, "),
}
"""Sums by two columns of a hand. An hour is one of the day, in local time."""
_DOWNS: Final = """(source INTEGER NOT NULL, down INTEGER NOT NULL,
  first_us INTEGER NOT NULL, last_us INTEGER NOT NULL, PRIMARY KEY(source, down)) WITHOUT ROWID"""


def totals_schema(kind: str = "TABLE") -> str:
    """The tables of sums; TEMP TABLE: those of some hands only."""
    made = [
        f"CREATE {kind} {name}({columns}{COLUMNS}PRIMARY KEY({', '.join(by)})) WITHOUT ROWID;"
        for name, (by, columns) in TOTALS.items()
    ]
    return "\n".join((*made, f"CREATE {kind} down_total{_DOWNS};"))


def add_to_totals(rows: str, *, grouped: bool) -> list[str]:
    """Statements that add the hands of a FROM clause, in which they are called `h`, to the sums."""
    values = [f"sum({term})" for term in adds("h")] if grouped else adds("h")
    made = []
    for name, (by, _) in TOTALS.items():
        keys = ", ".join(f"h.{column}" for column in by)
        more = ", ".join(f"{one} = {one} + excluded.{one}" for one in SUMS)
        group = f"GROUP BY {keys}" if grouped else ""
        made.append(
            f"INSERT INTO {name}({', '.join((*by, *SUMS))}) SELECT {keys}, {', '.join(values)} "
            f"{rows} {group} ON CONFLICT({', '.join(by)}) DO UPDATE SET {more}"
        )
    span = "min(h.started_us), max(h.ended_us)" if grouped else "h.started_us, h.ended_us"
    group = "GROUP BY h.source, h.down" if grouped else ""
    made.append(
        f"INSERT INTO down_total(source, down, first_us, last_us) SELECT h.source, h.down, {span} "
        f"{rows} {group} ON CONFLICT(source, down) DO UPDATE SET "
        "first_us = min(first_us, excluded.first_us), last_us = max(last_us, excluded.last_us)"
    )
    return made


def _triggers() -> str:
    def box(sign: str, row: str) -> str:
        terms = zip(SUMS, adds(row), strict=True)
        return ", ".join(f"{name} = {name} {sign} {term}" for name, term in terms)

    new = "FROM (SELECT NEW.source AS source, NEW.hour AS hour, NEW.dealer AS dealer, " + (
        ", ".join(f"NEW.{name} AS {name}" for name in (
            "down", "started_us", "ended_us", "outcome", "flop", "fee", "jackpot", "waived",
            "refunded", "pot", "seconds"))
    ) + ") AS h WHERE 1"  # fmt: skip
    added = ";\n  ".join(add_to_totals(new, grouped=False))
    return f"""
CREATE TRIGGER hand_added AFTER INSERT ON hand BEGIN
  INSERT INTO period VALUES(NEW.started_us / {PERIOD_US}, 1, 1)
    ON CONFLICT(period) DO UPDATE SET hands = hands + 1, changes = changes + 1;
  UPDATE box SET {box("+", "NEW")}, kept = kept + 1, last_us = max(last_us, NEW.started_us)
    WHERE id = NEW.box;
  {added};
END;
CREATE TRIGGER hand_gone AFTER DELETE ON hand BEGIN
  UPDATE period SET hands = hands - 1, changes = changes + 1
    WHERE period = OLD.started_us / {PERIOD_US};
  UPDATE box SET {box("-", "OLD")}, kept = kept - 1 WHERE id = OLD.box;
END;
"""


TRIGGERS: Final = _triggers()


def add_up(connection: sqlite3.Connection) -> None:
    """Works out all sums at once, of hands that were added while there were no triggers."""
    run = connection.execute
    for name in (*TOTALS, "down_total", "period"):
        run(f"DELETE FROM {name}")
    run(f"INSERT INTO period SELECT started_us / {PERIOD_US}, count(*), 1 FROM hand GROUP BY 1")
    for statement in add_to_totals("FROM hand AS h WHERE 1", grouped=True):
        run(statement)
    sums = ", ".join(f"sum({term}) AS {name}" for name, term in zip(SUMS, adds("h"), strict=True))
    run(
        f"UPDATE box SET ({', '.join(SUMS)}, kept, last_us) = (SELECT {', '.join(SUMS)}, kept, "
        f"last_us FROM (SELECT {sums}, count(*) AS kept, max(started_us) AS last_us FROM hand AS h "
        "WHERE h.box = box.id))"
    )
