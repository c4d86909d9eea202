"""Which module imports which: nothing goes round in a circle, not even inside a function."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ["hand", "table", "floor", "journal", "session", "rules", "evaluate"]


def imports(path: Path, modules: set[str]) -> set[str]:
    """The modules among some that a file imports anywhere but for the type checker alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        for name, body in ast.iter_fields(node):
            if isinstance(body, list):
                setattr(node, name, [part for part in body if not _for_types_only(part)])
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found & modules


def _for_types_only(node: object) -> bool:
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
    )


def graph(folder: Path, prefix: str) -> dict[str, set[str]]:
    """Of the modules of a folder; a package's own file is what others may import, not a module."""
    files = {
        f"{prefix}.{path.stem}": path
        for path in sorted(folder.glob("*.py"))
        if path.name != "__init__.py"
    }
    return {name: imports(path, set(files)) for name, path in files.items()}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_module_of_a_package_imports_itself_by_way_of_others(package: str) -> None:
    found = graph(ROOT / "omaha_table" / package, f"omaha_table.{package}")
    assert len(found) > 1
    assert any(found.values())
    TopologicalSorter(found).prepare()


def test_a_circle_is_found_even_if_one_import_hides_in_a_function(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("from pack.two import second\n")
    (tmp_path / "two.py").write_text("def second():\n    from pack import one\n    return one\n")
    with pytest.raises(CycleError):
        TopologicalSorter(graph(tmp_path, "pack")).prepare()
    only_types = "if TYPE_CHECKING:\n    from pack.one import first\n"
    (tmp_path / "two.py").write_text(only_types)
    TopologicalSorter(graph(tmp_path, "pack")).prepare()


def test_no_module_has_the_name_of_a_function_in_it() -> None:
    """`hand.apply` must not be both a module and what it is for."""
    for package in PACKAGES:
        for path in (ROOT / "omaha_table" / package).glob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
            assert path.stem not in functions, path


def test_only_the_journal_and_the_list_of_hands_know_sqlite() -> None:
    """Every SELECT on the log is in journal/; the review has a database of its own."""
    databases = {"review/database.py", "review/projection.py"}
    package = ROOT / "omaha_table"
    for path in package.rglob("*.py"):
        name = path.relative_to(package).as_posix()
        if imports(path, {"sqlite3"}):
            assert name.startswith("journal/") or name in databases, name
