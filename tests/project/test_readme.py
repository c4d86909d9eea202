"""The README and the pages of docs/ are true: their samples work as printed, their links lead on.

A page's `console` samples run in order in one empty folder that has `config` of the checkout. The
lines after a command are what it prints; `…` stands for any text, alone on a line for any lines.
`# exit status N` in a command says how it ends, where not with 0. Commands that need a terminal or
a device are parsed only.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click
import pytest

from omaha_table.cli import omaha_table
from omaha_table.rules import shipped_ids
from omaha_table.session.config import load_table
from tests.paths import PYTHONPATH, ROOT

if TYPE_CHECKING:
    from pathlib import Path

PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")]
PAGES += sorted((ROOT / "docs").rglob("*.md"))
MANUAL = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

PROGRAM = ("omaha-table", "scripts/console")
NEEDS_SCREEN_OR_DEVICE = ("console", "setup", "practice", "review", "devices")


class Pins:
    """What is typed where a sample of `staff` asks for PINs; no two people have the same one."""

    def __init__(self) -> None:
        self._of = {"S1": "482155"}
        self._new = iter(f"{number}" for number in range(864205, 864305))

    def asked(self, words: list[str]) -> str:
        if words[:2] == ["omaha-table", "staff"] and "--data" in words:
            person, by = words[3], words[words.index("--by") + 1] if "--by" in words else ""
            if words[2] == "init":
                return f"{self._of[person]}\n" * 2
            signed = self._of.get(by or person, "")
            if words[2] in ("add", "pin"):
                self._of[person] = next(self._new)
                return f"{signed}\n" + f"{self._of[person]}\n" * 2
            return f"{signed}\n"
        return ""


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.M)


@dataclass(frozen=True)
class Sample:
    command: str
    printed: str

    @property
    def words(self) -> list[str]:
        """The first line, as a shell would split it."""
        return shlex.split(self.command.replace("\\\n", " ").split("\n")[0], comments=True)

    @property
    def status(self) -> int:
        given = re.search(r"# exit status (\d+)", self.command)
        return int(given[1]) if given else 0

    @property
    def is_parsed_only(self) -> bool:
        words = self.words
        return words[0] in PROGRAM and (len(words) == 1 or words[1] in NEEDS_SCREEN_OR_DEVICE)


def samples(page: Path) -> list[Sample]:
    """The commands of a page, each with the lines that belong to it and what it prints."""
    found = []
    for block in blocks(page, "console"):
        lines = block.splitlines()
        while lines:
            line = lines.pop(0)
            assert line.startswith("$ "), f"{name_of(page)}: {line!r} belongs to no command"
            command = [line.removeprefix("$ ")]
            while command[-1].endswith("\\"):
                command.append(lines.pop(0))
            if "<<'END'" in command[-1]:
                while command[-1] != "END":
                    command.append(lines.pop(0))
            printed = []
            while lines and not lines[0].startswith("$ "):
                printed.append(lines.pop(0))
            found.append(Sample("\n".join(command), "\n".join(printed)))
    return found


def squeezed(text: str) -> str:
    """Without spaces at the ends of lines, and with one empty line where there are more."""
    lines = "\n".join(line.rstrip() for line in text.splitlines())
    return re.sub(r"\n{3,}", "\n\n", lines).rstrip("\n") + "\n"


def matches(shown: str, printed: str) -> bool:
    """Whether a program printed what a page shows, line by line from the first to the last."""
    pattern = ""
    for line in squeezed(shown).splitlines():
        if line == "…":
            pattern += r"(?:.*\n)*"
        else:
            pattern += ".*".join(map(re.escape, line.split("…"))) + r"\n"
    return re.fullmatch(pattern, squeezed(printed)) is not None


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder with the examples in it, and the program in `bin`."""
    (tmp_path / "config").symlink_to(ROOT / "config")
    program = tmp_path / "bin" / "omaha-table"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -P -m omaha_table "$@"\n')
    program.chmod(0o755)
    return tmp_path


def run(sample: Sample, folder: Path, pin: str = "") -> None:
    surroundings = {
        **os.environ,
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": PYTHONPATH,
        "XDG_DATA_HOME": str(folder),
        "LC_ALL": "C.UTF-8",
        "COLUMNS": "80",
    }
    surroundings.pop("OMAHA_TABLE_PEPPER", None)
    done = subprocess.run(
        ["sh", "-c", sample.command],
        cwd=folder,
        env=surroundings,
        input=pin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == sample.status, f"{sample.command}\n{done.stdout}"
    if sample.printed:
        assert matches(sample.printed, done.stdout), f"{sample.command}\n{done.stdout}"
    elif "<<" in sample.command:
        assert '"type":"refused"' not in done.stdout, f"{sample.command}\n{done.stdout}"


def parse(words: list[str]) -> None:
    """Raises click.UsageError for a command, an option or a choice that does not exist."""
    command: click.Command = omaha_table
    while isinstance(command, click.Group) and words:
        found = command.get_command(click.Context(command), words[0])
        assert found is not None, words
        command, words = found, words[1:]
    command.make_context("omaha-table", list(words))


@pytest.mark.parametrize("page", [page for page in MANUAL if samples(page)], ids=name_of)
def test_samples_work_as_printed(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for block in blocks(page, "toml"):
        (folder / block.split()[1]).write_text(block)
    pins = Pins()
    for sample in samples(page):
        if sample.is_parsed_only:
            parse(sample.words[1:])
            if sample.words[1:2] == ["setup"]:
                # What it asks on a terminal, as far as the samples after it need it.
                made = 'omaha-table staff init S1 "Sam" --data t7-data'
                run(Sample(made, ""), folder, pins.asked(shlex.split(made)))
        elif sample.words[0].startswith("scripts/"):
            assert (ROOT / sample.words[0]).is_file(), sample.command
        else:
            run(sample, folder, pins.asked(sample.words))


@pytest.mark.parametrize("page", [page for page in MANUAL if blocks(page, "toml")], ids=name_of)
def test_tables_in_samples_can_be_loaded(page: Path, tmp_path: Path) -> None:
    for block in blocks(page, "toml"):
        path = tmp_path / block.split()[1]
        path.write_text(block)
        table = load_table(path)
        assert table.rules in shipped_ids()
        named = re.findall(r"^\[devices\.(\w+)\]", block, re.M)
        assert [device.name for device in table.device_settings()] == named
        assert table.deck_required == ("shuffler" in named)


@pytest.mark.parametrize("page", MANUAL, ids=name_of)
def test_commands_in_the_text_exist(page: Path) -> None:
    for words in re.findall(r"`omaha-table ([a-z][^`]*)`", page.read_text("utf-8")):
        first = words.split()[0]
        assert omaha_table.get_command(click.Context(omaha_table), first), words


def anchors(page: Path) -> set[str]:
    """The names of a page's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.M)
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_to_a_file_and_a_heading(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        path = page.parent / name if name else page
        assert path.exists(), target
        if anchor:
            assert anchor in anchors(path), target


def test_no_sample_uses_the_data_of_another_page() -> None:
    """A reader may try the pages in any order, in one folder."""
    owners: dict[str, str] = {}
    for page in MANUAL:
        for sample in samples(page):
            if sample.words[0] == "omaha-table":
                for folder in re.findall(r"--(?:data|mirror|out) ([\w.-]+)", sample.command):
                    assert owners.setdefault(folder, name_of(page)) == name_of(page), folder


def test_every_page_and_picture_is_linked() -> None:
    linked = {
        (page.parent / target.partition("#")[0]).resolve()
        for page in PAGES
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8"))
    }
    kept = {*(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").rglob("*.svg")}
    assert not kept - linked


def test_every_promise_names_a_test_that_is_there() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    rows = [
        line for line in text.splitlines() if line.startswith("| ") and "| promise |" not in line
    ]
    assert len(rows) > 20
    for row in rows:
        named = re.findall(r"`((?:\w+/)+test_\w+\.py)`", row.rsplit("|", 2)[1])
        assert named, row
        assert all((ROOT / "tests" / name).is_file() for name in named), row


def test_the_readme_takes_five_minutes() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 150


def test_a_sample_that_prints_something_else_is_found(folder: Path) -> None:
    with pytest.raises(AssertionError):
        run(Sample("echo two", "one"), folder)
    with pytest.raises(AssertionError):
        run(Sample("omaha-table rules check nowhere.toml", ""), folder)
    with pytest.raises(click.UsageError):
        parse(["review", "--nonsense"])
    assert matches("a…d\n…\ne", "abcd\nx\ny\ne\n")
    assert not matches("a\nc", "a\nb\nc\n")
