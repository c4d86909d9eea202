"""An evening of known drops: every hand of three players takes $3, and $1 for the jackpot."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from click.testing import CliRunner

from omaha_table.cli import omaha_table
from tests.counters import PINS, hire
from tests.evenings import profile_with
from tests.review.nights import Night

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

    from omaha_table.rules import Profile

_BOARD = ("flop 7c 5h 2s", "check around", "turn Kd", "check around", "river As", "check around")
HAND: Final = ("deal", "call", "call", "check", *_BOARD, "high 1", "low 2", "push")
WITHOUT_RIGHTS: Final = [
    sys.executable,
    "-c",
    # Root may write anywhere, unless it gives that right away (PR_CAPBSET_DROP) and starts again.
    "import ctypes, os, sys\n"
    "for right in (1, 2): ctypes.CDLL(None).prctl(24, right, 0, 0, 0)\n"
    "os.execv(sys.argv[1], sys.argv[1:])",
    sys.executable,
    "-m",
    "omaha_table",
]
"""The program as a user who has no rights but those that a folder gives him."""


def rules() -> Profile:
    fees = [{"players": "2+", "fee": "3.00", "jackpot": "1.00"}]
    limit = {"id": "4-8", "structure": "limit", "small_bet": "4.00", "big_bet": "8.00",
             "small_blind": "2.00", "big_blind": "4.00", "fees": fees}  # fmt: skip
    return profile_with("ca_omaha_hilo", limit=limit)


def evening(folder: Path, table: str = "t7") -> Path:
    night = Night(folder, rules(), table=table).seat(3)
    night.say("shift swing B7 J7", "down D1", *HAND, *HAND, *HAND, "shift close")
    night.say("shift late B8 none", *HAND)
    night.close()
    hire(folder)
    return folder


def run(*arguments: object, pins: tuple[str, ...] = ()) -> Result:
    """A command; `pins` are the staff numbers whose PINs are typed, or PINs themselves."""
    typed = "".join(f"{PINS.get(pin, pin)}\n" for pin in pins)
    return CliRunner().invoke(omaha_table, [str(argument) for argument in arguments], input=typed)


def signed(*numbers: str) -> tuple[str, ...]:
    return tuple(part for number in numbers for part in ("--signed", number))


def count(
    data: Path, box: str, *options: str, jackpot: str = "3", by: tuple[str, str] = ("F1", "S1")
) -> Result:
    amounts = ("--box", box, "--jackpot-box", jackpot)
    given = ("office", "count", "swing", *amounts, *signed(*by), "--data", data, *options)
    return run(*given, pins=by)
