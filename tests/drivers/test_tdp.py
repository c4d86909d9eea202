from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from omaha_drivers.conformance.bench import Bench
from omaha_drivers.emulate.tdp import RING, ShoeModel, ShufflerModel
from omaha_drivers.events import (
    CardDrawn,
    CardUnreadable,
    DeckIn,
    DeckTaken,
    DeckVerified,
    DeviceWarning,
    DoorChanged,
    EventsLost,
    Identified,
    JamCleared,
    Jammed,
    Link,
    LinkChanged,
    Restarted,
    ShoeLoaded,
    ShuffleAborted,
    ShuffleComplete,
    ShuffleStarted,
    Trust,
)
from omaha_drivers.framing import line
from omaha_drivers.sealed import reveal
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.tdp import Tdp
from omaha_drivers.tdp_codec import CARDS, seal_card

from tests.drivers.tdp_bench import KEY, SHOE, of, shoe

SHUFFLER = DeviceSettings("shuffler", "shuffler", "tdp", "")


def drawn(bench: Bench) -> list[int]:
    return [event.number for event in bench.events if isinstance(event, CardDrawn)]


def test_a_shuffle_is_told_from_deck_in_to_deck_out() -> None:
    bench = Bench(Tdp(SHUFFLER), ShufflerModel("S", seconds=2.0)).open().run(0.1)
    bench.model.shuffle("blue")
    bench.run(1)
    assert bench.events[2:] == [DeckIn("blue"), ShuffleStarted(1)]
    bench.run(2)
    bench.model.take()
    bench.run(0.1)
    assert bench.events[4:] == [
        DeckVerified(1, 52, ok=True, result="ok"),
        ShuffleComplete(1, 52),
        DeckTaken(1),
    ]


def test_a_short_deck_is_not_complete() -> None:
    bench = Bench(Tdp(SHUFFLER), ShufflerModel("S")).open()
    bench.model.shuffle("red", 51)
    bench.exchange()
    assert bench.events[-1] == DeckVerified(1, 51, ok=False, result="short")


def test_a_count_that_is_not_the_expected_one_is_never_ok() -> None:
    bench = Bench(Tdp(SHUFFLER), ShufflerModel("S")).open()
    bench.model.event("VER", "1", "53", "52", "OK")
    bench.exchange()
    assert bench.events[-1] == DeckVerified(1, 53, ok=False, result="ok")


def test_jam_door_and_abort() -> None:
    model = ShufflerModel("S", seconds=5)
    bench = Bench(Tdp(SHUFFLER), model).open()
    model.shuffle()
    model.jam()
    model.clear_jam()
    model.open_door(True)
    model.open_door(False)
    bench.exchange()
    assert bench.events[4:] == [
        ShuffleAborted("JAM"),
        Jammed("EXIT"),
        JamCleared("EXIT"),
        DoorChanged(open=True),
        DoorChanged(open=False),
    ]


def test_first_contact_begins_now_and_not_with_what_was() -> None:
    bench = shoe()
    bench.model.load(CARDS)
    bench.model.draw()
    bench.model.out.clear()
    bench.open().run(1)
    bench.model.draw()
    bench.run(0.1)
    assert drawn(bench) == [2]
    assert not of(bench, EventsLost, Restarted)


def test_every_event_says_where_to_go_on() -> None:
    bench = shoe().open()
    bench.model.load(CARDS)
    bench.run(0.1)
    assert bench.places[-1] == f"{bench.model.session}:00000001"


def test_lost_last_event_is_found_by_the_heartbeat() -> None:
    bench = shoe().open().run(0.2)
    bench.line = lambda frames: [frame for frame in frames if not frame.startswith(b"$EV")]
    bench.model.load(CARDS)
    bench.run(1.5)
    assert bench.events[-1] == ShoeLoaded(52)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"serial": "SHOE-2"}, "serial number is SHOE-1"),
        ({"kind": "shuffler", "serial": ""}, "not a"),
    ],
)
def test_the_wrong_device_is_not_believed(changes: Any, why: str) -> None:
    bench = shoe(**changes).open()
    bench.model.load(CARDS)
    bench.run(5)
    [event] = bench.events
    assert isinstance(event, LinkChanged)
    assert event.link is Link.WRONG
    assert why in event.why


def test_the_right_device_in_place_of_the_wrong_one_goes_live() -> None:
    bench = shoe(serial="SHOE-2").open().run(1)
    bench.model = ShoeModel("SHOE-2")
    bench.run(3)
    assert bench.links == [Link.WRONG, Link.LIVE]


def test_a_terminal_cannot_be_commanded_by_a_serial_number() -> None:
    bench = shoe(serial="").open()
    bench.model.serial = "\x1b]0;owned\x07"
    bench.close()
    bench.open().run(2)
    bench.model.serial = "S" * 60
    bench.close()
    bench.open().run(2)
    assert [event.serial for event in of(bench, Identified)] == ["SHOE-1", "S" * 32]


def test_a_shoe_with_a_key_that_the_host_has_not_is_counted_without_identities() -> None:
    bench = Bench(Tdp(SHOE), ShoeModel("SHOE-1", KEY, chance=Random(1))).open()
    bench.model.load(CARDS)
    for _ in range(3):
        bench.model.draw()
    bench.run(0.1)
    assert drawn(bench) == [1, 2, 3]
    assert all(event.card is None for event in of(bench, CardDrawn))
    assert not of(bench, EventsLost)


def test_a_long_serial_number_is_not_the_short_one_it_begins_with() -> None:
    bench = shoe(serial="S" * 32)
    bench.model.serial = "S" * 33
    bench.open().run(2)
    assert bench.links == [Link.WRONG]


def test_a_device_without_a_heartbeat_stays_live_by_being_asked() -> None:
    bench = shoe()
    bench.model.heartbeat = False
    bench.open().run(20)
    assert bench.links == [Link.LIVE]


def test_a_device_that_only_greets_is_silent() -> None:
    bench = shoe()
    bench.line = lambda frames: [frame for frame in frames if frame.startswith(b"$HELO")]
    bench.open().run(3.5)
    assert bench.links[:2] == [Link.LIVE, Link.SILENT]


def test_a_ring_that_has_run_over_is_told_with_the_number_lost() -> None:
    bench = shoe().open().run(0.1)
    bench.close()
    for _ in range(RING + 10):
        bench.model.event("LID", "1")
    bench.model.out.clear()
    bench.open().run(1)
    assert of(bench, EventsLost) == [EventsLost(10)]
    assert len(of(bench, DoorChanged)) == RING


def test_a_number_far_ahead_is_asked_about_and_not_believed() -> None:
    bench = shoe().open().run(0.1)
    session = bench.model.session
    bench.feed(line("EV", session, "7FFFFFFF", "0", "LID", "1"))
    bench.model.load(CARDS)
    for _ in CARDS:
        bench.model.draw()
    bench.run(3)
    assert drawn(bench) == list(range(1, 53))
    assert not of(bench, EventsLost)


def test_a_device_that_counts_anew_without_saying_so_is_told() -> None:
    bench = shoe().open()
    bench.model.load(CARDS)
    for _ in range(5):
        bench.model.draw()
    bench.run(0.2)
    bench.model.last = 0
    bench.model.drawn = 0
    bench.run(4)
    bench.model.draw()
    bench.run(0.2)
    assert of(bench, Restarted, EventsLost) == [Restarted(), EventsLost(None)]
    assert drawn(bench) == [1, 2, 3, 4, 5, 1]


def test_a_last_number_that_cannot_be_is_told_and_gone_on_from() -> None:
    bench = shoe().open().run(0.1)
    session = bench.model.session
    bench.feed(line("HB", session, "FFFFFFFF", "IDLE", "0"))
    bench.run(8)
    bench.model.load(CARDS)
    bench.model.draw()
    bench.run(1)
    assert of(bench, Restarted, EventsLost) == [
        EventsLost(0xFFFFFFFF),
        Restarted(),
        EventsLost(None),
    ]
    assert drawn(bench) == [1]


def test_one_late_heartbeat_is_nothing() -> None:
    bench = shoe().open().run(0.1)
    session = bench.model.session
    bench.model.load(CARDS)
    bench.run(0.1)
    bench.feed(line("HB", session, "00000000", "IDLE", "0"))
    bench.feed(line("HB", session, "00000000", "IDLE", "0"))
    bench.run(5)
    assert not of(bench, Restarted, EventsLost)


def test_a_late_greeting_of_an_ended_session_is_nothing() -> None:
    bench = shoe().open().run(0.1)
    bench.model.load(CARDS)
    bench.run(0.1)
    old = line("HELO", "1", *bench.model.identification())
    bench.model.power_cycle()
    bench.run(1)
    bench.model.draw()
    bench.run(0.1)
    bench.feed(line("HB", "0" * 16, "00000001", "IDLE", "0") + old)
    bench.run(2)
    assert len(of(bench, Restarted)) == 1
    assert drawn(bench) == [1]


# With a key


def test_a_device_with_the_key_is_authenticated_and_its_cards_are_sealed_on_the_wire() -> None:
    bench = shoe(KEY).open()
    wire = bytearray()

    def tap(frames: list[bytes]) -> list[bytes]:
        wire.extend(b"".join(frames))
        return frames

    bench.line = tap
    bench.model.load(CARDS)
    for _ in CARDS:
        bench.model.draw()
    bench.run(0.1)
    assert of(bench, Identified)[0].trust is Trust.AUTHENTICATED
    assert [reveal(event.card) for event in of(bench, CardDrawn)] == list(CARDS)
    assert not [card for card in CARDS if f",{card},".encode() in wire]


@pytest.mark.parametrize("key", [b"", b"another key"])
def test_without_the_key_nothing_is_believed(key: bytes) -> None:
    bench = Bench(Tdp(replace(SHOE, key=KEY)), ShoeModel("SHOE-1", key)).open()
    bench.model.load(CARDS)
    bench.model.draw()
    bench.run(5)
    assert bench.links == [Link.WRONG]
    assert len(bench.events) == 1


def test_a_forged_event_with_a_good_check_is_not_believed_and_the_true_one_is() -> None:
    bench = shoe(KEY).open().run(0.1)
    session = bench.model.session
    forged = ["EV", session, "00000001", "0", "CRD", "1", "00" * 9, "100", "G"]
    bench.feed(line(*forged))
    bench.feed(line(*forged, "0" * 16))
    bench.feed(line("GONE", session, "00000001", "000000FF"))
    bench.feed(line("HB", session, "000000FF", "IDLE", "0", "0" * 16))
    assert not of(bench, CardDrawn, EventsLost)
    bench.model.load(CARDS)
    bench.model.draw()
    bench.run(2)
    assert drawn(bench) == [1]
    assert not of(bench, EventsLost)
    assert bench.adapter.counters()["rejected"] == 4


def test_a_card_moved_to_another_number_is_not_believed() -> None:
    sealing = ShoeModel("SHOE-1", KEY, caps="AUTH+SEAL", chance=Random(1))
    bench = Bench(Tdp(replace(SHOE, key=KEY)), sealing).open().run(0.1)
    moved = seal_card(KEY, sealing.session, "00000001", "As", "1", "G")
    bench.feed(line("EV", sealing.session, "00000001", "0", "CRD", "2", moved, "100", "G"))
    bench.feed(line("EV", sealing.session, "00000002", "0", "CRD", "1", moved, "100", "G"))
    bench.run(2)
    assert not of(bench, CardDrawn)


def test_a_replayed_session_is_not_believed() -> None:
    first = shoe(KEY)
    recorded: list[bytes] = []

    def record(frames: list[bytes]) -> list[bytes]:
        recorded.extend(frames)
        return frames

    first.line = record
    first.open()
    first.model.load(CARDS)
    first.model.draw()
    first.run(0.2)
    assert drawn(first) == [1]
    again = shoe(KEY)
    again.line = lambda frames: []
    again.open()
    for frame in recorded * 3:
        again.feed(frame)
    again.run(3)
    assert not of(again, CardDrawn)
    assert again.links == [Link.WRONG]


def test_capabilities_cannot_be_taken_away_on_the_line() -> None:
    bench = shoe(KEY)
    bench.line = lambda frames: [
        line(*frame[1:-7].decode().replace("AUTH+SIGN+SEAL", "AUTH").split(",")) for frame in frames
    ]
    bench.open().run(5)
    assert bench.links == [Link.WRONG]


def test_sealed_cards_without_a_key_are_only_counted() -> None:
    model = ShoeModel("SHOE-1", KEY, caps="SEAL")
    bench = Bench(Tdp(SHOE), model).open()
    model.load(CARDS)
    model.draw()
    bench.exchange()
    assert bench.events[-1] == CardDrawn(1, None, in_game=True)


def test_a_card_that_is_none_is_unreadable() -> None:
    bench = shoe().open()
    bench.model.event("CRD", "1", "Zz", "100", "G")
    bench.model.event("CRD", "2")
    bench.model.event("XYZ", "As")
    bench.exchange()
    assert bench.events[-3:] == [
        CardUnreadable(1),
        EventsLost(1),
        DeviceWarning("unknown event XYZ"),
    ]


# Before the device has said who it is


def test_nothing_is_believed_before_the_device_has_been_greeted() -> None:
    known = ShoeModel("SHOE-1", chance=Random(1)).session
    bench = shoe(place=f"{known}:00000000")
    bench.line = lambda frames: [frame for frame in frames if not frame.startswith(b"$HELO")]
    bench.open()
    bench.model.load(CARDS)
    bench.model.draw()
    bench.run(2)
    assert bench.model.session == known
    assert bench.events == []
