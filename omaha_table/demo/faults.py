"""Faults of the emulated machines, for a demo that does not always go well."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from omaha_table.demo.emulated_table import Rig


class FaultMaker:
    """Faults of the emulated machines, at random, each put right after a while."""

    def __init__(self, rig: Rig, seed: int, chance: float) -> None:
        self._rig, self._rng, self._chance = rig, random.Random(seed), chance
        self._put_right: Callable[[], None] | None = None
        self._wait = 0
        self.made: Counter[str] = Counter()

    def beat(self, *, in_hand: bool) -> None:
        if self._put_right is not None:
            self._wait -= 1
            if self._wait <= 0:
                self._put_right()
                self._put_right = None
            return
        if self._rng.random() >= self._chance:
            return
        shoe, shuffler = self._rig.shoe, self._rig.shuffler
        kinds: dict[str, tuple[Callable[[], None], Callable[[], None] | None]] = {
            "shoe unplugged": (shoe.unplug, shoe.replug),
            "shuffler unplugged": (shuffler.unplug, shuffler.replug),
            "shoe restarted": (shoe.power_cycle, None),
            "shuffler jammed": (shuffler.jam, shuffler.clear_jam),
            "lid opened": (lambda: shoe.open_lid(True), lambda: shoe.open_lid(False)),
        }
        if in_hand:
            kinds["card put back"] = (shoe.put_back, None)
            kinds["card unread"] = (shoe.draw_unreadable, None)
        name = self._rng.choice(list(kinds))
        act, self._put_right = kinds[name]
        self._wait = self._rng.randint(5, 60)
        self.made[name] += 1
        act()
