"""Rulings on the limit and the rules, once players have been dealt to under the old ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.floor.spec import Effect, hand_in_play, no_hand, refused
from omaha_table.table.stakes import limit_changed, rules_changed

if TYPE_CHECKING:
    from omaha_table.hand import Refused
    from omaha_table.table import TableState


def why_no_limit(state: TableState) -> Refused | None:
    if state.hand is not None:
        return hand_in_play(state)
    if len(state.profile.limits) > 1:
        return None
    return refused(state, "wrong_phase", "only one limit is posted here", "limits")


def why_not_limit(state: TableState, limit: str) -> Refused | None:
    if limit == state.limit.id:
        return refused(state, "wrong_phase", f"{limit} is the limit now", "limits")
    return None


def change_limit(state: TableState, limit: str) -> Effect:
    no_hand(state)
    event = limit_changed(state, limit)
    problem = why_not_limit(state, limit)
    if problem is not None:
        raise problem
    return Effect(f"The limit is {limit} from the next hand, not {state.limit.id}.", [event])


def why_no_rules(state: TableState) -> Refused | None:
    if state.hand is not None:
        return hand_in_play(state)
    if state.offered:
        return None
    return refused(state, "wrong_phase", "this table offers no other rules", "limits")


def change_rules(state: TableState, rules: str, limit: str | None) -> Effect:
    no_hand(state)
    named = next((one for one in state.offered if one.id == rules), None)
    if named is None:
        known = ", ".join(one.id for one in state.offered)
        raise refused(
            state, "no_such_rules", f"these rules are not offered here: the rules are {known}"
        )
    event = rules_changed(state, named, limit)
    if (named, event.limit) == (state.profile, state.limit.id):
        raise refused(state, "wrong_phase", "these are the rules and the limit now", "limits")
    return Effect(
        f"From the next hand: {named.profile.title}, limit {event.limit}, "
        f"not {state.profile.profile.title}, limit {state.limit.id}.",
        [event],
    )
