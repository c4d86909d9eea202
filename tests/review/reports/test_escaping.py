"""Names and reasons are anybody's text: a page, a table or a sheet shows them and no more."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

from click.testing import CliRunner

from omaha_table.cards import parse_cards
from omaha_table.cli import omaha_table
from omaha_table.review.reports.page import Bars, Entry, Fact, Report, Table, Timeline, rows, texts
from omaha_table.review.reports.render import as_html, as_markdown
from omaha_table.review.reports.summaries import incident
from tests.evenings import draw_lines
from tests.review.html_pages import Reader
from tests.review.nights import Night, read

if TYPE_CHECKING:
    from pathlib import Path


EVIL = '<x onload="y">&amp;|'


def evil(part: str) -> str:
    return f"{part}{EVIL}{part}"


def report(**changes: object) -> Report:
    flop = parse_cards("7c 5h 2s")
    sections = (
        Table(evil("a"), texts("Hand", evil("b")), rows(("1", evil("c"))), note=evil("u")),
        Table(evil("d"), texts(*"123456"), rows((evil("e"), flop, *"abcd"))),
        Bars(evil("f"), ((evil("g"), 1.0),)),
        Timeline(
            evil("i"),
            (
                Entry("20:00:00", evil("j"), 1),
                Entry("20:00:01", evil("k"), 2, cards=flop, strong=True),
                Entry(evil("l"), "FLOP", 3),
                Entry("20:00:03", evil("m"), 4, taken_back=True),
            ),
        ),
    )
    facts = (Fact(evil("n"), evil("o")), Fact("Board", flop), Fact(evil("q"), "1", strong=True),
             Fact(evil("p"), 4 * evil("v")))  # fmt: skip
    return Report(
        evil("r"), facts, sections, warnings=(evil("s"),), signatures=(evil("t"),),
        **changes,  # type: ignore[arg-type]
    )  # fmt: skip


def test_a_page_shows_every_text_as_it_is_and_makes_no_element_of_it() -> None:
    for one_page in (False, True):
        found = Reader(as_html(report(one_page=one_page)))
        assert "x" not in found.elements
        for part in "abcdefgijklmnopqrstuv":
            assert evil(part) in found.text, part
        assert any(evil("g") in label for label in found.labels)
        assert "onload" not in found.attributes


def test_a_bar_in_a_text_makes_no_column_in_markdown() -> None:
    rows = [line for line in as_markdown(report()).splitlines() if line.startswith("| ")]
    for row in rows:
        cells = re.split(r"(?<!\\)\|", row)[1:-1]
        assert len(cells) in (2, 3, 6), row
    assert r'| 1 | c\<x onload="y"\>\&amp;\|c |' in rows


def test_no_text_in_any_sheet_begins_a_formula(tmp_path: Path) -> None:
    night = Night(tmp_path, "ca_omaha_hilo")
    night.say('seat 1 "=1+1"', 'seat 2 "+1"', 'seat 3 "-1"', 'seat 4 "@A1"', 'seat 5 "a=1"')
    night.say(*draw_lines(5, range(1, 6)), 'shift "=S1" "+B7" none', 'down "@D1"')
    night.fold_out()
    night.close()
    out = tmp_path / "out"
    done = CliRunner().invoke(
        omaha_table, ["export", "--format", "csv", "--out", str(out), str(tmp_path)]
    )
    assert done.exit_code == 0, done.output
    found: dict[str, list[dict[str, str]]] = {}
    for path in out.iterdir():
        with path.open(newline="", encoding="utf-8") as file:
            found[path.stem] = list(csv.DictReader(file, strict=True))
    names = {row["seat"]: row["name"] for row in found["seats"]}
    assert names == {"1": "'=1+1", "2": "'+1", "3": "'-1", "4": "'@A1", "5": "a=1"}
    [hand], [fee] = found["hands"], found["fees"]
    assert (hand["dealer"], hand["shift"]) == ("'@D1", "'=S1")
    assert (fee["dealer"], fee["shift"], fee["box"]) == ("'@D1", "'=S1", "'+B7")


def test_names_and_reasons_are_escaped_and_cards_are_drawn_only_where_cards_are(
    tmp_path: Path,
) -> None:
    night = Night(tmp_path, "ca_omaha_hilo")
    night.say(
        'seat 1 "<b>As</b>"', 'seat 2 "Kd"', "seat 3 Carmen", *draw_lines(3, (1, 2, 3)), "deal"
    )
    night.say('floor 4711 misdeal "<script>alert(1)</script>"')
    [hand] = read(night.close())
    page = as_html(incident(hand))
    found = Reader(page)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "<b>As</b>" not in page
    assert ">Kd</td>" in page
    assert found.elements.isdisjoint(("script", "img"))
