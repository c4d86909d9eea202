"""What a soak has done and compared, and the report on it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from scripts.campaigns.soak.process import Wrong

CHECKS = (
    "screens searched",
    "screens painted",
    "boards found on the screen",
    "heads after a kill",
    "places after a restart",
    "events searched",
    "chips",
    "cards out",
    "cards of a hand",
    "boards",
    "hands tabled",
    "fees",
    "awards",
    "stacks",
    "drops",
    "boxes",
    "days verified",
    "days reported",
    "logs searched",
)
"""All that a soak compares; one that was never made fails the soak."""


@dataclass
class Tally:
    days: int = 0
    day_changes: int = 0
    """Between hands at six in the morning, the table carried over."""
    hands: int = 0
    showdowns: int = 0
    keys: int = 0
    events: int = 0
    kills: int = 0
    kills_in_hand: int = 0
    acknowledged: int = 0
    """Events that were acknowledged before a kill, over all kills."""
    dealt: int = 0
    accounted: int = 0
    """Cards that left the shoe in hands that were played out, and those the console knew of."""
    tabled: int = 0
    disk_full: int = 0
    ballast: int = 0
    """How often the room kept back for the hand was used."""
    log_stopped: int = 0
    hands_refused: int = 0
    clock_steps: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    rulings: Counter[str] = field(default_factory=Counter)
    comings: Counter[str] = field(default_factory=Counter)
    undone: int = 0
    all_ins: int = 0
    killed_pots: int = 0
    compared: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)

    def check(self, what: str, right: bool, sentence: str) -> None:
        """Counts a comparison; raises Wrong where it shows that something is not right."""
        if what not in CHECKS:
            raise KeyError(what)
        self.compared[what] += 1
        if not right:
            self.wrong[what] += 1
            raise Wrong(sentence)

    def uncompared(self) -> list[str]:
        """The checks that were never made: of these a soak shows nothing."""
        return [what for what in CHECKS if not self.compared[what]]


def report(tally: Tally) -> str:
    """The figures; each 0 is of comparisons that were made, and stands beside their number."""
    compared = ", ".join(
        f"{what} {tally.compared[what]:,} (wrong {tally.wrong[what]})"
        for what in CHECKS
        if tally.compared[what]
    )
    return (
        f"{tally.hands:,} hands at {tally.days} tables, {tally.day_changes} changes of the gaming "
        f"day, {tally.keys:,} keys, {tally.events:,} events\n"
        f"kills -9: {tally.kills:,} ({tally.kills_in_hand:,} inside a hand), after "
        f"{tally.acknowledged:,} acknowledged events\n"
        f"device faults: {tally.faults.total():,} {dict(tally.faults)}\n"
        f"rulings: {tally.rulings.total():,} {dict(tally.rulings)}; undone {tally.undone}; "
        f"comings and goings {dict(tally.comings)}\n"
        f"cards dealt {tally.dealt:,}, accounted for {tally.accounted:,}; hands tabled "
        f"{tally.tabled:,}; "
        f"showdowns {tally.showdowns:,}, all-ins {tally.all_ins:,}, kill pots {tally.killed_pots}\n"
        f"disk filled {tally.disk_full}: the ballast was used {tally.ballast}, the log stopped "
        f"{tally.log_stopped}, a new hand was refused {tally.hands_refused}; "
        f"clock moved {tally.clock_steps}\n"
        f"compared: {compared or 'nothing'}"
    )
