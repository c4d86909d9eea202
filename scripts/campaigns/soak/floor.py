"""The soak's floor supervisor: called over, PIN, ruling, words, reason, gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scripts.campaigns.soak.dealer import PIN, RULINGS, SECOND_PIN, line_with
from scripts.campaigns.soak.process import Wrong

if TYPE_CHECKING:
    from scripts.campaigns.soak.campaign import Soak


class Floor:
    def __init__(self, soak: Soak) -> None:
        self._soak = soak

    def give(self, ruling: str, *words: str) -> bool:
        """Gives a ruling by keys; whether it is among those that fit and was taken."""
        soak = self._soak
        row = soak.said["row"]
        said = soak.press(["/", *PIN, "enter"], 15)
        if said["mode"] != "ChooseRuling":
            return self._leave()
        for _ in range(5):
            number = line_with(said, RULINGS[ruling])
            if number is not None:
                break
            if "+" not in said["caps"]:
                return self._leave()
            said = soak.press(["+"])
        else:
            return self._leave()
        said = soak.press([number])
        for word in words:
            if said["mode"] != "AskParameter":
                return self._leave()
            number = line_with(said, word) if not word.isdigit() else None
            said = soak.press([number] if number is not None else [*word, "enter"])
        if said["mode"] != "AskReason":
            return self._leave()
        said = soak.press(["3"])
        if said["mode"] == "AskPin":
            said = soak.press([*SECOND_PIN, "enter"])
        if said["row"] == row:
            return self._leave()
        soak.tally.rulings[ruling] += 1
        return True

    def _leave(self) -> bool:
        for _ in range(8):
            if self._soak.said["mode"] not in _ASKING:
                return False
            self._soak.press(["."])
        raise Wrong("the floor's pages cannot be left")


_ASKING = (
    "AskPin",
    "ChooseRuling",
    "AskParameter",
    "AskReason",
    "Menu",
    "DealerPush",
    "Sure",
    "SeatMenu",
)
