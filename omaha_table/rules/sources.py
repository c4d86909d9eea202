"""Titles of the documents that rules come from.

A profile names a document by its id. The id stays in data (profiles, journals, JSON), where it must
not change; people see the title.
"""

from __future__ import annotations

from typing import Final

TITLES: Final = {
    "000_d03adf3dd2d22c67": "Omaha High/Low Split, California",
    "001_120ea5a3bbf2e99b": "Big Omaha, New Jersey (N.J.A.C. 13:69F-14.11A)",
    "002_7ee144e8a0bb13d1": "Omaha, California",
    "003_8957b683cb274f98": "Omaha High/Low, house sheet",
    "004_62e76539aeb21045": "Big O High/Low Split, California",
}


def with_titles(source: str) -> str:
    """A source as people read it: the ids of known documents replaced by their titles.

    A source may be more than an id ("ID; the size of the pot: the room"), or a profile's own words.
    """
    for document, title in TITLES.items():
        source = source.replace(document, title)
    return source
