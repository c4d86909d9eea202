"""A table that is opened again: the rules in force, and what a seal leaves behind."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.faults import Tampered
from tests.journal.days import LINES, OPENING, Line, check, forge, journal_file, open_session, say

if TYPE_CHECKING:
    from pathlib import Path

A_HAND = ("deal", *["fold"] * 7, "push")


# Rules


@pytest.mark.parametrize("restart", [False, True])
def test_rules_that_were_changed_since_the_seal_are_in_force_after_every_restart(
    tmp_path: Path, restart: bool
) -> None:
    """Changed between hands, used for a hand, which is sealed with them."""
    session = open_session(tmp_path)
    say(session, *LINES, 'floor 4711 rules ca_omaha_hilo "players agreed"')
    for _ in range(2):
        if restart:
            session.close()
            session = open_session(tmp_path)
        assert session.state.profile.id == "ca_omaha_hilo"
        say(session, *A_HAND)
    session.close()
    again = open_session(tmp_path)
    assert again.state.profile.id == "ca_omaha_hilo"
    assert again.state.profile.game.hole_cards == 4
    again.close()
    verdict = check(tmp_path)
    assert verdict.sound, verdict.damage
    assert verdict.hands == 8


def test_rules_changed_before_the_first_seal_are_in_force_after_a_restart(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    say(session, *LINES[:OPENING], "rules ca_omaha_hilo")
    session.close()
    session = open_session(tmp_path)
    assert session.state.profile.id == "ca_omaha_hilo"
    say(session, *A_HAND)
    session.close()
    again = open_session(tmp_path)
    assert again.state.profile.id == "ca_omaha_hilo"
    again.close()
    assert check(tmp_path).sound


@pytest.mark.parametrize("rules_seq", [1, 5, 10_000])
def test_a_seal_whose_rules_are_not_where_it_says_is_damage(tmp_path: Path, rules_seq: int) -> None:
    session = open_session(tmp_path)
    say(session, *LINES)
    session.close()

    def elsewhere(lines: list[Line]) -> None:
        for line in lines:
            if line.kind == "journal_sealed":
                line.body["state"]["rules_seq"] = rules_seq

    forge(journal_file(tmp_path), elsewhere)
    with pytest.raises(Tampered, match=f"cannot be replayed: event {rules_seq} "):
        open_session(tmp_path)


# What a seal leaves behind


def test_a_day_that_ends_with_the_seal_of_a_hand_is_still_open(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    say(session, *LINES)
    session.close()
    again = open_session(tmp_path)
    assert again.recovered == "between hands, 6 played"
    again.close()
    assert check(tmp_path).open_days == [journal_file(tmp_path).name]


def test_the_witness_stands_from_the_first_event_and_moves_with_every_seal(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    path = journal_file(tmp_path)
    first = json.loads(path.with_suffix(".witness").read_text(encoding="utf-8"))
    assert first["seq"] == session.state.seq == 2
    say(session, *LINES)
    session.close()
    with sqlite3.connect(path) as db:
        [seq, head] = db.execute("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1").fetchone()
    db.close()
    assert json.loads(path.with_suffix(".witness").read_text(encoding="utf-8")) == {
        "seq": seq,
        "head": head.hex(),
    }


def test_a_seal_folds_the_wal_so_that_a_damaged_one_can_drop_nothing_before_it(
    tmp_path: Path,
) -> None:
    session = open_session(tmp_path)
    say(session, *LINES)
    path = journal_file(tmp_path)
    assert path.with_name(path.name + "-wal").stat().st_size == 0
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / path.name).write_bytes(path.read_bytes())
    assert check(alone).events == session.state.seq
    session.close()
