"""The drop: what must be in the boxes, by bracket, dealer, shift and box, and who could explain
what is missing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from omaha_table.money import format_dollars

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Set

    from omaha_table.money import Cents


class Hand(Protocol):
    """What the drop asks of a hand, be it read from a journal or from the list made of it."""

    @property
    def file(self) -> str: ...
    @property
    def down(self) -> int: ...
    @property
    def number(self) -> int: ...
    @property
    def day(self) -> str: ...
    @property
    def started_us(self) -> int: ...
    @property
    def ended_us(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def dealt(self) -> int: ...
    @property
    def flop(self) -> bool: ...
    @property
    def outcome(self) -> str: ...
    @property
    def pot(self) -> Cents: ...
    @property
    def fee(self) -> Cents: ...
    @property
    def jackpot(self) -> Cents: ...
    @property
    def waived(self) -> Cents: ...
    @property
    def refunded(self) -> Cents: ...
    @property
    def flags(self) -> Set[str]: ...


@dataclass(slots=True)
class Drop:
    """Sums over some hands."""

    hands: int = 0
    no_flop: int = 0
    called_off: int = 0
    fees: Cents = 0
    """What was taken; what must be in the box is `due`."""
    jackpots: Cents = 0
    waived: Cents = 0
    refunded: Cents = 0
    """Of the fees: given back out of the box."""
    pots: Cents = 0
    seconds: float = 0.0
    brackets: Counter[tuple[int, Cents]] = field(default_factory=Counter)
    """How many hands paid which fee, by the number of hands dealt."""
    dealt: Counter[int] = field(default_factory=Counter)
    first_us: int = 0
    last_us: int = 0
    downs: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)
    """From when to when each down was dealt, by journal and number."""

    def add(self, hand: Hand) -> None:
        if not hand.outcome:
            return
        self.first_us = min(self.first_us or hand.started_us, hand.started_us)
        self.last_us = max(self.last_us, hand.ended_us)
        down = hand.file, hand.down
        first, last = self.downs.get(down, (hand.started_us, hand.ended_us))
        self.downs[down] = min(first, hand.started_us), max(last, hand.ended_us)
        if hand.outcome in ("misdeal", "void"):
            self.called_off += 1
            return
        self.hands += 1
        self.no_flop += not hand.flop
        self.fees += hand.fee
        self.jackpots += hand.jackpot
        self.waived += hand.waived
        self.refunded += hand.refunded
        self.pots += hand.pot
        self.seconds += hand.seconds
        self.dealt[hand.dealt] += 1
        if hand.fee:
            self.brackets[hand.dealt, hand.fee] += 1

    @property
    def due(self) -> Cents:
        """What must be in the box."""
        return self.fees - self.refunded

    @property
    def hours(self) -> float:
        """At work: breaks and closed tables are left out."""
        return sum(max(last - first, 0) for first, last in self.downs.values()) / 3.6e9

    @property
    def hands_an_hour(self) -> float:
        return self.hands / self.hours if self.hours else 0.0

    @property
    def no_flop_share(self) -> float:
        return self.no_flop / self.hands if self.hands else 0.0

    @property
    def pace(self) -> float:
        """Seconds a hand."""
        return self.seconds / self.hands if self.hands else 0.0

    @property
    def mean_pot(self) -> Cents:
        return self.pots // self.hands if self.hands else 0


def total(hands: Iterable[Hand]) -> Drop:
    drop = Drop()
    for hand in hands:
        drop.add(hand)
    return drop


@dataclass(frozen=True, slots=True)
class Suspect:
    """A hand that could explain a difference, and why."""

    number: int
    day: str
    started_us: int
    fee: Cents
    reasons: tuple[str, ...]
    is_the_difference: bool
    """Its fee, or what of it was waived or returned, is just what is missing or over."""

    @property
    def why(self) -> str:
        return ", ".join((*self._exact, *self.reasons))

    @property
    def _exact(self) -> tuple[str, ...]:
        return ("exactly the variance",) if self.is_the_difference else ()


@dataclass(frozen=True, slots=True)
class Reconciled:
    """The log's drop beside what was counted."""

    due: Cents
    counted: Cents
    suspects: tuple[Suspect, ...]

    @property
    def variance(self) -> Cents:
        """Negative: chips are missing."""
        return self.counted - self.due


def over_or_short(variance: Cents) -> str:
    """A difference between a box and the log, as a cardroom puts it."""
    if not variance:
        return "agrees"
    return f"{format_dollars(abs(variance))} {'over' if variance > 0 else 'short'}"


def reconcile(hands: Iterable[Hand], counted: Cents) -> Reconciled:
    """Compares the fees of hands with a count; names the hands that could explain a difference."""
    kept = list(hands)
    due = total(kept).due
    missing = abs(counted - due)
    found = sorted(_suspects(kept, missing), key=_likeliest) if missing else []
    return Reconciled(due, counted, tuple(found))


def _suspects(hands: list[Hand], missing: Cents) -> Iterator[Suspect]:
    for hand in hands:
        reasons = []
        if hand.waived:
            reasons.append("fee waived")
        if hand.refunded:
            reasons.append("fee returned")
        if "override" in hand.flags:
            reasons.append("floor ruling")
        if "undo" in hand.flags:
            reasons.append("entry taken back")
        if "recovered" in hand.flags:
            reasons.append("restart")
        if hand.outcome in ("misdeal", "void"):
            reasons.append(f"called off ({hand.outcome})")
        if "slow" in hand.flags and hand.fee:
            reasons.append("slow hand")
        if reasons:
            exact = missing in (hand.fee, hand.waived, hand.refunded)
            yield Suspect(hand.number, hand.day, hand.started_us, hand.fee, tuple(reasons), exact)


def _likeliest(suspect: Suspect) -> tuple[bool, int, int]:
    return (not suspect.is_the_difference, -len(suspect.reasons), suspect.number)
