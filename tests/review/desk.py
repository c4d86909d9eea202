"""A table on a journal, and a hand that the floor calls off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.staff_files import without_dealers

if TYPE_CHECKING:
    from pathlib import Path


RULED = ["hand", "deal", 'floor 4711 misdeal "string bet, two cards exposed"']


def session(folder: Path) -> Session:
    profile = load_profile("ca_big_o")
    return Session.on_journal(folder, "t7", profile, profile.limits[0], without_dealers())


def say(made: Session, *lines: str) -> None:
    for line in lines:
        for answer in run_line(made, 1, line):
            assert answer["type"] != "refused", (line, answer)
