"""docs/coverage.md is true: what it names exists, and no line of a document is left out.

The documents are not in this repository, so that their lengths are given here.
"""

from __future__ import annotations

import ast
import functools
import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pytest

from omaha_table.rules import load_profile, shipped_ids
from omaha_table.rules.checks import model_in, settings_of
from omaha_table.rules.profile import Profile
from omaha_table.rules.sources import TITLES
from tests.evenings import shipped
from tests.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import BaseModel

PAGE: Final = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
LENGTHS: Final = {
    "Omaha High/Low Split, California": 124,
    "Big Omaha, New Jersey (N.J.A.C. 13:69F-14.11A)": 87,
    "Omaha, California": 109,
    "Omaha High/Low, house sheet": 17,
    "Big O High/Low Split, California": 129,
}
YET, CHANGED = "not met yet", "not met as written"


@dataclass(frozen=True)
class Row:
    number: int
    lines: tuple[int, ...]
    rule: str
    met_by: str
    shown_by: str

    @property
    def waits(self) -> bool:
        """The program does not do it yet; what it will be called may be named already."""
        return YET in self.met_by

    @property
    def names(self) -> list[str]:
        return re.findall(r"`([^`]+)`", f"{self.met_by} {self.shown_by}")


@dataclass(frozen=True)
class Document:
    title: str
    length: int
    profiles: tuple[str, ...]
    without_rule: tuple[int, ...]
    rows: tuple[Row, ...]


def numbers(text: str) -> tuple[int, ...]:
    """'3, 5-7' is 3, 5, 6 and 7."""
    found: list[int] = []
    for part in text.split(", "):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return tuple(found)


def documents(page: str) -> list[Document]:
    found = []
    for section in page.split("\n## ")[1:]:
        title = section.partition("\n")[0]
        length, profiles = re.findall(r"^(\d+) lines\. Profile: (.*)\.$", section, re.M)[0]
        [without] = re.findall(r"^No rule for the table: lines (.*)\.$", section, re.M)
        rows = []
        for line in section.splitlines():
            if re.match(r"\| \d", line):
                number, lines, *texts = line.strip("| ").split(" | ")
                rows.append(Row(int(number), numbers(lines), *texts))
        named = tuple(re.findall(r"`(\w+)`", profiles))
        found.append(Document(title, int(length), named, numbers(without), tuple(rows)))
    return found


def listed(page: str, heading: str) -> tuple[int, ...]:
    """The rows that the top of the page lists under a heading; none: it has no such heading."""
    given = re.findall(rf"^- {heading}: rows ([\d, \n-]+)\.", page, re.M)
    return tuple(number for rows in given for number in numbers(" ".join(rows.split())))


# What a row may name


@functools.cache
def collected(path: str) -> frozenset[str]:
    """The tests of a file, as pytest would collect them."""
    file = ROOT / "tests" / path
    if not file.is_file() or not file.name.startswith("test_"):
        return frozenset()
    defined = ast.parse(file.read_text(encoding="utf-8")).body
    functions = [node.name for node in defined if isinstance(node, ast.FunctionDef)]
    return frozenset(name for name in functions if name.startswith("test_"))


def is_setting(names: list[str], model: type[BaseModel] | None) -> bool:
    field = None if model is None else settings_of(model).get(names[0])
    return field is not None and (
        len(names) == 1 or is_setting(names[1:], model_in(field.annotation))
    )


def values(data: Any, names: list[str], limit: str) -> Iterator[Any]:
    """What a profile's file has under a setting, in each limit or bracket that has it."""
    if not names:
        yield data
    elif isinstance(data, list):
        for item in data:
            if not limit or item.get("id", limit) == limit:
                yield from values(item, names, limit)
    elif names[0] in data:
        yield from values(data[names[0]], names[1:], limit)


SETTING: Final = re.compile(r"([a-z_]+)(?:\[([\w-]+)\])?((?:\.[a-z_]+)+)(?: = (.+))?")


def setting_holds(name: str, profiles: tuple[str, ...]) -> bool:
    """Whether a setting exists and each profile has it, with the value if one is given."""
    parts = SETTING.fullmatch(name)
    if parts is None:
        return False
    section, limit, rest, value = parts.groups()
    names = [section, *rest[1:].split(".")]
    if not is_setting(names, Profile):
        return False
    for profile_id in profiles:
        found = list(values(shipped(profile_id), names, limit or ""))
        if not found:
            return False
        if value and any(one != tomllib.loads(f"it = {value}")["it"] for one in found):
            return False
    return True


def exists(name: str, profiles: tuple[str, ...]) -> bool:
    if name in shipped_ids():
        return True
    if "::" in name:
        path, _, test = name.partition("::")
        return test in collected(path)
    if name.endswith(".py"):
        return (ROOT / "omaha_table" / name).is_file()
    if name.endswith(".txt"):
        # Those folders are run whole by tests.
        ran = re.fullmatch(r"config/examples/((rules|rulings)/)?\w+\.txt", name)
        return ran is not None and (ROOT / name).is_file()
    return setting_holds(name, profiles)


# What must hold


def faults(page: str) -> Iterator[str]:
    """Everything that is wrong with the page."""
    found = documents(page)
    if [document.title for document in found] != list(TITLES.values()):
        yield "the documents are not those of the profiles"
    if re.search(r"\d{3}_[0-9a-f]{16}", page):
        yield "a document is named by its id"
    rows = [row for document in found for row in document.rows]
    if [row.number for row in rows] != list(range(1, len(rows) + 1)):
        yield "the numbers of the rows have a gap"
    for heading, mark in (("Not met yet", YET), ("Not met as written", CHANGED)):
        if listed(page, heading) != tuple(row.number for row in rows if mark in row.met_by):
            yield f"the list of rows {mark} is not that of the rows"
    for document in found:
        yield from _lines(document)
        sources = {load_profile(one).profile.source for one in document.profiles}
        if {TITLES[source] for source in sources} != {document.title}:
            yield f"{document.title}: the profiles have another source"
        for row in document.rows:
            yield from (f"row {row.number}: {fault}" for fault in _row(row, document.profiles))


def _lines(document: Document) -> Iterator[str]:
    title, length = document.title, LENGTHS.get(document.title, 0)
    if document.length != length:
        yield f"{title}: it has {length} lines"
    if not document.rows:
        yield f"{title}: it has no row"
    with_rule = {line for row in document.rows for line in row.lines}
    twice = [line for line, times in Counter(document.without_rule).items() if times > 1]
    twice += with_rule & {*document.without_rule}
    if twice:
        yield f"{title}: lines {sorted(twice)} are without a rule and claimed again"
    claimed = with_rule | {*document.without_rule}
    if missing := {*range(1, length + 1)} - claimed:
        yield f"{title}: lines {sorted(missing)} are not accounted for"
    if beyond := claimed - {*range(1, length + 1)}:
        yield f"{title}: there are no lines {sorted(beyond)}"
    starts = [row.lines[0] for row in document.rows]
    if starts != sorted(starts):
        yield f"{title}: the rows are not in the order of its lines"


def _row(row: Row, profiles: tuple[str, ...]) -> Iterator[str]:
    own = tuple(name for name in row.names if name in shipped_ids())
    if not {*own} <= {*profiles}:
        yield f"{own} are not profiles of the document"
    missing = [name for name in row.names if not exists(name, own or profiles)]
    if missing and not row.waits:
        yield f"there is no {', '.join(missing)}"
    if row.waits and not missing and row.shown_by != YET:
        yield f"all that it names is there: take '{YET}' out, here and at the top"
    if not re.search(r"`[^`:]+`", row.met_by):
        yield "no setting or module meets it"
    if row.shown_by != YET and not re.search(r"`[^`]+(::\w+|\.txt)`", row.shown_by):
        yield "no test shows it"
    if row.shown_by == YET and not row.waits:
        yield "it has no test and does not say that it is not met"
    if not row.rule or len(row.rule) > 180:
        yield "a rule is a short fact"


def test_the_page_is_true() -> None:
    assert list(faults(PAGE)) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("`seats.max = 10`", "`seats.max = 11`", "there is no seats.max = 11"),
        ("`seats.max = 10`", "`seats.most = 10`", "there is no seats.most"),
        ("`limits[2-5].small_blind", "`limits[9-9].small_blind", "there is no limits[9-9]"),
        ("`nj_big_omaha_high`, `game.", "`ca_big_o`, `game.", "not profiles of the document"),
        ("`hand/split.py`", "`hand/halves.py`", "there is no hand/halves.py"),
        ("::test_worked_splits`", "::test_worked_halves`", "::test_worked_halves"),
        ("rules/four_tied_lows.txt", "rules/five_tied_lows.txt", "five_tied_lows.txt"),
        ("\n| 7 | ", "\n| 8 | ", "have a gap"),
        ("124 lines. Profile", "125 lines. Profile", "it has 124 lines"),
        ("lines 1-6, 8-10", "lines 1-6, 9-10", "lines [8] are not accounted for"),
        ("lines 1-6, 8-10", "lines 1-10", "lines [7] are without a rule and claimed again"),
        ("lines 1-6, 8-10", "lines 1-6, 6, 8-10", "lines [6] are without a rule"),
        ("| 124 | The room", "| 125 | The room", "there are no lines [125]"),
        (
            "; not met as written: a raise can be called",
            "; a raise can be called",
            "rows not met as written",
        ),
        ("- Not met as", "- Not met yet: rows 1.\n- Not met as", "the list of rows not met yet"),
        ("Omaha, California\n", "002_7ee144e8a0bb13d1\n", "named by its id"),
        ("Profile: `ca_omaha_high`", "Profile: `ca_omaha_hilo`", "have another source"),
    ],
)
def test_what_is_wrong_with_the_page_is_found(old: str, new: str, fault: str) -> None:
    assert old in PAGE
    assert any(fault in found for found in faults(PAGE.replace(old, new, 1)))


def test_a_row_that_waits_for_nothing_is_found() -> None:
    row = next(row for document in documents(PAGE) for row in document.rows if not row.waits)
    waiting = Row(row.number, row.lines, row.rule, f"{YET}: {row.met_by}", row.shown_by)
    [document] = [one for one in documents(PAGE) if row in one.rows]
    assert list(_row(row, document.profiles)) == []
    assert any("take 'not met yet' out" in fault for fault in _row(waiting, document.profiles))
