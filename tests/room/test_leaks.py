"""No face-down card on the way to the room: in rows, heartbeats, logs and tracebacks."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from omaha_table.floor.files import demo_staff
from omaha_table.room.bundle import write_bundle
from omaha_table.room.enrollment import enroll
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evening_text import evening
from tests.paths import PYTHONPATH, ROOT
from tests.room.witnesses import shipped

if TYPE_CHECKING:
    from pathlib import Path

    from tests.room.conftest import Room

CARD = re.compile(r"(?<![A-Za-z0-9])(?:10|[2-9TJQKA])[cdhs♣♦♥♠](?![A-Za-z0-9])")

FACE_UP = ("button_card_drawn", "tabled", "board_dealt", "hand_ended", "card_dealt")
"""Rows that name cards which everybody at the table sees."""
FAILS = """
import sys
from omaha_table.room.shipping import Shipping

def fail(shipping, **options):
    hand = ["As", "Kd", "Qh", "Jc", "Td"]
    raise RuntimeError(f"seat 3 holds {hand}, or AsKdQhJcTd")

Shipping.run = fail
sys.argv = ["omaha-table", *sys.argv[1:]]
from omaha_table.cli import main
main()
"""
"""A shipper that fails with cards in hand, in the text of the error and in its variables."""


def test_a_shipper_that_fails_logs_its_traceback_without_cards(
    room: Room, tmp_path: Path, evening: Path
) -> None:
    bundle, log = tmp_path / "t7.toml", tmp_path / "shipper.log"
    write_bundle(bundle, enroll(room.owner, "t7", "table"))
    done = subprocess.run(
        [sys.executable, "-P", "-c", FAILS, "--log", log, "room", "ship", "--data", evening,
         "--room", bundle, "--json"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, cwd=ROOT,
        env=os.environ | {"PYTHONPATH": PYTHONPATH},
    )  # fmt: skip
    assert done.returncode == 70
    logged = log.read_text(encoding="utf-8")
    assert "RuntimeError" in json.loads(logged.splitlines()[-1])["exception"]
    for text in (logged, done.stdout, done.stderr):
        assert not CARD.search(text), text
        assert "AsKd" not in text


def test_what_a_table_with_a_shoe_sends_names_no_card_that_lies_face_down(
    room: Room, tmp_path: Path
) -> None:
    """The room gets what the log has: sealed cards, and those that everybody sees."""
    folder, profile = tmp_path / "data", load_profile("ca_big_o")
    session = Session.on_journal(
        folder, "t7", profile, profile.limits[0], demo_staff(),
        office=X25519PrivateKey.generate().public_key(),
    )  # fmt: skip
    for line in [*evening(4, seed=21, shoe=True), "card As extra", "crad As", "show 3 As Kd"]:
        list(run_line(session, 1, line))
    session.close()
    shipped(room.table(), folder)
    rows = room.owner.execute("SELECT kind, body FROM room.event ORDER BY seq").fetchall()
    hidden = 0
    for kind, body in rows:
        if kind == "card_dealt" and json.loads(body)["kind"] in ("hole", "burn"):
            assert json.loads(body)["card"] is None
            hidden += 1
        elif kind not in FACE_UP:
            assert not CARD.search(body), kind
    assert hidden > 100
    said = room.owner.execute("SELECT code, message, rule FROM room.refusal").fetchall()
    assert said
    assert not any(CARD.search(" ".join(row)) for row in said)
