"""The options of `omaha-table script`: each one reaches the table that it is for."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from omaha_drivers.emulate import EmulatedShoe

from omaha_table.cards import DECK
from omaha_table.cli import omaha_table
from omaha_table.cli.keyfiles import make_pair
from tests.evenings import of_type
from tests.journal.days import raw

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = [sys.executable, "-m", "omaha_table", "script"]
TWO = "seat 1 A 200\nseat 2 B 200\ndraw 1 As\ndraw 2 2s\n"
DEALT = TWO + "hand\n" + "".join(f"card {card.text}\n" for card in DECK[:10])


def script(*arguments: str, stdin: str = "") -> tuple[int, list[dict[str, Any]], str]:
    done = CliRunner().invoke(omaha_table, ["script", *arguments], input=stdin.encode())
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def table_file(folder: Path, extra: str = "", devices: str = "") -> Path:
    path = folder / "t9.toml"
    players = '[[players]]\nseat = 4\nname = "Dov"\nstack = "80.00"\n'
    path.write_text(f'[table]\nid = "t9"\nrules = "ca_big_o"\n{extra}\n{players}{devices}')
    return path


def test_a_file_is_run_although_it_is_called_help(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "help").write_text("seat 1 Ada\n")
    monkeypatch.chdir(tmp_path)
    _, answers, _ = script("help")
    assert len(of_type(answers, "player_seated")) == 1


def test_an_event_changed_in_an_open_day_is_found_before_it_is_gone_on_with(tmp_path: Path) -> None:
    """What follows the last seal is sound, so only reading all of the day can tell."""
    data = ("--data", str(tmp_path))
    assert script(*data, stdin=f"{TWO}deal\nfold\npush\nseat 3 C\n")[0] == 0
    [journal] = tmp_path.glob("*.journal")
    with raw(journal) as db:
        db.execute("UPDATE event SET body = replace(body, '20000', '90000') WHERE seq = 3")
    before = journal.read_bytes()
    status, answers, stderr = script(*data, stdin="seat 4 D\n")
    assert (status, answers) == (2, [])
    assert "omaha-table enroll --data DIR --table NAME --reason" in stderr
    assert journal.read_bytes() == before


@pytest.mark.parametrize("where", ["option", "configured"])
def test_the_offices_key_seals_what_the_shoe_reads(tmp_path: Path, where: str) -> None:
    _, public = make_pair(tmp_path / "safe")
    if where == "option":
        options = ["--office", str(public)]
    else:
        named = 'surveillance_key = "safe/surveillance.public"'
        options = ["--config", str(table_file(tmp_path, named))]
    play = "leave 4\n" * (where == "configured") + DEALT
    _, answers, _ = script("--data", str(tmp_path / "data"), *options, stdin=play)
    dealt = [card["slot"] for card in of_type(answers, "card_dealt") if card["card"] is None]
    assert dealt
    assert [sealed["slot"] for sealed in of_type(answers, "card_sealed")] == dealt
    _, without, _ = script("--data", str(tmp_path / "other"), stdin=DEALT)
    assert of_type(without, "card_sealed") == []


@pytest.mark.parametrize("where", ["option", "configured"])
def test_the_second_copy_is_written_where_it_is_wanted(tmp_path: Path, where: str) -> None:
    if where == "option":
        options = ["--mirror", str(tmp_path / "copy")]
    else:
        options = ["--config", str(table_file(tmp_path, 'mirror = "copy"'))]
    hand = "leave 4\n" * (where == "configured") + f"{TWO}deal\nfold\npush\n"
    _, answers, _ = script("--data", str(tmp_path / "data"), *options, stdin=hand)
    assert of_type(answers, "hand_ended")
    [copy] = (tmp_path / "copy").iterdir()
    kinds = [json.loads(line)[4] for line in copy.read_text(encoding="utf-8").splitlines()]
    assert "hand_ended" in kinds


def test_a_second_copy_that_cannot_be_written_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "copy").write_text("a file where the folder should be")
    hand = TWO + "deal\nfold\npush\n" * 2
    mirror = tmp_path / "copy" / "deeper"
    status, answers, stderr = script(
        *("--data", str(tmp_path / "data"), "--mirror", str(mirror)), stdin=hand
    )
    assert status == 0
    assert len(of_type(answers, "hand_ended")) == 2
    assert stderr.count("The second copy cannot be written") == 1


@pytest.mark.parametrize("kept", [True, False], ids=["on a journal", "in memory"])
def test_a_deck_is_asked_for_where_it_is_required(tmp_path: Path, kept: bool) -> None:
    data = ["--data", str(tmp_path)] if kept else []
    _, answers, _ = script("--deck-required", *data, stdin=f"{TWO}hand\n")
    assert [answer["code"] for answer in of_type(answers, "refused")] == ["deck_not_ready"]
    other = ["--data", str(tmp_path / "other")] if kept else []
    assert of_type(script(*other, stdin=f"{TWO}hand\n")[1], "refused") == []


def test_a_table_that_is_configured_is_that_table(tmp_path: Path) -> None:
    config = table_file(tmp_path, 'limit = "8-16"\ndeck_required = true')
    data = tmp_path / "data"
    _, answers, _ = script("--data", str(data), "--config", str(config), stdin="seat 1 A\nhand\n")
    [opened] = of_type(answers, "table_opened")
    assert (opened["limit"], opened["deck_required"]) == ("8-16", True)
    assert [seated["seat"] for seated in of_type(answers, "player_seated")] == [4, 1]
    assert [path.name[:3] for path in data.glob("*.journal")] == ["t9-"]
    # Dov has left: who is configured sits down at a new table only.
    script("--data", str(data), "--config", str(config), stdin="leave 4\n")
    _, answers, stderr = script("--data", str(data), "--config", str(config), stdin="step\n")
    assert of_type(answers, "player_seated") == []
    assert stderr.startswith("Recovered: ")


@pytest.mark.parametrize(
    ("devices", "sentence"),
    [
        ('adapter = "vendor"\nport = "/dev/null"', "Unknown adapter 'vendor'"),
        ('adapter = "tdp"\nport = "spy:///dev/null"', "is not a port"),
        ('adapter = "tdp"\nport = "/dev/null"\nkey_file = "none"', "none cannot be read"),
    ],
)
def test_a_device_that_cannot_be_used_is_named(tmp_path: Path, devices: str, sentence: str) -> None:
    config = table_file(tmp_path, devices=f"[devices.shoe]\n{devices}\n")
    status, _, stderr = script("--config", str(config))
    assert status == 2
    assert sentence in " ".join(stderr.split())


def test_a_byte_order_mark_may_begin_the_first_line_only() -> None:
    _, answers, _ = script(stdin="\ufeffseat 1 Ada\nseat 2 Ben\n\ufeffseat 3 Cy\n")
    assert len(of_type(answers, "player_seated")) == 2
    assert [refused["line"] for refused in of_type(answers, "refused")] == [3]


def test_each_line_is_answered_before_the_next_is_sent() -> None:
    with subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        lines = []
        for line in (b"", b"seat 1 Ada\n", b"fly\n", b"step\n"):
            process.stdin.write(line)
            process.stdin.flush()
            ready, _, _ = select.select([process.stdout], [], [], 20)
            assert ready, f"no answer to {line!r}"
            lines.append(json.loads(process.stdout.readline())["type"])
        process.stdin.close()
        assert process.wait(20) == 0
    assert lines == ["table_opened", "player_seated", "refused", "step"]


def test_at_a_terminal_the_hint_is_not_among_the_answers() -> None:
    outside, inside = pty.openpty()
    with subprocess.Popen(
        PROGRAM, stdin=inside, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        os.write(outside, b"seat 1 Ada\n\x04")
        answers, hint = process.communicate(timeout=30)
    os.close(inside)
    os.close(outside)
    assert "Press Ctrl-D to end" in hint
    assert [json.loads(line)["type"] for line in answers.splitlines()] == [
        "table_opened",
        "player_seated",
    ]


# With a shoe


def with_shoe(folder: Path) -> list[str]:
    shoe = f'[devices.shoe]\nadapter = "tdp"\nport = "{folder / "shoe"}"\n'
    return ["--config", str(table_file(folder, devices=shoe))]


def test_comments_and_blank_lines_do_not_wait_for_a_card(tmp_path: Path) -> None:
    """A shoe that is not there: a command waits ten seconds for its card, a comment does not."""
    took = []
    for name, comments in (("bare", ""), ("commented", "# a comment\n\n   \n  # another\n")):
        start = time.monotonic()
        folder = tmp_path / name
        folder.mkdir()
        status, answers, _ = script(*with_shoe(folder), stdin=f"leave 4\n{TWO}hand\n{comments}")
        took.append(time.monotonic() - start)
        assert status == 0
        assert of_type(answers, "hand_started")
    assert took[1] - took[0] < 9, "one wait for a card takes ten seconds"


def test_a_card_that_leaves_the_shoe_after_the_last_line_is_dealt(tmp_path: Path) -> None:
    shoe = EmulatedShoe(tmp_path / "shoe")
    shoe.start()
    answers: list[dict[str, Any]] = []
    half_read = b""

    def say(process: subprocess.Popen[bytes], line: str, until: str) -> None:
        """Writes a line, and reads until an answer of a type; what comes after it counts too."""
        nonlocal half_read
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(line.encode())
        came: list[str] = []
        while until not in came:
            ready, _, _ = select.select([process.stdout], [], [], 20)
            assert ready, until
            half_read += os.read(process.stdout.fileno(), 65536)
            *lines, half_read = half_read.split(b"\n")
            answers.extend(map(json.loads, lines))
            came = [answer["type"] for answer in answers[-len(lines) :]] if lines else []

    try:
        with subprocess.Popen(
            [*PROGRAM, *with_shoe(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        ) as process:
            end = time.monotonic() + 20
            while not any("live" in str(answer) for answer in of_type(answers, "device_noted")):
                assert time.monotonic() < end, answers
                say(process, "step\n", "step")
            say(process, f"leave 4\n{TWO}hand\n", "posted")
            shoe.load([card.text for card in DECK])
            shoe.draw()
            time.sleep(1.0)
            rest, _ = process.communicate(timeout=30)
        answers += [json.loads(line) for line in (half_read + rest).splitlines()]
        assert process.returncode == 0
        assert len(of_type(answers, "card_dealt")) == 1
    finally:
        shoe.stop()
