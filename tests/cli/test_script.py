from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.rules import shipped_ids
from omaha_table.shipped import config_dir
from tests.evenings import check_sums, of_type

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = sorted((config_dir() / "examples").glob("*.txt"))
EXPECTED: dict[str, list[dict[str, int]]] = {
    # From the betting in the text, by hand: everything put in, less the fee, split by the rules.
    "ca_big_o": [{"1": 7500, "6": 2600}],
    "ca_omaha_high": [{"5": 5400}],
    "ca_omaha_hilo": [{"1": 7800, "4": 17400, "6": 14400, "8": 6000}],
    "draw": [{"5": 1000}],
    "house_omaha_hilo": [{"1": 4000, "7": 4100}],
    "kill": [{"8": 7700}, {"6": 2700}, {"8": 9200}, {"3": 600}, {"4": 600}, {"9": 1800}],
    "nj_big_omaha_high": [{"4": 8800, "5": 2000}],
    "nj_big_omaha_hilo": [{"4": 9700}, {"6": 1900}],
    "short_post": [{"1": 1000, "2": 500, "3": 1300}],
    "shuffler": [{"2": 400}, {"3": 500, "4": 400}],
}
NOT_READY, NOT_AUTHORISED = "deck_not_ready", "not_authorised"
REFUSALS = {
    "draw": ["out_of_turn", "out_of_turn", NOT_AUTHORISED, NOT_AUTHORISED],
    "house_omaha_hilo": ["out_of_turn"],
    "short_post": ["out_of_turn"],
    "shuffler": [NOT_READY, NOT_READY, NOT_AUTHORISED, NOT_READY, NOT_AUTHORISED],
}


def script(*arguments: str, stdin: bytes = b"") -> tuple[int, list[dict[str, Any]], str]:
    done = CliRunner().invoke(omaha_table, ["script", *arguments], input=stdin)
    lines = [json.loads(line) for line in done.stdout_bytes.splitlines()]
    return done.exit_code, lines, done.stderr


def program(*arguments: str, stdin: bytes) -> tuple[int, list[dict[str, Any]], str]:
    """The same as a program of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "omaha_table", "script", *arguments],
        input=stdin,
        capture_output=True,
        check=False,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return done.returncode, lines, done.stderr.decode()


def test_every_profile_has_an_example_and_every_example_an_end() -> None:
    assert {path.stem for path in EXAMPLES} == set(EXPECTED)
    assert set(shipped_ids()) <= set(EXPECTED)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_end_as_they_say(path: Path) -> None:
    command = re.search(r"omaha-table script (.*)", path.read_text(encoding="utf-8"))
    assert command is not None
    arguments = [
        str(path) if word == f"config/examples/{path.name}" else word for word in command[1].split()
    ]
    status, lines, stderr = script(*arguments)
    assert (status, stderr) == (0, "")
    assert [line["code"] for line in of_type(lines, "refused")] == REFUSALS.get(path.stem, [])
    ended = of_type(lines, "hand_ended")
    for summary in ended:
        check_sums(summary)
    assert [summary["awards"] for summary in ended] == EXPECTED[path.stem]
    numbered = [line["seq"] for line in lines if "seq" in line]
    assert numbered == list(range(1, len(numbered) + 1))


def test_a_refusal_names_line_command_rule_and_source_and_the_script_goes_on() -> None:
    status, lines, _ = script(stdin=b"seat 1 Ada\n\n  seat 1 Ben # twice\nseat 2 Cy\n")
    assert status == 0
    [refused] = of_type(lines, "refused")
    assert refused == {
        "type": "refused",
        "line": 3,
        "command": "seat 1 Ben",
        "code": "seat_taken",
        "message": "Seat 1 is taken by 'Ada'.",
        "rule": "seats.max",
        "source": "004_62e76539aeb21045",
    }
    assert len(of_type(lines, "player_seated")) == 2


def test_strict_stops_at_the_first_refusal_with_status_3() -> None:
    status, lines, _ = program("--strict", stdin=b"seat 1 Ada\nfold\nseat 2 Ben\n")
    assert status == 3
    assert lines[-1]["type"] == "refused"
    assert len(of_type(lines, "player_seated")) == 1


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("fly", "unknown_command"),
        ("rais 8", "unknown_command"),
        ("4 dance", "unknown_command"),
        ("seat", "bad_command"),
        ("seat one Ada", "bad_command"),
        ("seat 1 Ada 200 300", "bad_command"),
        ("seat 1 Ada ten", "bad_amount"),
        ('seat 1 "Ada', "bad_command"),
        ("seat 99 Ada", "no_such_seat"),
        ("buy 1 -5", "bad_amount"),
        ("draw 1 1s", "unknown_card"),
        ("flop As Kd", "wrong_phase"),
        ("fold to", "bad_command"),
        ("check all", "bad_command"),
        ("high", "bad_command"),
        ("deck", "bad_command"),
        ("deck bad", "bad_command"),
        ("deck ok 51", "deck_not_ready"),
        ("limit 3-6", "no_such_limit"),
        ("rules nowhere", "no_such_rules"),
        ("rules ca_big_o 3-6", "no_such_limit"),
        ("cut", "deck_not_ready"),
        ("deal now", "bad_command"),
        ("hand", "wrong_phase"),
        ("push", "wrong_phase"),
        ("undo", "wrong_phase"),
        ("button 4", "no_such_seat"),
        ("leave 4", "no_such_seat"),
    ],
)
def test_bad_lines_are_refused_and_change_nothing(line: str, code: str) -> None:
    done = CliRunner().invoke(omaha_table, ["script"], input=line.encode())
    lines = [json.loads(answer) for answer in done.stdout.splitlines()]
    assert [entry["type"] for entry in lines] == ["table_opened", "refused"]
    assert lines[1]["code"] == code
    assert lines[1]["message"].isprintable()
    assert lines[1]["rule"]
    assert lines[1]["source"]
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (["--rules", "nowhere"], b"", "is not a rule profile"),
        (["--limit", "1-2"], b"", "Its limits: 4-8, 8-16"),
        (["--config", "no/such.toml"], b"", "'such.toml' cannot be read"),
        (["--staff", "no/such/folder"], b"", "No staff in no/such/folder"),
        (["no/such/file"], b"", "cannot be read"),
        ([], b"seat 1 \xff", "Line 1 is not UTF-8"),
        pytest.param([], b"#" * 70_000, "longer than", id="a line without an end"),
    ],
)
def test_bad_usage_ends_with_status_2_and_no_traceback(
    arguments: list[str], stdin: bytes, message: str
) -> None:
    status, _, stderr = script(*arguments, stdin=stdin)
    assert status == 2
    assert message in stderr
    assert "Traceback" not in stderr


@pytest.mark.parametrize("name", ["", "a-b", "../t7", "t 7", "t" * 33, "tä"])
def test_a_table_whose_name_is_no_file_name_is_refused(tmp_path: Path, name: str) -> None:
    status, lines, stderr = script("--data", str(tmp_path), "--table", name)
    assert (status, lines) == (2, [])
    assert "1 to 32 letters, digits or underscores" in stderr
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_journal_is_not_gone_on_with(tmp_path: Path) -> None:
    assert script("--data", str(tmp_path), stdin=b"seat 1 Ada\n")[0] == 0
    [journal] = tmp_path.glob("*.journal")
    journal.write_bytes(b"not a journal" * 400)
    status, lines, stderr = script("--data", str(tmp_path), stdin=b"seat 2 Ben\n")
    assert (status, lines) == (2, [])
    assert "Error: " in stderr
    assert "Traceback" not in stderr
    assert journal.read_bytes() == b"not a journal" * 400


def test_the_staff_of_the_data_folder_rules_there_and_no_other(tmp_path: Path) -> None:
    hand = 'seat 1 A\nseat 2 B\ndraw 1 As\ndraw 2 2s\ndeal\nfloor {} misdeal "a boxed card"\n'
    for folder, pin in (("own", "246813"), ("other", "135790")):
        new = ["staff", "init", "S1", "Sam", "--data", str(tmp_path / folder)]
        made = CliRunner().invoke(omaha_table, new, input=f"{pin}\n{pin}\n")
        assert made.exit_code == 0, made.output
    data = ("--data", str(tmp_path / "own"), "--staff", str(tmp_path / "other"))
    for pin, ruled in (("135790", 0), ("4711", 0), ("246813", 1)):
        _, lines, _ = script(*data, "--table", f"t{pin}", stdin=hand.format(pin).encode())
        assert len(of_type(lines, "ruled")) == ruled, pin


def test_help_lists_every_command() -> None:
    result = CliRunner().invoke(omaha_table, ["script", "help"])
    assert result.exit_code == 0
    for usage in (
        "seat N NAME [STACK]",
        "fold [to N]",
        "low N [N…] [main|side K] | low none [main|side K]",
        "undo",
    ):
        assert usage in result.output


def test_cards_that_may_be_face_down_are_never_repeated() -> None:
    text = b"card As\ncard Xx\nshow 4 Kd Qd\nseat 1 A\nseat 2 B\ndraw 1 Jc\ndraw 2 2s\n"
    text += b"hand\ncard 7h\nshow 1 9h9d9s9c8c\n"
    done = subprocess.run(
        [sys.executable, "-m", "omaha_table", "script"],
        input=text,
        capture_output=True,
        check=True,
    )
    for card in (b"As", b"Xx", b"Kd", b"Qd", b"7h", b"9h", b"9d"):
        assert card not in done.stdout + done.stderr
