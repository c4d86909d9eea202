"""What the dealer is told of a deck that may not be dealt, and what to do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from omaha_table.session.device_status import Device
    from omaha_table.table.machine_deck import MachineDeck

_WHY: Final = {
    "jam": "the shuffler jammed",
    "lid": "the lid was opened",
    "aborted": "the shuffle was stopped",
    "service": "it was in service",
    "restarted": "the shuffler restarted",
    "events_lost": "reports were lost",
    "unread": "a card was not read",
    "counted": "count and shuffle differ",
    "complete": "count and shuffle differ",
    "readmitted": "the floor let it back",
    "out_of_use": "it was out of use",
}
NO_BACKS: Final = "It reports no back colors: hand a faulty deck to the floor."
NO_CYCLES: Final = "It does not number its cycles: the order of its reports is believed."


def lower_trust(device: Device) -> list[str]:
    """What a shuffler cannot report, and what follows from it."""
    lacks = ((NO_BACKS, device.reports_backs), (NO_CYCLES, device.reports_cycles))
    return [text for text, reported in lacks if not reported]


def deck_name(back: str) -> str:
    """'The red deck'; 'The deck' where no color is known."""
    return f"The {back} deck" if back else "The deck"


def again_text(deck: MachineDeck) -> str:
    """Of a deck in the machine that needs another full cycle."""
    name = deck_name(deck.back)
    return f"Run {name[:1].lower()}{name[1:]} through a full cycle: {_WHY[deck.why]}."


def unverified_text(back: str) -> str:
    """Of a deck that was taken too early."""
    return f"{deck_name(back)} was taken unverified: put it back for a full cycle."
