"""Two threads may each run a table, and one may verify a log that another reads.

The numbers are small here; OMAHA_THREADS=20 makes them twenty times as large (10,000 hands and
1,000 verdicts).
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.reader import Reader, record_of
from omaha_table.journal.replay import advance, table_before
from omaha_table.journal.verification import verify
from tests.evening_text import evening
from tests.evenings import run
from tests.journal.days import LINES, open_session, say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TIMES = int(os.environ.get("OMAHA_THREADS", "1"))
HANDS, VERDICTS = 250, 50


@pytest.fixture(autouse=True)
def _switch_often() -> Iterator[None]:
    """Threads take turns a hundred times as often as by default."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(usual / 100)
    yield
    sys.setswitchinterval(usual)


def test_two_tables_in_two_threads_play_as_they_do_alone() -> None:
    for seed in range(TIMES):
        scripts = [
            ("\n".join(evening(HANDS, seed=seed, rules=rules)), rules)
            for rules in ("ca_big_o", "house_omaha_hilo")
        ]
        alone = [run(script, rules) for script, rules in scripts]
        with ThreadPoolExecutor(2) as pool:
            together = [pool.submit(run, script, rules) for script, rules in scripts]
        assert [answers.result() for answers in together] == alone


def test_a_verdict_is_the_same_while_another_thread_replays(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    say(session, *LINES)
    session.close()
    [path] = tmp_path.glob("*.journal")
    done = False

    def replay() -> int:
        times = 0
        while not done or not times:
            with Reader(path) as reader:
                state = table_before(reader, 3)
                for row in reader.since(state.seq):
                    state = advance(state, record_of(row).event)
            times += 1
        return times

    with ThreadPoolExecutor(1) as pool:
        replays = pool.submit(replay)
        try:
            verdicts = [verify([path]).damage for _ in range(VERDICTS * TIMES)]
        finally:
            done = True
    assert not any(verdicts)
    assert replays.result() > 0
