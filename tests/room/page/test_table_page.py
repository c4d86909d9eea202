"""One table: the felt, its hands, its dealers, its log; and what a browser is never sent."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from omaha_table.cards import DECK
from omaha_table.room.page.felt import felt_of
from omaha_table.room.page.folding import fold_from_start
from omaha_table.room.page.sources import sources
from omaha_table.room.page.table_page import Down, downs_of
from omaha_table.rules import load_profile
from omaha_table.table.events import DealerIn, DealerOut
from tests.office.evening import HAND
from tests.review.html_pages import Reader
from tests.room.page.rooms import text, wait_until

if TYPE_CHECKING:
    from omaha_table.room.page.felt import Felt
    from tests.room.page.conftest import Floor
    from tests.room.page.rooms import Table


def felt(floor: Floor, table: Table) -> Felt:
    [source] = sources(floor.owner, [table.night.table])
    found = felt_of(fold_from_start(floor.owner, source))
    assert found is not None
    return found


def test_the_felt_is_what_the_table_sees(floor: Floor) -> None:
    table = floor.table().say("hand", "deal", "call", "call", "check", "flop 7c 5h 2s", "1 bet 4")
    found = felt(floor, table)
    assert found.title == "Hand 1, flop"
    assert [card.text for card in found.board] == ["7c", "5h", "2s"]
    bettor = found.seats[0]
    assert (bettor.bet, bettor.said, bettor.face_down) == ("$4", "bets $4", 4)
    acting = [seat.number for seat in found.seats if seat.state == "acting"]
    assert acting == [2]
    assert found.next_step == "Seat 2 to act"
    assert found.seats[8].state == "open"
    table.say("fold", "fold", "push")
    assert felt(floor, table).title == "Between hands"


def test_tabled_cards_are_read_and_the_others_stay_backs(floor: Floor) -> None:
    table = floor.table().say(*HAND[:-3], "show 1 Ah 3d 9c Ts")
    found = felt(floor, table)
    assert found.title == "Hand 1, showdown"
    assert found.seats[0].reading.startswith("Pair of aces")
    assert (found.seats[0].face_down, found.seats[1].face_down) == (0, 4)


def test_pots_are_what_lies_in_the_middle(floor: Floor) -> None:
    """Seat 1 is all in for $4 on the flop; the others bet on beside it."""
    table = floor.table().say("hand", "deal", "call")
    assert felt(floor, table).pots == (("In front", "$10"),)
    table.say("call", "check", "flop 7c 5h 2s", "1 allin 4", "2 raise 8")
    assert felt(floor, table).pots == (("Pot", "$12"), ("In front", "$12"))
    table.say("3 call")
    assert felt(floor, table).pots == (
        ("Main pot (seats 1, 2, 3)", "$24"), ("Side pot 1 (seats 2, 3)", "$8")
    )  # fmt: skip


def test_every_moment_of_a_hand_can_be_shown(floor: Floor) -> None:
    """Also between the events of one entry, where nobody is to act."""
    from omaha_table.journal.reader import Reader as Journal
    from omaha_table.room.page.folding import TableNow, fold_on
    from omaha_table.room.rows import RoomRows

    table = floor.table(load_profile("ca_big_o"), 5)
    table.night.play(3)
    table.ship()
    [source] = sources(floor.owner, [table.night.table])
    rows = list(RoomRows(floor.owner, source.journal).since(0))
    from omaha_table.journal.replay import table_before

    with Journal(next(table.night.folder.glob("*.journal"))) as journal:
        now = TableNow(source, table_before(journal, 3))
    for row in rows[2:]:
        now = fold_on(now, source, [row])
        assert now.problem == ""
        assert felt_of(now) is not None


def test_a_table_s_page_has_hands_dealers_and_log(floor: Floor) -> None:
    table = floor.table().say("shift swing B1 J1", "down D1", *HAND, "down D2", *HAND)
    visitor, name = floor.known(), table.night.table
    wait_until(lambda: f"number={2}" in visitor.get(f"/table/{name}").text)
    page = text(visitor.get(f"/table/{name}"))
    assert re.search(r"D2 [\d:]+ now 1 \$4", page)
    assert re.search(r"D1 [\d:]+ [\d:]+ 1 \$4", page)
    assert "Last cosignature none" in page
    assert "Shift swing" in page
    sheet = text(visitor.get(re.findall(r'href="(/hand[^"]*)"', visitor.get(f"/table/{name}").text)
                             [0].replace("&amp;", "&")))  # fmt: skip
    assert f"Hand 2, {name}" in sheet
    assert "What happened" in sheet


def test_a_page_of_nothing_is_not_there(floor: Floor) -> None:
    visitor = floor.known()
    for path in ("/table/none", "/hand?table=none&day=x&number=1", "/hand?number=-1", "/none",
                 "/hand?table=t1&day=2026-11-19&number=99999999999999999999",
                 "/box?table=x", "/sheet?day=x&shift=y", "/table/%2e%2e/x"):  # fmt: skip
        assert visitor.get(path).status_code == 404, path


def test_downs_end_with_the_next_dealer() -> None:
    events = [(1, DealerIn("D1")), (5, DealerOut("D1", 3, 900, 100)), (6, DealerIn("D2")),
              (9, DealerIn("D3"))]  # fmt: skip
    assert downs_of(events) == [
        Down("D1", 1, 5, 3, 900, 100), Down("D2", 6, 9), Down("D3", 9),
    ]  # fmt: skip


# Face-down cards


def test_no_answer_names_a_card_that_is_not_face_up(floor: Floor) -> None:
    """A shoe that reads every card: what lies face down is in no page, stream or log line."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    from tests.room.page.rooms import Table

    floor.count += 1
    office = X25519PrivateKey.generate().public_key()
    table = Table.open(
        floor.owner, floor.folder, f"s{floor.count}", load_profile("ca_big_o"), 4, office=office
    )
    floor.open.callback(table.close)
    name, visitor = table.ship().night.table, floor.known()
    wait_until(lambda: visitor.get(f"/table/{name}").status_code == 200)
    # The cards of the button draw lie face up, and are shown.
    drawn = visitor.get(f"/table/{name}").text
    deck = [card.text for card in DECK if card.text not in drawn]
    table.say("hand")
    down: list[str] = []
    while table.night.session.step.what == "deal":
        down.append(deck[-1])
        table.say(f"card {deck.pop()}")
    assert len(down) == 20
    wait_until(lambda: "cards face down" in visitor.get(f"/table/{name}").text)
    signs = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
    paths = ("/", "/wall", f"/table/{name}", "/day", f"/search?q=table:{name}", "/boxes")
    pages = [visitor.get(path).text for path in paths]
    with visitor.client.stream("GET", f"/table/{name}/events") as stream:
        pages.append(next(part for part in stream.iter_text() if "felt" in part))
    for page in pages:
        shown = Reader(page).text
        for card in down:
            assert f"{card[0]}{signs[card[1]]}" not in shown
            assert not re.search(rf"\b{card}\b", shown)
    [source] = sources(floor.owner, [name])
    now = fold_from_start(floor.owner, source)
    assert not re.search(r"Sealed\(|identity", repr(now.recent))
    assert felt_of(now) is not None
    assert all(seat.face_down == 5 for seat in felt_of(now).seats if seat.number <= 4)  # type: ignore[union-attr]


def test_a_stream_of_a_table_follows_it(floor: Floor) -> None:
    table, visitor = floor.table(), floor.known()
    name = table.night.table
    wait_until(lambda: visitor.get(f"/table/{name}").status_code == 200)
    with visitor.client.stream("GET", f"/table/{name}/events") as stream:
        parts = stream.iter_text()
        assert "event: felt" in next(parts) + next(parts, "")
        table.say("hand", "deal")
        end = time.monotonic() + 60
        for part in parts:
            if "Hand 1, preflop" in part:
                break
            assert time.monotonic() < end
