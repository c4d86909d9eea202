"""What can be wrong with a deck, and how it comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scripts.campaigns.faults.catalogue import TDP, Fault
from scripts.campaigns.faults.scene import USABLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from scripts.campaigns.faults.scene import Scene


def shuffles(*steps: Callable[[Scene], object]) -> Callable[[Scene], None]:
    """A deck is asked for; the shuffler does this."""

    def act(scene: Scene) -> None:
        scene.begin()
        for step in steps:
            scene.line.do(lambda step=step: step(scene))  # type: ignore[misc]

    return act


def deck(back: str = "red", count: int = 52) -> Callable[[Scene], object]:
    return lambda scene: scene.model.shuffle(back, count)


def take(scene: Scene) -> None:
    scene.model.take()


def jam(scene: Scene) -> None:
    scene.model.jam()


def clear(scene: Scene) -> None:
    scene.model.clear_jam()


def door(is_open: bool) -> Callable[[Scene], object]:
    return lambda scene: scene.model.open_door(is_open)


def event(code: str, *args: str) -> Callable[[Scene], object]:
    return lambda scene: scene.model.event(code, *args)


def power(scene: Scene) -> None:
    scene.model.power_cycle()


def _colorless(scene: Scene) -> None:
    """A cycle of a shuffler that reports neither colors nor cycle numbers."""
    model = scene.model
    model.event("DIN", "1")
    model.event("SHS", "0")
    model.event("VER", "0", "52", "52", "OK")
    model.event("SHC", "0", "52", "8000")
    model.event("OUT", "0")


def _restarted(scene: Scene) -> None:
    """The console is killed while a counted deck waits in the machine."""
    scene.begin()
    scene.line.do(lambda: scene.model.shuffle("red"))
    scene.until("deck ready 52/52")
    scene.front.kill()
    scene.front.start()
    scene.until("Take the deck", seconds=30)
    scene.until("The device is connected.")
    scene.line.do(scene.model.take)


def _taken_during_a_fault(scene: Scene) -> None:
    shuffles(deck(), event("FLT", "E7"), take)(scene)
    scene.until(USABLE)


def _after_power(scene: Scene) -> None:
    shuffles(deck(), power, deck(), take)(scene)
    scene.until(USABLE)


def _fault(name: str, act: Callable[[Scene], None], sees: str = "", section: str = "") -> Fault:
    return Fault(name, act, sees, "shuffler", TDP, section=section)


OF_SHUFFLERS: Final = (
    _fault("a deck of 51", shuffles(deck(count=51)), "The deck counted 51 of 52 (short)"),
    _fault("a deck of 53", shuffles(deck(count=53)), "The deck counted 53 of 52 (over)"),
    _fault("a card twice in the deck", shuffles(deck(), event("DUP", "9")),
           "A card is in the deck twice: the deck is out of play"),
    _fault("a card of another deck in the machine", shuffles(deck(), event("FOR", "9")),
           "A card of another deck is in it: the deck is out of play"),
    _fault("a missing card", shuffles(deck(), event("MIS", "9")),
           "A card is missing: the deck is out of play"),
    _fault("a jam", shuffles(jam), "Jam at exit: open the lid, clear the card, close the lid."),
    _fault("a jam, and a full cycle", shuffles(deck(), jam, clear, deck(), take)),
    _fault("the shuffler's lid opened", shuffles(deck(), door(True)), "The lid is open"),
    _fault("the shuffler's lid opened, and a full cycle",
           shuffles(deck(), door(True), door(False), deck(), take)),
    _fault("a shuffle aborted", shuffles(deck(), event("ABT", "1", "STOP")),
           "through a full cycle: the shuffle was stopped"),
    _fault("in service with a deck", shuffles(deck(), event("SVC", "1")),
           "In service mode: do not use it for play."),
    _fault("a power cycle with a deck inside", shuffles(deck(), power, take),
           "deck was taken unverified: put it back for a full cycle."),
    _fault("a power cycle, and a full cycle", _after_power, "Warning: power ON."),
    _fault("a deck taken without a count", shuffles(event("DIN", "1", "red"), take),
           "The red deck was taken unverified: put it back for a full cycle."),
    _fault("no color and no cycle number", shuffles(_colorless), section="reports_backs = false\n"
           "reports_cycles = false\n"),
    Fault("the console killed with a deck in the machine", _restarted, "", "shuffler", TDP,
          on_terminal=True, slow=True),
    _fault("a good deck taken during a fault", _taken_during_a_fault, "Fault E7."),
    _fault("a fault of the machine", shuffles(event("FLT", "E7")), "Fault E7."),
)  # fmt: skip
