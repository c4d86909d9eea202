"""Between hands: players come and go, the button is drawn, the deck made ready, the hand begun."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from omaha_table.cards import parse_card
from omaha_table.dealer.event_text import chips
from omaha_table.dealer.faults import Sure
from omaha_table.table import commands as table

if TYPE_CHECKING:
    from omaha_table.dealer.at_table import AtTable
    from omaha_table.dealer.controller import Front
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.view import Prompt
    from omaha_table.hand import Step

MOST_LETTERS: Final = 24
"""Of a player's name."""


def between_hands(front: Front, mode: AtTable, strip: Strip, step: Step) -> Prompt:
    match step.what:
        case "draw":
            return _draw(front, mode, strip, step)
        case "button":
            return _place_button(front, mode, strip)
        case "deck":
            return _deck(front, mode, strip)
        case "cut":
            if not front.typed:
                strip.add("ENTER", "DECK IS CUT", lambda: _do(front, table.CutDeck()), strong=True)
            _seat_keys(front, mode, strip)
            back = front.session.state.deck_back
            which = f"The {back} deck" if back else "The deck"
            return strip.prompt(
                "DEALER",
                "CUT THE DECK",
                f"{which} is shuffled. One hand, cut.",
                front.typed,
                "SEAT" if front.typed else "",
            )
        case "closed":
            strip.add("/", "FLOOR / MENU", lambda: _menu(front))
            words = front.session.head_words
            return strip.prompt("READY", "TABLE CLOSED", f"Head of the log for the slip: {words}")
        case "nohand":
            strip.add("/", "FLOOR / MENU", lambda: _menu(front), strong=True)
            return strip.prompt(
                "STOP", "CALL THE FLOOR", "More seats than hands: the floor names who sits out."
            )
        case "seat":
            _seat_keys(front, mode, strip)
            return strip.prompt(
                "READY",
                "SEAT PLAYERS",
                "A hand needs two players with chips.  Type a seat, then ENTER.",
                front.typed,
                "SEAT" if front.typed else "",
            )
        case _:
            return _start(front, mode, strip)


def _start(front: Front, mode: AtTable, strip: Strip) -> Prompt:
    state = front.session.state
    if not front.typed:
        strip.add(
            "ENTER",
            f"START HAND {state.hands + 1}",
            lambda: _do(front, table.StartHand()),
            strong=True,
        )
    _seat_keys(front, mode, strip)
    deck = {"ok": "Deck ready.", "manual": "Deck shuffled by hand."}.get(state.deck, "")
    if state.killer is not None and state.limit.kill is not None:
        deck += f"  KILL {chips(state.limit.kill.blind)} by seat {state.killer}."
    waiting = front.session.to_pick_up
    if waiting:
        deck += f"  Seat {waiting[0]} is away too long: / FLOOR."
    detail = f"{deck}  Blinds in front, button seat {state.button}.".strip()
    return strip.prompt(
        "READY", "START HAND", detail[:78], front.typed, "SEAT" if front.typed else ""
    )


def _seat_keys(front: Front, mode: AtTable, strip: Strip) -> None:
    if front.typed:
        seat = int(front.typed)
        most = front.session.state.profile.seats.max
        if 1 <= seat <= most:
            strip.add(
                "ENTER", f"OPEN SEAT {seat}", lambda: front.enter(AtSeat(front, seat)), strong=True
            )
        else:
            strip.add("ENTER", "", grey=f"There are seats 1 to {most}: . clears.")
    strip.digits("SEAT MENU", front.type_digit)
    mode.ways_out(strip, undo=False)


def _draw(front: Front, mode: AtTable, strip: Strip, step: Step) -> Prompt:
    if not (front.session.state.drawn or mode.drawing):
        return _before_the_draw(front, mode, strip)
    seat = step.seat or 0
    shoe = front.devices is not None and front.devices.shoe_deals
    mode.card_keys(strip, lambda card: _do(front, table.Draw(seat, parse_card(card))))
    detail = "One card face up.  Rank then suit:  1=A 2-9 10=T 11=J 12=Q 13=K"
    if shoe:
        detail = "One card face up from the shoe; or rank then suit:  1=A 11=J 12=Q 13=K"
    return strip.prompt(
        "DEALER", f"CARD TO SEAT {seat}", detail, front.typed, "TYPED" if front.typed else ""
    )


def _before_the_draw(front: Front, mode: AtTable, strip: Strip) -> Prompt:
    """Until its first card more players may sit down."""
    if not front.typed:
        strip.add("ENTER", "ALL ARE SEATED", mode.begin_draw, strong=True)
    _seat_keys(front, mode, strip)
    count = len(front.session.state.present)
    return strip.prompt(
        "READY",
        "DRAW FOR BUTTON",
        f"{count} players.  Type a seat for another one; ENTER begins the draw.",
        front.typed,
        "SEAT" if front.typed else "",
    )


def _place_button(front: Front, mode: AtTable, strip: Strip) -> Prompt:
    if front.typed and int(front.typed) in front.session.state.seats:
        seat = int(front.typed)
        strip.add(
            "ENTER",
            f"BUTTON TO SEAT {seat}",
            lambda: _do(front, table.PlaceButton(seat)),
            strong=True,
        )
        strip.digits("SEAT", front.type_digit)
        mode.ways_out(strip, undo=False)
    else:
        _seat_keys(front, mode, strip)
    return strip.prompt(
        "DEALER",
        "BUTTON: WHICH?",
        "Type the seat of the button, then ENTER; an open seat for another player.",
        front.typed,
        "SEAT" if front.typed else "",
    )


def _deck(front: Front, mode: AtTable, strip: Strip) -> Prompt:
    state = front.session.state
    shuffler = None if front.devices is None else front.devices.of("shuffler")
    by_hand = "manual" in state.profile.shuffle.allowed
    allowed = "machine" in state.profile.shuffle.allowed and "shuffler" not in state.devices_out
    machine = shuffler is not None and shuffler.usable and allowed
    if not front.typed and by_hand:
        cap = "+" if machine else "ENTER"
        strip.add(
            cap,
            "SHUFFLED BY HAND",
            lambda: _do(front, table.ReportDeck("manual")),
            strong=not machine,
        )
    _seat_keys(front, mode, strip)
    out = "  ".join(f"The {back} deck is out of play." for back in sorted(state.decks_out))
    if state.deck == "bad" and not machine:
        return strip.prompt(
            "STOP", "ANOTHER DECK", out or "This deck is out of play: take another."
        )
    if machine and shuffler is not None:
        detail = f"Shuffler: {shuffler.doing.rstrip('.')}.  Take the deck when it is ready.  {out}"
        return strip.prompt("DEALER", "TAKE THE DECK", detail[:78])
    return strip.prompt("DEALER", "SHUFFLE", f"Shuffle, then ENTER.  {out}".rstrip())


class AtSeat:
    """One seat between hands: chips, away and back, posting, leaving, moving."""

    def __init__(self, front: Front, seat: int) -> None:
        self._front, self._seat = front, seat
        self._name = ""

    def text(self, name: str) -> bool:
        """A keyboard's letters are the name of who sits down; whether it took the key."""
        if self._seat in self._front.session.state.seats:
            return False
        letter = {"space": " ", "apostrophe": "'", "minus": "-"}.get(name, name)
        if name == "backspace" and self._name:
            self._name = self._name[:-1]
        elif len(letter) == 1 and (letter.isalpha() or (self._name and letter in " '-")):
            self._name = (self._name + letter)[:MOST_LETTERS]
        else:
            return False
        return True

    def show(self, strip: Strip) -> Prompt:
        front, seat = self._front, self._seat
        at = front.session.state.seats.get(seat)
        typed = front.amount
        if at is None:
            label = "SITS, NOT TRACKED" if typed is None else f"SITS WITH {chips(typed)}"
            who = f"{self._name}_   " if self._name else ""
            strip.add("ENTER", label, lambda: self._sit(typed), strong=True)
            strip.digits("CHIPS", front.type_digit)
            self._add_back(strip)
            return strip.prompt(
                "READY",
                f"SEAT {seat} IS OPEN",
                f"{who}Type the player's chips, then ENTER; letters are the name."[:78],
                front.typed,
                "CHIPS" if front.typed else "",
            )
        if typed is None:
            strip.add("ENTER", "DONE", front.leave, strong=True)
            if at.away:
                strip.add("-", "IS BACK", lambda: self._do(table.Back(seat)))
            else:
                strip.add("-", "AWAY", lambda: self._do(table.Away(seat)))
            if at.new or at.owes_big or at.owes_small:
                strip.add("*", "POSTS NOW", lambda: self._do(table.PostOwed(seat)))
            strip.add("/", "LEAVES", self._ask_leave)
        else:
            strip.add("+", f"ADDS {chips(typed)}", lambda: self._do(table.Buy(seat, typed)),
                      strong=True)  # fmt: skip
            to, state = front.number, front.session.state
            if to is not None and 1 <= to <= state.profile.seats.max and to not in state.seats:
                strip.add("/", f"MOVES TO SEAT {to}", lambda: self._move(to))
        strip.digits("CHIPS OR SEAT", front.type_digit)
        self._add_back(strip)
        stack = "not tracked" if at.stack is None else chips(at.stack)
        return strip.prompt(
            "READY",
            f"SEAT {seat}",
            f"{at.name}   chips {stack}   type an amount and + to add, a seat and / to move",
            front.typed,
            "TYPED" if front.typed else "",
        )

    def _add_back(self, strip: Strip) -> None:
        if not self._front.decimal_key(strip, cents=self._front.table_has_cents):
            strip.add(".", "CLEAR" if self._front.typed else "BACK", self._back)

    def _sit(self, amount: int | None) -> None:
        name = self._name.strip() or f"Seat {self._seat}"
        if self._do(table.SeatPlayer(self._seat, name, amount)):
            self._front.leave()

    def _move(self, to: int) -> None:
        if self._do(table.MoveSeat(self._seat, to)):
            self._front.leave()

    def _ask_leave(self) -> None:
        self._front.enter(
            Sure(
                self._front,
                f"SEAT {self._seat} LEAVES?",
                "The seat is free at once; the chips go with the player.",
                "YES, THE SEAT IS FREE",
                self._leave,
            )
        )

    def _leave(self) -> None:
        if self._do(table.Leave(self._seat)):
            self._front.leave()

    def _do(self, command: table.TableCommand) -> bool:
        return self._front.do(command)

    def _back(self) -> None:
        if self._front.typed:
            self._front.clear()
        else:
            self._front.leave()


def _do(front: Front, command: table.TableCommand) -> None:
    front.do(command)


def _menu(front: Front) -> None:
    from omaha_table.dealer.floor import AskPin

    front.enter(AskPin(front))
