"""Hands as five CSV tables: hands, seats, actions, fees, and what rulings moved after the push.

Money is in whole cents, and every such column's name ends in `_cents`; times are UTC. A stack that
is not tracked is an empty field, which is not the same as 0. A fee is what went into the box, out
of the pot or from the players. A text that a spreadsheet would take
for a formula begins with an apostrophe. Seats and hands are as they were pushed; `later` has the
chips that rulings moved after it, and `fee_returned_cents` what went back out of the box. Times are
of the log; for an imported hand `played` is what its file said.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from omaha_table.cards import format_cards
from omaha_table.review.exchange.hand_actions import actions_of, corrections_of, name_of
from omaha_table.review.index.hands import board_of
from omaha_table.text import HIDDEN, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from omaha_table.review.exchange.hand_actions import HandAction
    from omaha_table.review.index.hands import Played

Row: TypeAlias = list[Any]

_KEY: Final = ("file", "table", "day", "hand")
HEADERS: Final[dict[str, tuple[str, ...]]] = {
    "hands": (
        *_KEY,
        *("started_utc", "ended_utc", "seconds", "rules", "limit", "button", "dealer", "shift"),
        *("hands_dealt", "outcome", "board", "pot_cents", "fee_cents", "jackpot_cents"),
        *("waived_cents", "dealer_read", "by_ruling", "flags", "played"),
    ),
    "seats": (
        *_KEY,
        *("seat", "name", "stack_before_cents", "stack_after_cents", "invested_cents"),
        *("returned_cents", "award_cents", "end", "cards"),
    ),
    "actions": (
        *_KEY,
        *("number", "event", "at_utc", "street", "seat", "action", "amount_cents", "to_cents"),
        *("all_in", "cards", "out_of_turn"),
    ),
    "fees": (
        *_KEY,
        *("started_utc", "dealer", "shift", "box", "hands_dealt", "fee_cents", "jackpot_cents"),
        *("waived_cents", "fee_returned_cents"),
    ),
    "later": (
        *_KEY,
        *("event", "at_utc", "what", "seat", "to_seat", "amount_cents", "adjusting"),
    ),
}
_FORMULA: Final = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
"""The wide forms too: some spreadsheets read them alike."""


def rows_of(hand: Played) -> Iterator[tuple[str, Row]]:
    """The rows of a finished hand, each with the table it belongs to."""
    ended = hand.ended
    if ended is None:
        raise ValueError("a hand that has not ended")
    key = [_text(hand.file), _text(hand.table), _text(hand.day), hand.number]
    started = _utc(hand.started_us)
    dealt = len(hand.started.dealt)
    drop = [hand.fee, ended.jackpot]
    made = actions_of(hand)
    yield (
        "hands",
        [
            *key,
            *(started, _utc(hand.ended_us), f"{hand.seconds:.3f}"),
            *(hand.profile.id, _text(hand.limit.id), hand.started.button),
            *(_text(hand.dealer), _text(hand.shift), dealt, ended.outcome),
            *(format_cards(board_of(hand)), hand.pot, *drop, hand.waived),
            *(_yes(ended.dealer_read), _yes(ended.by_ruling), " ".join(sorted(hand.flags))),
            _text(hand.played),
        ],
    )
    for seat in hand.started.dealt:
        yield "seats", [*key, *_seat(hand, seat, made)]
    for number, act in enumerate(made, start=1):
        yield "actions", [*key, number, *_action(act)]
    boxes = [_text(text) for text in (hand.dealer, hand.shift, hand.box)]
    yield "fees", [*key, started, *boxes, dealt, *drop, hand.waived, hand.refunded]
    for later in corrections_of(hand):
        to = "" if later.to is None else later.to
        moved = [
            later.kind,
            later.seat,
            to,
            later.amount,
            _yes(later.adjusting),
        ]
        yield "later", [*key, later.seq, _utc(later.at_us), *moved]


def _seat(hand: Played, seat: int, made: list[HandAction]) -> Row:
    ended = hand.ended
    assert ended is not None
    before = hand.started.stacks[seat]
    last = [act for act in made if act.seat == seat and act.kind in ("fold", "show", "muck")]
    end = {"fold": "folded", "show": "tabled", "muck": "mucked"}[last[-1].kind] if last else ""
    return [
        seat,
        _text(name_of(hand, seat)),
        "" if before is None else before,
        ended.stacks.get(seat, ""),
        ended.invested.get(seat, 0),
        ended.returned.get(seat, 0),
        ended.awards.get(seat, 0),
        end,
        format_cards(last[-1].cards) if last else "",
    ]


def _action(act: HandAction) -> Row:
    return [
        act.seq,
        _utc(act.at_us),
        act.street.word,
        "" if act.seat is None else act.seat,
        act.kind,
        act.amount,
        act.to,
        _yes(act.all_in),
        format_cards(act.cards),
        _yes(act.early),
    ]


def _utc(at_us: int) -> str:
    return datetime.fromtimestamp(at_us / 1e6, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _text(text: str) -> str:
    text = visible(text)
    # A blank, or what stands for one, can be taken off before a formula is looked for.
    return f"'{text}" if text.lstrip(f" {HIDDEN}").startswith(_FORMULA) else text
