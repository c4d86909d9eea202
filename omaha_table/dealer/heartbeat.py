"""What a table tells the room of itself every two seconds: for the floor's page, and not recorded.

It holds what everybody at the table can see, as numbers and words. There is no card in it, not even
one that lies face up: the log has those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from omaha_table import __version__
from omaha_table.dealer.views import device_view
from omaha_table.table.events import DealerIn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omaha_table.dealer.model import Facts
    from omaha_table.hand import HandState
    from omaha_table.journal.events import Record
    from omaha_table.table import TableState

BEAT_SECONDS: Final = 2.0
MOST_BYTES: Final = 4000
"""Of one heartbeat: a pipe takes so many whole or not at all, and the room no more than twice."""
_LONGEST: Final = 40
_HOUR: Final = 3600.0


class Heartbeat:
    """Makes the heartbeats of one console, with what it takes to count hands an hour."""

    def __init__(self, began: float) -> None:
        self._began = began
        self._hands: list[tuple[int, float]] = []
        """The last hour's hands, by number, with the time at which each was first seen."""
        self.dealer_since: int | None = None
        """Since when the dealer is seated; a dealer's time at the table is in no state."""

    def heard(self, records: Sequence[Record], now: float) -> None:
        """Everything that is recorded."""
        for record in records:
            if isinstance(record.event, DealerIn):
                self.dealer_since = int(now)

    def beat(self, facts: Facts, title: str, now: float, *, stopped: bool) -> dict[str, Any]:
        """`stopped`: the log takes nothing."""
        state = facts.state
        self._count(state.hands, now)
        hand, down = state.hand, state.down
        call, killer = state.floor_call, _killer(state)
        return {
            "version": __version__,
            "at": int(now),
            "title": title[:_LONGEST],
            "seq": state.seq,
            "closed": state.closed,
            "rules": state.profile.id[:_LONGEST],
            "hole_cards": state.profile.game.hole_cards,
            "high_low": state.profile.splits,
            "limit": state.limit.id[:_LONGEST],
            "structure": state.limit.structure,
            "hand": state.hands,
            "street": _street(hand),
            "step": {"who": facts.step.who, "what": facts.step.what, "seat": facts.step.seat},
            "kill": killer,
            "seats": len(state.seats),
            "dealt": 0 if hand is None else len(hand.setup.dealt),
            "away": sorted(seat for seat, at in state.seats.items() if at.away),
            "open": state.profile.seats.max - len(state.seats),
            "floor_called": None if call is None else call.at,
            "floor_here": call is not None and bool(call.arrived),
            "dealer": None if down is None else down.dealer[:_LONGEST],
            "dealer_since": None if down is None else self.dealer_since,
            "dealer_hands": 0 if down is None else down.hands,
            "shift": None if state.shift is None else state.shift[:_LONGEST],
            "drop": state.box.fees,
            "jackpot": state.box.jackpots,
            "hands_an_hour": self._pace(now),
            "devices": [_device(facts, at) for at in range(len(facts.devices))],
            "missing": [one.what[:_LONGEST] for one in facts.missing[:4]],
            "log_stopped": stopped,
        }

    def _count(self, number: int, now: float) -> None:
        if number and (not self._hands or self._hands[-1][0] != number):
            self._hands.append((number, now))
        while self._hands and now - self._hands[0][1] > _HOUR:
            del self._hands[0]

    def _pace(self, now: float) -> int | None:
        """Hands an hour, once there is something to tell it by."""
        span = min(now - self._began, _HOUR)
        if span < _HOUR / 12 or len(self._hands) < 2:
            return None
        return round((len(self._hands) - 1) * _HOUR / max(now - self._hands[0][1], 1.0))


def _street(hand: HandState | None) -> str | None:
    return None if hand is None else hand.street.word


def _killer(state: TableState) -> int | None:
    """The seat that posts a kill in this hand or the next."""
    return state.killer if state.hand is None else state.hand.setup.started.killer


def _device(facts: Facts, at: int) -> dict[str, str]:
    shown = device_view(facts.devices[at], facts)
    return {"name": shown.name, "state": shown.state, "doing": shown.doing[:_LONGEST]}
