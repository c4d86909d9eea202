"""The project itself: what it imports, what it ships, what its scripts promise."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from omaha_table.rules import load_profile, shipped_ids

ROOT = Path(__file__).resolve().parents[2]


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.parametrize("room", ["cards", "money", "evaluate", "rules", "hand", "table"])
def test_the_core_imports_neither_textual_nor_rich(room: str) -> None:
    loaded = python(f"import sys, omaha_table.{room}; print(*sys.modules)").split()
    assert not {"textual", "rich", "click", "serial", "sqlite3"} & set(loaded)


def test_evaluate_needs_no_third_party_package() -> None:
    loaded = python("import sys, omaha_table.evaluate; print(*sys.modules)").split()
    assert not {"pydantic", "structlog", "cryptography"} & set(loaded)


def test_the_lock_has_hashes_and_no_addresses() -> None:
    for lock in (ROOT / "scripts" / "lock").glob("*.txt"):
        text = lock.read_text()
        assert "://" not in text
        assert " @ " not in text
        requirements = [line for line in text.splitlines() if line[:1].isalnum()]
        assert requirements
        assert all("==" in line for line in requirements)
        assert text.count("--hash=sha256:") >= len(requirements)


def test_the_pages_made_from_the_program_are_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "docs.py", "--check"],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_demo_table_names_a_shipped_profile_and_limit() -> None:
    demo = tomllib.loads((ROOT / "config" / "tables" / "demo.toml").read_text())
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


def test_the_wheel_works_outside_the_checkout(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", tmp_path, ROOT],
        check=True,
        capture_output=True,
    )
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = archive.read(next(n for n in names if n.endswith("/METADATA"))).decode()
    assert "omaha_table/config/tables/demo.toml" in names
    assert "License-Expression: Apache-2.0" in metadata
    # The dependencies are those of this environment; the program is the wheel's alone.
    home = tmp_path / "home"
    venv.create(home, with_pip=False)
    site = next((home / "lib").glob("python*/site-packages"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    dependencies = Path(sys.modules["pytest"].__file__ or "").parents[1]
    (site / "dependencies.pth").write_text(f"{dependencies}\n")
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    for profile in shipped_ids():
        hole = load_profile(profile).game.hole_cards
        cards = "Ah 3d 9c 9d Ts".split()[:hole]
        done = subprocess.run(
            [
                *(str(home / "bin" / "python"), "-P", "-m", "omaha_table", "showdown"),
                *("--rules", profile, "--board", "7c5h2sKdAs", "--hand", f"1:{' '.join(cards)}"),
            ],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "Pair of aces" in done.stdout
