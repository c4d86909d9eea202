"""Tests and campaigns: filed by topic, no test is imported, none reads a stranger's privates."""

from __future__ import annotations

import ast
import functools
from typing import TYPE_CHECKING

import pytest

from tests.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

TESTS = ROOT / "tests"
CAMPAIGNS = ROOT / "scripts" / "campaigns"
FILES = sorted((*TESTS.rglob("*.py"), *CAMPAIGNS.rglob("*.py")))
# Named after how a bug was found, or after its repair, instead of what the tests show.
NOT_TOPICS = ("review_findings", "third_reading", "mended", "stays_chosen", "bugs", "regressions")

# Public, in spite of the underscore: of named tuples and of syntax trees.
DOCUMENTED = ("_replace", "_asdict", "_fields")


@functools.cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported_tests(tree: ast.AST) -> set[str]:
    """The modules of tests that a file imports."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {
        name
        for name in found
        if name.startswith("tests.") and any(part.startswith("test_") for part in name.split("."))
    }


def private_names(tree: ast.AST) -> set[str]:
    """What a module defines with an underscore: functions, constants, attributes."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.attr)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return {name for name in found if is_private(name)}


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in DOCUMENTED


def private_reads(tree: ast.AST) -> set[str]:
    """The private attributes that a file reads, sets or patches on anything but itself."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="self" | "cls")):
                pass
            case ast.Attribute(attr=name):
                found.add(name)
            case ast.ImportFrom(names=names):
                found |= {alias.name for alias in names}
            case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called), args=args) if (
                called in ("getattr", "setattr", "hasattr", "delattr")
            ):
                texts = [arg.value for arg in args if isinstance(arg, ast.Constant)]
                found |= {text.split(".")[-1] for text in texts if isinstance(text, str)}
    return {name for name in found if is_private(name)}


@functools.cache
def packages() -> dict[str, set[str]]:
    """The private names of each package of the product."""
    folders = [path for path in (ROOT / "omaha_table").iterdir() if path.is_dir()]
    found = {folder.name: folder for folder in folders} | {
        "drivers": ROOT / "drivers" / "omaha_drivers"
    }
    return {
        name: {private for path in folder.rglob("*.py") for private in private_names(parse(path))}
        for name, folder in found.items()
    }


def strangers(path: Path, tree: ast.AST, known: dict[str, set[str]]) -> set[str]:
    """Private names that a file reads and that another package than its own defines.

    A folder of tests has the package of its name; a campaign has none.
    """
    own = private_names(tree)
    if path.is_relative_to(TESTS):
        own |= known.get(path.relative_to(TESTS).parts[0], set())
    everywhere = set().union(*known.values())
    return (private_reads(tree) & everywhere) - own


def test_no_file_of_tests_is_imported() -> None:
    """What two files share is in a module beside them that is no file of tests."""
    assert not {path.name: found for path in FILES if (found := imported_tests(parse(path)))}


def test_files_are_named_by_topic() -> None:
    assert not [path.name for path in FILES if any(word in path.stem for word in NOT_TOPICS)]


def test_no_test_reads_a_private_attribute_of_another_package() -> None:
    known = packages()
    assert known["journal"]
    assert any(path.is_relative_to(CAMPAIGNS) for path in FILES)
    assert not {
        str(path.relative_to(ROOT)): found
        for path in FILES
        if (found := strangers(path, parse(path), known))
    }


@pytest.mark.parametrize(
    ("folder", "source", "found"),
    [
        ("review", "session._journal.close()", {"_journal"}),
        ("review", "patch.setattr(folding, '_end_hand', wrong)", {"_end_hand"}),
        ("review", "patch.setattr('omaha_table.table.folding._end_hand', wrong)", {"_end_hand"}),
        ("review", "from omaha_table.table.folding import _end_hand", {"_end_hand"}),
        ("table", "from omaha_table.table.folding import _end_hand", set()),
        ("session", "session._journal.close()", set()),
        ("session", "row._replace(seq=1)", set()),
    ],
)
def test_a_private_attribute_of_another_package_is_found(
    folder: str, source: str, found: set[str]
) -> None:
    assert strangers(TESTS / folder / "test_it.py", ast.parse(source), packages()) == found


def test_a_campaign_named_like_a_package_may_not_read_its_private_attributes() -> None:
    tree = ast.parse("session._journal.close()")
    assert strangers(CAMPAIGNS / "session" / "campaign.py", tree, packages()) == {"_journal"}


@pytest.mark.parametrize(
    "line", ["from tests.hand.test_pots import side_pot", "import tests.hand.test_pots"]
)
def test_an_import_of_a_file_of_tests_is_found(line: str) -> None:
    assert imported_tests(ast.parse(line))
    assert not imported_tests(ast.parse(line.replace("test_", "")))
