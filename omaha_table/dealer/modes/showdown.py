"""The showdown: hands are tabled or read by the dealer, explained, and the pots pushed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from omaha_table.cards import format_cards, parse_cards
from omaha_table.dealer.change import Change, Do, clear, do, enter, leave, stay, type_seat
from omaha_table.dealer.event_text import pot_name
from omaha_table.dealer.model import Mode
from omaha_table.dealer.modes.awards import push_title
from omaha_table.dealer.modes.dealing import drop_last_card, seen_already
from omaha_table.dealer.modes.pages import Reading
from omaha_table.dealer.modes.table_keys import (
    LINE,
    RANK_KEYS,
    card_keys,
    typed_caption,
    ways_out,
)
from omaha_table.dealer.pot_pushes import pushes
from omaha_table.evaluate.words import describe_high, describe_low, high_cards, low_cards
from omaha_table.hand import commands as hand
from omaha_table.hand.frozen import replace
from omaha_table.hand.phases import Phase
from omaha_table.hand.showdown import can_win, claims, low_possible, read_tabled

if TYPE_CHECKING:
    from omaha_table.dealer.change import Action
    from omaha_table.dealer.model import Model
    from omaha_table.dealer.strip import Strip
    from omaha_table.dealer.table_view import Prompt
    from omaha_table.hand import HandState
    from omaha_table.hand.events import Side
    from omaha_table.session.answer import Answer


def show(model: Model, strip: Strip) -> Prompt:
    seat = model.step.seat
    if model.step.what == "read" or seat is None:
        strip.add("ENTER", "WHO WINS?", enter(ReadWinners()), strong=True)
        ways_out(model, strip)
        return strip.prompt("DEALER", "READ WINNERS", "Who has the high, and who the low?")
    if model.half.typing_hand:
        return _type_hand(model, strip, seat)
    if seat in model.facts.readable:
        strip.add("ENTER", "SHOWS", do(hand.Show(seat, ())), strong=True)
    else:
        strip.add("ENTER", "WHO WINS?", enter(ReadWinners()), strong=True)
    if any(choice.word == "muck" for choice in model.step.choices):
        strip.add("-", "MUCKS", do(hand.Muck(seat)))
    else:
        strip.when_pressed("-", "This hand cannot be mucked: it must be tabled.")
    strip.add("+", "TYPE CARDS", _start_typing)
    _explain_key(model, strip)
    ways_out(model, strip)
    name = model.state.seats[seat].name if seat in model.state.seats else f"Seat {seat}"
    return strip.prompt(
        "DEALER",
        f"SEAT {seat} TO SHOW",
        f"{name} is next to show.   Two from the hand, three from the board.",
    )


def _explain_key(model: Model, strip: Strip) -> None:
    if model.hand.tabled and model.staging.readings:
        strip.add("*", "EXPLAIN HANDS", lambda now: Change(now.enter(_explanation(now.hand))))


def _explanation(state: HandState) -> Reading:
    """Each tabled hand: which five cards make its high and its low."""
    lines = [f"Board  {format_cards(state.board)}"]
    highs, lows = read_tabled(state)
    for seat, cards in state.tabled.items():
        lines += ["", f"Seat {seat}  {format_cards(cards)}"]
        five = format_cards(high_cards(highs[seat], state.board, cards))
        lines.append(f"  HIGH  {describe_high(highs[seat])}:  {five}")
        if lows.get(seat):
            low = format_cards(low_cards(lows[seat], state.board, cards))
            lines.append(f"  LOW   {describe_low(lows[seat])}:  {low}")
        elif state.setup.profile.splits:
            lines.append("  LOW   none")
    return Reading("THE HANDS", tuple(lines))


# Keying a hand


def _start_typing(model: Model) -> Change:
    return Change(replace(model, half=replace(model.half, typing_hand=True)))


def _type_hand(model: Model, strip: Strip, seat: int) -> Prompt:
    hole, keyed = model.state.profile.game.hole_cards, model.half.cards
    so_far = " ".join(keyed)
    card_keys(model, strip, lambda card: _add_hole(seat, hole, card))
    return strip.prompt(
        "DEALER",
        f"CARDS SEAT {seat}",
        f"{len(keyed)} of {hole}{f': {so_far}' if so_far else ''}.   Rank, then suit:  {RANK_KEYS}",
        *typed_caption(model),
    )


def _add_hole(seat: int, hole: int, card: str) -> Action:
    def add(model: Model) -> Change:
        where = seen_already(model, card)
        if where:
            return Change(model.clear().refuse(where))
        keyed = (*model.half.cards, card)
        model = replace(model.clear(), half=replace(model.half, cards=keyed))
        if len(keyed) < hole:
            return Change(model)
        shown = hand.Show(seat, parse_cards(" ".join(keyed)))
        return Change(model, (Do(shown, drop_last_card),))

    return add


# Naming the winners


@dataclass(frozen=True, slots=True)
class ReadWinners(Mode):
    """Pot by pot in the order of the pushes, high and then low; a tie is several seats.

    The last side pot comes first. Whoever loses it has lost the pots below it too and is not asked
    about again, and a pot without another live hand is settled with the one above it.
    """

    seats: tuple[int, ...] = ()

    def show(self, model: Model, strip: Strip) -> Prompt:
        due = unread_pot(model.state.hand)
        if due is None:
            due = UnreadPot("high", 0, "", [])
        side, live, typed = due.side, due.live, model.number
        named = (*self.seats, *((typed,) if typed in live else ()))
        if typed is not None and typed not in live:
            can = f"Seat {typed} cannot win this pot. Live hands: {_list(live)}."
            why = f"{can} Press . to clear."
            strip.explain("ENTER", why=why)
        elif named:
            seats = tuple(dict.fromkeys(seat for seat in named if seat is not None))
            label = f"{side.upper()}: SEAT{'S' if len(seats) > 1 else ''} {_list(seats)}"
            strip.add("ENTER", label, do(due.read(seats), self._read), strong=True)
        else:
            question = f"{due.name}, {side.upper()}.   Type the winner's seat: {_list(live)}."
            strip.explain("ENTER", why=question)
        if typed in live:
            strip.add("+", "TIE WITH ANOTHER", self._tie)
        elif due.above and not self.seats and typed is None:
            strip.add("+", f"ALSO SEAT {_list(due.above)}", do(due.read(due.above), self._read))
        if side == "low" and not named:
            if due.above:
                # Whoever won the low of a side pot has one in the pots below it too.
                has = f"Seat {_list(due.above)} won a low above, so this pot has one."
                strip.when_pressed("-", has)
            else:
                strip.add("-", "NO LOW", do(due.read(()), self._read))
        strip.digits("SEAT", type_seat)
        strip.add(".", "CLEAR" if model.typed else "BACK", self._back)
        strip.floor()
        so_far = f"   So far: {_list(self.seats)}." if self.seats else ""
        return strip.prompt(
            "DEALER",
            f"{side.upper()}: WHO WINS?",
            f"{due.name}, {side.upper()}.   Live hands: {_list(live)}.{so_far}",
            *typed_caption(model, "SEAT"),
        )

    def _tie(self, model: Model) -> Change:
        seat = model.number
        seats = self.seats if seat is None or seat in self.seats else (*self.seats, seat)
        return Change(model.clear().become(ReadWinners(seats)))

    def _read(self, model: Model, answer: Answer) -> Change:
        """Asks for the next pot, until all are read."""
        model = model.become(ReadWinners())
        return stay(model.leave() if unread_pot(model.state.hand) is None else model, answer)

    def _back(self, model: Model) -> Change:
        if model.typed:
            return clear(model)
        if self.seats:
            return Change(model.become(ReadWinners(self.seats[:-1])))
        return leave(model)


@dataclass(frozen=True, slots=True)
class UnreadPot:
    """A side of a pot that nobody has read."""

    side: Side
    number: int | None
    """None: there are no side pots."""
    name: str
    live: list[int]
    """Who can still win it."""
    above: tuple[int, ...] = ()
    """Who won this side of the pot above."""

    def read(self, seats: tuple[int, ...]) -> hand.Read:
        return hand.Read(self.side, seats, self.number)


def unread_pot(state: HandState | None) -> UnreadPot | None:
    """The next to be read, in the order in which the pots are pushed."""
    if state is None or state.phase is not Phase.SHOWDOWN:
        return None
    sides: tuple[Side, ...] = ("high", "low") if low_possible(state) else ("high",)
    pots = state.pots()
    for number in range(len(pots) - 1, -1, -1):
        live = claims(state, pots[number])
        if len(live) == 1 or all(seat in state.tabled for seat in live):
            continue
        for side in sides:
            read = state.read_high if side == "high" else state.read_low
            if number not in read:
                name, only = pot_name(number, len(pots)), len(pots) == 1
                able, above = can_win(state, side, number), read.get(number + 1, ())
                return UnreadPot(side, None if only else number, name, able, above)
    return None


def _list(seats: list[int] | tuple[int, ...]) -> str:
    return " ".join(map(str, seats)) or "none"


# Pushing the pots


def push(model: Model, strip: Strip) -> Prompt:
    due = pushes(model.hand)
    at = min(model.half.pushed, max(len(due) - 1, 0))
    strip.add("0", "PUSHED", _pushed, strong=True)
    strip.when_pressed("ENTER", "Press 0 when the chips are pushed.")
    _explain_key(model, strip)
    ways_out(model, strip)
    if not due:
        return strip.prompt("DEALER", "CLOSE THE HAND", "Nothing is in the pot.")
    now = due[at]
    which = [f"{now.what}.", *([f"Push {at + 1} of {len(due)}."] if len(due) > 1 else [])]
    odd = [now.odd] if now.odd else []
    said = [*([*which, *odd, why] for why in now.why), [*which, *odd], [which[0], *odd]]
    detail = next(line for line in map("  ".join, said) if len(line) <= LINE + 2)
    return strip.prompt("DEALER", push_title(now.amount, now.seat), detail)


def _pushed(model: Model) -> Change:
    """One push after the other; the last one ends the hand."""
    count, done = len(pushes(model.hand)), model.half.pushed + 1
    if done < count:
        return Change(replace(model, half=replace(model.half, pushed=done)))
    return Change(model.clear(), (Do(hand.Push()),))
