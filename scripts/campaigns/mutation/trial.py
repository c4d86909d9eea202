"""One wrong change put to the tests, in a process of its own.

The process is forked from one that has imported what is not ours, so that it begins at once, and
nothing of the program, so that all of it is imported with the change in it. Only the module
that is imported is wrong: no file is written. A program that a test starts would have no change
in it, so the test ends there, as if it had passed.
"""

from __future__ import annotations

import ast
import gc
import importlib
import os
import resource
import signal
import sys
import tempfile
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import Phase, settings

from scripts.campaigns.mutation.operators import changes

if TYPE_CHECKING:
    from types import CodeType

    from scripts.campaigns.mutation.targets import Target

FOREIGN = (
    *("click", "cryptography.hazmat.primitives.ciphers.aead", "hypothesis.strategies"),
    *("cryptography.hazmat.primitives.asymmetric.x25519", "phevaluator", "platformdirs"),
    *("cryptography.hazmat.primitives.asymmetric.ed25519", "cryptography.hazmat.primitives.hpke"),
    *("cryptography.hazmat.primitives.kdf.argon2", "click.testing", "textual.app", "rich.table"),
    *("pokerkit", "pydantic", "serial", "sqlite3", "structlog"),
)
"""What the program and its tests use; all of it is imported before the first fork."""
FEW = {"OMAHA_EXAMPLES": "12", "OMAHA_EVENINGS": "12"}
"""How many random hands and evenings a test tries against a change."""
MEMORY = 2 << 30
PATIENCE = 5
"""How many times its seconds a trial may wait: others may have the processor."""
OPTIONS = (
    *("-x", "-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:randomly"),
    "--hypothesis-profile=mutation",
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
)

STARTS = frozenset(("os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "subprocess.Popen"))
"""The audit events of another program."""


def prepare() -> None:
    """Imports what is not ours, and has random tests look for a failure without shrinking it."""
    if "omaha_table" in sys.modules:
        raise RuntimeError("the program is imported already: it would not be changed")
    for name in FOREIGN:
        importlib.import_module(name)
    settings.register_profile(
        "mutation",
        phases=[Phase.explicit, Phase.generate],
        max_examples=30,
        derandomize=True,
        database=None,
        deadline=None,
    )
    os.environ.update(FEW)
    # A trial ends without cleaning up, so that its folders must not be in memory.
    os.environ["PYTEST_DEBUG_TEMPROOT"] = tempfile.gettempdir()
    gc.freeze()


def survives(target: Target, number: int | None, limit: int) -> bool:
    """Whether the tests pass with a change of a target, or with none; a hang is no pass.

    The limit is in seconds of processor time.
    """
    child = os.fork()
    if not child:
        _run(target, number, limit)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == 0


def _run(target: Target, number: int | None, limit: int) -> None:
    """In the child: ends it with 0 if every test passes."""
    end = 1
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(PATIENCE * limit)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        sys.meta_path.insert(0, _Finder(target, number))
        sys.addaudithook(_end_before_a_program)
        end = int(any(pytest.main([*OPTIONS, *files]) for files in target.tests))
    finally:
        os._exit(end)


def _end_before_a_program(event: str, _arguments: object) -> None:
    # Not a skip: a skip for a reason that is not listed fails the run. While files are collected
    # a program only says what the machine can do.
    if event in STARTS and "PYTEST_CURRENT_TEST" in os.environ:
        pytest.xfail("the change is not in a program that is started")


class _Finder:
    """Finds one module, and what it is with the change."""

    def __init__(self, target: Target, number: int | None) -> None:
        self._name, self._path = target.module, Path(target.source).resolve()
        tree, found = changes(self._path.read_text(encoding="utf-8"), target.only, target.about)
        if number is not None:
            found[number].make()
        self._code: CodeType = compile(ast.fix_missing_locations(tree), self._path, "exec")

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name != self._name:
            return None
        loader = _Loader(name, str(self._path))
        loader.code = self._code
        return spec_from_file_location(name, self._path, loader=loader)


class _Loader(SourceFileLoader):
    code: CodeType

    def get_code(self, fullname: str) -> CodeType:
        return self.code
