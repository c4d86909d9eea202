"""How far a device was heard, on disk: whenever the console is killed, no report is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from omaha_drivers import events as said
from omaha_drivers.sealed import Sealed
from omaha_drivers.settings import DeviceSettings

from omaha_table.cards import DECK
from omaha_table.hand.frozen import replace
from omaha_table.journal.faults import Uncertain
from omaha_table.session.devices import Devices
from omaha_table.table.machine_deck import MachineDeck
from tests.evenings import draw_lines
from tests.journal.days import open_session, say

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.session import Session
    from omaha_table.session.answer import Answer
    from omaha_table.table.commands import TableCommand

BOTH = [
    DeviceSettings("shuffler", "shuffler", "tdp", "/dev/null"),
    DeviceSettings("shoe", "shoe", "tdp", "/dev/null"),
]


class KilledError(BaseException):
    """The console goes no further."""


def listening(session: Session) -> Devices:
    devices = Devices(session, BOTH)
    for given in BOTH:
        live = said.LinkChanged(said.Link.LIVE, "ready")
        devices.take(said.Report(given.name, live, session.resume_token(given.name), 0.0))
    return devices


def report(number: int, event: said.DeviceEvent, device: str = "shoe") -> said.Report:
    """With a place as TDP has them: the session and the number of the event."""
    return said.Report(device, event, f"0123456789ABCDEF:{number:08X}", 0.0)


def drawn(number: int) -> said.Report:
    """Event 1 of the shoe is the deck that was loaded."""
    return report(number + 1, said.CardDrawn(number, Sealed(DECK[number].text), True))


def in_a_hand(folder: Path, cards: int) -> tuple[Session, Devices]:
    session = open_session(folder)
    say(
        session,
        *(f"seat {seat} P{seat} 200" for seat in range(1, 5)),
        *draw_lines(4, range(1, 5)),
        "hand",
    )
    devices = listening(session)
    devices.take(report(1, said.ShoeLoaded(52)))
    for number in range(1, cards + 1):
        devices.take(drawn(number))
    return session, devices


def place(number: int) -> str:
    return f"0123456789ABCDEF:{number:08X}"


def reopened(session: Session, folder: Path) -> Session:
    session.close()
    return open_session(folder)


def die_before(session: Session, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The session's command of this number, from 1, is never carried out."""
    given = iter(range(1, count))
    do = session.do

    def carry_out(
        command: TableCommand, heard: tuple[str, str] | None = None, actor: str = ""
    ) -> Answer:
        if next(given, None) is None:
            raise KilledError
        return do(command, heard, actor)

    monkeypatch.setattr(session, "do", carry_out)


@pytest.mark.parametrize("done", [0, 1])
def test_a_kill_between_the_commands_of_one_report_brings_all_of_it_again(
    done: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A jam is a note for the reviewer and a deck that must be counted again."""
    session = open_session(tmp_path, deck_required=True)
    devices = listening(session)
    devices.take(report(4, said.DeckIn("red"), "shuffler"))
    die_before(session, done + 1, monkeypatch)
    with pytest.raises(KilledError):
        devices.take(report(5, said.Jammed("exit"), "shuffler"))
    monkeypatch.undo()
    session = reopened(session, tmp_path)
    assert session.resume_token("shuffler") != place(5)
    devices = listening(session)
    devices.take(report(4, said.DeckIn("red"), "shuffler"))
    devices.take(report(5, said.Jammed("exit"), "shuffler"))
    assert session.state.machine == MachineDeck("red", "again", why="jam")
    session = reopened(session, tmp_path)
    assert session.resume_token("shuffler") == place(5)
    assert session.state.machine == MachineDeck("red", "again", why="jam")
    session.close()


def test_how_far_the_shoe_was_heard_is_on_disk_with_the_card(tmp_path: Path) -> None:
    session, _ = in_a_hand(tmp_path, 7)
    session = reopened(session, tmp_path)
    assert session.state.hand is not None
    assert (session.state.hand.cards_out, session.resume_token("shoe")) == (7, place(8))
    session.close()


def test_a_report_that_the_table_refuses_does_not_come_again(tmp_path: Path) -> None:
    session = open_session(tmp_path)
    say(session, "seat 1 Ada 200", "seat 2 Ben 200")
    devices = listening(session)
    seat = session.step.seat
    assert seat is not None
    devices.take(report(2, said.CardDrawn(1, Sealed("As"), True)))
    devices.take(report(3, said.CardDrawn(2, Sealed("As"), True)))
    assert list(session.state.drawn) == [seat], "one card is not two seats' card"
    shoe = devices.of("shoe")
    assert shoe is not None
    assert shoe.alarm
    assert session.resume_token("shoe") == place(3)
    session.close()


def test_a_note_does_not_pass_over_a_card_that_waits(tmp_path: Path) -> None:
    session, devices = in_a_hand(tmp_path, 5)
    devices.take(report(7, said.CardUnreadable(6)))
    devices.take(drawn(7))
    devices.take(report(9, said.SettingsChanged("volume")))
    session = reopened(session, tmp_path)
    assert session.resume_token("shoe") == place(7), "card 7 has not been dealt"
    session.close()


@pytest.mark.parametrize("again", [0, 2, 4])
def test_the_count_of_a_deck_is_on_disk_and_may_come_again(again: int, tmp_path: Path) -> None:
    """After a restart a device says what came after the last report that was recorded, or more."""
    session = open_session(tmp_path, deck_required=True)
    devices = listening(session)
    counted: list[said.DeviceEvent] = [
        said.DeckIn("red"),
        said.ShuffleStarted(1),
        said.DeckVerified(1, 52, True, "ok"),
        said.ShuffleComplete(1, 52),
        said.FaultCleared("E7"),
    ]
    for number, event in enumerate(counted, start=1):
        devices.take(report(number, event, "shuffler"))
    session = reopened(session, tmp_path)
    assert session.resume_token("shuffler") == place(4)
    assert session.state.machine == MachineDeck("red", "ready", 1)
    devices = listening(session)
    for number, event in enumerate([*counted, said.DeckTaken(1)], start=1):
        if number > again:
            devices.take(report(number, event, "shuffler"))
    assert session.state.deck == "ok"
    assert session.resume_token("shuffler") == place(6)
    session.close()


def test_cards_of_the_shoe_that_wait_do_not_hold_the_shuffler_back(tmp_path: Path) -> None:
    session, devices = in_a_hand(tmp_path, 5)
    devices.take(report(7, said.CardUnreadable(6)))
    devices.take(drawn(7))
    devices.take(report(3, said.DeckVerified(1, 51, False, "short"), "shuffler"))
    assert (session.resume_token("shuffler"), session.resume_token("shoe")) == (place(3), place(7))
    session.close()


def test_another_trouble_does_not_pass_over_a_card_that_waits(tmp_path: Path) -> None:
    session, devices = in_a_hand(tmp_path, 5)
    devices.take(report(7, said.CardUnreadable(6)))
    devices.take(drawn(7))
    devices.take(report(9, said.DoorChanged(True)))
    session = reopened(session, tmp_path)
    assert session.resume_token("shoe") == place(7), "card 7 has not been dealt"
    session.close()


def test_cards_that_waited_are_heard_as_they_are_dealt(tmp_path: Path) -> None:
    session, devices = in_a_hand(tmp_path, 5)
    devices.take(report(7, said.CardUnreadable(6)))
    devices.take(drawn(7))
    devices.take(drawn(8))
    devices.dealt_unread()
    say(session, "card ??", "checked")
    devices.release()
    assert session.state.hand is not None
    assert (session.state.hand.cards_out, session.state.hand.trouble) == (8, None)
    session = reopened(session, tmp_path)
    assert session.resume_token("shoe") == place(9)
    session.close()


def test_a_card_that_was_written_before_the_log_failed_is_not_dealt_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log could not confirm its last write, though it was made: the report comes again."""
    session, devices = in_a_hand(tmp_path, 6)
    do = session.do

    def written_but_not_confirmed(
        command: TableCommand, heard: tuple[str, str] | None = None, actor: str = ""
    ) -> Answer:
        do(command, heard, actor)
        raise Uncertain("The journal could not confirm its last write.")

    monkeypatch.setattr(session, "do", written_but_not_confirmed)
    with pytest.raises(Uncertain):
        devices.take(drawn(7))
    session = reopened(session, tmp_path)
    devices.use(session)
    devices.take(drawn(7))
    assert session.state.hand is not None
    assert session.state.hand.cards_out == 7
    session.close()


def test_cards_that_wait_are_still_there_after_the_log_was_opened_again(tmp_path: Path) -> None:
    session, devices = in_a_hand(tmp_path, 5)
    devices.take(report(7, said.CardUnreadable(6)))
    devices.take(drawn(7))
    session = reopened(session, tmp_path)
    devices.use(session)
    devices.dealt_unread()
    say(session, "card ??", "checked")
    devices.release()
    assert session.state.hand is not None
    assert (session.state.hand.cards_out, session.state.hand.trouble) == (7, None)
    session.close()


def dealt_without_the_shoe(folder: Path, cards: int) -> tuple[Session, Devices]:
    """A hand that is over; its cards came from the shoe, and the dealer recorded them."""
    session, devices = in_a_hand(folder, 0)
    devices.dealt_by_hand()
    for number in range(1, cards + 1):
        devices.take(drawn(number))
    say(session, "deal", "fold", "fold", "fold", "push")
    assert session.state.hand is None
    return session, devices


def test_cards_that_were_not_used_do_not_come_again(tmp_path: Path) -> None:
    session, _ = dealt_without_the_shoe(tmp_path, 20)
    session = reopened(session, tmp_path)
    assert session.resume_token("shoe") == place(21)
    session.close()


def late(number: int) -> said.Report:
    """Drawn before the link was made."""
    return replace(drawn(number), late=True)


@pytest.mark.parametrize("restart", [False, True], ids=["at once", "after a restart"])
def test_cards_that_are_sent_late_are_not_of_the_coming_hand(restart: bool, tmp_path: Path) -> None:
    """The cable was out while the hand was dealt by hand; the shoe knows all of its cards."""
    session, devices = dealt_without_the_shoe(tmp_path, 0)
    if restart:
        session = reopened(session, tmp_path)
        devices = listening(session)
    for number in range(1, 21):
        devices.take(late(number))
    shoe = devices.of("shoe")
    assert shoe is not None
    assert shoe.alarms == ()
    say(session, "hand")
    devices.release()
    assert session.state.hand is not None
    assert session.state.hand.trouble is None
    session.close()


def test_a_hand_that_began_without_the_shoe_is_not_dealt_what_is_sent_late(tmp_path: Path) -> None:
    session, devices = dealt_without_the_shoe(tmp_path, 0)
    devices.take(report(2, said.LinkChanged(said.Link.DOWN, "the cable is out")))
    say(session, "hand")
    devices.release()
    devices.take(report(2, said.LinkChanged(said.Link.LIVE, "ready")))
    for number in range(1, 21):
        devices.take(late(number))
    assert session.state.hand is not None
    assert session.state.hand.cards_dealt == 0
    devices.take(report(22, said.ShoeLoaded(52)))
    devices.take(report(23, said.CardDrawn(1, Sealed(DECK[1].text), True)))
    assert session.state.hand.cards_dealt == 1
    assert session.state.hand.trouble is None
    session.close()


def test_a_hand_that_was_heard_from_its_start_goes_on_with_what_is_sent_late(
    tmp_path: Path,
) -> None:
    session, devices = in_a_hand(tmp_path, 0)
    devices.take(report(1, said.LinkChanged(said.Link.DOWN, "the cable is out")))
    devices.take(report(1, said.LinkChanged(said.Link.LIVE, "ready")))
    for number in (1, 2, 3):
        devices.take(late(number))
    assert session.state.hand is not None
    assert session.state.hand.cards_dealt == 3
    session.close()


def test_cards_that_are_drawn_before_the_hand_are_asked_about(tmp_path: Path) -> None:
    session, devices = dealt_without_the_shoe(tmp_path, 20)
    devices.take(report(22, said.ShoeLoaded(52)))
    for number in (1, 2):
        devices.take(report(22 + number, said.CardDrawn(number, Sealed(DECK[number].text), True)))
    say(session, "hand")
    devices.release()
    assert session.state.hand is not None
    assert session.state.hand.trouble == "early_card"
    session.close()
