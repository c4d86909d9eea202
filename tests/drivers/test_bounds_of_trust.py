"""How far a device, a line or a text from one is believed: the edges that are easily lost."""

from __future__ import annotations

import io
import itertools
import sys
from typing import TYPE_CHECKING

import pytest
from omaha_drivers import events as e
from omaha_drivers import registry
from omaha_drivers import tdp_codec as codec
from omaha_drivers.adapter import Actions, Caps, Emitted, PortDefaults
from omaha_drivers.angel_eye import MAX_CARDS, AngelEye
from omaha_drivers.framing import ENQ, BlockFramer, LineFramer, block, line
from omaha_drivers.ordering import ResendRequest, Resequencer
from omaha_drivers.sealed import Sealed
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.supervisor import FIRST_WAIT
from omaha_drivers.tdp import Tdp
from omaha_drivers.tdp_requests import Handshake, Welcome
from omaha_drivers.transport import TransportError, pair
from rich.console import Console
from rich.pretty import pretty_repr

from tests.drivers.live import Host

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from omaha_drivers.settings import Kind
    from omaha_drivers.transport import Transport

KEY = b"a key of thirty-two bytes, or so"
SHOE = DeviceSettings("shoe", "shoe", "tdp", "", key=KEY)


# Frames


@pytest.mark.parametrize(
    ("framer", "frame"),
    [(LineFramer(), line("HB", "1")), (BlockFramer(ENQ), block(ENQ, b"0G"))],
    ids=["line", "block"],
)
def test_half_a_frame_is_forgotten_when_the_line_is_cut(
    framer: LineFramer | BlockFramer, frame: bytes
) -> None:
    assert framer.feed(frame[:3]) == []
    assert framer.held == 3
    framer.reset()
    assert framer.held == 0
    assert framer.feed(frame[3:]) == []
    assert len(framer.feed(frame)) == 1


def test_a_line_with_a_wrong_check_is_no_frame() -> None:
    framer = LineFramer()
    good = line("HB", "1")
    bad = good.replace(b"HB,1", b"HB,2")
    assert framer.feed(bad + good) == [b"HB,1"]
    assert framer.bad == 1


def test_much_at_once_is_taken_whole() -> None:
    frames = LineFramer().feed(b"".join(line("HB", str(number)) for number in range(5000)))
    assert frames == [f"HB,{number}".encode() for number in range(5000)]


# Order


def test_what_is_gone_must_begin_where_the_gap_does() -> None:
    order: Resequencer[str] = Resequencer(0)
    assert order.offer(5, "five", 0.0) == []
    assert order.request_missing(0.0) == ResendRequest(((1, 4),))
    assert order.requested(2, 4) is None
    assert order.requested(1, 4) == (1, 4)
    assert order.requested(6, 9) is None


# The greeting and the key


def test_a_second_greeting_does_not_change_the_challenge_under_way() -> None:
    nonces = itertools.count(1)
    greeting = Handshake(SHOE, lambda: f"{next(nonces):016X}")
    greeting.begin(0.0)
    session = "0123456789ABCDEF"
    hello = ["1", "SHOE", "V", "M", "S1", "1.0", session, "00000000", "AUTH"]
    sent, judged = greeting.hello(hello, 0.1)
    assert (sent[:6], judged) == (b"$AUTH,", None)
    challenge = sent[6:22].decode()
    assert greeting.hello(hello, 0.2) == (b"", None)
    assert greeting.hello([*hello[:4], "S2", *hello[5:]], 0.2) == (b"", None)
    welcome = greeting.proof([codec.proof(KEY, challenge, hello[1:])])
    assert isinstance(welcome, Welcome)
    assert welcome.hello.serial == "S1"


def test_an_event_that_is_sent_again_is_signed_as_it_was_the_first_time() -> None:
    rest = ["0123456789ABCDEF", "00000001", "12", "LOD", "1", "52"]
    first = codec.signature(KEY, ["EV", *rest])
    assert codec.signature(KEY, ["RE", *rest]) == first
    assert codec.signature(KEY, ["GONE", *rest]) != first
    assert codec.signature(KEY, ["EV", *rest[:-1], "51"]) != first


def test_sessions_that_have_ended_are_remembered_up_to_a_number() -> None:
    """A greeting of one that ended just now is late; of one long ago it is a restart."""
    adapter = Tdp(DeviceSettings("shoe", "shoe", "tdp", ""))
    now = 0.0

    def greet(session: int) -> list[e.DeviceEvent]:
        nonlocal now
        now += 10.0
        events = list(adapter.tick(now).events)
        name = f"{session:016X}"
        hello = line("HELO", "1", "SHOE", "V", "M", "S1", "1.0", name, "00000000", "")
        events += adapter.feed(hello, now).events
        return [placed.event for placed in events]

    adapter.opened(now)
    for session in range(1, 21):
        greet(session)
    assert e.Restarted() not in greet(19)
    assert e.Restarted() in greet(1)


# The Angel Eye


def told(frames: Iterable[bytes]) -> list[e.DeviceEvent]:
    """What an Angel Eye that sends these reports."""
    shoe = AngelEye(DeviceSettings("shoe", "shoe", "angel_eye", ""))
    shoe.opened(0.0)
    return [placed.event for frame in frames for placed in shoe.feed(frame, 0.0).events]


def test_a_message_that_is_missing_is_told_whatever_kind_it_was() -> None:
    messages = (b"0S", b"1L\x81", b"2L\x80", b"4L\x81")
    events = told(block(ENQ, message) for message in messages)
    assert events.count(e.EventsLost(None)) == 1
    assert events[-1] == e.LockChanged(True)


def test_a_shoe_that_never_says_that_a_deck_is_new_is_remembered_up_to_a_number() -> None:
    def drawn(number: int) -> bytes:
        index, suit, rank = number % 15 + 1, number % 4 + 1, number % 13 + 1
        return block(ENQ, b"%dD" % (number % 10) + bytes([0x80 | index, 0x80 | suit << 4 | rank]))

    events = told(map(drawn, range(MAX_CARDS + 60)))
    numbers = [ev.number for ev in events if isinstance(ev, e.CardDrawn | e.CardDuplicate)]
    assert len(numbers) == MAX_CARDS + 60
    assert max(numbers) == MAX_CARDS


# Texts


def test_why_a_link_is_down_cannot_command_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "shoe").touch()

    def open_port(port: str, speed: int, defaults: PortDefaults) -> Transport:
        raise TransportError("It is \x1b[2J gone.\x07" + "x" * 500)

    with Host(tmp_path / "shoe", open_port=open_port) as host:
        host.wait(lambda: "gone" in host.supervisor.status.why)
        why = host.supervisor.status.why
    assert why.isprintable()
    assert why.isascii()
    assert len(why) <= 200


class Rude:
    """An adapter of somebody else's, which hands on what it is sent as it is."""

    name = "rude"
    kind: Kind = "shoe"
    caps = Caps()
    port_defaults = PortDefaults(9600)

    def __init__(self, settings: DeviceSettings, place: str = "") -> None:
        pass

    def opened(self, now: float) -> Actions:
        text = "\x1b[2J\x07é" + "x" * 1000
        who = e.Identified(text, text, text, text, e.Trust.UNPINNED)
        return Actions((Emitted(who), Emitted(e.LinkChanged(e.Link.LIVE, text))))

    def feed(self, data: bytes, now: float) -> Actions:
        return Actions()

    def tick(self, now: float) -> Actions:
        return Actions()

    def closed(self, now: float) -> Actions:
        return Actions()

    def command(self, verb: str, now: float) -> Actions:
        return Actions()

    def counters(self) -> dict[str, int]:
        return {}


def test_the_texts_of_an_adapter_from_elsewhere_are_made_safe_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_BUILT_IN", {"rude": (__name__, "Rude")})
    monkeypatch.setitem(sys.modules, __name__, sys.modules[Rude.__module__])
    ends: list[Transport] = []

    def open_port(port: str, speed: int, defaults: PortDefaults) -> Transport:
        ends.extend(pair())
        return ends[0]

    with Host("socket://localhost:1", adapter="rude", open_port=open_port) as host:
        host.wait_link(e.Link.LIVE)
        status = host.supervisor.status
    ends[1].close()
    shown = [status.vendor, status.model, status.serial, status.firmware, status.why, *host.trace]
    assert all(text.isprintable() and text.isascii() for text in shown)
    assert [len(text) for text in shown[:5]] == [32, 32, 32, 32, 200]
    assert max(map(len, host.trace)) == 300


def test_another_device_at_a_path_is_not_kept_waiting_for_the_one_before(tmp_path: Path) -> None:
    port = tmp_path / "port"
    port.touch()
    tried: list[float] = []
    ticks = itertools.count()
    now = 0.0

    def clock() -> float:
        nonlocal now
        now = next(ticks) * 0.05
        return now

    def open_port(path: str, speed: int, defaults: PortDefaults) -> Transport:
        tried.append(now)
        raise TransportError("It does not answer.")

    with Host(port, open_port=open_port, clock=clock) as host:
        host.wait(lambda: len(tried) >= 6)
        (tmp_path / "other").touch()
        (tmp_path / "other").replace(port)
        before = len(tried)
        host.wait(lambda: len(tried) >= before + 3)
    # Whether the swap came before or after the try under way, two tries soon follow each other.
    waits = [later - at for at, later in itertools.pairwise(tried[before:])]
    assert min(waits) <= FIRST_WAIT + 0.5, waits


# Sealed cards


def test_no_way_to_print_a_thing_shows_a_sealed_card() -> None:
    event = e.CardDrawn(3, Sealed("As"), in_game=True)
    shown = io.StringIO()
    Console(file=shown, width=200).print(event, {"card": event.card}, [event.card])
    assert "As" not in shown.getvalue() + pretty_repr(event) + repr(event) + f"{event}"
    with pytest.raises(TypeError):
        vars(event.card)


def test_a_device_key_is_in_no_text_of_its_settings() -> None:
    for text in (repr(SHOE), str(SHOE), pretty_repr(SHOE)):
        assert "thirty-two" not in text
