"""How far a device was heard, on disk: whenever the console is killed, no report is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from drivers import events as said
from drivers.sealed import Sealed
from drivers.settings import DeviceSettings
from omaha_table.cards import DECK
from omaha_table.desk.devices import Devices
from omaha_table.journal.faults import Uncertain
from tests.journal.days import open_desk, say

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.desk import Desk
    from omaha_table.hand import Refused
    from omaha_table.journal.codec import Record
    from omaha_table.table.commands import TableCommand

BOTH = [
    DeviceSettings("shuffler", "shuffler", "tdp", "/dev/null"),
    DeviceSettings("shoe", "shoe", "tdp", "/dev/null"),
]


class KilledError(BaseException):
    """The console goes no further."""


def listening(desk: Desk) -> Devices:
    devices = Devices(desk, BOTH)
    for given in BOTH:
        live = said.LinkChanged(said.Link.LIVE, "ready")
        devices.take(said.Report(given.name, live, desk.heard(given.name), 0.0))
    return devices


def report(number: int, event: said.DeviceEvent, device: str = "shoe") -> said.Report:
    """With a place as TDP has them: the session and the number of the event."""
    return said.Report(device, event, f"0123456789ABCDEF:{number:08X}", 0.0)


def drawn(number: int) -> said.Report:
    """Event 1 of the shoe is the deck that was loaded."""
    return report(number + 1, said.CardDrawn(number, Sealed(DECK[number].text), True))


def in_a_hand(folder: Path, cards: int) -> tuple[Desk, Devices]:
    desk = open_desk(folder)
    say(desk, *(f"seat {seat} P{seat} 200" for seat in range(1, 5)), "button 4", "hand")
    devices = listening(desk)
    devices.take(report(1, said.ShoeLoaded(52)))
    for number in range(1, cards + 1):
        devices.take(drawn(number))
    return desk, devices


def place(number: int) -> str:
    return f"0123456789ABCDEF:{number:08X}"


def reopened(desk: Desk, folder: Path) -> Desk:
    desk.close()
    return open_desk(folder)


def die_before(desk: Desk, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The desk's command of this number, from 1, is never carried out."""
    given = iter(range(1, count))
    do = desk.do

    def carry_out(
        command: TableCommand, heard: tuple[str, str] | None = None
    ) -> list[Record] | Refused:
        if next(given, None) is None:
            raise KilledError
        return do(command, heard)

    monkeypatch.setattr(desk, "do", carry_out)


@pytest.mark.parametrize("done", [0, 1])
def test_a_kill_between_the_commands_of_one_report_brings_all_of_it_again(
    done: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A jam is a note for the reviewer and a deck that is out of play."""
    desk = open_desk(tmp_path, deck_required=True)
    devices = listening(desk)
    devices.take(report(4, said.DeckIn("red"), "shuffler"))
    die_before(desk, done + 1, monkeypatch)
    with pytest.raises(KilledError):
        devices.take(report(5, said.Jammed("exit"), "shuffler"))
    monkeypatch.undo()
    desk = reopened(desk, tmp_path)
    assert desk.heard("shuffler") != place(5)
    devices = listening(desk)
    devices.take(report(4, said.DeckIn("red"), "shuffler"))
    devices.take(report(5, said.Jammed("exit"), "shuffler"))
    assert desk.state.decks_out == {"red"}
    desk = reopened(desk, tmp_path)
    assert desk.heard("shuffler") == place(5)
    assert desk.state.decks_out == {"red"}
    desk.close()


def test_how_far_the_shoe_was_heard_is_on_disk_with_the_card(tmp_path: Path) -> None:
    desk, _ = in_a_hand(tmp_path, 7)
    desk = reopened(desk, tmp_path)
    assert desk.state.hand is not None
    assert (desk.state.hand.cards_out, desk.heard("shoe")) == (7, place(8))
    desk.close()


def test_a_report_that_the_table_refuses_does_not_come_again(tmp_path: Path) -> None:
    desk = open_desk(tmp_path)
    say(desk, "seat 1 Ada 200", "seat 2 Ben 200")
    devices = listening(desk)
    seat = desk.step.seat
    assert seat is not None
    devices.take(report(2, said.CardDrawn(1, Sealed("As"), True)))
    devices.take(report(3, said.CardDrawn(2, Sealed("As"), True)))
    assert list(desk.state.drawn) == [seat], "one card is not two seats' card"
    shoe = devices.of("shoe")
    assert shoe is not None
    assert shoe.alarm
    assert desk.heard("shoe") == place(3)
    desk.close()


def test_a_note_does_not_pass_over_a_card_that_waits(tmp_path: Path) -> None:
    desk, devices = in_a_hand(tmp_path, 5)
    devices.take(report(7, said.CardUnreadable(6)))
    devices.take(drawn(7))
    devices.take(report(9, said.SettingsChanged("volume")))
    desk = reopened(desk, tmp_path)
    assert desk.heard("shoe") == place(7), "card 7 has not been dealt"
    desk.close()


def test_a_note_does_not_pass_over_the_count_of_a_deck(tmp_path: Path) -> None:
    """The count is on disk with the deck that is taken: before that it must come again."""
    desk = open_desk(tmp_path, deck_required=True)
    devices = listening(desk)
    counted: list[said.DeviceEvent] = [
        said.DeckIn("red"),
        said.ShuffleStarted(1),
        said.DeckVerified(1, 52, True, "ok"),
        said.ShuffleComplete(1, 52),
        said.FaultCleared("E7"),
    ]
    for number, event in enumerate(counted, start=1):
        devices.take(report(number, event, "shuffler"))
    desk = reopened(desk, tmp_path)
    assert desk.heard("shuffler") == ""
    devices = listening(desk)
    for number, event in enumerate([*counted, said.DeckTaken(1)], start=1):
        devices.take(report(number, event, "shuffler"))
    assert desk.state.deck == "ok"
    assert desk.heard("shuffler") == place(6)
    desk.close()


def test_cards_of_the_shoe_that_wait_do_not_hold_the_shuffler_back(tmp_path: Path) -> None:
    desk, devices = in_a_hand(tmp_path, 5)
    devices.take(report(7, said.CardUnreadable(6)))
    devices.take(drawn(7))
    devices.take(report(3, said.DeckVerified(1, 51, False, "short"), "shuffler"))
    assert (desk.heard("shuffler"), desk.heard("shoe")) == (place(3), place(7))
    desk.close()


def test_another_trouble_does_not_pass_over_a_card_that_waits(tmp_path: Path) -> None:
    desk, devices = in_a_hand(tmp_path, 5)
    devices.take(report(7, said.CardUnreadable(6)))
    devices.take(drawn(7))
    devices.take(report(9, said.DoorChanged(True)))
    desk = reopened(desk, tmp_path)
    assert desk.heard("shoe") == place(7), "card 7 has not been dealt"
    desk.close()


def test_cards_that_waited_are_heard_as_they_are_dealt(tmp_path: Path) -> None:
    desk, devices = in_a_hand(tmp_path, 5)
    devices.take(report(7, said.CardUnreadable(6)))
    devices.take(drawn(7))
    devices.take(drawn(8))
    devices.dealt_unread(6)
    say(desk, "card ??", "checked")
    devices.release()
    assert desk.state.hand is not None
    assert (desk.state.hand.cards_out, desk.state.hand.trouble) == (8, None)
    desk = reopened(desk, tmp_path)
    assert desk.heard("shoe") == place(9)
    desk.close()


def test_a_card_that_was_written_before_the_log_failed_is_not_dealt_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log could not confirm its last write, though it was made: the report comes again."""
    desk, devices = in_a_hand(tmp_path, 6)
    do = desk.do

    def written_but_not_confirmed(
        command: TableCommand, heard: tuple[str, str] | None = None
    ) -> list[Record] | Refused:
        do(command, heard)
        raise Uncertain("The journal could not confirm its last write.")

    monkeypatch.setattr(desk, "do", written_but_not_confirmed)
    with pytest.raises(Uncertain):
        devices.take(drawn(7))
    desk = reopened(desk, tmp_path)
    devices.use(desk)
    devices.take(drawn(7))
    assert desk.state.hand is not None
    assert desk.state.hand.cards_out == 7
    desk.close()


def test_cards_that_wait_are_still_there_after_the_log_was_opened_again(tmp_path: Path) -> None:
    desk, devices = in_a_hand(tmp_path, 5)
    devices.take(report(7, said.CardUnreadable(6)))
    devices.take(drawn(7))
    desk = reopened(desk, tmp_path)
    devices.use(desk)
    devices.dealt_unread(6)
    say(desk, "card ??", "checked")
    devices.release()
    assert desk.state.hand is not None
    assert (desk.state.hand.cards_out, desk.state.hand.trouble) == (7, None)
    desk.close()
