"""docs/roles.md, command by command: who the page names signs there, and nobody else does."""

from __future__ import annotations

import inspect
import shutil
from contextlib import closing
from typing import TYPE_CHECKING

import click
import pytest

from omaha_table.cli import omaha_table
from omaha_table.floor import RULINGS
from omaha_table.journal.office_book import read_office
from omaha_table.office.decisions import ACTS
from omaha_table.session.vocabulary import WORDS
from tests.journal.days import raw
from tests.office.evening import count, evening, run, signed
from tests.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ROLES = ("D1", "F1", "S1", "A1")
"""One of each role, in the order of the page."""
TITLES = {act.title: name for name, act in ACTS.items()}


def cells() -> Iterator[list[str]]:
    for line in (ROOT / "docs" / "roles.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("| `"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def page() -> dict[tuple[str, str], list[str]]:
    """What is signed for at each command, and what the page says of each role."""
    rows = (row for row in cells() if row[1] in {*TITLES, "nobody signs"})
    return {(row[0].split("`")[1], TITLES.get(row[1], "")): row[2:] for row in rows}


def leaves(group: click.Group, *before: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if command.hidden:
            continue  # the program itself gives it, to a process of its own
        if isinstance(command, click.Group):
            yield from leaves(command, *before, name)
        elif not command.hidden:
            yield " ".join((*before, name)), command


def test_every_command_and_every_ruling_has_its_row() -> None:
    assert {command for command, _ in page()} == {name for name, _ in leaves(omaha_table)}
    rulings = [row[0].strip("`") for row in cells() if row[-1] and len(row) == 7]
    assert rulings == [ruling.name for ruling in RULINGS]
    asking = {word.usage.split()[0] for word in WORDS if "PIN" in word.usage}
    assert asking == {"down", "shift", "floor"}


def test_a_command_at_which_nobody_signs_asks_for_no_pin() -> None:
    asks = ("signed_by(", "sign(", "count_one(", "_signed(", "_enroll_table(")
    for name, command in leaves(omaha_table):
        if (name, "") in page() and name != "setup":
            source = inspect.getsource(command.callback)  # type: ignore[arg-type]
            assert not any(word in source for word in asks), name


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A box $3 short, and another that nobody has counted."""
    folder = evening(tmp_path_factory.mktemp("made") / "data")
    assert count(folder, "6").exit_code == 0
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "data"
    return shutil.copytree(made, copy, ignore=shutil.ignore_patterns("*.ballast"))


def damage(folder: Path, journals: str) -> None:
    [path] = folder.glob(journals)
    with closing(raw(path)) as db, db:
        db.execute("UPDATE event SET actor = 'x' WHERE seq = (SELECT max(seq) FROM event)")


def explain(folder: Path) -> None:
    words = ("office", "explain", number(folder), "--by", "F2", *WHY, "--data", folder)
    assert run(*words, pins=("F2",)).exit_code == 0


def number(folder: Path) -> str:
    [counts] = read_office(folder).counts.values()
    return f"{counts[-1].year}-{counts[-1].seq}"


WHY = ("--reason", "seen on camera")
BOX = ("swing", "--box", "7", "--jackpot-box", "3", *WHY)
NEW = ("604713", "604713")


@pytest.mark.parametrize(
    ("command", "act", "words", "then"),
    [
        ("office explain", "explain", ("COUNT", "--by", "ID", *WHY), ()),
        ("office close", "close", ("COUNT", "--by", "ID", *WHY), ()),
        ("office threshold", "threshold", ("5", "--by", "ID"), ()),
        ("staff add", "staff", ("F9", "Fay", "floor", "--by", "ID"), NEW),
        ("staff disable", "staff", ("D2", "--by", "ID"), ()),
        ("staff enable", "staff", ("D2", "--by", "ID"), ()),
        ("staff pin", "staff", ("D2", "--by", "ID"), NEW),
        ("staff pin", "own_pin", ("ID",), NEW),
        ("enroll", "enroll", ("--table", "t7", "--by", "ID", *WHY), ()),
        ("enroll", "enroll_office", ("--office", "--by", "ID", *WHY), ()),
    ],
)
def test_one_person_signs_as_the_page_says(
    folder: Path, command: str, act: str, words: tuple[str, ...], then: tuple[str, ...]
) -> None:
    if act == "close":
        explain(folder)
    given = [number(folder) if word == "COUNT" else word for word in words]
    if command == "enroll":
        damage(folder, "office-*.journal" if act == "enroll_office" else "t7-*.journal")
    says = page()[command, act]
    # The refused first: they change nothing.
    for who, may in sorted(zip(ROLES, says, strict=True), key=lambda one: one[1] == "yes"):
        typed = [who if word == "ID" else word for word in given]
        done = run(*command.split(), *typed, "--data", folder, pins=(who, *then))
        if may == "–":
            assert done.exit_code == 2, (who, done.output)
            assert "may not" in done.stderr, done.output
        else:
            assert done.exit_code == 0, (who, done.output)
            break


@pytest.mark.parametrize("command", ["office count", "report"])
def test_two_persons_count_as_the_page_says(folder: Path, command: str) -> None:
    words = ("shift", *BOX) if command == "report" else BOX
    for who, may in zip(ROLES, page()[command, "count"], strict=True):
        for other in ("D2", "F2"):
            pair = (who, other)
            given = (*command.split(), *words, *signed(*pair), "--data", folder)
            done = run(*given, pins=pair)
            enough = may == "yes" or other == "F2"
            assert done.exit_code == (0 if enough else 2), (pair, done.output)
            assert ("one of them must be" in done.stderr) != enough
