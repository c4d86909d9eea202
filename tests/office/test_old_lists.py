"""The lists of 0.1.0: shown, taken over once, and never taken for signed."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from omaha_table.journal.days import office_files
from omaha_table.journal.faults import JournalFault
from omaha_table.journal.office_book import OfficeReading, read_office
from omaha_table.office.events import BoxCounted, HandNoted, HandTagged, ListTakenIn
from omaha_table.review.index.box_openings import opened_boxes
from omaha_table.review.index.ledger import Ledger
from tests.console.terminal import Terminal
from tests.counters import hire, signature
from tests.office.evening import WITHOUT_RIGHTS, count, run, signed
from tests.released.views import RELEASED

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.office.state import CountKey


def key_of(data: Path) -> CountKey:
    return opened_boxes(sorted(data.glob("t7-*.journal")))[0].key


def line(data: Path, cents: int = 600, **change: object) -> str:
    """A line as 0.1.0 wrote it, without the number of the jackpot's box."""
    key = key_of(data)
    [day] = [path.stem.removeprefix("t7-") for path in data.glob("t7-*.journal")]
    made = {
        "table": "t7", "day": day, "log": key.log, "shift": "swing", "box": "B7",
        "counted": cents, "jackpot": 300, "due": 900, "jackpot_due": 300,
        "signed": ["Ada", "Ben"], "at": "2026-11-15T02:10:00",
    }  # fmt: skip
    return json.dumps(made | change) + "\n"


@pytest.fixture
def old(data: Path) -> Path:
    """Counted twice, a note, and a tag that was set, taken off and set; the last line of each list
    was cut short."""
    counts = line(data, 500) + line(data) + '{"table": "t7", "da'
    (data / "review-counts.jsonl").write_text(counts)
    notes = [{"hand": "t7 x 2", "note": "look again"}] + [{"hand": "t7 x 2", "tag": "look"}] * 3
    text = "".join(json.dumps({"at": "2026-11-15T02:00:00", **note}) + "\n" for note in notes)
    (data / "review-notes.jsonl").write_text(text + "[1]\n")
    return data


def files(data: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in data.iterdir()}


def test_old_counts_are_shown_as_unsigned(old: Path) -> None:
    before = files(old)
    page = run("report", "shift", "swing", "--data", old)
    assert page.exit_code == 0
    assert "- Variance: **$3 short**" in page.stdout
    assert "- Counters: **Ada and Ben (unsigned), 2026-11-15 02:10:00**" in page.stdout
    assert "| corrected | $6 | $3 | Ada and Ben (unsigned) |" in page.stdout
    assert "Counted by" not in page.stdout
    assert "signed" not in json.loads(
        run("report", "shift", "swing", "--format", "json", "--data", old).stdout
    )
    html = run("report", "shift", "swing", "--format", "html", "--data", old).stdout
    assert "<div class=signed>" not in html
    sheet = run("office", "sheet", "swing", "--data", old).stdout
    assert "| B7 | $9 | $6 | $3 short | 2026-11-15 02:10:00 | Ada and Ben (unsigned) |" in sheet
    assert files(old) == before


def test_what_was_due_when_an_open_shift_was_counted_is_said(data: Path) -> None:
    """0.1.0 let a box be counted while it was still being filled: two hands of three were dealt."""
    (data / "review-counts.jsonl").write_text(line(data, 600, due=600))
    page = run("report", "shift", "swing", "--data", data).stdout
    assert "- Fees due: **$9**" in page
    assert "- Fees due when counted: **$6**" in page
    assert "- Variance: **$3 short**" in page


def test_they_are_taken_over_once_with_the_first_entry(old: Path) -> None:
    lists = {name: (old / name).read_bytes() for name in files(old) if name.endswith(".jsonl")}
    Ledger(old).note("t7 x 3", "new", signature("F1"))
    events = [entry.event for entry in OfficeReading(old).entries()]
    counted = [event for event in events if isinstance(event, BoxCounted)]
    assert [(c.counted, c.taken_in, [by.id for by in c.by]) for c in counted] == [
        (500, "2026-11-15T02:10:00", ["Ada", "Ben"]),
        (600, "2026-11-15T02:10:00", ["Ada", "Ben"]),
    ]
    ends = [event for event in events if isinstance(event, ListTakenIn)]
    assert [(end.file, end.sha256, end.entries, end.damaged) for end in ends] == [
        (name, hashlib.sha256(lists[name]).hexdigest(), entries, 1)
        for name, entries in (("review-counts.jsonl", 2), ("review-notes.jsonl", 4))
    ]
    notes = [e for e in events if isinstance(e, HandNoted)]
    assert [(n.note, n.by is None) for n in notes] == [("look again", True), ("new", False)]
    assert [e.on for e in events if isinstance(e, HandTagged)] == [True, False, True]
    # What is written into a list now is not read, and nothing is taken over again.
    with (old / "review-counts.jsonl").open("a") as file:
        file.write(line(old, 900))
    Ledger(old).take_over()
    ledger = Ledger(old)
    ledger.note("t7 x 3", "newer", signature("F1"))
    known = ledger.count_of(key_of(old))
    assert known is not None
    assert known.event.counted == 600
    assert ledger.tags_of("t7 x 2") == {"look"}
    assert len([e for e in OfficeReading(old).entries() if isinstance(e.event, ListTakenIn)]) == 2
    assert run("verify", old).exit_code == 0


def test_an_old_count_is_corrected_by_a_signed_one(old: Path) -> None:
    refused = count(old, "9")
    assert "counted before: $6 and $3, by Ada and Ben (unsigned)" in refused.stderr
    assert count(old, "9", "--reason", "counted again").exit_code == 0
    sheet = run("office", "sheet", "swing", "--data", old).stdout
    assert "| $6 and $3 | 2026-11-15 02:10:00 | Ada and Ben (unsigned) | $9 and $3 |" in sheet
    assert run("verify", old).exit_code == 0


def test_a_list_that_is_planted_later_does_not_take_the_place_of_a_signed_count(
    data: Path,
) -> None:
    count(data, "6")
    (data / "review-counts.jsonl").write_text(line(data, 900) + line(data, 900, jackpot_box="J7"))
    for _ in range(2):
        known = Ledger(data).count_of(key_of(data))
        assert known is not None
        assert (known.event.counted, known.event.taken_in) == (600, "")
        Ledger(data).note("t7 x 1", "an entry takes it over", signature("F1"))
    assert run("verify", data).exit_code == 0


@pytest.mark.parametrize(
    "change",
    [
        {"counted": "300"}, {"counted": 3.5}, {"due": None}, {"jackpot": "1"}, {"jackpot": True},
        {"counted": 10**30}, {"signed": "F1"}, {"signed": [1, 2]}, {"at": 5},
        {"shift": ["swing"]}, {"jackpot_box": 8}, {"another": "key"}, {"box": "\ud800"},
        {"box": "B" * 2000},
    ],
)  # fmt: skip
def test_a_line_that_nobody_can_have_written_is_left_out(
    data: Path, change: dict[str, object]
) -> None:
    (data / "review-counts.jsonl").write_text(line(data) + line(data, 700, **change))
    for _ in range(2):
        ledger = Ledger(data)
        known = ledger.count_of(key_of(data))
        assert known is not None
        assert known.event.counted == 600
        ledger.take_over()
    [end] = [e.event for e in OfficeReading(data).entries() if isinstance(e.event, ListTakenIn)]
    assert (end.entries, end.damaged) == (1, 1)
    assert run("verify", data).exit_code == 0


@pytest.mark.parametrize(
    "notes", ['{"hand": "h", "tag": 5}', '{"hand": "h", "note": ["odd"]}', "\udcff", '{"note": ""}']
)
def test_a_note_that_is_no_text_is_left_out(data: Path, notes: str) -> None:
    text = f'{notes}\n{{"hand": "h", "tag": "look"}}\n{{"hand": "h", "note": "{"x" * 400}"}}\n'
    (data / "review-notes.jsonl").write_bytes(text.encode(errors="surrogateescape"))
    ledger = Ledger(data)
    ledger.take_over()
    assert ledger.tags_of("h") == {"look"}
    assert [noted.event.note for noted in ledger.notes_of("h")] == ["x" * 400]
    assert run("verify", data).exit_code == 0


TAKE_OVER = """
import sys, time
from pathlib import Path
from omaha_table.review.index.ledger import Ledger
ledger = Ledger(Path(sys.argv[1]))
print("now", flush=True)
ledger.take_over()
"""


def test_a_kill_while_they_are_taken_over_leaves_all_or_nothing(data: Path) -> None:
    (data / "review-counts.jsonl").write_text("".join(line(data, cents) for cents in range(500)))
    killed = 0
    for hundredths in range(12):
        program = subprocess.Popen(
            [sys.executable, "-c", TAKE_OVER, str(data)], stdout=subprocess.PIPE, text=True
        )
        assert program.stdout is not None
        program.stdout.readline()
        time.sleep(hundredths / 100)
        program.send_signal(signal.SIGKILL)
        killed += program.wait() == -signal.SIGKILL
        program.stdout.close()
        found = sum(isinstance(e.event, BoxCounted) for e in OfficeReading(data).entries())
        assert found in (0, 500)
        assert len(Ledger(data).counts_of(key_of(data))) == 500
    Ledger(data).take_over()
    assert killed
    ends = [e for e in OfficeReading(data).entries() if isinstance(e.event, ListTakenIn)]
    assert len(ends) == 1
    assert run("verify", data).exit_code == 0


# A folder that may only be read


@pytest.fixture
def closed(old: Path, tmp_path: Path) -> Path:
    old.chmod(0o500)
    return old


def test_who_may_only_read_sees_old_counts_and_is_refused_plainly(
    closed: Path, tmp_path: Path
) -> None:
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    before = files(closed)
    arguments = ["review", "--data", str(closed)]
    with Terminal(arguments, env=env, program=WITHOUT_RIGHTS) as terminal:
        terminal.wait("4 hands")
        terminal.press("4")
        terminal.wait("$3 short")
        terminal.press("2", "5")
        assert "Ada and Ben (unsigned)" in terminal.wait("VARIANCE")
        terminal.press("+")
        terminal.wait("You may read")
        terminal.press(".", ".", "*")
        terminal.wait("You may read")
        terminal.press(".", ".")
        assert terminal.end(30.0) == 0
    assert files(closed) == before
    done = subprocess.run(
        [*WITHOUT_RIGHTS, "office", "count", "swing", "--box", "9", "--reason", "counted again",
         "--signed", "F1", "--signed", "S1", "--data", str(closed)],
        capture_output=True, text=True, check=False, input="820103\n830105\n",
        env=os.environ | {"LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    assert done.returncode == 2
    assert "Nothing was recorded. This user may not write" in done.stderr
    assert files(closed) == before


def test_who_may_only_read_sees_signed_counts_too(data: Path, tmp_path: Path) -> None:
    count(data, "6")
    data.chmod(0o500)
    done = subprocess.run(
        [*WITHOUT_RIGHTS, "office", "variances", "--data", str(data)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "counted $6, $3 short, open" in done.stdout


def test_a_list_that_cannot_be_read_is_said(data: Path) -> None:
    (data / "review-counts.jsonl").mkdir()
    done = run("office", "variances", "--data", data)
    assert done.exit_code == 2
    assert "cannot be read: Is a directory" in done.stderr


def test_a_fault_while_it_is_taken_over_leaves_the_list_as_it_is(old: Path) -> None:
    (old / "office.key").mkdir()
    with pytest.raises(JournalFault):
        Ledger(old).take_over()
    assert read_office(old).counts == {} or not office_files(old)
    assert len(Ledger(old).counts_of(key_of(old))) == 2


# Lists that 0.1.0 itself wrote, beside journals that it wrote


def test_the_lists_of_the_released_version_are_taken_in_and_marked_unsigned(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    shutil.copytree(RELEASED / "0.1.0" / "evenings" / "data", data)
    shutil.copytree(RELEASED / "0.1.0" / "lists", data, dirs_exist_ok=True)
    hire(data)
    shift = ("swing", "--table", "cabigo", "--data", data)
    sheet = run("office", "sheet", *shift).stdout
    assert "| $25 | $5 short | 2026-11-18 09:05:00 | Ada and Ben (unsigned) |" in sheet
    assert not office_files(data), "who looks writes nothing"
    given = ("--box", "30", "--jackpot-box", "0", *signed("F1", "S1"))
    refused = run("office", "count", *shift, *given, pins=("F1", "S1"))
    assert "counted before: $25 and $0, by Ada and Ben (unsigned)" in refused.stderr
    done = run("office", "count", *shift, *given, "--reason", "counted again", pins=("F1", "S1"))
    assert done.exit_code == 0, done.output
    verdict = run("verify", data)
    assert verdict.exit_code == 0, verdict.output
    log = run("office", "log", "--data", data).stdout
    assert "review-counts.jsonl of 0.1.0 taken over: 2 entries." in log
    assert "review-notes.jsonl of 0.1.0 taken over: 2 entries." in log
    assert log.count("by Ada and Ben (unsigned, at 2026-11-18T09:0") == 2
    sheet = run("office", "sheet", *shift).stdout
    assert "| $30 | agrees |" in sheet
    assert "| $25 and $0 | 2026-11-18 09:05:00 | Ada and Ben (unsigned) | $30 and $0 |" in sheet
