"""The campaign in short: a sample of changes is noticed, and one that is not noticed is told."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from scripts.campaigns.mutation.campaign import ACCEPTED, Campaign, read_accepted, unused
from scripts.campaigns.mutation.operators import changes
from scripts.campaigns.mutation.targets import TARGETS
from tests.paths import PYTHONPATH, ROOT

if TYPE_CHECKING:
    from pathlib import Path

SAMPLE = os.environ.get("OMAHA_MUTANTS", "8")

FEE = """
def fee(pot):
    if pot >= 100:
        return 5
    return 0
"""
NO_SUCH_POT = """
[[toy]]
line = "if pot >= 100:"
changes = [["if pot >= 100", "if pot > 100"], ["100", "101"]]
why = "No pot is of exactly that size."
"""
WEAK = "import toy\ndef test_fee(): assert (toy.fee(50), toy.fee(200)) == (0, 5)\n"
STRONG = "import toy\ndef test_fee(): assert (toy.fee(99), toy.fee(100)) == (0, 5)\n"
ON_A_TOY = """
import sys
from pathlib import Path
from scripts.campaigns.mutation.campaign import main
from scripts.campaigns.mutation.targets import Target
toy = Target("toy.py", (("test_toy.py",),))
sys.exit(main(["--list"], [toy], Path("accepted.toml")))
"""
HANGS = """
from scripts.campaigns.mutation.targets import Target
from scripts.campaigns.mutation.trial import prepare, survives
prepare()
toy = Target("toy.py", (("test_toy.py",),))
print(survives(toy, None, 30), survives(toy, 0, 2))
"""


def python(*arguments: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    paths = {"PYTHONPATH": f"{PYTHONPATH}{os.pathsep}{folder}"}
    return subprocess.run(
        [sys.executable, "-P", *arguments],
        cwd=folder, env=os.environ | paths, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.campaign
def test_a_sample_of_wrong_changes_from_every_group_is_noticed() -> None:
    done = python(
        "-m", "scripts.campaigns.mutation.campaign", "--sample", SAMPLE, "--seed", "7", "--list"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{int(SAMPLE):,} changes" in done.stdout
    assert "0 survived" in done.stdout


def test_every_change_that_is_accepted_can_still_be_made() -> None:
    assert not unused(TARGETS, read_accepted(ACCEPTED))


@pytest.mark.parametrize(("count", "shares"), [(20, [5, 5, 5, 5]), (23, [5, 6, 6, 6])])
def test_every_group_has_an_equal_share_of_a_sample(count: int, shares: list[int]) -> None:
    campaign = Campaign(TARGETS, read_accepted(ACCEPTED), tell=False)
    campaign.sample(count, seed=1)
    groups = Counter(target.group for target, _, _ in campaign.trials)
    assert sorted(groups) == ["floor", "journal", "money", "review"]
    assert sorted(groups.values()) == shares


def test_every_file_of_tests_that_is_named_is_there() -> None:
    named = {file for target in TARGETS for files in target.tests for file in files}
    assert not [file for file in sorted(named) if not (ROOT / file).is_file()]


def on_a_toy(folder: Path, test: str) -> subprocess.CompletedProcess[str]:
    (folder / "toy.py").write_text(FEE)
    (folder / "test_toy.py").write_text(test)
    return python("-c", ON_A_TOY, folder=folder)


def test_a_change_that_a_weak_test_lets_pass_is_told(tmp_path: Path) -> None:
    done = on_a_toy(tmp_path, WEAK)
    assert done.returncode == 1, done.stderr
    assert "toy.py:3: if pot >= 100:\n    if pot >= 100  ->  if pot > 100\n" in done.stdout
    assert "100  ->  101\n" in done.stdout
    assert done.stdout.endswith("2 survived\n")
    assert (tmp_path / "toy.py").read_text(encoding="utf-8") == FEE
    (tmp_path / "accepted.toml").write_text(NO_SUCH_POT)
    done = on_a_toy(tmp_path, WEAK)
    assert (done.returncode, "2 accepted" in done.stdout) == (0, True)


@pytest.mark.campaign
def test_a_test_at_the_boundary_notices_all_of_them(tmp_path: Path) -> None:
    done = on_a_toy(tmp_path, STRONG)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("0 survived\n")


@pytest.mark.campaign
def test_tests_that_fail_anyway_notice_nothing(tmp_path: Path) -> None:
    done = on_a_toy(tmp_path, WEAK.replace("(0, 5)", "(0, 6)"))
    assert (done.returncode, "fail as it is" in done.stderr) == (1, True)


@pytest.mark.campaign
def test_a_test_ends_where_it_starts_a_program_without_the_change(tmp_path: Path) -> None:
    """What comes before the program counts."""
    start = "\n    subprocess.run(['false'], check=True)\n"
    for test, survived in ((WEAK, 2), (STRONG, 0)):
        body = test.replace("(): ", "():\n    ").rstrip()
        done = on_a_toy(tmp_path, f"import subprocess\n{body}{start}")
        assert done.stdout.endswith(f"{survived} survived\n"), done.stdout + done.stderr


@pytest.mark.campaign
def test_a_change_that_never_ends_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "toy.py").write_text("def down(n):\n    while n:\n        n -= 1\n    return n\n")
    (tmp_path / "test_toy.py").write_text("import toy\ndef test(): assert toy.down(3) == 0\n")
    assert python("-c", HANGS, folder=tmp_path).stdout == "True False\n"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("if TYPE_CHECKING:\n    x = 1 + 1\n", []),
        ("def f(a: int | None) -> int | None:\n    '''Of 1 + 1.'''\n", []),
        ("x: Final[1 + 1] = y\n", []),
        ("say(f'{a + 1}')\n", [("say(f'{a + 1}')", "(removed)")]),
        ("x = a < b\n", [("a < b", "a <= b"), ("a < b", "a >= b")]),
        ("x = a and b\n", [("a and b", "b"), ("a and b", "a")]),
        ("x = min(a)\n", [("min(a)", "max(a)")]),
        ("x = sorted(a)\n", [("sorted(a)", "sorted(a, reverse=True)")]),
        ("x = a[1:]\n", [("1:", ":"), ("1", "2")]),
        ("x = a // b\n", [("a // b", "a * b")]),
        ("x = y if a else z\n", [("if a", "if True"), ("if a", "if False")]),
        ("while True:\n    f()\n", [("if True", "if False"), ("f()", "(removed)")]),
        ("x = a == 'b'\n", [("a == 'b'", "a != 'b'"), ("a == 'b'", "a == 'something else'")]),
        ("def f(a=3, b=False): ...\n", [("3", "4"), ("False", "True")]),
        ("def f(x):\n    x = a\n    y = b\n", [("x = a", "(removed)")]),
        ("def f():\n    return x\n", [("return", "return None")]),
    ],
)  # fmt: skip
def test_only_what_runs_is_changed(source: str, found: list[tuple[str, str]]) -> None:
    assert [(change.was, change.now) for change in changes(source)[1]] == found
