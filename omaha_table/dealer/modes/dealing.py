"""Cards out of the deck: the pitch, the board, and what can go wrong with a card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from omaha_table.cards import format_cards, parse_card, parse_cards
from omaha_table.dealer.card_trouble import go_on_label, trouble_text
from omaha_table.dealer.change import (
    Change,
    Do,
    KeyCards,
    PutBackEarly,
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
from omaha_table.dealer.modes.floor_call import call_key
from omaha_table.dealer.modes.sure import Sure
from omaha_table.dealer.modes.table_keys import (
    RANK_KEYS,
    card_keys,
    floor_key,
    typed_caption,
    ways_out,
)
from omaha_table.dealer.pad import DIGITS, SUITS
from omaha_table.hand import commands as hand
from omaha_table.hand.face_up import where_face_up
from omaha_table.hand.fees import fee_per_player, unpaid
from omaha_table.hand.frozen import replace
from omaha_table.hand.opening import may_post_short
from omaha_table.hand.phases import Street
from omaha_table.hand.refusal import sentence
from omaha_table.session.hole_cards import next_card_is_face_up

if TYPE_CHECKING:
    from omaha_table.dealer.change import Action
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.hand.state import Slot
    from omaha_table.session.answer import Answer

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
        strip.add("0", "DEAL BY HAND", enter(_DEAL_BY_HAND))
        detail = asked or f"{hole} cards to {seats} seats, from the shoe."
        shoe = model.facts.device("shoe")
        if state.cards_dealt and shoe is not None and shoe.places:
            # No number tells that a card was not read: the dealer sees whose it is.
            _unread_key(model, strip, "*")
            detail = f"{hole} cards to {seats} seats, read at the seats. * if one is not read."
        ways_out(model, strip)
        return strip.prompt("DEALER", title, detail, str(state.cards_dealt), f"OF {seats * hole}")
    strip.add("0", "CARDS ARE OUT", do(hand.Deal()), strong=True)
    strip.when_pressed("ENTER", "Press 0 when the cards are out.")
    ways_out(model, strip)
    first = state.setup.slots[state.cards_out].seat
    which = "next" if state.cards_dealt else "first"
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
            strip.add("ENTER", f"SEAT {seat} POSTS SHORT", enter(ShortPost(seat)))
        if seat not in owing and seat not in short:
            strip.explain(
                "ENTER", why=f"Seat {seat} owes no fee and posts nothing. Press . to clear."
            )
        strip.digits("SEAT", type_digit)
        return f"Seat {seat}."
    if owing:
        strip.add("-", "ALL HAVE PAID", do(hand.PayFee()))
        strip.digits("SEAT THAT PAYS", type_digit, cap="1-9")
        fee, seats = chips(fee_per_player(state)), " ".join(map(str, owing))
        return f"Fee {fee} each.  Not paid: {seats}."
    if short:
        strip.digits("SEAT: POSTS SHORT", type_digit, cap="1-9")
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
        if not strip.decimal_point(model, cents=model.has_cents):
            strip.add(".", "CLEAR" if model.typed else "BACK", clear if model.typed else leave)
        strip.floor()
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
        strip.add("0", "TYPE CARDS", _key_cards)
        ways_out(model, strip)
        detail = f"{collect}, from the shoe."
        return strip.prompt("DEALER", title, detail, str(len(state.turned)), f"OF {count}")
    if len(state.turned) + len(model.half.cards) >= count:
        return _confirm_board(model, strip, street)
    card_keys(model, strip, _add_board)
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


def _add_board(card: str) -> Action:
    def add(model: Model) -> Change:
        where = seen_already(model, card)
        if where:
            return Change(model.clear().refuse(where))
        keyed = (*model.half.cards, card)
        return Change(replace(model.clear(), half=replace(model.half, cards=keyed)))

    return add


def _confirm_board(model: Model, strip: Strip, street: Street) -> Prompt:
    """All its cards are keyed and shown on the board, and nothing is recorded yet."""
    word = street.word
    keyed = (*model.hand.turned, *parse_cards(" ".join(model.half.cards)))
    strip.add("0", f"{street.name} IS RIGHT", do(hand.Board(street, keyed), drop_last_card),
              strong=True)  # fmt: skip
    strip.when_pressed("ENTER", f"Press 0 if the {word} is right.")
    why = f"All cards of the {word} are keyed. Press 0 if they are right, or . to clear the last."
    for cap in (*DIGITS - {"0"}, *SUITS):
        strip.when_pressed(cap, why)
    ways_out(model, strip)
    detail = f"{format_cards(keyed)}.  0 if the {word} is right; . takes the last card off."
    return strip.prompt("DEALER", f"CHECK THE {street.name}", detail)


def seen_already(model: Model, card: str) -> str:
    """Where a card that is being keyed lies face up already, or that it was keyed just before.

    Nothing else is compared: the answer is the same for every card that lies face down.
    """
    if card in model.half.cards:
        return f"You have just keyed the {card}."
    where = where_face_up(model.hand, parse_card(card))
    return sentence(where) if where else ""


def drop_last_card(model: Model, answer: Answer) -> Change:
    """A card that cannot be right is keyed again; the others stay."""
    if answer.refusal is not None:
        model = replace(model, half=replace(model.half, cards=model.half.cards[:-1]))
    return stay(model, answer)


def trouble(model: Model, strip: Strip) -> Prompt:
    """The likeliest way on is the first key."""
    state = model.hand
    what = trouble_text(state)
    if model.step.who == "floor":
        call_key(model, strip)
        floor_key(strip, strong=True)
        return strip.prompt("STOP", "CALL THE FLOOR", what)
    early = state.trouble == "early_card"
    go_on_first = early or not (state.missing and _unread_slot(model))
    if not go_on_first:
        _unread_key(model, strip, strong=True)
    strip.add("ENTER", go_on_label(state), do(hand.Settle()), strong=go_on_first)
    if early:
        strip.add("-", "PUT BACK", _put_back_early)
    elif go_on_first:
        _unread_key(model, strip)
    floor_key(strip)
    return strip.prompt("STOP", "CHECK THE CARDS", what)


def _unread_slot(model: Model) -> Slot | None:
    """The next slot, if a card may be dealt to it that nobody has read."""
    at = model.hand.next_slot
    if at is None or next_card_is_face_up(model.state):
        return None
    return model.hand.setup.slots[at]


def _unread_key(model: Model, strip: Strip, cap: str = "+", *, strong: bool = False) -> None:
    slot = _unread_slot(model)
    if slot is not None:
        to = "BURN" if slot.seat is None else f"SEAT {slot.seat}"
        strip.add(cap, f"CARD {model.hand.cards_dealt + 1} TO {to}", _card_unread, strong=strong)


def _card_unread(model: Model) -> Change:
    return Change(model.clear(), (RecordUnread(), Do(hand.DealCard())))


def _put_back_early(model: Model) -> Change:
    return Change(model.clear(), (PutBackEarly(), Do(hand.Settle())))
