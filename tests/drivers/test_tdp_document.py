"""docs/tdp.md: its conversations are played to the real adapter, byte by byte."""

from __future__ import annotations

import binascii
import re

from omaha_drivers import events as e
from omaha_drivers.emulate.tdp import ShoeModel, ShufflerModel
from omaha_drivers.framing import LineFramer
from omaha_drivers.sealed import reveal
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.tdp import Tdp
from omaha_drivers.tdp_codec import READERS, VERBS

from tests.paths import ROOT

TEXT = (ROOT / "docs" / "tdp.md").read_text(encoding="utf-8")
NONCE = "A1B2C3D4E5F60718"
KEY = bytes.fromhex(re.findall(r"The key is `(\w+)`", TEXT)[0])


def conversations() -> list[list[tuple[str, str, bytes]]]:
    """Who, the line as text, and its bytes."""
    found = []
    for block in re.findall(r"```tdp\n(.*?)```", TEXT, re.DOTALL):
        messages = re.findall(r"(host|device) +(\$\S+)\n((?:    [0-9A-F ]+\n)+)", block)
        found.append([(who, text, bytes.fromhex(hexed)) for who, text, hexed in messages])
    return found


def play(adapter: Tdp, messages: list[tuple[str, str, bytes]]) -> list[e.DeviceEvent]:
    """Gives the adapter what the device says; what it sends must be what the document says."""
    events: list[e.DeviceEvent] = []
    actions = adapter.opened(0.0)
    sent = actions.send
    for who, text, data in messages:
        if who == "host" and ",LOCK" in text:
            sent += adapter.command("LOCK", 0.1).send
        if who == "host":
            assert sent.startswith(data), text
            sent = sent[len(data) :]
            continue
        actions = adapter.feed(data, 0.1)
        events += [one.event for one in actions.events]
        sent += actions.send
    assert sent == b""
    return events


def test_each_line_is_its_bytes_and_a_good_frame() -> None:
    messages = [message for one in conversations() for message in one]
    assert len(messages) == 19
    for _, text, data in messages:
        assert data == text.encode() + b"\r\n"
        assert LineFramer().feed(data) == [text[1:].partition("*")[0].encode()]


def test_the_check_is_the_one_in_the_document() -> None:
    assert f"`123456789` has {binascii.crc_hqx(b'123456789', 0xFFFF):04X}" in TEXT


def test_the_shoe_with_a_key() -> None:
    settings = DeviceSettings(
        "shoe", "shoe", "tdp", "", serial="SH-1001", key=KEY, allow_commands=True
    )
    events = play(Tdp(settings, nonce=lambda: NONCE), conversations()[0])
    assert [type(event) for event in events] == [
        e.Identified, e.LinkChanged, e.ShoeLoaded, e.CardDrawn, e.LockChanged
    ]  # fmt: skip
    who, link, loaded, drawn, locked = events
    assert who == e.Identified("ACME", "S1", "SH-1001", "2.4", e.Trust.AUTHENTICATED)
    assert isinstance(link, e.LinkChanged)
    assert link.link is e.Link.LIVE
    assert (loaded, locked) == (e.ShoeLoaded(52), e.LockChanged(locked=True))
    assert isinstance(drawn, e.CardDrawn)
    assert drawn.card is not None
    assert (drawn.number, reveal(drawn.card)) == (1, "As")


def test_the_shuffler_without_a_key() -> None:
    settings = DeviceSettings("shuffler", "shuffler", "tdp", "", serial="SF-7")
    events = play(Tdp(settings, nonce=lambda: NONCE), conversations()[1])
    assert events[2:] == [
        e.DeckIn("red"),
        e.ShuffleStarted(7),
        e.DeckVerified(7, 52, True, "ok"),
        e.ShuffleComplete(7, 52),
        e.DeckTaken(7),
    ]


def test_every_code_and_command_is_in_the_document() -> None:
    codes = {code for readers in READERS.values() for code in readers} | {"CRD"}
    verbs = {verb for verbs in VERBS.values() for verb in verbs}
    assert {word for word in codes | verbs if not re.search(rf"`{word}[,`]", TEXT)} == set()


def test_the_documented_numbers_are_those_of_the_emulated_devices() -> None:
    for model in (ShoeModel("S", KEY), ShufflerModel("S", KEY)):
        model.tick(0.0)
        [beat] = LineFramer().feed(b"".join(model.out))
        fields = beat.decode().split(",")
        assert (fields[0], len(fields[1]), len(fields[2]), len(fields)) == ("HB", 16, 8, 6)
