"""Between hands: the button is drawn, the deck made ready, the hand begun."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omaha_table.cards import parse_card
from omaha_table.dealer.change import Change, do, enter, type_digit
from omaha_table.dealer.event_text import chips
from omaha_table.dealer.modes.floor_call import call_key
from omaha_table.dealer.modes.picking_up import away_detail, away_too_long, pick_up_key
from omaha_table.dealer.modes.reopening import who_is_seated
from omaha_table.dealer.modes.seat_menu import SeatMenu
from omaha_table.dealer.modes.table_keys import (
    RANK_KEYS,
    card_keys,
    floor_key,
    typed_caption,
    ways_out,
)
from omaha_table.hand.frozen import replace
from omaha_table.session.deck_text import again_text, unverified_text
from omaha_table.table import commands as table

if TYPE_CHECKING:
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt


def between_hands(model: Model, strip: Strip) -> Prompt:
    if model.facts.reopening is not None:
        return who_is_seated(model.facts.reopening, strip)
    match model.step.what:
        case "draw":
            return _draw(model, strip)
        case "button":
            return _place_button(model, strip)
        case "deck":
            return _deck(model, strip)
        case "cut":
            return _cut(model, strip)
        case "closed":
            floor_key(strip)
            detail = f"Head of the log after the close: {model.facts.head_words}"
            return strip.prompt("READY", "TABLE CLOSED", detail)
        case "nohand":
            call_key(model, strip)
            floor_key(strip, strong=True)
            detail = "More seats than hands: the floor decides who sits out."
            return strip.prompt("STOP", "CALL THE FLOOR", detail)
        case "seat":
            _seat_keys(model, strip)
            detail = "A hand needs two players with chips.  Type a seat, then ENTER."
            return strip.prompt("READY", "SEAT PLAYERS", detail, *typed_caption(model, "SEAT"))
        case _:
            return _start(model, strip)


def _start(model: Model, strip: Strip) -> Prompt:
    state = model.state
    if not model.typed:
        strip.add("+", f"START HAND {state.hands + 1}", do(table.StartHand()), strong=True)
        strip.when_pressed("ENTER", "Press + to start the hand.")
    _seat_keys(model, strip)
    detail = {"ok": "Deck ready.", "manual": "Deck shuffled by hand."}.get(state.deck, "")
    if state.killer is not None and state.limit.kill is not None:
        detail += f"  KILL {chips(state.limit.kill.blind)} by seat {state.killer}."
    gone = away_too_long(model)
    if gone is not None:
        # The map shows the button; that somebody must be picked up is shown nowhere else.
        detail += f"  {away_detail(model, gone)}"
    else:
        detail += f"  Blinds in front, button seat {state.button}."
    return strip.prompt("READY", "START HAND", detail.strip(), *typed_caption(model, "SEAT"))


def _cut(model: Model, strip: Strip) -> Prompt:
    if not model.typed:
        strip.add("ENTER", "DECK IS CUT", do(table.CutDeck()), strong=True)
        strip.when_pressed("+", "Cut the deck first, then ENTER. + starts the hand after it.")
    _seat_keys(model, strip)
    back = model.state.deck_back
    which = f"The {back} deck" if back else "The deck"
    detail = f"{which} is shuffled. Cut it with one hand."
    return strip.prompt("DEALER", "CUT THE DECK", detail, *typed_caption(model, "SEAT"))


def _seat_keys(model: Model, strip: Strip) -> None:
    seat = model.number
    if seat is not None:
        most = model.state.profile.seats.max
        if 1 <= seat <= most:
            strip.add("ENTER", f"OPEN SEAT {seat}", enter(SeatMenu(seat)), strong=True)
        else:
            strip.explain("ENTER", why=f"Seats are 1 to {most}. Press . to clear.")
    else:
        pick_up_key(model, strip, away_too_long(model), "*")
    strip.digits("SEAT MENU", _seat_digit)
    ways_out(model, strip)


def _seat_digit(model: Model, digit: str) -> Change:
    """No seat begins with a 0; the key may have been meant for the step before.

    No seat has three digits, but a PIN has, which must not be shown.
    """
    if (digit == "0" and not model.typed) or len(model.typed) == 2:
        return Change(model.refuse(f"Seats are 1 to {model.state.profile.seats.max}."))
    return type_digit(model, digit)


def _draw(model: Model, strip: Strip) -> Prompt:
    begun = model.state.drawn or model.half.drawing
    if not begun or model.half.seating:
        return _seats_of_the_draw(model, strip)
    # Clockwise from the dealer's left: the table says whose card is next, whoever comes or goes.
    seat = model.step.seat or 0
    card_keys(model, strip, lambda card: do(table.Draw(seat, parse_card(card))))
    if not model.typed:
        # Not the key that takes back the last drawn card, or the last seat.
        strip.add("-", "BACK TO SEATS", _pause_draw)
    detail = f"One card face up.  Rank then suit:  {RANK_KEYS}"
    if model.facts.shoe_deals:
        detail = "One card face up from the shoe; or rank then suit:  1=A 11=J 12=Q 13=K"
    return strip.prompt("DEALER", f"CARD TO SEAT {seat}", detail, *typed_caption(model))


def _seats_of_the_draw(model: Model, strip: Strip) -> Prompt:
    """Before the first card, and between two cards if a player comes or goes."""
    if not model.typed:
        strip.add("ENTER", "ALL ARE SEATED", _deal_draw, strong=True)
    _seat_keys(model, strip)
    count = len(model.state.present)
    detail = f"{count} players.  Type a seat to add a player; ENTER begins the draw."
    if model.state.drawn:
        detail = f"Type a seat to open it; ENTER: the next card is seat {model.step.seat}'s."
    return strip.prompt("READY", "DRAW FOR BUTTON", detail, *typed_caption(model, "SEAT"))


def _deal_draw(model: Model) -> Change:
    return Change(replace(model, half=replace(model.half, drawing=True, seating=False)))


def _pause_draw(model: Model) -> Change:
    return Change(replace(model, half=replace(model.half, seating=True)))


def _place_button(model: Model, strip: Strip) -> Prompt:
    seat = model.number
    if seat is not None and seat in model.state.seats:
        strip.add("ENTER", f"BUTTON TO SEAT {seat}", do(table.PlaceButton(seat)), strong=True)
        strip.digits("SEAT", type_digit)
        ways_out(model, strip)
    else:
        _seat_keys(model, strip)
    detail = "Type the seat of the button, then ENTER. An open seat adds a player."
    return strip.prompt("DEALER", "BUTTON: WHICH?", detail, *typed_caption(model, "SEAT"))


def _deck(model: Model, strip: Strip) -> Prompt:
    state = model.state
    shuffler = model.facts.device("shuffler")
    allowed = "machine" in state.profile.shuffle.allowed and "shuffler" not in state.devices_out
    machine = shuffler is not None and shuffler.usable and allowed
    if not model.typed and state.may_shuffle_by_hand:
        # Not +, which starts the hand that comes next.
        cap = "-" if machine else "ENTER"
        strip.add(cap, "SHUFFLED BY HAND", do(table.ReportDeck("manual")), strong=not machine)
    # A machine that is not connected cannot report its next deck: the dealer alone sees it.
    unseen = state.deck == "bad" and shuffler is None and not state.may_shuffle_by_hand
    if unseen and not model.typed:
        strip.add("ENTER", "SHUFFLED DECK IN", do(table.ReportDeck("ok")), strong=True)
    _seat_keys(model, strip)
    out = "  ".join(f"The {back} deck is out of play." for back in sorted(state.decks_out))
    inside = state.machine
    if inside is not None and inside.stage == "again":
        out = again_text(inside)
    if state.deck == "unverified" and (inside is None or inside.stage == "none"):
        detail = unverified_text(state.deck_back)
        return strip.prompt("STOP", "PUT THE DECK BACK", detail)
    if state.deck == "bad" and not machine:
        detail = out or "This deck is out of play: take another."
        if unseen:
            detail = f"{detail}  ENTER when a shuffled one is in."
        elif not state.may_shuffle_by_hand:
            detail = (
                "This deck is out of play. The shuffler is down: the floor takes it out of use."
            )
        return strip.prompt("STOP", "ANOTHER DECK", detail[:78])
    if machine and shuffler is not None:
        doing = f"Shuffler: {shuffler.doing.rstrip('.')}."
        detail = out or f"{doing}  Take the deck when it is ready."
        return strip.prompt("DEALER", "TAKE THE DECK", detail[:78])
    if not state.may_shuffle_by_hand:
        # The document asks for a machine: without one only the floor can let the deck be shuffled.
        detail = "The shuffler must shuffle here. If it cannot, the floor takes it out of use."
        return strip.prompt("STOP", "NO SHUFFLER", detail)
    return strip.prompt("DEALER", "SHUFFLE", f"Shuffle, then ENTER.  {out}".rstrip())
