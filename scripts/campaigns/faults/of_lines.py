"""What can happen to bytes, cables and connections."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, Final

from omaha_drivers.framing import NAK

from scripts.campaigns.faults.catalogue import ANGEL, TDP, Fault
from scripts.campaigns.faults.scene import SLOTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from scripts.campaigns.faults.scene import Scene

MISSED: Final = "The shoe missed cards. Count those dealt; press + for each one missed."
MISSED_ONE: Final = "The shoe missed 1 card. If dealt, press + for each."
BY_HAND: Final = "Deal by hand."


def is_event(frame: bytes) -> bool:
    return frame.startswith((b"$EV", b"\x05"))


def each(change: Callable[[bytes], list[bytes]]) -> Callable[[list[bytes]], list[bytes]]:
    return lambda frames: [piece for frame in frames for piece in change(frame)]


def over_a_line(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[Scene], None]:
    """The second half of the deal over a line that does this to frames."""

    def act(scene: Scene) -> None:
        scene.begin()
        scene.line.through(change)
        scene.rest()

    return act


def _noise(frame: bytes) -> list[bytes]:
    chance = random.Random(frame)
    return [chance.randbytes(20), frame[:0], frame, chance.randbytes(9)]


def _bytes(scene: Scene) -> None:
    scene.begin()
    scene.line.in_pieces()
    scene.line.through(each(lambda frame: [bytes([one]) for one in frame]))
    scene.rest()


def _one_read(scene: Scene) -> None:
    scene.begin()
    held: list[bytes] = []

    def hold(frames: list[bytes]) -> list[bytes]:
        held.extend(frames)
        return []

    scene.line.through(hold)
    scene.rest()
    scene.line.through(list)
    scene.line.send(b"".join(held))


class _EveryFifth:
    """A wrong check in every fifth frame."""

    def __init__(self) -> None:
        self._count = 0

    def __call__(self, frame: bytes) -> list[bytes]:
        self._count += 1
        if self._count % 5:
            return [frame]
        at = len(frame) - 3
        return [frame[:at] + bytes([frame[at] ^ 1]) + frame[at + 1 :]]


def _bad_checks(scene: Scene) -> None:
    over_a_line(each(_EveryFifth()))(scene)


def _lost_middle(scene: Scene) -> None:
    scene.begin()
    scene.line.through(lambda frames: [frame for frame in frames if not is_event(frame)])
    scene.draw()
    scene.line.through(list)
    scene.draw()
    scene.line.wire.asked = 0
    if scene.adapter == "tdp":
        scene.rest()


def _lost_last(scene: Scene) -> None:
    scene.begin(SLOTS - 1)
    scene.line.through(lambda frames: [frame for frame in frames if not is_event(frame)])
    scene.draw()
    scene.line.through(list)


def _out_of_order(scene: Scene) -> None:
    scene.begin()
    held: list[bytes] = []

    def hold(frames: list[bytes]) -> list[bytes]:
        held.extend(frames)
        return []

    scene.line.through(hold)
    scene.draw()
    first, held[:] = held[:], []
    scene.draw()
    scene.line.through(list)
    scene.line.send(*held, *first)
    if scene.adapter == "tdp":
        scene.rest()


def _lost_for_good(scene: Scene) -> None:
    scene.begin()
    lost = f",{scene.model.last + 1:08X},".encode()
    scene.line.through(lambda frames: [frame for frame in frames if lost not in frame[:40]])
    scene.draw(2)


def _random(scene: Scene) -> None:
    scene.begin()
    scene.line.faults.names = ("garbage", "split", "bad_check", "repeat", "lose", "reorder")
    scene.line.faults.rate = 0.2
    scene.rest()
    time.sleep(0.3)
    scene.line.faults.names = ()


def _endless(scene: Scene) -> None:
    scene.begin()
    start = b"$" if scene.adapter == "tdp" else b"\x05"
    for _ in range(6):
        # No more at once than the emulator keeps for a host that reads slowly.
        scene.line.send(start + b"x" * 800_000)
        time.sleep(0.5)
    scene.line.send(b"\r\n")
    scene.rest()


def _nak_storm(scene: Scene) -> None:
    scene.begin()
    storm = bytes([NAK, 0x31]) if scene.adapter == "angel_eye" else b"$NO,0001,BUSY*77AF\r\n"
    scene.line.send(storm * 2000)
    scene.rest()


def _mid_frame(scene: Scene) -> None:
    scene.begin()
    scene.line.through(each(lambda frame: [frame[: len(frame) // 2]]))
    scene.draw()
    time.sleep(0.05)
    scene.line.unplug()
    scene.until(BY_HAND)


def _replugged(scene: Scene) -> None:
    _mid_frame(scene)
    scene.line.through(list)
    scene.line.replug()
    if scene.adapter == "tdp":
        scene.rest()


def _power_live(scene: Scene) -> None:
    scene.begin()
    scene.line.power_cycle()


def _power_unplugged(scene: Scene) -> None:
    """The shoe counts as many events as before, so that its numbers look as if nothing happened."""
    scene.begin()
    scene.line.unplug()
    scene.until(BY_HAND)
    scene.line.power_cycle()
    scene.load()
    scene.draw(7)
    scene.line.replug()


def _silence(scene: Scene) -> None:
    scene.begin()
    scene.line.wire.mute = True


def _after_silence(scene: Scene) -> None:
    _silence(scene)
    scene.until("silent")
    scene.line.wire.mute = False
    scene.rest()


def _half_open(scene: Scene) -> None:
    scene.begin()
    scene.line.server.half_open()
    scene.until("silent")
    scene.rest()


def _other_client(scene: Scene) -> None:
    """Another program takes the only connection of the serial server, and lets it go."""
    scene.begin()
    with scene.line.server.client():
        scene.until("The connection was closed")
    if scene.adapter == "tdp":
        scene.rest()


def _trickle(scene: Scene) -> None:
    scene.begin(SLOTS - 1)
    scene.line.faults.names = ("trickle",)
    scene.draw()


def _swapped(scene: Scene) -> None:
    """The cables of two devices are exchanged while the port is open."""
    scene.begin()
    scene.line.unplug()
    scene.model.serial = "OTHER-9"
    scene.line.replug()


def _kill(scene: Scene) -> None:
    scene.begin()
    scene.front.kill()
    scene.draw(2)
    scene.front.start()
    scene.until("THE FELT AGREES", seconds=30)
    scene.press("enter")
    scene.dealt(scene.out)
    scene.rest()


def _seq_jump(scene: Scene) -> None:
    scene.begin()
    scene.line.do(lambda: setattr(scene.model, "last", scene.model.last + 9000))
    scene.draw()


def _behind(scene: Scene) -> None:
    scene.begin()

    def go_back() -> None:
        scene.model.last -= 4

    scene.line.do(go_back)


OF_LINES: Final = (
    Fault("garbage before, between and after", over_a_line(each(_noise))),
    Fault("one byte at a time", _bytes),
    Fault("cards merged in one read", _one_read),
    Fault("a wrong check in every fifth frame", _bad_checks),
    Fault("every frame three times", over_a_line(each(lambda frame: [frame] * 3))),
    Fault("a lost card", _lost_middle, differs={"angel_eye": MISSED_ONE}),
    Fault("the last card lost", _lost_last, adapters=TDP, slow=True),
    Fault("cards out of order", _out_of_order, differs={"angel_eye": MISSED_ONE}),
    Fault("a card lost with all that is sent again", _lost_for_good, MISSED_ONE, adapters=TDP),
    Fault("a random storm", _random, adapters=TDP),
    Fault("a line without an end", _endless),
    Fault(
        "every frame two hundred times", over_a_line(each(lambda frame: [frame] * 200))
    ),
    Fault("refusals that nobody asked for", _nak_storm),
    Fault("unplugged in mid-frame", _mid_frame, BY_HAND),
    Fault("unplugged in mid-frame and back", _replugged,
          differs={"angel_eye": "BY HAND, the shoe is not read"}),
    Fault("a power cycle", _power_live, MISSED),
    Fault("a power cycle while unplugged", _power_unplugged,
          "Another deck was loaded in mid-hand. Deal none of it; the floor rules.", adapters=TDP),
    Fault(
        "silence", _silence, "SHOE silent: No message from the device for three seconds",
        adapters=TDP, slow=True,
    ),
    Fault("silence, and back", _after_silence, adapters=TDP, slow=True),
    Fault(
        "a half-open connection", _half_open, adapters=TDP, over=("tcp",), slow=True,
        section="reopen_after = 1\n",
    ),
    Fault("another program on the serial server", _other_client, over=("tcp",),
          differs={"angel_eye": "BY HAND, the shoe is not read"}),
    Fault("one byte every 200 ms", _trickle, slow=True, adapters=ANGEL),
    Fault("another device at the same name", _swapped, "serial number is OTHER-9", adapters=TDP),
    Fault("the console killed in the deal", _kill, adapters=TDP, on_terminal=True, slow=True),
    Fault("numbers far ahead", _seq_jump, MISSED, adapters=TDP, slow=True),
    Fault("numbers that go back", _behind, MISSED, adapters=TDP, slow=True),
)  # fmt: skip
