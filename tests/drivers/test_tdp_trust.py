"""Greetings, proofs and signatures that a TDP host must not accept."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from omaha_drivers.conformance.bench import Bench
from omaha_drivers.emulate.tdp import ShoeModel
from omaha_drivers.events import (
    CutCard,
    DoorChanged,
    EventsLost,
    Link,
    LinkChanged,
    Restarted,
    StateFound,
)
from omaha_drivers.framing import line
from omaha_drivers.tdp import Tdp
from omaha_drivers.text import printable

from tests.drivers.tdp_bench import KEY, SHOE, of, shoe


def fields_of(frame: bytes) -> list[str]:
    return frame[1 : frame.index(b"*")].decode("ascii").split(",")


@pytest.mark.parametrize(
    ("at", "value", "why"),
    [(1, "2", "another version"), (7, "12AB", "cannot be read"), (8, "-0000001", "cannot be read")],
    ids=["version", "session", "last number"],
)
def test_a_greeting_that_cannot_be_understood_is_the_wrong_device(
    at: int, value: str, why: str
) -> None:
    bench = shoe()

    def changed(frames: list[bytes]) -> list[bytes]:
        found = []
        for frame in frames:
            fields = fields_of(frame)
            if fields[0] == "HELO":
                fields[at] = value
            found.append(line(*fields))
        return found

    bench.line = changed
    bench.open().run(1)
    [event] = bench.events
    assert isinstance(event, LinkChanged)
    assert event.link is Link.WRONG
    assert why in event.why


def test_a_greeting_that_nobody_asked_for_begins_no_session() -> None:
    bench = shoe().open().run(0.1)
    before = list(bench.events)
    other = ShoeModel("SHOE-1", chance=Random(2))
    assert other.session != bench.model.session
    bench.feed(line("HELO", "1", *other.identification()))
    assert bench.events == before
    assert of(bench, Restarted) == []


def test_a_device_without_challenges_is_named_as_that_where_a_key_is_configured() -> None:
    model = ShoeModel("SHOE-1", KEY, caps="SEAL", chance=Random(1))
    bench = Bench(Tdp(replace(SHOE, key=KEY)), model).open()
    [event] = bench.events
    assert isinstance(event, LinkChanged)
    assert event.link is Link.WRONG
    assert "cannot answer a challenge" in event.why


def test_a_proof_before_any_challenge_is_nothing() -> None:
    bench = shoe(KEY)
    bench.line = lambda frames: []
    bench.open()
    bench.feed(line("AUTH", "00" * 16))
    assert bench.events == []


@pytest.mark.parametrize("at", [2, 4, 5], ids=["number", "code", "argument"])
def test_a_signature_is_for_one_message_at_one_place(at: int) -> None:
    bench = shoe(KEY).open().run(0.1)
    bench.model.event("LID", "1")
    [frame] = bench.model.out
    bench.model.out.clear()
    fields = fields_of(frame)
    fields[at] = {2: "00000002", 4: "LCK", 5: "0"}[at]
    bench.feed(line(*fields))
    assert of(bench, DoorChanged) == []
    assert bench.adapter.counters()["rejected"] == 1
    bench.feed(frame)
    assert of(bench, DoorChanged) == [DoorChanged(open=True)]


def test_a_number_that_no_device_counts_to_is_an_event_that_cannot_be_read() -> None:
    bench = shoe().open()
    bench.model.event("CUT", "9" * 9)
    bench.model.event("CUT", "9" * 10)
    bench.exchange()
    assert bench.events[-2:] == [CutCard(999_999_999), EventsLost(1)]


def test_what_a_device_says_is_shown_as_printable_ascii_and_cut() -> None:
    assert printable("\x1b[2J\x07é\n", 32) == "?[2J???"
    assert printable("S" * 40) == "S" * 32


@pytest.mark.parametrize(
    ("sent", "found"),
    [("JAM", "jammed"), ("DOOR", "open"), ("FAULT", "faulty"), ("SVC", "service")],
)
def test_the_state_in_which_it_is_found_is_reported_until_it_is_over(sent: str, found: str) -> None:
    bench = shoe()
    bench.model.state = sent
    bench.open().run(5.0)
    assert of(bench, StateFound) == [StateFound(found)]  # type: ignore[arg-type]
    bench.model.state = "IDLE"
    bench.run(5.0)
    assert of(bench, StateFound)[1:] == [StateFound("ok")]


def test_a_state_that_begins_later_has_an_event_of_its_own() -> None:
    bench = shoe()
    bench.open().run(5.0)
    bench.model.state = "JAM"
    bench.run(5.0)
    assert of(bench, StateFound) == []
