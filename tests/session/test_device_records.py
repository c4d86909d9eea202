"""What is known of a device outlives the console and the day: who it is, changes, and meters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from omaha_drivers import events as said
from omaha_drivers.sealed import Sealed

from omaha_table.journal.codec import to_stored
from omaha_table.journal.faults import Uncertain
from omaha_table.journal.verification import files_in, verify
from omaha_table.session.script import run_line
from omaha_table.table.device_records import DeviceRecord, Meters
from omaha_table.table.events import DeviceMetered, DevicesCarried
from tests.session.device_night import LIVE, LOST, Night, cycle
from tests.session.night import journals, open_session, past_six, say

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def night(tmp_path: Path) -> Night:
    return Night(tmp_path)


def sound(night: Night) -> None:
    night.session.close()
    verdict = verify(files_in(night.folder))
    assert verdict.sound, verdict


def test_a_firmware_that_changed_between_two_starts_is_for_the_floor(night: Night) -> None:
    night.connect("1")
    night.restart()
    night.connect("1")
    assert not night.record().needs_floor
    night.restart()
    night.connect("2")
    assert night.record().needs_floor
    night.restart()
    assert night.record().needs_floor, "a restart is not the floor"
    say(night.session, 'floor 4711 accept shoe "approved update"')
    night.restart()
    night.connect("2")
    assert not night.record().needs_floor
    sound(night)


def test_the_next_day_knows_the_firmware_of_the_day_before(night: Night) -> None:
    night.connect("1")
    past_six(night.wall)
    say(night.session, "deal", *["fold"] * 4, "push")
    assert len(journals(night.folder)) == 2
    night.connect("2")
    assert night.record().needs_floor
    sound(night)


def test_a_table_that_was_closed_overnight_knows_its_devices_the_next_day(night: Night) -> None:
    night.connect("1")
    night.hear("shoe", said.SettingsChanged("volume"))
    night.hear("shoe", said.CardUnreadable(1))
    say(night.session, 'floor 4711 close "end of the day"')
    past_six(night.wall)
    night.restart()
    assert len(journals(night.folder)) == 2
    assert night.record().settings == ("volume",)
    assert night.meters().unread == 1
    night.connect("2")
    assert night.record().answers_as is not None
    sound(night)


def test_devices_that_the_day_before_did_not_know_are_not_carried_over(night: Night) -> None:
    night.connect("1")
    say(night.session, 'floor 4711 close "end of the day"')
    past_six(night.wall)
    night.session.close()
    real = DevicesCarried.__init__

    def other(self: DevicesCarried, devices: dict[str, DeviceRecord]) -> None:
        real(self, devices | {"shoe": DeviceRecord()})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DevicesCarried, "__init__", other)
        night.start()
    night.session.close()
    verdict = verify(files_in(night.folder))
    assert not verdict.sound
    assert "devices carried over" in str(verdict)


def test_a_change_alone_names_the_device_and_not_the_hand(night: Night) -> None:
    night.connect("1")
    refused = [a["type"] for a in run_line(night.session, 1, 'floor 4711 accept shoe "why"')]
    assert refused == ["refused"], "nothing has changed"


# Meters


def test_shuffles_are_good_or_bad_once_whatever_was_wrong(night: Night) -> None:
    night.hear("shuffler", *cycle(1), *cycle(2))
    night.hear("shuffler", said.DeckIn("blue"), said.ShuffleStarted(3))
    night.hear("shuffler", said.Jammed("exit"), said.JamCleared("exit"), said.Jammed("exit"))
    night.hear("shuffler", said.ShuffleAborted("jam"), said.DeckFaulty("missing"))
    night.hear("shuffler", *cycle(4, 51))
    night.hear("shuffler", said.DeckIn("red"), said.ShuffleStarted(5), said.ShuffleAborted("door"))
    assert night.meters("shuffler") == Meters(shuffles=2, bad_shuffles=3, jams=2)


def test_decks_and_unread_cards_of_a_shoe(night: Night) -> None:
    """A card that is drawn before the hand and put back is no deck that was dealt."""
    night.hear("shoe", LIVE)
    first = said.CardDrawn(1, Sealed("As"), in_game=True)
    night.hear("shoe", said.ShoeLoaded(52), first, said.CardReturned(1))
    assert night.meters() == Meters()
    night.hear("shoe", said.ShoeLoaded(52), said.CardUnreadable(1), said.CardUnreadable(2))
    assert night.meters() == Meters(decks=1, unread=2)
    say(night.session, "hand")
    night.hear("shoe", said.ShoeLoaded(52), first)
    assert night.meters() == Meters(decks=2, unread=2)


def test_a_line_that_drops_is_counted_as_errors_and_reconnects(night: Night) -> None:
    night.hear("shoe", LIVE, LOST, LIVE, said.LinkChanged(said.Link.SILENT, "quiet"), LIVE)
    night.hear("shoe", said.EventsLost(3), said.AdapterFailed("m", "run", "ValueError"))
    assert night.meters() == Meters(link_errors=3, reconnects=2)
    night.restart()
    night.hear("shoe", LIVE)
    assert night.meters().reconnects == 2, "the console was started, not the line lost"


def test_damaged_messages_are_counted_as_the_driver_counts_them(night: Night) -> None:
    for total in (0, 3, 3, 5, 1):
        night.devices.count_line({"shoe": {"bad frames": total, "rejected": 0, "frames": 900}})
    assert night.meters().link_errors == 6, "a driver that is started again counts from 0"


def test_what_a_device_sends_again_after_a_restart_is_counted_once(night: Night) -> None:
    """A fault moves nothing in the log, so that the device goes back to before it."""
    night.hear("shuffler", *cycle(1), tokens="abcde")
    night.hear("shuffler", *cycle(2)[:4], tokens="fghi")
    night.hear("shuffler", said.Fault("E7"), tokens="j")
    assert night.session.resume_token("shuffler") == "S:i"
    night.restart()
    night.hear("shuffler", LIVE, tokens="i")
    night.hear("shuffler", said.Fault("E7"), tokens="j")
    night.hear("shuffler", said.DeckTaken(2), *cycle(3), tokens="klmnop")
    assert night.meters("shuffler") == Meters(shuffles=3)
    night.restart()
    night.hear("shuffler", *cycle(4), tokens="qrstu")
    assert night.meters("shuffler") == Meters(shuffles=4)
    sound(night)


def test_a_device_that_was_switched_off_meanwhile_is_counted_from_then_on(night: Night) -> None:
    night.hear("shuffler", *cycle(1), tokens="abcde")
    night.restart()
    night.hear("shuffler", said.Restarted(), *cycle(1), tokens="012345")
    assert night.meters("shuffler") == Meters(shuffles=2)


@pytest.mark.parametrize("committed", [False, True], ids=["not written", "written, not confirmed"])
def test_a_report_that_the_log_did_not_take_is_counted_once_when_it_comes_again(
    night: Night, monkeypatch: pytest.MonkeyPatch, *, committed: bool
) -> None:
    night.hear("shuffler", *cycle(1)[:3], tokens="abc")
    do = night.session.do

    def fails(command: object, *given: object, **more: object) -> object:
        if committed:
            do(command, *given, **more)  # type: ignore[arg-type]
        raise Uncertain("The disk reported an error.")

    monkeypatch.setattr(night.session, "do", fails)
    with pytest.raises(Uncertain):
        night.hear("shuffler", said.ShuffleComplete(1, 52), said.DeckTaken(1), tokens="de")
    night.session.close()
    night.session = open_session(night.folder, night.wall)
    night.devices.use(night.session)
    night.hear("shuffler", said.ShuffleComplete(1, 52), said.DeckTaken(1), tokens="de")
    night.hear("shuffler", *cycle(2), tokens="fghij")
    assert night.meters("shuffler") == Meters(shuffles=2)


@pytest.mark.parametrize("committed", [False, True], ids=["not written", "written, not confirmed"])
def test_a_report_that_the_console_keeps_while_the_log_is_closed_is_counted_once(
    night: Night, monkeypatch: pytest.MonkeyPatch, *, committed: bool
) -> None:
    """Of a shoe that cannot send again: the console carries the same report out once more."""
    unread = said.Report("shoe", said.CardUnreadable(1), "", 0.0)
    do = night.session.do

    def fails(command: object, *given: object, **more: object) -> object:
        if committed:
            do(command, *given, **more)  # type: ignore[arg-type]
        raise Uncertain("The disk reported an error.")

    monkeypatch.setattr(night.session, "do", fails)
    with pytest.raises(Uncertain):
        night.devices.take(unread)
    night.session.close()
    night.session = open_session(night.folder, night.wall)
    night.devices.use(night.session)
    night.devices.take(unread)
    assert night.meters() == Meters(decks=1, unread=1)
    night.devices.take(said.Report("shoe", said.CardUnreadable(2), "", 0.0))
    assert night.meters() == Meters(decks=1, unread=2)


def test_a_log_that_is_opened_again_between_two_reports_loses_no_count(night: Night) -> None:
    night.hear("shuffler", LIVE, *cycle(1)[:4], tokens="0abcd")
    night.session.close()
    night.session = open_session(night.folder, night.wall)
    night.devices.use(night.session)
    night.hear("shuffler", said.DeckTaken(1), tokens="e")
    assert night.meters("shuffler") == Meters(shuffles=1)


def test_a_line_out_of_order_fills_no_log_and_loses_no_count(night: Night) -> None:
    seq = night.session.state.seq
    night.hear("shoe", *[said.EventsLost(1)] * 500)
    assert night.session.state.seq - seq <= 80
    say(night.session, "deal", *["fold"] * 4, "push")
    night.hear("shoe", said.EventsLost(1))
    assert night.meters().link_errors == 501


def test_the_meters_go_on_from_day_to_day(night: Night) -> None:
    night.hear("shuffler", LIVE, *cycle(1))
    past_six(night.wall)
    say(night.session, "deal", *["fold"] * 4, "push")
    night.hear("shuffler", *cycle(2))
    assert night.meters("shuffler") == Meters(shuffles=2)
    closed = say(night.session, "shift close")[-1]
    assert closed["tally"]["devices"]["shuffler"]["shuffles"] == 2
    sound(night)


def test_a_shift_counts_its_own(night: Night) -> None:
    night.hear("shuffler", *cycle(1))
    say(night.session, "shift day B8 J8")
    night.hear("shuffler", *cycle(2, 51))
    closed = say(night.session, "shift close")[-1]
    assert closed["tally"]["devices"] == {
        "shuffler": {"shuffles": 0, "bad_shuffles": 1, "jams": 0, "decks": 0, "unread": 0,
                     "link_errors": 0, "reconnects": 0},
    }  # fmt: skip


def test_no_row_of_a_device_has_a_card_in_it(night: Night) -> None:
    """Every card of a deck goes through the shoe; none of its text may be in what is written."""
    made = night.hear("shoe", LIVE, said.ShoeLoaded(52))
    say(night.session, "hand")
    for number in range(1, 9):
        made += night.hear("shoe", said.CardDrawn(number, Sealed("7h"), in_game=True))
        made += night.hear("shoe", said.CardUnreadable(number), said.CardDuplicate(number))
    rows = [str(to_stored(one.event)) for one in made if isinstance(one.event, DeviceMetered)]
    assert rows
    assert not [row for row in rows if "7h" in row]
