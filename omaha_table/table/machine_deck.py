"""The deck inside the shuffler: how far it is on its way to a hand, and what sends it back.

A deck may be dealt if one full cycle of the shuffler counted it to 52 and put it out complete. What
may have changed it since then (a jam, an opened lid) only sends it through another full cycle. A
deck that was found wrong (a wrong count, a duplicate or foreign card) stays with the floor,
whatever the machine counts later.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, cast, get_args

Stage: TypeAlias = Literal[
    "none", "loaded", "shuffling", "counted", "complete", "ready", "again", "floor"
]
"""'counted' and 'complete' are the halves of 'ready'; 'again': it needs a full cycle."""
DeckStep: TypeAlias = Literal[
    "loaded", "shuffle_started", "counted", "complete", "miscounted", "card_missing",
    "card_duplicate", "card_foreign", "unread", "jam", "lid", "aborted", "service", "restarted",
    "events_lost",
]  # fmt: skip
"""What happens to a deck in the machine, in the words of the table."""
Taken: TypeAlias = Literal["ok", "unverified", "bad"]
"""What a deck is when it leaves the machine."""


@dataclass(frozen=True, slots=True)
class MachineDeck:
    back: str
    """The color of its backs; empty: the shuffler does not report it."""
    stage: Stage
    cycle: int = 0
    """The cycle that its count or its shuffle belongs to; 0: the shuffler does not number them."""
    why: str = ""
    """What sent it back or to the floor, as a step."""


STAGES: Final = cast("tuple[Stage, ...]", get_args(Stage))
STEPS: Final = cast("tuple[DeckStep, ...]", get_args(DeckStep))
_UNSETTLED: Final[tuple[DeckStep, ...]] = (
    "unread", "jam", "lid", "aborted", "service", "restarted", "events_lost"
)  # fmt: skip
_WRONG: Final[tuple[DeckStep, ...]] = (
    "miscounted", "card_missing", "card_duplicate", "card_foreign"
)  # fmt: skip


def _transitions() -> dict[tuple[Stage, DeckStep], Stage]:
    table: dict[tuple[Stage, DeckStep], Stage] = {}
    for stage in STAGES:
        # Loading ends whatever was before: another deck may be in now.
        table[stage, "loaded"] = "loaded"
        table[stage, "shuffle_started"] = "floor" if stage == "floor" else "shuffling"
        table |= {(stage, step): "floor" for step in _WRONG}
        table |= {(stage, step): "floor" if stage == "floor" else "again" for step in _UNSETTLED}
        # Neither half of a cycle repairs what happened before it.
        table[stage, "counted"] = table[stage, "complete"] = stage
    # What is not known to be inside needs a full cycle anyway.
    table |= {("none", step): "none" for step in _UNSETTLED}
    unproved: tuple[Stage, ...] = ("none", "loaded", "shuffling")
    table |= {(stage, "counted"): "counted" for stage in unproved}
    table |= {(stage, "complete"): "complete" for stage in unproved}
    table["counted", "complete"] = table["complete", "counted"] = "ready"
    return table


TRANSITIONS: Final = _transitions()
"""The table in docs/devices.md says the same; a test compares them."""

TAKEN: Final[dict[Stage, Taken]] = {
    "none": "unverified",
    "loaded": "unverified",
    "shuffling": "unverified",
    "counted": "unverified",
    "complete": "unverified",
    "ready": "ok",
    "again": "unverified",
    "floor": "bad",
}
_HALVES: Final = ("counted", "complete")


def after(deck: MachineDeck | None, step: DeckStep, back: str = "", cycle: int = 0) -> MachineDeck:
    """The deck after a step; `back` is that of a deck that is loaded."""
    was = MachineDeck("", "none") if deck is None else deck
    stage = TRANSITIONS[was.stage, step]
    if step == "loaded":
        return MachineDeck(back, stage)
    if stage in ("again", "floor"):
        first = was.stage == stage and was.why
        return MachineDeck(was.back, stage, why=was.why if first else step)
    if step in _HALVES and was.stage in (*_HALVES, "ready") and cycle != was.cycle:
        # Half of one cycle and half of another prove nothing together.
        return MachineDeck(was.back, "again", why=step)
    return MachineDeck(was.back, stage, cycle if step in _HALVES else 0)


def taken(deck: MachineDeck | None, cycle: int = 0) -> Taken:
    """What the deck is that is taken out in this cycle."""
    if deck is None:
        return "unverified"
    what = TAKEN[deck.stage]
    return "unverified" if what == "ok" and cycle != deck.cycle else what
