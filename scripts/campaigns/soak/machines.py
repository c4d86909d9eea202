"""The soak's shuffler and shoe on real ptys, the deck as it lies in the shoe, and what fails."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from omaha_drivers.emulate import EmulatedShoe, EmulatedShuffler, Faults
from omaha_drivers.tdp_codec import CARDS

if TYPE_CHECKING:
    import random
    from collections.abc import Callable
    from pathlib import Path

ON_THE_LINE = ("garbage", "split", "merge", "bad_check", "repeat", "lose", "lose_last", "reorder",
               "endless_line")  # fmt: skip
SERIALS = {"shoe": "SHOE-SOAK-1", "shuffler": "SHUF-SOAK-1"}


def _set(faults: Faults, names: tuple[str, ...]) -> None:
    faults.names = names


class Machines:
    def __init__(self, folder: Path) -> None:
        self.ports = {name: str(folder / name) for name in SERIALS}
        self._faults = {name: Faults((), seed=at, rate=0.08) for at, name in enumerate(SERIALS)}
        self.shoe = EmulatedShoe(
            folder / "shoe", serial=SERIALS["shoe"], faults=self._faults["shoe"]
        )
        self.shuffler = EmulatedShuffler(
            folder / "shuffler", serial=SERIALS["shuffler"], faults=self._faults["shuffler"]
        )
        self.left: list[str] = []
        """What is still in the shoe, from the top."""
        self.out: list[str] = []
        """What has left it, in order."""
        self.faults: Counter[str] = Counter()
        self._mend: Callable[[], None] | None = None
        self._wait = 0

    def start(self) -> None:
        self.shoe.start()
        self.shuffler.start()

    def stop(self) -> None:
        self.shoe.stop()
        self.shuffler.stop()

    def load(self, rng: random.Random) -> None:
        """Another deck in the shoe."""
        self.left, self.out = rng.sample(CARDS, 52), []
        self.shoe.load(self.left)

    def pass_card(self) -> None:
        """The top card leaves the shoe, whether or not anybody reads it."""
        self.out.append(self.left.pop(0))
        self.shoe.draw()

    def strike(self, rng: random.Random, *, in_hand: bool) -> str:
        """One fault out of the catalogue, by name; most are mended after some beats."""
        if self._mend is not None:
            return "(a fault is not mended yet)"
        shoe, shuffler = self.shoe, self.shuffler
        kinds: dict[str, tuple[Callable[[], object], Callable[[], None] | None]] = {
            "shoe unplugged": (shoe.unplug, shoe.replug),
            "shuffler unplugged": (shuffler.unplug, shuffler.replug),
            "shoe restarted": (shoe.power_cycle, None),
            "shuffler restarted": (shuffler.power_cycle, None),
            "shuffler jammed": (shuffler.jam, shuffler.clear_jam),
            "shoe lid": (lambda: shoe.open_lid(True), lambda: shoe.open_lid(False)),
            "shuffler door": (lambda: shuffler.open_door(True), lambda: shuffler.open_door(False)),
            "short deck": (lambda: shuffler.shuffle("red", 51), None),
        }
        for name, faults in self._faults.items():
            names = tuple(rng.sample(ON_THE_LINE, 3))
            kinds[f"{name} line"] = partial(_set, faults, names), partial(_set, faults, ())
        if in_hand and self.out:
            kinds["card put back"] = (self._put_back, None)
        name = rng.choice(sorted(kinds))
        act, self._mend = kinds[name]
        self._wait = rng.randint(4, 40)
        self.faults[name] += 1
        act()
        return name.upper()

    def pass_unread(self) -> None:
        """The top card leaves the shoe and cannot be read."""
        self.faults["card unread"] += 1
        self.out.append(self.left.pop(0))
        self.shoe.draw_unreadable()

    def _put_back(self) -> None:
        """The last card goes in again, and comes out again at once."""
        self.shoe.put_back()
        self.shoe.draw()

    def beat(self) -> None:
        """Time goes on: what has failed is mended."""
        self._wait -= 1
        if self._wait <= 0:
            self.mend()

    def mend(self) -> None:
        if self._mend is not None:
            self._mend()
            self._mend = None
