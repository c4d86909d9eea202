"""Finding hands: the filter line, and the database that is made from journals."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.reader import JournalRows
from omaha_table.review.index.filters import FilterError, completions, parse_filter
from omaha_table.review.index.projection import Projection
from omaha_table.session.script import run_line
from tests.evening_text import evening
from tests.evenings import draw_lines
from tests.review.desk import RULED, say, session
from tests.review.found import found

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from omaha_table.journal.chain import Row


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    made = session(tmp_path)
    say(made, *evening(12, seed=3), "down D114", *RULED)
    made.close()
    return next(tmp_path.glob("*.journal"))


def test_hands_are_found_by_number_pot_dealer_flag_and_words(journal: Path) -> None:
    projection = Projection()
    assert projection.refresh([journal]) == []
    assert projection.count() == 13
    assert found(projection, "") == list(range(13, 0, -1))
    assert found(projection, "#4") == [4]
    assert found(projection, "hand>=12") == [13, 12]
    assert found(projection, "flag:misdeal") == [13]
    assert found(projection, "flag:override,void dealer:D114") == [13]
    assert found(projection, '"string bet"') == [13]
    assert found(projection, '"no such thing"') == []
    assert found(projection, "player:p3") == list(range(13, 0, -1))
    everything = projection.page(parse_filter(""), 0, 100)
    pots = {row["number"]: row["pot"] for row in everything}
    assert found(projection, "pot>=40") == [
        n for n in sorted(pots, reverse=True) if pots[n] >= 4000
    ]
    assert found(projection, "2020-01-01..") == list(range(13, 0, -1))
    assert found(projection, "..2020-01-01") == []
    projection.close()


def test_a_page_is_the_same_from_either_end(journal: Path) -> None:
    projection = Projection()
    projection.refresh([journal])
    for offset in range(14):
        for length in (1, 4, 20):
            pages = [
                [row["number"] for row in projection.page(parse_filter(""), offset, length, total)]
                for total in (None, 13)
            ]
            assert pages[0] == pages[1], (offset, length)
    projection.close()


def test_a_table_that_is_still_dealt_at_is_kept_up_with(tmp_path: Path) -> None:
    made = session(tmp_path)
    say(made, *evening(3, seed=3))
    path = next(tmp_path.glob("*.journal"))
    projection = Projection()
    projection.refresh([path])
    assert projection.count() == 3
    say(made, *RULED)
    projection.refresh([path])
    projection.refresh([path])
    assert projection.count() == 4
    made.close()
    projection.close()


@pytest.mark.parametrize("other", [-1, 1], ids=["older", "newer"])
def test_a_projection_of_another_version_is_made_anew(
    journal: Path, tmp_path: Path, other: int
) -> None:
    path = tmp_path / "review.db"
    Projection(path).close()
    with closing(sqlite3.connect(path)) as db:
        [version] = db.execute("PRAGMA user_version").fetchone()
        db.execute("ALTER TABLE hand RENAME TO another_hand")
        db.execute(f"PRAGMA user_version = {version + other}")
    second = Projection(path)
    second.refresh([journal])
    assert second.count() == 13
    second.close()


def test_a_damaged_journal_is_told_and_the_rest_is_there(journal: Path) -> None:
    broken = journal.with_name("t8-2026-01-01.journal")
    content = bytearray(journal.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 4096] = bytes(4096)
    broken.write_bytes(content)
    projection = Projection()
    [fault] = projection.refresh([broken, journal])
    assert fault.startswith("t8-2026-01-01.journal: ")
    assert projection.count() >= 13
    projection.close()


@pytest.mark.parametrize(
    ("text", "at", "said"),
    [
        ("pot>=x", 0, "not an amount"),
        ("hand>3 dealr:D1", 7, "did you mean dealer?"),
        ("flag:overide", 0, "did you mean override?"),
        ("seat:four", 0, "not a seat"),
        ("dealer:", 0, "write dealer:VALUE"),
        ("2026-13-01", 0, "not a day"),
        ("zzz", 0, "use one of"),
        ("color>3", 0, "can be compared, not 'color'"),
        ("hand>99999999999999999999", 0, "not a number"),
        ("#99999999999999999999", 0, "not a number"),
        ("seat:99999999999999999999", 0, "not a seat"),
        ("9999-12-31", 0, "not a day"),
        ("2026-01-012026-12-31", 0, "Unknown filter"),
        ("dealer:,", 0, "write dealer:VALUE"),
        ('""', 0, "words to look for in quotes"),
        ("pot:500", 0, "pot needs a comparison"),
        ("pot 500", 0, "pot needs a comparison"),
        ("player P5", 0, "player needs a value: write player:VALUE."),
    ],
)
def test_a_filter_with_a_slip_names_the_word_and_its_place(text: str, at: int, said: str) -> None:
    with pytest.raises(FilterError, match=said.replace("?", r"\?")) as caught:
        parse_filter(text)
    assert caught.value.at == at


def test_players_and_dealers_are_found_in_any_letters(tmp_path: Path) -> None:
    made = session(tmp_path)
    say(
        made,
        "seat 1 Émile",
        'seat 2 "Ada Lovelace"',
        "seat 3 Ben",
        *draw_lines(3, (1, 2, 3)),
        "down D114",
    )
    say(made, "deal", "fold", "fold", "push")
    made.close()
    projection = Projection()
    projection.refresh([next(tmp_path.glob("*.journal"))])
    for text in ("player:émile", "player:BEN", 'player:"ada lovelace"', "dealer:d114"):
        assert found(projection, text) == [1], text
    assert found(projection, "player:emil") == []
    projection.close()


def test_words_are_completed() -> None:
    assert completions("po") == ["pot>="]
    assert completions("pot>=5 fla") == ["flag:"]
    assert completions("flag:mis") == ["misdeal"]
    assert completions("") == []


def contents(projection: Projection) -> list[tuple[object, ...]]:
    """Everything a reviewer can be shown, without the numbers of rows."""
    hands = [tuple(row)[1:] for row in projection.page(parse_filter(""), 0, 1000)]
    told = [tuple(row)[1:5] + tuple(row)[6:] for row in projection.incidents(
        parse_filter(""), 0, 1000, by_time=True)]  # fmt: skip
    return [*sorted(hands), *((text,) for text in sorted(map(str, told)))]


def test_looking_after_every_line_shows_what_one_look_at_the_end_does(tmp_path: Path) -> None:
    made = session(tmp_path)
    step_by_step, lines = Projection(tmp_path / "cache.db"), iter(evening(4, seed=8))
    say(made, next(lines))
    [path] = tmp_path.glob("*.journal")
    for line in (
        *lines,
        "shift swing B7 J7",
        "down D114",
        *RULED,
        'floor 4711 device shoe "old"',
    ):
        say(made, line)
        list(run_line(made, 1, "9 raise 7"))
        step_by_step.refresh([path])
    made.close()
    step_by_step.refresh([path])
    at_once = Projection()
    at_once.refresh([path])
    assert contents(step_by_step) == contents(at_once)
    assert at_once.count_incidents(parse_filter("")) > 20
    step_by_step.close()


def test_what_was_read_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = session(tmp_path)
    say(made, *evening(6, seed=3))
    [path] = tmp_path.glob("*.journal")
    projection = Projection(tmp_path / "cache.db")
    projection.refresh([path])
    projection.close()
    seen: list[int] = []
    since, get = JournalRows.since, JournalRows.get

    def counted(rows: JournalRows, after: int = 0, kinds: Sequence[str] = ()) -> Iterator[Row]:
        for row in since(rows, after, kinds):
            if not kinds:
                seen.append(row.seq)
            yield row

    def counted_one(rows: JournalRows, seq: int) -> Row | None:
        seen.append(seq)
        return get(rows, seq)

    monkeypatch.setattr(JournalRows, "since", counted)
    monkeypatch.setattr(JournalRows, "get", counted_one)
    before = made.state.seq
    say(made, *RULED)
    again = Projection(tmp_path / "cache.db")
    again.refresh([path])
    made.close()
    assert again.count() == 7
    # What is new, the event before it and the one with the rules.
    assert [seq for seq in seen if seq > before] == list(range(before + 1, made.state.seq + 1))
    assert len([seq for seq in seen if seq <= before]) <= 2
    again.close()


def test_a_ruling_on_a_hand_that_is_known_is_found_with_it(tmp_path: Path) -> None:
    made = session(tmp_path)
    say(made, *evening(5, seed=3))
    [path] = tmp_path.glob("*.journal")
    projection = Projection()
    projection.refresh([path])
    paid = next(row for row in projection.page(parse_filter(""), 0, 9) if row["fee"])
    seat = paid["winners"].split()[0]
    say(made, f'floor 4711 refund {paid["number"]} {seat} 1 "the reader failed"')
    projection.refresh([path])
    assert projection.count() == 5
    assert found(projection, "flag:override") == [paid["number"]]
    assert found(projection, '"reader failed"') == [paid["number"]]
    [row] = projection.page(parse_filter("flag:override"), 0, 9)
    assert row["refunded"] == 100
    made.close()
    projection.close()
