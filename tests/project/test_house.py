"""The project itself: what it imports, what it ships, what its scripts promise."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import venv
from pathlib import Path

import pytest

from omaha_table import __version__
from omaha_table.rules import load_profile, shipped_ids
from tests.console.terminal import Terminal
from tests.paths import PYTHONPATH, ROOT


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


def test_the_dealers_console_runs_without_a_terminal() -> None:
    loaded = python("import sys, omaha_table.dealer.console; print(*sys.modules)").split()
    assert "textual" not in loaded


@pytest.mark.parametrize("room", ["cards", "money", "evaluate", "rules", "hand", "table"])
def test_the_core_imports_neither_textual_nor_rich(room: str) -> None:
    loaded = python(f"import sys, omaha_table.{room}; print(*sys.modules)").split()
    assert not {"textual", "rich", "click", "serial", "sqlite3"} & set(loaded)


def test_evaluate_needs_no_third_party_package() -> None:
    loaded = python("import sys, omaha_table.evaluate; print(*sys.modules)").split()
    assert not {"pydantic", "structlog", "cryptography"} & set(loaded)


def test_the_lock_has_hashes_and_no_addresses() -> None:
    for lock in (ROOT / "scripts" / "lock").glob("*.txt"):
        text = lock.read_text(encoding="utf-8")
        assert "://" not in text
        assert " @ " not in text
        requirements = [line for line in text.splitlines() if line[:1].isalnum()]
        assert requirements
        assert all("==" in line for line in requirements)
        assert text.count("--hash=sha256:") >= len(requirements)


def test_the_pages_made_from_the_program_are_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "docs.py", "--check"],
        env=os.environ | {"PYTHONPATH": PYTHONPATH},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_demo_table_names_a_shipped_profile_and_limit() -> None:
    demo = tomllib.loads((ROOT / "config" / "tables" / "demo.toml").read_text(encoding="utf-8"))
    assert demo["table"]["rules"] in shipped_ids()
    profile = load_profile(demo["table"]["rules"])
    assert profile.limit(demo["table"]["limit"])
    assert len(demo["players"]) <= profile.seats.max


def test_the_console_script_runs_from_any_folder(tmp_path: Path) -> None:
    (tmp_path / "omaha_table.py").write_text("raise SystemExit('the wrong module')")
    (tmp_path / "click.py").write_text("raise SystemExit('the wrong module')")
    done = subprocess.run(
        [str(ROOT / "scripts" / "console"), "showdown", "--help"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Examples:" in done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, made from the sdist, in an environment of its own; the folder of its programs.

    The packages it needs are those of this environment; the program is the wheel's alone.
    """
    folder = tmp_path_factory.mktemp("packages")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    [_sdist] = folder.glob("*.tar.gz")
    [wheel] = folder.glob("*.whl")
    assert wheel.name.startswith(f"omaha_table-{__version__}-")
    home = folder / "home"
    venv.create(home, with_pip=False)
    subprocess.run(
        [
            *(
                str(Path(sys.executable).resolve()),
                "-m",
                "pip",
                "--python",
                str(home / "bin" / "python"),
            ),
            *("install", "--no-deps", "--no-index", "--no-input", "-q", str(wheel)),
        ],
        check=True,
        capture_output=True,
    )
    site = next((home / "lib").glob("python*/site-packages"))
    dependencies = Path(sys.modules["pytest"].__file__ or "").parents[1]
    (site / "dependencies.pth").write_text(f"{dependencies}\n")
    return home / "bin"


def away_from_the_checkout() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}


@pytest.mark.parametrize("profile", shipped_ids())
def test_the_wheel_brings_its_rules(installed: Path, tmp_path: Path, profile: str) -> None:
    hole = load_profile(profile).game.hole_cards
    cards = "Ah 3d 9c 9d Ts".split()[:hole]
    done = subprocess.run(
        [
            *(str(installed / "omaha-table"), "showdown"),
            *("--rules", profile, "--board", "7c5h2sKdAs", "--hand", f"1:{' '.join(cards)}"),
        ],
        cwd=tmp_path,
        env=away_from_the_checkout(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Pair of aces" in done.stdout


def test_the_wheel_runs_the_demo_and_verifies_its_journal(installed: Path, tmp_path: Path) -> None:
    program = str(installed / "omaha-table")
    arguments = ["console", "--autoplay", "--hands", "2", "--pace", "fast", "--data", "journal"]
    here = {"PYTHONPATH": ""}
    with contextlib.chdir(tmp_path), Terminal(arguments, env=here, program=[program]) as terminal:
        assert terminal.end(90) == 0
    done = subprocess.run(
        [program, "verify", "journal"],
        cwd=tmp_path,
        env=away_from_the_checkout(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "2 hands replayed" in done.stdout
    assert "Sound." in done.stdout
    page = subprocess.run(
        [program, "report", "hand", "1", "--data", "journal", "--format", "html"],
        cwd=tmp_path,
        env=away_from_the_checkout(),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert page.startswith("<!doctype html>")
    assert "prefers-color-scheme" in page, "the wheel has the templates and the stylesheet"


def test_the_wheel_tries_an_adapter_of_ones_own_folder(installed: Path, tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "adding-a-device.md").read_text(encoding="utf-8")
    for name, code in re.findall(r"```python\n# (\w+\.py)\n(.*?)```", guide, re.DOTALL):
        (tmp_path / name).write_text(code, encoding="utf-8")
    kit = [str(installed / "omaha-table"), "devices", "conform", "acme_trial:AcmeTrial"]
    done = subprocess.run(
        [*kit, "--only", "one read"],
        cwd=tmp_path,
        env=away_from_the_checkout(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "It conforms."


def test_the_wheel_says_what_it_is(installed: Path) -> None:
    site = next((installed.parent / "lib").glob("python*/site-packages"))
    [metadata] = site.glob("omaha_table-*.dist-info/METADATA")
    text = metadata.read_text(encoding="utf-8")
    assert f"Version: {__version__}\n" in text
    assert "License-Expression: Apache-2.0" in text
    assert (site / "omaha_table" / "config" / "tables" / "demo.toml").exists()


@pytest.mark.parametrize("package", ["omaha_table", "omaha_drivers"])
def test_type_checkers_read_the_types_of_wheel_and_sdist(installed: Path, package: str) -> None:
    """Without the marker a type checker treats an installed package as untyped."""
    site = next((installed.parent / "lib").glob("python*/site-packages"))
    assert (site / package / "py.typed").exists()
    [sdist] = installed.parents[1].glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        assert any(name.endswith(f"/{package}/py.typed") for name in archive.getnames())


def test_the_sdist_brings_the_campaigns_that_its_tests_run(installed: Path) -> None:
    [sdist] = installed.parents[1].glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    kept = [
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "scripts" / "campaigns").rglob("*")
        if path.suffix in (".py", ".toml")
    ]
    assert kept
    assert not set(kept) - names
