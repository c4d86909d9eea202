"""A hand as one JSON object: what was around it, its steps, and its summary as in the log.

Money is in whole cents, as everywhere in the program's JSON. The summary is of the push; `later`
has what rulings moved after it, such as a fee given back. The times are the log's; an imported
hand has in `played` when its file says it was played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from omaha_table.journal.codec import encode
from omaha_table.review.exchange.hand_actions import actions_of, corrections_of, name_of

if TYPE_CHECKING:
    from omaha_table.hand.events import HandEnded
    from omaha_table.review.index.hands import Played


def _summary(ended: HandEnded) -> dict[str, Any]:
    summary = encode(ended)
    del summary["entry"]
    # A log of before this field has none, and says the same today as it did then.
    if not ended.drop_from:
        del summary["drop_from"]
    return summary


def json_of(hand: Played) -> dict[str, Any]:
    """A finished hand for programs of the room's own."""
    ended = hand.ended
    if ended is None:
        raise ValueError("a hand that has not ended")
    started = hand.started
    return {
        "file": hand.file,
        "table": hand.table,
        "day": hand.day,
        "hand": hand.number,
        "started_us": hand.started_us,
        "ended_us": hand.ended_us,
        "played": hand.played or None,
        "rules": hand.profile.id,
        "limit": hand.limit.id,
        "dealer": hand.dealer,
        "shift": hand.shift,
        "box": hand.box,
        "button": started.button,
        "killer": started.killer,
        **({"kill_stands": True} if started.kill_stands else {}),
        "no_hand": list(started.no_hand),
        "waived": hand.waived,
        **({"fees_paid": hand.fees_paid} if hand.fees_paid else {}),
        "flags": sorted(hand.flags),
        "rulings": [{"ruling": ruled.ruling, "by": list(ruled.by)} for ruled in hand.rulings],
        "seats": [
            {"seat": seat, "name": name_of(hand, seat), "stack": started.stacks[seat]}
            for seat in started.dealt
        ],
        "actions": [
            {
                "event": act.seq,
                "at_us": act.at_us,
                "street": act.street.word,
                "seat": act.seat,
                "action": act.kind,
                "amount": act.amount,
                "to": act.to,
                "all_in": act.all_in,
                "cards": [card.text for card in act.cards],
                **({"out_of_turn": True} if act.early else {}),
            }
            for act in actions_of(hand)
        ],
        "summary": _summary(ended),
        "later": [
            {
                "event": correction.seq,
                "at_us": correction.at_us,
                "what": correction.kind,
                "seat": correction.seat,
                "to": correction.to,
                "amount": correction.amount,
                "adjusting": correction.adjusting,
            }
            for correction in corrections_of(hand)
        ],
        "hash": hand.moments[-1].hash,
    }
