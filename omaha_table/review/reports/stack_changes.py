"""Chips that were added to a stack or taken off it outside a hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from omaha_table.money import format_dollars
from omaha_table.review.reports.page import Fact
from omaha_table.review.reports.wording import quantity
from omaha_table.table.events import PlayerLeft, StackAdjusted, StackSet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from omaha_table.review.index.moments import Moment

    Given = Sequence[tuple[int | None, Moment]]


def stack_facts(given: Given) -> list[Fact]:
    """What rulings have changed, what dealers have counted, and what was picked up; nothing where
    there was none of it."""
    facts: list[Fact] = []
    changes = [m.event.amount for _, m in given if isinstance(m.event, StackAdjusted)]
    if changes:
        added = format_dollars(sum(amount for amount in changes if amount > 0))
        taken = format_dollars(-sum(amount for amount in changes if amount < 0))
        by = quantity(len(changes), "ruling")
        facts.append(Fact("Stacks corrected", f"{added} added, {taken} taken off, by {by}"))
    recounted = sum(isinstance(m.event, StackSet) for _, m in given)
    if recounted:
        facts.append(Fact("Stacks counted", f"{recounted:,}"))
    left = [m.event for _, m in given if isinstance(m.event, PlayerLeft)]
    if left:
        unknown = sum(event.stack is None for event in left)
        tail = f", {unknown} not tracked" if unknown else ""
        known = format_dollars(sum(event.stack or 0 for event in left))
        facts.append(Fact("Chips picked up", f"{quantity(len(left), 'seat')}, {known}{tail}"))
    return facts


def stack_data(given: Given) -> dict[str, Any]:
    """The same event by event."""
    adjusted, set_, picked_up = [], [], []
    for number, m in given:
        at: dict[str, Any] = {"at_us": m.at_us, "event": m.seq}
        match m.event:
            case StackAdjusted(seat=seat, amount=amount):
                adjusted.append({"hand": number, **at, "seat": seat, "amount": amount})
            case StackSet(seat=seat, stack=stack, was=was):
                set_.append({**at, "seat": seat, "stack": stack, "was": was})
            case PlayerLeft(seat=seat, stack=stack):
                picked_up.append({**at, "seat": seat, "stack": stack})
    found = {"stacks_adjusted": adjusted, "stacks_counted": set_, "picked_up": picked_up}
    return {name: made for name, made in found.items() if made}
