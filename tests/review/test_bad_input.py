"""What cannot be reported or exported: a sentence, an exit status, and the rest all the same."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from omaha_table.cli import omaha_table
from tests.counters import PINS, hire
from tests.review.nights import Night

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def run(*arguments: object, typed: str = "") -> Result:
    return CliRunner().invoke(omaha_table, [str(argument) for argument in arguments], input=typed)


def a_night(folder: Path, table: str = "t7", hands: int = 4, seed: int = 1) -> Path:
    night = Night(folder, "ca_big_o", table=table, seed=seed).seat(4)
    night.say("shift swing B7 J7", "down D114")
    night.play(hands).say("shift close")
    return night.close()


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_night(tmp_path_factory.mktemp("good"), hands=12)


def no_journal(path: Path) -> None:
    path.write_text("not a journal at all, but a text of some length\n" * 40, encoding="utf-8")


def empty(path: Path) -> None:
    path.write_bytes(b"")


def half(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def newer(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 99")


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def another_database(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE event(x)")


def without_rows(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("DROP TRIGGER no_delete")
        db.execute("DELETE FROM event")


DAMAGE = [no_journal, empty, half, newer, a_folder, another_database]


@pytest.mark.parametrize("spoil", DAMAGE)
@pytest.mark.parametrize("command", ["report", "export"])
def test_a_journal_that_cannot_be_read_is_named_and_the_rest_is_told(
    tmp_path: Path, good: Path, command: str, spoil: Callable[[Path], None]
) -> None:
    shutil.copy(good, tmp_path / good.name)
    bad = a_night(tmp_path, "t8", hands=3)
    spoil(bad)
    if command == "report":
        done = run("report", "shift", "swing", "--data", tmp_path, "--format", "json")
        found = json.loads(done.stdout)
        assert found["incomplete"][0].startswith(bad.name)
        assert found["hands"] >= 12
    else:
        done = run("export", "--format", "json", tmp_path)
        tables = [json.loads(line)["table"] for line in done.stdout.splitlines()]
        assert tables.count("t7") == 12
    assert done.exit_code == 1
    assert done.stderr.startswith(f"{bad.name}: ")
    assert "Traceback" not in done.stderr
    assert not done.exception or isinstance(done.exception, SystemExit)


def test_a_folder_with_the_name_of_a_journal_is_said_to_be_no_file(
    tmp_path: Path, good: Path
) -> None:
    shutil.copy(good, tmp_path / good.name)
    (tmp_path / "t8-2026-01-01.journal").mkdir()
    done = run("export", "--format", "json", tmp_path)
    assert done.exit_code == 1
    assert done.stderr.splitlines() == [
        "t8-2026-01-01.journal: It is not a file that can be read.",
        "NOT SOUND: t8-2026-01-01.journal: unreadable: "
        "t8-2026-01-01.journal is a folder, not a journal.",
    ]
    assert len(done.stdout.splitlines()) == 12


@pytest.mark.parametrize("spoil", DAMAGE)
def test_only_a_journal_that_cannot_be_read_is_bad_input(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    bad = a_night(tmp_path, hands=1)
    spoil(bad)
    done = run("report", "day", "2026-11-14", "--data", bad)
    assert done.exit_code == 2
    assert "the readable journals of" in done.stderr or "No journals in" in done.stderr
    assert run("export", "--format", "phh", bad).exit_code in (1, 2)


def test_a_report_from_a_damaged_journal_says_on_its_face_that_it_is_not_complete(
    tmp_path: Path, good: Path
) -> None:
    shutil.copy(good, tmp_path / good.name)
    (tmp_path / "t8-2026-01-01.journal").write_text("nothing")
    for form in ("md", "html"):
        page = run("report", "shift", "swing", "--data", tmp_path, "--format", form).stdout
        assert "Incomplete: t8-2026-01-01.journal" in page


def test_a_journal_without_a_hand_gives_no_report_and_an_empty_export(tmp_path: Path) -> None:
    bad = a_night(tmp_path, hands=1)
    without_rows(bad)
    done = run("report", "shift", "swing", "--data", tmp_path)
    assert (done.exit_code, "No shift 'swing'" in done.stderr) == (2, True)
    assert run("export", "--format", "json", tmp_path).stdout == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("shift", "graveyard"), "No shift 'graveyard'"),
        (("dealer", "D999"), "No dealer 'D999'"),
        (("day", "yesterday"), "No day 'yesterday'"),
        (("hand", "0"), "No hand '0'"),
        (("hand", "first"), "No hand 'first'"),
        (("shift", "swing", "--table", "t9"), "No shift 'swing'"),
        (("shift", "swing", "--day", "1999-01-01"), "No shift 'swing'"),
        (("hand", "1", "--box", "5"), "not for one hand"),
        *(
            (("shift", "swing", "--box", box, "--signed", "A", "--signed", "B"), "--box: ")
            for box in ("", "lots", "-5", "1e3", "nan", "12.345", "8,43", "$")
        ),
        (("shift", "swing", "--jackpot-box", "x", "--signed", "A", "--signed", "B"),
         "--jackpot-box: "),
        (("shift", "swing", "--box", "9"), "Two people must sign"),
        (("shift", "swing", "--out", "/no/such/folder/page.html"), "cannot be written"),
        (("week", "1"), "week"),
    ],
)  # fmt: skip
def test_what_makes_no_report_is_said_in_a_sentence(
    good: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = run("report", *arguments, "--data", good.parent)
    assert done.exit_code == 2, done.output
    assert message in done.stderr
    assert done.stdout == ""


def test_a_folder_without_a_journal_is_said(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "not-there"):
        done = run("report", "shift", "swing", "--data", folder)
        assert done.exit_code == 2
        assert f"No journals in {folder}" in done.stderr.replace("\n", " ")


@pytest.mark.parametrize("same", [True, False], ids=["copies", "two tables"])
@pytest.mark.parametrize("command", ["report", "export"])
def test_two_journals_of_one_table_and_day_are_not_mixed(
    tmp_path: Path, command: str, same: bool
) -> None:
    first = a_night(tmp_path / "a")
    if same:
        shutil.copytree(tmp_path / "a", tmp_path / "b")
    else:
        a_night(tmp_path / "b", seed=2)
    words = {"report": ("shift", "swing", "--data"), "export": ("--format", "json")}[command]
    done = run(command, *words, tmp_path)
    assert done.exit_code == 2
    assert done.stdout == ""
    said = " ".join(done.stderr.split())
    assert first.name in re.sub(r"\s", "", said)
    assert ("copies of one journal" if same else "different journals") in said
    assert run(command, *words, tmp_path / "a").exit_code == 0


def test_two_files_with_one_name_are_not_written_into_one(tmp_path: Path) -> None:
    first = a_night(tmp_path / "a", "t7")
    second = a_night(tmp_path / "b", "t8")
    second.rename(second.with_name(first.name))
    done = run("export", "--format", "phh", "--out", tmp_path / "out", tmp_path)
    assert done.exit_code == 2
    assert "have one name" in " ".join(done.stderr.split())
    assert not (tmp_path / "out").exists()


def test_the_boxes_of_two_tables_are_not_counted_as_one(tmp_path: Path) -> None:
    a_night(tmp_path, "t7")
    a_night(tmp_path, "t8")
    hire(tmp_path)
    count = ("--box", "10", "--signed", "F1", "--signed", "S1")
    done = run("report", "shift", "swing", "--data", tmp_path, *count)
    assert done.exit_code == 2
    assert "2 boxes" in done.stderr
    one = run("report", "shift", "swing", "--data", tmp_path, "--table", "t8", *count,
              typed=f"{PINS['F1']}\n{PINS['S1']}\n")  # fmt: skip
    assert one.exit_code == 0
    assert "- Table: **t8**" in one.stdout
    both = run("report", "shift", "swing", "--data", tmp_path)
    assert "- Table: **t7, t8**" in both.stdout


def test_a_hand_number_at_two_tables_asks_which(tmp_path: Path) -> None:
    a_night(tmp_path, "t7")
    a_night(tmp_path, "t8")
    done = run("report", "hand", "2", "--data", tmp_path)
    assert done.exit_code == 2
    assert "--table and --day" in " ".join(done.stderr.split())
    assert run("report", "hand", "2", "--data", tmp_path, "--table", "t8").exit_code == 0
