"""The templates of reports: strict, escaping, and usable for pages of another program."""

from __future__ import annotations

import re
from importlib import resources

import pytest
from jinja2 import UndefinedError

from omaha_table.cards import parse_cards
from omaha_table.review.reports.layout import Charts, Grid, page_of
from omaha_table.review.reports.page import (
    Bars,
    Entry,
    Fact,
    Report,
    Table,
    Timeline,
    numbers,
    rows,
    texts,
)
from omaha_table.review.reports.render import as_html, environment


def test_what_a_template_does_not_find_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        environment().from_string("{{ page.nothing }}").render(page=page_of(Report("Day", ())))


def test_another_page_uses_the_same_frame_stylesheet_and_parts() -> None:
    made = environment().from_string(
        '{% extends "page.html" %}{% import "parts.html" as parts %}'
        "{% block title %}Floor{% endblock %}"
        '{% block body %}{{ parts.facts(facts, "facts") }}{% endblock %}'
    )
    page = made.render(facts=(Fact("Table", "<t7>"), Fact("Board", parse_cards("As Kd"))))
    assert "<title>Floor</title>" in page
    assert "<dt>Table</dt><dd>&lt;t7&gt;</dd>" in page
    assert '<b>A♠</b><b class="red">K♦</b>' in page
    assert "prefers-color-scheme: dark" in page


def test_control_characters_in_a_value_are_made_visible() -> None:
    page = as_html(Report("Day \x1b[31m\u202e", (Fact("a\x00", "b\x07"),)))
    assert not re.search("[\x00\x07\x1b\u202e]", page)
    assert page.count("\N{REPLACEMENT CHARACTER}") == 6


def test_charts_that_follow_each_other_stand_together_and_wide_tables_are_stacked() -> None:
    chart = Bars("Hands", (("19:00", 3.0),))
    narrow = Table("Fees", texts("Hand"), rows(("1",)))
    wide = Table("Rulings", texts(*"abcde"), rows(tuple("abcde")))
    blocks = page_of(Report("Day", (), (chart, chart, narrow, chart, wide))).blocks
    kinds = [len(block.drawings) if isinstance(block, Charts) else block.kind for block in blocks]
    assert kinds == [2, "grid", 1, "grid"]
    assert [block.stacked for block in blocks if isinstance(block, Grid)] == [False, True]


def test_every_cell_names_its_column_for_a_phone() -> None:
    table = Table("Fees", (*texts("Hand"), *numbers("Fee")), rows(("1", "$5"), ("2", "")))
    page = as_html(Report("Day", (), (table,)))
    assert '<td class="text" data-label="Hand">1</td>' in page
    assert '<td class="number" data-label="Fee">$5</td>' in page
    assert '<td class="number" data-label="Fee"></td>' in page, "an empty cell is left out there"


def test_the_more_there_is_in_a_hand_the_closer_it_is_set() -> None:
    def density(lines: int) -> str:
        entries = tuple(Entry("20:00:00", "seat 1 CALL 4", n) for n in range(lines))
        return page_of(Report("Hand", (), (Timeline("All", entries),), one_page=True)).density

    assert [density(lines) for lines in (20, 170, 250, 330, 900)] == [
        "", "few", "some", "many", "full",
    ]  # fmt: skip


def test_the_templates_are_data_of_the_package() -> None:
    folder = resources.files("omaha_table.review.reports") / "templates"
    found = {path.name for path in folder.iterdir()}
    assert found == {"page.html", "report.html", "parts.html", "style.css"}
