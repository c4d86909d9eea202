"""The conformance kit: what every adapter must survive, tried on it with a model of its device.

A test file says what is to be tried and inherits the tests:

    class TestMine(Conformance):
        subject = Subject(...)
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest
from omaha_drivers.emulate.faults import Faults
from omaha_drivers.events import EventsLost, Link, Restarted
from omaha_drivers.framing import line

from tests.drivers.bench import Bench, is_told, numbers

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_drivers.adapter import Adapter
    from omaha_drivers.events import DeviceEvent
    from omaha_drivers.settings import DeviceSettings

    from tests.drivers.bench import Line


@dataclass(frozen=True)
class Subject:
    settings: DeviceSettings
    adapter: Callable[[DeviceSettings, str], Adapter]
    model: Callable[[], Any]
    begin: Callable[[Any], None]
    """Brings a model to where it can be made to report."""
    happen: Callable[[Any, int], None]
    """Makes the model report its event of this number, from 1."""
    number: Callable[[DeviceEvent], int | None]
    """Which of these events it is, or None for others."""


CARD = re.compile(r"(?<![A-Za-z0-9])[2-9TJQKA][cdhs](?![A-Za-z0-9])")


class Conformance:
    subject: Subject
    count = 52

    def bench(self, line: Line = list, place: str = "", model: Any = None, **changes: Any) -> Bench:
        settings = replace(self.subject.settings, **changes)
        model = model if model is not None else self.subject.model()
        return Bench(self.subject.adapter(settings, place), model, line)

    def started(self, line: Line = list) -> Bench:
        """A device that is live and has been heard, from here on over `line`."""
        bench = self.bench().open()
        self.subject.begin(bench.model)
        bench.run(0.1)
        bench.line = line
        return bench

    def happen(self, bench: Bench, first: int = 1, last: int = 0) -> None:
        for number in range(first, (last or self.count) + 1):
            self.subject.happen(bench.model, number)
            bench.run(0.05)

    def told(self, bench: Bench) -> list[int | None]:
        return numbers(bench.events, self.subject.number)

    def check(self, bench: Bench, last: int = 0, *, whole: bool = True) -> None:
        """All came once and in order; where that cannot be had, it was said to be lost."""
        bench.line = list
        bench.run(3)
        told = self.told(bench)
        assert is_told(told), told
        if bench.adapter.caps.resend:
            assert not whole or told == list(range(1, (last or self.count) + 1))
        else:
            self.subject.happen(bench.model, (last or self.count) + 1)
            bench.run(0.2)
            assert is_told(self.told(bench)), self.told(bench)

    # The line

    def test_events_come_once_and_in_order(self) -> None:
        bench = self.started()
        self.happen(bench)
        self.check(bench)
        assert bench.links == [Link.LIVE]

    @pytest.mark.parametrize(
        "faults",
        [
            ("garbage",),
            ("split",),
            ("merge",),
            ("bad_check",),
            ("repeat",),
            ("lose",),
            ("lose_last",),
            ("reorder",),
            ("endless_line",),
            ("garbage", "split", "bad_check", "repeat", "lose", "reorder"),
        ],
        ids="+".join,
    )
    @pytest.mark.parametrize("seed", range(5))
    def test_a_bad_line_loses_nothing_untold(self, faults: tuple[str, ...], seed: int) -> None:
        bench = self.started(Faults(faults, seed, 0.2).pieces)
        self.happen(bench)
        self.check(bench, whole=len(faults) == 1)

    def test_one_byte_at_a_time(self) -> None:
        bench = self.started(lambda frames: [bytes([b]) for b in b"".join(frames)])
        self.happen(bench)
        assert self.told(bench) == list(range(1, self.count + 1))

    def test_all_in_one_read(self) -> None:
        bench = self.started(lambda frames: [b"".join(frames)])
        for number in range(1, self.count + 1):
            self.subject.happen(bench.model, number)
        bench.run(0.1)
        assert self.told(bench) == list(range(1, self.count + 1))

    def test_everything_three_times(self) -> None:
        bench = self.started(lambda frames: [frame for f in frames for frame in (f, f, f)])
        self.happen(bench)
        assert self.told(bench) == list(range(1, self.count + 1))

    def test_noise_around_every_frame(self) -> None:
        bench = self.started(Faults(["garbage"], 7, 1.0).pieces)
        self.happen(bench)
        self.check(bench)

    def test_one_byte_every_200_ms(self) -> None:
        bench = self.started()
        queue = bytearray()

        def hold(frames: list[bytes]) -> list[bytes]:
            queue.extend(b"".join(frames))
            return [b""]

        bench.line = hold
        self.subject.happen(bench.model, 1)
        bench.exchange()
        for _ in range(600):
            if queue:
                bench.feed(bytes(queue[:1]))
                del queue[:1]
            bench.run(0.2, 0.2)
        assert self.told(bench) == [1]

    def test_a_line_without_an_end(self) -> None:
        bench = self.started()
        for _ in range(100):
            bench.feed(b"$\x05" + b"\xd5x" * 30_000)
        self.happen(bench, 1, 3)
        assert self.told(bench) == [1, 2, 3]

    def test_a_flood_of_events(self) -> None:
        bench = self.started()
        for number in range(1, self.count + 1):
            self.subject.happen(bench.model, number)
            bench.model.out += bench.model.out[-1:] * 200
        bench.run(0.1)
        assert self.told(bench) == list(range(1, self.count + 1))

    def test_answers_that_nobody_asked_for(self) -> None:
        bench = self.started()
        self.happen(bench, 1, 5)
        for noise in (line("NO", "0001", "BUSY"), b"\x15\x31", b"\x06"):
            bench.feed(noise * 500)
        self.happen(bench, 6)
        self.check(bench)

    # The device

    def test_unplugged_in_the_middle_of_a_frame(self) -> None:
        bench = self.started()
        self.happen(bench, 1, 10)
        bench.line = lambda frames: [frame[: len(frame) // 2] for frame in frames]
        self.subject.happen(bench.model, 11)
        bench.exchange()
        bench.close()
        bench.line = list
        bench.open()
        bench.run(0.5)
        self.happen(bench, 12)
        self.check(bench)

    def test_events_while_the_cable_is_out(self) -> None:
        bench = self.started()
        self.happen(bench, 1, 10)
        bench.close()
        for number in range(11, 21):
            self.subject.happen(bench.model, number)
        bench.model.out.clear()
        bench.open()
        bench.run(0.5)
        self.happen(bench, 21)
        self.check(bench)

    def test_power_cycle_is_told(self) -> None:
        bench = self.started()
        self.happen(bench, 1, 10)
        bench.model.power_cycle()
        bench.run(2)
        assert sum(isinstance(event, Restarted) for event in bench.events) == 1

    def test_power_cycle_while_the_cable_is_out_is_told(self) -> None:
        bench = self.started()
        self.happen(bench, 1, 10)
        bench.close()
        bench.model.power_cycle()
        self.subject.begin(bench.model)
        if not bench.adapter.caps.resend:
            bench.model.out.clear()
        bench.open()
        bench.run(2)
        self.happen(bench, 1, 3)
        bench.run(2)
        told = self.told(bench)
        assert told[:10] == list(range(1, 11))
        assert told[10] is None
        assert told[-3:] == [1, 2, 3] or None in told[11:]

    def test_silence_and_return(self) -> None:
        bench = self.started()
        self.happen(bench, 1, 5)
        bench.line = lambda frames: []
        bench.run(5)
        if bench.adapter.caps.heartbeat:
            assert bench.links[-1] is Link.SILENT
        bench.line = list
        bench.run(3)
        self.happen(bench, 6)
        self.check(bench)
        assert bench.links[-1] is Link.LIVE

    def test_another_speed_is_nobody(self) -> None:
        garbled = lambda frames: [bytes((b * 37 + 11) & 255 for b in f) for f in frames]  # noqa: E731
        bench = self.bench(garbled).open()
        self.subject.begin(bench.model)
        self.happen(bench)
        assert bench.events == []

    def test_a_clock_that_jumps_ahead(self) -> None:
        bench = self.started()
        self.happen(bench, 1, 5)
        bench.now += 3600
        bench.run(2)
        self.happen(bench, 6)
        self.check(bench)

    # The host

    def test_commands_are_off_and_said_to_be(self) -> None:
        bench = self.started()
        verb = "LOCK" if bench.adapter.kind == "shoe" else "EJECT"
        before = len(bench.sent), len(bench.events)
        bench.command(verb)
        assert len(bench.sent) == before[0]
        assert len(bench.events) == before[1] + 1

    def test_an_unknown_command_is_not_sent(self) -> None:
        bench = self.bench(allow_commands=True).open()
        before = len(bench.sent)
        bench.command("LOCK\x1b[2J,*")
        bench.command("FORMAT")
        bench.command("")
        assert len(bench.sent) == before

    def test_a_host_that_starts_anew_goes_on_where_it_was(self) -> None:
        bench = self.started()
        if not bench.adapter.caps.resend:
            pytest.skip("the device cannot send again")
        self.happen(bench, 1, 20)
        place = bench.places[-1]
        self.happen(bench, 21, 30)
        later = self.bench(place=place, model=bench.model)
        later.now = bench.now
        later.open().run(0.5)
        self.happen(later, 31)
        assert self.told(later) == list(range(21, self.count + 1))

    def test_lost_for_good_is_told_and_not_waited_for(self) -> None:
        bench = self.started()
        self.happen(bench, 1, 5)
        lost: list[bytes] = []

        def line(frames: list[bytes]) -> list[bytes]:
            number = f",{bench.model.last:08X},".encode() if hasattr(bench.model, "last") else None
            if not lost:
                lost.append(number or frames[0])
                return []
            return [f for f in frames if lost[0] not in f or f.startswith(b"$HB")]

        bench.line = line
        self.subject.happen(bench.model, 6)
        bench.exchange()
        self.happen(bench, 7, 12)
        bench.run(3)
        told = self.told(bench)
        assert is_told(told), told
        assert told == [1, 2, 3, 4, 5, None, 7, 8, 9, 10, 11, 12]
        assert EventsLost(1 if bench.adapter.caps.resend else None) in bench.events

    # Secrecy

    def test_no_card_is_in_any_text(self) -> None:
        bench = self.started(Faults(["bad_check", "lose"], 3, 0.2).pieces)
        self.happen(bench)
        bench.run(3)
        if bench.adapter.caps.reports_cards and bench.adapter.kind == "shoe":
            text = f"{bench.events} {bench.places} {bench.adapter.counters()} {bench.adapter!r}"
            assert not CARD.search(text)

    def test_count_only_has_no_cards(self) -> None:
        bench = self.bench(identities="count_only").open()
        self.subject.begin(bench.model)
        bench.run(0.1)
        self.happen(bench)
        assert len(self.told(bench)) == self.count
        assert all(getattr(event, "card", None) is None for event in bench.events)
