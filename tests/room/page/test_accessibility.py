"""What axe-core finds on every page, in a phone and on a tablet, light and dark: nothing serious.

axe-core is in the folder beside this file, under the Mozilla Public License 2.0. It runs inside the
page as a test, and is no part of the program.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browsers import needs_browser
from tests.counters import PINS
from tests.office.evening import HAND
from tests.room.page.browser import PHONE, TABLET
from tests.room.page.counting import count, path, shift
from tests.room.page.rooms import wait_until

if TYPE_CHECKING:
    from tests.room.page.browser import Tab
    from tests.room.page.conftest import Floor

pytestmark = needs_browser
AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text(encoding="utf-8")
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def findings(tab: Tab) -> list[str]:
    if not tab.run("Boolean(window.axe)"):
        tab.run(AXE + "; 0")
    found: dict[str, Any] = tab.run(f"axe.run(document, {json.dumps(RULES)})")
    return [
        f"{one['id']} ({one['impact']}): {one['nodes'][0]['html'][:200]} "
        f"{one['nodes'][0]['failureSummary'][:300]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical", "moderate")
    ]


@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
def test_every_page_can_be_used_without_eyes_or_a_mouse(
    floor: Floor, tab: Tab, size: tuple[int, int]
) -> None:
    called = floor.table().say("shift swing B1 J1", "down D1", "callfloor", *HAND, "hand", "deal")
    counted = shift(floor)
    visitor = floor.known()
    name = called.night.table
    wait_until(lambda: "number=1" in visitor.get(f"/table/{name}").text)
    count(visitor, path(counted), "7")
    tab.size(size)
    tab.go(floor.page.address)
    pages = {"sign in": findings(tab)}
    tab.fill(number="F1", pin=PINS["F1"])
    tab.submit("Open seats")
    paths = ["", "wall", f"table/{name}", "boxes", path(counted)[1:], path(shift(floor))[1:],
             "sections", "day", "search?q=pot>1", "search?q=pott", "none"]  # fmt: skip
    for one in paths:
        tab.go(floor.page.address + one)
        for is_dark in (False, True):
            tab.dark(on=is_dark)
            pages[f"{one}, {'dark' if is_dark else 'light'}"] = findings(tab)
    assert {page: found for page, found in pages.items() if found} == {}
    called.say("callfloor off")


def test_axe_finds_what_is_wrong(tab: Tab) -> None:
    """The check can fail."""
    tab.run("document.body.innerHTML = '<img src=x><input><p style=\"color:#bbb\">pale</p>'")
    assert len(findings(tab)) >= 3
