"""The short form of `scripts/review_scale`: sums and searches on made-up hands, and their plans."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from omaha_table.review.index.database import connect
from omaha_table.review.index.filters import WORDS, parse_filter
from omaha_table.review.index.projection import Projection
from omaha_table.review.index.search import MOST, by_index, in_periods
from scripts.campaigns.independent_sums import FITS, check
from scripts.campaigns.review_keys import walk
from scripts.campaigns.synthetic_index import build, hands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scripts.campaigns.synthetic_index import Hand

COUNT = 10_000
SEED = 7


@pytest.fixture(scope="module")
def made() -> list[Hand]:
    return [hand for table_day in hands(COUNT, SEED) for hand in table_day]


@pytest.mark.campaign
def test_sums_and_searches_are_those_of_an_independent_calculation(
    tmp_path: Path, made: list[Hand]
) -> None:
    """With sums that were kept hand by hand, as a review keeps them."""
    build(tmp_path / "index.db", COUNT, SEED, by_triggers=True)
    with closing(Projection(tmp_path / "index.db")) as projection:
        check(projection, made)


@pytest.mark.campaign
def test_searches_that_go_on_beside_the_screen_find_the_same(
    tmp_path: Path, made: list[Hand], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if ten thousand hands were too many for any answer at once; sums were added up at last."""
    build(tmp_path / "index.db", COUNT, SEED)
    monkeypatch.setattr("omaha_table.review.index.search.STRETCH", 100)
    monkeypatch.setattr("omaha_table.review.index.search._LONG", 700)
    monkeypatch.setattr("omaha_table.review.index.sums.STRETCH", 100)
    monkeypatch.setattr("omaha_table.review.index.sums._FEW_JOURNALS", 0)
    with closing(Projection(tmp_path / "index.db")) as projection:
        check(projection, made)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("small") / "index.db"
    build(path, 1500, SEED)
    return path


@pytest.mark.campaign
@pytest.mark.parametrize(
    "bug",
    [
        "UPDATE box SET fees = fees + 1 WHERE id = 5",
        "UPDATE hour_total SET no_flop = 0",
        "DELETE FROM dealer_total WHERE dealer = 'D007'",
        "UPDATE down_total SET last_us = first_us WHERE down = 1",
        "DELETE FROM flag WHERE hand = (SELECT max(hand) FROM flag WHERE flag = 'kill')",
        "UPDATE hand SET pot = 1 WHERE pot > 50000",
        "UPDATE period SET hands = hands - 1 WHERE period = (SELECT max(period) FROM period)",
    ],
)
def test_a_wrong_figure_in_the_index_is_found(small: Path, tmp_path: Path, bug: str) -> None:
    path = Path(shutil.copy(small, tmp_path / "index.db"))
    made = [hand for table_day in hands(1500, SEED) for hand in table_day]
    with closing(sqlite3.connect(path)) as db, db:
        assert db.execute(bug).rowcount > 0
    with closing(Projection(path)) as projection, pytest.raises(AssertionError):
        check(projection, made)


# What SQLite reads for an answer

EXAMPLES = (*FITS, "pot>=100 dealer:D7", "player:a,b", "flag:misdeal", "hand=7", "seconds>=100")


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """An index without statistics about its rows: every plan follows from the schema alone."""
    path = tmp_path_factory.mktemp("plans") / "index.db"
    Projection(path).close()
    with closing(connect(path)) as connection:
        yield connection


def plan(db: sqlite3.Connection, query: str, values: tuple[object, ...]) -> list[str]:
    return [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {query}", values)]


def scans(steps: list[str]) -> list[str]:
    """Steps that read a whole table of hands, seats, flags, rulings or incidents. The partial index
    of flagged hands is read as a whole: it holds nothing else."""
    large = ("hand", "seat", "flag", "ruling", "incident")
    return [
        step
        for step in steps
        if step.startswith("SCAN ")
        and step.split()[1] in large
        and "USING INDEX flagged" not in step
        and "USING COVERING INDEX flagged" not in step
    ]


def test_the_examples_have_every_word_of_the_language() -> None:
    used = " ".join(EXAMPLES)
    assert all(f"{word}:" in used or f"{word}>" in used or f"{word}<" in used for word in WORDS)


@pytest.mark.parametrize("text", EXAMPLES)
def test_no_filter_reads_all_hands_where_an_index_serves(
    empty: sqlite3.Connection, text: str
) -> None:
    given = parse_filter(text)
    order = "ORDER BY hand.started_us DESC, hand.id DESC"
    source, values = in_periods(given, 9, 8)
    by_hours = plan(empty, f"SELECT hand.id {source} {order}", values)
    assert not scans(by_hours), by_hours
    # Read in order: nothing is sorted, so the first page is there at once.
    assert not [step for step in by_hours if "ORDER BY" in step], by_hours
    for word in given.words:
        if word.listed:
            source, values = by_index(given, word)
            listed = plan(empty, f"SELECT hand.id {source}", values)
            assert not scans(listed), listed


def test_words_that_few_hands_fit_are_listed_by_an_index() -> None:
    """All but those that most hands fit: a seat, the number of seats, a fee."""
    without = {
        text.split(":")[0].rstrip("0123456789<>=")
        for text in EXAMPLES
        if len(parse_filter(text).words) == 1 and not parse_filter(text).words[0].listed
    }
    assert without == {"fee", "seats", "seat", "won"}


def test_pages_boxes_and_the_queue_read_no_table_as_a_whole(
    tmp_path: Path,
) -> None:
    """Every statement that a page sends is explained."""
    path = tmp_path / "index.db"
    build(path, 600, SEED)
    projection, seen = Projection(path), list[str]()
    projection._connection.set_trace_callback(seen.append)
    every = parse_filter("")
    [row] = projection.page(every, 300, 1)
    projection.place_of_hand(every, row["file"], row["seq"])
    projection.hand(row["id"])
    [(key, _)] = projection.box_page(1, 1)
    projection.place_of_box(key)
    projection.box_sums(key)
    projection.in_box(key)
    projection.seen(["a", "b"])
    projection.incidents(every, 5, 10, by_time=True, unseen=True)
    projection.count_incidents(every, unseen=True)
    projection.found(parse_filter("flag:override"))
    projection._connection.set_trace_callback(None)
    selects = [one for one in seen if one.startswith(("SELECT", "WITH"))]
    assert len(selects) > 12
    for query in selects:
        found = scans(plan(projection._connection, query, ()))
        # The queue is one list in order, read along its index as far as MOST lines.
        queue = query.startswith("SELECT id FROM incident WHERE 1") and MOST == 1_000_000
        counted = query.startswith("SELECT count(*) FROM (SELECT 1 FROM incident LIMIT")
        assert not found or queue or counted, (query, found)
    projection.close()


@pytest.mark.campaign
def test_every_key_of_every_page_is_answered_on_a_terminal(small: Path, tmp_path: Path) -> None:
    """The walk itself fails where a key leads to another page than it should."""
    walked = walk(small, tmp_path, filters=("seats<6",), pages=5)
    pages = {key.page for key in walked.keys}
    assert {"hands", "hand", "unusual", "boxes", "box", "statistics", "filter", "note"} <= pages
    dead = {(key.page, key.key) for key in walked.keys if not key.spent}
    # Where there is one page of lines, a key that turns it has nothing to change.
    assert {key for _, key in dead} <= set("123456789")
