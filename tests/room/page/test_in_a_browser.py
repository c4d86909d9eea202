"""The page in a real browser: phone, tablet and wall.

They need Chromium or Chrome on PATH, or in OMAHA_BROWSER.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from omaha_table.room.database import connect
from tests.browsers import needs_browser
from tests.counters import PINS
from tests.room.page.browser import PHONE, TABLET, WALL
from tests.room.page.counting import counts, path, shift
from tests.room.page.pdf_text import text_of
from tests.room.page.rooms import served

if TYPE_CHECKING:
    from pathlib import Path

    from tests.room.page.browser import Tab
    from tests.room.page.conftest import Floor

pytestmark = needs_browser


def sign_in(tab: Tab, address: str, number: str = "F1", path: str = "") -> None:
    tab.go(address + path)
    tab.fill(number=number, pin=PINS[number])
    tab.submit("Open seats" if not path else "")


def names(tab: Tab, only: str = "") -> list[str]:
    """The tables in the order on the page."""
    found: list[str] = tab.run(
        f"[...document.querySelectorAll('.tile{only}:not([hidden]) .name')].map(x => x.innerText)"
    )
    return found


@pytest.mark.parametrize("size", [PHONE, TABLET, WALL], ids=["phone", "tablet", "wall"])
def test_a_table_that_calls_the_floor_comes_first(
    floor: Floor, tab: Tab, size: tuple[int, int]
) -> None:
    tab.size(size)
    floor.table(name=f"a{floor.count}_{size[0]}")
    sign_in(tab, floor.page.address)
    if size == WALL:
        tab.go(floor.page.address + "wall")
    table = floor.table()
    name = table.night.table
    tab.wait(f"document.getElementById('tile-{name}')")
    assert names(tab)[0] != name
    table.say("callfloor")
    tab.wait(f"document.querySelector('#tile-{name}.call')")
    tile = f"document.getElementById('tile-{name}')"
    assert tab.run(f"{tile}.innerText.includes('Floor called')")
    # Nobody stands before it who does not wait too.
    assert names(tab).index(name) < len(names(tab, ".call"))
    assert tab.run(f"{tile}.getBoundingClientRect().right <= innerWidth")
    assert tab.run("document.documentElement.scrollWidth <= innerWidth")
    tab.wait(f"{tile}.querySelector('.reason time').textContent.match(/[0-9]:[0-9][1-9]/)")
    table.say("callfloor off")
    tab.wait(f"!document.querySelector('#tile-{name}.call')")
    assert tab.complaints == []


def test_everything_works_by_keyboard(floor: Floor, tab: Tab) -> None:
    floor.table()
    sign_in(tab, floor.page.address)
    seen = []
    for _ in range(12):
        tab.key("Tab")
        seen.append(tab.run("document.activeElement.id || document.activeElement.innerText"))
    for label in ("Skip to the content", "Tables", "Sign out", "section", "needy", "sound"):
        assert any(str(one).startswith(label) for one in seen), (label, seen)
    assert tab.run("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_a_change_keeps_the_focus_on_the_tile_that_has_it(floor: Floor, tab: Tab) -> None:
    table = floor.table()
    name = table.night.table
    sign_in(tab, floor.page.address)
    tab.wait(f"document.getElementById('tile-{name}')")
    tab.run(f"document.querySelector('#tile-{name} a').focus()")
    table.say("callfloor")
    tab.wait(f"document.querySelector('#tile-{name}.call')")
    assert tab.run(f"document.activeElement.closest('.tile').id == 'tile-{name}'")


def test_light_and_dark_are_chosen_and_kept(floor: Floor, tab: Tab) -> None:
    color = "getComputedStyle(document.body).backgroundColor"
    sign_in(tab, floor.page.address)
    tab.dark(on=False)
    light = tab.run(color)
    tab.dark()
    assert tab.run(color) != light
    tab.run("document.getElementById('theme').click()")
    assert tab.run(color) == light
    tab.go(floor.page.address)
    assert tab.run(color) == light


def test_only_who_needs_somebody_is_shown_if_that_is_asked_for(floor: Floor, tab: Tab) -> None:
    calm, calls = floor.table(), floor.table().say("callfloor")
    sign_in(tab, floor.page.address)
    tab.wait(f"document.querySelector('#tile-{calls.night.table}.call')")
    tab.run("document.getElementById('needy').click()")
    assert calls.night.table in names(tab)
    assert calm.night.table not in names(tab)
    calm.say("callfloor")
    tab.wait(f"!document.getElementById('tile-{calm.night.table}').hidden")
    tab.run("document.getElementById('needy').click()")
    for table in (calm, calls):
        table.say("callfloor off")


def test_the_page_says_that_it_is_not_up_to_date(floor: Floor, tab: Tab, tmp_path: Path) -> None:
    with served(floor.url, tmp_path / "office") as page:
        sign_in(tab, page.address)
        tab.wait("document.querySelectorAll('.tile').length")
        tab.wait("document.getElementById('state').textContent == ''")
    # Nothing comes any more. The page need not wait for the clock of this machine here.
    tab.run("heard = Date.now() - 60000; showState()")
    tab.wait("document.body.classList.contains('stale')")
    said = tab.run("document.getElementById('state').innerText")
    assert said.startswith("Not up to date: no connection for 1:0")


def test_the_page_says_that_the_room_is_away_and_goes_on_when_it_is_back(
    floor: Floor, tab: Tab
) -> None:
    sign_in(tab, floor.page.address)
    table = floor.table()
    name = table.night.table
    tab.wait(f"document.getElementById('tile-{name}')")
    with connect(floor.url) as other:
        # As if the server was restarted under the page.
        other.execute("ALTER DATABASE floor CONNECTION LIMIT 0")
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE query LIKE 'LISTEN%' OR query LIKE '%o.beat%' AND pid <> pg_backend_pid()"
        )
        table.say("callfloor")
        other.execute("ALTER DATABASE floor CONNECTION LIMIT -1")
    tab.wait(f"document.querySelector('#tile-{name}.call')")
    tab.wait("document.getElementById('state').textContent == ''")
    table.say("callfloor off")


def test_sound_is_for_those_who_ask_for_it(floor: Floor, tab: Tab) -> None:
    table = floor.table()
    sign_in(tab, floor.page.address)
    tab.run(
        "window.rung = 0; window.AudioContext = class { constructor() { this.currentTime = 0; } "
        "close() {} createOscillator() { rung++; const x = {frequency: {}, start() {}, stop() {}, "
        "connect() { return x; }}; return x; } createGain() { return {gain: "
        "{setValueAtTime() {}, exponentialRampToValueAtTime() {}}, connect() {}}; } }"
    )
    tab.wait(f"document.getElementById('tile-{table.night.table}')")
    table.say("callfloor")
    tab.wait(f"document.querySelector('#tile-{table.night.table}.call')")
    assert tab.run("rung") == 0
    table.say("callfloor off")
    tab.wait(f"!document.querySelector('#tile-{table.night.table}.call')")
    tab.run("document.getElementById('sound').click()")
    assert tab.run("[rung, document.getElementById('sound').innerText]") == [1, "Sound on"]
    table.say("callfloor")
    tab.wait("rung == 4")
    table.say("callfloor off")


# Counting


def test_a_short_box_is_counted_explained_signed_and_printed(floor: Floor, tab: Tab) -> None:
    table = shift(floor)
    name = table.night.table.upper()
    sign_in(tab, floor.page.address)
    tab.go(floor.page.address + path(table)[1:])
    tab.fill(amount="6", jackpot_amount="3")
    tab.submit("Two persons sign")
    assert "$3 short" in tab.text
    assert "Hands that could explain it" in tab.text
    tab.fill(number1="F1", pin1=PINS["F1"], number2="S1", pin2=PINS["S1"])
    tab.submit("Explain the difference")
    tab.fill(reason="hand 2 paid no fee", number="F1", pin=PINS["F1"])
    tab.submit("Close the review")
    tab.fill(reason="seen on camera", number="S1", pin=PINS["S1"])
    tab.submit("The review is closed.")
    [counted] = counts(floor, table)
    assert (counted.counted, counted.jackpot) == (600, 300)
    tab.go(f"{floor.page.address}sheet?day={counted.day[:10]}&shift=swing")
    tab.wait("document.title.startsWith('Count sheet')")
    printed = text_of(tab.pdf())
    for part in ("Establishment", "Silver Creek", "Shift", "swing", "Gaming day", counted.day[:10],
                 "Counted", "Number of drop boxes", "Number of jackpot boxes", "Counters",
                 "F1 Fern Hill and S1 Sam Vale", f"{table.night.table}B{name}$9$6$3short",
                 f"{table.night.table}J{name}$3$3agrees", "hand 2 paid no fee",
                 "seen on camera"):  # fmt: skip
        assert part.replace(" ", "") in printed, part
    # The buttons are not on paper.
    assert "BackPrint" not in printed
    assert tab.complaints == []


def test_a_session_that_ends_says_so_on_the_open_page(floor: Floor, tab: Tab) -> None:
    with served(floor.url, floor.office, idle_seconds=4.0) as page:
        sign_in(tab, page.address)
        tab.wait("document.getElementById('state').textContent.includes('You were signed out')")
        assert tab.run("document.body.classList.contains('stale')")


def test_a_felt_is_live(floor: Floor, tab: Tab) -> None:
    table = floor.table()
    sign_in(tab, floor.page.address)
    tab.go(f"{floor.page.address}table/{table.night.table}")
    tab.wait("document.querySelectorAll('.place').length == 10")
    table.say("hand", "deal", "call", "call", "check", "flop 7c 5h 2s")
    tab.wait("document.querySelectorAll('.board .cards b').length == 3")
    tab.wait("document.querySelector('.place.acting')")
    assert tab.run("document.documentElement.scrollWidth <= innerWidth")
    tab.size(PHONE)
    assert tab.run("document.documentElement.scrollWidth <= innerWidth")
    assert tab.complaints == []
