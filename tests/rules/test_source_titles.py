"""The documents that rules come from, by title."""

from __future__ import annotations

import re

import pytest

from omaha_table.rules import load_profile, shipped_ids
from omaha_table.rules.posted_card import card
from omaha_table.rules.sources import with_titles

DOCUMENT = re.compile(r"\d{3}_[0-9a-f]{16}")


@pytest.mark.parametrize("profile_id", shipped_ids())
def test_people_see_the_title_of_every_shipped_document(profile_id: str) -> None:
    profile = load_profile(profile_id)
    named = [profile.profile.source, *profile.sources.values()]
    assert any(DOCUMENT.search(source) for source in named)
    assert not any(DOCUMENT.search(with_titles(source)) for source in named)
    assert not any(DOCUMENT.search(with_titles(line.source)) for line in card(profile))


def test_what_a_source_says_beside_its_document_stays() -> None:
    source = "003_8957b683cb274f98; the size of the pot: the room"
    assert with_titles(source) == "Omaha High/Low, house sheet; the size of the pot: the room"


@pytest.mark.parametrize("source", ["the room", "Robert's Rules of Poker, ties", "999_0123"])
def test_a_source_in_words_is_shown_as_it_is(source: str) -> None:
    assert with_titles(source) == source
