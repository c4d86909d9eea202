"""What somebody with the disk and this program's source changes, and `verify` finds by itself.

The forger links, signs and writes receipts as the program does; only keys that were destroyed are
out of reach. What cannot be found without an anchor from outside is in `test_anchors.py`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal

import pytest

from omaha_table.journal.faults import Tampered
from tests.journal.days import (
    CLOSE,
    LINES,
    Line,
    check,
    forge,
    forge_all,
    journal_file,
    open_session,
    say,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from omaha_table.journal.verdict import Damage


def the_damage(folder: Path) -> Damage:
    [damage] = check(folder).damage
    return damage


def two_days(folder: Path) -> tuple[Path, Path]:
    for _ in range(2):
        session = open_session(folder)
        say(session, *LINES, CLOSE)
        session.close()
    first, second = sorted(folder.glob("*.journal"))
    return first, second


def nothing(lines: list[Line]) -> None:
    pass


# The keys


def test_a_day_that_is_made_again_begins_with_a_key_that_the_day_before_did_not_name(
    tmp_path: Path,
) -> None:
    _, second = two_days(tmp_path)
    forge(second, nothing)
    damage = the_damage(tmp_path)
    assert (damage.file, damage.event, damage.kind) == (second.name, 1, "link")
    assert "another key" in damage.message


def test_only_a_log_that_is_made_again_from_its_first_day_agrees_with_itself(
    tmp_path: Path,
) -> None:
    two_days(tmp_path)
    forge_all(tmp_path, nothing)
    assert check(tmp_path).sound


def test_a_key_is_compared_over_a_damaged_day_by_its_receipt(tmp_path: Path) -> None:
    first, second = two_days(tmp_path)
    forge(second, nothing)
    first.chmod(0o600)
    content = bytearray(first.read_bytes())
    content[len(content) // 2] ^= 0xFF
    first.write_bytes(content)
    assert [damage.file for damage in check(tmp_path).damage] == [first.name, second.name]


def open_day(folder: Path) -> Path:
    session = open_session(folder)
    say(session, *LINES)
    session.close()
    return journal_file(folder)


def cut_to_the_seal(before: int) -> Callable[[list[Line]], None]:
    def cut(lines: list[Line]) -> None:
        ends = [at for at, line in enumerate(lines) if line.kind == "journal_sealed"]
        del lines[ends[-1 - before] + 1 :]

    return cut


@pytest.mark.parametrize("hands", [1, 3])
def test_hands_that_are_cut_off_an_open_day_leave_a_key_that_no_event_names(
    tmp_path: Path, hands: int
) -> None:
    """The witness file is made to fit, and the seals that are left are the true ones."""
    path = open_day(tmp_path)
    forge(path, cut_to_the_seal(hands), "leave")
    damage = the_damage(tmp_path)
    assert (damage.kind, "signing key" in damage.message) == ("key", True)


def test_a_copy_without_the_key_is_judged_by_the_log_alone(tmp_path: Path) -> None:
    open_day(tmp_path)
    for end in ("key", "next"):
        (tmp_path / f"t7.{end}").unlink(missing_ok=True)
    assert check(tmp_path).sound


# The files beside the log


def test_an_open_day_needs_its_witness_file(tmp_path: Path) -> None:
    open_day(tmp_path).with_suffix(".witness").unlink()
    damage = the_damage(tmp_path)
    assert (damage.kind, "missing" in damage.message) == ("witness", True)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("table", "t8"),
        ("day", "2020-01-01"),
        ("seq", 1),
        ("seq", "1"),
        ("head", "00" * 32),
        ("words", "babab-babab-babab-babab"),
        ("next_key", "00" * 32),
        ("next_key", None),
    ],
)
def test_every_field_of_a_receipt_is_compared(tmp_path: Path, name: str, value: Any) -> None:
    session = open_session(tmp_path)
    say(session, *LINES, CLOSE)
    session.close()
    path = journal_file(tmp_path).with_suffix(".receipt")
    path.write_text(json.dumps(json.loads(path.read_text()) | {name: value}))
    damage = the_damage(tmp_path)
    assert (damage.kind, name.replace("_", " ") in damage.message) == ("receipt", True)


@pytest.mark.parametrize("content", ["[" * 100_000, '{"seq":' * 100_000, "1" * 10_000_000])
@pytest.mark.parametrize(("closed", "end"), [(True, "receipt"), (False, "witness")])
def test_a_file_beside_the_log_may_hold_anything(
    tmp_path: Path, closed: bool, end: str, content: str
) -> None:
    session = open_session(tmp_path)
    say(session, *LINES, *([CLOSE] if closed else []))
    session.close()
    path = journal_file(tmp_path).with_suffix(f".{end}")
    path.unlink()
    path.write_text(content)
    assert the_damage(tmp_path).kind == end


# The game


def test_a_hand_begins_with_the_chips_at_the_table(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    say(session, "seat 1 Ada 100", "seat 2 Ben 100", "seat 3 Carmen 100")
    say(session, 'floor 4711 button 3 "drawn"', "deal", "fold", "fold", "push", "deal")
    session.close()
    path = journal_file(tmp_path)
    assert check(tmp_path).sound

    def richer(lines: list[Line]) -> None:
        last = [line for line in lines if line.kind == "hand_started"][-1]
        last.body["stacks"]["1"] += 500

    forge(path, richer)
    damage = the_damage(tmp_path)
    assert (damage.kind, "other chips at seat 1" in damage.message) == ("replay", True)


# The hand that is being played


@pytest.fixture
def on_the_turn(tmp_path: Path) -> Path:
    """Three hands, and a fourth with the flop's betting closed."""
    session = open_session(tmp_path)
    for line in LINES:
        say(session, line)
        hand = session.state.hand
        fourth = hand is not None and session.state.hands >= 4
        if hand is not None and fourth and len(hand.board) == 3 and hand.actor is None:
            break
    else:
        raise AssertionError("no hand of these comes to the turn")
    session.close()
    assert check(tmp_path).sound
    return journal_file(tmp_path)


def actions(lines: list[Line]) -> list[Line]:
    """Of the open hand."""
    last = max(at for at, line in enumerate(lines) if line.kind == "journal_sealed")
    return [line for line in lines[last:] if line.kind == "acted"]


def another_time(lines: list[Line]) -> None:
    """An action was made a minute later than it was."""
    actions(lines)[0].at_us += 60_000_000


def without_street_seals(lines: list[Line]) -> None:
    last = max(at for at, line in enumerate(lines) if line.kind == "journal_sealed")
    actions(lines)[0].at_us += 60_000_000
    lines[last:] = [line for line in lines[last:] if line.kind != "street_sealed"]
    for seq, line in enumerate(lines, start=1):
        line.seq = seq


def without_the_street(lines: list[Line]) -> None:
    """The street was never closed: everything from its last action on is gone."""
    at = max(at for at, line in enumerate(lines) if line.kind == "acted")
    del lines[at:]


def without_the_hand(lines: list[Line]) -> None:
    at = max(at for at, line in enumerate(lines) if line.kind == "journal_sealed")
    del lines[at + 1 :]


@pytest.mark.parametrize(
    ("edit", "seals", "kind"),
    [
        (another_time, "leave", "seal"),
        (another_time, "link", "seal"),
        (without_street_seals, "leave", "key"),
        (without_the_street, "leave", "key"),
        (without_the_hand, "leave", "key"),
    ],
)
def test_what_a_street_has_sealed_cannot_be_written_again(
    on_the_turn: Path,
    edit: Callable[[list[Line]], None],
    seals: Literal["link", "leave"],
    kind: str,
) -> None:
    """The witness fits, and the seals of the hands before are the true ones."""
    forge(on_the_turn, edit, seals)
    assert the_damage(on_the_turn.parent).kind == kind
    with pytest.raises(Tampered):
        open_session(on_the_turn.parent)


def test_what_is_not_sealed_yet_is_only_linked(on_the_turn: Path) -> None:
    """SECURITY.md says so: between two street ends the log holds what its owner wants."""
    session = open_session(on_the_turn.parent)
    session.close()

    def later(lines: list[Line]) -> None:
        lines[-1].at_us += 60_000_000

    forge(on_the_turn, later, "leave")
    assert check(on_the_turn.parent).sound
