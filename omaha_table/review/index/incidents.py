"""What is worth a second look, one line each: in a hand, or between two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.dealer.event_text import describe, event_line
from omaha_table.hand.events import (
    CardDealt,
    ClockRanOut,
    FeeWaived,
    FoldedOutOfTurn,
    HoleCardsOut,
    Irregularity,
    RemedyOrdered,
    Tabled,
    Undone,
)
from omaha_table.journal.events import (
    CardSealed,
    CardsOpened,
    ClockStepped,
    IdentitiesLost,
    Recovered,
    SeatOpened,
)
from omaha_table.journal.sealed_deal import OF_CARDS, SealedDeal
from omaha_table.money import format_dollars
from omaha_table.rules.sources import with_titles
from omaha_table.table.events import (
    ACKNOWLEDGED,
    STAFF_LIST,
    AuthorityRefused,
    DeckReported,
    DeviceChanged,
    DeviceIdentified,
    DeviceNoted,
    DeviceTakenOut,
    FloorCalled,
    HandTakenBack,
    PlayerLeft,
    Ruled,
    RulesChanged,
    SeatChangeCancelled,
    SeatChangeDropped,
    StackAdjusted,
    StackSet,
    TakenBack,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.journal.diary import Refusal
    from omaha_table.journal.events import Event
    from omaha_table.review.index.hands import Played

SLOW_SECONDS: Final = 240
"""A hand that took longer is worth a look."""
NOT_SEALED: Final = "diary, not sealed"
KINDS: Final = {
    "journal": "NOT READ",
    "not_dealt": "NOT AS DEALT",
    "adjusted": "STACK CHANGED",
    "picked_up": "PICKED UP",
    "override": "FLOOR RULING",
    "misdeal": "MISDEAL",
    "void": "HAND VOID",
    "irregular": "CARD TROUBLE",
    "device": "DEVICE",
    "out_of_turn": "OUT OF TURN",
    "time_up": "TIME RAN OUT",
    "undo": "TAKEN BACK",
    "not_done": "NOT DONE",
    "refusal": "REFUSED",
    "pin": "PIN REFUSED",
    "recovered": "RESTART",
    "clock": "CLOCK MOVED",
    "slow": "SLOW HAND",
    "waived": "FEE WAIVED",
    "rules": "NEW RULES",
    "dealer_read": "DEALER READ",
    "called": "FLOOR CALLED",
}
"""In the order in which they are gone through, and as they are called."""
MARKED: Final[dict[type, str]] = {
    StackAdjusted: "adjusted",
    StackSet: "adjusted",
    PlayerLeft: "picked_up",
    Ruled: "override",
    FoldedOutOfTurn: "out_of_turn",
    ClockRanOut: "time_up",
    Undone: "undo",
    TakenBack: "undo",
    HandTakenBack: "undo",
    SeatChangeCancelled: "undo",
    SeatChangeDropped: "not_done",
    Irregularity: "irregular",
    RemedyOrdered: "irregular",
    DeviceNoted: "device",
    DeviceChanged: "device",
    DeviceIdentified: "device",
    DeckReported: "device",
    DeviceTakenOut: "device",
    IdentitiesLost: "device",
    ClockStepped: "clock",
    Recovered: "recovered",
    FeeWaived: "waived",
    RulesChanged: "rules",
    AuthorityRefused: "pin",
    FloorCalled: "called",
}
_BACK_TO_WORK: Final = frozenset(
    ("fault_cleared", "jam_cleared", "settings_changed", ACKNOWLEDGED, STAFF_LIST, "phh", "played")
)


@dataclass(frozen=True, slots=True)
class Incident:
    seq: int
    """The event it happened with, or after."""
    at_us: int
    kind: str
    says: str
    more: str = ""
    """Rule and source, effect and who: what does not fit on a line."""
    jot: int = 0
    """Its number in the diary, where it was refused."""
    waits: bool = False
    """Only the second person's PIN was missing."""


def kind_of(event: Event) -> str:
    """What an event makes of the hand or hour it is in; empty: nothing unusual."""
    kind = MARKED.get(type(event), "")
    if kind == "device" and _works(event):
        return ""
    if isinstance(event, PlayerLeft) and not event.picked_up:
        return ""
    return kind


def _works(event: Event) -> bool:
    """Whether a device says that it is in order, or in order again."""
    if isinstance(event, DeckReported):
        return event.state not in ("bad", "unverified")
    if not isinstance(event, DeviceNoted):
        return False
    return event.what in _BACK_TO_WORK or (event.what, event.detail.partition(":")[0]) in (
        ("link_changed", "live"),
        ("link_changed", "opening"),
        ("state_found", "ok"),
        ("door_changed", "closed"),
        ("service_mode", "off"),
    )


def incident_of(seq: int, at_us: int, event: Event) -> Incident | None:
    """The line for one event, if it is worth one."""
    kind = kind_of(event)
    if not kind:
        return None
    match event:
        case Ruled():
            says = f"{event.ruling.replace('_', ' ')}: {event.reason}"
            return Incident(seq, at_us, kind, says, f"{event.effect} By {' and '.join(event.by)}.")
        case RulesChanged():
            return Incident(seq, at_us, kind, f"{event.rules}, limit {event.limit}")
        case FeeWaived():
            return Incident(seq, at_us, kind, "the floor waived the fee")
        case AuthorityRefused():
            who = f" of {' and '.join(event.by)}" if event.by else ""
            whose = f" for the sign-in of {event.dealer}" if event.dealer else ""
            given = f" with number {event.number}" if event.number and not event.dealer else ""
            says = f"{event.why.replace('_', ' ')}{who}{given}{whose}"
            return Incident(seq, at_us, kind, f"{says}: {event.ruling}".rstrip(": "))
        case Recovered():
            return Incident(seq, at_us, kind, event.where)
    text = describe(event)
    return Incident(seq, at_us, kind, "" if text is None else text.plain)


def waits_for_second(refusal: Refusal) -> bool:
    """Whether only the second person's PIN was missing: the ruling waited, and nobody was wrong."""
    return refusal.code == "two_persons"


def refused(refusal: Refusal) -> Incident:
    return Incident(
        refusal.after_seq,
        refusal.at_us,
        "refusal",
        refusal.message,
        f"rule {refusal.rule}: {with_titles(refusal.source)} ({NOT_SEALED})",
        refusal.id,
        waits_for_second(refusal),
    )


def unusual_flags(hand: Played) -> set[str]:
    """The flags of a hand for its lists; exports have all of them."""
    waited = bool(hand.refusals) and all(map(waits_for_second, hand.refusals))
    return hand.flags - {"refusal"} if waited else set(hand.flags)


def incidents_in(hand: Played) -> Iterator[Incident]:
    """The lines of a finished hand."""
    for moment in hand.unusual:
        found = incident_of(moment.seq, moment.at_us, moment.event)
        if found is not None and isinstance(moment.event, Undone):
            found = Incident(moment.seq, moment.at_us, "undo", _taken_back(hand, moment.event))
        if found is not None:
            yield found
    yield from map(refused, hand.refusals)
    yield from _of_the_whole(hand)


def _taken_back(hand: Played, undone: Undone) -> str:
    gone = [event_line(moment.event) for moment in hand.moments if moment.seq in undone.seqs]
    return next(filter(None, gone), "an entry")


def _of_the_whole(hand: Played) -> Iterator[Incident]:
    ended = hand.ended
    if ended is None:
        return
    last = hand.moments[-1]
    at = (last.seq, hand.ended_us)
    if "not_dealt" in hand.flags:
        yield from not_dealt(hand)
    yield from half_read(hand)
    if ended.outcome in ("misdeal", "void"):
        yield Incident(*at, ended.outcome, f"{hand.dealt} dealt in, all bets back")
    if hand.seconds > SLOW_SECONDS:
        yield Incident(*at, "slow", f"{hand.seconds:.0f} seconds, pot {format_dollars(hand.pot)}")
    if ended.waived and not any(isinstance(m.event, FeeWaived) for m in hand.standing):
        if hand.profile.fee.by == "player":
            owing = [str(seat) for seat in hand.started.dealt if seat not in hand.fees_paid]
            why = f"seat {', '.join(owing)} did not pay"
        else:
            why = "the pot is short"
        yield Incident(*at, "waived", f"{format_dollars(ended.waived)} of the fee, {why}")
    if ended.dealer_read:
        won = " ".join(map(str, ended.awards))
        yield Incident(*at, "dealer_read", f"no cards to check it by: won by {won}")


def is_unusual(incident: Incident, hand: Played) -> bool:
    """Whether somebody should look at it. A ruling may wait for its second person. That the dealer
    read a hand is usual at a table without a shoe, unless somebody could say otherwise: somebody
    tabled, or the floor ruled."""
    if incident.kind != "dealer_read":
        return not incident.waits
    return any(isinstance(m.event, CardSealed | Tabled | Ruled) for m in hand.standing)


def half_read(hand: Played) -> Iterator[Incident]:
    """A deal that began from the shoe and was ended by hand: the rest of it is not sealed."""
    read = 0
    by_card = any(type(moment.event) is CardSealed for moment in hand.moments)
    left = " and not sealed" if by_card else ": no hand is sealed"
    for moment in hand.standing:
        event = moment.event
        if type(event) is CardDealt and event.seat is not None:
            read += 1
        elif type(event) is HoleCardsOut and read:
            says = f"the shoe was read to card {read}, the rest dealt by hand{left}"
            yield Incident(moment.seq, moment.at_us, "device", says)


_TABLED: Final = (Tabled, CardsOpened, SeatOpened)


def not_dealt(hand: Played) -> Iterator[Incident]:
    """The seats that tabled other cards than the shoe dealt to them."""
    if not any(type(moment.event) in _TABLED for moment in hand.moments):
        return
    deal = SealedDeal(hand.table, hand.day)
    for moment in hand.moments:
        wrong = deal.take(moment.event) if type(moment.event) in OF_CARDS else ""
        if wrong:
            yield Incident(moment.seq, moment.at_us, "not_dealt", wrong)
