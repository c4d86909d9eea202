"""The limit and the rules of a table: chosen before its first hand, later changed by the floor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.cards import quote
from omaha_table.hand import Refused
from omaha_table.hand.refusal import sentence
from omaha_table.table.events import LimitChanged, RulesChanged

if TYPE_CHECKING:
    from omaha_table.rules import Profile
    from omaha_table.table.state import TableState


def check_before_first_hand(state: TableState, what: str) -> None:
    """Players sat down to these stakes: once they have been dealt to, the floor changes them."""
    if state.hands:
        raise _refused(
            state,
            "not_authorised",
            f"a hand has been dealt: the floor changes the {what}, with the ruling '{what}'",
        )


def limit_changed(state: TableState, limit: str) -> LimitChanged:
    if state.profile.limit(limit) is None:
        known = ", ".join(limit.id for limit in state.profile.limits)
        raise _refused(
            state,
            "no_such_limit",
            f"{quote(limit)} is not posted here: the limits are {known}",
        )
    return LimitChanged(limit)


def rules_changed(state: TableState, profile: Profile, limit_id: str | None = None) -> RulesChanged:
    """The first limit of the profile where none is named."""
    limit = profile.limits[0] if limit_id is None else profile.limit(limit_id)
    if limit is None:
        known = ", ".join(limit.id for limit in profile.limits)
        raise _refused(
            state, "no_such_limit", f"{profile.id} has no such limit: its limits are {known}"
        )
    far = [seat for seat in state.seats if seat > profile.seats.max]
    if far:
        raise Refused(
            "no_such_seat",
            sentence(f"{profile.id} has {profile.seats.max} seats: move seat {far[0]}"),
            state.profile,
            "",
        )
    return RulesChanged(profile.id, profile.profile.version, limit.id, profile.as_data())


def _refused(state: TableState, code: str, message: str) -> Refused:
    return Refused(code, sentence(message), state.profile, "limits")
