"""Cards out of the deck: the pitch, the board, and what can go wrong with a card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.cards import parse_cards
from omaha_table.dealer.change import (
    Change,
    Do,
    KeyCards,
    RecordUnread,
    clear,
    do,
    enter,
    leave,
    leave_if_done,
    stay,
    type_digit,
)
from omaha_table.dealer.event_text import chips
from omaha_table.dealer.model import Mode
from omaha_table.dealer.modes.sure import Sure
from omaha_table.dealer.modes.table_keys import (
    RANK_KEYS,
    card_keys,
    floor_key,
    typed_caption,
    ways_out,
)
from omaha_table.hand import commands as hand
from omaha_table.hand.fees import fee_per_player, unpaid
from omaha_table.hand.frozen import replace
from omaha_table.hand.opening import may_post_short
from omaha_table.hand.phases import Street
from omaha_table.session.hole_cards import next_card_is_face_up

if TYPE_CHECKING:
    from omaha_table.dealer.change import Action
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.hand.events import Trouble
    from omaha_table.session.answer import Answer

_TROUBLES: Final[dict[Trouble, str]] = {
    "premature_card": "A card left the shoe while betting is open. Leave it; the floor rules.",
    "card_too_many": "A card left the shoe and none was due. Leave it; the floor rules.",
    "duplicate_card": "The shoe read a card twice: the deck may be fouled. The floor rules.",
    "foreign_card": "The shoe read a card of another deck. The floor rules.",
    "returned_card": "A card was put back into the shoe. The floor rules.",
    "unreadable_card": "The shoe could not read a card. If it is good and dealt, press +.",
    "stuck_card": "A card is stuck in the shoe. Free it, check the count, go on.",
    "lid_opened": "The shoe's lid was opened. Close it, check the count, go on.",
    "events_lost": "The shoe missed cards. Count those dealt; press + for each one missed.",
}
_DEAL_BY_HAND: Final = Sure(
    "DEAL BY HAND?",
    "The shoe is not read for the rest of this hand; all hole cards are out.",
    "YES, CARDS ARE OUT",
    hand.Deal(),
)


def deal(model: Model, strip: Strip) -> Prompt:
    state = model.hand
    hole, seats = model.state.profile.game.hole_cards, len(state.setup.dealt)
    title = f"PITCH {hole} TO {seats}"
    asked = _posts_and_fees(model, strip)
    if model.typed:
        ways_out(model, strip)
        return strip.prompt("DEALER", title, asked, *typed_caption(model, "SEAT"))
    if model.facts.shoe_deals:
        strip.add("+", "DEAL BY HAND", enter(_DEAL_BY_HAND))
        ways_out(model, strip, undo=False)
        detail = asked or f"{hole} cards to {seats} seats, from the shoe."
        return strip.prompt("DEALER", title, detail, str(state.cards_out), f"OF {seats * hole}")
    strip.add("ENTER", "CARDS ARE OUT", do(hand.Deal()), strong=True)
    ways_out(model, strip, undo=not state.cards_out)
    first = state.setup.slots[state.cards_out].seat
    which = "next" if state.cards_out else "first"
    detail = f"{hole} cards to {seats} seats, {which} to seat {first}."
    if model.facts.device("shoe") is not None:
        detail = f"BY HAND, the shoe is not read: {detail}"
    return strip.prompt("DEALER", title, (asked or detail)[:78])


def _posts_and_fees(model: Model, strip: Strip) -> str:
    """Before the first card a seat may pay its fee, or say that it cannot post in full.

    Returns what the band shows of it; empty: there is nothing of that kind to do.
    """
    state, seat = model.hand, model.number
    owing, short = unpaid(state), may_post_short(state)
    if seat is not None:
        if seat in owing:
            strip.add("+", f"SEAT {seat} HAS PAID", do(hand.PayFee((seat,))), strong=True)
        if seat in short:
            strip.add("*", f"SEAT {seat} POSTS SHORT", enter(ShortPost(seat)))
        if seat not in owing and seat not in short:
            strip.explain(
                "ENTER", why=f"Seat {seat} owes no fee and posts nothing. Press . to clear."
            )
        strip.digits("SEAT", type_digit)
        return f"Seat {seat}."
    if owing:
        strip.add("-", "ALL HAVE PAID", do(hand.PayFee()))
        strip.digits("SEAT THAT PAYS", type_digit)
        fee, seats = chips(fee_per_player(state)), " ".join(map(str, owing))
        return f"Fee {fee} each.  Not paid: {seats}."
    if short:
        strip.digits("SEAT: POSTS SHORT", type_digit)
    return ""


@dataclass(frozen=True, slots=True)
class ShortPost(Mode):
    """A seat without a tracked stack has less than it must post: all that it has."""

    seat: int

    def show(self, model: Model, strip: Strip) -> Prompt:
        amount = model.amount
        if amount is not None:
            post = do(hand.Act("allin", amount, self.seat), leave_if_done)
            strip.add("ENTER", f"ALL IN FOR {chips(amount)}", post, strong=True)
        strip.digits("ALL IT HAS", type_digit)
        if not strip.decimal_point(model, cents=model.state.profile.has_cents):
            strip.add(".", "CLEAR" if model.typed else "BACK", clear if model.typed else leave)
        due = chips(may_post_short(model.hand).get(self.seat, 0))
        detail = f"Seat {self.seat} posts {due}: type all the chips it has, if they are fewer."
        return strip.prompt("DEALER", f"SEAT {self.seat} SHORT", detail, *typed_caption(model))


def board(model: Model, strip: Strip) -> Prompt:
    state, street = model.hand, Street[model.step.what.upper()]
    count = 3 if street is Street.FLOP else 1
    burn = "" if state.burned or street in state.no_burn else "  Burn 1."
    face = "Three cards" if count == 3 else "One card"
    title = f"BURN - {street.name}" if burn else f"DEAL {street.name}"
    collect = f"Collect bets.{_drop(model, street)}{burn}  {face} face up"
    if model.facts.shoe_deals and not model.half.by_hand:
        strip.add("+", "TYPE CARDS", _key_cards)
        ways_out(model, strip)
        detail = f"{collect}, from the shoe."
        return strip.prompt("DEALER", title, detail, str(len(state.turned)), f"OF {count}")
    card_keys(model, strip, lambda card: _add_board(street, count, card))
    detail = f"{collect}: key rank, then suit."
    if model.half.cards or state.turned or model.typed:
        so_far = " ".join([*map(str, state.turned), *model.half.cards])
        detail = f"{f'So far: {so_far}.  ' if so_far else ''}Rank, then suit:  {RANK_KEYS}"
    return strip.prompt("DEALER", title, detail, *typed_caption(model))


def _drop(model: Model, street: Street) -> str:
    """What goes into the boxes with this street."""
    state = model.hand
    due = state.setup.limit.bracket(len(state.setup.dealt))
    if due is None or street.word != state.setup.profile.fee.trigger or state.fee_waived:
        return ""
    jackpot = f", jackpot {chips(due.jackpot)}" if due.jackpot else ""
    return f"  Drop {chips(due.fee)}{jackpot}."


def _key_cards(model: Model) -> Change:
    return Change(replace(model, half=replace(model.half, by_hand=True)), (KeyCards(),))


def _add_board(street: Street, count: int, card: str) -> Action:
    def add(model: Model) -> Change:
        if seen_already(model, card):
            return Change(model.clear().refuse(f"The {card} is on the table already."))
        turned, keyed = model.hand.turned, (*model.half.cards, card)
        model = replace(model.clear(), half=replace(model.half, cards=keyed))
        if len(turned) + len(keyed) < count:
            return Change(model)
        cards = (*turned, *parse_cards(" ".join(keyed)))
        return Change(model, (Do(hand.Board(street, cards), drop_last_card),))

    return add


def seen_already(model: Model, card: str) -> bool:
    """Whether a card that is being keyed lies face up already, or was keyed just before."""
    state = model.hand
    tabled = (one for cards in state.tabled.values() for one in cards)
    return card in (*model.half.cards, *map(str, (*state.board, *state.turned, *tabled)))


def drop_last_card(model: Model, answer: Answer) -> Change:
    """A card that cannot be right is keyed again; the others stay."""
    if answer.refusal is not None:
        model = replace(model, half=replace(model.half, cards=model.half.cards[:-1]))
    return stay(model, answer)


def trouble(model: Model, strip: Strip) -> Prompt:
    state = model.hand
    what = _TROUBLES[state.trouble or "events_lost"]
    if model.step.who == "floor":
        floor_key(strip, strong=True)
        return strip.prompt("STOP", "CALL THE FLOOR", what)
    strip.add("ENTER", "CHECKED, GO ON", do(hand.Settle()), strong=True)
    if state.next_slot is not None and not next_card_is_face_up(model.state):
        slot = state.setup.slots[state.next_slot]
        to = "BURN" if slot.seat is None else f"SEAT {slot.seat}"
        strip.add("+", f"CARD {state.cards_out + 1} TO {to}", _card_unread)
    floor_key(strip)
    return strip.prompt("STOP", "CHECK THE CARDS", what)


def _card_unread(model: Model) -> Change:
    number = model.hand.cards_out + 1
    return Change(model.clear(), (RecordUnread(number), Do(hand.DealCard())))
