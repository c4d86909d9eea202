"""The staff command: what is refused is said, changes nothing, and never shows a PIN."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from omaha_table.cli import omaha_table
from omaha_table.floor.files import load_staff

if TYPE_CHECKING:
    from pathlib import Path

PIN = "86420\n"


def staff(folder: Path, *arguments: str, stdin: str = PIN + PIN) -> Result:
    words = ["staff", *arguments, "--data", str(folder)]
    done = CliRunner().invoke(omaha_table, words, input=stdin)
    assert PIN.strip() not in done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """F1 is enrolled."""
    made = tmp_path / "table"
    assert staff(made, "add", "F1", "Fern Hill", "floor").exit_code == 0
    return made


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (("add", "", "Finn", "floor"), "1357\n1357\n", "1 to 40 printable characters"),
        (("add", "F2", "", "floor"), "1357\n1357\n", "1 to 40 printable characters"),
        (("add", "F2", "a\x07b", "floor"), "1357\n1357\n", "1 to 40 printable characters"),
        (("add", "F\n2", "Finn", "floor"), "1357\n1357\n", "1 to 40 printable characters"),
        (("add", "F2", "x" * 41, "floor"), "1357\n1357\n", "1 to 40 printable characters"),
        (("add", "F2", "Finn", "boss"), "1357\n1357\n", "boss"),
        (("add", "F1", "Finn", "floor"), "", "The staff id F1 is already in use"),
        (("add", "F2", "Finn", "floor"), "1357\n2468\n", "do not match. Nothing was changed"),
        (("add", "F2", "Finn", "floor"), "135\n135\n", "4 to 12 digits"),
        (("add", "F2", "Finn", "floor"), PIN + PIN, "cannot be used"),
        (("add", "F2", "Finn", "floor"), "", "No PIN was entered"),
        (("add", "F2", "Finn", "floor"), "1357\n", "No PIN was entered"),
        (("pin", "F9"), "", "Unknown staff id 'F9'"),
        (("pin", "F1"), "1357\n2468\n", "do not match"),
        (("disable", "F9"), "", "Unknown staff id 'F9'"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(
    folder: Path, arguments: tuple[str, ...], stdin: str, message: str
) -> None:
    before = (folder / "staff.json").read_bytes()
    done = staff(folder, *arguments, stdin=stdin)
    assert done.exit_code == 2
    assert message in " ".join(done.output.split())
    assert (folder / "staff.json").read_bytes() == before


def test_people_are_listed_with_role_and_without_pin(folder: Path) -> None:
    assert staff(folder, "add", "D1", "Dana", "dealer", stdin="1357\n1357\n").exit_code == 0
    assert staff(folder, "disable", "F1").exit_code == 0
    lines = [line.split() for line in staff(folder, "list").output.splitlines()]
    assert lines == [["F1", "floor", "Fern", "Hill", "disabled"], ["D1", "dealer", "Dana"]]


def test_a_new_pin_is_the_one_that_fits(folder: Path) -> None:
    assert staff(folder, "pin", "F1", stdin="1357\n1357\n").exit_code == 0
    found = load_staff(folder).identify("1357")
    assert found is not None
    assert found.id == "F1"
    assert load_staff(folder).identify(PIN.strip()) is None


def test_an_empty_folder_has_nobody(tmp_path: Path) -> None:
    done = staff(tmp_path, "list")
    assert done.exit_code == 0
    assert "No staff yet" in done.output
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    below = staff(tmp_path / "file" / "table", "add", "F1", "Fern", "floor")
    assert below.exit_code == 2
    assert "cannot be used" in " ".join(below.output.split())
    (tmp_path / "pepper").write_bytes(b"x" * 32)
    (tmp_path / "staff.json").write_text("{")
    for words in (("list",), ("disable", "F1"), ("pin", "F1"), ("add", "F2", "Finn", "floor")):
        done = staff(tmp_path, *words)
        assert done.exit_code == 2, words
        assert "staff.json cannot be read" in " ".join(done.output.split())
