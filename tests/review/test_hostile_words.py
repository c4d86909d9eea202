"""Whoever writes a journal chooses every word in it. None of them may act where it is shown."""

from __future__ import annotations

import csv
import json
import tomllib
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from markdown_it import MarkdownIt

from omaha_table.cli import omaha_table
from omaha_table.dealer.screen.canvas import Canvas
from omaha_table.floor import Give
from omaha_table.journal.diary import Refusal, write_refusal
from omaha_table.log import set_up_log
from omaha_table.table import commands as table
from omaha_table.text import as_markdown_text, escaped, visible
from tests.evenings import draw_lines
from tests.journal.days import raw
from tests.review.driving import Driver
from tests.review.html_pages import Reader
from tests.review.nights import Night
from tests.review.scenes import desk

if TYPE_CHECKING:
    from pathlib import Path

ACTS = "\x1b]0;owned\x07\x1b[2J\x9b31m\x7f\x00\u202e\u2066\u200f\u2028\r\n# heading\n\n| a | b |\n"
MARKUP = "<script>alert(1)</script>`code`|*bold*_em_[link](http://evil.example)![i](x)~~s~~&lt;\\|"
EVIL = ACTS + MARKUP
COMMANDS = (
    ["verify"],
    *(["export", "--format", form] for form in ("phh", "ohh", "json")),
    *(["report", "hand", "1", "--format", form, "--data"] for form in ("md", "html", "json")),
    *(["report", "shift", EVIL, "--format", form, "--data"] for form in ("md", "html", "json")),
)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A hand whose names, dealer, shift, box, ruling and refusal are all chosen by an attacker."""
    night = Night(tmp_path / "data", "ca_omaha_hilo")
    session = night.session
    for seat in (1, 2, 3):
        assert session.do(table.SeatPlayer(seat, f"{EVIL}{seat}")).refusal is None
    assert session.do(table.OpenShift(EVIL, EVIL, EVIL)).refusal is None
    assert session.do(table.PushIn(EVIL)).refusal is None
    night.say(*draw_lines(3, (1, 2, 3)), "deal", "fold", "undo", "fold", "fold", "push")
    assert session.rule(Give(("4711",), "refund", ("1", "1", "0.50", EVIL))).refusal is not None
    night.say("deal")
    assert session.rule(Give(("4711",), "misdeal", (EVIL,))).refusal is None
    session.close()
    [path] = (tmp_path / "data").glob("*.journal")
    with closing(raw(path)) as db, db:
        # Written in the first hand, so it is on that hand's sheet.
        [seq] = db.execute("SELECT min(seq) FROM event WHERE kind = 'acted'").fetchone()
        write_refusal(db, Refusal(seq, 0, 1, EVIL, EVIL, EVIL, EVIL), 0)
    return tmp_path / "data"


def harmless(text: str) -> bool:
    return text.replace("\n", "").isprintable()


@pytest.mark.parametrize(
    "command", COMMANDS, ids=lambda command: "-".join(map(ascii, command))[:30]
)
def test_no_control_character_reaches_a_terminal(hostile: Path, command: list[str]) -> None:
    done = CliRunner().invoke(omaha_table, [*command, str(hostile)])
    assert done.exit_code in (0, 1), done.output
    assert done.stdout
    assert harmless(done.stdout)
    assert harmless(done.stderr)


@pytest.mark.parametrize("kind", [["hand", "1"], ["shift", EVIL]], ids=["hand", "shift"])
def test_a_markdown_report_has_the_structure_that_the_program_gave_it(
    hostile: Path, kind: list[str]
) -> None:
    """As a reader of GitHub's Markdown sees it; another program parses it."""
    done = CliRunner().invoke(omaha_table, ["report", *kind, "--data", str(hostile)])
    parsed = MarkdownIt("gfm-like", {"linkify": False, "html": True}).parse(done.stdout)
    kinds = {token.type for token in parsed}
    inside = {child.type for token in parsed for child in token.children or ()}
    assert not {"html_block", "blockquote_open", "fence"} & kinds
    assert inside <= {"text", "strong_open", "strong_close", "softbreak", "text_special"}
    headings = [token.tag for token in parsed if token.type == "heading_open"]
    assert headings.count("h1") == 1
    for at, token in enumerate(parsed):
        if token.type == "tr_open":
            row = parsed[
                at : next(i for i in range(at, len(parsed)) if parsed[i].type == "tr_close")
            ]
            cells = sum(t.type in ("td_open", "th_open") for t in row)
            assert cells > 1
    words = "".join(
        child.content for token in parsed for child in token.children or () if child.content
    )
    assert "<script>alert(1)</script>`code`|*bold*_em_[link]" in words, "shown as it was typed"


@pytest.mark.parametrize("kind", [["hand", "1"], ["shift", EVIL]], ids=["hand", "shift"])
def test_a_page_shows_the_words_and_no_element_of_them(hostile: Path, kind: list[str]) -> None:
    arguments = ["report", *kind, "--data", str(hostile), "--format", "html"]
    found = Reader(CliRunner().invoke(omaha_table, arguments).stdout)
    assert "script" not in found.elements
    assert visible(EVIL) in found.text


def test_exports_are_still_what_their_formats_are(hostile: Path) -> None:
    """The words come back as they were: an escape is the format's own."""
    run = CliRunner()
    phh = run.invoke(omaha_table, ["export", "--format", "phh", "--hand", "1", str(hostile)])
    assert tomllib.loads(phh.stdout)["players"][0][:-1] == EVIL
    lines = run.invoke(
        omaha_table, ["export", "--format", "json", str(hostile)]
    ).stdout.splitlines()
    assert json.loads(lines[0])["seats"][0]["name"][:-1] == EVIL
    ohh = run.invoke(omaha_table, ["export", "--format", "ohh", "--hand", "1", str(hostile)])
    assert json.loads(ohh.stdout)["ohh"]["players"][0]["name"][:-1] == EVIL


FORMULAS = (
    '=HYPERLINK("http://x")', "+1", "-1", "@A1", "\t=1", "\r=1", "\n=1", " =1", "\x00=1", "＝1",
)  # fmt: skip


@pytest.mark.parametrize("formula", FORMULAS, ids=ascii)
def test_no_cell_of_any_sheet_is_a_formula(tmp_path: Path, formula: str) -> None:
    """Not only in names: a journal says itself which table and day it is of."""
    night = Night(tmp_path / "data", "ca_omaha_hilo")
    for seat in (1, 2, 3):
        night.session.do(table.SeatPlayer(seat, f"{formula}{seat}"))
    night.session.do(table.NoteDevice("import", "played", formula))
    night.say(*draw_lines(3, (1, 2, 3)), "deal", "fold", "fold", "push")
    night.session.close()
    [path] = (tmp_path / "data").glob("*.journal")
    with closing(raw(path)) as db, db:
        [body] = db.execute("SELECT body FROM event WHERE seq = 1").fetchone()
        given = json.loads(body) | {"table": formula, "day": formula}
        db.execute("UPDATE event SET body = ? WHERE seq = 1", (json.dumps(given),))
    out = tmp_path / "out"
    arguments = ["export", "--format", "csv", "--out", str(out), str(tmp_path / "data")]
    assert (
        CliRunner().invoke(omaha_table, arguments).exit_code == 1
    )  # exported all the same, and said not to be sound
    for sheet in out.iterdir():
        with sheet.open(newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file, strict=True))
        assert len(rows) > 1 or sheet.stem == "later"
        for cell in (cell for row in rows for cell in row):
            bare = cell.lstrip(" \N{REPLACEMENT CHARACTER}")
            assert not bare.startswith(tuple("=+-@＝＋－＠\t\r\n")), (sheet.name, cell)
            assert cell.isprintable()


def test_a_file_name_cannot_act_either(tmp_path: Path) -> None:
    (tmp_path / "t7\x1b]0;owned\x07-2026-11-14.journal").write_bytes(b"not a journal")
    for command in (["verify"], ["export", "--format", "json"], ["report", "day", "x", "--data"]):
        done = CliRunner().invoke(omaha_table, [*command, str(tmp_path)])
        assert done.exit_code in (1, 2)
        assert "owned" in done.output
        assert harmless(done.output)


def test_a_name_on_the_screen_is_letters_in_cells() -> None:
    canvas = Canvas(80, 2)
    canvas.put(0, 0, ACTS, "label")
    canvas.right(80, 1, f"{ACTS}x", "label")
    for row in canvas.rows():
        assert all(segment.text.isprintable() for segment in row)
        assert sum(len(segment.text) for segment in row) == 80


def test_the_log_on_a_terminal_shows_no_control_character(
    capsys: pytest.CaptureFixture[str],
) -> None:
    import structlog

    set_up_log()
    structlog.get_logger("omaha_table.test").warning("a name", name=ACTS)
    shown = capsys.readouterr().err
    assert "owned" in shown
    assert "\x1b]0" not in shown
    assert harmless(shown)


def test_text_that_is_harmless_is_not_touched() -> None:
    for text in ("Zoë O'Neil", "dealer_read", "5-6", "$4.00", "北京", "Hand 3, t7_b", "a (b) c!"):
        assert visible(text) == escaped(text) == as_markdown_text(text) == text


def test_no_screen_of_the_review_shows_a_control_character(hostile: Path, tmp_path: Path) -> None:
    shown = ""
    with Driver(desk(hostile, tmp_path / "kept"), (120, 40)) as review:
        for keys in ("", "5", "0", ".", "-", "2 2 5", ". . 4", "5", ". . 0", ". / 4"):
            review.press(*keys.split())
            assert all(line.isprintable() for line in review.text.splitlines())
            shown += review.text
    assert "owned" in shown
