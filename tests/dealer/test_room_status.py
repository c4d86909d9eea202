"""How far behind the room is, what stands against this table, and how long it stands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from omaha_table.dealer.alarms import alarm_line, standing_alarm, still_wrong
from omaha_table.dealer.modes.pages import devices_page
from omaha_table.dealer.room_status import (
    PATIENCE,
    RoomStatus,
    RoomWatch,
    ShipperReport,
    acknowledged,
    look,
    room_alarm,
    status_text,
)
from omaha_table.dealer.screen.drawing import alarm_rows, draw
from tests.console.scenes import Table, shoe_lost, with_room

DAY = "2026-11-19"
SHIPPED = ShipperReport("shipped", DAY, 10, 10, has_witness=True)


def after(*looks: tuple[ShipperReport, int, float]) -> RoomWatch:
    """Looks one after the other: what the shipper said, the last event here, and the time."""
    watch = RoomWatch()
    for said, seq, now in looks:
        watch = look(watch, said, DAY, seq, now)
    return watch


def test_what_is_on_its_way_is_not_behind() -> None:
    watch = after((SHIPPED, 10, 0), (SHIPPED, 12, 1), (SHIPPED, 12, 1 + PATIENCE))
    assert watch.status.phase == "witnessed"


def test_what_takes_too_long_is_behind_by_so_many_events() -> None:
    late = 2 + PATIENCE
    watch = after((SHIPPED, 10, 0), (SHIPPED, 12, 1), (SHIPPED, 15, late))
    assert status_text(watch.status) == "behind by 5 events"
    ahead = replace(SHIPPED, seq=15, witnessed=14)
    watch = look(watch, ahead, DAY, 15, late + 1)
    assert watch.status.phase == "witnessed"
    assert status_text(look(watch, ahead, DAY, 15, late + 9).status) == "behind by 1 event"


def test_events_in_the_room_that_no_witness_has_signed_are_behind() -> None:
    unsigned = replace(SHIPPED, seq=40, witnessed=10)
    late = after((unsigned, 40, 0), (unsigned, 40, 1 + PATIENCE))
    assert (late.status.phase, late.status.behind) == ("behind", 30)
    nobody = replace(unsigned, has_witness=False)
    without = after((nobody, 40, 0), (nobody, 40, 1 + PATIENCE))
    assert without.status.phase == "received"


def test_what_the_room_has_of_yesterday_counts_nothing_today() -> None:
    watch = after((replace(SHIPPED, day="2026-11-18", witnessed=900), 3, 0))
    watch = look(watch, replace(SHIPPED, day="2026-11-18", witnessed=900), DAY, 3, 1 + PATIENCE)
    assert status_text(watch.status) == "behind by 3 events"


def test_a_room_that_is_away_says_since_when_and_what_waits() -> None:
    away = replace(SHIPPED, phase="away", since=1_763_300_000.0)
    watch = after((away, 320, 0))
    assert watch.status.trouble == ""
    assert status_text(watch.status).startswith("away since ")
    assert status_text(watch.status).endswith(", 310 events wait")


def test_an_alarm_stands_until_the_room_has_taken_something() -> None:
    alarm = ShipperReport("alarm", DAY, 10, 10, has_witness=True, alarm="forked")
    away = replace(SHIPPED, phase="away")
    for later in (away, ShipperReport(), replace(SHIPPED, phase="failed")):
        watch = after((alarm, 10, 0), (later, 10, 1))
        assert (watch.status.phase, watch.status.alarm) == ("alarm", "forked")
    assert after((alarm, 10, 0), (SHIPPED, 10, 1)).status.phase == "witnessed"


def test_a_refusal_stands_while_nobody_answers() -> None:
    refused = ShipperReport("refused", message="The room has schema 99.")
    watch = after((refused, 10, 0), (ShipperReport(), 10, 1))
    assert watch.status.phase == "refused"
    assert after((refused, 10, 0), (SHIPPED, 10, 1)).status.phase == "witnessed"


def test_an_alarm_that_was_acknowledged_comes_again_when_it_is_another_one() -> None:
    alarm = ShipperReport("alarm", alarm="unlinked")
    watch = acknowledged(after((alarm, 10, 0)))
    assert watch.unseen_trouble == ""
    assert look(watch, alarm, DAY, 10, 1).unseen_trouble == ""
    assert look(watch, replace(alarm, alarm="forked"), DAY, 10, 1).unseen_trouble == "forked"
    healed = look(watch, SHIPPED, DAY, 10, 1)
    assert look(healed, alarm, DAY, 10, 2).unseen_trouble == "unlinked"


@pytest.mark.parametrize(
    ("offset", "says"),
    [
        (7210.0, "CLOCK: this machine is 2 h 0 min ahead of the room."),
        (-95.0, "CLOCK: this machine is 1 min behind the room."),
        (-31.0, "CLOCK: this machine is 31 s behind the room."),
        (29.0, ""),
    ],
)
def test_a_clock_that_differs_is_a_warning(offset: float, says: str) -> None:
    watch = after((replace(SHIPPED, clock_offset=offset), 10, 0))
    alarm = room_alarm(watch.status)
    assert (alarm.text if alarm else "").startswith(says)
    assert (alarm.level if alarm else "") == ("warn" if says else "")


KINDS = ("rolled_back", "forked", "broken", "unsound", "unlinked", "foreign", "alarmed")


@pytest.mark.parametrize("kind", KINDS)
def test_each_log_alarm_can_be_read_whole_on_the_smallest_screen(kind: str) -> None:
    alarm = room_alarm(RoomStatus("alarm", alarm=kind))
    assert alarm is not None
    rows = alarm_rows(alarm, 80)
    assert alarm.level == "fault"
    assert alarm.text.startswith("LOG ALARM: ")
    assert "Deal on" in alarm.text
    assert "call " in alarm.text
    assert "…" not in "".join(rows)


def test_each_log_alarm_has_words_of_its_own() -> None:
    said = {room_alarm(RoomStatus("alarm", alarm=kind)) for kind in KINDS}
    assert len(said) == len(KINDS)


def test_a_log_alarm_comes_before_a_device_that_fails_and_stays_on_the_screen() -> None:
    table = shoe_lost()
    link = with_room(table, ShipperReport("alarm", alarm="rolled_back"))
    standing = standing_alarm(table.console.facts())
    assert standing is not None
    assert standing.alarm.text.startswith("LOG ALARM")
    assert "■ LOG ALARM" in draw(table.console.view(), 80, 24).text()
    table.keys("*")
    after_it = standing_alarm(table.console.facts())
    assert after_it is not None
    assert after_it.device == "shoe"
    screen = draw(table.console.view(), 80, 24).text()
    assert "■ LOG ALARM" in screen
    link.said = ShipperReport("away", alarm="")
    table.console.look_at_room()
    assert "■ LOG ALARM" in draw(table.console.view(), 80, 24).text()


def test_a_log_alarm_and_its_acknowledgment_are_in_the_log_once() -> None:
    table = Table()
    link = with_room(table, ShipperReport("alarm", alarm="forked"))
    link.said = ShipperReport("alarm", alarm="forked", since=1.0)
    table.console.look_at_room()
    table.keys("*")
    assert [line[10:] for line in table.console.model.story.log[:2]] == [
        "room: alarm acknowledged (forked)", "! room: log alarm (forked)",
    ]  # fmt: skip
    assert still_wrong(table.console.facts()) == ["ROOM log alarm (forked)"]
    assert alarm_line(table.console.model).text.startswith("Still open: ROOM log alarm (forked)")


def test_the_device_page_has_all_of_it() -> None:
    table = Table()
    message = "The room has schema 99, this program 3: upgrade this program."
    with_room(table, ShipperReport("refused", message=message))
    text = " ".join(" ".join(devices_page(table.console.model).lines).split())
    assert "ROOM refuses this table" in text
    assert message in text


def test_a_table_without_a_room_shows_nothing_of_one() -> None:
    table = Table()
    assert not table.console.look_at_room()
    assert "ROOM" not in draw(table.console.view(), 120, 40).text()


def test_a_look_that_finds_nothing_new_repaints_nothing() -> None:
    table = Table()
    said = ShipperReport("shipped", "", 10**6, 10**6, has_witness=True)
    link = with_room(table, said)
    model = table.console.model
    for more in range(1, 50):
        link.said = replace(said, seq=10**6 + more, witnessed=10**6 + more)
        assert not table.console.look_at_room()
    assert table.console.model is model
