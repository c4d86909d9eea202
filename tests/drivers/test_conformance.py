from __future__ import annotations

from random import Random
from typing import Any

from omaha_drivers.angel_eye import AngelEye
from omaha_drivers.emulate.angel_eye import AngelShoeModel
from omaha_drivers.emulate.tdp import ShoeModel, ShufflerModel
from omaha_drivers.events import CardDrawn, DeviceEvent, DeviceWarning
from omaha_drivers.sealed import reveal
from omaha_drivers.settings import DeviceSettings
from omaha_drivers.tdp import Tdp
from omaha_drivers.tdp_codec import CARDS

from tests.drivers.conformance import Conformance, Subject

KEY = b"a key of thirty-two bytes, or so"
MORE = [*CARDS[::-1]]


def drawn(event: DeviceEvent) -> int | None:
    if not isinstance(event, CardDrawn):
        return None
    assert event.card is None or reveal(event.card) == MORE[event.number - 1]
    return event.number


def read(event: DeviceEvent) -> int | None:
    """A shoe that sends nothing again counts only what it has sent."""
    if isinstance(event, CardDrawn) and event.card is not None:
        return MORE.index(reveal(event.card)) + 1
    return event.number if isinstance(event, CardDrawn) else None


def warned(event: DeviceEvent) -> int | None:
    if isinstance(event, DeviceWarning) and event.code.startswith("W"):
        return int(event.code[1:])
    return None


def draw(model: Any, number: int) -> None:
    model.draw()


def load(model: Any) -> None:
    model.load(MORE)


def warn(model: Any, number: int) -> None:
    model.event("WRN", f"W{number}")


class TestTdpShoe(Conformance):
    subject = Subject(
        DeviceSettings("shoe", "shoe", "tdp", "", serial="SHOE-1"),
        Tdp,
        lambda: ShoeModel("SHOE-1", chance=Random(1)),
        load,
        draw,
        drawn,
    )
    count = 51


class TestTdpShoeWithKey(TestTdpShoe):
    subject = Subject(
        DeviceSettings("shoe", "shoe", "tdp", "", serial="SHOE-1", key=KEY),
        Tdp,
        lambda: ShoeModel("SHOE-1", KEY, chance=Random(1)),
        load,
        draw,
        drawn,
    )


class TestTdpShuffler(Conformance):
    subject = Subject(
        DeviceSettings("shuffler", "shuffler", "tdp", "", serial="SHUF-1"),
        Tdp,
        lambda: ShufflerModel("SHUF-1", chance=Random(1)),
        lambda model: None,
        warn,
        warned,
    )


class TestAngelEye(Conformance):
    subject = Subject(
        DeviceSettings("shoe", "shoe", "angel_eye", ""),
        AngelEye,
        AngelShoeModel,
        load,
        draw,
        read,
    )
    count = 51
