"""Days on disk for the tests of the journal, and every way to damage one."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from omaha_table.floor.files import demo_staff
from omaha_table.journal.days import day_files
from omaha_table.journal.events import ClockStepped, DayOpened, Record
from omaha_table.journal.opening import open_journal
from omaha_table.journal.verification import files_in, verify
from omaha_table.journal.writer import Clock
from omaha_table.rules import load_profile
from omaha_table.session import Session
from omaha_table.session.script import run_line
from tests.evening_text import evening

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from omaha_table.journal.verdict import Verdict
    from omaha_table.journal.writer import JournalWriter

LINES = list(evening(6, seed=3))
SEALS = ("journal_sealed", "street_sealed")
OPENING = 16
"""How many of the lines open the game: eight players, and a card of the draw for each."""
CLOSE = 'floor 4711 close "end of the day"'


def open_session(folder: Path, **options: Any) -> Session:
    profile = load_profile("ca_big_o")
    return Session.on_journal(folder, "t7", profile, profile.limits[0], demo_staff(), **options)


def session_and_writer(folder: Path) -> tuple[Session, JournalWriter]:
    """A session on a journal, and the writer that it writes by."""
    profile = load_profile("ca_big_o")
    writer = open_journal(folder, "t7", None, Clock())
    return Session(profile, profile.limits[0], demo_staff(), journal=writer), writer


def day_opened(journal: JournalWriter) -> Record:
    """The first event of a table's first day."""
    event = DayOpened(journal.table, journal.day, "00" * 32, journal.public_key, "test")
    return Record(1, None, event)


def note(seq: int) -> Record:
    """An event that changes nothing."""
    return Record(seq, None, ClockStepped(2.0))


def say(session: Session, *lines: str) -> list[dict[str, Any]]:
    answers = [answer for line in lines for answer in run_line(session, 1, line)]
    assert not [a for a in answers if a["type"] == "refused"], answers[-1]
    return answers


def link(head: bytes, seq: int, hand: int | None, at_us: int, mono_us: int, *texts: str) -> bytes:
    """The hash of a row, as a forger works it out who has only read how it is made."""
    numbers = struct.pack(">qqqq", seq, -1 if hand is None else hand, at_us, mono_us)
    made = hashlib.sha256(b"omaha-table journal 1\0" + head + numbers)
    for text in texts:
        made.update(struct.pack(">q", len(text.encode())) + text.encode())
    return made.digest()


def head_words(head: bytes) -> str:
    """The words of a slip, worked out bit by bit."""
    bits = "".join(f"{byte:08b}" for byte in head[:8])
    words = []
    for at in range(0, 64, 16):
        word, left = "", bits[at : at + 16]
        for letters, size in ("bdfghjklmnprstvz", 4), ("aiou", 2), ("bdfghjklmnprstvz", 4), (
            "aiou", 2), ("bdfghjklmnprstvz", 4):  # fmt: skip
            word, left = word + letters[int(left[:size], 2)], left[size:]
        words.append(word)
    return "-".join(words)


def journal_file(folder: Path) -> Path:
    """The only journal of a table."""
    [path] = day_files(folder)
    return path


def check(folder: Path) -> Verdict:
    return verify(files_in(folder))


def raw(path: Path) -> sqlite3.Connection:
    path.chmod(0o644)
    connection = sqlite3.connect(path)
    for trigger in ("no_update", "no_delete"):
        connection.execute(f"DROP TRIGGER IF EXISTS {trigger}")
    return connection


def change_award(path: Path) -> None:
    with raw(path) as db:
        db.execute(
            "UPDATE event SET body = replace(body, '\"fee\":', '\"fee\":1') WHERE kind='hand_ended'"
            " AND seq = (SELECT min(seq) FROM event WHERE kind='hand_ended')"
        )


def delete_row(path: Path) -> None:
    with raw(path) as db:
        db.execute("DELETE FROM event WHERE seq = 40")


def delete_tail(path: Path) -> None:
    with raw(path) as db:
        db.execute("DELETE FROM event WHERE seq > 100")


def swap_rows(path: Path) -> None:
    with raw(path) as db:
        db.execute("UPDATE event SET seq = -1 WHERE seq = 30")
        db.execute("UPDATE event SET seq = 30 WHERE seq = 31")
        db.execute("UPDATE event SET seq = 31 WHERE seq = -1")


def rewrite_everything(path: Path) -> None:
    """A thief changes an award and makes the whole chain again, but has not the old keys."""
    with raw(path) as db:
        rows = db.execute(
            "SELECT seq, hand, at_us, mono_us, kind, actor, body FROM event ORDER BY seq"
        ).fetchall()
        head = bytes(32)
        for seq, number, at, mono, kind, actor, body in rows:
            if seq == 20:
                body = body.replace('"entry":', '"entry":1')
            head = link(head, seq, number, at, mono, kind, actor, body)
            db.execute("UPDATE event SET body = ?, hash = ? WHERE seq = ?", (body, head, seq))


def newer(path: Path) -> None:
    with raw(path) as db:
        db.execute("PRAGMA user_version = 99")


def foreign(path: Path) -> None:
    path.chmod(0o644)
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE event(x)")


def empty(path: Path) -> None:
    path.chmod(0o644)
    path.write_bytes(b"")


def half(path: Path) -> None:
    path.chmod(0o644)
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def text(path: Path) -> None:
    path.chmod(0o644)
    path.write_text("this is no database " * 400, encoding="utf-8")


def add_row(path: Path) -> None:
    with raw(path) as db:
        last = db.execute("SELECT max(seq) FROM event").fetchone()[0]
        hash_ = db.execute("SELECT hash FROM event WHERE seq = ?", (last,)).fetchone()[0]
        new = link(hash_, last + 1, None, 0, 0, "player_left", "", '{"seat":1,"stack":null,"v":1}')
        db.execute(
            "INSERT INTO event VALUES(?,?,?,?,?,?,?,?)",
            (last + 1, None, 0, 0, "player_left", "", '{"seat":1,"stack":null,"v":1}', new),
        )


@dataclass
class Line:
    """An event of a journal that is forged."""

    seq: int
    hand: int | None
    at_us: int
    mono_us: int
    kind: str
    actor: str
    body: dict[str, Any]


def forge(
    path: Path,
    edit: Callable[[list[Line]], None],
    seals: Literal["sign", "link", "leave"] = "sign",
    previous: bytes | None = None,
    key: Ed25519PrivateKey | None = None,
) -> bytes:
    """A thief changes what was written and links it again from the first event on; the last head.

    Receipt, witness and the table's key are made to fit. Seals are signed again, with the thief's
    key, or only name the new heads, or are left as they are. `previous` is the head of the day
    before, where that was forged too.
    """
    key = key or Ed25519PrivateKey.generate()
    public = key.public_key().public_bytes_raw().hex()
    with raw(path) as db:
        found = db.execute(
            "SELECT seq, hand, at_us, mono_us, kind, actor, body FROM event ORDER BY seq"
        ).fetchall()
        lines = [
            Line(seq, hand, at, mono, kind, actor, json.loads(body))
            for seq, hand, at, mono, kind, actor, body in found
        ]
        edit(lines)
        if previous is not None:
            lines[0].body["previous"] = previous.hex()
        db.execute("DELETE FROM event")
        head = _start(lines[0])
        if seals == "sign" and "public_key" in lines[0].body:
            lines[0].body["public_key"] = public
        for line in lines:
            if line.kind in SEALS and seals != "leave":
                line.body["head"] = head.hex()
            if line.kind in SEALS and seals == "sign":
                line.body |= {"signature": key.sign(head).hex(), "next_key": public}
            content = json.dumps(line.body, sort_keys=True, separators=(",", ":"))
            row = (line.seq, line.hand, line.at_us, line.mono_us, line.kind, line.actor, content)
            head = link(head, *row)
            db.execute("INSERT INTO event VALUES(?,?,?,?,?,?,?,?)", (*row, head))
    db.close()
    for side in (path.with_suffix(".receipt"), path.with_suffix(".witness")):
        if side.exists():
            kept = json.loads(side.read_text(encoding="utf-8"))
            fits: dict[str, Any] = {"seq": lines[-1].seq, "head": head.hex()}
            if side.suffix == ".receipt":
                fits["words"] = head_words(head)
                if seals == "sign":
                    fits["next_key"] = public
            side.write_text(json.dumps(kept | fits))
    table_key = path.with_name(f"{path.name.partition('-')[0]}.key")
    if seals == "sign" and table_key.exists():
        table_key.write_bytes(key.private_bytes_raw())
    return head


def forge_all(folder: Path, edit: Callable[[list[Line]], None]) -> None:
    """A thief makes all days again, from the first event of the first, and changes the last."""
    key, head = Ed25519PrivateKey.generate(), None
    *earlier, last = sorted(folder.glob("*.journal"))
    for path in earlier:
        head = forge(path, lambda lines: None, previous=head, key=key)
    forge(last, edit, previous=head, key=key)


def _start(first: Line) -> bytes:
    try:
        return bytes.fromhex(first.body.get("previous", "")) or bytes(32)
    except ValueError:
        return bytes(32)
