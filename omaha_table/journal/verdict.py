"""What was found out about a log, and the lines that say so."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator


THIS_DISK: Final = "this disk"


@dataclass(frozen=True, slots=True)
class Damage:
    """The first problem in a file: where, what kind, and a message."""

    file: str
    event: int | None
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class JournalVerdict:
    """What was found out about one journal."""

    file: str
    sound: bool
    anchored: bool = False
    by: str = ""
    up_to: int | None = None
    """The last event that is anchored; None: all of them."""
    hand: int | None = None
    """The last hand that began by then."""


@dataclass
class Verdict:
    files: int = 0
    events: int = 0
    hands: int = 0
    seals: int = 0
    opened_seats: int = 0
    open_days: list[str] = field(default_factory=list)
    damage: list[Damage] = field(default_factory=list)
    demo: list[str] = field(default_factory=list)
    """Journals of the demo, whose PINs everybody knows."""
    journals: list[JournalVerdict] = field(default_factory=list)
    place: str = THIS_DISK
    """Whose owner could have made all of it again."""
    remarks: list[str] = field(default_factory=list)
    """What else is known of these journals where they are kept, such as an alarm."""

    @property
    def sound(self) -> bool:
        return not self.damage


def as_data(verdict: Verdict) -> dict[str, Any]:
    """For other programs. What is only known of a room is left out where it is not one."""
    data = asdict(verdict)
    if verdict.place == THIS_DISK:
        del data["place"], data["remarks"]
        for journal in data["journals"]:
            del journal["hand"]
    return data | {"sound": verdict.sound}


def damage_lines(verdict: Verdict) -> Iterator[str]:
    for damage in verdict.damage:
        where = damage.file if damage.event is None else f"{damage.file}, event {damage.event}"
        yield f"{where}: {damage.kind}: {damage.message.rstrip('.')}."


def count_line(verdict: Verdict) -> str:
    """How much was checked."""
    return (
        f"{verdict.files} journal{'s' if verdict.files != 1 else ''}, {verdict.events:,} events, "
        f"{verdict.hands:,} hands replayed, {verdict.seals:,} seals, "
        f"{verdict.opened_seats:,} tabled hands checked against the deal."
    )


def demo_line(verdict: Verdict) -> str:
    """Says of which journals the rulings prove nothing."""
    return f"DEMO: {', '.join(verdict.demo)}: everybody knows the PINs of its staff."


NOT_ANCHORED: Final = "Not anchored: whoever owns {} could have replaced all of it."


def _up_to(journal: JournalVerdict) -> str:
    if journal.hand is None:
        return f"anchored up to event {journal.up_to}"
    return f"witnessed to hand {journal.hand} (event {journal.up_to})"


def trust_lines(verdict: Verdict, *, given: bool = False) -> Iterator[str]:
    """What a sound verdict is worth: what of the log is known from outside.

    `given`: whether anything from outside was compared.
    """
    anchored = [journal for journal in verdict.journals if journal.anchored]
    if anchored:
        by = dict.fromkeys(journal.by for journal in anchored)
        yield f"Sound, anchored by {' and '.join(by)}."
    else:
        yield f"Sound. {NOT_ANCHORED.format(verdict.place)}"
    for journal in anchored:
        if journal.up_to is not None:
            yield f"{journal.file}: {_up_to(journal)}."
    bare = [journal.file for journal in verdict.journals if not journal.anchored]
    if given and anchored and bare:
        yield f"Not anchored: {', '.join(bare)}."
    yield from verdict.remarks
