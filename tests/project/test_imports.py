"""Which module imports which: nothing goes round in a circle, not even inside a function."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from textual.app import App

ROOT = Path(__file__).resolve().parents[2]
CAMPAIGNS = "scripts.campaigns."
PACKAGES = [
    "hand",
    "table",
    "floor",
    "journal",
    "session",
    "rules",
    "evaluate",
    "dealer",
    "demo",
    "review",
]


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
        ".".join((prefix, *path.relative_to(folder).with_suffix("").parts)): path
        for path in sorted(folder.rglob("*.py"))
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


def modules_of_tests_and_campaigns() -> dict[str, Path]:
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): path
        for folder in (ROOT / "tests", ROOT / "scripts" / "campaigns")
        for path in folder.rglob("*.py")
    }


def test_tests_and_campaigns_import_each_other_one_way_only() -> None:
    """A file of tests imports a campaign, and that helpers of tests; no helper imports it back."""
    files = modules_of_tests_and_campaigns()
    found = {name: imports(path, set(files)) for name, path in files.items()}
    TopologicalSorter(found).prepare()
    users = {
        name
        for name, imported in found.items()
        if not name.startswith(CAMPAIGNS) and any(n.startswith(CAMPAIGNS) for n in imported)
    }
    assert users
    assert all(name.rpartition(".")[2].startswith("test_") for name in users), users


def test_the_product_imports_neither_tests_nor_campaigns() -> None:
    ours = {"tests", "scripts", "scripts.campaigns", *modules_of_tests_and_campaigns()}
    for folder in ("omaha_table", "drivers/omaha_drivers"):
        files = list((ROOT / folder).rglob("*.py"))
        assert files
        assert not [path for path in files if imports(path, ours)]


def test_no_module_has_the_name_of_a_function_in_it() -> None:
    """`hand.apply` must not be both a module and what it is for."""
    for package in PACKAGES:
        for path in (ROOT / "omaha_table" / package).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
            assert path.stem not in functions, path


def test_only_the_journal_the_list_of_hands_and_the_witness_know_sqlite() -> None:
    """Every SELECT on the log is in journal/; the review has a database of its own, and a witness
    the record of what it signed."""
    databases = {f"review/index/{name}.py" for name in ("database", "projection", "search")}
    databases.add("room/witness_record.py")
    package = ROOT / "omaha_table"
    for path in package.rglob("*.py"):
        name = path.relative_to(package).as_posix()
        if imports(path, {"sqlite3"}):
            assert name.startswith("journal/") or name in databases, name


def test_only_one_file_touches_private_parts_of_textual() -> None:
    """Textual may change them with any version; this is the file to look at then."""
    inherited = {name for name in dir(App) if name.startswith("_") and not name.startswith("__")}
    for path in (ROOT / "omaha_table").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        modules = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        private = {name for name in modules if name.startswith("textual") and "._" in name} | {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and node.attr in inherited
        }
        defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        touched = bool(private or defined & inherited) and any(
            name.startswith("textual") for name in modules
        )
        assert touched == (path.name == "textual_private.py"), (path, private)
