"""Devices that are not there, not the right one, not answering, or forged."""

from __future__ import annotations

import fcntl
import os
import time
from random import Random
from typing import TYPE_CHECKING, Final

from omaha_drivers.emulate.tdp import ShoeModel, ShufflerModel
from omaha_drivers.framing import line

from scripts.campaigns.faults.catalogue import ANGEL, TDP, Fault
from scripts.campaigns.faults.of_lines import is_event

if TYPE_CHECKING:
    from collections.abc import Callable

    from scripts.campaigns.faults.scene import Scene

KEY: Final = b"a key of thirty-two bytes, or so"
WITH_KEY: Final = 'key_file = "device.key"\n'
PINNED: Final = 'serial = "SHOE-1"\n'


def opened(before: Callable[[Scene], object]) -> Callable[[Scene], None]:
    """The console is started with a device that is like this."""

    def act(scene: Scene) -> None:
        scene.open(before=lambda: before(scene))

    return act


def _absent(scene: Scene) -> None:
    scene.open(plugged=False)


def _mute(scene: Scene) -> None:
    scene.line.wire.mute = True
    scene.open()


def _in_use(scene: Scene) -> None:
    scene.line.start()
    other = os.open(scene.line.link, os.O_RDWR | os.O_NOCTTY)
    fcntl.flock(other, fcntl.LOCK_EX)
    try:
        scene.open()
        scene.until("in use by another program")
    finally:
        os.close(other)


def _shuffler_instead(scene: Scene) -> None:
    scene.line.wire.model = scene.model = ShufflerModel("SHOE-1")
    scene.open()


def _other_key(scene: Scene) -> None:
    scene.line.wire.model = scene.model = ShoeModel("SHOE-1", b"another key, also thirty-two bytes")
    scene.open()


def _long_serial(scene: Scene) -> None:
    scene.open(before=lambda: setattr(scene.model, "serial", "SHOE-" + "9" * 60))


def _no_heartbeat(scene: Scene) -> None:
    scene.model.heartbeat = False
    scene.begin()
    time.sleep(4)
    scene.rest()


def _forged(scene: Scene) -> None:
    """A card from somebody who taps the line and does not have the key."""
    scene.begin()
    model = scene.model
    number = f"{model.last + 1:08X}"
    sealed, signature = "00" + "0" * 16, "0" * 16
    forged = line("EV", model.session, number, "1", "CRD", "8", sealed, "100", "G", signature)
    scene.line.send(forged)
    scene.rest()


def _replayed(scene: Scene) -> None:
    """Every event that the device sent before, once more."""
    kept: list[bytes] = []

    def keep(frames: list[bytes]) -> list[bytes]:
        kept.extend(frame for frame in frames if is_event(frame))
        return frames

    scene.line.through(keep)
    scene.begin()
    scene.line.through(list)
    scene.line.send(*kept)
    scene.rest()


def _old_session(scene: Scene) -> None:
    """What the same shoe sent before it was switched on, from somebody who kept it."""
    scene.begin()
    before = ShoeModel("SHOE-1", chance=Random(99))
    before.load(scene.deck)
    for _ in range(12):
        before.draw()
    before.tick(1.0)
    scene.line.send(*before.out)
    scene.rest()


def _other_firmware(scene: Scene) -> None:
    scene.open()
    scene.connected()
    scene.again(lambda: setattr(scene.model, "firmware", "2.0"))


def says(code: str, *args: str, at: str = "pitch") -> Callable[[Scene], None]:
    """The device reports this."""

    def act(scene: Scene) -> None:
        if at == "pitch":
            scene.begin()
        else:
            scene.open()
            scene.connected()
        scene.line.do(lambda: scene.model.event(code, *args))

    return act


OF_DEVICES: Final = (
    Fault("absent", _absent, "SHOE down: No device at this port. Deal by hand.",
          differs={"tcp": "SHOE down: The server cannot be reached: connection refused."}),
    Fault("mute", _mute, "SHOE not answering: No answer for 2 seconds", adapters=TDP,
          section="reopen_after = 2\n", slow=True),
    Fault("never heard", _mute, "SHOE not answering: Nothing heard yet; it may be quiet",
          adapters=ANGEL, over=("pty",), section="reopen_after = 2\n", slow=True),
    Fault("wrong speed", opened(lambda scene: None),
          "Bytes arrive, but no message can be read: wrong speed", adapters=TDP, over=("pty",),
          section="speed = 9600\nreopen_after = 2\n", slow=True),
    Fault("another console on the port", _in_use, "in use by another program", over=("pty",)),
    Fault("another serial number", opened(lambda scene: setattr(scene.model, "serial", "OTHER-9")),
          "Wrong device: its serial number is OTHER-9", adapters=TDP, section=PINNED),
    Fault("another kind of device", _shuffler_instead, "This device is not a shoe", adapters=TDP),
    Fault("without the shared key", _other_key,
          "The device did not answer the challenge with the shared key", adapters=TDP, key=KEY,
          section=WITH_KEY, slow=True),
    Fault("a serial number without end", _long_serial, "serial number is SHOE-999", adapters=TDP,
          section=PINNED),
    Fault("terminal commands in a serial number",
          opened(lambda scene: setattr(scene.model, "serial", "S\x1b[2J\x07")),
          "Messages arrive, but the device does not identify", adapters=TDP,
          section=PINNED + "reopen_after = 2\n", slow=True),
    Fault("no heartbeat", _no_heartbeat, adapters=TDP, slow=True),
    Fault("a forged card", _forged, adapters=TDP, key=KEY, section=WITH_KEY),
    Fault("all events played back", _replayed, adapters=TDP),
    Fault("an old session played back", _old_session, adapters=TDP),
    Fault("a device that reads nothing", opened(lambda scene: scene.line.stuck(True)),
          "SHOE not answering", adapters=TDP, over=("pty",), section="reopen_after = 2\n",
          slow=True),
    Fault("other firmware than last time", _other_firmware, "Changed: firmware", adapters=TDP,
          slow=True),
    Fault("settings changed", says("CFG", "READER"), "Changed:", adapters=TDP),
    Fault("a warning", says("WRN", "W12"), "Warning: W12. It still works.", adapters=TDP),
    Fault("a fault", says("FLT", "E7"), "Fault E7.", adapters=TDP),
    Fault("in service", says("SVC", "1"), "In service mode: do not use it for play.",
          adapters=TDP),
    Fault("nearly empty", says("CUT", "7"), "The cut card is out. Load a new deck after this hand.",
          adapters=TDP),
    Fault("empty", says("EMP", "7"), "The shoe is empty. Load a deck.", adapters=TDP),
    Fault("the shoe's lid opened", says("LID", "1"),
          "The shoe's lid was opened. Close it, check the count, go on.", adapters=TDP),
)  # fmt: skip
