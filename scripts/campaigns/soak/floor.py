"""The soak's floor supervisor: called over, PIN, ruling, words, reason, gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.floor import BY_NAME
from scripts.campaigns.soak.dealer import PIN, SECOND_PIN, line_with
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
        said = soak.press([*str(BY_NAME[ruling].number)])
        for word in words:
            if said["mode"] in ("AskSeat", "AskAmount"):
                said = soak.press([*word, "enter"])
                continue
            number = line_with(said, _named(word)) if said["mode"] == "AskLine" else None
            if number is None:
                return self._leave()
            said = soak.press([number])
        if said["mode"] != "AskReason":
            return self._leave()
        said = soak.press(["1", "enter"])
        if said["mode"] == "AskSure":
            said = soak.press(["+"])
        if said["mode"] == "AskSecond":
            said = soak.press([*SECOND_PIN, "enter"])
        if said["row"] == row:
            return self._leave()
        soak.tally.rulings[ruling] += 1
        return True

    def _leave(self) -> bool:
        for _ in range(8):
            if self._soak.said["mode"] not in _ASKING:
                return False
            self._soak.press([way_back(self._soak.said["mode"])])
        raise Wrong("the floor's pages cannot be left")


def way_back(mode: str) -> str:
    """The key that leaves a mode: the list of rulings has one of its own."""
    return "*" if mode == "ChooseRuling" else "."


def _named(word: str) -> str:
    """How a line names what a script says: a hand by its number."""
    return f"hand {word}:" if word.isdigit() else word


_ASKING = (
    "AskPin",
    "ChooseRuling",
    "AskSeat",
    "AskAmount",
    "AskCard",
    "AskLine",
    "AskReason",
    "AskSure",
    "AskSecond",
    "Menu",
    "DealerPush",
    "Sure",
    "SeatMenu",
)
