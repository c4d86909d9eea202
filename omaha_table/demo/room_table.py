"""One table of the demonstration room: it deals by itself, without a screen that anybody sees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from omaha_table.demo.emulated_table import REAL, Pace, Rig
from omaha_table.demo.evening import DemoEvening
from omaha_table.demo.practice_config import machines, practice_table
from omaha_table.table.commands import OpenShift, PushIn

if TYPE_CHECKING:
    from pathlib import Path

    from omaha_table.dealer.room_status import RoomLink
    from omaha_table.session import Session

GAMES: Final = (
    ("ca_big_o", "4-8"), ("ca_omaha_hilo", None), ("ca_omaha_high", None), ("ca_big_o", None)
)  # fmt: skip
"""Rules and limits, in turn; no limit: the first of the profile."""
PACES: Final = {"real": REAL, "brisk": Pace(), "fast": Pace(0.02, 0.2, 0.05)}
_SCREEN: Final = (80, 24)


class RoomTable(DemoEvening):
    def __init__(
        self, folder: Path, name: str, number: int, pace: str, link: RoomLink | None
    ) -> None:
        """The `number` chooses the game and how the players play."""
        rules, limit = GAMES[(number - 1) % len(GAMES)]
        config = practice_table(rules, limit, None)
        title = {"id": name, "title": f"Table {number}"}
        config = config.model_copy(update={"table": config.table.model_copy(update=title)})
        super().__init__(
            config,
            folder,
            Rig(folder, PACES[pace], number, machines=machines(config, shoe=True)),
            # Nobody keeps the other half: cards that are mucked here can never be opened.
            office=X25519PrivateKey.generate().public_key(),
            pace=PACES[pace],
            autoplay=True,
            seed=number,
            link=link,
            headless=_SCREEN,
        )
        self._number = number

    def open(self) -> Session:
        """A dealer sits at the table, and boxes are on it, as in a shift."""
        session = super().open()
        if session.state.shift is None and session.state.hand is None:
            shift = OpenShift("day", f"B{self._number:02}", f"J{self._number:02}")
            session.opening += session.do(shift).records
            session.opening += session.do(PushIn("D1")).records
        return session
