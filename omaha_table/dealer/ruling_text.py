"""What a ruling did, for the log: its name, and the chips and seats it was about.

The line with the supervisor and the reason comes before these; they say what came of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.hand import events as hand
from omaha_table.money import format_dollars
from omaha_table.table import events as table

if TYPE_CHECKING:
    from omaha_table.journal.events import Event


def what_ruling_did(event: Event) -> str:
    """'stack: $50 from seat 1 to seat 2'; empty for what is no part of a ruling."""
    return _in_hand(event) or _at_table(event)


def _in_hand(event: Event) -> str:
    match event:
        case hand.BackedUp():
            return "backup: entries are taken back"
        case hand.HandDeclared():
            back = f", {format_dollars(event.returned)} goes back" if event.returned else ""
            return f"{'dead' if event.dead else 'live'}: hand of seat {event.seat}{back}"
        case hand.PotCorrected():
            way = "from" if event.amount > 0 else "back to"
            return f"pot: {format_dollars(abs(event.amount))} {way} seat {event.seat}"
        case hand.BoardCorrected():
            return f"board: card {event.place + 1} is {event.card}"
        case hand.ActionBound():
            return f"binding: {event.action} of seat {event.seat}"
        case hand.ActionReleased():
            return f"release: seat {event.seat}"
        case hand.FeeWaived():
            return "waive: no drop from this hand"
    return ""


def _at_table(event: Event) -> str:
    match event:
        case table.ChipsTransferred():
            moved = f"{format_dollars(event.amount)} from seat {event.seat} to seat {event.to}"
            if event.of_hand is None:
                return f"stack: {moved}"
            books = ", in the books only" if event.adjusting else ""
            return f"amend: {moved}, hand {event.of_hand}{books}"
        case table.PotImpounded():
            held = f"{format_dollars(event.amount)} of seat {event.seat}"
            return f"impound: {held} held from hand {event.of_hand}"
        case table.ImpoundReleased():
            paid = f"{format_dollars(event.amount)} to seat {event.seat}"
            return f"pay: {paid}, held from hand {event.of_hand}"
        case table.FeeReturned():
            back = f"{format_dollars(event.amount)} to seat {event.seat}"
            return f"refund: {back}, fee of hand {event.of_hand}"
        case table.NoHandSeatNamed():
            return f"nohand: seat {event.seat}"
        case table.KillWaived():
            return f"waivekill: seat {event.seat}"
        case table.RulesChanged():
            return f"rules {event.rules}, limit {event.limit}"
    return ""
