"""A first open: the newest day first, beside the reader, after a kill, and with two reviews."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from omaha_table.review.index.database import WriteLock
from omaha_table.review.index.drop import total
from omaha_table.review.index.filters import parse_filter
from omaha_table.review.index.projection import Projection
from omaha_table.review.index.projector import Projector
from omaha_table.review.index.store import Folder, JournalFile
from tests.console.terminal import Terminal
from tests.paths import PYTHONPATH
from tests.review.found import Wall, projected
from tests.review.nights import Night

if TYPE_CHECKING:
    from pathlib import Path

DAYS = (14, 15, 16)
HANDS = 6
ALL = parse_filter("")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three days of one table, six hands each."""
    folder = tmp_path_factory.mktemp("three_days")
    for day in DAYS:
        wall = Wall(2026, 11, day, 20, 0, 0)
        night = Night(folder, "ca_big_o", clock=wall.clock, seed=day)
        if day == DAYS[0]:
            night.seat(4)
        night.say(f"shift day{day} B{day} none", "down D1")
        for _ in range(HANDS):
            night.play(1)
            wall.at += 60
        night.say("shift close")
        night.session.close()
    return folder


def dates(index: Projection) -> list[str]:
    return list(dict.fromkeys(row["day"] for row in index.page(ALL, 0, 1000)))


def contents(index: Projection) -> list[object]:
    """Hands, boxes and sums, without the numbers of rows."""
    hands = [tuple(row)[1:] for row in index.page(ALL, 0, 1000)]
    lines = [tuple(row)[6:] for row in index.incidents(ALL, 0, 1000, by_time=True)]
    return [*hands, *sorted(map(str, lines)), *index.box_page(0, 100), index.statistics(ALL).result]


def boxes_agree(index: Projection) -> None:
    """The kept sums are those of the hands that are in the index."""
    for key, sums in index.box_page(0, 100):
        drop = total(index.in_box(key))
        assert (sums.hands, sums.due, sums.jackpots) == (drop.hands, drop.due, drop.jackpots)
    [statistics] = [index.statistics(ALL).result]
    assert statistics.total.hands + statistics.total.called_off == index.count()


def test_the_newest_day_is_read_first(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    with closing(Projection(path)) as index, closing(Projector(path, WriteLock(path))) as other:
        # The lock is the first one's: the other writes nothing.
        other.update(Folder(folder).journals())
        assert index.count() == 0
    seen: list[list[str]] = []
    with closing(Projection(path)) as index, closing(Projector(path, index._lock)) as projector:

        def stopped() -> bool:
            seen.append(dates(index))
            return len(seen) == 2

        projector.update(Folder(folder).journals(), is_stopped=stopped)
        assert seen == [["2026-11-16"], ["2026-11-16", "2026-11-15"]]
        assert (projector.progress.read, projector.progress.of) == (1, 3)
        boxes_agree(index)
        projector.update(Folder(folder).journals())
        assert dates(index) == ["2026-11-16", "2026-11-15", "2026-11-14"]
        assert (projector.progress.read, projector.progress.of) == (1, 1)


def test_a_reader_pages_while_hands_are_being_written(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page is read in the middle of each transaction of the writer: nothing waits, and what is
    seen is whole."""
    monkeypatch.setattr("omaha_table.review.index.projector.BATCH", 2)
    counts: list[int] = []
    with closing(Projection(tmp_path / "index.db")) as index:

        def look(hands: int) -> None:
            counts.append(len(index.page(ALL, 0, 100)))
            boxes_agree(index)

        index.refresh(Folder(folder).journals(), look)
        assert index.count() == HANDS * len(DAYS)
    assert counts == sorted(counts)
    assert len(set(counts)) > len(DAYS)


KILLED = """
import os, signal, sys
from pathlib import Path
from omaha_table.review.index import projector
from omaha_table.review.index.projection import Projection
from omaha_table.review.index.store import Folder
projector.BATCH = 2
def kill(hands):
    if hands >= int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
Projection(Path(sys.argv[1])).refresh(Folder(Path(sys.argv[2])).journals(), kill)
"""


@pytest.mark.parametrize("after", [3, 9, 15])
def test_a_kill_in_the_middle_leaves_an_index_that_goes_on(
    folder: Path, tmp_path: Path, after: int
) -> None:
    path = tmp_path / "index.db"
    command = [sys.executable, "-P", "-c", KILLED, str(path), str(folder), str(after)]
    done = subprocess.run(command, env=os.environ | {"PYTHONPATH": PYTHONPATH}, check=False)
    assert done.returncode == -signal.SIGKILL
    with closing(Projection(path)) as index:
        # A part is there, newest first, and its sums are those of that part.
        assert 0 < index.count() < HANDS * len(DAYS)
        assert dates(index)[0] == "2026-11-16"
        boxes_agree(index)
        index.refresh(Folder(folder).journals())
        with closing(projected(*sorted(folder.glob("t7-*.journal")))) as fresh:
            assert contents(index) == contents(fresh)


def test_two_reviews_of_one_folder_show_the_same_and_the_second_takes_over(tmp_path: Path) -> None:
    night, path = Night(tmp_path, "ca_big_o").seat(3).play(2), tmp_path / "index.db"
    store = Folder(tmp_path)
    first, second = Projection(path), Projection(path)
    assert first.keep(store).wait(30)
    assert second.keep(store).wait(30)
    assert (first.count(), second.count()) == (2, 2)
    first.close()
    night.play(1)
    deadline = time.monotonic() + 30
    while second.count() < 3 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert second.count() == 3
    boxes_agree(second)
    second.close()
    night.session.close()


def test_what_a_running_table_adds_is_taken_in_by_the_thread(tmp_path: Path) -> None:
    others = set(threading.enumerate())  # such as that of a floor's page that other tests share
    night = Night(tmp_path, "ca_big_o").seat(3).play(1)
    with closing(Projection(tmp_path / "index.db")) as index:
        assert index.keep(Folder(tmp_path)).wait(30)
        before = index.version()
        night.play(1)
        deadline = time.monotonic() + 30
        while index.version() == before and time.monotonic() < deadline:
            time.sleep(0.05)
        assert index.count() == 2
        assert index.progress is None
        assert index.trouble == ""
    left = set(threading.enumerate()) - others
    assert not [one for one in left if one.name == "review index"]
    night.session.close()


def test_an_index_that_can_not_be_written_any_more_is_told(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(Projector, "update", broken)
    with closing(Projection(tmp_path / "index.db")) as index:
        assert index.keep(Folder(folder)).wait(30)
        assert index.trouble.startswith("New hands are not shown")
        assert "disk" not in index.trouble


def test_an_index_of_another_time_zone_is_made_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hours of the day in its sums are local."""
    path = tmp_path / "index.db"
    journals = Folder(folder).journals()
    with closing(Projection(path)) as index:
        index.refresh(journals)
        before = index.statistics(ALL).result
    monkeypatch.setenv("TZ", "Asia/Kolkata" if time.timezone else "America/Los_Angeles")
    time.tzset()
    try:
        with closing(Projection(path)) as index:
            assert index.count() == 0
            index.refresh(journals)
            after = index.statistics(ALL).result
    finally:
        monkeypatch.undo()
        time.tzset()
    assert after.total == before.total
    assert [hour for hour, _ in after.by_hour] != [hour for hour, _ in before.by_hour]


def test_a_day_that_the_floor_came_back_to_is_replaced_in_one_go(tmp_path: Path) -> None:
    night = Night(tmp_path, "ca_omaha_hilo").seat(3)
    board = ("flop 7c 5h 2s", "check around", "turn Kd", "check around", "river As",
             "check around")  # fmt: skip
    night.say("shift swing B7 J7", "down D1")
    night.say("deal", "call", "call", "check", *board, "high 1", "low 2", "push")
    [path] = tmp_path.glob("t7-*.journal")
    with closing(Projection(tmp_path / "index.db")) as index:
        index.refresh([path])
        [(key, before)] = index.box_page(0, 9)
        night.say('floor 4711 refund 1 1 1 "the reader failed"')
        index.refresh([path])
        assert index.box_page(0, 9) == [(key, index.box_sums(key))]
        assert (before.refunded, index.box_sums(key).refunded) == (0, 100)
        assert index.count() == 1
        boxes_agree(index)
    night.session.close()


def test_on_a_terminal_a_killed_review_is_started_again_and_shows_everything(
    folder: Path, tmp_path: Path
) -> None:
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    terminal = Terminal(["review", "--data", str(folder)], env=env)
    with terminal:
        terminal.wait("hands")
        terminal.kill()
        terminal.end()
    with (
        Terminal(["review", "--data", str(folder)], env=env) as one,
        Terminal(["review", "--data", str(folder)], env=env) as two,
    ):
        for review in (one, two):
            review.wait(f"{HANDS * len(DAYS)} hands")
            review.press("4")
            review.wait("day14")
            review.press(".", ".", ".")
            assert review.end() == 0


def test_a_journal_file_knows_its_table_and_day_by_its_name(tmp_path: Path) -> None:
    journal = JournalFile(tmp_path / "t7_b-2026-11-14b.journal")
    assert (journal.table, journal.day) == ("t7_b", "2026-11-14b")
    assert journal.state() == ""
    assert journal.changed_us() == 0
