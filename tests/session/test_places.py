"""Cards from a reader that knows where each one lies: each fills its own place, or none."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from omaha_drivers import events as said
from omaha_drivers.sealed import Sealed
from omaha_drivers.settings import DeviceSettings

from omaha_table.cards import DECK
from omaha_table.cli.keyfiles import make_pair, read_office_key
from omaha_table.hand.events import BoardDealt, CardDealt
from omaha_table.journal.keyring import Keyring
from omaha_table.journal.sealed import SealedCard
from omaha_table.session.devices import Devices
from tests.console.scenes import Table
from tests.evenings import draw_lines
from tests.journal.days import check, journal_file, open_session
from tests.journal.days import say as type_lines
from tests.session.inside import has_seen
from tests.spelled import spells_a_card

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.hand import HandState
    from omaha_table.session import Session

SEATS = range(1, 5)
START = (*(f"seat {seat} P{seat} 200" for seat in SEATS), *draw_lines(4, SEATS), "hand")
SETTINGS = [DeviceSettings("shoe", "shoe", "tdp", "/dev/null")]


@pytest.fixture
def office(tmp_path: Path) -> Path:
    make_pair(tmp_path / "safe")
    return tmp_path / "safe"


@pytest.fixture
def _keyring() -> None:
    if not Keyring().put("omaha-table:test", b"x"):
        pytest.skip("this kernel offers no keyring")


class Reader:
    """A table with a surveillance key, and a reader that tells where cards lie."""

    def __init__(self, folder: Path, office: Path | None) -> None:
        self.folder, self._office = folder, office
        self.session: Session = self._open()
        type_lines(self.session, *START)
        self.devices = self._live()
        self._number = 0

    def _open(self) -> Session:
        if self._office is None:
            return open_session(self.folder)
        key = read_office_key(self._office / "surveillance.public")
        return open_session(self.folder, office=key)

    def _live(self) -> Devices:
        devices = Devices(self.session, SETTINGS)
        devices.take(said.Report("shoe", said.LinkChanged(said.Link.LIVE, "ready"), "", 0.0))
        return devices

    def restart(self) -> None:
        """The file is closed, and nothing else is tidied up: as after a kill."""
        self.session.close()
        self.session = self._open()
        self.devices = self._live()

    def lay(self, card: str, place: said.Place) -> None:
        self._number += 1
        drawn = said.CardDrawn(self._number, Sealed(card), in_game=True, place=place)
        self.devices.take(said.Report("shoe", drawn, "", 0.0))

    def type(self, *lines: str) -> None:
        type_lines(self.session, *lines)
        self.devices.release()

    @property
    def hand(self) -> HandState:
        hand = self.session.state.hand
        assert hand is not None
        return hand


CARDS = [card.text for card in DECK[::-1]]
HELD = {seat: CARDS[5 * (seat - 1) : 5 * seat] for seat in SEATS}
HOLE = [(card, seat) for seat in SEATS for card in HELD[seat]]
FLOP, TURN, RIVER = CARDS[21:24], CARDS[25], CARDS[27]


def play_board(reader: Reader) -> None:
    reader.type("call", "call", "call", "check")
    reader.lay(CARDS[20], "muck")
    for card in FLOP:
        reader.lay(card, "board")
    reader.type("check around")
    reader.lay(CARDS[24], "muck")
    reader.lay(TURN, "board")
    reader.type("check around")
    reader.lay(CARDS[26], "muck")
    reader.lay(RIVER, "board")
    reader.type("check around")


@pytest.mark.usefixtures("_keyring")
@pytest.mark.parametrize("restart", [0, 1, 7, 19, 20])
@pytest.mark.parametrize("seed", [1, 2])
def test_cards_in_any_order_are_sealed_at_their_seats_and_a_restart_loses_none(
    restart: int, seed: int, tmp_path: Path, office: Path
) -> None:
    reader = Reader(tmp_path / "data", office)
    order = random.Random(seed).sample(HOLE, len(HOLE))
    for at, (card, seat) in enumerate(order):
        if at == restart:
            reader.restart()
            assert all(
                has_seen(reader.session, SealedCard(one)) is (one.text in dict(order[:at]))
                for one in DECK
            )
        assert reader.session.step.what == "deal", "betting waits for every place"
        reader.lay(card, seat)
        assert reader.hand.trouble is None
        assert reader.hand.cards_dealt == at + 1
    if restart == len(HOLE):
        reader.restart()
    assert reader.session.step.what == "act"
    play_board(reader)
    assert [card.text for card in reader.hand.board] == [*FLOP, TURN, RIVER]
    type_lines(reader.session, *(f"show {seat}" for seat in SEATS))
    for seat in SEATS:
        assert [card.text for card in reader.hand.tabled[seat]] == [
            card for card, at in order if at == seat
        ]
    type_lines(reader.session, "push")
    reader.session.close()
    verdict = check(reader.folder)
    assert (verdict.damage, verdict.opened_seats) == ([], 4)


@pytest.mark.usefixtures("_keyring")
@pytest.mark.parametrize("restart", [False, True])
def test_a_second_copy_of_a_card_is_found_wherever_it_lies(
    restart: bool, tmp_path: Path, office: Path
) -> None:
    reader = Reader(tmp_path / "data", office)
    reader.lay("As", 3)
    reader.lay("Kd", 1)
    if restart:
        reader.restart()
    reader.lay("As", 2)
    assert (reader.hand.trouble, reader.hand.cards_dealt) == ("duplicate_card", 2)
    reader.session.close()


@pytest.mark.usefixtures("_keyring")
def test_no_row_and_no_text_names_a_card_at_a_seat(tmp_path: Path, office: Path) -> None:
    reader = Reader(tmp_path / "data", office)
    for card, seat in HOLE[::-1][:13]:
        reader.lay(card, seat)
    shown = [card for card in dict(HOLE[::-1][:13]) if not any(card in line for line in START)]
    assert not spells_a_card(repr(reader.devices.__dict__))
    reader.session.close()
    text = journal_file(reader.folder).read_bytes().decode("latin-1")
    for card in shown:
        assert f'"{card}"' not in text
        assert f"<{card}>" not in text


@pytest.mark.parametrize("known", ["nothing kept", "keys lost", "all known"])
def test_what_lies_there_is_found_again_after_a_restart_and_not_dealt_twice(
    known: str, tmp_path: Path, office: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader of places reports all it sees; some tables do not know which cards those are."""
    if known == "keys lost":
        monkeypatch.setattr(Keyring, "get", lambda *_: None)
    kept = None if known == "nothing kept" else office
    reader = Reader(tmp_path / "data", kept)
    order = random.Random(3).sample(HOLE, len(HOLE))
    for card, seat in order[:9]:
        reader.lay(card, seat)
    reader.restart()
    for card, seat in random.Random(4).sample(order[:9], 9):
        reader.lay(card, seat)
    assert (reader.hand.cards_dealt, reader.hand.trouble) == (9, None)
    for card, seat in order[9:]:
        reader.lay(card, seat)
    assert (reader.session.step.what, reader.hand.trouble) == ("act", None)
    reader.lay("2c" if order[0][0] != "2c" else "2d", "board")
    assert reader.hand.trouble == "card_at_board"
    reader.session.close()


# Where none is due


def table() -> Table:
    """Nine players, of whom eight are dealt in: seat 7 has the button and gets no hand."""
    return Table(devices=True).live().deck().keys("enter", "+")


def lay(made: Table, card: int, place: said.Place) -> Table:
    drawn = said.CardDrawn(card + 1, Sealed(DECK[card].text), in_game=True, place=place)
    return made.say("shoe", drawn)


def hand_of(made: Table) -> HandState:
    hand = made.session.state.hand
    assert hand is not None
    return hand


def all_dealt() -> Table:
    made = table()
    slots = hand_of(made).setup.slots[:40]
    for at, slot in enumerate(slots):
        lay(made, at, slot.seat or 0)
    assert made.session.step.what == "act"
    return made


@pytest.mark.parametrize(
    ("place", "kind", "who", "sentence"),
    [
        (7, "card_at_seat", "floor",
         "A card lies at seat 7 and none is due there. Leave it; the floor rules."),
        (8, "card_at_seat", "floor",
         "A card lies at seat 8 and none is due there. Leave it; the floor rules."),
        ("board", "card_at_board", "floor",
         "A card lies on the board and none is due. Leave it; the floor rules."),
        ("muck", "card_at_muck", "dealer",
         "A card that was not dealt lies in the muck. If it is a burn or fold, go on."),
    ],
)  # fmt: skip
@pytest.mark.parametrize("phase", ["deal", "betting"])
def test_a_card_where_none_is_due_is_never_forced_elsewhere(
    phase: str, place: said.Place, kind: str, who: str, sentence: str
) -> None:
    made = table() if phase == "deal" else all_dealt()
    if phase == "deal":
        for card in range(5):
            lay(made, card, 8)
    dealt = hand_of(made).cards_dealt
    lay(made, 50, place)
    prompt = made.console.prompt
    assert (hand_of(made).trouble, made.session.step.who) == (kind, who)
    assert (hand_of(made).cards_dealt, hand_of(made).turned) == (dealt, ())
    assert prompt.detail == sentence
    assert len(sentence) <= 78
    assert DECK[50].text not in repr(made.console.view())
    if who == "dealer":
        assert prompt.keys[0].label == "BURN OR FOLD"
        made.keys("enter")
        assert hand_of(made).trouble is None


@pytest.mark.parametrize("card", [0, 17, 39, 45])
def test_what_is_said_of_a_card_that_no_place_waits_for_is_the_same_for_every_card(
    card: int,
) -> None:
    told = set()
    for other in (card, 51):
        made = lay(all_dealt(), other, "board")
        told.add((hand_of(made).trouble, made.console.prompt.detail, made.console.view().log))
    assert len(told) == 1


def test_a_street_waits_for_the_betting_and_its_burn_may_be_unread() -> None:
    made = all_dealt().around()
    for at, card in enumerate((44, 45, 46)):
        assert len(hand_of(made).turned) == at
        lay(made, card, "board")
    assert len(hand_of(made).board) == 3
    assert made.session.step.what == "act"


def test_a_second_burn_is_asked_about() -> None:
    made = lay(all_dealt().around(), 41, "muck")
    assert hand_of(made).burned
    lay(made, 42, "muck")
    assert hand_of(made).trouble == "card_at_muck"


def test_a_card_that_an_antenna_misses_is_recorded_unread_and_may_be_found_late() -> None:
    made = table()
    slots = hand_of(made).setup.slots[:40]
    for at, slot in enumerate(slots):
        if at != 11:
            lay(made, at, slot.seat or 0)
    missed = slots[11].seat
    assert missed is not None
    assert made.session.step.what == "deal"
    labels = {key.cap: key.label for key in made.console.prompt.keys}
    assert labels["*"] == f"CARD 40 TO SEAT {missed}"
    made.keys("*")
    assert made.session.step.what == "act"
    assert not made.session.can_read(missed)
    assert all(made.session.can_read(seat) for seat in hand_of(made).contenders if seat != missed)
    lay(made, 11, missed)
    assert hand_of(made).trouble is None, "it is the card that was recorded"
    lay(made, 47, missed)
    assert hand_of(made).trouble == "card_at_seat"


def test_cards_that_are_laid_before_the_hand_is_started_wait_for_it() -> None:
    made = Table(devices=True).live().deck().keys("enter")
    lay(lay(made, 0, 9), 1, 8).keys("+")
    assert hand_of(made).trouble == "early_card"
    made.keys("enter")
    slots, ahead = hand_of(made).setup.slots, hand_of(made).ahead
    assert hand_of(made).cards_dealt == 2
    assert {slots[at].seat for at in (*range(hand_of(made).cards_out), *ahead)} == {8, 9}


def test_the_log_of_cards_in_any_order_holds_their_slots(tmp_path: Path, office: Path) -> None:
    reader = Reader(tmp_path / "data", office)
    events: list[object] = []
    for card, seat in HOLE:
        drawn = said.CardDrawn(1, Sealed(card), in_game=True, place=seat)
        events += [one.event for one in reader.devices.take(said.Report("shoe", drawn, "", 0.0))]
    dealt = [event for event in events if isinstance(event, CardDealt)]
    slots = reader.hand.setup.slots
    assert [slots[event.slot].seat for event in dealt] == [seat for _, seat in HOLE]
    assert [event.slot for event in dealt if event.seat == 2] == [
        at for at, slot in enumerate(slots) if slot.seat == 2
    ]
    assert not any(isinstance(event, BoardDealt) for event in events)
    reader.session.close()
    assert check(reader.folder).damage == []
