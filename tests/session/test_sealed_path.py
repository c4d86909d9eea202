"""A face-down card is sealed from the wire to the log: nothing on the way can print it."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
import re
import sqlite3
import traceback
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from omaha_drivers import events as said
from omaha_drivers.sealed import Sealed
from omaha_drivers.settings import DeviceSettings
from rich.pretty import pretty_repr

from omaha_table.cards import DECK
from omaha_table.journal import sealed as sealing
from omaha_table.journal.faults import Busy
from omaha_table.journal.sealed import SealedCard
from omaha_table.session import hole_cards
from omaha_table.session.commands import DealSealedCard
from omaha_table.session.devices import Devices
from omaha_table.session.vault import SealedVault
from tests.journal.days import journal_file, say
from tests.journal.sealing import START, sealing_session
from tests.spelled import spells_a_card

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from omaha_table.session import Session


@pytest.mark.parametrize("text", ["Ks", "<Ks>", "{'card': b'Ks'}", "b'\\x8d?' Ks b'\\x8d'"])
def test_the_search_finds_a_card_in_a_text(text: str) -> None:
    assert spells_a_card(text)


def test_the_search_is_not_misled_by_ciphertext() -> None:
    sealed = b"\x8d?Ks+\x01'\""
    assert not spells_a_card(f"{sealed!r} {[{'sealed': sealed}]!r} {repr(sealed)!r}")


@pytest.mark.parametrize("card", DECK[::7])
def test_the_command_of_the_shoe_shows_nothing_and_cannot_be_copied(card: Any) -> None:
    command = DealSealedCard(SealedCard(card))
    for text in (repr(command), str(command), f"{command}", f"{[command]}", pretty_repr(command)):
        assert not spells_a_card(text)
        assert str(card.index) not in text
        assert str(card.code) not in text
    copies: tuple[Callable[[], object], ...] = (
        lambda: pickle.dumps(command),
        lambda: copy.deepcopy(command),
        lambda: dataclasses.asdict(command),
        lambda: json.dumps(dataclasses.asdict(command)),
    )
    for attempt in copies:
        with pytest.raises(TypeError):
            attempt()
    assert command != DealSealedCard(SealedCard(card)), "nothing is learned by comparing"


class Shoe:
    """A sealing table whose cards come from a device."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.session = sealing_session(folder)
        say(self.session, *START)
        self._devices = Devices(self.session, [DeviceSettings("shoe", "shoe", "tdp", "/dev/null")])
        self._report(said.LinkChanged(said.Link.LIVE, "live"))

    def _report(self, event: said.DeviceEvent) -> None:
        self._devices.take(said.Report("shoe", event, "", 0.0))

    def deal(self, number: int) -> None:
        self._report(said.CardDrawn(number, Sealed(DECK[number - 1].text), True))


@pytest.fixture
def shoe(tmp_path: Path) -> Shoe:
    return Shoe(tmp_path)


def with_locals(error: BaseException) -> str:
    """A traceback as the most talkative screen would print it, without the test's own frames."""
    told = traceback.TracebackException.from_exception(error, capture_locals=True)
    frames = [frame for frame in told.stack if "omaha_table" in frame.filename]
    assert frames
    return "\n".join(f"{frame.name} {frame.line} {frame.locals}" for frame in frames)


def broken(*given: object, **named: object) -> Any:
    raise RuntimeError("broken")


@pytest.mark.parametrize(
    ("owner", "name", "card"),
    [
        (sealing, "_SUITE", 1),
        (sealing, "_commitment", 1),
        (sealing, "CardSealed", 3),
        (sealing, "card_context", 5),
        (SealedVault, "checkpoint", 2),
        (SealedVault, "has_seen", 2),
        (hole_cards, "decide", 2),
    ],
)
def test_no_traceback_names_a_card_or_a_key(
    shoe: Shoe, monkeypatch: pytest.MonkeyPatch, owner: object, name: str, card: int
) -> None:
    for number in range(1, card):
        shoe.deal(number)
    monkeypatch.setattr(owner, name, None if name == "_SUITE" else broken)
    if name == "decide":
        # Asked only about a card that was seen before.
        monkeypatch.setattr(SealedVault, "has_seen", lambda *_: True)
    with pytest.raises((RuntimeError, AttributeError)) as caught:
        shoe.deal(card)
    text = with_locals(caught.value)
    assert not spells_a_card(text)
    assert not re.search(r"'(key|plain|secret)': .{0,3}b['\"]", text)


def test_a_card_that_cannot_be_logged_is_in_no_traceback(shoe: Shoe) -> None:
    shoe.deal(1)
    with closing(sqlite3.connect(journal_file(shoe.folder), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy) as caught:
            shoe.deal(2)
        other.execute("ROLLBACK")
    assert not spells_a_card(with_locals(caught.value))


def test_no_row_and_no_file_of_the_table_names_a_face_down_card(shoe: Shoe) -> None:
    for number in range(1, 11):
        shoe.deal(number)
    shoe.session.close()
    for path in shoe.folder.rglob("*"):
        if path.is_file() and path.suffix != ".ballast":
            text = path.read_bytes().decode("latin-1")
            for card in DECK[:10]:
                if any(line.endswith(f" {card.text}") for line in START):
                    continue  # it lay face up in the draw for the button
                assert f'"{card.text}"' not in text
                assert f"<{card.text}>" not in text


def known(session: Session) -> set[str]:
    """Every name that a session, its vault and its journal have, printed with what it holds."""
    return {f"{name}={value!r}" for name, value in vars(session).items()}


def test_nothing_that_a_session_holds_prints_a_card(shoe: Shoe) -> None:
    for number in range(1, 11):
        shoe.deal(number)
    assert not [text for text in known(shoe.session) if spells_a_card(text)]
