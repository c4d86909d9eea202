from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from omaha_drivers.framing import (
    ENQ,
    STX,
    BlockFramer,
    Framer,
    LengthFramer,
    LineFramer,
    TextFramer,
    block,
    line,
    packet,
    text_line,
)

BODIES = st.text(
    st.sampled_from([chr(c) for c in range(0x20, 0x7F) if chr(c) not in "$*"]),
    min_size=1,
    max_size=128,
).map(str.encode)
PAYLOADS = st.binary(min_size=1, max_size=40).map(lambda data: bytes(0x80 | byte for byte in data))
PACKETS = st.binary(max_size=64)


def make(kind: str) -> Framer:
    kinds: dict[str, type[Framer]] = {
        "line": LineFramer, "block": BlockFramer, "length": LengthFramer
    }  # fmt: skip
    return kinds[kind]()


def encode(kind: str, payload: bytes) -> bytes:
    if kind == "line":
        return line(payload.decode())
    return block(ENQ, payload) if kind == "block" else packet(payload)


def expected(kind: str, payloads: list[bytes]) -> list[bytes]:
    return [bytes([ENQ]) + p if kind == "block" else p for p in payloads]


def payloads_of(kind: str) -> st.SearchStrategy[list[bytes]]:
    one = {"line": BODIES, "block": PAYLOADS, "length": PACKETS}[kind]
    return st.lists(one, max_size=8)


KINDS = pytest.mark.parametrize("kind", ["line", "block", "length"])


@KINDS
@given(data=st.data())
def test_any_chunking_gives_the_same_frames(kind: str, data: st.DataObject) -> None:
    payloads = data.draw(payloads_of(kind))
    stream = b"".join(encode(kind, payload) for payload in payloads)
    framer, found, at = make(kind), [], 0
    while at < len(stream):
        size = data.draw(st.integers(1, 50))
        found += framer.feed(stream[at : at + size])
        at += size
    assert found == expected(kind, payloads)
    assert framer.bad == framer.dropped == 0


@KINDS
@given(data=st.data())
def test_garbage_between_frames_loses_none(kind: str, data: st.DataObject) -> None:
    payloads = data.draw(payloads_of(kind))
    framer, found = make(kind), []
    for payload in payloads:
        found += framer.feed(data.draw(st.binary(max_size=300)) + encode(kind, payload))
    found += framer.feed(bytes(600))
    good = iter(found)
    assert all(frame in good for frame in expected(kind, payloads))


@KINDS
@given(data=st.data())
def test_a_damaged_frame_never_takes_its_neighbors(kind: str, data: st.DataObject) -> None:
    one, bad, other = (data.draw(payloads_of(kind).filter(bool))[0] for _ in range(3))
    frame = bytearray(encode(kind, bad))
    frame[data.draw(st.integers(0, len(frame) - 1))] ^= data.draw(st.integers(1, 255))
    stream = encode(kind, one) + bytes(frame) + encode(kind, other) + bytes(600)
    found = iter(make(kind).feed(stream))
    assert all(frame in found for frame in expected(kind, [one, other]))


@KINDS
@pytest.mark.parametrize(
    "filler", [b"$" + b"x" * 4095, b"\x05" + b"\x81" * 4095], ids=["line", "block"]
)
def test_fifty_megabytes_without_an_end_are_not_held(kind: str, filler: bytes) -> None:
    framer = make(kind)
    filler = (filler * (65536 // len(filler) + 1))[:65536]
    for _ in range(800):
        framer.feed(filler)
        assert framer.held < 8192
    payload = b"ABC" if kind != "block" else b"\x81\x82"
    good = framer.feed(bytes(600) + encode(kind, payload))
    assert good[-1:] == expected(kind, [payload])


@pytest.mark.parametrize(
    ("kind", "begun", "more"),
    [("line", b"$", b"x" * 4096), ("block", b"\x05", b"\x81" * 4096)],
    ids=["line", "block"],
)
def test_one_frame_that_never_ends_is_not_held(kind: str, begun: bytes, more: bytes) -> None:
    framer = make(kind)
    framer.feed(begun)
    for _ in range(20):
        framer.feed(more)
        assert framer.held < 8192
    assert framer.bad + framer.dropped > 0


def test_the_check_is_that_of_the_protocol() -> None:
    assert line("123456789") == b"$123456789*29B1\r\n"


def test_a_line_is_taken_before_its_end_has_come() -> None:
    framer = LineFramer()
    assert framer.feed(line("HB")[:-2]) == [b"HB"]
    assert framer.feed(b"\r\n") == []
    assert framer.dropped == 0


def test_a_frame_within_a_broken_one_is_found() -> None:
    framer = LineFramer()
    assert framer.feed(b"$EV,12$" + line("HB")[1:]) == [b"HB"]
    assert framer.bad == 1


@pytest.mark.parametrize("span", [True, False])
def test_the_check_of_a_block_covers_what_it_is_told_to(span: bool) -> None:
    frame = block(STX, b"OPLK01", check_start=span)
    assert BlockFramer(STX, check_start=span).feed(frame) == [b"\x02OPLK01"]
    assert BlockFramer(STX, check_start=not span).feed(frame) == []


def test_answers_between_blocks_are_found() -> None:
    stream = b"\x06" + block(ENQ, b"1S") + b"\x151" + b"\x15" + block(ENQ, b"2P")
    assert BlockFramer().feed(stream) == [b"\x06", b"\x051S", b"\x151", b"\x052P"]


def test_a_flood_of_false_starts_is_not_held() -> None:
    framer = LengthFramer()
    for _ in range(20):
        framer.feed(b"\xaa\x55\xff" * 20_000)
        assert framer.held < 8192
    assert framer.feed(bytes(600) + packet(b"ABC")) == [b"ABC"]


# Plain text lines, which have no check

TEXTS = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), min_size=1, max_size=128)


@given(st.lists(TEXTS, max_size=8), st.sampled_from(["\r\n", "\r", "\n"]), st.data())
def test_plain_lines_in_any_chunks_and_with_any_end(
    texts: list[str], end: str, data: st.DataObject
) -> None:
    stream = "".join(text + end for text in texts).encode()
    framer, found, at = TextFramer(), [], 0
    while at < len(stream):
        size = data.draw(st.integers(1, 50))
        found += framer.feed(stream[at : at + size])
        at += size
    assert found == [text.encode() for text in texts]
    assert framer.bad == framer.dropped == framer.held == 0


def test_a_line_with_anything_but_text_in_it_is_noise() -> None:
    framer = TextFramer()
    assert framer.feed(b"one\r\n\x00two\r\nthr\xe9e\nfour\r\n") == [b"one", b"four"]
    assert (framer.bad, framer.dropped) == (2, 9)


def test_a_plain_line_without_an_end_is_not_held_and_takes_only_itself() -> None:
    framer = TextFramer()
    for _ in range(20):
        assert framer.feed(b"x" * 4096) == []
        assert framer.held <= 128
    assert framer.feed(b"x\r\n" + text_line("next")) == [b"next"]
    framer.feed(b"x" * 1000)
    framer.reset()
    assert framer.feed(text_line("first on a new line")) == [b"first on a new line"]


def test_the_head_of_a_packet_that_is_too_long_holds_nothing_back() -> None:
    framer = LengthFramer(longest=3)
    assert framer.feed(b"\xaa\x55\xff" + packet(b"ABC")) == [b"ABC"]
    assert framer.feed(b"\xaa\x55\x03") == []
    assert framer.feed(packet(b"DEF")) == [b"DEF"]
