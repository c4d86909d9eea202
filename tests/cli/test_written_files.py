"""What `--out` and `--log` write to: never through a link, never over a file of the log."""

from __future__ import annotations

import os
import shutil
import stat
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from omaha_table.cli import omaha_table
from omaha_table.cli.keyfiles import make_pair
from omaha_table.floor import Role
from tests.journal.days import CLOSE, LINES, check, open_session, say
from tests.staff_files import put_staff

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kept")
    session = open_session(folder / "data", mirror=folder / "copy")
    say(session, *LINES, CLOSE)
    session.close()
    put_staff(folder / "data", (("F1", "Fern Hill", Role.FLOOR, "4711"),))
    make_pair(folder / "safe")
    return folder


@pytest.fixture
def house(kept: Path, tmp_path: Path) -> Path:
    """A closed day with its second copy, staff and keys."""
    return shutil.copytree(kept, tmp_path / "house")


def ours(house: Path) -> list[Path]:
    return sorted(path for path in house.rglob("*") if path.is_file())


def report(house: Path, out: Path) -> tuple[int, str]:
    arguments = ["report", "hand", "1", "--data", str(house / "data"), "--out", str(out)]
    done = CliRunner().invoke(omaha_table, arguments)
    return done.exit_code, done.output


def test_a_report_replaces_no_file_of_ours(house: Path) -> None:
    before = {path: path.read_bytes() for path in ours(house)}
    assert {path.suffix for path in before} >= {
        ".journal", ".receipt", ".witness", ".key", ".ballast", ".json", ".jsonl", ".lock",
        ".private", ".public",
    }  # fmt: skip
    for path in before:
        status, said = report(house, path)
        assert status == 2, path
        assert "choose another name" in said
    assert {path: path.read_bytes() for path in ours(house)} == before
    assert check(house / "data").sound


def test_nor_one_that_was_renamed_or_has_another_name(house: Path) -> None:
    for path in ours(house):
        if path.suffix in (".key", ".ballast", ".lock") or path.name == "pepper":
            continue  # bytes that say nothing of themselves
        copy = house / "evidence"
        shutil.copyfile(path, copy)
        status, _ = report(house, copy)
        assert (status, copy.read_bytes()) == (2, path.read_bytes()), path
        copy.unlink()
    [journal] = (house / "data").glob("*.journal")
    before = journal.read_bytes()
    for path in ((house / "data" / "t7.key"), journal):
        held, name = path.read_bytes(), house / "report.md"
        os.link(path, name)
        report(house, name)
        assert path.read_bytes() == held
        name.unlink()
    assert journal.read_bytes() == before


@pytest.mark.parametrize("dangling", [False, True])
def test_a_report_does_not_follow_a_symbolic_link(house: Path, dangling: bool) -> None:
    victim = house / "victim"
    if not dangling:
        victim.write_text("mine")
    (house / "report.md").symlink_to(victim)
    status, said = report(house, house / "report.md")
    assert status == 2
    assert "symbolic link" in said
    assert victim.exists() is not dangling
    assert dangling or victim.read_text() == "mine"


def test_a_report_is_its_owners_alone_and_replaces_an_old_one(house: Path) -> None:
    out = house / "report.md"
    out.write_text("old")
    out.chmod(0o666)
    assert report(house, out)[0] == 0
    assert out.read_text().startswith("# Hand 1")
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert sorted(path.name for path in house.iterdir()) == ["copy", "data", "report.md", "safe"]
    assert report(house, house / "copy" / ".." / "new.md")[0] == 0


def test_a_report_can_go_into_a_pipe(house: Path) -> None:
    assert report(house, type(house)("/dev/null"))[0] == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)  # noqa: PTH116


@pytest.mark.parametrize("form", ["json", "phh", "ohh", "csv"])
def test_an_export_leaves_the_second_copy_alone(house: Path, form: str) -> None:
    """The JSON export has the name of the copy's file: it used to be replaced."""
    [copy] = (house / "copy").iterdir()
    before = copy.read_bytes()
    arguments = ["export", "--format", form, "--out", str(house / "copy"), str(house / "data")]
    done = CliRunner().invoke(omaha_table, arguments)
    assert copy.read_bytes() == before
    assert done.exit_code == (2 if form == "json" else 0)


@pytest.mark.parametrize("form", ["json", "phh", "ohh", "csv"])
def test_an_export_follows_no_symbolic_link(house: Path, form: str) -> None:
    out, victim = house / "out", house / "victim"
    arguments = ["export", "--format", form, "--out", str(out), str(house / "data")]
    assert CliRunner().invoke(omaha_table, arguments).exit_code == 0
    written = sorted(out.iterdir())[0]
    victim.write_text("mine")
    written.unlink()
    written.symlink_to(victim)
    done = CliRunner().invoke(omaha_table, arguments)
    assert done.exit_code == 2
    assert victim.read_text() == "mine"
    (house / "link").symlink_to(out)
    arguments[4] = str(house / "link")
    assert "symbolic link" in CliRunner().invoke(omaha_table, arguments).output


def test_a_program_log_does_not_end_up_in_a_journal(house: Path) -> None:
    [journal] = (house / "data").glob("*.journal")
    before = journal.read_bytes()
    done = CliRunner().invoke(omaha_table, ["--log", str(journal), "rules", "list"])
    assert (done.exit_code, journal.read_bytes()) == (2, before)


NAMES = (
    "../t8",
    "/tmp/t7",
    "a/b",
    "..",
    "-x",
    "t7\0",
    "t" * 65,
    "*",
    "t?",
    "[t]7",
    "t7-2026",
    "t 7",
)


@pytest.mark.parametrize("name", NAMES, ids=ascii)
@pytest.mark.parametrize("command", ["script", "enroll", "report"])
def test_a_tables_name_is_not_a_path(command: str, name: str, tmp_path: Path) -> None:
    """`enroll --table ../t8` used to move the keys of another table."""
    other = tmp_path / "t8"
    session = open_session(other)
    session.close()
    before = sorted((path.name, path.stat().st_mtime_ns) for path in other.iterdir())
    arguments = {
        "script": ["script", "--data", str(tmp_path / "data")],
        "enroll": ["enroll", "--data", str(tmp_path / "data"), "--reason", "why"],
        "report": ["report", "hand", "1", "--data", str(other)],
    }[command]
    done = CliRunner().invoke(omaha_table, [*arguments, f"--table={name}"])
    assert done.exit_code == 2
    assert "1 to 32 letters, digits or underscores" in done.output
    assert before == sorted((path.name, path.stat().st_mtime_ns) for path in other.iterdir())
