"""Damaged journals: whoever reads one says so in words, and nobody falls over."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
from typing import TYPE_CHECKING

from omaha_table.journal.faults import JournalFault
from omaha_table.journal.verification import verify
from omaha_table.review.index.reading import hands_in
from omaha_table.review.index.replay import frames
from tests.evening_text import evening
from tests.review.desk import say, session

if TYPE_CHECKING:
    from pathlib import Path


def test_no_bit_of_a_journal_makes_a_reader_or_the_writer_fall_over(tmp_path: Path) -> None:
    sound = tmp_path / "sound"
    made = session(sound)
    say(made, *list(evening(4, seed=3))[:-5])
    made.close()
    [name] = [path.name for path in sound.glob("*.journal")]
    whole = (sound / name).read_bytes()
    rng = random.Random(8)
    told = 0
    for trial in range(int(os.environ.get("OMAHA_DAMAGE", "80"))):
        damaged = tmp_path / "damaged"
        shutil.rmtree(damaged, ignore_errors=True)
        shutil.copytree(sound, damaged)
        content = bytearray(whole)
        for _ in range(rng.choice((1, 1, 3))):
            content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        if trial % 4 == 3:
            del content[rng.randrange(len(content)) :]
        path = damaged / name
        path.write_bytes(content)
        told += not verify([path]).sound
        for read in (
            lambda path=path: list(hands_in(path)),
            lambda path=path: frames(path, 12),
            lambda folder=damaged: session(folder).close(),
        ):
            with contextlib.suppress(JournalFault):
                read()
    assert told
