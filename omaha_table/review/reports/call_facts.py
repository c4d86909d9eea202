"""How long a table waited for the floor, call by call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from omaha_table.dealer.event_text import minutes
from omaha_table.hand.frozen import replace
from omaha_table.review.reports.page import Fact, Table, clock, rows, texts, times
from omaha_table.review.reports.wording import ruling_title
from omaha_table.table.events import FloorArrived, FloorCalled, FloorCallEnded, Ruled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from omaha_table.review.index.moments import Given


@dataclass(frozen=True, slots=True)
class FloorCall:
    """A call of the floor, who came, and what came of it."""

    called: Given
    of_hand: int
    """The hand that was played; between hands, the last one."""
    waited: int | None = None
    """Seconds until somebody came; None: nobody did."""
    by: str = ""
    ruling: str = ""
    ended: bool = False

    @property
    def outcome(self) -> str:
        if self.ruling:
            return self.ruling
        if not self.ended:
            return "still open"
        return "no ruling" if self.waited is not None else "taken back"


def floor_calls(found: Iterable[Given]) -> Iterator[FloorCall]:
    """The calls in journals that are given in order: a call may go on into the next day."""
    waiting: dict[str, FloorCall] = {}
    for given in found:
        event, call = given.moment.event, waiting.get(given.table)
        if isinstance(event, FloorCalled):
            if call is not None:  # its end is in a journal that is missing
                yield call
            waiting[given.table] = FloorCall(given, event.of_hand)
        elif call is not None:
            call = _continued(call, given)
            waiting[given.table] = call
            if call.ended:
                yield waiting.pop(given.table)
    yield from waiting.values()


def _continued(call: FloorCall, given: Given) -> FloorCall:
    match given.moment.event:
        case FloorArrived() as arrived:
            return replace(call, waited=arrived.waited, by=arrived.by)
        case FloorCallEnded():
            return replace(call, ended=True)
        case Ruled() as ruled:
            if call.waited is None:
                # In a script the PIN comes with the ruling.
                waited = max(given.moment.at_us - call.called.moment.at_us, 0) // 1_000_000
                call = replace(call, waited=waited, by=ruled.by[0])
            return replace(call, ruling=ruled.ruling, ended=True)
    return call


def call_table(calls: Iterable[FloorCall]) -> Table:
    lines = [
        (
            clock(call.called.moment.at_us),
            _hand(call),
            "-" if call.waited is None else minutes(call.waited),
            call.by or "-",
            ruling_title(call.ruling) if call.ruling else call.outcome,
        )
        for call in calls
    ]
    columns = (*times("Time"), *texts("Hand", "Arrived after", "By", "Ruling"))
    return Table("Floor calls", columns, rows(*lines))


def _hand(call: FloorCall) -> str:
    if call.called.hand is not None or not call.of_hand:
        return str(call.called.hand or "-")
    return f"after {call.of_hand}"


def call_fact(calls: list[FloorCall]) -> Fact:
    """'3, arrived after 1:12 on average'."""
    waited = [call.waited for call in calls if call.waited is not None]
    mean = f", arrived after {minutes(sum(waited) // len(waited))} on average" if waited else ""
    return Fact("Floor calls", f"{len(calls):,}{mean}")


def call_data(calls: Iterable[FloorCall]) -> list[dict[str, Any]]:
    return [
        {
            "at_us": call.called.moment.at_us,
            "event": call.called.moment.seq,
            "hand": call.called.hand,
            "of_hand": call.of_hand,
            "seconds": call.waited,
            "by": call.by,
            "outcome": call.outcome,
        }
        for call in calls
    ]
