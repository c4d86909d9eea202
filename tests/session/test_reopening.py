"""A table that was closed is opened again: who is seated is asked, and the answer is in the log."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.journal.verification import files_in, verify
from omaha_table.journal.writer import Clock
from omaha_table.session.config import load_table, seat_players
from omaha_table.session.script import run_line
from omaha_table.table.commands import SeatPlayer
from tests.journal.days import CLOSE, open_session, say

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.session import Session

EVENING = 1_800_000_000.0
PLAYERS = ("seat 1 Ada 480", "seat 3 Ben 212.50", "seat 4 Carmen")
LAST = (SeatPlayer(1, "Ada", 480_00), SeatPlayer(3, "Ben", 212_50), SeatPlayer(4, "Carmen"))
FILE = (SeatPlayer(2, "Dov", 200_00), SeatPlayer(3, "Esther", 200_00))


def opened(folder: Path, at: float = EVENING) -> Session:
    """The table with a file that names two players."""
    file = folder / "t7.toml"
    players = "".join(
        f'[[players]]\nseat = {one.seat}\nname = "{one.name}"\nstack = "200.00"\n' for one in FILE
    )
    file.write_text(f'[table]\nid = "t7"\nrules = "ca_big_o"\n{players}')
    session = open_session(folder / "data", clock=Clock(lambda: at, lambda: at))
    seat_players(session, load_table(file))
    return session


def closed(folder: Path, *lines: str) -> None:
    """The same table, closed with the players of the evening at it."""
    session = open_session(folder / "data", clock=Clock(lambda: EVENING, lambda: EVENING))
    say(session, *lines, CLOSE)
    session.close()


def seated(session: Session) -> dict[int, tuple[str, int | None]]:
    return {seat: (at.name, at.stack) for seat, at in sorted(session.state.seats.items())}


def check(folder: Path) -> None:
    verdict = verify(files_in(folder / "data"))
    assert verdict.sound, verdict.damage


@pytest.mark.parametrize("later", [60, 86_400], ids=["the same day", "the next day"])
def test_nobody_is_seated_before_somebody_has_said_who(later: float, tmp_path: Path) -> None:
    closed(tmp_path, *PLAYERS)
    session = opened(tmp_path, EVENING + later)
    assert seated(session) == {}
    assert session.reopening is not None
    assert (session.reopening.last, session.reopening.file) == (LAST, FILE)
    session.close()
    check(tmp_path)


@pytest.mark.parametrize(
    ("how", "there"),
    [
        ("same", {1: ("Ada", 480_00), 3: ("Ben", 212_50), 4: ("Carmen", None)}),
        ("file", {2: ("Dov", 200_00), 3: ("Esther", 200_00)}),
        ("empty", {}),
    ],
)
def test_the_answer_is_in_the_log_with_those_it_seats(
    how: str, there: dict[int, tuple[str, int | None]], tmp_path: Path
) -> None:
    closed(tmp_path, *PLAYERS)
    session = opened(tmp_path)
    made = say(session, f"reopen {how}")
    assert (made[0]["type"], made[0]["how"]) == ("table_reopened", how)
    assert made[0]["players"] == len(there)
    assert [one["type"] for one in made[1:]] == ["player_seated"] * len(there)
    assert seated(session) == there
    assert not any(at.new for at in session.state.seats.values()), "nobody owes a new game anything"
    assert session.reopening is None
    [again] = run_line(session, 1, "reopen same")
    assert again["code"] == "wrong_phase"
    session.close()
    # A restart asks nobody again and seats nobody else.
    session = opened(tmp_path)
    assert session.reopening is None
    assert seated(session) == there
    session.close()
    check(tmp_path)


def test_the_question_outlives_a_restart(tmp_path: Path) -> None:
    closed(tmp_path, *PLAYERS)
    opened(tmp_path).close()
    session = opened(tmp_path)
    assert session.reopening is not None
    assert session.reopening.last == LAST
    say(session, "reopen same")
    assert len(seated(session)) == 3
    session.close()
    check(tmp_path)


def test_a_wrong_answer_is_taken_back_whole_and_asked_for_again(tmp_path: Path) -> None:
    closed(tmp_path, *PLAYERS)
    session = opened(tmp_path)
    say(session, "reopen same", "seat 9 Eve 50")
    say(session, "undo")
    assert len(seated(session)) == 3, "Eve sat down after the answer, by an entry of her own"
    say(session, "undo")
    assert seated(session) == {}
    assert session.reopening is not None
    say(session, "reopen file")
    assert sorted(seated(session)) == [2, 3]
    session.close()
    check(tmp_path)


def test_a_player_who_is_seated_by_hand_is_an_answer_too(tmp_path: Path) -> None:
    closed(tmp_path, *PLAYERS)
    session = opened(tmp_path)
    say(session, "seat 5 Eve 50")
    assert session.reopening is None
    session.close()


def test_those_who_play_on_begin_with_the_stacks_of_the_close(tmp_path: Path) -> None:
    """4-8 with blinds of 2 and 4: two folds give the big blind the 2 of the small one."""
    closed(tmp_path, *PLAYERS, "away 1")
    session = opened(tmp_path)
    say(session, "reopen same")
    assert not session.state.seats[1].away
    # Chips went home with their players: what they bring back is counted before the first hand.
    say(session, "chips 1 500")
    say(session, "draw 1 2c", "draw 3 3c", "draw 4 As", "deal", "fold", "fold", "push")
    assert session.state.seats[3].stack == 214_50
    session.close()
    check(tmp_path)


def test_where_nobody_sat_at_the_close_the_file_is_seated(tmp_path: Path) -> None:
    closed(tmp_path, *PLAYERS, "leave 1", "leave 3", "leave 4")
    session = opened(tmp_path)
    assert session.reopening is None
    assert sorted(seated(session)) == [2, 3]
    session.close()


def test_the_question_goes_on_into_the_next_gaming_day(tmp_path: Path) -> None:
    closed(tmp_path, *PLAYERS)
    now = [EVENING]
    clock = Clock(lambda: now[0], lambda: now[0])
    session = open_session(tmp_path / "data", clock=clock)
    now[0] += 86_400
    say(session, "down D1")
    assert session.reopening is not None
    say(session, "reopen same")
    assert len(seated(session)) == 3
    session.close()
    check(tmp_path)


def test_a_script_is_told_which_words_answer(tmp_path: Path) -> None:
    closed(tmp_path, *PLAYERS)
    opened(tmp_path).close()
    file, data = str(tmp_path / "t7.toml"), str(tmp_path / "data")
    words = [
        "script",
        "--table",
        "t7",
        "--config",
        file,
        "--rules",
        "ca_big_o",
        "--data",
        data,
        "-",
    ]
    done = CliRunner().invoke(omaha_table, words, input="reopen file\n")
    assert done.exit_code == 0, done.output
    assert "'reopen same', 'reopen file' or 'reopen empty'?" in done.stderr
    made = [json.loads(line)["type"] for line in done.stdout.splitlines()]
    assert made[-3:] == ["table_reopened", "player_seated", "player_seated"]
    check(tmp_path)


def test_a_table_that_was_not_closed_is_asked_nothing(tmp_path: Path) -> None:
    session = open_session(tmp_path / "data", clock=Clock(lambda: EVENING, lambda: EVENING))
    [answer] = run_line(session, 1, "reopen same")
    assert answer["code"] == "wrong_phase"
    say(session, *PLAYERS)
    session.close()
    session = opened(tmp_path, EVENING + 86_400)
    assert session.reopening is None
    assert len(seated(session)) == 3
    session.close()
