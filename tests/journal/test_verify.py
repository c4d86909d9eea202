"""What `verify` finds, even where a thief has linked and sealed everything again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from omaha_table.journal.verification import files_in, verify
from omaha_table.journal.writer import Clock
from tests.journal.days import (
    CLOSE,
    LINES,
    Line,
    check,
    delete_tail,
    forge,
    journal_file,
    open_session,
    raw,
    say,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def day(tmp_path: Path) -> Path:
    """A day with six hands that is still open."""
    session = open_session(tmp_path)
    say(session, *LINES)
    session.close()
    return tmp_path


def first_of(lines: list[Line], kind: str) -> Line:
    return next(line for line in lines if line.kind == kind)


def untouched(lines: list[Line]) -> None:
    pass


def a_larger_fee(lines: list[Line]) -> None:
    first_of(lines, "hand_ended").body["fee"] += 100


def another_table_in_a_seal(lines: list[Line]) -> None:
    first_of(lines, "journal_sealed").body["state"]["table"]["hands"] += 1


def other_rules_in_a_seal(lines: list[Line]) -> None:
    first_of(lines, "journal_sealed").body["state"]["rules_seq"] += 1


def an_unknown_event(lines: list[Line]) -> None:
    lines[4].kind = "unheard_of"


def an_event_of_another_version(lines: list[Line]) -> None:
    lines[4].body["v"] = 2


def a_player_who_never_came_buys_chips(lines: list[Line]) -> None:
    lines[4].kind, lines[4].body = "chips_bought", {"seat": 9, "amount": 100, "v": 1}


def no_opening_of_the_day(lines: list[Line]) -> None:
    lines[0].kind, lines[0].body = "recovered", {"where": "", "v": 1}


def an_event_before_the_table_is_opened(lines: list[Line]) -> None:
    lines[1].kind, lines[1].body = "recovered", {"where": "", "v": 1}


def rules_that_cannot_be_used(lines: list[Line]) -> None:
    lines[1].body["profile"] = {"profile": {}}


def a_day_before_that_is_no_hash(lines: list[Line]) -> None:
    lines[0].body["previous"] = "none"


def another_day(lines: list[Line]) -> None:
    lines[0].body["day"] = "2020-01-01"


@pytest.mark.parametrize(
    ("edit", "kind", "words"),
    [
        (a_larger_fee, "replay", "hand_ended of hand 1"),
        (another_table_in_a_seal, "replay", "sealed state of the table does not match"),
        (other_rules_in_a_seal, "replay", "sealed state of the table does not match"),
        (an_unknown_event, "unreadable", "cannot be read"),
        (an_event_of_another_version, "unreadable", "cannot be read"),
        (a_player_who_never_came_buys_chips, "replay", "does not fit"),
        (no_opening_of_the_day, "foreign", "does not start with the opening of a day"),
        (an_event_before_the_table_is_opened, "foreign", "before the opening of the table"),
        (rules_that_cannot_be_used, "replay", "rules"),
        (a_day_before_that_is_no_hash, "changed", "was changed or damaged"),
        (another_day, "renamed", "2020-01-01"),
    ],
)
def test_a_chain_that_holds_does_not_make_an_impossible_day_sound(
    closed: Path, edit: Callable[[list[Line]], None], kind: str, words: str
) -> None:
    forge(journal_file(closed), edit)
    [damage] = check(closed).damage
    assert damage.kind == kind, damage
    assert words in damage.message


def test_a_day_that_is_only_linked_and_sealed_again_passes_the_replay(closed: Path) -> None:
    """The forger of these tests makes no mistake of its own."""
    forge(journal_file(closed), untouched)
    assert check(closed).sound


def test_a_seal_must_be_signed_with_the_key_that_the_one_before_it_named(closed: Path) -> None:
    def later(lines: list[Line]) -> None:
        for line in lines:
            line.at_us += 1

    forge(journal_file(closed), later, "link")
    [damage] = check(closed).damage
    assert (damage.kind, damage.message) == ("seal", "the seal was made with another key")


def test_a_seal_signed_with_a_key_that_was_used_up_is_found(closed: Path) -> None:
    """The first key signs the first seal and no other."""

    def the_first_signature_again(lines: list[Line]) -> None:
        seals = [line for line in lines if line.kind == "journal_sealed"]
        seals[1].body["signature"] = seals[0].body["signature"]

    forge(journal_file(closed), the_first_signature_again, "link")
    [damage] = check(closed).damage
    assert damage.kind == "seal"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"head": "00" * 32}, "does not match the end of this day"),
        ({"seq": 7}, "does not match the end of this day"),
        (None, "cannot be read"),
    ],
)
def test_a_receipt_must_be_of_this_end(
    closed: Path, change: dict[str, Any] | None, words: str
) -> None:
    path = journal_file(closed).with_suffix(".receipt")
    kept = json.loads(path.read_text(encoding="utf-8"))
    path.write_text("" if change is None else json.dumps(kept | change))
    [damage] = check(closed).damage
    assert damage.kind == "receipt"
    assert words in damage.message


def test_a_receipt_beside_a_day_without_its_end_is_found(closed: Path) -> None:
    path = journal_file(closed)
    path.with_suffix(".witness").unlink()
    with raw(path) as db:
        db.execute("DELETE FROM event WHERE seq > 100")
    db.close()
    [damage] = check(closed).damage
    assert (damage.event, damage.kind) == (100, "truncated")
    assert "receipt" in damage.message


def test_an_open_day_without_its_tail_is_found_by_its_witness(day: Path) -> None:
    delete_tail(journal_file(day))
    [damage] = check(day).damage
    assert (damage.event, damage.kind) == (100, "truncated")
    assert "witness" in damage.message


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[1]", b'{"seq": Infinity, "head": ""}'])
def test_a_witness_that_cannot_be_read_is_damage(day: Path, content: bytes) -> None:
    journal_file(day).with_suffix(".witness").write_bytes(content)
    [damage] = check(day).damage
    assert damage.kind == "witness"


def test_an_open_day_written_again_under_its_witness_is_found(day: Path) -> None:
    """The end is as long as it was, and the whole chain is linked and sealed again."""
    path = journal_file(day)
    witness = path.with_suffix(".witness")
    seen = witness.read_text(encoding="utf-8")
    forge(path, untouched)
    assert check(day).sound
    witness.write_text(seen)
    [damage] = check(day).damage
    assert (damage.event, damage.kind) == (json.loads(seen)["seq"], "witness")


def test_events_after_those_the_witness_has_seen_are_no_damage(tmp_path: Path) -> None:
    """The witness is written at each seal; a hand that is being played goes beyond it."""
    session = open_session(tmp_path)
    say(session, *LINES, "hand", "deal")
    verdict = check(tmp_path)
    session.close()
    assert verdict.sound, verdict.damage
    assert verdict.open_days == [journal_file(tmp_path).name]


def test_a_day_from_which_all_events_were_taken_is_found(day: Path) -> None:
    path = journal_file(day)
    with raw(path) as db:
        db.execute("DELETE FROM event")
    db.close()
    [damage] = check(day).damage
    assert (damage.kind, damage.message) == ("truncated", "all events are missing")
    path.with_suffix(".witness").unlink()
    assert check(day).open_days == [path.name], "a day on which nothing was written yet"


def test_a_journal_under_another_name_is_found(closed: Path) -> None:
    path = journal_file(closed)
    path.rename(path.with_name("t8-2026-11-14.journal"))
    [damage] = check(closed).damage
    assert damage.kind == "renamed"
    assert "t7" in damage.message


def sittings(folder: Path, seconds: float, count: int = 2) -> list[Path]:
    """Days of a table, closed, some time after each other."""
    now = [1_800_000_000.0]
    clock = Clock(lambda: now[0], lambda: now[0])
    for _ in range(count):
        say(open_session(folder, clock=clock), *LINES, CLOSE)
        now[0] += seconds
    return files_in(folder)


def from_nothing(lines: list[Line]) -> None:
    lines[0].body["previous"] = "00" * 32


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(86400, "does not continue the day before"), (60, "not enrolled by a supervisor")],
)
def test_a_file_that_begins_from_nothing_needs_a_supervisor(
    tmp_path: Path, seconds: float, words: str
) -> None:
    """A later day can never begin so; another segment of the same day only if it was enrolled."""
    _, second = sittings(tmp_path, seconds)
    assert check(tmp_path).sound
    forge(second, from_nothing)
    [damage] = check(tmp_path).damage
    assert (damage.file, damage.kind) == (second.name, "link")
    assert words in damage.message


def test_a_segment_that_a_supervisor_enrolled_is_sound(tmp_path: Path) -> None:
    _, second = sittings(tmp_path, 60)

    def enrolled(lines: list[Line]) -> None:
        from_nothing(lines)
        lines[2].kind = "segment_enrolled"
        lines[2].body = {"broken": "x", "broken_head": "", "reason": "y", "by": ["F1"], "v": 1}
        del lines[3:]

    forge(second, enrolled)
    second.with_suffix(".receipt").unlink()
    assert verify([second]).sound
