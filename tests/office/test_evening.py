"""An evening after the last hand: boxes are counted, corrected, reviewed and printed."""

from __future__ import annotations

import json
import re
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, get_args, get_type_hints

from omaha_table.journal.office_book import read_office
from omaha_table.office.events import (
    BoxCounted,
    Change,
    HandNoted,
    HandTagged,
    ListTakenIn,
    OfficeEvent,
    OfficeOpened,
    PinAccepted,
    PinRefused,
    Signature,
    StaffChanged,
    TableEnrolled,
    ThresholdSet,
    Unsealed,
    VarianceClosed,
    VarianceExplained,
)
from omaha_table.review.reports.office_text import office_line
from tests.counters import signature
from tests.journal.days import raw
from tests.office.evening import count, run, signed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def number(data: Path) -> str:
    """The count that stands, as a command names it."""
    [counts] = read_office(data).counts.values()
    return f"{counts[-1].year}-{counts[-1].seq}"


def test_a_short_box_is_counted_corrected_explained_and_closed(data: Path) -> None:
    done = run("office", "threshold", "1", "--by", "S1", "--data", data, pins=("S1",))
    assert done.stdout == "A variance above $1 needs a review from now on.\n"
    assert "$51 over" in count(data, "60").stdout
    done = run(
        "report", "shift", "swing", "--data", data, "--box", "6", "--jackpot-box", "3",
        *signed("F2", "S1"), "--reason", "typed 60 for 6", pins=("F2", "S1"),
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "- Variance: **$3 short**\n" in done.stdout
    assert "- Jackpot variance: **agrees**\n" in done.stdout
    assert "- Counted by: **F2 Finn Lake and S1 Sam Vale, " in done.stdout
    assert "- Review of box B7: **open**\n" in done.stdout
    assert re.search(r"\| counted \| \$60 \| \$3 \| F1 Fern Hill and S1 Sam Vale", done.stdout)
    assert re.search(r"\| corrected \| \$6 \| \$3 \| F2 Finn .* \| typed 60 for 6 \|", done.stdout)

    which = number(data)
    listed = run("office", "variances", "--data", data).stdout
    assert f"{which}  t7 " in listed
    assert "counted $6, $3 short, open" in listed
    told = ("--data", data, "--reason", "hand 2 paid no fee")
    assert run("office", "explain", which, "--by", "F1", *told, pins=("F1",)).exit_code == 0
    assert "explained by F1 Fern Hill" in run("office", "variances", "--data", data).stdout
    told = ("--data", data, "--reason", "seen on camera")
    refused = run("office", "close", which, "--by", "F2", *told, pins=("F2",))
    assert refused.exit_code == 2
    assert "takes a shift manager" in refused.stderr
    assert run("office", "close", which, "--by", "S1", *told, pins=("S1",)).exit_code == 0
    assert run("office", "variances", "--status", "open", "--data", data).stdout == (
        "No variances.\n"
    )
    page = run("report", "shift", "swing", "--data", data).stdout
    assert re.search(
        r"Review of box B7: \*\*explained by F1 Fern Hill, .*: hand 2 paid no fee; "
        r"closed by S1 Sam Vale, .*: seen on camera\*\*",
        page,
    )
    verdict = run("verify", data)
    assert verdict.exit_code == 0, verdict.output


def test_who_explained_a_variance_does_not_close_it(data: Path) -> None:
    count(data, "6")
    which, told = number(data), ("--data", data, "--reason", "hand 2 paid no fee")
    early = run("office", "close", which, "--by", "S1", *told, pins=("S1",))
    assert "must be explained first" in early.stderr
    run("office", "explain", which, "--by", "S1", *told, pins=("S1",))
    own = run("office", "close", which, "--by", "S1", *told, pins=("S1",))
    assert own.exit_code == 2
    assert "Somebody else closes a variance" in own.stderr
    assert run("office", "close", which, "--by", "S2", *told, pins=("S2",)).exit_code == 0


def test_a_difference_up_to_the_threshold_needs_no_review(data: Path) -> None:
    run("office", "threshold", "3", "--by", "S1", "--data", data, pins=("S1",))
    assert count(data, "6").stdout == "Counted $6 and $3: $3 short.\n"
    assert run("office", "variances", "--data", data).stdout == "No variances.\n"
    assert run("office", "threshold", "--data", data).stdout == (
        "A variance above $3 needs a review.\n"
    )
    refused = run("office", "threshold", "9", "--by", "F1", "--data", data, pins=("F1",))
    assert refused.exit_code == 2


def test_a_jackpot_box_that_was_left_out_is_named(data: Path) -> None:
    given = ("office", "count", "swing", "--box", "9", *signed("F1", "S1"), "--data", data)
    assert run(*given, pins=("F1", "S1")).stdout == (
        "Counted $9: agrees.\nJackpot box J7 is not counted.\n"
    )
    assert (
        "| t7 | J7 | $3 | - | not counted |"
        in run("office", "sheet", "swing", "--data", data).stdout
    )


def test_a_correction_opens_the_review_again(data: Path) -> None:
    count(data, "6")
    first = number(data)
    told = ("--data", data, "--reason", "hand 2 paid no fee")
    run("office", "explain", first, "--by", "F1", *told, pins=("F1",))
    run("office", "close", first, "--by", "S1", *told, pins=("S1",))
    count(data, "7", "--reason", "a chip stuck in the box")
    assert "$2 short, open" in run("office", "variances", "--data", data).stdout
    refused = run("office", "explain", first, "--by", "F1", *told, pins=("F1",))
    assert "was corrected" in refused.stderr


def test_a_count_against_a_log_that_was_changed_says_so(data: Path) -> None:
    """What was due is what the log says: a change to it must not pass for a sum."""
    [journal] = data.glob("t7-*.journal")
    with closing(raw(journal)) as db, db:
        body = "SELECT seq, body FROM event WHERE kind = 'hand_ended' ORDER BY seq LIMIT 1"
        seq, text = db.execute(body).fetchone()
        less = text.replace('"fee":300', '"fee":0')
        assert less != text
        db.execute("UPDATE event SET body = ? WHERE seq = ?", (less, seq))
    done = count(data, "6")
    assert done.exit_code == 1
    assert "Counted $6" in done.stdout
    assert f"The log is NOT SOUND, so its sums may be wrong. {journal.name}" in done.stderr


def test_a_pin_in_front_of_a_reason_is_not_recorded(data: Path) -> None:
    count(data, "6")
    done = count(data, "7", "--reason", "820103 counted again")
    assert done.exit_code == 2
    assert "could be a PIN" in done.stderr
    told = ("--data", data, "--reason", "830105 seen")
    assert run("office", "explain", number(data), "--by", "F1", *told, pins=("F1",)).exit_code == 2
    told = ("--data", data, "--reason", "seen at 20:15, box 1200")
    assert run("office", "explain", number(data), "--by", "F1", *told, pins=("F1",)).exit_code == 0


# The sheet


def test_the_sheet_has_every_field_that_a_count_sheet_must_have(data: Path) -> None:
    """4 CCR 12385(a)(3): establishment, date and time of count, shift, box number, table number,
    amount per box, number of boxes, names of counters; a correction leaves the old figure."""
    count(data, "60")
    count(data, "6", "--reason", "typed 60 for 6", by=("F2", "S1"))
    [counts] = read_office(data).counts.values()
    sheet = ("office", "sheet", "swing", "--data", data, "--room", "Silver Creek")
    page = run(*sheet).stdout
    for text in (
        "- Establishment: **Silver Creek**",
        "- Shift: **swing**",
        f"- Gaming day: **{counts[0].event.day}**",
        "- Number of drop boxes: **1**",
        "- Number of jackpot boxes: **1**",
        "- Counters: **F2 Finn Lake and S1 Sam Vale**",
    ):
        assert text in page, text
    when = r"\d{4}-\d\d-\d\d \d\d:\d\d"
    assert re.search(rf"- Counted: \*\*{when}\*\*", page)
    assert re.search(rf"\| t7 \| B7 \| \$9 \| \$6 \| \$3 short \| {when} \| F2 .* \| open \|", page)
    assert "| t7 | J7 | $3 | $3 | agrees |" in page
    assert re.search(
        rf"\| t7 \| B7 and J7 \| \$60 and \$3 \| {when} \| F1 Fern Hill and S1 Sam Vale \| "
        rf"\$6 and \$3 \| {when} \| F2 Finn Lake and S1 Sam Vale \| typed 60 for 6 \|",
        page,
    )
    told = json.loads(run(*sheet, "--format", "json").stdout)
    assert told["establishment"] == "Silver Creek"
    [box] = told["counts"]
    assert [(c["counted"], c["by"], c["signed"]) for c in box["counts"]] == [
        (6000, ["F1", "S1"], True),
        (600, ["F2", "S1"], True),
    ]


def test_a_sheet_has_boxes_that_nobody_counted_or_that_are_still_open(data: Path) -> None:
    page = run("office", "sheet", "swing", "--data", data).stdout
    assert "| t7 | B7 | $9 | - | not counted |" in page
    assert "- Boxes counted: **0 of 1**" in page
    late = run("office", "sheet", "late", "--data", data).stdout
    assert "| t7 | B8 | $3 | - | still open |" in late
    done = run("office", "sheet", "graveyard", "--data", data)
    assert done.exit_code == 2
    assert "No box was opened for shift 'graveyard'" in done.stderr


def test_the_sheet_is_written_as_a_page_to_print(data: Path, tmp_path: Path) -> None:
    count(data, "6")
    out = tmp_path / "sheet.html"
    done = run("office", "sheet", "swing", "--format", "html", "--out", out, "--data", data)
    assert done.exit_code == 0, done.output
    text = out.read_text(encoding="utf-8")
    assert "<h1>Count sheet, shift swing" in text
    signed = re.findall(r"<p>(.*) <span>Date</span></p>", text)
    assert signed == ["F1 Fern Hill", "S1 Sam Vale"]


def test_the_log_says_in_words_what_was_recorded(data: Path) -> None:
    count(data, "60")
    count(data, "6", "--reason", "typed 60 for 6")
    count(data, "9", by=("F1", "D1"))
    run("office", "explain", number(data), "--by", "F1", "--reason", "no fee", "--data", data,
        pins=("000000",))  # fmt: skip
    lines = run("office", "log", "--data", data).stdout.splitlines()
    said = [line.split("  ", 2)[2] for line in lines]
    assert said[0] == "Office journal opened."
    assert said[1].startswith("Box B7 of t7 ")
    assert "counted: $60 ($51 over), jackpot box J7 $3 (agrees), by F1 Fern Hill and" in said[1]
    assert "corrected: $6 ($3 short)" in said[2]
    assert said[2].endswith("(signed): typed 60 for 6")
    assert said[3] == "PIN of F1 not accepted to explain a variance: wrong PIN."
    assert len(said) == 4


def test_the_log_has_words_for_every_entry() -> None:
    """Whatever can be recorded is said in one line, of every kind there is."""
    by = signature("S1")
    lines = [office_line(event) for event in every_entry(by)]
    assert len(set(lines)) == len(lines)
    for line in lines:
        assert not re.search(r"None|  | \(\)", line), line
    said = "\n".join(lines)
    for part in (
        "not accepted at t7 to count a box: somebody else has the new PIN.",
        "The staff list that was there before this journal is taken over.",
        "Cards unsealed, on the machine that deals: t7 2026-11-14, hands 3 to 5, seat 4, case 26-1",
        "The journal was not sound: event 7",
        "Cards unsealed: t7 2026-11-14, hand 3, all seats, case 26-1",
    ):
        assert part in said, said


def every_entry(by: Signature) -> Iterator[OfficeEvent]:
    """Each kind of entry, with each value of what is chosen from a few."""
    count = BoxCounted("t7", "2026-11-14", "log", "swing", "B7", "J7", 900, 300, 900, 300, 0, (by,))
    yield from (OfficeOpened({}), OfficeOpened({}, demo=True), count)
    yield from (replace(count, reason="typed 1 for 2"), replace(count, taken_in="Monday"))
    yield VarianceExplained("2026", 4, "a reason", by)
    yield VarianceClosed("2026", 4, "a reason", by)
    yield ThresholdSet(500, by)
    yield from (HandNoted("t7 x 1", "a note", by), HandNoted("t7 x 1", "a note", None))
    yield from (HandTagged("t7 x 1", "seen", on, by) for on in (True, False))
    yield ListTakenIn("review-notes.jsonl", "00", 3, 1)
    for change in get_args(Change):
        yield StaffChanged(change, "F2", "Finn Lake", "floor", by, "00")
    for why in get_args(get_type_hints(PinRefused)["why"]):
        yield PinRefused("count", "t7", "F1", why, 0, 0, "", 300)
    yield PinAccepted("count", "", False, by)
    cards = Unsealed("t7", "2026-11-14", "t7.journal", 3, 3, (), "26-1", "a report", (by, by))
    yield from (
        cards,
        replace(cards, last_hand=5, seats=(4,), at_the_table=True, not_sound="event 7"),
    )
    yield TableEnrolled("t7", "b.journal", "a.journal", "a page", "a reason", by)
